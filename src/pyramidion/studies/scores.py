"""A score table as a finding: a record for each score."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Finding, Row, optional


class SummaryScore(Row, record="score"):
    """What a measure gives to one summary."""

    measure: str
    topic: str
    summarizer: str
    run: str | None = optional()
    """Which of several runs of the summarizer or judge it is; the others have none."""
    value: float
    signature: str
    note: str = ""


class Scores(Finding, kw_only=False):
    """All scores of a table."""

    table: ScoreTable

    def __repr__(self) -> str:
        return f"<Scores: {len(self.table):,}>"

    def rows(self) -> Iterator[SummaryScore]:
        """The scores, one by one."""
        notes = self.table.notes
        for row in self.table.by_run().iter_rows(named=True):
            yield SummaryScore(**row, note=notes.get(row["measure"], ""))
