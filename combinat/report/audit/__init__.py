"""Documents of cross-checks, reviews and power."""
