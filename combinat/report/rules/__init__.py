"""Documents of rule books."""
