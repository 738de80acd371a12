"""Re-attaching punctuation that stands alone, as tokenised texts have it, so that a parser sees ordinary English.

In DUC 2006 the texts of System 17 had punctuation as separate tokens, which broke the splitting into sentences and cost
the system nearly all of its Basic Elements (Dang 2006, footnote 2).
"""

from __future__ import annotations

import re

_NAMED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_NAMED_TOKEN = re.compile(r"(?<!\S)-[LRlr][RSCrsc][Bb]-(?!\S)")
_OPENING_QUOTE = re.compile(r"(?<!\S)``\s*")
_CLOSING_QUOTE = re.compile(r"\s*''(?!\w)")
# n't, 's and the like belong to the word before them.
_CLITIC = re.compile(r"(?<=\w)\s+(n['’]t|['’](?:s|re|ve|ll|d|m))(?!\w)", re.IGNORECASE)
# What closes or ends: to the left. A full stop before a digit (.5) is no mark.
_CLOSING = re.compile(r"\s+([,;:!?%)\]}”»…]+|\.+)(?=[\s,;:.!?%)\]}\"'”’»…]|$)")
_OPENING = re.compile(r"([(\[{“«]|(?<!\S)[$£€#])\s+(?=\S)")
_LONE_QUOTE = re.compile(r'(?<!\S)(["\'])(?!\S)')


def reattach_punctuation(sentence: str) -> str:
    r"""The sentence with detached marks, brackets, quotes and clitics re-attached, and single blanks between words.

    >>> reattach_punctuation("The ferry , they say , did n't burn ( `` not once '' ) .")
    'The ferry, they say, didn\'t burn ("not once").'
    """
    sentence = _NAMED_TOKEN.sub(lambda match: _NAMED[match[0].upper()], " ".join(sentence.split()))
    sentence = _OPENING_QUOTE.sub('"', sentence)
    sentence = _CLOSING_QUOTE.sub('"', sentence) if '"' in sentence else sentence
    sentence = _CLITIC.sub(r"\1", sentence)
    sentence = _CLOSING.sub(r"\1", sentence)
    sentence = _OPENING.sub(r"\1", sentence)
    return _attach_lone_quotes(sentence)


def _attach_lone_quotes(sentence: str) -> str:
    """Quotes that stand alone open and close in turn; an apostrophe after an s is a possessive (`workers ' rights`)."""
    parts: list[str] = []
    start = 0
    is_open = {'"': False, "'": False}
    glue = False
    for quote in _LONE_QUOTE.finditer(sentence):
        before = sentence[start : quote.start()]
        if glue:
            before = before.lstrip()
        parts.append(before)
        mark = quote[1]
        closes = is_open[mark]
        possessive = mark == "'" and not closes and before.rstrip().endswith(("s", "S")) and bool(before.strip())
        if closes or possessive:
            parts[-1] = parts[-1].rstrip()
        parts.append(mark)
        glue = not closes and not possessive
        if not possessive:
            is_open[mark] = not closes
        start = quote.end()
    rest = sentence[start:]
    if glue:
        rest = rest.lstrip()
    return "".join([*parts, rest])
