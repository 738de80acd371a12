"""`pyramidion import` and `pyramidion export`: campaigns and scores in other people's formats."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace as with_other
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, plain_warnings, print_finding, writing
from pyramidion.cli.run import running, take_options
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files import written_together
from pyramidion.files.locks import lock_campaign
from pyramidion.files.targets import campaign_of, check_output, is_new_or_empty
from pyramidion.options import Choice, ImportOptions, InitOptions, Options, option
from pyramidion.wording import counted

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign, Problems
    from pyramidion.formats.base import Format
    from pyramidion.scores import ScoreTable

SCORES = "scores"
FLAT = "flat"
RECORDS = "records"
TABLE = ".parquet"
INTO = ("judgments", "scores", "summaries", "documents", "flat", "campaign")
"""What can be imported besides the formats."""
PATH: Any = click.Path(path_type=Path)
FORMAT = "The name of a format; see `list formats`."


class ExchangeOptions(Options):
    """How a format is read or written."""

    option: Mapping[str, str] | None = option(None, "An option of the format; repeatable.", metavar="KEY=VALUE")


@o.command("import")
@o.argument("what", metavar="FORMAT", about=f"{', '.join(INTO)}, or the name of a format; see `list formats`.")
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
def import_command(what: str, sources: Sequence[Path], into: Path | None, format: str, **flags: object) -> None:
    """Import files of another format as a new campaign, or add judgments, scores and more to an existing one (--into).

    With --into, the plan is printed first: what is new, what is there already, and what is in conflict. If there
    are conflicts, nothing is written and the exit code is 1, unless you add --replace.

    Example: pyramidion import judgments answers.csv --into my-campaign
    """
    options = take_options(ImportOptions, flags)
    if into is not None:
        _import_into(into, what, sources, options, format)
        return
    if len(sources) < 2:
        raise UsageError(f"give the campaign as well: `import {what} {sources[0]} --into CAMPAIGN` adds to one")
    *files, campaign = sources
    _import_new(what, files, campaign, options)


def _import_into(folder: Path, what: str, sources: Sequence[Path], options: ImportOptions, output: str) -> None:
    from pyramidion.importing import Importing, lock_for

    with plain_warnings(quiet=False), writing(folder):
        with lock_for(folder, options):
            importing = Importing(folder, what, sources, options)
            for line in importing.notes:
                note(line)
            _note_all(importing.problems)
            plan = importing.plan if options.dry_run else importing.write()
        print_finding(plan, output)
    if importing.plan.refused:
        sys.exit(1)


def _import_new(format: str, sources: Sequence[Path], campaign: Path, options: ImportOptions) -> None:
    from pyramidion.campaign import Problems
    from pyramidion.formats import find_format
    from pyramidion.scores.reading import read_columns

    if options.replace or (options.columns and format not in (SCORES, FLAT, RECORDS)):
        raise UsageError("--columns and --replace add to a campaign; name it by --into")
    if format in (*INTO[:1], *INTO[2:4]):
        raise UsageError(f"{format} are added to a campaign: `import {format} {sources[0]} --into {campaign}`")
    problems = Problems()
    source, option = sources[0], options.option
    if format in (SCORES, FLAT):
        _refuse_options(format, option)
        if len(sources) > 1:
            raise UsageError(f"the format {format} is read from one file; found {len(sources)}. Import one by one.")
    if format == SCORES:
        (scores,) = read_columns([source], problems, options.columns).values()
        _keep_scores(scores, source, campaign, problems, options)
        return
    if format == FLAT:
        imported = _read_flat(source, problems, options.columns)
    else:
        _show_found(find_format(format), sources)
        imported = find_format(format).read(sources, problems, **(option or {}), **(options.columns or {}))
    if len(imported.imported) and not imported.summaries:
        names = {id: who.name for id, who in imported.summarizers.items() if who.name}
        _keep_scores(with_other(imported.imported, names=names), source, campaign, problems, options)
        return
    _write_new(imported, source, campaign, problems, options)


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
    from pyramidion.campaign import Problems, write_flat
    from pyramidion.formats import find_format

    _refuse_unwritten(format)
    check_output(target, campaign, replace=replace)
    if not replace and not is_new_or_empty(target):
        raise UsageError(f"{target} exists; choose another place, or add --replace to overwrite its files")
    if target.is_dir() and campaign_of(target / "any") == target.resolve():
        raise UsageError(f"{target} is a campaign folder; choose another place")
    if format == FLAT:
        _refuse_options(format, option)
    problems = Problems()
    with running(campaign, Choice(), quiet=False) as run, writing(target), written_together(target):
        if format == FLAT:
            write_flat(run.evaluation.campaign, target, problems=problems)
        else:
            find_format(format).write(run.evaluation.campaign, target, problems, **(option or {}))
        problems.refuse()
    _note_all(problems)
    note(f"written to {target}")


@o.command()
@o.argument("folder", type=PATH, about="A new or empty folder.")
@o.options_of(InitOptions)
def init(folder: Path, **flags: object) -> None:
    """Start a campaign: write a folder with a commented campaign.toml.

    In an interactive terminal, it asks for whatever the options leave out.

    Example: pyramidion init my-campaign --word-limit 250
    """
    from pyramidion.importing import start

    options = take_options(InitOptions, flags)
    if sys.stdin.isatty() and sys.stderr.isatty() and options == InitOptions():
        options = _ask(folder)
    with writing(folder):
        start(folder, options)
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

    names = [FLAT, *(one.name for one in all_formats() if one.writes)]
    if format == SCORES:
        raise UsageError("scores are written by `pyramidion score CAMPAIGN -m MEASURE -o FILE`")
    if format not in names and format not in [one.name for one in all_formats()]:
        raise UsageError(
            f"there is no format {format!r}{did_you_mean(format, names)} choose one of: {', '.join(names)}"
        )


def _refuse_options(format: str, option: Mapping[str, str] | None) -> None:
    if option:
        raise UsageError(f"--option: the format {format} has no options")


def _read_flat(source: Path, problems: Problems, columns: Mapping[str, str] | None) -> Campaign:
    from pyramidion.campaign.sources import Source

    found = Source(source, columns or {})
    if (kind := found.kind) != "flat":
        held = "a folder" if kind == "folder" else "a table of scores"
        raise UsageError(f"{source}: found {held}; expected a flat .jsonl or .parquet file, one row per summary")
    return found.read(problems)


def _write_new(imported: Campaign, source: Path, folder: Path, problems: Problems, options: ImportOptions) -> None:
    from pyramidion.campaign import Campaign, write_folder
    from pyramidion.campaign.foreign import note_refused
    from pyramidion.campaign.growth import grow

    if not is_new_or_empty(folder):
        raise UsageError(f"{folder} is not empty; give a new or empty folder, or add to it by --into {folder}")
    problems.refuse(strict=options.strict)
    note_refused(imported, problems.at(source))
    problems.refuse()
    _note_all(problems)
    if options.dry_run:
        print_finding(grow(Campaign(), imported, name=str(folder)).plan, "table")
        return
    with writing(folder):
        write_folder(imported, folder)
    _check_written(folder)
    note(f"{_content(imported)} written to {folder}")


def _content(imported: Campaign) -> str:
    """What a campaign holds, in a few words."""
    held = [
        f"{counted(len(imported.summaries), 'summary', 'summaries')} of {counted(len(imported.topic_ids), 'topic')}",
        *(
            counted(len(found), name)
            for name in ("judgment", "pyramid", "annotation")
            if (found := getattr(imported, f"{name}s"))
        ),
        *([counted(len(imported.imported), "score")] if len(imported.imported) else []),
    ]
    return ", ".join(held)


def _show_found(format: Format, sources: Sequence[Path]) -> None:
    """Print what the files are, where a format looks for that first."""
    from pyramidion.campaign import Problems

    if format.finder is not None:
        print_finding(format.finder(sources, Problems()), "table")


def _check_written(folder: Path) -> None:
    """Read what was written, as every other command will: an import must not leave a campaign that can't be used."""
    from pyramidion.campaign import Problems
    from pyramidion.campaign.folder import read_folder

    problems = Problems()
    read_folder(folder, problems)
    problems.refuse()


