"""Scoring for commands: with progress, and with what must be said about the data and the values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.cli import options as o
from pyramidion.cli.output import note_unscored, note_warnings, plain_warnings, progress

if TYPE_CHECKING:
    from pyramidion.measures import Selection
    from pyramidion.scores import ScoreTable


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
) -> ScoreTable:
    """The scores of DATA; notes go to stderr."""
    import pyramidion
    from pyramidion.campaign import Problems

    problems = Problems()
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
    note_warnings(problems, data, quiet=quiet)
    note_unscored(table, asked=measures is not None, quiet=quiet)
    return table
