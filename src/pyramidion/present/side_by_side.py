"""Summaries side by side: the summaries of a topic with matched words, SCUs and scores, as a section of a report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.measures import Rouge
from pyramidion.measures.names import short_name
from pyramidion.options import PeerChoice
from pyramidion.present.context import SectionContext
from pyramidion.present.section import Block, Section
from pyramidion.show.tables import Column, table_of
from pyramidion.show.wording import capital, number, shortened, visible
from pyramidion.studies.side_by_side import (
    LONGEST,
    MOST_PEERS,
    ShownSummaries,
    TopicDifference,
    TopicLoss,
    describe_topic,
    order_by_loss,
    rouge_to_mark,
    scores_by_topic,
    systems_to_compare,
    topic_differences,
    view_of,
)

MOST_BYTES = 1_500_000
"""So much of the page may be taken by summaries; the topics that tell least are left out."""
LONGEST_NAME = 60
MOST_TOPICS_LISTED = 400
"""Topics of the list of all differences between two systems."""
_SIMULATED = {
    "simulated judgments": "The human scores are simulated.",
    "simulated texts and judgments": "The texts and human scores are simulated.",
}


def side_by_side_section(context: SectionContext, *, peers: PeerChoice) -> Section | None:
    """The summaries of the topics that tell most; None without summaries of the summarizers that have scores.

    Args:
        context: what sections share.
        peers: whose summaries are evaluated.
    """
    measure = context.roles.deciding
    rouge = rouge_to_mark(context.campaign, context.roles.automatic, measure)
    systems = _systems(context)
    ranked = [standing.summarizer for standing in context.comparison.leaderboard(measure)]
    scored = context.table.summarizers
    summaries = ShownSummaries(context.campaign, ranked=ranked, scored=scored, always=systems or (), peers=peers)
    described = _describe_topics(context, summaries, systems, rouge)
    if not described:
        return None
    first = next(iter(described))
    kept = [topic for topic in context.campaign.topic_ids if topic in described]
    topics = [described[topic] for topic in kept]
    start = kept.index(first)
    shown_systems = [summary.summarizer for summary in summaries.of_shown(first)]
    chosen = _first_choice(shown_systems, systems)
    names = [context.names[shown_systems[place]] for place in chosen]
    filters = context.filters(kept)
    measures = [[visible(name), _digits(context, name)] for name in _measures_in_order(context, rouge)]
    return Section(
        id="look-inside",
        title="Summaries side by side",
        finding=_headline(context, names),
        invitation=_invitation(names),
        sentences=_sentences(topics[start], rouge),
        blocks=(
            Block(
                id="look-inside-view",
                template="look_inside.html",
                values={
                    "view": view_of(topics[start], chosen),
                    "chosen": chosen,
                    "at": start,
                    "topics": topics,
                    "measures": measures,
                    "filters": filters,
                },
                data={
                    "measures": measures,
                    "measure": rouge.name() if rouge else "",
                    "higher": context.table.is_higher_better(measure),
                    "filters": filters,
                    "start": [start, *chosen],
                    "topics": topics,
                },
            ),
        ),
        commands=_commands(context, first, shown_systems[chosen[0]], rouge),
        notes=_notes(context, summaries, kept, topics),
        parts=_every_topic(context, systems),
    )


def _every_topic(context: SectionContext, systems: tuple[str, str] | None) -> tuple[Section, ...]:
    """All topics of the two systems: who is better where, and by how much; each leads to the texts."""
    measure = context.roles.deciding
    matrix = context.table.matrix(measure)
    if systems is None or not set(systems) <= set(matrix.summarizers):
        return ()
    rows = topic_differences(matrix, systems)
    if len(rows) < 2:
        return ()
    first, second = (context.names[system] for system in systems)
    wins = sum(row.difference > 0 for row in rows)
    losses = sum(row.difference < 0 for row in rows)
    notes = []
    shown = rows
    if len(rows) > MOST_TOPICS_LISTED:
        half = MOST_TOPICS_LISTED // 2
        shown = [*rows[:half], *rows[-half:]]
        notes.append(f"The {half} topics with the largest leads of either; {len(rows) - len(shown):,} others left out.")
    digits = context.comparison.digits(measure)
    lengths = [context.lengths.get(system, {}) for system in systems]

    def name_better(row: TopicDifference) -> str:
        if not row.difference:
            return "equal"
        return first if row.difference > 0 else second

    def more_words(row: TopicDifference) -> int | None:
        words = [by_topic.get(row.topic) for by_topic in lengths]
        return None if words[0] is None or words[1] is None else round(words[0] - words[1])

    table = table_of(
        shown,
        (
            Column("topic", of=lambda row: _name(row.topic)),
            Column("better", of=name_better),
            Column("first", first, digits=digits),
            Column("second", second, digits=digits),
            Column("difference", digits=digits),
            Column("words", "difference in words", of=more_words),
        ),
        record="score",
        title=f"{capital(short_name(measure))} on every topic; a difference above 0 is better for {first}",
        notes=notes,
        about="topics",
    )
    equal = f", equal on {len(rows) - wins - losses}" if wins + losses < len(rows) else ""
    return (
        Section(
            id="look-inside-topics",
            title="Every topic",
            sentences=(f"{first} is better on {wins} of {len(rows):,} topics, {second} on {losses}{equal}.",),
            blocks=(table,),
        ),
    )


def _systems(context: SectionContext) -> tuple[str, str] | None:
    """The two systems to start with."""
    preferred = context.preferred if context.roles.is_decided_by_preferences else None
    return systems_to_compare(context.comparison, context.roles.deciding, context.pair, preferred)


def _describe_topics(
    context: SectionContext, summaries: ShownSummaries, systems: tuple[str, str] | None, rouge: Rouge | None
) -> dict[str, dict[str, Any]]:
    """By topic, what the page shows, the most telling first; as many as the page has room for."""
    measures = _measures_in_order(context, rouge)
    digits = [_digits(context, measure) for measure in measures]
    # The first is the measure that decides: differences of rounded numbers would show zeros.
    digits[0] += 3  # the page subtracts these from each other
    scores = scores_by_topic(context.table, measures, digits)
    described: dict[str, dict[str, Any]] = {}
    size_bytes = 0
    for topic, reason in _topics_with_reasons(context, systems).items():
        if not summaries.of_scored(topic):
            continue
        data = {"why": _name(reason, 300), **_describe(context, summaries, topic, rouge, scores.get(topic, {}))}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        size_bytes += len(text.encode("utf-8", "replace"))
        # The first topic is always there, however long its texts are.
        if described and size_bytes > MOST_BYTES:
            break
        described[topic] = data
    return described


def _describe(
    context: SectionContext,
    summaries: ShownSummaries,
    topic: str,
    rouge: Rouge | None,
    scores: Mapping[str, Sequence[float | None]],
) -> dict[str, Any]:
    data, peers = summaries.topic(topic), summaries.of_shown(topic)
    summarizers = [summary.summarizer for summary in (*data.models, *peers)]
    names = {summarizer: _name(context.comparison.label(summarizer)) for summarizer in summarizers}
    return {
        "id": _name(topic),
        "title": visible(data.topic.title)[:200],
        "attributes": context.attributes.get(topic, []),
        **describe_topic(data, peers, measure=rouge, names=names, scores=scores),
    }


def _headline(context: SectionContext, names: Sequence[str]) -> str:
    """Who is compared with whom."""
    if len(names) < 2:
        return f"Summaries of {names[0]}, with the words that match the references"
    if len(context.table.topics) < 2:
        return f"{names[0]} and {names[1]}: summaries side by side"
    return f"Where {names[0]} and {names[1]} differ most"


def _invitation(names: Sequence[str]) -> str:
    if len(names) < 2:
        return f"See the summaries of {names[0]}"
    return f"Compare the summaries of {names[0]} and {names[1]}"


def _topics_with_reasons(context: SectionContext, systems: tuple[str, str] | None) -> dict[str, str]:
    """By topic, why to look at it, the most telling first."""
    measure = context.roles.deciding
    matrix = context.table.matrix(measure)
    if systems is None or not set(systems) <= set(matrix.summarizers):
        reasons = dict.fromkeys(matrix.topics, "no two systems can be compared here")
        unscored = [topic for topic in context.table.topics if topic not in reasons]
        reasons |= dict.fromkeys(unscored, f"no scores on {measure}")
    else:
        digits = context.comparison.digits(measure)  # looked up once: a campaign may have thousands of topics
        losses = order_by_loss(matrix, systems)
        reasons = {topic_loss.topic: _reason(context, systems, topic_loss, digits) for topic_loss in losses}
    known_topics = set(context.campaign.topic_ids)
    return {topic: reason for topic, reason in reasons.items() if topic in known_topics}


def _reason(context: SectionContext, systems: tuple[str, str], topic_loss: TopicLoss, digits: int) -> str:
    """By how much one system is better than the other on a topic."""
    measure, loss = context.roles.deciding, topic_loss.loss
    if loss is None:
        return f"no scores of both on {measure}"
    first, second = (context.names[system] for system in systems)
    if loss == 0:
        return f"{first} and {second} are equal on {short_name(measure)}"
    better, worse = (first, second) if loss > 0 else (second, first)
    size = number(abs(loss), digits)
    return f"{better} is better than {worse} by {size} on {short_name(measure)}"


def _measures_in_order(context: SectionContext, rouge: Rouge | None) -> list[str]:
    """All measures, first the two that are spoken of."""
    measures = context.roles.measures
    marked = [name for name in measures if rouge and name.rpartition(".")[0] == rouge.name()]
    return list(dict.fromkeys([context.roles.deciding, *marked, *measures]))


def _digits(context: SectionContext, measure: str) -> int:
    """As in the leaderboards."""
    return context.comparison.digits(measure) if measure in context.comparison.measures else 4


def _first_choice(shown_systems: Sequence[str], systems: tuple[str, str] | None) -> list[int]:
    """The places of the two systems to start with, if both wrote about the topic; else of the first two."""
    if systems and set(systems) <= set(shown_systems):
        return [shown_systems.index(system) for system in systems]
    return list(range(min(2, len(shown_systems))))


def _name(text: str, longest: int = LONGEST_NAME) -> str:
    return shortened(visible(text), longest)


def _sentences(topic: dict[str, Any], rouge: Rouge | None) -> tuple[str, ...]:
    sentences = []
    if rouge and topic["models"]:
        sentences.append(
            f"Shaded: words that match a reference ({rouge.name()}); the darker, the more texts share them."
        )
    if topic["scus"]:
        sentences.append("Underlined: words that express an SCU; choose one in the list to see everywhere it occurs.")
    return tuple(sentences)


def _commands(context: SectionContext, topic: str, summarizer: str, rouge: Rouge | None) -> tuple[str, ...]:
    words = ("--topic", topic, "--summarizer", summarizer)
    commands = [context.command("score")]
    if rouge:
        commands.append(context.command_line("look", [rouge.name()], *words, chosen=False))
    if context.campaign.pyramids:
        commands.append(context.command_line("pyramid show", (), *words, chosen=False))
    return tuple(commands)


def _notes(
    context: SectionContext, summaries: ShownSummaries, kept: Sequence[str], topics: Sequence[dict[str, Any]]
) -> tuple[str, ...]:
    """What is simulated, what is left out, and what is cut."""
    notes = _notes_on_scores(context)
    total = len(context.table.topics)
    if set(context.table.topics) - set(kept):
        notes.append(
            f"Showing the {len(kept)} of {total} topics with the largest differences; `pyramidion look` shows the "
            "others."
        )
    sides = [side for topic in topics for side in (*topic["models"], *topic["peers"])]
    if context.campaign.has_runs:
        notes.append("Of a system with several outputs for a topic, the first is shown; scores are means over all.")
    if any(side.get("cut") for side in sides):
        notes.append(f"Texts are cut off after {LONGEST:,} characters.")
    if any(len(summaries.of_scored(topic)) > MOST_PEERS for topic in kept):
        notes.append(f"{MOST_PEERS} systems, spread over the leaderboard, can be chosen.")
    if any(len(summaries.topic(topic).pyramids) > 1 for topic in kept):
        notes.append("Where a topic has several pyramids, the SCUs of the first are shown.")
    return tuple(notes)


def _notes_on_scores(context: SectionContext) -> list[str]:
    """What one must know about the scores; not "simulated judgments" where texts are simulated as well."""
    measures = [measure for measure in context.roles.measures if measure in context.notes]
    notes = list(dict.fromkeys(context.notes[measure] for measure in measures))
    sentences = []
    for note in notes:
        is_part_of_other = any(other.startswith(f"{note} and") for other in notes)
        if not is_part_of_other:
            sentences.append(_SIMULATED.get(note, f"Among the scores: {note}."))
    return sentences
