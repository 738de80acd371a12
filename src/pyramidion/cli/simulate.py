"""`pyramidion simulate campaign|scores`: data whose truth is known."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.errors import InputError, UsageError

if TYPE_CHECKING:
    from pyramidion.simulate import Assessors, SimulatedMeasure

app = typer.Typer(
    no_args_is_help=True,
    help="Simulate campaigns and score tables whose truth is known: for load tests, power analysis, and to check "
    "that statistics find what is there.",
)

_VARIATION = "Variation"
_TEXTS = "Texts"
_JUDGMENTS = "Judgments"

Topics = Annotated[int, typer.Option(help="Number of topics.")]
Summarizers = Annotated[int, typer.Option(help="Number of systems.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same data, byte by byte.")]
Judgments = Annotated[
    bool,
    typer.Option("--judgments", help="Add answers from 1 to 5 by simulated assessors.", rich_help_panel=_JUDGMENTS),
]
AssessorCount = Annotated[
    int, typer.Option("--assessors", help="Number of assessors; each judges every summary.", rich_help_panel=_JUDGMENTS)
]
SeveritySd = Annotated[
    float, typer.Option(help="Spread of the assessors' severity, in points.", rich_help_panel=_JUDGMENTS)
]
JudgmentNoiseSd = Annotated[
    float, typer.Option(help="Noise of a single answer, in points.", rich_help_panel=_JUDGMENTS)
]


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
        Path | None, typer.Option(help="Where the truth goes, as CSV. Default: NAME.truth.csv beside the output.")
    ] = None,
    seed: Seed = 0,
    mean: Annotated[float, typer.Option(help="Grand mean.", rich_help_panel=_VARIATION)] = 0.4,
    system_sd: Annotated[
        float, typer.Option(help="Spread of the systems' quality.", rich_help_panel=_VARIATION)
    ] = 0.03,
    topic_sd: Annotated[
        float, typer.Option(help="Spread of the topics' difficulty.", rich_help_panel=_VARIATION)
    ] = 0.08,
    interaction_sd: Annotated[
        float, typer.Option(help="Spread of what a topic does to one system alone.", rich_help_panel=_VARIATION)
    ] = 0.05,
    noise_sd: Annotated[float, typer.Option(help="Spread of a measure's noise.", rich_help_panel=_VARIATION)] = 0.05,
    judgments: Judgments = False,
    assessors: AssessorCount = 2,
    severity_sd: SeveritySd = 0.3,
    judgment_noise_sd: JudgmentNoiseSd = 0.5,
) -> None:
    """Simulate a score table: mean + system + topic + interaction + noise, with the truth beside it.

    Example: pyramidion simulate scores --topics 1000 --summarizers 100 -m good=0.95 -m poor=0.4 -o scores.parquet
    """
    from pyramidion.simulate import ScoreDesign, SimulatedMeasure, write_simulated_scores
    from pyramidion.simulate.truth import truth_path

    design = ScoreDesign(
        topics=topics,
        summarizers=summarizers,
        seed=seed,
        mean=mean,
        system_sd=system_sd,
        topic_sd=topic_sd,
        interaction_sd=interaction_sd,
        noise_sd=noise_sd,
        measures=tuple(map(_measure, measure)) if measure else (SimulatedMeasure(),),
        assessors=_assessors(judgments, assessors, severity_sd, judgment_noise_sd),
    )
    truth = truth or truth_path(output)
    with _progress(design.rows, "rows") as progress, _writing(output):
        write_simulated_scores(design, output, truth=truth, progress=progress)
    shape = f"measures {len(design.columns)} × topics {topics} × summarizers {summarizers}"
    print(f"{output}: {design.rows} simulated scores ({shape}, seed {seed}); the truth is in {truth}")
    print(f"expected reliability of system means: {_shown(design.expected_reliability())}")
    for one in design.measures:
        expected = design.expected_correlations(one)
        coefficients = (
            f"Pearson {_shown(expected.pearson)}, Spearman {_shown(expected.spearman)}, "
            f"Kendall {_shown(expected.kendall)} (standard deviation {_shown(expected.kendall_sd)})"
        )
        print(f"{one.column}: expected system-level correlation with the truth: {coefficients}")


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
    documents: Annotated[int, typer.Option(help="Documents of each topic.", rich_help_panel=_TEXTS)] = 0,
    document_words: Annotated[int, typer.Option(help="Words of a document.", rich_help_panel=_TEXTS)] = 200,
    words: Annotated[int, typer.Option(help="Word limit of summaries.", rich_help_panel=_TEXTS)] = 100,
    units: Annotated[int, typer.Option(help="Content units of a topic.", rich_help_panel=_TEXTS)] = 40,
    zipf: Annotated[float, typer.Option(help="The k-th unit has importance 1/k^zipf.", rich_help_panel=_TEXTS)] = 1.0,
    synonyms: Annotated[
        float, typer.Option(help="Probability that a word is replaced by its synonym.", rich_help_panel=_TEXTS)
    ] = 0.2,
    quality: Annotated[
        float, typer.Option(help="Share of content in a typical system's text.", rich_help_panel=_VARIATION)
    ] = 0.6,
    system_sd: Annotated[
        float, typer.Option(help="Spread of the systems' quality, in log-odds.", rich_help_panel=_VARIATION)
    ] = 0.5,
    topic_sd: Annotated[
        float, typer.Option(help="Spread of the topics' difficulty, in log-odds.", rich_help_panel=_VARIATION)
    ] = 0.5,
    interaction_sd: Annotated[
        float,
        typer.Option(help="Spread of what a topic does to one system, in log-odds.", rich_help_panel=_VARIATION),
    ] = 0.3,
    selection_noise: Annotated[
        float, typer.Option(help="How far writers stray from the order of importance.", rich_help_panel=_VARIATION)
    ] = 1.0,
    judgments: Judgments = False,
    assessors: AssessorCount = 2,
    severity_sd: SeveritySd = 0.3,
    judgment_noise_sd: JudgmentNoiseSd = 0.5,
) -> None:
    """Simulate a campaign: texts whose overlap follows what they tell, with the truth beside them.

    Example: pyramidion simulate campaign --topics 50 --summarizers 20 --judgments --pyramids -o simulated
    """
    from pyramidion.simulate import CampaignDesign, write_simulated_campaign

    design = CampaignDesign(
        topics=topics,
        summarizers=summarizers,
        models=models,
        seed=seed,
        words=words,
        units=units,
        zipf=zipf,
        quality=quality,
        system_sd=system_sd,
        topic_sd=topic_sd,
        interaction_sd=interaction_sd,
        selection_noise=selection_noise,
        synonyms=synonyms,
        documents=documents,
        document_words=document_words,
        assessors=_assessors(judgments, assessors, severity_sd, judgment_noise_sd),
        pyramids=pyramids,
    )
    with _progress(design.rows, "summaries") as progress, _writing(output):
        written = write_simulated_campaign(design, output, progress=progress)
    shape = f"topics {topics} × summarizers {summarizers}, models {models}, seed {seed}"
    best = written.frame.sort("rank")["summarizer"][0]
    print(f"{output}: {design.rows} simulated summaries ({shape}); the truth is beside them, the best is {best}")


def _measure(text: str) -> SimulatedMeasure:
    from pyramidion.simulate import SimulatedMeasure

    name, separator, number = text.partition("=")
    try:
        return SimulatedMeasure(name=name, correlation=float(number) if separator else 1.0)
    except ValueError:
        raise UsageError(f"measure: found {text!r}; expected NAME=CORRELATION, such as good=0.9") from None


def _assessors(wanted: bool, count: int, severity_sd: float, noise_sd: float) -> Assessors | None:
    from pyramidion.simulate import Assessors

    return Assessors(count=count, severity_sd=severity_sd, noise_sd=noise_sd) if wanted else None


def _shown(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: can't be written ({error.strerror or error}); choose another place") from None


@contextlib.contextmanager
def _progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
