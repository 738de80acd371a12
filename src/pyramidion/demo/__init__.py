"""The demo campaign: written for this project, in DUC's and TAC's style, with simulated judgments."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

CAMPAIGN_FOLDER = Path(str(files("pyramidion.demo"))) / "campaign"
"""The folder of the demo campaign."""
