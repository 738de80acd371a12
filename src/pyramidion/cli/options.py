"""Options on the command line, made from their one definition in `pyramidion.options`; shared by all commands."""

from __future__ import annotations

import ast
import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import click

from pyramidion.cli.help import suggest_commands, write_options
from pyramidion.cli.output import NobodyReadsError
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.options import Choice, Option, Options
from pyramidion.options.flags import spell_flags

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
FORMATS = ("table", "json", "csv", "latex", "markdown")


class ArgumentSettings(TypedDict, total=False):
    """What click must know of an argument."""

    callback: Callable[[click.Context, click.Parameter, Any], Any]
    default: Any
    metavar: str
    nargs: int
    required: bool
    type: click.ParamType


class Argument(click.Argument):
    """An argument that help explains."""

    def __init__(self, *arguments: Any, about: str, **settings: Unpack[ArgumentSettings]) -> None:
        super().__init__(*arguments, **settings)
        self.about = about


class OneOf(click.Choice[str]):
    """One of a few words; an error suggests those that come near."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is wrong, and what may have been meant: `means` was `mean`, `error` `orders-error`."""
        word = str(value).removesuffix("s")
        part = [choice for choice in self.choices if word in (choice, *choice.split("-"))]
        hint = f"; did you mean {' or '.join(part)}?" if part else did_you_mean(str(value), self.choices).rstrip(";")
        return super().get_invalid_choice_message(value, ctx).rstrip(".") + (hint or ".")


class RecordChoice(OneOf):
    """One of the kinds of records that a result class has, as its `record_kinds` says."""

    def __init__(self, result: str) -> None:
        self.result = result
        self.case_sensitive = True

    @functools.cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The kinds of records, looked up when help or an argument needs them.

        They are read from the source of the class: importing a study takes numpy and polars, and help is quick.
        """
        module, _, name = self.result.partition(":")
        path = Path(__file__).parents[1].joinpath(*module.split(".")).with_suffix(".py")
        statements = ast.parse(path.read_text(encoding="utf-8")).body
        result_class = next(node for node in statements if isinstance(node, ast.ClassDef) and node.name == name)
        for node in result_class.body:
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "record_kinds" and node.value:
                return tuple(ast.literal_eval(node.value))
        raise LookupError(f"{self.result} has no record_kinds")


class Target(click.ParamType):
    """A file or folder to write, or an address in an object store."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | str:  # noqa: ARG002
        """An address stays as it is: a path would lose one of its slashes."""
        return value if isinstance(value, Path) or "://" in value else Path(value)


class Command(click.Command):
    """A command whose help explains its arguments."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:  # click makes commands, with whatever it knows
        super().__init__(*arguments, **settings)
        self.help: str | None = inspect.cleandoc(self.help or "").replace(
            "\n\nExample", "\n\n\b\nExample"
        )  # lines stay as they are

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments above options, which come in groups."""
        arguments = [parameter for parameter in self.params if isinstance(parameter, Argument)]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl([(argument.make_metavar(ctx), argument.about) for argument in arguments])
        write_options(self, ctx, formatter)


