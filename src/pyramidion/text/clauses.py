"""Clauses: a small rule-based splitter of sentences, for units of content that are smaller than sentences.

Clauses are slices: no character is changed, and what lies between two of them is white space, a comma, a semicolon, a
colon or a dash.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from pyramidion.text.sentences import sentence_spans

# A clause may begin before these: with or without a comma before them, or (second list) only after a comma.
_OPENERS: Final = """
    although because but if though unless until when whereas whereby while and or who which whose whom after before
    since once
"""
_OPENERS_AFTER_COMMA: Final = "as for nor so then thus where with without yet that it he she they this these"
_PRONOUNS: Final = "i you he she it we they there that who what"
# Words that show that a piece has a predicate: auxiliaries, and past forms that do not end in -ed.
_PREDICATES: Final = """
    am is are was were be been being do does did has have had will would shall should can could may might must isn aren
    wasn weren doesn didn hasn haven hadn won wouldn shouldn couldn
    became began bore bought broke brought built burnt came caught chose cost cut dealt drank drew drove ate fell felt
    fought found fled flew forbade forgot froze gave got went grew heard held hid hit hurt kept knew laid led left lent
    let lit lost made meant met paid put quit ran rang read rode rose said sang sank sat saw sent set shook shot showed
    shut slept slid sold spent split spoke spread stood stole stuck struck sued swam swept swore swung taught thought
    threw told took tore understood withdrew woke won wore wrote says say tells calls makes takes gives gets goes comes
    shows becomes means needs wants keeps begins holds leads leaves lives plans seeks aims faces
"""
OPENERS: Final = frozenset(_OPENERS.split())
OPENERS_AFTER_COMMA: Final = frozenset(_OPENERS_AFTER_COMMA.split())
PREDICATES: Final = frozenset(_PREDICATES.split())
_SUBJECTS: Final = frozenset(_PRONOUNS.split())
SHORTEST: Final = 3
"""Words of a clause, at least."""

_WORD = re.compile(r"\w[\w'’\-]*")
_STRONG = re.compile(r"[;:](?=\s)|\s[–—-]{1,3}(?=\s)|—")
_COMMA = re.compile(r",[\"'”’]?(?=\s)")
_EDGE = re.compile(r"[\s,;:–—-]+")


def split_clauses(text: str) -> list[str]:
    """The clauses of a text, found by rules; see `clause_spans`.

    >>> split_clauses("The ferry sank at night, but nobody drowned because help came soon.")
    ['The ferry sank at night', 'but nobody drowned', 'because help came soon.']
    """
    return [text[start:end] for start, end in clause_spans(text)]


def clause_spans(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a text stand: (start, end), half open; every word is in exactly one of them.

    A sentence is cut after semicolons, colons and dashes, before conjunctions and relative pronouns, and after a comma
    before a participle. A piece stays with the one before it if it has fewer than three words or, unless a semicolon,
    colon or dash separates them, if one of the two has no predicate that the rules can see.
    """
    clauses: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        clauses += _clauses(text, start, end)
    return clauses


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses of one sentence, without separators at their edges."""
    cuts = _find_cuts(text, start, end)
    clauses: list[tuple[int, int]] = []
    for begin, stop in pairwise([start, *cuts, end]):
        if clauses and not _are_separate(text, clauses[-1], (begin, stop), strong=cuts.get(begin, False)):
            clauses[-1] = (clauses[-1][0], stop)
        else:
            clauses.append((begin, stop))
    trimmed = (_trim(text, *clause, last=clause[1] == end) for clause in clauses)
    return [(begin, stop) for begin, stop in trimmed if _WORD.search(text, begin, stop)]


def _find_cuts(text: str, start: int, end: int) -> dict[int, bool]:
    """Where a clause may begin within a sentence, in order, and whether a strong mark says so."""
    cuts = {mark.end(): True for mark in _STRONG.finditer(text, start, end)}
    after_comma = {mark.end() for mark in _COMMA.finditer(text, start, end)}
    for word in _WORD.finditer(text, start, end):
        before = start + len(text[start : word.start()].rstrip())
        lowered = word[0].lower()
        opens_after_comma = lowered in OPENERS_AFTER_COMMA or _is_participle(lowered)
        opens = lowered in OPENERS or (opens_after_comma and before in after_comma)
        is_inside = before > start
        if opens and is_inside:
            # A strong mark at the same place stays strong.
            cuts.setdefault(before, False)
    return dict(sorted(cuts.items()))


def _are_separate(text: str, first: tuple[int, int], second: tuple[int, int], *, strong: bool) -> bool:
    """Whether two neighbouring pieces of a sentence are two clauses; else the second belongs to the first."""
    first_words, second_words = _WORD.findall(text, *first), _WORD.findall(text, *second)
    if len(first_words) < SHORTEST or len(second_words) < SHORTEST:
        return False
    if strong:
        return True
    return any(map(_is_predicate, first_words)) and any(map(_is_predicate, second_words))


def _is_predicate(word: str) -> bool:
    """Whether a word may be, or stand for, the verb of a clause."""
    lowered = word.lower()
    stem = re.split(r"['’]", lowered)[0]
    if stem != lowered and stem in _SUBJECTS:  # it's, they've
        return True
    is_past_form = stem.endswith("ed") and len(stem) > 4
    return is_past_form or stem in PREDICATES or _is_participle(stem)


def _is_participle(word: str) -> bool:
    """Whether a word looks like a present participle; short words such as "king" do not."""
    return word.endswith("ing") and len(word) > 5


def _trim(text: str, start: int, end: int, *, last: bool) -> tuple[int, int]:
    """Without separators at the edges; the mark that ends the sentence stays."""
    leading = _EDGE.match(text, start, end)
    if leading:
        start = leading.end()
    while not last and end > start and _EDGE.fullmatch(text[end - 1]):
        end -= 1
    return start, end
