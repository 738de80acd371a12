"""Reports: one self-contained HTML page with leaderboards, figures and signatures."""

from pyramidion.reports.figures import write_figure
from pyramidion.reports.page import write_report

__all__ = ["write_figure", "write_report"]
