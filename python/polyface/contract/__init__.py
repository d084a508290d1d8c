"""What is promised; nothing here runs."""
