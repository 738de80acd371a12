"""The command `pyramidion`, also as `python -m pyramidion`; Ctrl-C ends it without a traceback while it starts, too."""

import sys


def main() -> None:
    """Run the program."""
    try:
        from pyramidion.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Aborted!\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
