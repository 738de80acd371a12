"""Tables for papers, from the command line."""

import csv
import io

import pytest

from cli.running import Run

COMPARE = ("compare", "demo", "-m", "rouge-2.recall")
CORRELATE = ("correlate", "demo", "-m", "rouge-2.recall", "--with", "question.overall-responsiveness")


@pytest.mark.slow
def test_chosen_fields_of_any_record_in_every_format(run: Run) -> None:
    fields = (*CORRELATE, "--fields", "measure,coefficient,value")
    rows = list(csv.DictReader(io.StringIO(run(*fields, "--format", "csv")[1])))
    assert [row["coefficient"] for row in rows] == ["spearman", "kendall", "pearson"]
    assert list(rows[0]) == ["measure", "coefficient", "value"]
    assert "simulated judgments" in run(*fields, "--format", "latex")[1]


def test_chosen_fields_with_decimals_and_bold(run: Run) -> None:
    fields = (*COMPARE, "--fields", "summarizer,value,letters", "--digits", "3", "--bold", "best")
    assert "\\begin{tabular}{lrl}" in run(*fields, "--format", "latex")[1]
    assert "**0.128**" in run(*fields, "--format", "markdown")[1]
    assert " 0.128• " in run(*fields)[1]
    assert " 0.13 " in run(*COMPARE, "--digits", "2")[1]


def test_json_has_no_layout(run: Run) -> None:
    code, _, error = run(*COMPARE, "--fields", "value", "--format", "json")
    assert code == 2
    assert "no JSON" in error
