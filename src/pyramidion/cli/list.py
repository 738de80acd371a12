"""`pyramidion list`: what there is to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit

if TYPE_CHECKING:
    from pyramidion.measures import Measure


class What(StrEnum):
    """What can be listed."""

    measures = "measures"
    options = "options"
    formats = "formats"


MOST_NAMES = 4
"""More names than this are not repeated with every option."""
TITLES = {What.options: "options of measures: name(option=value)"}


def list_(
    what: Annotated[What, typer.Argument(help="What to list.", show_default=False)],
    format: o.FormatOption = o.Format.table,
) -> None:
    """List the measures, the options of measures or the formats.

    Example: pyramidion list measures
    """
    listings = {What.measures: _measures, What.options: _options, What.formats: _formats}
    emit(listings[what](), format, title=TITLES.get(what, what.value))
    if what is What.measures and format is not o.Format.csv:  # a CSV file is one table
        emit(_options(), format, title=TITLES[What.options])


def _measures() -> Iterator[dict[str, Any]]:
    from pyramidion.measures import families

    for family in families():
        names = ", ".join(family.examples())
        yield {
            "record": "measure",
            "names": names or None,
            "statistics": _statistics(family),
            "needs": ", ".join(sorted(family.needs)),
            "what": (family.__doc__ or "").strip().split("\n")[0],
            **({} if names else {"reason": "the measure gives no examples of its names"}),
        }


def _statistics(family: type[Measure]) -> str:
    from pyramidion.measures.base import ONE_VALUE

    if family.statistics is None:
        return "as in the data"
    return "one value" if family.statistics == ONE_VALUE else ", ".join(family.statistics)


def _options() -> Iterator[dict[str, Any]]:
    from pyramidion.measures import families
    from pyramidion.measures.base import write_option

    for family in families():
        for field in family.option_fields():
            yield {
                "record": "option",
                "measures": _label(family),
                "option": field.name,
                "default": write_option(field.default),
                "what": field.metadata["doc"],
            }


def _label(family: type[Measure]) -> str:
    """What the names of a family have in common, `rouge`; else all of them, or, if many, the family: `model-free`."""
    names = list(family.examples())
    stems = {name.partition("-")[0] for name in names}
    if len(names) > 1 and len(stems) == 1:
        return stems.pop()
    if len(names) > MOST_NAMES:
        return re.sub("(?<=[a-z])(?=[A-Z])", "-", family.__name__).lower()
    return ", ".join(names) or family.__name__


def _formats() -> Iterator[dict[str, Any]]:
    from pyramidion.formats import all_formats

    yield {
        "record": "format",
        "name": "folder of files",
        "reads": True,
        "writes": True,
        "what": "our own: a campaign folder",
    }
    yield {
        "record": "format",
        "name": "flat",
        "reads": True,
        "writes": True,
        "what": "our own: .jsonl or .parquet, one row per summary",
    }
    yield {
        "record": "format",
        "name": "scores",
        "reads": True,
        "writes": True,
        "what": "our own: .csv, .tsv or .parquet table of scores",
    }
    for known in all_formats():
        yield {
            "record": "format",
            "name": known.name,
            "reads": known.reads,
            "writes": known.writes,
            "what": known.description,
        }