class Program(click.Group):
    """A group of commands."""

    command_class: type[click.Command] | None = Command

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:  # click's own door
        """Read the command line, and print help or the version; click would end with 1 if nobody reads that."""
        try:
            return super().make_context(*arguments, **settings)
        except BrokenPipeError:
            raise NobodyReadsError from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; the same holds for its output."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise NobodyReadsError from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an error suggests those that may have been meant."""
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            suggestions = suggest_commands(self, name)
            if name == "help":
                ctx.fail("No such command 'help'; --help shows the commands, and COMMAND --help explains one.")
            if suggestions:
                ctx.fail(f"No such command {name!r}; did you mean {' or '.join(suggestions)}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own door
        """In the order in which people meet them, not by name."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Each command with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(200)) for name, command in self.commands.items()])

    def add(self, command: click.Command) -> click.Command:
        """Add a command under its own name."""
        self.add_command(command)
        return command


SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "show_default": True}


def command(name: str | None = None) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command, by default of its own name."""
    return click.command(name, cls=Command, context_settings=SETTINGS)


def argument(name: str, *, about: str, **settings: Unpack[ArgumentSettings]) -> Callable[[Function], Function]:
    """An argument of a command, and what help says about it."""
    return click.argument(name, cls=Argument, about=about, **settings)


def group(name: str, help: str, epilog: str | None = None) -> Program:
    """A group of commands."""
    return Program(name=name, help=help, epilog=epilog, no_args_is_help=True, context_settings=SETTINGS)


def data(command: Function) -> Function:
    """DATA, one or several, or line files instead; the command gets it as `data`."""

    @functools.wraps(command)
    def call(data: tuple[str, ...], **flags: Any) -> Any:  # whatever flags the command has
        files = {name: flags.pop(name) for name in _LINE_FILES}
        # Of the same option, a file that gets a name is among the data.
        named_files = (flags.get("system") or {}).values()
        data = tuple(dict.fromkeys([*data, *named_files]))
        return command(data=_data_of(data, **files), **flags)

    decorated: Any = call
    for name, help in reversed(_LINE_FILES.items()):
        decorated = click.option(f"--{name}", multiple=True, metavar="FILE", help=help)(decorated)
    made: Function = argument(
        "data",
        nargs=-1,
        metavar="DATA...",
        about="A campaign folder; a table with one row per summary (.jsonl, .json, .csv, .tsv, .parquet, also .gz or "
        ".zst); several such files, one per system; a table of scores; a file or folder in another format (see `list "
        "formats`); - for standard input; or `demo`, the campaign that comes with pyramidion.",
    )(decorated)
    return made


_LINE_FILES = {
    "predictions": "Instead of DATA: a text file of a system, one summary per line, or a table; repeatable.",
    "references": "With --predictions: a text file of references, one per line, or a table; repeatable.",
    "sources": "With --predictions: a text file of source documents, one per line, or a table.",
}


def _data_of(
    data: tuple[str, ...], predictions: Sequence[str], references: Sequence[str], sources: Sequence[str]
) -> Any:
    """What a command analyses."""
    if predictions:
        if data:
            raise UsageError(f"--predictions is given instead of DATA; leave out {' '.join(data)}")
        if len(sources) > 1:
            raise UsageError("--sources is given several times; expected one file, a line for each topic")
        from pyramidion.formats.plain.line_files import LineFiles

        return LineFiles(predictions=predictions, references=references, sources=next(iter(sources), None))
    if references or sources:
        raise UsageError("--references and --sources go with --predictions FILE, a text file with one summary per line")
    if not data:
        raise click.UsageError("Missing argument 'DATA...'.", click.get_current_context(silent=True))
    return _one_or_all(data)


def _one_or_all(values: tuple[str, ...]) -> str | tuple[str, ...]:
    return values[0] if len(values) == 1 else values


files: Decorator = argument(
    "data",
    metavar="FILES|DATA",
    nargs=-1,
    required=True,
    callback=lambda _, __, values: _one_or_all(values),
    about="A campaign, `demo`, or DUCView's .pyr and .pan files, of one or several annotators.",
)


def measures_by_default(default: str) -> Decorator:
    """`-m`, with what is chosen without it."""
    return click.option(
        "--measure",
        "-m",
        "measures",
        multiple=True,
        metavar="MEASURE",
        callback=lambda _, __, values: list(values) or None,
        help=f"A measure, such as rouge-2.recall; repeatable. See `list measures`. Default: {default}.",
    )


_ROUGE = "ROUGE-1, -2, -L and -SU4 (recall if the campaign has a word limit, otherwise F)"
measures: Decorator = measures_by_default(
    f"{_ROUGE}, and the pyramid scores, questions and other scores in the data. For a score table: all its columns"
)
measures_with_models: Decorator = measures_by_default(f"{_ROUGE}, and pyramid.modified if there are pyramids")
measures_to_label: Decorator = measures_by_default("none; name a question, pyramid.recall or pyramid.modified")
measures_with_settings: Decorator = measures_by_default("ROUGE-1, -2, -L and -SU4")
measures_to_combine: Decorator = measures_by_default("recall, precision and F of ROUGE-1, -2, -L and -SU4")
format: Decorator = click.option(
    "--format", type=OneOf(FORMATS), default="table", help="Output format; json prints one record per line."
)
strict: Decorator = click.option("--strict", is_flag=True, help="Treat warnings as errors.")
_OVERWRITE = "Overwrite an existing file even if it is in a campaign folder"
replace: Decorator = click.option(
    "--replace",
    is_flag=True,
    help=f"{_OVERWRITE}, or if --scores reads it. Other files are overwritten anyway; DATA, the data of a campaign and "
    "other files that are read never are.",
)
replace_without_data: Decorator = click.option(
    "--replace",
    is_flag=True,
    help=f"{_OVERWRITE}. Other files are overwritten anyway; the data of a campaign never is.",
)


def output(help: str, default: str | None = "report.html", *, required: bool = False) -> Decorator:
    """`-o`, a file or folder to write; the command gets its path."""
    # To click, a default of None is a value, too: with one, nothing would be required.
    settings: dict[str, Any] = {"required": True} if required else {"default": default}
    return click.option("--output", "-o", type=click.Path(path_type=Path), help=help, **settings)


quiet: Decorator = click.option("--quiet", "-q", is_flag=True, help="Print no progress and no notes to stderr.")
figure: Decorator = click.option(
    "--figure", type=click.Path(path_type=Path), help="Also draw a figure, to this .svg, .png, .pdf or .html file."
)


def options_of(*kinds: type[Options], without: Sequence[str] = ()) -> Callable[[Function], Function]:
    """The command-line options of these kinds; the command gets their values as keywords."""

    def decorated(command: Function) -> Function:
        for option in reversed([option for kind in kinds for option in kind.each() if option.name not in without]):
            command = _click_option(option)(command)
        return command

    return decorated


def options_of_choice(*names: str) -> Callable[[Function], Function]:
    """A few of the options that all analyses share, for commands that take no others of them."""
    return options_of(Choice, without=[option.name for option in Choice.each() if option.name not in names])


def _click_option(option: Option) -> Callable[[Function], Function]:
    parts = [part for part in typing.get_args(option.type) if part is not type(None)]
    union = typing.get_origin(option.type) in (typing.Union, types.UnionType)
    kind = parts[0] if union and len(parts) == 1 else option.type
    origin = typing.get_origin(kind)
    facts: dict[str, Any] = {
        "help": spell_flags(option.help),
        "default": option.default,
        "metavar": option.metadata.get("metavar"),
    }
    if option.default == "":
        facts["show_default"] = False
    if isinstance(option.default, float) and option.default.is_integer():
        facts["default"] = int(option.default)  # help shows 95, not 95.0
    if kind is bool:
        facts |= {"is_flag": True, "show_default": False}
    elif origin in (Mapping, dict):
        facts |= {"multiple": True, "default": None, "callback": functools.partial(_pairs, option)}
    elif "separator" in option.metadata:
        default = option.metadata["separator"].join(map(str, option.default)) or None
        facts |= {"default": default, "callback": functools.partial(_split, option)}
    elif origin is Sequence:
        inner = typing.get_args(kind)[0]
        facts |= {"multiple": True, "type": _type(inner, option), "default": None}
        facts["callback"] = lambda _, __, values: tuple(values) if values else option.default
    else:
        facts["type"] = _type(kind, option)
    if "flag_value" in option.metadata:  # the flag alone means this value
        facts |= {"is_flag": False, "flag_value": option.metadata["flag_value"]}
    if facts.get("type") is str and not facts["metavar"]:
        facts["metavar"] = option.name.rstrip("_").upper()
    flags = [flag for flag in (option.flag, option.metadata.get("also")) if flag]
    return click.option(*flags, option.name, **facts)


def _type(kind: Any, option: Option) -> Any:
    if option.choices:
        return OneOf(option.choices)
    if typing.get_origin(kind) is tuple:
        return tuple(typing.get_args(kind))
    return kind if kind in (int, float) else str


def _split(option: Option, _: Any, __: Any, text: str | None) -> Any:
    """Several values in one argument."""
    if text is None:
        return option.default
    inner = typing.get_args(option.type)[0]
    try:
        return tuple(inner(value.strip()) for value in text.split(option.metadata["separator"]) if value.strip())
    except ValueError:
        expected = (
            "numbers with commas, such as 1,5" if inner is float else "whole numbers with commas, such as 1,3,6,12"
        )
        raise UsageError(f"{option.flag} {text}: expected {expected}") from None


def _pairs(option: Option, _: Any, __: Any, values: Sequence[str]) -> dict[str, str] | None:
    """Options of the form `--where key=value` as a dictionary; with a separator, several in one argument."""
    pairs: dict[str, str] = {}
    separator = option.metadata.get("separator")
    for condition in [part for words in values for part in (words.split(separator) if separator else [words])]:
        key, equals, value = condition.partition("=")
        if not (key and equals):
            such = f", such as {option.metadata['example']}" if "example" in option.metadata else ""
            raise UsageError(f"{option.flag} {condition}: expected key=value{such}")
        if key in pairs:
            raise UsageError(f"{option.flag} {key} is given twice; it has one value")
        pairs[key] = value
    return pairs or None
