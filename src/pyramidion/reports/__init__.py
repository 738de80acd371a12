"""Reports: one self-contained HTML page with leaderboards, figures and signatures; figures alone."""

from pyramidion.reports.figures import write_chart, write_leaderboards
from pyramidion.reports.page import write_report
from pyramidion.reports.remarks import remarks_on

__all__ = ["remarks_on", "write_chart", "write_leaderboards", "write_report"]
