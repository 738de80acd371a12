"""The section on judgments: numbers that others count too, words that follow from them, commands that repeat them."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm

import pyramidion
from pyramidion.campaign import Judgment
from pyramidion.reports.context import Context
from pyramidion.reports.section import Figure, Section, Table
from pyramidion.reports.sections import judgments
from pyramidion.scores import ScoreTable
from reports.people import block, context_of, context_with, items, repeat, words


@pytest.fixture(scope="module")
def context() -> Context:
    return context_of("demo")


@pytest.fixture(scope="module")
def section(context: Context) -> Section:
    found = judgments.make(context)
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
    assert judgments.make(small()) is None


def test_shares_and_means_are_those_that_a_plain_count_gives(context: Context, section: Section) -> None:
    table = block(section, "judgments-frequency-table", Table)
    campaign = context.campaign
    for question, kind, n, mean, *shares in table.rows:
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


def test_weights_are_those_of_statsmodels(context: Context, section: Section) -> None:
    rows: dict[tuple[str, str, str], dict[str, float]] = {}
    for one in context.campaign.judgments:
        rows.setdefault((one.topic, one.summarizer, one.assessor), {})[one.question] = one.value
    names = [str(row[0]) for row in block(section, "judgments-pooled", Table).rows[1:]]
    values = np.array([[row[name] for name in (*names, "overall-responsiveness")] for row in rows.values()])
    fit = sm.OLS(values[:, -1], sm.add_constant(values[:, :-1])).fit()
    shown = np.array([row[1:] for row in block(section, "judgments-pooled", Table).rows], dtype=float)
    np.testing.assert_allclose(shown[:, 0], fit.params, rtol=1e-8)
    np.testing.assert_allclose(shown[:, 1:3], fit.conf_int(0.05), rtol=1e-8)
    np.testing.assert_allclose(shown[:, 3], fit.pvalues, rtol=1e-6)


def test_it_says_what_stands_out_and_which_qualities_matter(section: Section) -> None:
    said = words(section)
    assert "Participants are rated best on grammaticality (mean 4.48) and worst on coherence (2.34)." in said
    assert "Humans have higher means than participants on every question" in said
    assert "Content-responsiveness has the largest weight for overall-responsiveness." in said
    assert "The weights of non-redundancy, focus, grammaticality and referential-clarity could not be told" in said


def test_simulated_answers_are_said_to_be_so_with_everything_that_is_shown(section: Section) -> None:
    assert "Simulated judgments." in section.notes
    assert all("Simulated judgments." in part.notes for part in section.parts)
    for item in items(section):
        assert isinstance(item, Table | Figure)
        assert "simulated judgments" in item.caption
        assert not isinstance(item, Figure) or "simulated judgments" in item.chart.to_svg()


def test_each_assessor_can_be_chosen(section: Section) -> None:
    figures = [item for item in items(section) if isinstance(item, Figure) and item.group]
    assert figures[0].choice == "all assessors"
    assert {figure.choice for figure in figures[1:]} == {f"simulated-{number}" for number in (1, 2, 3, 4)}


def test_the_commands_give_the_same_numbers(
    section: Section, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frequencies = repeat(section.commands[0], monkeypatch, capsys)
    shares = {(one["question"], one["kind"], one["value"]): 100 * one["share"] for one in frequencies}
    for question, kind, _, _, *shown in block(section, "judgments-frequency-table", Table).rows:
        assert shown == pytest.approx([shares[question, kind, value] for value in (1, 2, 3, 4, 5)])
    coefficients = repeat(section.parts[0].commands[0], monkeypatch, capsys)
    pooled = {one["term"]: one["beta"] for one in coefficients if one["pooled"]}
    assert {row[0]: row[1] for row in block(section, "judgments-pooled", Table).rows} == pytest.approx(pooled)


def test_commands_name_topics_but_not_who_is_scored(context: Context) -> None:
    chosen = replace(context, peers="all", scores="scores.csv", where={"part": "a b"})
    section = judgments.make(chosen)
    assert section is not None
    assert section.commands == ("pyramidion judgments frequencies demo --where 'part=a b'",)


def test_one_question_of_one_kind_makes_a_section_without_regression() -> None:
    section = judgments.make(small(("t", "x", "focus", 1.0), ("t", "y", "focus", 4.0)))
    assert section is not None
    assert section.title == "What assessors said"
    assert not section.parts
    assert "Participants have a mean of 2.50 on focus." in section.sentences
    assert any("two assessors" in said and "can’t be told" in said for said in section.sentences)


def test_who_has_no_name_is_not_counted_as_an_assessor() -> None:
    section = judgments.make(small(("t", "x", "focus", 1.0), ("t", "y", "focus", 4.0), assessor=""))
    assert section is not None
    assert section.sentences[0] == "There are answers to one question about 2 summaries: 2 answers; " + (
        "who gave them is not said."
    )


def test_a_verdict_that_can_not_be_explained_has_a_reason_and_no_figure() -> None:
    answers = [("t", who, question, 3.0) for who in "xy" for question in ("focus", "overall")]
    section = judgments.make(small(*answers))
    assert section is not None
    (part,) = section.parts
    assert not part.blocks
    assert part.sentences[0].startswith("What goes with overall can’t be told: all answers to the target are the same")


def test_long_scales_are_shown_answer_by_answer() -> None:
    answers = [(f"t{number}", "x", "recall", number / 30) for number in range(30)]
    section = judgments.make(small(*answers))
    assert section is not None
    table = block(section, "judgments-frequency-table", Table)
    assert [column.name for column in table.columns][2:4] == ["answer", "below"]
    assert sum(row[4] for row in table.rows if isinstance(row[4], int)) == 30


def test_further_questions_are_left_out_and_it_is_said() -> None:
    answers = [("t", who, f"q{number}", float(number % 5)) for who in "xy" for number in range(14)]
    section = judgments.make(small(*answers))
    assert section is not None
    assert "Only the first 12 of 14 questions are shown." in section.notes


def test_hostile_names_are_drawn_as_text() -> None:
    name = "</svg><script>alert(1)</script>"
    section = judgments.make(small(("t", "x", name, 1.0), ("t", "y", name, 4.0)))
    assert section is not None
    assert "<script" not in block(section, "judgments-frequencies", Figure).chart.to_svg()


def test_the_demo_has_judgments_of_humans() -> None:
    campaign = pyramidion.load("demo")
    assert {"human", "baseline", "participant"} == {campaign.kind_of(one.summarizer) for one in campaign.judgments}
