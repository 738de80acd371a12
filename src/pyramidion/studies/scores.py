"""A score table as a finding: a record for each score, and a table that lists them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Finding, Row, Table, columns_of, grouped
from pyramidion.show.wording import notes_about


class Score(Row, record="score"):
    """What a measure gives to one summary."""

    measure: str
    topic: str
    summarizer: str
    value: float
    signature: str
    note: str = ""


class Scores(Finding, kw_only=False):
    """All scores of a table."""

    table: ScoreTable

    def __repr__(self) -> str:
        return f"<Scores: {len(self.table):,}>"

    def rows(self) -> Iterator[Score]:
        """The scores, one by one."""
        notes = self.table.notes
        for measure, topic, summarizer, value, signature in self.table.frame.iter_rows():
            note = notes.get(measure, "")
            yield Score(
                measure=measure, topic=topic, summarizer=summarizer, value=value, signature=signature, note=note
            )

    def tables(self) -> list[Table]:
        """One table; the signatures, which are long, stand below it, those with the same options in one line."""
        table = self.table
        shown = ("measure", "topic", "summarizer", "value")
        return [
            Table(
                record="score",
                title="",
                columns=columns_of(*shown),
                rows=table.frame.select(shown).rows(),
                heads=3,
                sentences=tuple(_together(one for measure in table.measures for one in table.signatures(measure))),
                notes=tuple(notes_about(table.notes, table.measures)) if table.notes else (),
            )
        ]


def _together(signatures: Iterable[str]) -> Iterator[str]:
    """Signatures, those that differ in nothing but the name in one line: `rouge-1.f, rouge-2.f|alpha:0.5|…`."""
    for options, same in grouped(signatures, lambda one: one.partition("|")[2]).items():
        yield "|".join([", ".join(one.partition("|")[0] for one in same), options])
