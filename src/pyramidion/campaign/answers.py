"""Answers of judges and people in words, read by a declared grammar: "4/5", "Score: 4", `{"score": 4, "reason": "…"}`.

What the grammar reads, and nothing else:

| answer | value | reason |
|---|---|---|
| a number: `4`, `4.5`, `**4**`, `[[4]]` | 4 | |
| a number of a highest one: `4/5`, `4 out of 5`, `4 of 5`, `80 %` | 4 (of 5) | |
| one of these after a label: `Score: 4`, `Final rating = 4/5` | 4 | |
| one of these before words: `4 – good`, `4 (good)`, `4: good`, the words also on further lines | 4 | good |
| words, and one line, or the end of the last sentence, with a label: `It is clear. Score: 4` | 4 | It is clear. |
| words, and at their end a number in double brackets: `It is clear. [[4]]` | 4 | It is clear. |
| one JSON object, alone, between words or in a fence of backquotes: `{"score": 4, "reason": "clear"}` | 4 | clear |

A label is score, rating, grade, mark, points, value or answer, perhaps after overall, final, my or the; and the names
that the caller adds, such as that of the question. What does not fit is a `Misfit`, which says why; nothing is guessed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.files.problems import shorten
from pyramidion.intake.cells import lacks_number, number_of
from pyramidion.intake.roles import plain_name

SCORE_LABELS = ("score", "rating", "grade", "mark", "points", "value", "answer")
"""What an answer may call its number."""
REASON_LABELS = (
    *("reason", "reasoning", "reasons", "explanation", "rationale", "justification", "comment", "comments"),
    *("feedback", "analysis", "thought", "thoughts", "critique", "evidence"),
)
"""What an answer may call its words."""

MisfitKind = Literal["empty", "words", "several", "json", "off-scale", "other-scale"]
"""Why an answer can't be read: it says nothing; it has no number where the grammar looks for one; it has several; it
is JSON that breaks off or is broken; its number is not on the scale; it counts on another scale."""

_QUALIFIERS = r"(?:(?:the|my|overall|final|total)\s+)*"
_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_DECORATION = r"[*_`\[\"']*"
"""Around a number or a label in Markdown, and the double brackets that some prompts ask for."""
_DECORATION_END = r"[*_`\]\"']*"
_GRADE = (
    rf"{_DECORATION}(?P<value>{_NUMBER}){_DECORATION_END}"
    rf"(?:\s*(?:/|out\s+of|of)\s*{_DECORATION}(?P<top>{_NUMBER}){_DECORATION_END}|\s*(?P<percent>%))?"
    rf"(?:\s*(?:points?|stars?)\b)?{_DECORATION_END}"
)
_PLAIN = re.compile(rf"{_GRADE}\.?", re.IGNORECASE)
_BEFORE_WORDS = re.compile(
    rf"{_GRADE}(?:\s*[-–—:;,|]\s*|\.\s+|\s*\n\s*|\s+(?=\())(?P<words>\S.*)", re.IGNORECASE | re.DOTALL
)
_ANOTHER_NUMBER = re.compile(
    rf"\(?(?:(?:or|to|and|but|maybe|perhaps|possibly|rather)\s+)*(?:(?:a|an)\s+)?{_NUMBER}", re.IGNORECASE
)
"""How words start that take the number back: `4 – 5`, `4, maybe 5`."""
_LIST_ITEM = re.compile(r"^\s*\d+\s*[.):–-]", re.MULTILINE)
"""A line that goes on with a numbered list, whose first number is no grade."""
_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"'”’)\]]))\s+(?=\S)")
"""After a full stop, also one within quotation marks or parentheses."""
_BRACKETED = re.compile(rf"\[\[\s*({_NUMBER})\s*\]\]")
"""A number as some prompts ask for it: `[[4]]`."""
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(?P<content>.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Grade:
    """The number of an answer, and the words next to it."""

    value: float
    reason: str = ""
    out_of: float | None = None
    """The highest number, if the answer says it: 5 in `4/5`."""


@dataclass(frozen=True)
class Misfit:
    """An answer that the grammar does not read."""

    kind: MisfitKind
    found: str
    """The answer, shortened."""
    expected: str


def read_answer(cell: Any, *, scale: tuple[float, float] | None = None, labels: Sequence[str] = ()) -> Grade | Misfit:
    """The number and the reason of an answer; what does not fit the grammar is a misfit, never a guess.

    >>> read_answer("4 out of 5 – clear")
    Grade(value=4.0, reason='clear', out_of=5.0)
    >>> read_answer('{"score": 4, "reason": "clear"}', scale=(1, 5))
    Grade(value=4.0, reason='clear', out_of=None)
    >>> read_answer("4/10", scale=(1, 5)).kind
    'other-scale'

    Args:
        cell: a number, a text, or an object as JSON has it.
        scale: the lowest and the highest number, if they are known; every number is fine otherwise.
        labels: further names of the number, such as that of the question: in `Coherence: 4` or `{"coherence": 4}`.
            Where an answer has one of these, only that one counts.
    """
    grade = _read(cell, labels)
    if isinstance(grade, Misfit) or scale is None:
        return grade
    return _check_scale(grade, scale, cell)


def _check_scale(grade: Grade, scale: tuple[float, float], cell: Any) -> Grade | Misfit:
    """The grade, if it is on the scale."""
    lowest, highest = scale
    expected = f"{lowest:g} to {highest:g}"
    if grade.out_of is not None and grade.out_of != highest:
        return Misfit("other-scale", shorten(cell), f"an answer out of {highest:g}")
    if not lowest <= grade.value <= highest:
        return Misfit("off-scale", shorten(cell), expected)
    return grade


def _read(cell: Any, labels: Sequence[str]) -> Grade | Misfit:
    """The grade of a cell, on whatever scale."""
    if isinstance(cell, bool):
        return _misfit("words", cell)
    if isinstance(cell, Mapping):
        return _read_object(cell, labels)
    if lacks_number(cell):
        return _misfit("empty", cell)
    number = number_of(cell)
    if number is not None:
        return Grade(number) if math.isfinite(number) else _misfit("words", cell)
    if isinstance(cell, str):
        return _read_text(cell.strip(), labels)
    return _misfit("words", cell)


def _misfit(kind: MisfitKind, cell: Any) -> Misfit:
    expected = 'a number, such as 4, 4/5, "Score: 4" or {"score": 4, "reason": "…"}'
    if kind == "several":
        expected = "one number"
    return Misfit(kind, shorten(cell), expected)


def _read_text(text: str, labels: Sequence[str]) -> Grade | Misfit:
    """The grade of an answer in words or in JSON."""
    if "{" in text:
        return _read_json(text, labels)
    labelled = _read_labelled(text, labels)
    if labelled is not None:
        return labelled
    bracketed = _BRACKETED.findall(text)
    if len(bracketed) == 1 and text.endswith("]]"):
        return Grade(float(bracketed[0]), text[: text.rindex("[[")].strip())
    return _read_number_and_words(text)


def _read_number_and_words(text: str) -> Grade | Misfit:
    """The grade of a text without a label: a number, perhaps before words."""
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        return _grade_of(plain)
    before_words = _BEFORE_WORDS.fullmatch(text)
    if before_words is None:
        return _misfit("words", text)
    words = before_words["words"]
    if _ANOTHER_NUMBER.match(words) or _LIST_ITEM.search(words):
        return _misfit("several", text)
    return _grade_of(before_words, _strip_label(words))


def _grade_of(match: re.Match[str], reason: str = "") -> Grade:
    """The grade of a match of the grammar."""
    top = match["top"]
    out_of = float(top) if top else None
    if match["percent"]:
        out_of = 100.0
    return Grade(float(match["value"]), reason, out_of)


# Answers with labels


def _read_labelled(text: str, labels: Sequence[str]) -> Grade | Misfit | None:
    """The grade of a text with a label such as `Score:`; None if it has none.

    A label counts at the start of a line, or where the last sentence of the text starts: elsewhere, as in "a score: 4
    would be too low", it may be said about anything.
    """
    if labels:
        named = _find_labelled(text, _label_pattern(labels))
        if named is not None:
            return named
    return _find_labelled(text, _label_pattern(SCORE_LABELS))


def _label_pattern(labels: Sequence[str]) -> re.Pattern[str]:
    """A line or a sentence that starts with one of these labels, and the number after it."""
    # A name such as `overall-responsiveness` is written with spaces or underscores, too.
    names = [r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", label.strip()))) for label in labels]
    label = rf"{_DECORATION}{_QUALIFIERS}(?:{'|'.join(names)})(?:\s+(?:score|rating|grade))?{_DECORATION_END}"
    return re.compile(rf"{label}\s*(?:[:=]|\bis\b){_DECORATION_END}\s*(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)


def _find_labelled(text: str, pattern: re.Pattern[str]) -> Grade | Misfit | None:
    """The grade after the only label of a text, or after several that agree; None if there is no label."""
    lines = [line for line in text.splitlines() if line.strip()]
    grades: list[Grade | Misfit] = []
    others: list[str] = []
    for index, line in enumerate(lines):
        is_last = index == len(lines) - 1
        before, sentence = _split_last_sentence(line) if is_last else ("", line.strip())
        match = pattern.fullmatch(line.strip())
        if match is None and before:
            match = pattern.fullmatch(sentence)
            if match is not None:
                others.append(before)
        if match is None:
            others.append(line.strip())
        else:
            grades.append(_read_number_and_words(match["rest"].strip()))
    if not grades:
        return None
    first = grades[0]
    if isinstance(first, Misfit):
        return Misfit(first.kind, shorten(text), first.expected)
    if any(isinstance(grade, Misfit) or grade.value != first.value for grade in grades):
        return _misfit("several", text)
    reason = _strip_label("\n".join(others)) or first.reason
    return Grade(first.value, reason, first.out_of)


def _split_last_sentence(line: str) -> tuple[str, str]:
    """What comes before the last sentence of a line, and that sentence."""
    sentences = _SENTENCE_END.split(line.strip())
    return " ".join(sentences[:-1]), sentences[-1]


_REASON_LABEL = re.compile(
    rf"{_DECORATION}(?:{'|'.join(REASON_LABELS)}){_DECORATION_END}\s*[:=]{_DECORATION_END}\s*", re.IGNORECASE
)


def _strip_label(words: str) -> str:
    """A reason without its label, and without the parentheses around it."""
    text = _REASON_LABEL.sub("", words.strip(), count=1)
    inner = text[1:-1]
    if text.startswith("(") and text.endswith(")") and "(" not in inner:
        return inner.strip()
    return text.strip()


# Answers in JSON


def _read_json(text: str, labels: Sequence[str]) -> Grade | Misfit:
    """The grade of the only JSON object of a text."""
    fences = _FENCE.findall(text)
    if len(fences) == 1:
        text = fences[0].strip()
    start = text.find("{")
    if start < 0:
        return _misfit("words", text)
    try:
        content, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return Misfit("json", shorten(text), "a whole JSON object")
    if "{" in text[end:]:
        return _misfit("several", text)
    return _read_object(content, labels)


def _read_object(content: Mapping[Any, Any], labels: Sequence[str]) -> Grade | Misfit:
    """The grade of a JSON object: that of the label that the caller named, else that of a usual one."""
    by_name = {plain_name(str(key)): cell for key, cell in content.items()}
    reasons = [by_name[name] for name in map(plain_name, REASON_LABELS) if name in by_name]
    reason = next((text.strip() for text in reasons if isinstance(text, str) and text.strip()), "")
    names = [name for name in map(plain_name, labels) if name in by_name]
    if not names:
        names = [name for name in _JSON_LABELS if name in by_name]
    if not names:
        return _misfit("words", dict(content))
    grades = [_read(by_name[name], ()) for name in names]
    first = grades[0]
    if isinstance(first, Misfit):
        return Misfit(first.kind, shorten(dict(content)), first.expected)
    if any(isinstance(grade, Misfit) or grade.value != first.value for grade in grades):
        return _misfit("several", dict(content))
    return Grade(first.value, reason or first.reason, first.out_of)


_JSON_LABELS = (
    *SCORE_LABELS,
    *(f"{qualifier}{label}" for qualifier in ("overall", "final", "total") for label in SCORE_LABELS),
)
