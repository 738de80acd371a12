"""With assessors as a sample, tests of equal systems err as often as they say (benchmarks.assessors has all designs)."""

import pytest
from benchmarks.assessors.designs import Design
from benchmarks.assessors.errors import rates

RUNS = 300
"""A true rate of 5 % is then found as 0.6 to 9.4 % (3.5 standard errors)."""


@pytest.mark.slow
@pytest.mark.parametrize("judges", [None, 1])
def test_equal_systems_rarely_differ_though_assessors_rank_them_differently(judges: int | None) -> None:
    design = Design(systems=5, topics=15, assessors=5, interaction=0.1, judges=judges)
    found = rates(design, RUNS, 1)
    assert found.unfit == 0
    assert 0.6 <= found.f <= 9.4
    assert 0.6 <= found.tukey <= 9.4
    assert found.covered >= 90.6
    assert found.fixed > found.f
