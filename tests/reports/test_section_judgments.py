"""The section on judgments: numbers that others count too, words that follow from them, commands that repeat them."""

from collections import Counter

import numpy as np
import pytest
from inline_snapshot import snapshot

import pyramidion
from other_packages import statsmodels
from pyramidion.campaign import Judgment
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import make_judgments
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from reports.sections_under_test import block, context_of, context_with, items, records_of, table_called, words

POOLED = "What predicts overall-responsiveness: all assessors together"


@pytest.fixture(scope="module")
def context() -> Context:
    return context_of("demo")


@pytest.fixture(scope="module")
def section(context: Context) -> Section:
    found = make_judgments(context)
    assert found is not None
    return found


def small(*answers: tuple[str, str, str, float], assessor: str = "a") -> Context:
    """From (topic, summarizer, question, value)."""
    table = ScoreTable.from_columns(
        measure=["rouge-2.recall"] * 2, topic=["t"] * 2, summarizer=["x", "y"], value=[0.1, 0.2]
    )
    given = [
        Judgment(topic=topic, summarizer=who, question=question, value=value, assessor=assessor)
        for topic, who, question, value in answers
    ]
    return context_with(table, *given)


def test_without_judgments_there_is_no_section() -> None:
    assert make_judgments(small()) is None


def test_shares_and_means_are_those_that_a_plain_count_gives(context: Context, section: Section) -> None:
    table = table_called(section, "How often")
    campaign = context.campaign
    for question, kind, *shares, mean, n in table.rows:
        values = [
            one.value
            for one in campaign.judgments
            if one.question == question and campaign.kind_of(one.summarizer) == kind
        ]
        counts = Counter(values)
        assert n == len(values)
        assert mean == pytest.approx(sum(values) / len(values))
        assert shares == pytest.approx([100 * counts[value] / len(values) for value in (1, 2, 3, 4, 5)])
    assert len(table.rows) == 7 * 3


@pytest.mark.slow  # imports what it compares with
def test_weights_are_those_of_statsmodels(context: Context, section: Section) -> None:
    rows: dict[tuple[str, str, str], dict[str, float]] = {}
    for one in context.campaign.judgments:
        rows.setdefault((one.topic, one.summarizer, one.assessor), {})[one.question] = one.value
    names = [str(row[0]) for row in table_called(section, POOLED).rows[1:]]
    values = np.array([[row[name] for name in (*names, "overall-responsiveness")] for row in rows.values()])
    assessors = np.array([key[2] for key in rows])
    indicators = (assessors[:, None] == np.unique(assessors)[1:]).astype(float)
    columns = np.column_stack([values[:, :-1], indicators - indicators.mean(axis=0)])
    fit = statsmodels.OLS(values[:, -1], statsmodels.add_constant(columns)).fit()
    shown = np.array([row[1:] for row in table_called(section, POOLED).rows], dtype=float)
    terms = slice(0, len(names) + 1)
    np.testing.assert_allclose(shown[:, 0], fit.params[terms], rtol=1e-8)
    independent = context.evaluation.judgment_regression(errors="independent").pooled.coefficients
    limits = np.array([[one.lower, one.upper] for one in independent], dtype=float)
    np.testing.assert_allclose(limits, fit.conf_int(0.05)[terms], rtol=1e-8)
    np.testing.assert_allclose(np.array([one.p for one in independent], dtype=float), fit.pvalues[terms], rtol=1e-6)
    clustered = context.evaluation.judgment_regression(errors="topic").pooled.coefficients
    limits = np.array([[one.lower, one.upper] for one in clustered], dtype=float)
    np.testing.assert_allclose(shown[:, 1:3], limits, rtol=1e-12)


def test_it_says_what_stands_out_and_which_qualities_matter(section: Section) -> None:
    said = words(section)
    assert "Submitted systems are rated highest on grammaticality (mean 4.48) and lowest on coherence (2.34)." in said
    assert "Humans have higher means than submitted systems on every question" in said
    assert "content-responsiveness has the largest coefficient for overall-responsiveness." in said
    assert "Not significant: non-redundancy, focus, referential-clarity and grammaticality." in said


