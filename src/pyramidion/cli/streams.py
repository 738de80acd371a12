"""The three standard streams: any terminal, any encoding, closed or not."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys

PLAIN = str.maketrans(
    {
        **{"–": "-", "—": "-", "−": "-", "‑": "-", "·": ".", "•": "*", "…": "...", "’": "'", "‘": "'", "“": '"'},
        **{"”": '"', "×": "x", "±": "+/-", "≥": ">=", "≤": "<=", "→": "->", "½": "1/2", "²": "^2", "′": "'"},
        **{"∞": "inf", "α": "alpha", "β": "beta", "δ": "delta", "ρ": "rho", "τ": "tau", "χ": "chi", "Δ": "Delta"},
        **{"\xa0": " ", "\u202f": " ", "\u2009": " "},
    }
)
"""Signs of ours for terminals that know no others."""
REPLACING = "pyramidion"
"""The name of our way to treat what an encoding does not have."""


class NobodyReadsError(Exception):
    """The reader of our output has seen enough, as `head` does: nothing is wrong."""


def prepare_streams() -> None:
    """Make standard output and error usable whatever they are: closed, or in an encoding that lacks our signs."""
    _open_closed_streams()
    codecs.register_error(REPLACING, _replaced)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a stream of Python's own
            stream.reconfigure(errors=REPLACING)  # type: ignore[union-attr]


def is_unicode(stream: object) -> bool:
    """Whether a stream can take every character."""
    return str(getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def drop_output() -> None:
    """What is still to be printed goes nowhere; else Python would try, and fail, at the very end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_closed_streams() -> None:
    """Give streams that were closed somewhere to go; else the next file that is opened would get their number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  # until the end


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for characters that an encoding does not have: a plain sign, or the character's number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(PLAIN)
    return found.encode("ascii", "backslashreplace").decode("ascii"), error.end
