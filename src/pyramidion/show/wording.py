"""Numbers, counts and lists as sentences say them, and texts without what a terminal or a browser would obey."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
USUAL_LEVEL = 0.05
MOST_P_DECIMALS = 6
MOST_NAMED = 4
"""Names that a sentence lists before it counts the rest."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, half characters, and marks that turn the direction of what follows."""


def defined(value: float | None) -> float | None:
    """The number, or None where it is undefined (NaN)."""
    if value is None or math.isnan(value):
        return None
    return float(value)


def p_in_words(p: float, decimals: int = 3) -> str:
    """A p value inside a sentence: never 0, and on its side of 0.05.

    >>> [p_in_words(p) for p in (0.0002, 0.0498, 0.05, 0.05003)]
    ['p < 0.001', 'p = 0.0498', 'p = 0.050', 'p = 0.05003']
    """
    smallest = f"{10**-decimals:.{decimals}f}"
    if p < float(smallest):
        return f"p < {smallest}"
    # A p that only rounds to the usual level would seem to contradict the verdict.
    while p != USUAL_LEVEL and float(f"{p:.{decimals}f}") == USUAL_LEVEL and decimals < MOST_P_DECIMALS:
        decimals += 1
    return f"p = {p:.{decimals}f}"


def carried_decimals(draws: int) -> int:
    """Decimals that a value from this many draws carries: one less than its steps have, two or three."""
    return min(3, max(2, len(str(draws + 1)) - 2))


def in_words(number: int, *, none: str = "no") -> str:
    """A count as a sentence says it: `three`, `1,200`."""
    if not number:
        return none
    if number < len(_NUMBERS):
        return _NUMBERS[number]
    return f"{number:,}"


def ordinal(number: int) -> str:
    """A place as a sentence says it: `ninth`, `21st`."""
    if number < len(_ORDINALS):
        return _ORDINALS[number]
    if number % 100 in (11, 12, 13):  # eleventh, not 11st
        return f"{number:,}th"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def counted(number: int, what: str, plural: str = "") -> str:
    """`1 topic`, `2 topics`, `1,200 summaries`."""
    if number == 1:
        return f"1 {what}"
    several = plural or f"{what}s"
    return f"{number:,} {several}"


def number(value: float, digits: int = 2) -> str:
    """With a true minus sign, and none before zero."""
    shown = f"{value:.{digits}f}"
    if float(shown) == 0:
        return shown.lstrip("-")
    return shown.replace("-", "−")


def with_interval(
    value: float | None, lower: float | None, upper: float | None, *, confidence: float | None = None
) -> str:
    """`0.71 (0.64 to 0.78)`; with a confidence level `0.71 (95 % interval 0.64 to 0.78)`."""
    if value is None:
        return "undefined"
    if lower is None or upper is None:
        return number(value)
    level = "" if confidence is None else f"{confidence:g} % interval "
    return f"{number(value)} ({level}{number(lower)} to {number(upper)})"


def confidence_interval(confidence: float, lower: float | None, upper: float | None, digits: int = 2) -> str:
    """`95 % confidence interval 0.64 to 0.78`; nothing without limits."""
    if lower is None or upper is None:
        return ""
    return f"{confidence:g} % confidence interval {number(lower, digits)} to {number(upper, digits)}"


def together(*parts: str) -> str:
    """Notes or reasons as one: `a; b`, without empty ones."""
    return "; ".join(filter(None, parts))


def noted(text: str, *notes: str) -> str:
    """A title with what one must know in parentheses, such as that judgments are simulated."""
    all_notes = together(*notes)
    if not all_notes:
        return text
    return f"{text} ({all_notes})"


def percent(share: float, digits: int = 0) -> str:
    """`81 %`."""
    return f"{100 * share:.{digits}f} %"


def capital(sentence: str) -> str:
    """With a capital letter in front, unless it begins with the name of a measure such as `rouge-2.recall`."""
    if "." in sentence.partition(" ")[0].rstrip(":,."):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def listed(names: Sequence[str], *, most: int = MOST_NAMED) -> str:
    """`a, b and c`, or the first few and how many more."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {in_words(len(names) - most)} others"
    before_last = ", ".join(names[:-1])
    return " and ".join(filter(None, (before_last, *names[-1:])))


def notes_about(notes: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """What must be known about these measures, each note once with the measures it is about."""
    about: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        if notes.get(name):
            about.setdefault(notes[name], []).append(name)
    return [f"{capital(note)}: {listed(measures)}." for note, measures in about.items()]


def note_on(notes: Mapping[str, str], *measures: str) -> str:
    """What must be known about measures, as the note of a record: `a: note; b: note`."""
    measures_with_notes = [name for name in dict.fromkeys(measures) if notes.get(name)]
    return together(*(f"{name}: {notes[name]}" for name in measures_with_notes))


def shortened(name: str, longest: int = 60) -> str:
    """A name that fits into a table."""
    if len(name) <= longest:
        return name
    return name[: longest - 1] + "…"


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey or could not show."""
    if text.isprintable():
        return text
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    """The character, or its escape if no terminal should print it."""
    if character.isprintable():
        return character
    # surrogatepass: file names that are not UTF-8 reach us as lone surrogates, which no codec takes otherwise.
    return character.encode("unicode_escape", "surrogatepass").decode()


def visible(text: str) -> str:
    """The text with one sign for each control character, steering mark or half character; no place moves.

    Line breaks and tabs stay, and so do joiners and hard blanks, which many scripts need.
    """
    if text.isprintable():
        return text
    return _UNSEEN.sub("\ufffd", text)
