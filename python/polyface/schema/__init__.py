"""What a value may look like."""
