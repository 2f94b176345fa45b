"""The other way to know: rounds dealt by chance, settled a second way, counted."""
