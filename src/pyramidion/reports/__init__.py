"""Reports: one self-contained HTML page with leaderboards, figures and signatures; figures alone."""

from pyramidion.reports.figures import write_figure
from pyramidion.reports.page import write_report
from pyramidion.reports.remarks import about_missing_topics

__all__ = ["about_missing_topics", "write_figure", "write_report"]
