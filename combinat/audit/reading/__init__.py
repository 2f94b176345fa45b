"""Other people's files: bytes, rows, what columns mean, rounds."""
