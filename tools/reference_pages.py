"""Writes the reference pages that follow from the code: docs/reference/options.md and docs/reference/records.md.

Run `python tools/reference_pages.py` after changing an option or a record; a test fails until it was run. It
also writes the JSON Schemas (tools/schemas.py).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

import pyramidion
from pyramidion.cli import program
from pyramidion.cli.help import OWN_GROUP, SHARED_GROUPS
from pyramidion.show.tables import Row, all_rows

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
MANY = 5
"""An option that this many commands have is described once, as a shared one."""
PYTHON_ONLY = re.compile(r"[;.] [^;.]*\b(?:None|NaN)\b.*")
"""What a docstring says about undefined values; in a record they are null, as the page says."""
WORDS = {"integer": "number", "integer range": "number", "float": "number", "path": "file"}
"""What an option takes, in place of the names of click's types."""
RECORDS = """# Records

`--format json` prints one record per line. Its field `record` names its kind; a kind of record has the same fields in
every command. An undefined value is null, and then a field `reason` says why. A field `note` says what you should know
about the values. `--format csv` has the same fields as columns, for one kind of record: the main one, or the one chosen
with `--show`. In Python, `finding.records()`, `finding.to_polars("mean")` and `finding.to_pandas("mean")` return them.

| record | what it is | fields |
|---|---|---|
"""
OPTIONS = """# Options

An option means the same in every command that has it. In Python, the same names are keywords: `--all-pairs` is
`all_pairs=True`, and `--with` is `with_=…`.

## Shared options

"""
HEAD = ["| option | takes | default | what it does |", "|---|---|---|---|"]


def records_page() -> str:
    """A row for each kind of record, by name."""
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        importlib.import_module(module.name)
    rows = {row.record: row for row in all_rows() if row.__module__.startswith("pyramidion.")}
    return RECORDS + "\n".join(_record(rows[name]) for name in sorted(rows)) + "\n"


def _record(row: type[Row]) -> str:
    what = _cell(PYTHON_ONLY.sub("", (row.__doc__ or "").partition("\n")[0]).rstrip("."))
    fields = [name for name in row.field_names() if name not in ("note", "reason")]
    return f"| `{row.record}` | {what} | {', '.join(fields)} |"


def options_page() -> str:
    """The options that many commands share, and a section for each command with its own."""
    commands = {name: (command, _options(command)) for name, command in _commands(program)}
    counts = Counter(row for _, options in commands.values() for row in options.values())
    shared = {
        row: flag for _, options in commands.values() for flag, row in options.items() if counts[row] >= MANY
    }  # each once, in the order in which commands have them
    parts = []
    for heading in (OWN_GROUP, *SHARED_GROUPS):
        members = [row for row, flag in shared.items() if _group_of(flag) == heading]
        title = "Of the analysis" if heading == OWN_GROUP else heading
        parts += [f"### {title}", "\n".join([*HEAD, *members])]
    for name, (command, options) in commands.items():
        own = [row for row in options.values() if row not in shared]
        common = [f"`{flag}`" for flag, row in options.items() if row in shared]
        usage = " ".join(["pyramidion", name, *command.collect_usage_pieces(click.Context(command))])
        parts += [f"## {name}", command.get_short_help_str(200), f"`{usage}`"]
        parts += ["\n".join([*HEAD, *own])] if own else []
        parts += [f"Shared options: {', '.join(common)}."] if common else []
    return OPTIONS + "\n\n".join(parts) + "\n"


def _group_of(flag: str) -> str:
    """The heading under which help shows an option."""
    name = flag.removeprefix("--").replace("-", "_")
    return next((heading for heading, names in SHARED_GROUPS.items() if name in names), OWN_GROUP)


def _commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    for word, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _commands(command, f"{name}{word} ")
        else:
            yield name + word, command


def _options(command: click.Command) -> dict[str, str]:
    """By its longest name, each option as a row of a table."""
    context = click.Context(command, show_default=True)
    return {
        max(one.opts, key=len): _option(one, context)
        for one in command.params
        if isinstance(one, click.Option) and not one.hidden
    }


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    default = option.get_help_extra(context).get("default", "")
    return f"| {names} | {_taken(option)} | {_cell(default)} | {_cell(option.help or '')} |"


def _taken(option: click.Option) -> str:
    """What stands behind the option on a command line."""
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return ", ".join(f"`{choice}`" for choice in option.type.choices)
    return _cell(option.metavar or WORDS.get(option.type.name, option.type.name))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PAGES = {"records.md": records_page, "options.md": options_page}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
    subprocess.run([sys.executable, Path(__file__).with_name("schemas.py")], check=True)
