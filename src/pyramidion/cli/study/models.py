"""`pyramidion study models`: how many models an evaluation needs (Owczarzak & Dang 2009, §3)."""

from __future__ import annotations

from pyramidion.cli import options as o
from pyramidion.cli.output import plain_warnings, progress
from pyramidion.cli.scoring import load_data
from pyramidion.cli.study import growth as g
from pyramidion.cli.study import shared
from pyramidion.errors import UsageError


def models(
    data: o.Data,
    references: g.References = None,
    measures: o.Measures = None,
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
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """How correlations with a reference grow with the number of models.

    Each topic draws its own k models, 1,000 times for each k. Without -m: ROUGE-1, -2, -L and -SU4 by recall, and the
    modified pyramid score where there are pyramids.

    Example: pyramidion study models demo --with question.overall-responsiveness
    """
    from pyramidion.studies import default_measures, study_models

    shared.check(figure, data, confidence=confidence)
    against = shared.given_with(references)
    if shared.holds_scores(data):
        raise UsageError(f"{data} is a table of scores, and models are drawn from texts; give the campaign")
    parts = shared.parts_of(load_data(data, where=where, strict=strict, quiet=quiet), by)
    asked = measures or default_measures(next(iter(parts.values())))
    with plain_warnings(quiet=quiet), progress("numbers of models drawn", quiet=quiet) as advance:
        studies = {
            part: study_models(
                campaign,
                asked,
                against,
                peers=peers.value,
                beyond=None if beyond is None else [float(number) for number in beyond],
                coefficient=coefficient.value,
                repetitions=repetitions,
                tolerance=tolerance,
                confidence=confidence,
                seed=seed,
                progress=advance,
            )
            for part, campaign in parts.items()
        }
    g.present(studies, format, figure=figure, quiet=quiet)
