"""`pyramidion study topics`: how many topics an evaluation needs (Owczarzak & Dang 2009, §4)."""

from __future__ import annotations

from typing import Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import progress
from pyramidion.cli.scoring import load_data, score_data
from pyramidion.cli.study import growth as g
from pyramidion.cli.study import shared
from pyramidion.errors import UsageError


def topics(
    data: o.Data,
    references: g.References = None,
    measures: o.Measures = None,
    sizes: Annotated[
        str, typer.Option("--sizes", help="Numbers of topics to draw; those that are too many are dropped.")
    ] = "1,3,6,12,24,36,39,42,45",
    coefficient: o.CoefficientOption = o.Coefficient.pearson,
    repetitions: g.Repetitions = 1000,
    tolerance: g.Tolerance = 0.01,
    beyond: g.Beyond = None,
    by: shared.By = None,
    confidence: o.Confidence = 95.0,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """How correlations with a reference grow with the number of topics.

    Of all topics k are drawn, the same for all summarizers, 1,000 times for each k. Without -m: ROUGE-1, -2, -L and
    -SU4 by recall, and the modified pyramid score where there are pyramids.

    Example: pyramidion study topics demo --with question.overall-responsiveness --sizes 1,2,4,8
    """
    from pyramidion.measures.registry import column, select_all
    from pyramidion.studies import ITSELF, default_measures, study_topics

    shared.check(figure, data, scores, confidence=confidence)
    numbers = _numbers(sizes)
    against = [name if name == ITSELF else column(name) for name in shared.given_with(references)]
    known = [name for name in against if name != ITSELF]
    conditions = {"": where}
    if shared.holds_scores(data):
        shared.refuse_parts(by)
        asked = [one.name for one in select_all(measures)] if measures else None
    else:
        campaign = load_data(data, where=where, strict=strict, quiet=True)
        asked = [one.name for one in select_all(measures or default_measures(campaign))]
        if by is not None:
            conditions = {part: [*(where or []), f"{by}={part}"] for part in shared.parts_of(campaign, by)}
    tables = {
        part: score_data(
            data,
            None if asked is None else [*asked, *known],
            where=condition,
            peers=peers,
            scores=scores,
            seed=seed,
            strict=strict,
            quiet=quiet,
        )
        for part, condition in conditions.items()
    }
    with progress("numbers of topics drawn", quiet=quiet) as advance:
        studies = {
            part: study_topics(
                table,
                [name for name in table.measures if name not in known or name in (asked or ())],
                against,
                sizes=numbers,
                beyond=None if beyond is None else [float(number) for number in beyond],
                coefficient=coefficient.value,
                repetitions=repetitions,
                tolerance=tolerance,
                confidence=confidence,
                seed=seed,
                progress=advance,
            )
            for part, table in tables.items()
        }
    g.present(studies, format, figure=figure, quiet=quiet)


def _numbers(sizes: str) -> list[int]:
    try:
        return [int(size) for size in sizes.split(",")]
    except ValueError:
        raise UsageError(f"--sizes {sizes}: expected whole numbers with commas, such as 1,3,6,12") from None
