"""Preferences between summaries, for readers: who is preferred to whom, by assessor, by position, and a ranking."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Table, table_of
from pyramidion.show.wording import confidence_interval, counted, listed, noted, number, p_in_words, percent
from pyramidion.studies.judgments.preferences import (
    BOOTSTRAP,
    Ability,
    PreferencePosition,
    Preferences,
    PreferenceShare,
)

_COUNTS = ("win", "tie", "loss")
_TEST = ("share", "lower", "upper", "p")
_SHOWN_PAIRS = 6
"""Pairs that have a sentence."""
FEW_TOPICS = 20
"""With fewer, limits of abilities by a bootstrap over topics are too narrow."""


def tables(preferences: Preferences) -> list[Table]:
    """Each pair of systems; the choices of each assessor; the positions; and the ranking, if there is one."""
    shown: list[Table] = []
    if preferences.pairs:
        shown.append(_pair_table(preferences))
    if preferences.assessors:
        shown.append(
            table_of(
                preferences.assessors,
                ("assessor", "a", "b", *_COUNTS, *_TEST, "p_adjusted"),
                title=f"By assessor, {preferences.confidence:g} % intervals",
                heads=3,
                sentences=_assessor_sentences(preferences),
            )
        )
    if preferences.positions:
        shown.append(
            table_of(
                preferences.positions,
                ("assessor", *_COUNTS, *_TEST, "both_orders", "flipped"),
                title=f"By position, {preferences.confidence:g} % intervals",
                heads=1,
                sentences=_position_sentences(preferences.positions[0]),
            )
        )
    if preferences.abilities:
        shown.append(_ranking_table(preferences))
    return shown


def _pair_table(preferences: Preferences) -> Table:
    return table_of(
        preferences.pairs,
        ("a", "b", *_COUNTS, "topics_won", "topics_tied", "topics_lost", *_TEST, "p_adjusted"),
        title=noted(f"Who is preferred to whom, {preferences.confidence:g} % intervals", preferences.note),
        heads=2,
        sentences=[_pair_sentence(pair) for pair in preferences.pairs[:_SHOWN_PAIRS]],
        notes=(
            "A topic counts once, for the system with more choices there. Share: of the topics that one of the two won "
            "(Clopper and Pearson's limits); p: exact sign test over topics.",
        ),
    )


def _pair_sentence(pair: PreferenceShare) -> str:
    """Who was preferred how often, and whether that is significant."""
    ties = f" and {counted(pair.tie, 'tie')}" if pair.tie else ""
    counts = f"{counted(pair.win, 'win')}, {counted(pair.loss, 'loss', 'losses')}{ties}"
    if pair.share is None or pair.p is None:
        return f"Undecided: {pair.a} and {pair.b} are equal, with {counts}."
    decided = pair.topics_won + pair.topics_lost
    share = f"preferred on {percent(pair.share)} of the {counted(decided, 'topic')} that one of the two won"
    test = f"{share} ({_limits(pair)}; sign test: {p_in_words(pair.p)})"
    is_significant = (pair.p if pair.p_adjusted is None else pair.p_adjusted) <= 1 - pair.confidence / 100
    if is_significant:
        verb = "is preferred to" if pair.topics_won > pair.topics_lost else "is less preferred than"
        return f"{pair.a} {verb} {pair.b}: {counts}; {test}."
    return f"Undecided: {pair.a} is not preferred to {pair.b} significantly more often: {counts}; {test}."


def _limits(row: PreferenceShare | PreferencePosition) -> str:
    return confidence_interval(row.confidence, row.lower, row.upper)


def _assessor_sentences(preferences: Preferences) -> Iterator[str]:
    """Which assessors choose the other system of a pair more often."""
    for pair in preferences.pairs[:_SHOWN_PAIRS]:
        turned = [share for share in preferences.assessors if (share.a, share.b) == (pair.b, pair.a)]
        against = [share.assessor for share in turned if share.topics_won > share.topics_lost and share.assessor]
        if against:
            yield f"Unlike all together, {listed(against)} preferred {pair.b} to {pair.a}."


def _position_sentences(position: PreferencePosition) -> Iterator[str]:
    """How often the first was preferred, and how often a choice changed with the order."""
    if position.share is None or position.p is None:
        yield "No topic has more choices of one position."
    else:
        decided = position.win + position.loss
        is_significant = position.p <= 1 - position.confidence / 100
        verdict = "The position matters" if is_significant else "No significant effect of the position"
        yield (
            f"{verdict}: the summary that was shown first won {position.win} of {counted(decided, 'choice')} that are "
            f"no ties, and was preferred on {percent(position.share)} of the topics with more choices of one position "
            f"({_limits(position)}; sign test: {p_in_words(position.p)})."
        )
    if position.flipped is not None:
        seen = "was" if position.both_orders == 1 else "were"
        yield (
            f"{counted(position.both_orders, 'pair')} of summaries {seen} shown in both orders; the choice changed "
            f"with the order in {position.flipped}."
        )


def _ranking_table(preferences: Preferences) -> Table:
    return table_of(
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


def preference_sentences(preferences: Preferences) -> Iterator[str]:
    """Which system is preferred most, from which ones it does not differ significantly, and how many are ties."""
    best = preferences.abilities[0]
    ability = noted(number(best.ability), confidence_interval(preferences.confidence, best.lower, best.upper))
    # The fit stops when nothing moves by more than rounding, so that equal systems are equal up to that.
    leaders = [row.summarizer for row in preferences.abilities if math.isclose(row.ability, best.ability, abs_tol=1e-6)]
    if len(leaders) > 1:
        yield f"{listed(leaders)} are preferred equally often: each {shares_of_choices(best)}; ability {ability}."
    else:
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
            "limits of a bootstrap over topics tend to be (in simulations with 8 topics, 95 % intervals contained the "
            "ability in 92 %)."
        )


def shares_of_choices(ability: Ability) -> str:
    """What became of the choices about a system: `won 36 %, lost 24 % and tied 40 % of 50 choices`."""
    won, lost, tied = (percent(count / ability.n) for count in (ability.win, ability.loss, ability.tie))
    return f"won {won}, lost {lost} and tied {tied} of {counted(ability.n, 'choice')}"


PREFERENCES = Presenter(tables=tables)
