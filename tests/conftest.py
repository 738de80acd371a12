"""How many examples Hypothesis tries, and the scored demo campaign that all tests of a process share."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import settings

import pyramidion
from pyramidion.campaign import Campaign
from pyramidion.scores import ScoreTable

QUICK_EXAMPLES = 10

settings.register_profile("full", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=QUICK_EXAMPLES)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))


@pytest.fixture(scope="session")
def demo_campaign() -> Campaign:
    """The embedded campaign, read once."""
    return pyramidion.load("demo")


@pytest.fixture(scope="session")
def demo_table(demo_campaign: Campaign) -> ScoreTable:
    """The embedded campaign scored by the default measures: ROUGE recall, the pyramid and all questions."""
    return pyramidion.score(demo_campaign)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the quick profile, tests that ask for a number of examples get no more than the profile has."""
    if settings.get_current_profile_name() == "quick":
        for item in items:
            test: Any = getattr(item, "obj", None)
            own = getattr(test, "_hypothesis_internal_use_settings", None)
            if own is not None and own.max_examples > QUICK_EXAMPLES:
                test._hypothesis_internal_use_settings = settings(own, max_examples=QUICK_EXAMPLES)
