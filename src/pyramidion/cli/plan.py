"""`pyramidion plan`: which answers to ask people for, drawn with known chances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyramidion.cli import options as o
from pyramidion.cli.output import print_finding, writing
from pyramidion.cli.run import check_written, running, take_options
from pyramidion.errors import UsageError
from pyramidion.options import Choice, PlanOptions


@o.command()
@o.data
@o.options_of(PlanOptions)
@o.output("Also write a table of what people are to answer: a .csv file, for those who label elsewhere.", None)
@o.format
@o.options_of(Choice, without=PlanOptions.unused_choice)
@o.replace
@o.quiet
def plan(data: Any, output: Path | None, format: str, replace: bool, quiet: bool, **flags: object) -> None:
    """Draw which answers people are asked for, with the chance of each, and write the sample (sample.jsonl).

    People's answers to the sample and a predictor of the others are combined by `compare --using`. If a sample exists,
    a larger --share extends it.

    Example: pyramidion plan demo --share 20 --by scu --plan sample.jsonl
    """
    options = take_options(PlanOptions, flags)
    choice = take_options(Choice, flags)
    if output is not None and output.suffix != ".csv":
        raise UsageError(f"-o {output}: what is to be labelled is written as .csv")
    files = check_written(output, data, choice, None, options, replace=replace)
    target = output or Path(options.plan or "sample.jsonl")
    with running(data, choice, quiet=quiet, files=files) as run, writing(target):
        finding = run.evaluation.write_plan(options, output)
    print_finding(finding, format)
    if output is not None:
        run.note(f"what is to be labelled: {output}")
