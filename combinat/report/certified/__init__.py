"""Certified reports: written to a folder, and verified."""
