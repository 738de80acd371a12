"""A command that analyses DATA: one shared decorator turns options into an Evaluation and prints the Finding."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, note_unscored, plain_warnings, print_finding, progress, writing
from pyramidion.files.opening import note_read
from pyramidion.files.targets import check_output, files_named
from pyramidion.options import Choice, Options, TableOptions

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.tables import Finding


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a command works with: the evaluation of its DATA, and how to talk to the user."""

    evaluation: Evaluation
    quiet: bool

    def note(self, message: str) -> None:
        """Say something on stderr, unless --quiet."""
        note(message, quiet=self.quiet)


def analysis(
    options: type[Options],
    *,
    show: Sequence[str] = (),
    measures: bool | o.Decorator = False,
    figure: bool = False,
    files: bool = False,
    printer: Callable[..., None] = print_finding,
) -> Callable[[Callable[..., Finding]], click.Command]:
    """A command with DATA, these options and those that all analyses share; it returns a Finding, which is printed.

    Args:
        options: of the analysis; the command gets their values as keywords.
        show: the records that --show can choose from.
        measures: whether the command takes -m; or -m itself, where the default is not the usual one.
        figure: whether --figure draws what was found.
        files: whether DATA may be several files.
        printer: what prints the finding.
    """

    def decorated(command: Callable[..., Finding]) -> click.Command:
        @functools.wraps(command)
        def call(data: Any, quiet: bool, format: str, **given: Any) -> None:
            shown, drawn = given.pop("show", ()), given.pop("figure", None)
            table = TableOptions(**{one.name: given.pop(one.name) for one in TableOptions.each()})
            choice = choice_of(given, options.without)
            if figure:
                _check_figure(drawn, data, choice, given, replace=given.pop("replace"))
            with running(data, choice, quiet=quiet) as run:
                found = command(run, **given)
            note_unscored(run.evaluation, asked=bool(given.get("measures")), quiet=quiet)
            printer(found, format, shown, table)
            if drawn is not None:
                _draw(found.only(*shown), drawn)
                run.note(f"figure: {drawn}")

        chosen_measures = o.measures if measures is True else measures
        argument = [o.files if files else o.data, *([chosen_measures] if chosen_measures else [])]
        shared = [*argument, o.options_of(options), o.format]
        if show:
            records = o.OneOf(list(show))
            shared.append(
                click.option("--show", multiple=True, type=records, help="Show only these records; repeatable.")
            )
        if figure:
            shared += [o.figure, o.replace]
        shared += [o.options_of(TableOptions), o.options_of(Choice, without=options.without), o.quiet]
        made = functools.reduce(lambda inner, decorate: decorate(inner), reversed(shared), call)
        finished: click.Command = o.command()(made)
        return finished

    return decorated


def check_written(
    output: Path | None, data: Any, choice: Choice, options: Mapping[str, object], *, replace: bool
) -> None:
    """Refuse an output that would overwrite what a command reads, also what its measures read; before long work.

    Args:
        output: the file to write, if any.
        data: what the user gave as DATA.
        choice: the options that all analyses share.
        options: the other options of the command; names of measures among their values may name files.
        replace: whether the user agreed; this never applies to the data.
    """
    if output is None:
        return
    from pyramidion.measures.registry import files_in_measures

    for value in options.values():
        words = value if isinstance(value, list | tuple) else [value]
        for file in files_in_measures([word for word in words if isinstance(word, str)]):
            note_read(file)
    named = files_named((choice.option or {}).values())
    check_output(output, (data, *named), *choice.scores, replace=replace)


def choice_of(given: dict[str, Any], without: Sequence[str] = ()) -> Choice:
    """Take the options that all analyses share out of what was given."""
    return Choice(**{one.name: given.pop(one.name) for one in Choice.each() if one.name not in without})


@contextlib.contextmanager
def running(data: Any, choice: Choice, *, quiet: bool, lines: bool = False) -> Iterator[Run]:
    """An evaluation with progress on stderr (with `lines`, also where it is no terminal); warnings become notes."""
    from pyramidion.run.evaluation import Evaluation

    with plain_warnings(quiet=quiet), progress(quiet=quiet, lines=lines) as advance:
        said = 0

        def say_remarks() -> None:
            nonlocal said
            remarks = run.evaluation.problems.remarks
            for remark in remarks[said:]:
                run.note(remark)
            said = len(remarks)

        def step(what: str, done: int, total: int | None) -> None:
            if advance is not None:
                say_remarks()  # before long work, so that whoever sees a column misread can stop it
                advance(what, done, total)

        run = Run(evaluation=Evaluation(data, choice, progress=step if advance else None), quiet=quiet)
        try:
            yield run
        finally:
            say_remarks()


def _check_figure(
    figure: Path | None, data: Any, choice: Choice, options: Mapping[str, object], *, replace: bool
) -> None:
    """Refuse a figure that can't be drawn, or that would overwrite what is read, before long work is done for it."""
    if figure is not None:
        from pyramidion.reports.figures.chart import check_ending

        check_ending(figure)
        check_written(figure, data, choice, options, replace=replace)


def _draw(finding: Finding, path: Path) -> None:
    from pyramidion.reports.figures import draw, write_chart

    with writing(path):
        write_chart(draw(finding), path)
