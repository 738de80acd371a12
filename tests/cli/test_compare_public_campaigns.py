"""`pyramidion compare` on public campaigns, against values computed elsewhere (tests/golden/statistics/README.md).

The data may not be shipped: set PYRAMIDION_DATA to a folder with the campaigns realsumm, summeval and summeval_op;
without it these tests are skipped.
"""

import os
from pathlib import Path

import pytest

from cli.running import Run, records
from studies.meta_golden import META, expected

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
STATISTICS = {"R": "recall", "P": "precision", "F": "f"}
CASES = [
    (name, measure)
    for name in ("realsumm", "summeval", "summeval_op")
    for measure in META[name]["anova_tukey"]["values"]
    if measure != "overall"  # no question of the campaign, but the mean of its questions
]

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns"),
]


def own_name(measure: str) -> str:
    if not measure.startswith("ROUGE"):
        return f"question.{measure.replace('_', '-')}"
    _, kind, letter = measure.split("-")
    return f"rouge-{kind.lower()}(rounding=rouge155).{STATISTICS[letter]}"


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_everything_is_as_computed_elsewhere(run: Run, name: str, measure: str) -> None:
    golden = expected(name, measure)
    arguments = (str(DATA / name), "-m", own_name(measure), "--assessors", "fixed", "--letters", "tukey")
    code, out, _ = run("compare", *arguments, "--format", "json", "-q")
    assert code == 0
    rows = records(out)
    means = {row["summarizer"]: row for row in rows if row["record"] == "mean"}
    assert {who: row["letters"] for who, row in means.items()} == golden["letters"]
    assert {who: row["value"] for who, row in means.items()} == pytest.approx(golden["means"], rel=1e-5)
    anova = {row["source"]: row for row in rows if row["record"] == "anova"}
    assert [row["df"] for row in anova.values()] == golden["df"]
    for source in ("summarizer", "topic"):
        assert anova[source]["ss"] == pytest.approx(golden[f"SS_{source}"], rel=1e-5)
        assert anova[source]["f"] == pytest.approx(golden[f"F_{source}"], abs=1e-4)
        assert anova[source]["p"] == pytest.approx(golden[f"p_{source}"], rel=1e-3)
    (tukey,) = (row for row in rows if row["record"] == "tukey")
    assert tukey["q"] == pytest.approx(golden["q_95"], abs=1e-4)
    assert tukey["mse"] == pytest.approx(golden["MSE"], rel=1e-5)
    assert tukey["critical_difference"] == pytest.approx(golden["critical_difference"], rel=1e-5)
    assert tukey["pairs"] == golden["n_significant_pairs"]
    (friedman,) = (row for row in rows if row["record"] == "friedman")
    assert friedman["chi2"] == pytest.approx(golden["friedman"]["chi2"], abs=1e-4)
    assert friedman["p"] == pytest.approx(golden["friedman"]["p"], rel=1e-3)
    assert friedman["nemenyi_difference"] == pytest.approx(golden["nemenyi"]["critical_difference"], abs=1e-4)
    assert friedman["pairs"] == golden["nemenyi"]["n_significant_pairs"]
