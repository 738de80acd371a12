"""Which examples the property tests try: always the same ones, or with a new seed as many as a soak has time for.

Profiles (the variable HYPOTHESIS_PROFILE):

- `fixed` (`make test`): the same examples in every run on every machine, so that the same tree gives the same result.
- `quick` (`make quick`): the first few of them.
- `explore` (`make soak`): many random examples, drawn with the seed of the run; a failure is printed with the
  command that repeats it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

QUICK_EXAMPLES = 10
EXPLORE_FACTOR = float(os.environ.get("SOAK_EXAMPLES", "10"))
"""In `explore`, each test tries this many times as many examples as in `fixed`."""


def load_profile() -> None:
    """Register the profiles and load the one that the environment names."""
    settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
    settings.register_profile("quick", settings.get_profile("fixed"), max_examples=QUICK_EXAMPLES)
    settings.register_profile(
        "explore", deadline=None, database=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
    if settings().derandomize:
        ignore_constants_of_loaded_modules()


def ignore_constants_of_loaded_modules() -> None:
    """Draw examples that do not depend on which tests ran before.

    Hypothesis mixes in constants from the source of every module that is loaded at the time. Most of ours load late,
    so the examples of a test would depend on the tests before it in the same process, even without randomness.
    """
    no_constants = providers._local_constants
    providers._get_local_constants = lambda: no_constants


def adapt_numbers_of_examples(tests: Iterable[pytest.Item], profile: str) -> None:
    """Limit tests that ask for many examples in the quick profile, and multiply all numbers in the exploring one."""
    if profile == "fixed":
        return
    adapted: set[int] = set()
    for test in tests:
        function: Any = getattr(test, "obj", None)
        own_settings = getattr(function, "_hypothesis_internal_use_settings", None)
        if own_settings is None or id(function) in adapted:  # a test with parameters is many tests of one function
            continue
        adapted.add(id(function))
        if profile == "quick":
            examples = min(own_settings.max_examples, QUICK_EXAMPLES)
        else:
            examples = max(1, round(own_settings.max_examples * EXPLORE_FACTOR))
        function._hypothesis_internal_use_settings = settings(own_settings, max_examples=examples)


def print_how_to_repeat(reporter: Any, config: pytest.Config) -> None:
    """After a run of `explore`: for each property that failed, the command that tries the same examples again."""
    if settings.get_current_profile_name() != "explore":
        return
    seed = config.getoption("--hypothesis-seed")
    reporter.write_line(
        f"Random examples drawn with the seed {seed}, {EXPLORE_FACTOR:g} times as many as in make test."
    )
    for report in reporter.stats.get("failed", []):
        reporter.write_line(
            f"Repeat: HYPOTHESIS_PROFILE=explore SOAK_EXAMPLES={EXPLORE_FACTOR:g} .envs/dev/bin/python -m pytest "
            f"--hypothesis-seed={seed} '{report.nodeid}'"
        )
