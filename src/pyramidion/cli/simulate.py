"""`pyramidion simulate campaign|scores`: data with known ground truth."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from pathlib import Path

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import progress, writing
from pyramidion.cli.run import take_options
from pyramidion.errors import UsageError
from pyramidion.files.targets import check_output
from pyramidion.options import CampaignShape, SimulatedCampaignOptions, SimulatedScoresOptions

simulate: o.Program = o.group(
    "simulate",
    "Simulate campaigns and score tables with known ground truth, for load tests, power analysis and checks.",
)
target: o.Decorator = o.output("The file or folder to write.", None, required=True)


@simulate.add
@o.command()
@target
@o.replace_without_data
@click.option(
    "--measure",
    "-m",
    multiple=True,
    metavar="NAME=CORRELATION",
    help="A measure and its correlation with the ground truth, -1 to 1; repeatable. Default: score=1.",
)
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    help="Where to write the ground truth, as CSV. Default: NAME.truth.csv next to the output.",
)
@o.options_of(SimulatedScoresOptions)
def scores(output: Path, measure: Sequence[str], truth: Path | None, replace: bool, **flags: object) -> None:
    """Simulate a score table: mean + system + topic + interaction + noise; the ground truth is written next to it.

    The output is a .parquet, .csv or .jsonl file.

    Example: pyramidion simulate scores --topics 1000 --summarizers 100 -m good=0.95 -m poor=0.4 -o scores.parquet
    """
    from pyramidion.simulate import ScoreDesign, write_simulated_scores
    from pyramidion.simulate.truth import truth_path

    design = take_options(ScoreDesign, {**flags, "measures": _measures(measure or ["score=1"])})
    truth = truth or truth_path(output)
    for path in (output, truth):
        check_output(path, (), replace=replace)
    with progress() as advance, writing(output):
        step = None if advance is None else lambda count: advance("rows", count, design.rows)
        write_simulated_scores(design, output, truth=truth, progress=step)
    shape = f"measures {len(design.columns)} × topics {design.topics} × summarizers {design.summarizers}"
    print(f"{output}: {design.rows} simulated scores ({shape}, seed {design.seed}). The ground truth is in {truth}.")
    print("\n".join(design.sentences()))


@simulate.add
@o.command()
@target
@o.replace_without_data
@click.option(
    "--shape",
    type=o.OneOf(typing.get_args(CampaignShape)),
    help="Take sizes, questions and assessors from a past campaign; options that you give take precedence.",
)
@o.options_of(SimulatedCampaignOptions)
@click.pass_context
def campaign(
    context: click.Context, /, output: Path, replace: bool, shape: CampaignShape | None, **flags: object
) -> None:
    """Simulate a campaign whose texts share words where they share content; the ground truth is written next to it.

    The output is a flat .jsonl or .parquet file, or a new folder (a path without such an ending).

    Example: pyramidion simulate campaign --topics 50 --summarizers 20 --judgments --pyramids -o simulated
    """
    from pyramidion.simulate import CampaignDesign, write_simulated_campaign
    from pyramidion.simulate.design import SHAPES
    from pyramidion.simulate.truth import truth_path

    for path in (output, truth_path(output), truth_path(output, ".parquet")):
        check_output(path, (), replace=replace)
    if shape:
        default = click.core.ParameterSource.DEFAULT
        # By where a value comes from, not by the value: who types the default means it.
        changed = {name: value for name, value in flags.items() if context.get_parameter_source(name) != default}
        design = take_options(CampaignDesign, {**SHAPES[shape], **changed})
    else:
        design = take_options(CampaignDesign, flags)
    with progress() as advance, writing(output):
        step = None if advance is None else lambda count: advance("summaries", count, design.rows)
        written = write_simulated_campaign(design, output, progress=step)
    parts = f" × parts {design.parts}" if design.parts > 1 else ""
    sizes = f"topics {design.topics}{parts} × summarizers {design.summarizers}, models {design.models}"
    print(f"{output}: {design.rows} simulated summaries ({sizes}, seed {design.seed}).")
    print(f"The ground truth is next to it; the best system is {written.best}.")
    if design.judgments:
        known = f"severity {design.severity_sd**2:.4g}, system × assessor {design.system_assessor_sd**2:.4g}"
        print(f"Known variances of the judgments: {known}, noise {design.judgment_noise_sd**2:.4g}.")


def _measures(texts: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in texts:
        name, separator, number = text.partition("=")
        try:
            correlation = float(number) if separator else 1.0
        except ValueError:
            raise UsageError(f"measure: found {text!r}; expected NAME=CORRELATION, such as good=0.9") from None
        if name in found:
            raise UsageError(f"measure: found {name} twice; expected each name once")
        found[name] = correlation
    return found
