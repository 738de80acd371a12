"""The figure of any finding."""

from __future__ import annotations

import functools

from pyramidion.errors import UsageError
from pyramidion.pyramids import PyramidView
from pyramidion.reports.figures.chart import Chart
from pyramidion.reports.figures.correlations import draw_correlations, draw_matrix
from pyramidion.reports.figures.growth import draw_growth
from pyramidion.reports.figures.heterogeneity import draw_heterogeneity
from pyramidion.reports.figures.judgments import draw_alphas, draw_coefficients, draw_frequencies
from pyramidion.reports.figures.leaderboard import draw_leaderboards
from pyramidion.reports.figures.model_free import draw_model_free
from pyramidion.reports.figures.orders import draw_orders
from pyramidion.reports.figures.power import draw_power
from pyramidion.reports.figures.pyramid import draw_pyramids
from pyramidion.reports.figures.scatter import draw_scatter
from pyramidion.studies.comparison import Comparison
from pyramidion.studies.correlations import Correlations
from pyramidion.studies.growth import GrowthStudy
from pyramidion.studies.heterogeneity import HeterogeneityStudy
from pyramidion.studies.judgments import Frequencies, JudgmentAgreement, JudgmentRegression
from pyramidion.studies.model_free import ModelFreeStudy
from pyramidion.studies.orders import OrdersStudy
from pyramidion.studies.power import Power
from pyramidion.tables import Finding


@functools.singledispatch
def draw(finding: Finding) -> Chart:
    """The figure of a finding."""
    raise UsageError(f"there is no figure for {type(finding).__name__}")


@draw.register
def _(finding: Correlations) -> Chart:
    if finding.options.matrix:
        return draw_matrix(finding)
    return draw_correlations(finding) if finding.options.draw == "intervals" else draw_scatter(finding)


draw.register(Comparison, draw_leaderboards)
draw.register(GrowthStudy, draw_growth)
draw.register(HeterogeneityStudy, draw_heterogeneity)
draw.register(ModelFreeStudy, draw_model_free)
draw.register(Power, draw_power)
draw.register(Frequencies, draw_frequencies)
draw.register(JudgmentRegression, draw_coefficients)
draw.register(JudgmentAgreement, draw_alphas)
draw.register(PyramidView, lambda found: draw_pyramids(found.pyramids))
draw.register(OrdersStudy, draw_orders)
