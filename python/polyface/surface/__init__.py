"""What is on show."""
