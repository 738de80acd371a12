"""What preferences say about the systems of a report, in words: the headline, how often who was chosen, the counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pyramidion.options import PreferenceOptions
from pyramidion.present.context import SectionContext
from pyramidion.present.judgments.preferences import shares_of_choices
from pyramidion.present.section import Section
from pyramidion.show.tables import Column, Table, columns_of
from pyramidion.show.wording import confidence_interval, counted, noted, number, p_in_words
from pyramidion.studies.judgments.preferences import Preferences, PreferredPair
from pyramidion.studies.preferred import Preferred

Label = Callable[[str], str]
"""How a system is called: `oracle (16)`."""


def preferred_headline(preferred: Preferred, label: Label) -> str:
    """Who is preferred, in one line."""
    if preferred.pair:
        return _pair_headline(preferred.pair, label)
    lead = f"{label(preferred.leader)} is preferred most"
    rivals = sorted(preferred.systems - {preferred.leader})
    if not preferred.ranking:
        won = sum(duel.better == preferred.leader for duel in preferred.duels)
        return f"{lead}, significantly more often than {won} of {counted(len(rivals), 'other')}"
    preferred_to = sum(preferred.is_preferred_to(rival) for rival in rivals)
    if preferred_to == len(rivals):
        return f"{lead}, significantly more than every other system"
    if not preferred_to:
        return f"{lead}, but not significantly more than any other system"
    return f"{lead}, significantly more than {preferred_to} of {counted(len(rivals), 'other')}"


def _pair_headline(pair: PreferredPair, label: Label) -> str:
    a, b = label(pair.a), label(pair.b)
    if not pair.better:
        return f"Undecided: neither {a} nor {b} is preferred significantly more often"
    better, worse = (a, b) if pair.better == pair.a else (b, a)
    return f"{better} is preferred to {worse}"


def preferred_sentences(preferred: Preferred, label: Label) -> list[str]:
    """How often who was preferred, and the test."""
    if preferred.pair:
        return [_pair_sentence(preferred.pair, preferred.topics, label)]
    if preferred.ranking:
        return [_ranking_sentence(preferred.ranking, preferred)]
    choices = sum(duel.win + duel.tie + duel.loss for duel in preferred.duels)
    won = sum(duel.win for duel in preferred.duels)
    return [
        f"{label(preferred.leader)} was chosen in {won} of {counted(choices, 'choice')}. Some are always, or never, "
        "preferred, so no model fits: sign tests over topics, with Holm's correction for all pairs."
    ]


def _pair_sentence(pair: PreferredPair, topics: int, label: Label) -> str:
    choices = pair.win + pair.tie + pair.loss
    ties = f" ({counted(pair.tie, 'tie')})" if pair.tie else ""
    test = f"sign test over {counted(topics, 'topic')}: {p_in_words(pair.p)}"
    return (
        f"{label(pair.a)} was chosen {counted(pair.win, 'time')} and {label(pair.b)} "
        f"{counted(pair.loss, 'time')} in {counted(choices, 'choice')}{ties}; {test}."
    )


def _ranking_sentence(ranking: Preferences, preferred: Preferred) -> str:
    best = ranking.abilities[0]
    limits = confidence_interval(ranking.confidence, best.lower, best.upper)
    return (
        f"It {shares_of_choices(best)}; its ability is {noted(number(best.ability), limits)}. In all, there are "
        f"{counted(len(preferred.counting), 'choice')} on {counted(preferred.topics, 'topic')}."
    )


def preferred_tables(preferred: Preferred, label: Label) -> list[Table]:
    """The counts of a pair, or the ranking, or the leader against each other system."""
    if preferred.ranking:
        return [replace(table, sentences=()) for table in preferred.ranking.tables()]
    if preferred.pair:
        return [_pair_table(preferred.pair, label)]
    return [_duel_table(preferred, label)]


def preferences_section(preferred: Preferred, context: SectionContext, options: PreferenceOptions) -> Section:
    """Who is preferred to whom, where something else decides."""
    label = context.comparison.label
    return Section(
        id="preferences",
        title="Preferences" if preferred.kind == "preferences" else "Preferences of judges",
        finding=preferred_headline(preferred, label),
        sentences=tuple(preferred_sentences(preferred, label)),
        blocks=tuple(preferred_tables(preferred, label)),
        commands=(context.command_line("judgments preferences", options=options),),
    )


def _pair_table(pair: PreferredPair, label: Label) -> Table:
    return Table(
        record="preference",
        title="Preferences",
        columns=columns_of(
            Column("what", "counted"),
            Column("a", f"for {label(pair.a)}"),
            Column("tie", "ties"),
            Column("b", f"for {label(pair.b)}"),
        ),
        rows=[
            ["choices", pair.win, pair.tie, pair.loss],
            ["topics", pair.topics_won, pair.topics_tied, pair.topics_lost],
        ],
        notes=("A topic counts once, for the system with more choices there.",),
        about="preferences",
    )


def _duel_table(preferred: Preferred, label: Label) -> Table:
    leader = label(preferred.leader)
    return Table(
        record="preference",
        title=f"Choices between {leader} and each other system",
        columns=columns_of(
            Column("b", "other system"),
            Column("win", f"for {leader}"),
            Column("tie", "ties"),
            Column("loss", "for the other"),
            Column("p", "p adjusted", 3),
        ),
        rows=[[label(duel.b), duel.win, duel.tie, duel.loss, duel.p] for duel in preferred.duels],
        notes=("Sign tests over topics, with Holm's correction for all pairs.",),
        about="preferences",
    )
