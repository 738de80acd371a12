"""The miniature packages, each imported once from either form."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.formats import find_format

GOLDEN = Path(__file__).parents[2] / "golden" / "nist"
NAMES = ("duc2006", "duc2007", "tac2008")
FORMS = ("tree", "archives")


@cache
def imported(name: str, form: str, **options: str) -> tuple[Campaign, Problems]:
    """The campaign of a package, and what was noted."""
    problems = Problems()
    campaign = find_format("nist").read(GOLDEN / name / form, problems, **options)
    assert problems.errors == 0
    return campaign, problems


@cache
def expected(name: str) -> dict[str, Any]:
    """What an import must give."""
    found: dict[str, Any] = json.loads((GOLDEN / name / "expected.json").read_text())
    return found
