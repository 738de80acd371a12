"""Two-way analysis of variance, against statsmodels, golden values and what can be worked out by hand."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from other_packages import anova, formulas
from pyramidion.errors import UsageError
from pyramidion.statistics.variance import two_way_anova
from studies.meta_golden import CASES, expected, matrix


def two_way(rows: int, columns: int, *, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    values = 5 + generator.normal(size=(rows, 1)) + 3 * generator.normal(size=(1, columns))
    values = values + generator.normal(size=(rows, columns))
    values[generator.random(values.shape) < missing] = np.nan
    return np.asarray(values)


def long(values: np.ndarray) -> pandas.DataFrame:
    row, column = np.nonzero(~np.isnan(values))
    return pandas.DataFrame({"y": values[row, column], "row": row, "column": column})


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize(("rows", "columns"), [(6, 9), (9, 6), (2, 12), (12, 2), (35, 50)])
@pytest.mark.parametrize("missing", [0.0, 0.05, 0.3])
def test_the_table_is_that_of_statsmodels(rows: int, columns: int, missing: float) -> None:
    values = two_way(rows, columns, missing=missing, seed=rows)
    model = formulas.ols("y ~ C(row) + C(column)", long(values)).fit()
    theirs = anova.anova_lm(model, typ=2)
    found = two_way_anova(values)
    assert found is not None
    assert found.missing == np.isnan(values[found.rows][:, found.columns]).sum()
    for row, name in zip(found.table, ("C(row)", "C(column)", "Residual"), strict=True):
        assert row.degrees_of_freedom == theirs.loc[name, "df"]
        assert row.sum_of_squares == pytest.approx(theirs.loc[name, "sum_sq"], rel=1e-9)
        assert row.mean_square == pytest.approx(theirs.loc[name, "sum_sq"] / theirs.loc[name, "df"], rel=1e-9)
        if name != "Residual":
            assert row.f == pytest.approx(theirs.loc[name, "F"], rel=1e-9)
            assert row.p == pytest.approx(theirs.loc[name, "PR(>F)"], rel=1e-7)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_least_squares_means_are_predictions_averaged_over_all_columns(missing: float) -> None:
    values = two_way(5, 8, missing=missing, seed=3)
    model = formulas.ols("y ~ C(row) + C(column)", long(values)).fit()
    found = two_way_anova(values)
    assert found is not None
    for row in range(5):
        everywhere = pandas.DataFrame({"row": [row] * 8, "column": range(8)})
        assert found.row_means[row] == pytest.approx(model.predict(everywhere).mean(), rel=1e-9)


@pytest.mark.slow  # imports what it compares with
def test_the_variance_of_a_difference_is_that_of_statsmodels_contrast() -> None:
    values = two_way(5, 8, missing=0.25, seed=5)
    model = formulas.ols("y ~ C(row) - 1 + C(column)", long(values)).fit()
    found = two_way_anova(values)
    assert found is not None
    for first in range(5):
        for second in range(first):
            contrast = np.zeros(len(model.params))
            contrast[first], contrast[second] = 1, -1
            error = float(model.t_test(contrast).sd[0, 0])
            assert found.mean_square * found.difference_variances[first, second] == pytest.approx(error**2, rel=1e-9)


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_golden_tables(name: str, measure: str) -> None:
    _, values = matrix(name, measure)
    golden = expected(name, measure)
    found = two_way_anova(values)
    assert found is not None
    assert [row.degrees_of_freedom for row in found.table] == golden["df"]
    for row, source in zip(found.table, ("summarizer", "topic", "residual"), strict=True):
        assert row.source == source
        assert row.sum_of_squares == pytest.approx(golden[f"SS_{source}"], rel=1e-5)
        if source != "residual":
            assert row.f == pytest.approx(golden[f"F_{source}"], abs=1e-4)
            assert row.p == pytest.approx(golden[f"p_{source}"], rel=1e-3)
    assert found.mean_square == pytest.approx(golden["MSE"], rel=1e-5)
    assert dict(zip(matrix(name, measure)[0], found.row_means, strict=True)) == pytest.approx(golden["means"], rel=1e-5)


def test_pieces_that_share_nothing_are_tested_inside_only() -> None:
    values = np.full((4, 4), np.nan)
    values[:2, :2] = [[1.0, 2.0], [3.0, 5.0]]
    values[2:, 2:] = [[10.0, 20.0], [30.0, 41.0]]
    found = two_way_anova(values)
    assert found is not None
    assert found.pieces == 2
    assert [row.degrees_of_freedom for row in found.table] == [2, 2, 2]
    # Inside the pieces the rows' means differ by 2.5 and by 20.5: sums of squares 2·(2.5/2)²·2 and 2·(20.5/2)²·2.
    assert found.row_table.sum_of_squares == pytest.approx(6.25 + 420.25)
    assert np.isnan(found.row_means).all()
    assert np.isnan(found.difference_variances[0, 2])
    assert found.difference_variances[0, 1] == pytest.approx(2 / 2)


@pytest.mark.parametrize("values", [np.full((3, 4), 0.1), np.add.outer([0.1, 0.7], [0.2, 0.3, 0.5]) / 3])
def test_where_nothing_is_left_over_there_is_no_f(values: np.ndarray) -> None:
    found = two_way_anova(values)
    assert found is not None
    assert found.mean_square == 0
    assert np.isnan([found.row_table.f, found.row_table.p, found.column_table.f]).all()


@pytest.mark.parametrize("values", [np.zeros((1, 5)), np.zeros((5, 1)), np.full((2, 2), np.nan), np.zeros((0, 0))])
def test_without_a_degree_of_freedom_there_is_no_table(values: np.ndarray) -> None:
    assert two_way_anova(values) is None


def test_rows_and_columns_without_any_value_are_left_out() -> None:
    values = two_way(4, 6, seed=1)
    wider = np.full((5, 7), np.nan)
    wider[np.ix_([0, 1, 3, 4], [0, 1, 2, 4, 5, 6])] = values
    whole, found = two_way_anova(values), two_way_anova(wider)
    assert whole is not None
    assert found is not None
    assert list(found.rows) == [0, 1, 3, 4]
    assert found.missing == 0
    assert found.row_table == whole.row_table


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(UsageError, match="infinite"):
        two_way_anova(np.array([[1.0, np.inf], [2.0, 3.0]]))


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 1000), st.floats(-100, 100), st.floats(0.1, 100))
def test_shifting_and_scaling_changes_no_f(rows: int, columns: int, seed: int, shift: float, scale: float) -> None:
    values = two_way(rows, columns, seed=seed)
    first, second = two_way_anova(values), two_way_anova(values * scale + shift)
    assert first is not None
    assert second is not None
    assert second.row_table.f == pytest.approx(first.row_table.f, rel=1e-6)
    assert second.column_table.f == pytest.approx(first.column_table.f, rel=1e-6)


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 1000))
def test_the_sums_of_squares_of_complete_data_add_up(rows: int, columns: int, seed: int) -> None:
    values = two_way(rows, columns, seed=seed)
    found = two_way_anova(values)
    assert found is not None
    total = ((values - values.mean()) ** 2).sum()
    assert sum(row.sum_of_squares for row in found.table) == pytest.approx(total)
