"""Options on the command line, made from their one definition in `pyramidion.options`; shared by all commands."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from pyramidion.errors import UsageError
from pyramidion.options import Option, Options

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("table", "json", "csv", "latex", "markdown")
DATA = "A campaign folder, a flat .jsonl or .parquet file, a table of scores, or `demo`."

RENAMED = {
    "--intervals": "--interval",
    "--repetitions": "--resamples",
    "--only": "--show",
    "--peer": "--summarizer",
}
"""Options that had another name once."""


class Program(click.Group):
    """A group of commands whose usage errors name what an option is called now."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an option that was renamed is a usage error that says so."""
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            if error.option_name in RENAMED:
                error.message = f"{error.option_name} is now called {RENAMED[error.option_name]}"
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own door
        """In the order in which people meet them, not by name."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Each command with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(200)) for name, one in self.commands.items()])

    def add(self, command: click.Command) -> click.Command:
        """Add a command under its own name."""
        self.add_command(command)
        return command


def group(name: str, help: str) -> Program:
    """A group of commands."""
    return Program(name=name, help=help, no_args_is_help=True, context_settings=SETTINGS)


SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}

data = click.argument("data")
files = click.argument("data", metavar="FILES|DATA", nargs=-1, required=True)
measures = click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    callback=lambda _, __, given: list(given) or None,
    help="A measure, such as rouge-2.recall; repeatable. See `list measures`.",
)
format = click.option(
    "--format", type=click.Choice(FORMATS), default="table", help="How to print; json: one record a line."
)
strict = click.option("--strict", is_flag=True, help="Treat warnings as errors.")
quiet = click.option("--quiet", "-q", is_flag=True, help="No progress and no notes on stderr.")
figure = click.option(
    "--figure", type=click.Path(path_type=Path), help="Also draw it, to this .svg, .png, .pdf or .html file."
)


def options_of(*kinds: type[Options], without: Sequence[str] = ()) -> Callable[[Command], Command]:
    """The command-line options of these kinds; the command gets their values as keywords."""

    def decorated(command: Command) -> Command:
        for one in reversed([one for kind in kinds for one in kind.each() if one.name not in without]):
            command = _click_option(one)(command)
        return command

    return decorated


def _click_option(one: Option) -> Callable[[Command], Command]:
    parts = [part for part in typing.get_args(one.type) if part is not type(None)]
    union = typing.get_origin(one.type) in (typing.Union, types.UnionType)
    kind = parts[0] if union and len(parts) == 1 else one.type
    origin = typing.get_origin(kind)
    facts: dict[str, Any] = {
        "help": one.help,
        "default": one.default,
        "show_default": one.default not in (None, (), False, ""),
    }
    if "metavar" in one.facts:
        facts["metavar"] = one.facts["metavar"]
    if kind is bool:
        facts["is_flag"] = True
    elif "separator" in one.facts:
        facts |= {"default": None, "callback": functools.partial(_split, one)}
        if one.default:
            facts["show_default"] = one.facts["separator"].join(map(str, one.default))
    elif origin in (Mapping, dict):
        facts |= {"multiple": True, "default": None, "callback": functools.partial(_pairs, one)}
    elif origin is Sequence:
        inner = typing.get_args(kind)[0]
        facts |= {"multiple": True, "type": _type(inner, one), "default": None, "show_default": False}
        facts["callback"] = lambda _, __, given: tuple(given) if given else one.default
    else:
        facts["type"] = _type(kind, one)
    return click.option(one.flag, one.name, **facts)


def _type(kind: Any, one: Option) -> Any:
    if one.choices:
        return click.Choice(one.choices)
    if typing.get_origin(kind) is tuple:
        return tuple(typing.get_args(kind))
    return kind if kind in (int, float) else str


def _split(one: Option, _: Any, __: Any, given: str | None) -> Any:
    """Several values in one argument."""
    if given is None:
        return one.default
    inner = typing.get_args(one.type)[0]
    try:
        return tuple(inner(value.strip()) for value in given.split(one.facts["separator"]) if value.strip())
    except ValueError:
        raise UsageError(f"{one.flag} {given}: expected whole numbers with commas, such as 1,3,6,12") from None


def _pairs(one: Option, _: Any, __: Any, given: Sequence[str]) -> dict[str, str] | None:
    """Options of the form `--where key=value` as a dictionary."""
    pairs: dict[str, str] = {}
    for condition in given:
        key, equals, value = condition.partition("=")
        if not (key and equals):
            raise UsageError(f"{one.flag} {condition}: expected key=value")
        if key in pairs:
            raise UsageError(f"{one.flag} {key} is given twice; a topic has one value for it")
        pairs[key] = value
    return pairs or None


def refuse_overwriting(output: Path | None, *inputs: object) -> None:
    """Keep a slip of the fingers from losing what is read."""
    for given in inputs:
        known = isinstance(given, str | Path) and output is not None and output.exists() and Path(given).exists()
        if known and output.samefile(given):  # type: ignore[union-attr, arg-type]
            raise UsageError(f"{output} is the data itself; write to another file")
