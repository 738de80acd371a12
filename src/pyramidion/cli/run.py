"""A command that analyses DATA: one shared decorator turns options into an Evaluation and prints the Finding."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, note_unscored, plain_warnings, print_finding, progress, writing
from pyramidion.files.problems import RunFiles
from pyramidion.files.targets import check_output, files_named
from pyramidion.options import AnalysisOptions, Choice, Options, TableOptions

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.show.tables import Finding


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a command works with: the evaluation of its DATA, the measures of -m, and how to talk to the user."""

    evaluation: Evaluation
    quiet: bool
    measures: Sequence[str] | None = None

    def note(self, message: str) -> None:
        """Say something on stderr, unless --quiet."""
        note(message, quiet=self.quiet)


def analysis(
    kind: type[AnalysisOptions],
    *,
    shows: str = "",
    measures: bool | o.Decorator = False,
    figure: bool = False,
    files: bool = False,
    printer: Callable[..., None] = print_finding,
) -> Callable[[Callable[[Run, AnalysisOptions], Finding]], click.Command]:
    """A command with DATA, these options and those that all analyses share; it returns a Finding, which is printed.

    Args:
        kind: the options of the analysis, which the command gets as one object.
        shows: the class of the result, as module:name, whose kinds of records --show chooses from.
        measures: whether the command takes -m; or -m itself, where the default is not the usual one.
        figure: whether --figure draws what was found.
        files: whether DATA may be several files.
        printer: what prints the finding.
    """

    def decorate_command(command: Callable[[Run, AnalysisOptions], Finding]) -> click.Command:
        @functools.wraps(command)
        def call(
            data: Any,
            quiet: bool,
            format: str,
            measures: list[str] | None = None,
            show: Sequence[str] = (),
            figure: Path | None = None,
            replace: bool = False,
            **flags: object,
        ) -> None:
            table = take_options(TableOptions, flags)
            choice = take_options(Choice, flags)
            options = take_options(kind, flags)
            files = _check_figure(figure, data, choice, measures, options, replace=replace)
            with running(data, choice, measures=measures, quiet=quiet, files=files) as run:
                # Progress has ended before anything is printed, so that it does not draw into a table.
                finding = command(run, options)
            note_unscored(run.evaluation, asked=bool(measures), quiet=quiet)
            printer(finding, format, show, table)
            if figure is not None:
                _draw(finding.only(*show), figure)
                run.note(f"figure: {figure}")

        chosen_measures = o.measures if measures is True else measures
        argument = [o.files if files else o.data, *([chosen_measures] if chosen_measures else [])]
        shared = [*argument, o.options_of(kind), o.format]
        if shows:
            records = o.RecordChoice(shows)
            shared.append(
                click.option("--show", multiple=True, type=records, help="Show only these records; repeatable.")
            )
        if figure:
            shared += [o.figure, o.replace]
        shared += [o.options_of(TableOptions), o.options_of(Choice, without=kind.unused_choice), o.quiet]
        # The decorator that is applied last comes first in the help.
        made = functools.reduce(lambda inner, decorate: decorate(inner), reversed(shared), call)
        finished: click.Command = o.command()(made)
        return finished

    return decorate_command


def check_written(
    output: Path | None,
    data: Any,
    choice: Choice,
    measures: Sequence[str] | None,
    options: Options | None = None,
    *,
    replace: bool,
) -> RunFiles:
    """Refuse an output that would overwrite what a command reads, also what its measures read; before long work.

    Args:
        output: the file to write, if any.
        data: what the user gave as DATA.
        choice: the options that all analyses share.
        measures: of -m; they may name files.
        options: of the analysis; names of measures among their values may name files, too.
        replace: whether the user agreed; this never applies to the data.

    Returns:
        The files of the run, for its evaluation: it refuses to read the output.
    """
    files = RunFiles()
    if output is None:
        return files
    from pyramidion.measures.registry import files_in_measures

    # A measure may name a file, such as a background corpus, and so may options that take measures.
    words = list(measures or ())
    if options is not None:
        words += _words_in(options)
    for file in files_in_measures(words):
        files.note_read(file)
    named = files_named((choice.option or {}).values())
    check_output(output, (data, *named), *choice.scores, replace=replace, files=files)
    return files


def _words_in(options: Options) -> Iterator[str]:
    """Every text among the values of options."""
    for value in vars(options).values():
        words = value if isinstance(value, list | tuple) else [value]
        yield from (word for word in words if isinstance(word, str))


def take_options(kind: type[AnalysisOptions], flags: dict[str, Any]) -> AnalysisOptions:
    """The options of one kind, taken out of what the command line gave; an absent one has its default."""
    names = [option.name for option in kind.each() if option.name in flags]
    return kind(**{name: flags.pop(name) for name in names})


@contextlib.contextmanager
def running(
    data: Any,
    choice: Choice,
    *,
    measures: Sequence[str] | None = None,
    quiet: bool,
    lines: bool = False,
    files: RunFiles | None = None,
) -> Iterator[Run]:
    """An evaluation with progress on stderr (with `lines`, also where it is no terminal); warnings become notes.

    Args:
        data: what the user gave as DATA.
        choice: the options that all analyses share.
        measures: of -m.
        quiet: whether nothing is said on stderr.
        lines: whether progress is printed as lines where stderr is no terminal.
        files: those of `check_written`, if the command writes an output.
    """
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

        evaluation = Evaluation(data, choice, progress=step if advance else None, files=files)
        run = Run(evaluation=evaluation, quiet=quiet, measures=measures)
        try:
            yield run
        finally:
            say_remarks()


def _check_figure(
    figure: Path | None, data: Any, choice: Choice, measures: Sequence[str] | None, options: Options, *, replace: bool
) -> RunFiles:
    """Refuse a figure that can't be drawn, or that would overwrite what is read, before long work is done for it."""
    if figure is not None:
        from pyramidion.present.chart import check_ending

        check_ending(figure)
    return check_written(figure, data, choice, measures, options, replace=replace)


def _draw(finding: Finding, path: Path) -> None:
    from pyramidion.present.chart import write_chart
    from pyramidion.present.registry import draw

    with writing(path):
        write_chart(draw(finding), path)
