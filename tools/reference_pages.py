"""Writes the reference pages that follow from the code: docs/reference/options.md and docs/reference/records.md.

Run `python tools/reference_pages.py` after changing an option or a record; a test fails until it was run.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import click

import pyramidion
from pyramidion.cli import program
from pyramidion.tables import Row, all_rows

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
RECORDS = """# Records

`--format json` prints one record per line. `record` is its kind, and each kind has the same fields everywhere. What is
undefined is null, and then there is a `reason`; a `note` holds what one must know about the values. `--format csv` has
the same fields as columns, of one kind of record: the main one, or the one chosen with `--show`. In Python the same
records come from `finding.records()`, `finding.to_polars("mean")` and `finding.to_pandas("mean")`.

| record | what it is | fields |
|---|---|---|
"""
OPTIONS = """# Options

Every command with its options and their defaults, as `--help` shows them. An option means the same in every command
that has it. In Python the same names are keywords (`--all-pairs` is `all_pairs=True`, `--with` is `with_=…`).
"""


def records_page() -> str:
    """A row for each kind of record, by name."""
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        importlib.import_module(module.name)
    rows = {row.record: row for row in all_rows() if row.__module__.startswith("pyramidion.")}
    return RECORDS + "\n".join(_record(rows[name]) for name in sorted(rows)) + "\n"


def _record(row: type[Row]) -> str:
    what = (row.__doc__ or "").partition("\n")[0].rstrip(".").replace("|", "\\|")
    fields = [name for name in row.field_names() if name not in ("note", "reason")]
    return f"| `{row.record}` | {what} | {', '.join(fields)} |"


def options_page() -> str:
    """A section for each command."""
    return OPTIONS + "\n".join(_command(command) for command in _commands(program, "pyramidion"))


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    for inner in sorted(command.commands):
        yield from _commands(command.commands[inner], f"{name} {inner}")


def _command(named: tuple[str, click.Command]) -> str:
    name, command = named
    context = click.Context(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    lines = [f"\n## {name.removeprefix('pyramidion ')}\n", f"`{usage}`\n", f"{command.get_short_help_str(200)}\n"]
    records = [one.get_help_record(context) for one in command.get_params(context)]
    lines += ["| option | what it does |", "|---|---|"]
    lines += [
        f"| `{option.replace('|', ' ∣ ')}` | {text.replace('|', ' ∣ ')} |" for option, text in filter(None, records)
    ]
    return "\n".join(lines) + "\n"


PAGES = {"records.md": records_page, "options.md": options_page}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
