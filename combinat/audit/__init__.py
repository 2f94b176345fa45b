"""The audit of simulators' counts and hand logs: reading, replay, and comparison with the exact results."""
