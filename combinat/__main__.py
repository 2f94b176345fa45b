"""``python -m combinat``."""

from combinat.cli import program

if __name__ == "__main__":
    program()
