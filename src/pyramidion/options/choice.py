"""Whose summaries, on which topics, with which other scores: what every analysis of a campaign has in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from pyramidion.options.base import Options, option

AnalysisOptions = TypeVar("AnalysisOptions", bound=Options)
PeerChoice = Literal["systems", "participants", "humans", "all"]
Raters = Literal["people", "judges", "all"]
"""Whose answers count: those of people, of judges (programs), or of both together."""
EmptyTreatment = Literal["missing", "zero"]
"""What an empty summary is: no output, such as that of a failed request, or one with a score of 0."""
Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it was done since the last call, and the total if it is known."""


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
    raters: Raters | None = option(
        None,
        "Whose answers count: people's, judges' (programs; `[assessors]` in campaign.toml or `judge=` names them), or "
        "all together. Default: people's; judges' where only judges answered.",
    )
    judge: Sequence[str] = option(
        (), "An assessor or a column of scores that is a judge, a program; repeatable.", metavar="NAME"
    )
    mix_judges: bool = option(
        False, "Also compare systems whose scores are by different judges, which is refused otherwise."
    )
    columns: Mapping[str, str] | None = option(
        None,
        "Which column of a table is which, such as summary=prediction,topic=id; other roles: summarizer, references, "
        "documents, scores, judgments; of score tables: scores, measure, value, run. Several columns: "
        "references=ref_a+ref_b; inside a cell: summary=response.choices[0].text; a system per column: summary=a+b, in "
        "score tables score=a+b. They apply to DATA "
        "and to the files of `scores=`, wherever a file has the column. "
        "Default: recognised by their names.",
        metavar="ROLE=COLUMN,…",
        separator=",",
    )
    runs: bool = option(
        False,
        "Treat rows of a table of scores that repeat a topic and summarizer (in a table of judgments also the judge) "
        "as runs, in their order: they are averaged. Not needed where a column numbers the runs.",
    )
    empty: EmptyTreatment | None = option(
        None,
        "How to treat empty summaries: as missing, because the request may have failed, or with a score of zero, as in "
        "DUC. Default: missing in tables, zero in campaign folders.",
    )
    system: Mapping[str, str] | None = option(
        None,
        "What the system behind a file is called; repeatable. The file joins DATA. Two prompts of one model are two "
        "systems: terse=run1.json and long=run2.json.",
        metavar="NAME=FILE",
    )
    seed: int = option(0, "Random seed.", minimum=0, most=2**63 - 1)
    strict: bool = option(False, "Treat warnings as errors.")
    option: Mapping[str, str] | None = option(
        None, "An option for reading DATA in another format; repeatable. See `list formats`.", metavar="KEY=VALUE"
    )


def split_keywords(keywords: Mapping[str, object], analysis: type[AnalysisOptions]) -> tuple[Choice, AnalysisOptions]:
    """From the keywords of a verb, the options that choose a part of the data, and those of the analysis."""
    names = {option.name for option in Choice.each()}
    choice: dict[str, object] = {}
    options: dict[str, object] = {}
    for name, value in keywords.items():
        if name in names:
            choice[name] = value
        # No option: a function can't be written on a command line or into a signature.
        elif name != "progress":
            options[name] = value
    return Choice.of(choice), analysis.of(options)


ALL_SUMMARIES = ("peers", "exclude", "scores", "mix_judges")
"""What an analysis of judgments or pyramids does not ask: they are of all summaries, and no scores."""


class DescribeOptions(Options, unused_choice=(*ALL_SUMMARIES, "seed")):
    """What is told of a campaign."""

    roster: bool = option(False, "List the summarizers: name, organisation, kind, topics, judged summaries.")
