"""Every promise about speed, as a pair or a triple in one run: `make bench`."""
