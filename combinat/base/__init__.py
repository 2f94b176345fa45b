"""What every room stands on: errors, exact numbers, tables of records, file writing, strict JSON."""
