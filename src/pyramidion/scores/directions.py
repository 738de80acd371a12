"""Measures of which low values are good, by their names, where tables do not say so: `hallucinations`, `error_rate`."""

from __future__ import annotations

import re
from dataclasses import replace

from pyramidion.scores.table import ScoreTable

_WORD = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-ZÄÖÜ]+")
LOW_IS_GOOD = frozenset(
    {
        *(
            "hallucination",
            "hallucinations",
            "error",
            "errors",
            "mistake",
            "mistakes",
            "contradiction",
            "contradictions",
        ),
        *("wer", "cer", "perplexity", "ppl", "toxicity", "violations", "fehler", "fehlerzahl", "fehlerquote"),
    }
)
"""Words in the names of measures that count what is wrong."""
_TURNED = frozenset({"no", "free", "without", "absence", "lack", "avoidance", "ohne", "freiheit", "non", "score"})
"""Words with which high values may be good again: `hallucination_free`, or a score of unknown direction."""


def counts_faults(name: str) -> bool:
    """Whether the name of a measure says that low values are good.

    >>> [counts_faults(name) for name in ("error_rate", "hallucinations", "hallucination_free", "terse")]
    [True, True, False, False]
    """
    words = {word.lower() for word in _WORD.findall(name)}
    return not words.isdisjoint(LOW_IS_GOOD) and words.isdisjoint(_TURNED)


def add_directions(table: ScoreTable) -> ScoreTable:
    """The table, with the direction of measures whose names say that low values are good."""
    lower = {name: False for name in table.measures if counts_faults(name)}
    if not lower:
        return table
    return replace(table, higher_is_better=lower | dict(table.higher_is_better))
