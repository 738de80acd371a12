"""`python -m pyramidion` is the command line."""

from pyramidion.cli import main

if __name__ == "__main__":
    main()
