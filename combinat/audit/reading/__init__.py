"""Reading of foreign files: bytes, rows, the meaning of columns, rounds."""
