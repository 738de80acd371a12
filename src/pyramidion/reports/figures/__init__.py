"""Figures, one file a kind; `base` has what they share."""

from pyramidion.reports.figures.base import write_chart
from pyramidion.reports.figures.leaderboard import interval_plot, write_leaderboards

__all__ = ["interval_plot", "write_chart", "write_leaderboards"]
