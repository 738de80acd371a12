"""`pyramidion import`, `export` and `init`: campaigns and scores in other people's formats, and new campaigns."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, plain_warnings, print_finding, writing
from pyramidion.cli.run import running, take_options
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files import written_together
from pyramidion.files.problems import RunFiles
from pyramidion.files.targets import campaign_of, check_output, is_new_or_empty
from pyramidion.options import IMPORT_KINDS, Choice, ImportOptions, InitOptions, Options, option

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign, Problems

FLAT = "flat"
PATH: Any = click.Path(path_type=Path)
FORMAT = "The name of a format; see `list formats`."
KIND_OR_FORMAT = f"{', '.join(IMPORT_KINDS)}, or the name of a format; see `list formats`."


class ExchangeOptions(Options):
    """How a format is read or written."""

    option: Mapping[str, str] | None = option(
        None,
        "An option of the format; repeatable. What the format does not know is an option for reading CAMPAIGN in "
        "another format.",
        metavar="KEY=VALUE",
    )


@o.command("import")
@o.argument(
    "format_name", metavar="FORMAT", about=f"{', '.join(IMPORT_KINDS)}, or the name of a format; see `list formats`."
)
@o.argument(
    "sources",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="SOURCE... [CAMPAIGN]",
    about="The files to import, or their folder. Without --into, the last one is a new or empty folder for the "
    "campaign; for scores, it may also be the campaign with their summaries, or a new .parquet file.",
)
@click.option("--into", type=PATH, metavar="CAMPAIGN", help="Add to this campaign folder.")
@o.options_of(ImportOptions)
@o.format
def import_command(format_name: str, sources: Sequence[Path], into: Path | None, format: str, **flags: object) -> None:
    """Import files of another format as a new campaign, or add judgments, scores and more to an existing one (--into).

    With --into, the plan is printed first: what is new, what is there already, and what is in conflict. If there
    are conflicts, nothing is written and the exit code is 1, unless you add --replace.

    Example: pyramidion import judgments answers.csv --into my-campaign
    """
    options = take_options(ImportOptions, flags)
    if into is not None:
        _add_to_campaign(format_name, sources, into, options, format)
        return
    if len(sources) < 2:
        raise UsageError(f"give the campaign as well: `import {format_name} {sources[0]} --into CAMPAIGN` adds to one")
    _import_as_new(format_name, sources[:-1], sources[-1], options, output=format)


def _add_to_campaign(format: str, sources: Sequence[Path], folder: Path, options: ImportOptions, output: str) -> None:
    from pyramidion.imports import import_files

    with plain_warnings(quiet=False), writing(folder):
        plan = import_files(format, sources, into=folder, options=options)
        _note_problems(plan.problems)
        print_finding(plan, output)
    if plan.refused:
        sys.exit(1)


def _import_as_new(
    format: str, sources: Sequence[Path], target: Path, options: ImportOptions, *, output: str = "table"
) -> None:
    """Import files as a new campaign folder, or scores as a new table; say what was written, or print the plan."""
    from pyramidion.imports import import_files

    with writing(target):
        plan = import_files(
            format,
            sources,
            campaign=target,
            options=options,
            show=lambda contents: print_finding(contents, "table"),
        )
    _note_problems(plan.problems)
    if plan.written:
        note(plan.summary)
    else:
        print_finding(plan, output)


@o.command()
@o.argument("format", about=FORMAT)
@o.argument("campaign", about="A campaign folder, a flat file, a file or folder in another format, or `demo`.")
@o.argument("target", type=PATH, about="The new file or folder; a flat file ends in .jsonl or .parquet.")
@o.options_of(ExchangeOptions)
@click.option("--replace", "--force", is_flag=True, help="Overwrite existing files; never the data itself.")
def export(format: str, campaign: str, target: Path, option: Mapping[str, str] | None, replace: bool) -> None:
    """Export a campaign to another format.

    Example: pyramidion export flat demo demo.jsonl
    """
    from pyramidion.campaign import Problems

    _refuse_unwritten(format)
    files = RunFiles()
    check_output(target, campaign, replace=replace, files=files)
    if not replace and not is_new_or_empty(target):
        raise UsageError(f"{target} exists; choose another place, or add --replace to overwrite its files")
    if target.is_dir() and campaign_of(target / "any") == target.resolve():
        raise UsageError(f"{target} is a campaign folder; choose another place")
    write_options, read_options = _split_options(format, campaign, option or {})
    if format == FLAT and write_options:
        raise UsageError(f"--option: the format {format} has no options")
    problems = Problems(files=files)
    with running(campaign, Choice(option=read_options or None), quiet=False, files=files) as run:
        _write_export(format, run.evaluation.campaign.with_all_raters(), target, problems, write_options)
    _note_problems(problems)
    note(f"written to {target}")


def _split_options(format: str, campaign: str, options: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The options for writing, and those for reading: what the written format does not know, of foreign data."""
    from pyramidion.formats import FormatSource, find_format
    from pyramidion.run.data import source_of

    # One --option serves both sides: what the written format knows is its own, all else is for reading foreign data.
    known_to_writer = {} if format == FLAT else find_format(format).write_options
    unknown = {name: value for name, value in options.items() if name not in known_to_writer}
    if not unknown or not isinstance(source_of(campaign), FormatSource):
        return dict(options), {}
    return {name: value for name, value in options.items() if name in known_to_writer}, unknown


