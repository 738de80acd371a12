"""Numbers inside of sentences and what captions must say."""

from __future__ import annotations


def number(value: float, digits: int = 2) -> str:
    """A number with a true minus, and none before zero."""
    shown = f"{value:.{digits}f}"
    return f"{abs(value):.{digits}f}" if float(shown) == 0 else shown.replace("-", "−")


def with_interval(value: float, lower: float | None, upper: float | None, *, confidence: float | None = None) -> str:
    """`0.71 (0.64 to 0.78)`; with a confidence, it is said: `0.71 (95 % interval 0.64 to 0.78)`."""
    if lower is None or upper is None:
        return number(value)
    level = "" if confidence is None else f"{confidence:g} % interval "
    return f"{number(value)} ({level}{number(lower)} to {number(upper)})"


def noted(text: str, note: str) -> str:
    """A caption with what must be said of the data, such as that it is simulated."""
    return f"{text} ({note})" if note else text
