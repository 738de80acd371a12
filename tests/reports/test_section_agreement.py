"""The section on agreement: α as another package gives it, and words that claim no more than the interval does."""

import itertools

import krippendorff
import numpy as np
import pytest

from pyramidion.campaign import Judgment
from pyramidion.options import AlphaMetric
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import make_agreement
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from reports.sections_under_test import context_of, context_with, records_of, table_called, words


@pytest.fixture(scope="module")
def context() -> Context:
    return context_of("demo", "question")


@pytest.fixture(scope="module")
def section(context: Context) -> Section:
    found = make_agreement(context)
    assert found is not None
    return found


def judged(answers: dict[str, list[float]]) -> Context:
    """From the answers of each assessor, one summary after the other."""
    table = ScoreTable.from_columns(measure=["js"] * 2, topic=["t"] * 2, summarizer=["x", "y"], value=[0.1, 0.2])
    given = [
        Judgment(topic=f"t{number}", summarizer="x", question="focus", value=value, assessor=assessor)
        for assessor, values in answers.items()
        for number, value in enumerate(values)
    ]
    return context_with(table, *given)


def test_without_judgments_and_without_a_summary_judged_twice_there_is_no_section() -> None:
    assert make_agreement(judged({})) is None
    assert make_agreement(judged({"a": [1, 2, 3]})) is None


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_the_krippendorff_package(context: Context, section: Section, metric: AlphaMetric) -> None:
    assessors = sorted({one.assessor for one in context.campaign.judgments})
    given = {(one.question, one.assessor, one.topic, one.summarizer): one.value for one in context.campaign.judgments}
    summaries = sorted({(one.topic, one.summarizer) for one in context.campaign.judgments})
    for row in table_called(section, "Krippendorff's α").rows:
        if row[1] == metric:
            codings = [[given.get((str(row[0]), who, *summary), np.nan) for summary in summaries] for who in assessors]
            expected = krippendorff.alpha(reliability_data=codings, level_of_measurement=metric)
            assert row[2] == pytest.approx(expected, abs=1e-9)


def test_words_follow_the_interval_and_not_the_value_alone(section: Section) -> None:
    rows = [row for row in table_called(section, "Krippendorff's α").rows if row[1] == "ordinal"]
    for question, _, _, lower, upper, *_ in rows:
        assert isinstance(lower, float)
        assert isinstance(upper, float)
        said = next(part for part in words(section).split("Here the interval")[1].split(";") if str(question) in part)
        if lower >= 0.8:
            assert "above 0.8" in said
        elif lower >= 0.667:
            assert "above 0.667" in said
        elif upper < 0.667:
            assert "below 0.667" in said
        else:
            assert "too wide to tell" in said


def test_one_answer_that_prevails_is_no_reason_to_blame_assessors(section: Section) -> None:
    assert "α is low for grammaticality although most answers are equal" in words(section)


def test_pairs_are_counted_as_a_loop_counts_them(context: Context, section: Section) -> None:
    given: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for one in context.campaign.judgments:
        given.setdefault((one.question, one.assessor), {})[one.topic, one.summarizer] = one.value
    rows = {tuple(row[:3]): row[3:] for row in table_called(section, "Pairs of assessors").rows}
    assessors = sorted({assessor for _, assessor in given})
    found = 0
    for question in context.campaign.question_names:
        for first, second in itertools.combinations(assessors, 2):
            ours, theirs = given[question, first], given[question, second]
            pairs = [(ours[summary], theirs[summary]) for summary in ours if summary in theirs]
            if pairs:
                found += 1
                equal, within, difference, _, _, n = rows[question, first, second]
                assert n == len(pairs)
                assert equal == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
                assert within == pytest.approx(sum(abs(a - b) <= 1 for a, b in pairs) / len(pairs))
                assert difference == pytest.approx(sum(a - b for a, b in pairs) / len(pairs))
    assert found == len(rows)


def test_simulated_answers_are_said_to_be_so(section: Section) -> None:
    assert section.mark == "simulated judgments"
    for item in section.blocks:
        assert isinstance(item, Table | Figure)
        assert "simulated judgments" in (item.title if isinstance(item, Table) else item.caption)


def test_the_command_gives_the_same_numbers(
    section: Section,
) -> None:
    records = records_of(section.commands[0])
    alphas = {(one["question"], one["metric"]): one for one in records if one["record"] == "question-alpha"}
    for question, metric, alpha, lower, upper, *_ in table_called(section, "Krippendorff's α").rows:
        one = alphas[str(question), str(metric)]
        assert [alpha, lower, upper] == pytest.approx([one["alpha"], one["lower"], one["upper"]])


def test_answers_that_are_all_the_same_have_no_alpha_and_no_figure() -> None:
    section = make_agreement(judged({"a": [3, 3, 3], "b": [3, 3, 3]}))
    assert section is not None
    assert not any(isinstance(item, Figure) for item in section.blocks)
    assert any("all answers are equal" in note for note in table_called(section, "Krippendorff's α").notes)
    assert table_called(section, "Krippendorff's α").rows[0][2] is None


def test_of_many_pairs_those_with_most_in_common_are_shown() -> None:
    values = [1.0, 2.0, 3.0, 4.0]
    section = make_agreement(judged({f"a{number:02}": values for number in range(16)} | {"last": values[:1]}))
    assert section is not None
    table = table_called(section, "Pairs of assessors")
    assert len(table.rows) == 100
    assert not any("last" in row for row in table.rows)
    assert "Of 136 pairs" in words(section)


def test_the_heading_claims_an_order_of_questions_only_where_their_intervals_do_not_overlap(section: Section) -> None:
    assert section.finding == "Assessors agree best on coherence (α = 0.88) and least on grammaticality (0.28)"
    table = ScoreTable.from_columns(measure=["js"] * 2, topic=["t"] * 2, summarizer=["x", "y"], value=[0.1, 0.2])
    random = np.random.default_rng(1)
    answers = [
        Judgment(topic=f"t{topic}", summarizer=summarizer, question=question, value=value, assessor=assessor)
        for question in ("focus", "clarity")
        for topic in range(10)
        for summarizer in ("x", "y")
        for assessor, value in zip(
            "ab", np.clip(3 + random.integers(-1, 2) + random.integers(-1, 2, 2), 1, 5), strict=True
        )
    ]
    similar = make_agreement(context_with(table, *answers))
    assert similar is not None
    assert similar.finding.startswith("Krippendorff's α of the questions lies between ")
    assert "may be chance" in words(similar)
