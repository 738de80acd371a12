"""`pyramidion simulate campaign|scores`: data whose truth is known."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from pyramidion.cli.output import progress, writing
from pyramidion.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    help="Simulate campaigns and score tables whose truth is known: for load tests, for power analysis, and to check "
    "that statistics find what is there.",
)

_texts, _variation, _judgments = (
    partial(typer.Option, rich_help_panel=panel) for panel in ("Texts", "Variation", "Judgments")
)

Topics = Annotated[int, typer.Option(help="Number of topics.")]
Summarizers = Annotated[int, typer.Option(help="Number of systems.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same data, byte for byte.")]
Judgments = Annotated[bool, _judgments("--judgments", help="Add answers from 1 to 5 by simulated assessors.")]
AssessorCount = Annotated[int, _judgments(help="Number of assessors; each judges every summary.")]
SeveritySd = Annotated[float, _judgments(help="Standard deviation of the assessors' severity, in points.")]
JudgmentNoiseSd = Annotated[float, _judgments(help="Standard deviation of the noise of one answer, in points.")]


@app.command()
def scores(
    *,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The score table: a .parquet, .csv or .jsonl file.", show_default=False),
    ],
    topics: Topics = 50,
    summarizers: Summarizers = 20,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME=CORRELATION",
            help="A measure and its correlation with the truth, -1 to 1; may be repeated. Default: score=1.",
        ),
    ] = None,
    truth: Annotated[
        Path | None, typer.Option(help="Where to write the truth, as CSV. Default: NAME.truth.csv next to the output.")
    ] = None,
    seed: Seed = 0,
    mean: Annotated[float, _variation(help="Grand mean.")] = 0.4,
    system_sd: Annotated[float, _variation(help="Standard deviation of the systems' quality.")] = 0.03,
    topic_sd: Annotated[float, _variation(help="Standard deviation of the topics' difficulty.")] = 0.08,
    interaction_sd: Annotated[float, _variation(help="Standard deviation of the interaction of system and topic.")] = (
        0.05
    ),
    noise_sd: Annotated[float, _variation(help="Standard deviation of a measure's noise.")] = 0.05,
    judgments: Judgments = False,
    assessor_count: AssessorCount = 2,
    severity_sd: SeveritySd = 0.3,
    judgment_noise_sd: JudgmentNoiseSd = 0.5,
) -> None:
    """Simulate a score table: mean + system + topic + interaction + noise, and write the truth next to it.

    Example: pyramidion simulate scores --topics 1000 --summarizers 100 -m good=0.95 -m poor=0.4 -o scores.parquet
    """
    options = _without(locals(), "output", "truth", "measure")
    from pyramidion.simulate import ScoreDesign, write_simulated_scores
    from pyramidion.simulate.truth import truth_path

    design = ScoreDesign(**options, measures=_measures(measure or ["score=1"]))
    truth = truth or truth_path(output)
    with progress("rows") as step, writing(output):
        write_simulated_scores(design, output, truth=truth, progress=step)
    shape = f"measures {len(design.columns)} × topics {topics} × summarizers {summarizers}, seed {seed}"
    written = f"{output}: {design.rows} simulated scores ({shape}). The truth is in {truth}."
    print("\n".join([written, *design.sentences()]))


@app.command()
def campaign(
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="A flat .jsonl or .parquet file, or a new folder (a path without such an ending).",
            show_default=False,
        ),
    ],
    topics: Topics = 20,
    summarizers: Summarizers = 10,
    models: Annotated[int, typer.Option(help="Model summaries of each topic.")] = 4,
    seed: Seed = 0,
    pyramids: Annotated[
        bool, typer.Option("--pyramids", help="Add pyramids and annotations, exact by construction (folder only).")
    ] = False,
    documents: Annotated[int, _texts(help="Documents of each topic.")] = 0,
    document_words: Annotated[int, _texts(help="Words of a document.")] = 200,
    words: Annotated[int, _texts(help="Word limit of summaries.")] = 100,
    units: Annotated[int, _texts(help="Content units of a topic.")] = 40,
    zipf: Annotated[float, _texts(help="The k-th unit has importance 1/k^zipf.")] = 1.0,
    synonyms: Annotated[float, _texts(help="Share of words that are replaced by their synonym.")] = 0.2,
    quality: Annotated[float, _variation(help="Share of content in a typical system's text.")] = 0.6,
    system_sd: Annotated[float, _variation(help="Standard deviation of the systems' quality, in log-odds.")] = 0.5,
    topic_sd: Annotated[float, _variation(help="Standard deviation of the topics' difficulty, in log-odds.")] = 0.5,
    interaction_sd: Annotated[
        float, _variation(help="Standard deviation of the interaction of system and topic, in log-odds.")
    ] = 0.3,
    selection_noise: Annotated[float, _variation(help="How far writers stray from the order of importance.")] = 1.0,
    judgments: Judgments = False,
    assessor_count: AssessorCount = 2,
    severity_sd: SeveritySd = 0.3,
    judgment_noise_sd: JudgmentNoiseSd = 0.5,
) -> None:
    """Simulate a campaign: texts whose overlap follows what they tell, and write the truth next to it.

    Example: pyramidion simulate campaign --topics 50 --summarizers 20 --judgments --pyramids -o simulated
    """
    options = _without(locals(), "output")
    from pyramidion.simulate import CampaignDesign, write_simulated_campaign

    design = CampaignDesign(**options)
    with progress("summaries") as step, writing(output):
        written = write_simulated_campaign(design, output, progress=step)
    shape = f"topics {topics} × summarizers {summarizers}, models {models}, seed {seed}"
    print(f"{output}: {design.rows} simulated summaries ({shape}).")
    print(f"The truth is next to it; the best system is {written.best}.")


def _without(options: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}


def _measures(texts: list[str]) -> dict[str, float]:
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
