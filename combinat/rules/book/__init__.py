"""Rule books and other TOML files: found, read, checked and written."""
