"""Simulation: an independent dealer, tallies and logs."""
