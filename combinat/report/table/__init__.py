"""Documents of settlements, rulings and exposure."""
