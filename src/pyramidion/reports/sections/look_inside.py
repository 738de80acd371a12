"""Summaries side by side: the summaries of a topic side by side, with matched words, SCUs and scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pyramidion.campaign import Summary, TopicData
from pyramidion.measures import Rouge, select
from pyramidion.measures.names import parse
from pyramidion.present.section import Block, Section
from pyramidion.reports.context import Context
from pyramidion.reports.inside import LONGEST, shown, topic_inside
from pyramidion.show.characters import visible
from pyramidion.show.wording import number, shortened
from pyramidion.studies.comparison.overview import in_short

MOST_BYTES = 1_500_000
"""So much of the page may be taken by summaries; the topics that tell least are left out."""
MOST_PEERS = 60
"""So many summarizers of a topic can be chosen: of more, those evenly spread over the leaderboard."""
LONGEST_NAME = 60
_SIMULATED = {
    "simulated judgments": "The human scores are simulated.",
    "simulated texts and judgments": "The texts and human scores are simulated.",
}


class _Summaries:
    """The summaries that can be looked at, by topic, best summarizer first; what all topics share is looked up once."""

    def __init__(self, context: Context, main: str) -> None:
        self._context = context
        self._place = {one.summarizer: at for at, one in enumerate(context.comparison.leaderboard(main))}
        self._scored = set(context.table.summarizers)
        self._always = set(_compared(context, main) or ())
        self._topics: dict[str, TopicData] = {}

    def topic(self, topic: str) -> TopicData:
        """What the campaign holds about a topic."""
        if topic not in self._topics:
            self._topics[topic] = self._context.campaign.topic(topic, peers=self._context.evaluation.choice.peers)
        return self._topics[topic]

    def all(self, topic: str) -> list[Summary]:
        """The summaries of those who have scores."""
        return [one for one in self.topic(topic).peers if one.summarizer in self._scored]

    def shown(self, topic: str) -> list[Summary]:
        """Those that can be chosen: of very many, a spread and the two that the report leads with."""
        found = sorted(self.all(topic), key=lambda one: self._place.get(one.summarizer, len(self._place)))
        if len(found) <= MOST_PEERS:
            return found
        step = (len(found) - 1) / (MOST_PEERS - 1)
        kept = {found[round(at * step)].summarizer for at in range(MOST_PEERS)} | self._always
        return [one for one in found if one.summarizer in kept]


def make(context: Context) -> Section | None:
    """The section; None without summaries of the summarizers that have scores."""
    main = context.deciding
    rouge = _measure_to_look_at(context)
    summaries = _Summaries(context, main)
    scores = _scores(context, main, rouge)
    compared = _compared(context, main)
    inside: dict[str, dict[str, Any]] = {}
    taken = 0
    for topic, why in _telling(context, main, compared).items():
        if not summaries.all(topic):
            continue
        made = {"why": _name(why, 300), **_topic(context, summaries, topic, rouge, scores.get(topic, {}))}
        taken += len(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
        if inside and taken > MOST_BYTES:
            break
        inside[topic] = made
    if not inside:
        return None
    first = next(iter(inside))
    kept = [id for id in context.campaign.topic_ids if id in inside]
    topics = [inside[id] for id in kept]
    start = kept.index(first)
    who = [peer.summarizer for peer in summaries.shown(first)]
    chosen = _first_choice(who, compared)
    filters = context.filters(kept)
    data = {
        "measures": [[visible(name), _digits(context, name)] for name in _in_order(context, main, rouge)],
        "measure": rouge.name() if rouge else "",
        "higher": context.table.is_higher_better(main),
        "filters": filters,
        "start": [start, *chosen],
        "topics": topics,
    }
    view = shown(topics[start], chosen)
    return Section(
        id="look-inside",
        title="Summaries side by side",
        finding=_finding(context, who, chosen),
        invitation=_invitation(context, who, chosen),
        sentences=_sentences(topics[start], rouge),
        blocks=(
            Block(
                id="look-inside-view",
                template="look_inside.html",
                values={
                    "view": view,
                    "chosen": chosen,
                    "at": start,
                    "topics": topics,
                    "measures": data["measures"],
                    "filters": filters,
                },
                data=data,
            ),
        ),
        commands=_commands(context, first, who[chosen[0]], rouge),
        notes=_notes(context, summaries, kept, topics),
    )


def _finding(context: Context, who: Sequence[str], chosen: Sequence[int]) -> str:
    """Who is compared with whom."""
    names = [context.names[who[at]] for at in chosen]
    if len(names) < 2:
        return f"Summaries of {names[0]}, with the words that match the references"
    if len(context.table.topics) < 2:
        return f"{names[0]} and {names[1]}: summaries side by side"
    return f"Where {names[0]} and {names[1]} differ most"


def _invitation(context: Context, who: Sequence[str], chosen: Sequence[int]) -> str:
    names = [context.names[who[at]] for at in chosen]
    if len(names) < 2:
        return f"See the summaries of {names[0]}"
    return f"Compare the summaries of {names[0]} and {names[1]}"


def _measure_to_look_at(context: Context) -> Rouge | None:
    """The n-grams whose matches are marked: of the ROUGE-N that decides, else of ROUGE-2, else of another."""
    if not any(summary.kind == "model" for summary in context.campaign.summaries):
        return None
    asked = [
        found
        for name in context.automatic
        if parse(name).base.startswith("rouge-") and isinstance(found := select(name).measure, Rouge)
    ]
    decides = parse(context.deciding).base
    of_words = sorted(
        (one for one in asked if one.kind.family == "n"),
        key=lambda one: (parse(one.name()).base != decides, one.kind.parameter != 2),
    )
    default = select("rouge-2").measure
    return of_words[0] if of_words else default if isinstance(default, Rouge) else None


def _telling(context: Context, main: str, compared: tuple[str, str] | None) -> dict[str, str]:
    """By topic, why to look at it, the most telling first.

    First where the second of two systems loses most to the first, by turns with where it gains most.
    """
    matrix = context.table.matrix(main)
    if compared is None or not set(compared) <= set(matrix.summarizers):
        found = dict.fromkeys(matrix.topics, "no two systems can be compared here")
        found |= {topic: f"no scores on {main}" for topic in context.table.topics if topic not in found}
    else:
        first, second = (matrix.values[matrix.summarizers.index(who)] for who in compared)
        losses = first - second if matrix.higher_is_better else second - first
        order = [int(at) for at in np.argsort(-losses, kind="stable") if not np.isnan(losses[at])]
        ends = [order[at // 2] if at % 2 == 0 else order[-1 - at // 2] for at in range(len(order))]
        digits = context.comparison.digits(main)
        found = {matrix.topics[at]: _why(context, *compared, main, float(losses[at]), digits) for at in ends}
        found |= {topic: f"no scores of both on {main}" for topic in matrix.topics if topic not in found}
    known = set(context.campaign.topic_ids)
    return {topic: why for topic, why in found.items() if topic in known}


def _why(context: Context, first: str, second: str, main: str, loss: float, digits: int) -> str:
    a, b = context.names[first], context.names[second]
    if loss == 0:
        return f"{a} and {b} are equal on {in_short(main)}"
    better, worse = (a, b) if loss > 0 else (b, a)
    return f"{better} is better than {worse} by {number(abs(loss), digits)} on {in_short(main)}"


def _compared(context: Context, main: str) -> tuple[str, str] | None:
    """The two systems to start with, the better first: those that the report leads with, else the two best."""
    standings = context.comparison.leaderboard(main)
    ranks = {one.summarizer: one.rank for one in standings}
    if context.by_preferences and (preferred := _two_preferred(context)):
        return preferred
    if context.pair:
        first, second = sorted(context.pair, key=lambda who: ranks.get(who, math.inf))
        return first, second
    return (standings[0].summarizer, standings[1].summarizer) if len(standings) > 1 else None


def _two_preferred(context: Context) -> tuple[str, str] | None:
    """The two systems that preferences are about, or the two that are preferred most; None if there are no such."""
    preferred = context.preferred
    if preferred and preferred.pair:
        leader = preferred.leader
        return (leader, preferred.pair.b if leader == preferred.pair.a else preferred.pair.a)
    if preferred and preferred.ranking:
        first, second, *_ = preferred.ranking.abilities
        return first.summarizer, second.summarizer
    return (preferred.duels[0].a, preferred.duels[0].b) if preferred else None


def _topic(
    context: Context,
    summaries: _Summaries,
    id: str,
    rouge: Rouge | None,
    scores: Mapping[str, Sequence[float | None]],
) -> dict[str, Any]:
    topic, peers = summaries.topic(id), summaries.shown(id)
    names = {one.summarizer: _name(context.comparison.label(one.summarizer)) for one in (*topic.models, *peers)}
    return {
        "id": _name(id),
        "title": visible(topic.topic.title)[:200],
        "attributes": context.attributes.get(id, []),
        **topic_inside(topic, peers, measure=rouge, names=names, scores=scores),
    }


def _scores(context: Context, main: str, rouge: Rouge | None) -> dict[str, dict[str, list[float | None]]]:
    """By topic and summarizer, its scores in the order of the measures."""
    order = {name: at for at, name in enumerate(_in_order(context, main, rouge))}
    digits = [_digits(context, name) for name in order]
    digits[0] += 3  # the page subtracts these from each other
    found: dict[str, dict[str, list[float | None]]] = {}
    for topic, who, measure, value in context.table.frame.select("topic", "summarizer", "measure", "value").iter_rows():
        at = order[measure]
        row = found.setdefault(topic, {}).setdefault(who, [None] * len(order))
        row[at] = round(value, digits[at]) if math.isfinite(value) else None
    return found


def _in_order(context: Context, main: str, rouge: Rouge | None) -> list[str]:
    """All measures, first the two that are spoken of."""
    marked = [name for name in context.measures if rouge and name.rpartition(".")[0] == rouge.name()]
    return list(dict.fromkeys([main, *marked, *context.measures]))


def _digits(context: Context, measure: str) -> int:
    """As in the leaderboards."""
    return context.comparison.digits(measure) if measure in context.comparison.measures else 4


def _first_choice(who: Sequence[str], compared: tuple[str, str] | None) -> list[int]:
    """The two systems to start with, if both wrote about the topic; else the first two."""
    if compared and set(compared) <= set(who):
        return [who.index(one) for one in compared]
    return list(range(min(2, len(who))))


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


def _commands(context: Context, topic: str, who: str, rouge: Rouge | None) -> tuple[str, ...]:
    here = ("--topic", topic, "--summarizer", who)
    commands = [context.command("score")]
    if rouge:
        commands.append(context.evaluation.command("look", [rouge.name()], *here, chosen=False))
    if context.campaign.pyramids:
        commands.append(context.evaluation.command("pyramid show", (), *here, chosen=False))
    return tuple(commands)


def _notes(
    context: Context, summaries: _Summaries, kept: Sequence[str], topics: Sequence[dict[str, Any]]
) -> tuple[str, ...]:
    said = dict.fromkeys(context.table.notes[name] for name in context.measures if name in context.table.notes)
    notes = [
        _SIMULATED.get(note, f"Among the scores: {note}.")
        for note in said
        if not any(one.startswith(f"{note} and") for one in said)
    ]
    if set(context.table.topics) - set(kept):
        notes.append(
            f"Showing the {len(kept)} of {len(context.table.topics)} topics with the largest differences; "
            "`pyramidion look` shows the others."
        )
    if any(side["cut"] for topic in topics for side in (*topic["models"], *topic["peers"])):
        notes.append(f"Texts are cut off after {LONGEST:,} characters.")
    if any(len(summaries.all(id)) > MOST_PEERS for id in kept):
        notes.append(f"{MOST_PEERS} systems, spread over the leaderboard, can be chosen.")
    if any(len(summaries.topic(id).pyramids) > 1 for id in kept):
        notes.append("Where a topic has several pyramids, the SCUs of the first are shown.")
    return tuple(notes)
