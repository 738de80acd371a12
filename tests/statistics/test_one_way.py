"""One-way analysis with Tukey's test, and the marks of printed tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import f_oneway

from other_packages import multicomp
from pyramidion.statistics.one_way import one_way, significance_marks

PRINTED = Path(__file__).parents[1] / "golden" / "statistics" / "printed.json"


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("sizes", [(30, 30, 30, 30), (12, 30, 7)])
def test_it_agrees_with_scipy_and_statsmodels(sizes: tuple[int, ...]) -> None:
    random = np.random.default_rng(4)
    groups = [random.normal(loc=0.4 * number, size=size) for number, size in enumerate(sizes)]
    found = one_way(groups)
    assert found is not None
    expected = f_oneway(*groups)
    assert found.f == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-8)
    names = np.repeat(np.arange(len(sizes)), sizes)
    tukey = multicomp.pairwise_tukeyhsd(np.concatenate(groups), names, alpha=0.05)
    upper = [found.differs[i, j] for i in range(len(sizes)) for j in range(i + 1, len(sizes))]
    assert upper == list(tukey.reject)
    assert not found.differs.diagonal().any()


def test_groups_that_do_not_vary_differ_wherever_their_means_do() -> None:
    found = one_way([np.full(5, 0.5), np.full(5, 0.5), np.full(5, 0.7)])
    assert found is not None
    np.testing.assert_array_equal(found.differs, [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert np.isinf(found.f)


def test_too_little_to_compare_gives_none() -> None:
    assert one_way([np.array([1.0, 2.0])]) is None
    assert one_way([np.array([1.0]), np.array([2.0])]) is None
    assert one_way([np.array([1.0, 2.0]), np.array([])]) is None


@given(arrays(np.float64, (4, 6), elements=st.floats(-1, 1)))
@settings(deadline=None, max_examples=30)
def test_the_order_of_groups_does_not_matter(values: np.ndarray) -> None:
    found, turned = one_way(list(values)), one_way(list(values[::-1]))
    assert found is not None
    assert turned is not None
    np.testing.assert_array_equal(found.differs, turned.differs[::-1, ::-1])


def columns() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(PRINTED.read_text())["marks"]["columns"]
    return found


@pytest.mark.parametrize("column", columns(), ids=lambda column: str(column["column"]))
def test_marks_are_those_of_the_printed_tables(column: dict[str, Any]) -> None:
    """Owczarzak & Dang 2009, Table 7: the symbols from the pairs that they imply."""
    rows = [row for row in column["rows"] if "actual" not in row["row"]]  # one value, outside of the test
    alike = {(pair[0], pair[1]) for pair in column["pairs"]}
    names = [row["row"] for row in rows]
    differs = np.array(
        [[one != other and (one, other) not in alike and (other, one) not in alike for other in names] for one in names]
    )
    assert significance_marks(differs) == ["".join(row["marks"]) for row in rows]


def test_when_symbols_run_out_they_are_doubled() -> None:
    marks = significance_marks(np.zeros((10, 10), dtype=bool))
    assert marks[0] == "*"
    assert marks[-1] == "*†‡§¶‖#**††"
