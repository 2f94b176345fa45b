"""Simulation: an independent dealer, its tally, its logs."""
