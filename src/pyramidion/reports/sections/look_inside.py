"""Summaries side by side: the summaries of a topic side by side, with matched words, SCUs and scores."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from pyramidion.campaign import Summary
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.measures.rouge import Rouge
from pyramidion.reports.characters import visible
from pyramidion.reports.context import Context
from pyramidion.reports.inside import LONGEST, shown, topic_inside
from pyramidion.reports.section import Block, Section
from pyramidion.scores import ScoreMatrix
from pyramidion.studies.informative_topics import InformativeTopic, informative_topics
from pyramidion.wording import shortened

MOST_BYTES = 2_000_000
"""So much of the page may be taken by summaries; the topics that tell least are left out."""
MOST_PEERS = 60
"""So many summarizers of a topic can be chosen: of more, those evenly spread over the leaderboard."""
LONGEST_NAME = 60


def make(context: Context) -> Section | None:
    """The section; None without summaries of the summarizers that have scores."""
    main, other = _measures_to_order_by(context)
    rouge = _measure_to_look_at(context)
    telling = [one for one in _telling(context, main, other) if _peers(context, one.topic, main)]
    if not telling:
        return None
    inside: dict[str, dict[str, Any]] = {}
    taken = 0
    for one in telling:
        made = _topic(context, one, main, rouge)
        taken += len(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
        if inside and taken > MOST_BYTES:
            break
        inside[one.topic] = made
    kept = [id for id in context.campaign.topic_ids if id in inside]
    topics = [inside[id] for id in kept]
    start = kept.index(telling[0].topic)
    who = [peer.summarizer for peer in _peers(context, telling[0].topic, main)]
    chosen = _first_choice(context, telling[0].topic, who, main)
    data = {
        "measures": [[visible(name), _digits(context, name)] for name in _in_order(context, main, rouge)],
        "measure": rouge.name() if rouge else "",
        "start": [start, *chosen],
        "topics": topics,
    }
    view = shown(topics[start], chosen)
    return Section(
        id="look-inside",
        title="Summaries side by side",
        sentences=_sentences(topics[start], rouge),
        blocks=(
            Block(
                id="look-inside-view",
                template="look_inside.html",
                values={"view": view, "chosen": chosen, "at": start, "topics": topics, "measures": data["measures"]},
                data=data,
            ),
        ),
        commands=_commands(context, telling[0].topic, who[chosen[0]], rouge),
        notes=_notes(context, kept, topics),
    )


def _measures_to_order_by(context: Context) -> tuple[str, str | None]:
    """The measure that says who is best, and another one that may not agree: one of people, one of a program."""
    automatic = [name for name in context.automatic if parse(name).base == "rouge-2"] or list(context.automatic)
    main = context.reference or automatic[0]
    return main, next((name for name in automatic if name != main), None)


def _measure_to_look_at(context: Context) -> Rouge | None:
    """The n-grams whose matches are marked: those of ROUGE-2 if it was asked for, else of another ROUGE-N."""
    if not any(summary.kind == "model" for summary in context.campaign.summaries):
        return None
    asked = [
        found
        for name in context.automatic
        if parse(name).base.startswith("rouge-") and isinstance(found := select(name).measure, Rouge)
    ]
    of_words = sorted((one for one in asked if one.kind.family == "n"), key=lambda one: one.kind.parameter != 2)
    default = select("rouge-2").measure
    return of_words[0] if of_words else default if isinstance(default, Rouge) else None


def _telling(context: Context, main: str, other: str | None) -> list[InformativeTopic]:
    known = set(context.campaign.topic_ids)
    found = informative_topics(context.table.matrix(main), context.table.matrix(other) if other else None)
    rest = [topic for topic in context.table.topics if topic not in {one.topic for one in found}]
    unscored = [InformativeTopic(topic=topic, why=f"no scores on {main}") for topic in rest]
    return [one for one in (*found, *unscored) if one.topic in known]


def _peers(context: Context, topic: str, main: str) -> list[Summary]:
    """The summaries of a topic that can be chosen, by the leaderboard; of very many, a spread."""
    place = {standing.summarizer: at for at, standing in enumerate(context.comparison.leaderboard(main))}
    found = sorted(_all_peers(context, topic), key=lambda one: place.get(one.summarizer, len(place)))
    if len(found) <= MOST_PEERS:
        return found
    step = (len(found) - 1) / (MOST_PEERS - 1)
    return [found[round(at * step)] for at in range(MOST_PEERS)]


def _all_peers(context: Context, topic: str) -> list[Summary]:
    scored = set(context.table.summarizers)
    return [
        one
        for one in context.campaign.topic(topic, peers=context.evaluation.choice.peers).peers
        if one.summarizer in scored
    ]


def _topic(context: Context, telling: InformativeTopic, main: str, rouge: Rouge | None) -> dict[str, Any]:
    topic = context.campaign.topic(telling.topic, peers=context.evaluation.choice.peers)
    peers = _peers(context, telling.topic, main)
    names = {one.summarizer: _name(context.comparison.label(one.summarizer)) for one in (*topic.models, *peers)}
    return {
        "id": _name(telling.topic),
        "title": visible(topic.topic.title)[:200],
        "why": _name(telling.why, 300),
        **topic_inside(topic, peers, measure=rouge, names=names, scores=_scores(context, telling.topic, main, rouge)),
    }


def _scores(context: Context, topic: str, main: str, rouge: Rouge | None) -> dict[str, list[float | None]]:
    """By summarizer, its scores on a topic, in the order of the measures."""
    order = {name: at for at, name in enumerate(_in_order(context, main, rouge))}
    digits = [_digits(context, name) for name in order]
    found: dict[str, list[float | None]] = {}
    rows = context.table.frame.filter(pl.col("topic") == topic).select("summarizer", "measure", "value")
    for who, measure, value in rows.iter_rows():
        at = order[measure]
        row = found.setdefault(who, [None] * len(order))
        row[at] = round(value, digits[at]) if math.isfinite(value) else None
    return found


def _in_order(context: Context, main: str, rouge: Rouge | None) -> list[str]:
    """All measures, first the two that are spoken of."""
    marked = [name for name in context.measures if rouge and name.rpartition(".")[0] == rouge.name()]
    return list(dict.fromkeys([main, *marked, *context.measures]))


def _digits(context: Context, measure: str) -> int:
    """As in the leaderboards."""
    return context.comparison.digits(measure) if measure in context.comparison.measures else 4


def _first_choice(context: Context, topic: str, who: Sequence[str], main: str) -> list[int]:
    """The best summarizer, and of those that no test tells from it the one most unlike it here; else the next best."""
    if len(who) == 1:
        return [0]
    letters = {one.summarizer: set(one.letters or "") for one in context.comparison.leaderboard(main)}
    scores = _column(context.table.matrix(main), topic)
    best = who[0]

    def apart(at: int) -> float:
        return abs(scores.get(who[at], math.nan) - scores.get(best, math.nan))

    tied = [
        at
        for at in range(1, len(who))
        if letters.get(who[at], set()) & letters.get(best, set()) and not math.isnan(apart(at))
    ]
    return [0, max(tied, key=apart) if tied else 1]


def _column(matrix: ScoreMatrix, topic: str) -> dict[str, float]:
    if topic not in matrix.topics:
        return {}
    return dict(zip(matrix.summarizers, matrix.values[:, matrix.topics.index(topic)].tolist(), strict=True))


def _name(text: str, longest: int = LONGEST_NAME) -> str:
    return shortened(visible(text), longest)


def _sentences(topic: dict[str, Any], rouge: Rouge | None) -> tuple[str, ...]:
    sentences = [f"Start with topic {topic['id']}: {topic['why']}."]
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


def _notes(context: Context, kept: Sequence[str], topics: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    said = dict.fromkeys(context.table.notes[name] for name in context.measures if name in context.table.notes)
    notes = [f"Among the scores: {note}." for note in said]
    left = len([topic for topic in context.table.topics if topic not in kept])
    if left:
        notes.append(
            f"{len(kept)} of {len(context.table.topics)} topics are included: those where the top systems differ "
            "most, or where measures rank the systems most differently. `pyramidion look` shows any other."
        )
    if any(side["cut"] for topic in topics for side in (*topic["models"], *topic["peers"])):
        notes.append(f"Texts are cut off after {LONGEST:,} characters.")
    if any(len(_all_peers(context, id)) > MOST_PEERS for id in kept):
        notes.append(f"{MOST_PEERS} systems, spread over the leaderboard, can be chosen.")
    if any(len(context.campaign.topic(id).pyramids) > 1 for id in kept):
        notes.append("Where a topic has several pyramids, the SCUs of the first are shown.")
    return tuple(notes)
