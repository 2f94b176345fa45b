"""The other way to know: rounds dealt by chance, hand logs replayed, both held against the exact results."""
