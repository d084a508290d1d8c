"""What can run, wherever it came from."""
