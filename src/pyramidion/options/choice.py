"""Whose summaries, on which topics, with which other scores: what every analysis of a campaign has in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pyramidion.options.base import Options, option

PeerChoice = Literal["systems", "participants", "humans", "all"]


class Choice(Options):
    """What every analysis of a campaign has in common: whose summaries, on which topics, with which other scores."""

    peers: PeerChoice = option(
        "systems",
        "Whose summaries to score; participants: all systems except baselines. Humans are never scored against their "
        "own reference.",
    )
    where: Mapping[str, str] | None = option(
        None,
        "Only topics whose field or attribute has this value, such as part=A; repeatable.",
        metavar="KEY=VALUE",
    )
    exclude: Sequence[str] = option((), "Leave out these summarizers.", separator=",", metavar="ID,…")
    scores: Sequence[str | Path] = option(
        (),
        "A table of other scores (.csv, .tsv, .jsonl, .parquet), joined by topic and summarizer; repeatable. "
        "Several runs of a judge (a column run, seed or trial) are averaged.",
        metavar="FILE",
    )
    columns: Mapping[str, str] | None = option(
        None,
        "Which column of a table is which, such as summary=prediction,topic=id; other roles: summarizer, references, "
        "documents, scores, judgments; of score tables: scores, measure, value, run. Several columns: "
        "references=ref_a+ref_b; a system per column: summary=a+b, in score tables summarizer=a+b. They apply to DATA "
        "and to the files of --scores, wherever a file has the column. "
        "Default: recognised by their names.",
        metavar="ROLE=COLUMN,…",
        separator=",",
    )
    seed: int = option(0, "Random seed.", minimum=0, most=2**63 - 1)
    strict: bool = option(False, "Treat warnings as errors.")
    option: Mapping[str, str] | None = option(
        None, "An option for reading DATA in another format; repeatable. See `list formats`.", metavar="KEY=VALUE"
    )


ALL_SUMMARIES = ("peers", "exclude", "scores")
"""What an analysis of judgments or pyramids does not ask: they are of all summaries, and no scores."""


class DescribeOptions(Options, without=(*ALL_SUMMARIES, "seed")):
    """What is told of a campaign."""

    roster: bool = option(False, "List the summarizers: name, organisation, kind, topics, judged summaries.")
