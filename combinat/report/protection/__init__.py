"""Documents of game protection."""
