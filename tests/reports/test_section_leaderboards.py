"""Leaderboards in the report have the numbers of `compare`, and say what is missing."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from scipy import stats

import pyramidion
from pyramidion.present.section import Dots
from pyramidion.reports.sections import make_leaderboards
from reports.sections_under_test import context_of, records_of, table_called, table_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "statistics" / "mixed.json").read_text(encoding="utf-8"))


def test_a_leaderboard_has_the_numbers_of_compare() -> None:
    section = make_leaderboards(context_of("demo", "rouge-2.recall"))
    means = [one for one in records_of(section.commands[0]) if one["record"] == "mean"]
    rows = table_of(section, "mean").rows
    assert len(rows) == len(means) == 20
    for row, one in zip(rows, means, strict=True):
        shown = ("rank", "summarizer", "value", "lower", "upper", "letters", "n")
        assert [row[place] for place in (0, 1, 3, 4, 5, 7, 9)] == [one[key] for key in shown]


def test_the_overview_marks_the_best_of_each_measure() -> None:
    table = table_called(
        make_leaderboards(context_of("demo", "rouge-1.recall", "question.coherence")), "Means on all measures"
    )
    for column in (1, 2):
        best = max(float(row[column]) for row in table.rows)  # type: ignore[arg-type]
        marked = [row for row, place in table.marked if place == column]
        assert marked == [place for place, row in enumerate(table.rows) if row[column] == best]


def test_where_scores_are_missing_the_adjusted_means_are_shown() -> None:
    demo = pyramidion.load("demo")
    uneven = replace(
        demo, summaries=tuple(one for one in demo.summaries if (one.topic, one.summarizer) != ("D04", "5"))
    )
    table = table_of(make_leaderboards(context_of(uneven, "rouge-1.recall")), "mean")
    names = [column.name for column in table.columns]
    assert names[-5:] == ["adjusted", "letters", "ranks", "topics", "missing"]
    assert {row[-1] for row in table.rows} == {None, 1}


def test_a_figure_says_in_words_from_whom_to_whom_it_goes() -> None:
    section = make_leaderboards(context_of("demo", "rouge-1.recall"))
    (drawn,) = section.parts[0].blocks
    assert isinstance(drawn, Dots)
    assert drawn.alt == snapshot(
        "Means of 20 systems on rouge-1.recall with their confidence intervals, from oracle (16) (0.4346) to off-topic (18) (0.2146). The table has all numbers."
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pyramidion.files.problems.CampaignWarning")  # topics without references
@pytest.mark.parametrize("question", ["fluency", "coherence", "relevance"])
def test_two_sentences_say_how_the_verdict_changes_with_the_assessors_as_a_sample(question: str) -> None:
    """The pairs with assessors as a sample are those of R's emmeans; as given, those of Tukey's test by SciPy."""
    folder = Path(os.environ.get("PYRAMIDION_DATA", "nowhere")) / "summeval_op"
    if not folder.exists():
        pytest.skip("PYRAMIDION_DATA has no summeval_op")
    section = make_leaderboards(context_of(str(folder), f"question.{question}"))
    answers = [one for one in pyramidion.load(folder).judgments if one.question == question]
    places = [
        np.unique([getattr(one, key) for one in answers], return_inverse=True)[1] for key in ("summarizer", "topic")
    ]
    means = np.zeros((13, 16))
    np.add.at(means, tuple(places), [one.value / 3 for one in answers])
    rows, columns = means.mean(axis=1), means.mean(axis=0)
    error = ((means - rows[:, None] - columns + means.mean()) ** 2).sum() / (12 * 15)
    critical = stats.studentized_range.ppf(0.95, 13, 12 * 15) * np.sqrt(error / 16)
    given = int((np.abs(rows[:, None] - rows)[np.triu_indices(13, 1)] >= critical).sum())
    sample = sum(pair[5] < 0.05 for pair in GOLDEN["mixed"][f"summeval_op/{question}"]["pairs"])
    assert sample < given
    said = [
        "Assessors and topics are treated as random samples, so the tests generalize to similar assessors and topics.",
        f"With these 3 assessors treated as fixed, {given} of 78 pairs would differ significantly instead of {sample}, "
        "but other assessors might not confirm all of them.",
    ]
    assert [sentence for sentence in section.parts[0].sentences if sentence in said] == said
