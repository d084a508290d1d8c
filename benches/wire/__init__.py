"""The rows over loopback HTTP."""
