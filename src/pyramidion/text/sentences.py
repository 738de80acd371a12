"""Sentences: a small rule-based splitter for texts that come as one line.

Sentences are slices: no character is changed, and what lies between two sentences is white space.
"""

from __future__ import annotations

import re
from typing import Final

# A name or a number follows: never the end of a sentence.
_TITLES: Final = """
    adm apr art aug brig capt cf cmdr col dec det dr e.g ed eq feb fig figs gen gov hon i.e insp jan jul jun lt maj mar
    messrs mlle mme mr mrs ms mt no nos nov oct op p pp pres prof rep reps rev sec sen sens sep sept sgt st supt treas
    viz vol vs
"""
# May end a sentence: only when a word follows that sentences often begin with.
_ABBREVIATIONS: Final = """
    a.d a.k.a a.m al approx assn ave b.c bldg blvd bros ca co corp dept dist est etc ext ft hrs hwy inc intl jr lb lbs
    ltd m.d mfg mi min mph mo oz p.m ph.d pl plc pvt rd repub sq sr u.k u.n u.s u.s.a univ yr yrs
"""
_STARTERS: Final = """
    a about after all also although an and another as at because before both but by despite during each even every few
    first for from he her here his how however i if in instead it its last later many meanwhile moreover most much my
    neither nevertheless next no none nor not now on once one only or other others our over people several she since so
    some soon still such that the their then there these they this those though three thus to today together two under
    until we what when where whether which while who why with yesterday yet you your
"""
TITLES: Final = frozenset(_TITLES.split())
ABBREVIATIONS: Final = frozenset(_ABBREVIATIONS.split())
STARTERS: Final = frozenset(_STARTERS.split())

_OPENERS = r"\"'“‘«‹„‚(\[{¿¡"
_CLOSERS = r"\"'”’»›)\]}"
# The end mark, what closes after it, and the gap before the next sentence. Marks of scripts without spaces need none.
_END = re.compile(rf"(?P<mark>[.!?…‽।۔؟]+)[{_CLOSERS}]*(?P<gap>\s+)|(?P<wide>[。！？｡]+)[{_CLOSERS}」』）]*\s*")
_LAST_WORD = re.compile(r"[^\s]*$")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, found by rules; see `sentence_spans`.

    >>> split_sentences('Mr. Lee paid $3.5 million. "Why?" he asked.')
    ['Mr. Lee paid $3.5 million.', '"Why?" he asked.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: (start, end), half open, without the white space around them.

    A line break always ends a sentence. Within a line a full stop, question or exclamation mark or ellipsis ends one
    when white space follows and the next word does not begin with a small letter, unless it belongs to a title, an
    abbreviation or an initial. A mark that stands alone between blanks, as in tokenised text, always ends one.
    """
    spans = []
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        for mark in _END.finditer(text, line.start(), line.end()):
            if mark["wide"] is not None or _ends_sentence(text, start, mark):
                spans.append((start, mark.end()))
                start = mark.end()
        spans.append((start, line.end()))
    trimmed = (_trim(text, start, end) for start, end in spans)
    return [(start, end) for start, end in trimmed if start < end]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without white space at its edges."""
    sentence = text[start:end]
    start += len(sentence) - len(sentence.lstrip())
    return start, start + len(sentence.strip())


def _ends_sentence(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a mark ends the sentence that starts at `start`."""
    rest = text[mark.end() : mark.end() + 40].lstrip(_OPENERS.replace("\\", ""))
    before = text[mark.start() - 1 : mark.start()] if mark.start() > start else ""
    # In tokenised text, "said Mr. Lee ." has the full stop of the sentence alone between blanks.
    if before.isspace() and len(mark["mark"]) == 1:
        return True
    if rest[:1].islower():
        return False
    if mark["mark"] != ".":
        return True
    match = _LAST_WORD.search(text, start, mark.start())
    word = match[0].lstrip(_OPENERS.replace("\\", "")) if match else ""
    return _full_stop_ends(word, rest)


def _full_stop_ends(word: str, rest: str) -> bool:
    """Whether the full stop after a word ends a sentence that goes on with `rest`."""
    lowered = word.lower()
    following = re.match(r"\w*", rest)
    starts_anew = following is not None and following[0].lower() in STARTERS
    if lowered in TITLES:
        # "No." and "P." before a number or a name; "He said no. The others …" ends.
        return lowered in ("no", "p", "mar", "art", "ed") and starts_anew
    if len(word) == 1 and word.isalpha():
        return word == "I" and starts_anew  # an initial
    if lowered in ABBREVIATIONS or re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", word):
        return starts_anew
    return True
