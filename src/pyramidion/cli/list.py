"""`pyramidion list`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit


class What(StrEnum):
    """What can be listed."""

    measures = "measures"
    formats = "formats"
    engines = "engines"


def list_(
    what: Annotated[What, typer.Argument(help="What to list.", show_default=False)],
    format: o.FormatOption = o.Format.table,
) -> None:
    """List the measures with their options, the formats or the engines.

    Example: pyramidion list measures
    """
    listing = {What.measures: _measures, What.formats: _formats, What.engines: _engines}[what]
    emit(list(listing()), format, title=what.value)
    if what is What.measures:
        emit(list(_options()), format, title="options of measures: name(option=value)")


def _measures() -> Iterator[dict[str, Any]]:
    from pyramidion.measures import families

    for family in families():
        yield {
            "record": "measure",
            "names": ", ".join(family.examples()),
            "statistics": ", ".join(family.statistics) if family.statistics else "as in the data",
            "needs": ", ".join(sorted(family.needs)),
            "what": (family.__doc__ or "").strip().split("\n")[0],
        }


def _options() -> Iterator[dict[str, Any]]:
    from pyramidion.measures import families
    from pyramidion.measures.base import write_option

    for family in families():
        for field in family.option_fields():
            yield {
                "record": "option",
                "measures": family.examples()[0].split("-")[0],
                "option": field.name,
                "default": write_option(field.default),
                "what": field.metadata["doc"],
            }


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
        "what": "our own: .jsonl or .parquet, a row a summary",
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


def _engines() -> Iterator[dict[str, Any]]:
    yield {"record": "engine", "name": "local", "what": "this machine; texts are compared in native threads"}
