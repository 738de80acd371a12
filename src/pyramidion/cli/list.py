"""`pyramidion list`: the measures, their options, the formats and the JSON Schemas there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyramidion.cli import options as o
from pyramidion.cli.output import note, print_finding
from pyramidion.show.tables import Finding, Row, Table, table_of

if TYPE_CHECKING:
    from pyramidion.measures.base import Measure

MOST_NAMES = 4
"""More names than this are not repeated with every option."""


class MeasureRow(Row, record="measure"):
    """A family of measures."""

    names: str | None
    statistics: str
    needs: str
    what: str
    reason: str = "the measure gives no examples of its names"


class OptionRow(Row, record="option"):
    """An option of a family of measures."""

    measures: str
    option: str
    default: str
    what: str


class FormatRow(Row, record="format"):
    """A format that campaigns can be read from or written to."""

    name: str
    reads: bool
    writes: bool
    what: str


class SchemaRow(Row, record="schema"):
    """A JSON Schema that comes with pyramidion."""

    name: str
    what: str
    """What it describes."""
    path: str
    """Its file in the installed package."""


class Listing(Finding, kw_only=False, repr=True, eq=True):
    """Rows of one or two kinds."""

    listed: tuple[Row, ...]

    def tables(self) -> list[Table]:
        """A table for each kind."""
        titles = {
            "measure": "measures",
            "option": "options of measures: name(option=value)",
            "format": "formats",
            "schema": "JSON Schemas (draft 2020-12)",
        }
        found = []
        for kind in dict.fromkeys(type(row) for row in self.listed):
            columns = [name for name in kind.field_names() if name != "reason"]
            rows = [row for row in self.listed if type(row) is kind]
            found.append(table_of(rows, columns, title=titles[kind.record]))
        return found


@o.command("list")
@o.argument("what", about="What to list.", type=o.OneOf(["measures", "options", "formats", "schemas"]))
@o.format
def list_(what: str, format: str) -> None:
    """List the measures with their options, only the options, the formats, or the JSON Schemas of our files.

    Example: pyramidion list measures
    """
    listings = {
        "measures": (_measures, _options),
        "options": (_options,),
        "formats": (_formats,),
        "schemas": (_schemas,),
    }
    rows = [row for list_rows in listings[what] for row in list_rows()]
    print_finding(Listing(tuple(rows)), format)


def _measures() -> Iterator[Row]:
    from pyramidion.measures.registry import broken_plug_ins, families

    for failure in broken_plug_ins():
        note(failure)
    for family in families():
        yield MeasureRow(
            names=", ".join(family.examples()) or None,
            statistics=_statistics(family),
            needs=", ".join(sorted(family.needs)),
            what=(family.__doc__ or "").strip().split("\n")[0],
        )


def _statistics(family: type[Measure]) -> str:
    from pyramidion.measures.base import ONE_VALUE

    if family.statistics is None:
        return "as in the data"
    return "one value" if family.statistics == ONE_VALUE else ", ".join(family.statistics)


def _options() -> Iterator[Row]:
    from pyramidion.measures.base import write_option
    from pyramidion.measures.registry import families

    for family in families():
        for field in family.option_fields():
            yield OptionRow(
                measures=_label(family),
                option=field.name,
                default=write_option(field.default),
                what=field.metadata["doc"],
            )


def _label(family: type[Measure]) -> str:
    """What the names of a family have in common, `rouge`; else all of them, or, if many, the family: `model-free`."""
    names = list(family.examples())
    stems = {name.partition("-")[0] for name in names}
    if len(names) > 1 and len(stems) == 1:
        return stems.pop()
    if len(names) > MOST_NAMES:
        return re.sub("(?<=[a-z])(?=[A-Z])", "-", family.__name__).lower()
    return ", ".join(names) or family.__name__


OWN_FORMATS = {
    "folder of files": "our own: a campaign folder",
    "flat": "our own: .jsonl or .parquet, one row per summary",
    "scores": "our own: a .csv, .tsv, .jsonl or .parquet table of scores",
}


def _formats() -> Iterator[Row]:
    from pyramidion.formats import all_formats
    from pyramidion.formats.registry import broken_plug_ins

    for failure in broken_plug_ins():
        note(failure)
    for name, what in OWN_FORMATS.items():
        yield FormatRow(name=name, reads=True, writes=True, what=what)
    for format in all_formats():
        yield FormatRow(name=format.name, reads=format.reads, writes=format.writes, what=format.description)


def _schemas() -> Iterator[Row]:
    from pyramidion.campaign.schemas import read_schema, schema_files

    for name, path in schema_files().items():
        yield SchemaRow(name=name, what=read_schema(name)["title"], path=str(path))
