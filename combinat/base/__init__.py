"""The base of every room: errors, exact numbers, tables of records, file writing, strict JSON."""
