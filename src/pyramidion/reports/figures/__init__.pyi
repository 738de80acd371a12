from pyramidion.reports.figures.chart import Chart as Chart, write_chart as write_chart
from pyramidion.reports.figures.correlations import draw_correlations as draw_correlations, draw_matrix as draw_matrix
from pyramidion.reports.figures.growth import draw_growth as draw_growth
from pyramidion.reports.figures.heterogeneity import draw_heterogeneity as draw_heterogeneity
from pyramidion.reports.figures.judgments import (
    draw_alphas as draw_alphas,
    draw_coefficients as draw_coefficients,
    draw_frequencies as draw_frequencies,
)
from pyramidion.reports.figures.leaderboard import (
    draw_leaderboard as draw_leaderboard,
    draw_leaderboards as draw_leaderboards,
)
from pyramidion.reports.figures.model_free import draw_model_free as draw_model_free
from pyramidion.reports.figures.orders import draw_orders as draw_orders
from pyramidion.reports.figures.power import draw_power as draw_power
from pyramidion.reports.figures.pyramid import draw_pyramids as draw_pyramids
from pyramidion.reports.figures.scatter import draw_scatter as draw_scatter
from pyramidion.reports.figures.findings import draw as draw
