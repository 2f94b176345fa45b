"""Game protection: counts, perfect play, upper bounds, and studies of dealt shoes."""
