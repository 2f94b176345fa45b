"""Other people's numbers: counts and hand logs read, replayed and judged against the exact results."""
