"""Preferences between summaries, for readers: the systems by how often they are preferred."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Table, table_of
from pyramidion.show.wording import confidence_interval, counted, listed, noted, number, percent
from pyramidion.studies.judgments.preferences import BOOTSTRAP, Ability, Preferences

FEW_TOPICS = 20
"""With fewer, limits of abilities by a bootstrap over topics are too narrow."""


def tables(preferences: Preferences) -> list[Table]:
    """One table: the systems by ability."""
    return [
        table_of(
            preferences.abilities,
            ("rank", "summarizer", "ability", "lower", "upper", "share", "win", "tie", "loss", "p_from_best"),
            title=noted(f"Preferences, {preferences.confidence:g} % intervals", preferences.note),
            heads=2,
            sentences=preference_sentences(preferences),
            notes=(
                "Davidson's model. Ability: log odds of being preferred to an average system, from which the expected "
                "share of wins follows if ties are left out. p: difference from the most preferred system, with Holm's "
                "correction for all pairs.",
            ),
        )
    ]


def preference_sentences(preferences: Preferences) -> Iterator[str]:
    """Which system is preferred most, from which ones it does not differ significantly, and how many are ties."""
    best = preferences.abilities[0]
    ability = noted(number(best.ability), confidence_interval(preferences.confidence, best.lower, best.upper))
    yield f"{best.summarizer} is preferred most: it {shares_of_choices(best)}; ability {ability}."
    undecided = [ability.summarizer for ability in preferences.undecided_from_best()]
    if undecided:
        yield f"Not significantly less preferred (Holm-corrected): {listed(undecided)}."
    else:
        yield "Every other system is significantly less preferred (Holm-corrected)."
    yield f"{percent(preferences.ties)} of the preferences are ties."
    if best.method == BOOTSTRAP and preferences.topics < FEW_TOPICS:
        yield (
            f"With {counted(preferences.topics, 'topic')} the limits may be too narrow: with fewer than {FEW_TOPICS}, "
            "95 % intervals of a bootstrap over topics contained the ability in 86 to 95 % of simulated campaigns."
        )


def shares_of_choices(ability: Ability) -> str:
    """What became of the choices about a system: `won 36 %, lost 24 % and tied 40 % of 50 choices`."""
    won, lost, tied = (percent(count / ability.n) for count in (ability.win, ability.loss, ability.tie))
    return f"won {won}, lost {lost} and tied {tied} of {counted(ability.n, 'choice')}"


PREFERENCES = Presenter(tables=tables)
