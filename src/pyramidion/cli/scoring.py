"""Reading and scoring for commands: with progress, and with what must be said about the data and the values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import note, note_unscored, note_warnings, plain_warnings, progress

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign, Problems
    from pyramidion.measures.registry import Selection
    from pyramidion.scores import ScoreTable


def load_data(data: str, *, where: list[str] | None = None, strict: bool = False, quiet: bool = False) -> Campaign:
    """The campaign in DATA, or the part of it that was asked for; notes go to stderr."""
    import pyramidion
    from pyramidion.campaign import Problems
    from pyramidion.errors import UsageError

    problems = Problems()
    campaign = pyramidion.source_of(data).read(problems)
    problems.refuse(strict=strict)
    note_warnings(problems, data, quiet=quiet)
    chosen = campaign.where(o.conditions(where))
    if where and not chosen.topic_ids:
        raise UsageError(
            f"no topic has {', '.join(where)}; `pyramidion describe {data}` lists the attributes of topics"
        )
    return chosen


def score_data(
    data: str,
    measures: Sequence[str | Selection] | None,
    *,
    where: list[str] | None,
    peers: o.Peers,
    scores: Path | None,
    seed: int,
    strict: bool,
    quiet: bool,
    keep_counts: bool = False,
    problems: Problems | None = None,
) -> ScoreTable:
    """The scores of DATA; notes go to stderr, and `problems` collects the warnings of the data."""
    import pyramidion
    from pyramidion.campaign import Problems

    problems = Problems() if problems is None else problems
    with plain_warnings(quiet=quiet), progress("summaries scored", quiet=quiet) as advance:
        table = pyramidion.score(
            data,
            measures,
            peers=peers.value,
            where=o.conditions(where),
            scores=scores,
            seed=seed,
            strict=strict,
            keep_counts=keep_counts,
            problems=problems,
            progress=advance,
        )
    joined = [problem for problem in problems if scores is not None and problem.file == str(scores)]
    for problem in joined:  # `check` does not see what was joined for this command alone
        note(str(problem), quiet=quiet)
    note_warnings(problems, data, said=len(joined), quiet=quiet)
    note_unscored(table, asked=measures is not None, quiet=quiet)
    if not len(table):
        note("not a single score: the data has nothing of what the measures need", quiet=quiet)
    return table
