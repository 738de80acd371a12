"""What the sections that study the evaluation itself share: words, commands to repeat, and scores made for them."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from pyramidion.campaign import Campaign
from pyramidion.engines.local import score_shards
from pyramidion.errors import UsageError
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.derived import Derived
from pyramidion.measures.registry import select, select_all
from pyramidion.reports.context import Context
from pyramidion.scores import ScoreTable

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CONFIDENCE = 95
MOST_NAMED = 4
"""Names that a sentence lists before it counts the rest."""


def in_words(number: int, *, none: str = "no") -> str:
    """A count as a sentence says it."""
    if not number:
        return none
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def number(value: float, digits: int = 2) -> str:
    """With a true minus sign."""
    return f"{value:.{digits}f}".replace("-", "−")


def percent(share: float) -> str:
    """`81 %`."""
    return f"{100 * share:.0f} %"


def counted(number: int, what: str) -> str:
    """`one topic`, `two topics`."""
    return f"{in_words(number)} {what}{'' if number == 1 else 's'}"


def capital(sentence: str) -> str:
    """With a capital letter in front."""
    return sentence[:1].upper() + sentence[1:]


def listed(names: Sequence[str], *, most: int = MOST_NAMED) -> str:
    """`a, b and c`, or the first few and how many more."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def notes_of(notes: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """What must be said with these measures, each note once with whom it is about."""
    about: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        if name in notes:
            about.setdefault(notes[name], []).append(name)
    return tuple(f"{capital(note)}: {listed(whom)}." for note, whom in about.items())


def command(
    context: Context, verb: str, measures: Sequence[str] = (), *options: str, with_confidence: bool = False
) -> str:
    """The command that gives the same numbers; what is the default anyway is left out."""
    parts = [verb, context.data]
    parts += [f"-m {shlex.quote(name)}" for name in measures]
    parts += options
    if context.peers != "systems":
        parts.append(f"--peers {context.peers}")
    if with_confidence and context.confidence != _CONFIDENCE:
        parts.append(f"--confidence {context.confidence:g}")
    if context.seed:
        parts.append(f"--seed {context.seed}")
    return " ".join(parts)


@contextmanager
def scoring_again() -> Iterator[None]:
    """Within, measures do not repeat what they said about the data when the report's table was scored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MeasureWarning)
        yield


def scores_of(context: Context, names: Sequence[str]) -> ScoreTable:
    """These columns: as far as the report's table has them from there, the others scored now."""
    there = set(context.table.measures)
    lacking = [name for name in names if name not in there]
    table = context.table.only(name for name in names if name in there)
    if not lacking:
        return table
    with scoring_again():
        scored = score_shards([campaign_of(context)], select_all(lacking), peers=context.peers, seed=context.seed)
    return table.join(scored)


def campaign_of(context: Context) -> Campaign:
    """The campaign with no other topics than those of the report's table."""
    return context.campaign.restricted(set(context.table.topics))


def is_derived(name: str) -> bool:
    """Whether a column is made of other columns; one of someone's own is not."""
    try:
        return isinstance(select(name).measure, Derived)
    except UsageError:
        return False
