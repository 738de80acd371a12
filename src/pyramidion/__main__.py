"""The command `pyramidion`, also as `python -m pyramidion`; Ctrl-C ends it without a traceback while it starts, too."""

import signal
import sys


def main() -> None:
    """Run the program."""
    try:
        from pyramidion.cli import main as run

        run()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who presses it twice wants the same
        sys.stderr.write("Aborted!\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
