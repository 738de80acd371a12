"""`pyramidion pyramid …`: score peers with pyramids, look at them and check them, compare annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.cli.options import Program, group
from pyramidion.cli.output import print_finding
from pyramidion.cli.pyramid.check import check
from pyramidion.cli.run import Run, analysis
from pyramidion.options import PyramidAgreementOptions, PyramidScoreOptions, PyramidShowOptions, TableOptions
from pyramidion.show.tables import Finding

pyramid: Program = group("pyramid", "Work with pyramids: score summaries, show and check pyramids, compare annotators.")


def _print_view(found: Any, format: str, show: Sequence[str], table: TableOptions) -> None:
    """A few pyramids are drawn in the terminal; everything else is printed as tables or records."""
    if format == "table" and found.drawn and not (show or table.fields):
        from pyramidion.cli.pyramid.drawing import draw
        from pyramidion.present.pyramids import drawing_sentences

        for place, pyramid in enumerate(found.pyramids):
            draw(pyramid, *drawing_sentences(found, place))
    else:
        print_finding(found, format, show, table)


@pyramid.add
@analysis(PyramidScoreOptions, files=True)
def score(run: Run, options: PyramidScoreOptions) -> Finding:
    """Score summaries with pyramids: the original, modified and comprehensive score, with D, X and Max.

    Scores with several sub-pyramids (--order, --jackknife) are means.

    Example: pyramidion pyramid score demo --topic D02 --format json
    """
    return run.evaluation.pyramid_scores(options)


@pyramid.add
@analysis(
    PyramidShowOptions,
    shows="pyramids.view:PyramidView",
    figure=True,
    files=True,
    printer=_print_view,
)
def show(run: Run, options: PyramidShowOptions) -> Finding:
    """Show pyramids: the topics sorted by consensus, the SCUs of one topic, or what a summarizer expresses and misses.

    Example: pyramidion pyramid show demo --topic D02 --summarizer 16
    """
    return run.evaluation.show_pyramids(options)


pyramid.add(check)


@pyramid.add
@analysis(
    PyramidAgreementOptions,
    shows="pyramids.reliability.agreement:PyramidAgreement",
    files=True,
)
def agreement(run: Run, options: PyramidAgreementOptions) -> Finding:
    """Measure how far annotators agree: Krippendorff's α on words and on the presence of SCUs.

    Example: pyramidion pyramid agreement first.pyr second.pyr
    """
    return run.evaluation.pyramid_agreement(options)
