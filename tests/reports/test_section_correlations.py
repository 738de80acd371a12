"""The section on correlations: numbers as SciPy has them, humans apart, sentences that follow the tests."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from inline_snapshot import snapshot

import pyramidion
from pyramidion.options import ReportOptions
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import make_correlations, make_heterogeneity, make_how_many
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from pyramidion.show.wording import number, with_interval
from reports.sections_under_test import block, context_of, context_with, items, records_of, table_called, words

OVERALL = "question.overall-responsiveness"
SYSTEM, TOPIC = (f"Correlation with {OVERALL}, {level} level" for level in ("system", "topic"))


@pytest.fixture(scope="module")
def context() -> Context:
    return context_of("demo")


@pytest.fixture(scope="module")
def section(context: Context) -> Section:
    found = make_correlations(context)
    assert found is not None
    return found


def scored(summarizers: int, *measures: str, topics: int = 6) -> ScoreTable:
    """Scores that go together more or less."""
    random = np.random.default_rng(5)
    quality = random.normal(size=(summarizers, 1))
    keys = list(itertools.product(measures, range(summarizers), range(topics)))
    values = {name: quality + random.normal(size=(summarizers, topics)) for name in measures}
    return ScoreTable.from_columns(
        measure=[name for name, *_ in keys],
        topic=[f"t{topic}" for *_, topic in keys],
        summarizer=[f"s{who}" for _, who, _ in keys],
        value=[float(values[name][who, topic]) for name, who, topic in keys],
    )


def test_values_at_system_level_are_those_of_scipy(context: Context, section: Section) -> None:
    means = {(name, who): value for name, who, value, *_ in context.table.means().iter_rows()}
    systems = context.table.summarizers
    table = table_called(section, SYSTEM)
    for row in table.rows:
        x, z = ([means[name, who] for who in systems] for name in (str(row[0]), OVERALL))
        expected = [
            scipy.stats.spearmanr(x, z).statistic,
            scipy.stats.kendalltau(x, z).statistic,
            scipy.stats.pearsonr(x, z).statistic,
        ]
        assert [row[1], row[4], row[7]] == pytest.approx(expected)
        interval = scipy.stats.pearsonr(x, z).confidence_interval(0.95)
        lower, upper = (float(str(limit)) for limit in row[8:10])  # systems lie far out: not narrower than Fisher's
        assert lower <= interval.low + 1e-9
        assert upper >= interval.high - 1e-9
        assert row[-1] == 20


def test_values_within_topics_are_means_of_those_of_scipy(context: Context, section: Section) -> None:
    for row in table_called(section, TOPIC).rows:
        x, z = context.table.matrix(str(row[0])), context.table.matrix(OVERALL)
        assert x.summarizers == z.summarizers
        assert x.topics == z.topics
        inside = []
        for ours, theirs in zip(x.values.T, z.values.T, strict=True):
            both = ~np.isnan(ours) & ~np.isnan(theirs)
            inside.append(scipy.stats.spearmanr(ours[both], theirs[both]).statistic)
        assert row[1] == pytest.approx(np.mean(inside))
        assert row[2] < row[1] < row[3]  # type: ignore[operator]


def test_the_best_comes_first_and_the_sentences_follow_the_tests(section: Section) -> None:
    rows = table_called(section, SYSTEM).rows
    values = [row[1] for row in rows]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]
    automatic = [str(row[0]) for row in rows if str(row[0]).startswith("rouge")]
    assert list(section.sentences) == snapshot(
        [
            "Of the automatic measures, rouge-su4.recall has the strongest correlation with question.overall-responsiveness: Spearman 0.78 (95 % interval 0.50 to 0.92). Next is rouge-l.recall: 0.75 (0.44 to 0.91).",
            "The difference is not significant (permutation test, p = 0.632).",
            "Of the pyramid scores, pyramid.modified has the highest correlation: 0.91 (0.75 to 0.97). Compared with rouge-su4.recall, the difference is not significant (permutation test, p = 0.409).",
            "No two measures differ significantly (21 pairs, permutation test with Holm correction).",
            "Within topics, the correlation of rouge-su4.recall averages 0.58 (0.32 to 0.76) over 11 topics: this shows how well it ranks summaries of the same topic.",
        ]
    )
    assert automatic[0] in section.sentences[0]


def test_the_commands_give_the_same_numbers(
    section: Section,
) -> None:
    records = records_of(section.commands[0])
    values = {
        (one["measure"], one["level"], one["coefficient"]): [one["value"], one["lower"], one["upper"]]
        for one in records
        if one["record"] == "correlation"
    }
    for level in ("system", "topic"):
        for row in table_called(section, f"Correlation with {OVERALL}, {level} level").rows:
            for place, coefficient in ((1, "spearman"), (4, "kendall"), (7, "pearson")):
                assert list(row[place : place + 3]) == pytest.approx(values[str(row[0]), level, coefficient])


def test_the_command_of_a_single_measure_asks_for_no_test() -> None:
    section = make_correlations(context_of("demo", "rouge-2.recall", OVERALL))
    assert section is not None
    assert section.sentences[0].startswith(f"rouge-2.recall correlates with {OVERALL}: Spearman 0.74")
    for command in (*section.commands, section.parts[1].commands[0]):
        assert records_of(command)


def test_humans_stand_apart_and_are_scored_without_their_own_model(section: Section) -> None:
    table = table_called(section, "Means of summarizers")
    humans = {str(row[0]).split()[0]: row for row in table.rows if row[1] == "human"}
    assert set(humans) == {"A", "B", "C", "D"}
    names = [column.name for column in table.columns]
    expected = pyramidion.score("demo", ["rouge-2.recall"], peers="humans")
    means = dict(expected.means().select("summarizer", "value").iter_rows())
    shown = {who: row[names.index("rouge-2.recall")] for who, row in humans.items()}
    assert shown == pytest.approx(means)
    assert max(means.values()) < 0.5  # a model compared with itself would have 1
    figure = block(section, "correlations-scatter-0", Figure)
    assert all(f">{kind}<" in figure.draw().to_svg() for kind in ("human", "baseline", "participant"))
    assert "every human is above every system" in words(section)


def test_humans_of_the_table_are_not_scored_again() -> None:
    context = context_of("demo", "rouge-2.recall", "question", peers="all")
    section = make_correlations(context)
    assert section is not None
    assert sum(row[1] == "human" for row in table_called(section, "Means of summarizers").rows) == 4
    assert "Humans are among the summarizers" in words(section)
    assert "--peers all" in section.commands[0]


def test_judgments_that_were_not_asked_for_are_still_what_measures_are_held_against() -> None:
    section = make_correlations(context_of("demo", "rouge-2.recall", "js"))
    assert section is not None
    assert section.finding == snapshot(
        "rouge-2.recall has the highest correlation with overall responsiveness: Spearman 0.74; no two measures differ significantly"
    )
    assert OVERALL in section.sentences[0]
    assert "For js, lower is better" in words(section)


def test_low_is_good_counts_as_agreement() -> None:
    context = context_of("demo", "question.overall-responsiveness", "js", "rouge-2.recall")
    found = make_correlations(context)
    assert found is not None
    first, second = (row[1] for row in table_called(found, SYSTEM).rows)
    assert isinstance(first, float)
    assert isinstance(second, float)
    assert min(first, second) < 0 < max(first, second)
    assert abs(first) > abs(second)


def test_simulated_answers_are_said_to_be_so_where_they_show(section: Section) -> None:
    assert any(note.startswith("Simulated judgments") for note in section.notes)
    for item in items(section):
        if isinstance(item, Table):
            known = " ".join([item.title, *item.notes])
            assert "imulated judgments" in known or "pyramid.modified" in item.title
        else:
            assert isinstance(item, Figure)
            assert "simulated judgments" in item.caption


def test_without_a_human_score_every_two_measures_are_compared() -> None:
    section = make_correlations(context_with(scored(5, "rouge-1.recall", "rouge-2.recall")))
    assert section is not None
    assert section.title == "How measures agree with each other"
    table = table_called(section, "Spearman correlation of every two measures")
    assert [row[1] for row in table.rows] == ["rouge-1.recall", "rouge-2.recall"]


def test_a_single_measure_or_summarizer_is_nothing_to_correlate() -> None:
    assert make_correlations(context_with(scored(5, "rouge-1.recall"))) is None
    assert make_correlations(context_with(scored(1, "rouge-1.recall", "rouge-2.recall"))) is None


def test_few_summarizers_are_warned_of_and_fewer_than_five_have_no_correlations() -> None:
    four = context_with(scored(4, "rouge-1.recall", "rouge-2.recall", "question.overall"))
    assert make_correlations(four) is None
    assert make_how_many(four) is None
    assert make_heterogeneity(four) is None
    ten = make_correlations(context_with(scored(9, "rouge-1.recall", "rouge-2.recall", "question.overall")))
    assert ten is not None
    assert "Correlations over only 9 summarizers are not reliable." in ten.sentences


def test_scores_that_never_vary_have_no_correlation_and_no_section_fails() -> None:
    table = ScoreTable.from_columns(
        measure=["rouge-1.recall"] * 5 + ["question.overall"] * 5,
        topic=["t"] * 10,
        summarizer=["v", "w", "x", "y", "z"] * 2,
        value=[0.5] * 5 + [1.0, 2.0, 3.0, 4.0, 5.0],
    )
    section = make_correlations(context_with(table))
    assert section is not None
    assert section.sentences[0] == "No correlation with question.overall is defined."


def test_thirty_measures_stay_small() -> None:
    names = [f"rouge-{size}.recall" for size in range(1, 28)]
    table = scored(12, *names, "question.overall", "question.content", "question.focus")
    section = make_correlations(context_with(table, resamples=20))
    assert section is not None
    figures = [item for item in items(section) if isinstance(item, Figure)]
    assert sum(figure.group == "measure" for figure in figures) == 5
    assert "Not shown: rouge-" in words(section)
    assert " and 18 others." in words(section)
    assert sum(len(figure.draw().to_svg()) for figure in figures) < 600_000
    assert {item.about for item in items(section) if isinstance(item, Table) and item.group == "correlation with"} == {
        f"{name}, {level} level" for name in ("overall", "content") for level in ("system", "topic")
    }


def test_a_table_of_scores_has_points_too_and_nobody_twice(tmp_path: Path) -> None:
    rows = [f"{topic},{who},{0.1 * who + 0.05 * topic},{who + topic}" for topic in (1, 2) for who in (1, 2, 3, 4, 5)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["topic,summarizer,my score,question.overall", *rows]) + "\n", encoding="utf-8")
    section = make_correlations(context_of(str(path)))
    assert section is not None
    assert [row[0] for row in table_called(section, "Means of summarizers").rows] == ["5", "4", "3", "2", "1"]
    assert "no humans have both scores" in words(section)


def test_ids_are_unique(section: Section) -> None:
    ids = [item.id for item in items(section) if not isinstance(item, Table)]
    assert len(ids) == len(set(ids))


def test_hostile_names_are_drawn_as_text() -> None:
    name = 'imported."</svg><script>alert(1)</script>"'
    section = make_correlations(context_with(scored(5, name, "question.overall")))
    assert section is not None
    assert not any("<script" in item.draw().to_svg() for item in items(section) if isinstance(item, Figure))
    assert "'imported.\"</svg>" in section.commands[0]


@pytest.mark.parametrize(
    ("value", "shown"), [(-0.001, "0.00"), (-0.25, "−0.25"), (0.129, "0.13"), (0.0, "0.00"), (-1.0, "−1.00")]
)
def test_numbers_have_a_true_minus_and_zero_has_none(value: float, shown: str) -> None:
    assert number(value) == shown


def test_an_interval_that_is_not_there_is_not_said() -> None:
    assert with_interval(0.5, None, 0.9) == "0.50"
    assert with_interval(0.5, -0.1, 0.9, confidence=95.0) == "0.50 (95 % interval −0.10 to 0.90)"


def test_four_humans_alone_are_too_few() -> None:
    assert make_correlations(context_of("demo", "rouge-2.recall", OVERALL, peers="humans")) is None


def test_answers_of_assessors_are_correlated_where_they_can_not_be_compared_as_asked() -> None:
    asked = ReportOptions(interval="percentile")  # which questions with random assessors refuse
    section = make_correlations(context_of("demo", "rouge-1.recall", "rouge-2.recall", options=asked))
    assert section is not None
    assert "overall-responsiveness" in section.blocks[0].caption  # type: ignore[union-attr]
