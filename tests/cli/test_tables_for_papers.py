"""Tables for papers, from the command line."""

import csv
import io

import pytest

from cli.running import Run

COMPARE = ("compare", "demo", "-m", "rouge-2.recall")
CORRELATE = ("correlate", "demo", "-m", "rouge-2.recall", "--with", "question.overall-responsiveness")


@pytest.mark.slow
def test_a_cross_of_any_record_in_every_format(run: Run) -> None:
    cross = (*CORRELATE, "--pivot", "measure×coefficient")
    (row,) = csv.DictReader(io.StringIO(run(*cross, "--format", "csv")[1]))
    assert list(row) == ["measure", "pearson", "spearman", "kendall"]
    assert "simulated judgments" in run(*cross, "--format", "latex")[1]


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
