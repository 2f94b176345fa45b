"""Documents of exact odds, insurance and their variants."""
