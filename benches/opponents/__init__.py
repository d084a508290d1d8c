"""What a user would write or pick instead, each in its best reviewed variants."""
