"""``python -m combinat``."""

from combinat.cli import main

if __name__ == "__main__":
    main()
