"""The heat map: every score of a measure, summarizers × topics, drawn by the page's script for the measure chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.present.section import Block, Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import counted, shortened
from pyramidion.studies.comparison.overview import in_short

MOST_SCORES = 400_000
"""Beyond this the page would grow by megabytes: later measures are left out, with a note."""
LONGEST_NAME = 24
"""Characters of a topic's name in the heading."""


def make(context: Context) -> Section | None:
    """None if there is a single topic, which the leaderboard shows as well."""
    if len(context.table.topics) < 2:
        return None
    names = {who: number for number, who in enumerate(context.table.summarizers)}
    topics = {topic: number for number, topic in enumerate(context.table.topics)}
    shown: list[dict[str, Any]] = []
    left = MOST_SCORES
    for measure in context.ordered:
        drawn = _values(context, measure, names, topics)
        left -= len(drawn["rows"]) * len(drawn["topics"])
        if shown and left < 0:
            break
        shown.append(drawn)
    out = len(context.comparison.measures) - len(shown)
    return Section(
        id="heat-map",
        title=f"Scores by {context.comparison.kind} and topic",
        finding=_finding(shown[0], list(topics)),
        mark=context.table.notes.get(shown[0]["name"], ""),
        sentences=(
            f"Every score on the chosen measure: best {context.comparison.kind} on top, topics from easiest to "
            "hardest. Darker is better.",
        ),
        notes=(f"{counted(out, 'measure')} left out here, to keep the page small.",) if out else (),
        blocks=(
            Block(
                id="heat",
                template="heat_map.html",
                values={
                    "choices": [one["name"] for one in shown],
                    "first": context.noted(shown[0]["name"]),
                    "kind": context.comparison.kind,
                    "filters": context.filters(list(topics)),
                },
                data={
                    "kind": context.comparison.kind,
                    "names": [context.names[who] for who in names],
                    "topics": [shortened(topic) for topic in topics],
                    "attributes": [context.attributes.get(topic, []) for topic in topics],
                    "measures": shown,
                },
            ),
        ),
        commands=(context.command("score"),),
    )


def _finding(first: dict[str, Any], topics: list[str]) -> str:
    """Which topics are the easiest and the hardest by the first measure."""
    if len(first["topics"]) < 2:
        return ""
    easiest, hardest = (topics[first["topics"][end]] for end in (0, -1))
    if max(len(easiest), len(hardest)) > LONGEST_NAME:  # such as a hash, which says nothing
        return f"Every score on {in_short(first['name'])}, topics from easiest to hardest"
    return f"On {in_short(first['name'])}, topic {easiest} is the easiest and {hardest} the hardest"


def _values(context: Context, measure: str, names: dict[str, int], topics: dict[str, int]) -> dict[str, Any]:
    matrix = context.table.matrix(measure)
    standings = context.comparison.leaderboard(measure)
    digits = context.comparison.digits(measure)
    place = {who: row for row, who in enumerate(matrix.summarizers)}
    rows = [place[one.summarizer] for one in standings]
    there = [column for column in range(len(matrix.topics)) if not np.isnan(matrix.values[:, column]).all()]
    means = np.nanmean(matrix.values[:, there], axis=0) * (-1 if matrix.higher_is_better else 1)
    columns = [there[column] for column in np.argsort(means, kind="stable")]
    return {
        "name": measure,
        "note": context.table.notes.get(measure, ""),
        "digits": digits,
        "higher": matrix.higher_is_better,
        "rows": [names[matrix.summarizers[row]] for row in rows],
        "topics": [topics[matrix.topics[column]] for column in columns],
        "values": [
            [None if np.isnan(value) else round(float(value), digits) for value in matrix.values[row, columns]]
            for row in rows
        ],
    }
