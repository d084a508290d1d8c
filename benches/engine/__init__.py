"""The rows that run in this process, or in a fresh one of their own."""