def _write_export(
    format: str, campaign: Campaign, target: Path, problems: Problems, options: Mapping[str, str]
) -> None:
    """Write a campaign in another format; what that can't hold is noted as a problem."""
    from pyramidion.campaign import write_flat
    from pyramidion.formats import find_format

    with writing(target), written_together(target, problems.files):
        if format == FLAT:
            write_flat(campaign, target, problems=problems)
        else:
            find_format(format).write(campaign, target, problems, **options)
        problems.refuse()


@o.command()
@o.argument("folder", type=PATH, about="A new or empty folder.")
@o.options_of(InitOptions)
def init(folder: Path, **flags: object) -> None:
    """Start a campaign: write a folder with a commented campaign.toml.

    In an interactive terminal, it asks for whatever the options leave out.

    Example: pyramidion init my-campaign --word-limit 250
    """
    from pyramidion.campaign.folder import start_folder

    options = take_options(InitOptions, flags)
    # Only somebody who can answer is asked; scripts get the defaults.
    if sys.stdin.isatty() and sys.stderr.isatty() and options == InitOptions():
        options = _ask(folder)
    with writing(folder):
        start_folder(folder, options)
    note(f"{folder / 'campaign.toml'} is yours to edit. Next, for instance:")
    for line in (
        f"pyramidion import folder TEXTS --into {folder}",
        f"pyramidion import judgments ANSWERS.csv --into {folder}",
        f"pyramidion check {folder}",
    ):
        note(f"  {line}")


def _ask(folder: Path) -> InitOptions:
    """The options of `init`, asked one by one; Enter leaves one out."""
    name = click.prompt("Name of the campaign", default=folder.resolve().name, err=True)
    description = click.prompt("What is evaluated, in a sentence", default="", show_default=False, err=True)
    limit = click.prompt("Word limit of summaries (0: none)", default=0, type=click.IntRange(min=0), err=True)
    return InitOptions(name=name, description=description, word_limit=limit or None)


def _refuse_unwritten(format: str) -> None:
    """Refuse what nothing is exported to; the error lists what can be written."""
    from pyramidion.formats import all_formats

    if format == "scores":
        raise UsageError("scores are written by `pyramidion score CAMPAIGN -m MEASURE -o FILE`")
    names = [FLAT, *(writer.name for writer in all_formats() if writer.writes)]
    if format not in names and format not in [reader.name for reader in all_formats()]:
        raise UsageError(
            f"there is no format {format!r}{did_you_mean(format, names)} choose one of: {', '.join(names)}"
        )


def _note_problems(problems: Problems) -> None:
    """Say on stderr what was noticed, and how the data was understood."""
    for problem in problems:
        note(str(problem))
    for remark in problems.remarks:
        note(remark)
