"""Preferences between summaries, for readers: the systems by how often they are preferred."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Table, table_of
from pyramidion.show.wording import confidence_interval, listed, noted, number, percent
from pyramidion.studies.judgments.preferences import Preferences


def tables(preferences: Preferences) -> list[Table]:
    """One table: the systems by ability."""
    return [
        table_of(
            preferences.abilities,
            ("rank", "summarizer", "ability", "lower", "upper", "share", "win", "tie", "loss"),
            title=noted(f"Preferences, {preferences.confidence:g} % intervals", preferences.note),
            heads=2,
            sentences=preference_sentences(preferences),
            notes=("Davidson's model. Ability: log odds of being preferred to an average system.",),
        )
    ]


def preference_sentences(preferences: Preferences) -> Iterator[str]:
    """Which system is preferred most, which may be as good, and how many choices are ties."""
    best = preferences.abilities[0]
    ability = noted(number(best.ability), confidence_interval(preferences.confidence, best.lower, best.upper))
    yield (
        f"{best.summarizer} is preferred most: ability {ability}, preferred to an average system in "
        f"{percent(best.share)} of choices."
    )
    overlapping = [system.summarizer for system in preferences.overlapping_with_best()]
    if overlapping:
        yield f"Intervals that overlap with its own: {listed(overlapping)}."
    yield f"{percent(preferences.ties)} of the preferences are ties."


PREFERENCES = Presenter(tables=tables)
