"""Reports: one self-contained HTML page with the answer, the evidence and the detail; figures alone."""

from pyramidion.reports.page import write_report

__all__ = ["write_report"]