def test_simulated_answers_are_said_to_be_so_with_everything_that_is_shown(section: Section) -> None:
    assert section.mark == "simulated judgments"
    for item in items(section):
        assert isinstance(item, Table | Figure)
        assert "simulated judgments" in (item.title if isinstance(item, Table) else item.caption)
        assert not isinstance(item, Figure) or "simulated judgments" in item.draw().to_svg()


def test_the_coefficients_of_all_assessors_are_drawn_and_the_table_has_each(section: Section) -> None:
    assert "all assessors" in block(section, "judgments-coefficients", Figure).caption
    names = {row[0] for row in table_called(section, "What predicts overall-responsiveness: coefficients").rows}
    assert names == {"all assessors", *(f"simulated-{number}" for number in (1, 2, 3, 4))}


def test_the_commands_give_the_same_numbers(
    section: Section,
) -> None:
    frequencies = records_of(section.commands[0])
    shares = {(one["question"], one["kind"], one["value"]): 100 * one["share"] for one in frequencies}
    for question, kind, *shown, _, _ in table_called(section, "How often").rows:
        assert shown == pytest.approx([shares[question, kind, value] for value in (1, 2, 3, 4, 5)])
    coefficients = records_of(section.parts[0].commands[0])
    pooled = {one["term"]: one["beta"] for one in coefficients if one["pooled"]}
    assert {row[0]: row[1] for row in table_called(section, POOLED).rows} == pytest.approx(pooled)


def test_commands_name_topics_but_not_who_is_scored() -> None:
    section = make_judgments(context_of("demo", "question", peers="all", where={"part": "A"}, seed=1))
    assert section is not None
    assert section.commands == ("pyramidion judgments frequencies demo --where part=A",)


def test_one_question_of_one_kind_makes_a_section_without_regression() -> None:
    section = make_judgments(small(("t", "x", "focus", 1.0), ("t", "y", "focus", 4.0)))
    assert section is not None
    assert section.finding == snapshot("Focus is rated 2.50 on average, with answers from 1 to 4")
    assert not section.parts
    assert section.sentences == snapshot(
        (
            "1 assessor answered 1 question about 2 summaries: 2 answers. No summary was judged by two assessors, so their agreement is unknown.",
        )
    )


def test_who_has_no_name_is_not_counted_as_an_assessor() -> None:
    section = make_judgments(small(("t", "x", "focus", 1.0), ("t", "y", "focus", 4.0), assessor=""))
    assert section is not None
    assert section.sentences[0].startswith("2 answers to 1 question about 2 summaries; assessors are not recorded")


def test_a_verdict_that_can_not_be_explained_has_a_reason_and_no_figure() -> None:
    answers = [("t", who, question, 3.0) for who in "xy" for question in ("focus", "overall")]
    section = make_judgments(small(*answers))
    assert section is not None
    (part,) = section.parts
    assert not any(isinstance(item, Figure) for item in part.blocks)
    assert part.sentences[0].startswith("No regression of overall could be fitted: all answers to the target are the")


def test_long_scales_are_shown_in_groups() -> None:
    answers = [(f"t{number}", "x", "recall", number / 30) for number in range(30)]
    section = make_judgments(small(*answers))
    assert section is not None
    table = table_called(section, "How often")
    assert [column.name for column in table.columns][2:4] == ["0 – 0.0967", "0.0967 – 0.193"]
    assert table.rows[0][-1] == 30


def test_further_questions_are_left_out_and_it_is_said() -> None:
    answers = [("t", who, f"q{number}", float(number % 5)) for who in "xy" for number in range(14)]
    section = make_judgments(small(*answers))
    assert section is not None
    assert "Only the first 12 of 14 questions are shown." in section.notes


def test_hostile_names_are_drawn_as_text() -> None:
    name = "</svg><script>alert(1)</script>"
    section = make_judgments(small(("t", "x", name, 1.0), ("t", "y", name, 4.0), ("t", "y", "focus", 2.0)))
    assert section is not None
    assert "<script" not in block(section, "judgments-frequencies", Figure).draw().to_svg()


def test_the_demo_has_judgments_of_humans() -> None:
    campaign = pyramidion.load("demo")
    assert {"human", "baseline", "participant"} == {campaign.kind_of(one.summarizer) for one in campaign.judgments}
