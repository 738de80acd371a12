"""SIMPLE: Basic Elements as lines `head|modifier|relation`, as ROUGE-1.5.5 (`-3`) reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.text.overlap import BasicElement

NIL = "nil"
BARS = 2


@dataclass(frozen=True, slots=True)
class SimpleProblem:
    """A line that is no Basic Element."""

    line: int
    found: str


def read_simple(text: str | Sequence[str]) -> tuple[list[BasicElement], list[SimpleProblem]]:
    r"""The elements of a text and the lines that are none. Empty lines are passed over; fields are kept as they are.

    >>> read_simple("stop|ferry|subj\nferry|NIL|NIL")
    ([('stop', 'ferry', 'subj'), ('ferry', 'NIL', 'NIL')], [])
    """
    elements: list[BasicElement] = []
    problems: list[SimpleProblem] = []
    for number, line in enumerate(_lines(text), start=1):
        fields = line.split("|")
        if len(fields) == BARS + 1:
            head, modifier, relation = fields
            elements.append((head, modifier, relation))
        elif line.strip():
            problems.append(SimpleProblem(number, line))
    return elements, problems


def is_simple(texts: Iterable[str | Sequence[str]]) -> bool:
    """Whether texts are lists of Basic Elements: most of all their lines have exactly two bars.

    Most, not all, so that a broken line among elements is reported and not parsed as English.
    """
    element_lines = other_lines = 0
    for text in texts:
        for line in _lines(text):
            if line.count("|") == BARS:
                element_lines += 1
            elif line.strip():
                other_lines += 1
    return element_lines > other_lines


def _lines(text: str | Sequence[str]) -> list[str]:
    """The lines of a text, or its sentences, without line ends of either system."""
    lines = text.split("\n") if isinstance(text, str) else text
    return [line.removesuffix("\n").removesuffix("\r") for line in lines]