def _keep_scores(scores: ScoreTable, source: Path, target: Path, problems: Problems, options: ImportOptions) -> None:
    """Write scores into the campaign that has their texts, or as a table of their own."""
    if options.dry_run:
        raise UsageError("--dry-run: add the scores to a campaign by --into; then the plan is shown")
    if target.suffix.lower() != TABLE or target.is_dir():
        _add_scores(scores, source, target, problems, strict=options.strict)
        return
    if target.exists():
        raise UsageError(f"{target} exists; remove it, or give another name")
    problems.refuse(strict=options.strict)
    _note_all(problems)
    _write_table(scores, target, base="")


def _add_scores(scores: ScoreTable, source: Path, folder: Path, problems: Problems, *, strict: bool) -> None:
    """Write the scores of summaries that a campaign folder has as a table in it, if they fit."""
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a campaign folder; scores are imported into one that exists, or into a new {TABLE} file"
        )
    problems.refuse(strict=strict)
    with lock_campaign(folder):
        _add_to_campaign(scores, source, folder, problems, strict=strict)


def _add_to_campaign(scores: ScoreTable, source: Path, folder: Path, problems: Problems, *, strict: bool) -> None:
    """Read the campaign, and write a table with the scores of its summaries."""
    from pyramidion.campaign.join import join_scores
    from pyramidion.formats.base import AVERAGE

    with running(str(folder), Choice(strict=strict), quiet=False) as run:
        campaign = run.evaluation.campaign
    if set(scores.topics) == {AVERAGE} and AVERAGE not in campaign.topic_ids:
        remedy = f"Import the scores of each topic; or give a new file such as means{TABLE} instead of {folder}."
        problems.at(source).error("means over topics", "scores of the campaign's topics", remedy, field="topic")
        problems.refuse()
    target = folder / "scores" / f"{source.stem}{TABLE}"
    if target.exists():
        raise UsageError(f"{target} exists; remove it, or rename {source.name}")
    (joined,) = join_scores([campaign], {source: scores}, problems)
    problems.refuse(strict=strict)
    _note_all(problems)
    _write_table(
        dataclasses.replace(scores, frame=joined.imported.without(campaign.imported).frame), target, base="imported"
    )


def _write_table(scores: ScoreTable, target: Path, *, base: str) -> None:
    """Write the scores, and list the names by which measures find them."""
    from pyramidion.measures.names import MeasureName
    from pyramidion.scores import write_scores

    with writing(target):
        write_scores(scores, target)
    columns = ", ".join(str(MeasureName(base, statistic=name)) if base else name for name in scores.measures)
    note(f"{counted(len(scores), 'score')} written to {target}: {columns}")


def _note_all(problems: Problems) -> None:
    for problem in problems:
        note(str(problem))
    for remark in problems.remarks:
        note(remark)
