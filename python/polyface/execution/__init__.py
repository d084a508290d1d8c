"""How one call runs."""
