"""What leads the report: the measure that decides goes by its kind, and the first screen says which it is and why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from scipy import stats

import pyramidion
from pyramidion.campaign import Assessor, Campaign, Judgment, Preference, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.options import ReportOptions
from pyramidion.reports.context import Context
from pyramidion.reports.page import make_sections
from pyramidion.reports.sections import make_answer, make_preferences
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from pyramidion.statistics.values import sign_test_p
from pyramidion.studies.deciding import Assessors, kind_of
from pyramidion.studies.judgments.preferences import compare_by_preferences
from pyramidion.studies.lengths import correlate_with_length, lengths_of
from reports.sections_under_test import context_of, context_with

Values = Mapping[str, Sequence[float]]
GOOD_A = {"a": [0.9, 0.8, 0.9, 0.7, 0.9, 0.8], "b": [0.5, 0.4, 0.3, 0.4, 0.5, 0.2], "c": [0.1, 0.2, 0.1, 0, 0.1, 0.2]}
GOOD_B = {"a": GOOD_A["b"], "b": GOOD_A["a"], "c": GOOD_A["c"]}


def scores(**measures: Values) -> ScoreTable:
    """A score table; `question__focus` is question.focus."""
    rows = [
        (measure.replace("__", "."), str(topic), who, value)
        for measure, values in measures.items()
        for who, given in values.items()
        for topic, value in enumerate(given)
    ]
    measure, topic, summarizer, value = zip(*rows, strict=True)
    return ScoreTable.from_columns(measure=measure, topic=topic, summarizer=summarizer, value=value)


def judged(question: str, assessor: str, values: Values, **more: Any) -> list[Judgment]:
    return [
        Judgment(topic=str(topic), summarizer=who, question=question, value=value, assessor=assessor, **more)
        for who, given in values.items()
        for topic, value in enumerate(given)
    ]


def texts(lengths: Mapping[str, int], *, topics: int = 6, references: bool = True) -> tuple[Summary, ...]:
    """Summaries of so many words; every second word is one of the reference's."""
    words = ["ferry", "rain"]
    summaries = [
        Summary(topic=str(topic), summarizer=who, kind="peer", text=" ".join(words * (count // 2 + topic)))
        for topic in range(topics)
        for who, count in lengths.items()
    ]
    if references:
        models = [
            Summary(topic=str(topic), summarizer="R", kind="model", text="The ferry burned in the rain.")
            for topic in range(topics)
        ]
        summaries += models
    return tuple(summaries)


def preferences(*choices: tuple[str, str, str], assessor: str = "P", topics: int = 6) -> tuple[Preference, ...]:
    """In every topic these choices: (a, b, choice)."""
    return tuple(
        Preference(topic=str(topic), a=a, b=b, choice=choice, assessor=assessor)  # type: ignore[arg-type]
        for topic in range(topics)
        for a, b, choice in choices
    )


def first_screen(context: Context) -> list[str]:
    section = make_answer(context)
    return [section.finding, *section.sentences]


def reason(context: Context) -> str:
    return next((sentence for sentence in first_screen(context)[1:] if " decide" in sentence), "")


@pytest.mark.parametrize(
    ("measure", "kind"),
    [
        ("question.overall", "human"),
        ("question.by-gpt", "judge"),
        ("question.mixed", "human"),
        ("question(assessor=gpt-4).mixed", "judge"),
        ("question(assessor=Ann).mixed", "human"),
        ("pyramid.modified", "pyramid"),
        ("see-coverage.mean", "pyramid"),
        ("auto-pyramid", "automatic"),
        ("imported.judge", "judge"),
        ("imported.GPT4o_score", "judge"),
        ("imported.llmJudge", "judge"),
        ("imported.g_eval", "judge"),
        ("imported.claude-3-opus", "judge"),
        ("imported.claude", "automatic"),
        ("imported.human_judge", "human"),
        ("imported.expert_rating", "human"),
        ("imported.bertscore", "automatic"),
        ("imported.gpt4_tokens", "automatic"),
        ("imported.length", "descriptive"),
        ("length", "descriptive"),
        ("novelty(n=1)", "descriptive"),
        ("redundancy", "automatic"),
        ("rouge-2.recall", "automatic"),
    ],
)
def test_every_measure_has_a_kind(measure: str, kind: str) -> None:
    assessors = {
        "overall": Assessors(people=("Ann",)),
        "by-gpt": Assessors(programs=("gpt-4",)),
        "mixed": Assessors(people=("Ann",), programs=("gpt-4",)),
    }
    assert kind_of(measure, assessors) == kind


@pytest.mark.parametrize(
    ("measures", "deciding"),
    [
        (["rouge-1.recall", "imported.gpt_judge", "pyramid.modified", "question.focus"], "question.focus"),
        (["rouge-1.recall", "imported.gpt_judge", "pyramid.modified"], "pyramid.modified"),
        (["rouge-1.recall", "pyramid.original", "imported.gpt_judge"], "pyramid.original"),
        (["rouge-1.recall", "imported.gpt_judge"], "imported.gpt_judge"),
        (["imported.gpt_fluency", "imported.gpt_overall"], "imported.gpt_overall"),
        (["rouge-1.recall", "imported.human_score"], "imported.human_score"),
        (["length", "rouge-1.recall"], "rouge-1.recall"),
        (["imported.bertscore", "rouge-2.recall"], "rouge-2.recall"),
        (["question.fluency", "question.overall_quality"], "question.overall_quality"),
        (["question.fluency", "question.focus"], "question.fluency"),
    ],
)
def test_the_measure_that_decides_goes_by_kind_in_whatever_order_they_come(measures: list[str], deciding: str) -> None:
    given = {name.replace(".", "__", 1): GOOD_A for name in measures}
    assert context_with(scores(**given)).roles.deciding == deciding
    backwards = dict(reversed(given.items()))
    if deciding != "question.fluency":  # nothing but its place tells it from the other
        assert context_with(scores(**backwards)).roles.deciding == deciding


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        (
            ["question__overall", "rouge-1__f"],
            snapshot("Overall decides: human scores come first. a has the best mean on all 2 measures."),
        ),
        (
            ["question__overall", "question__focus"],
            snapshot(
                "Overall decides: human scores come first, and it is the most general of 2 questions. a has the best mean on all 2 measures."
            ),
        ),
        (
            ["question__relevance", "question__focus"],
            snapshot(
                "Relevance decides: human scores come first; none of 2 is about overall quality, so the one about content was taken (`decide=` takes another). a has the best mean on all 2 measures."
            ),
        ),
        (
            ["question__focus", "question__fluency"],
            snapshot(
                "Focus decides: human scores come first; none of 2 is about overall quality, so the first was taken (`decide=` takes another). a has the best mean on all 2 measures."
            ),
        ),
        (
            ["pyramid__modified", "rouge-1__f"],
            snapshot(
                "pyramid.modified decides: people annotated the pyramids, and there are no human scores that could. a has the best mean on all 2 measures."
            ),
        ),
        (
            ["imported__gpt_judge", "rouge-1__f"],
            snapshot(
                "imported.gpt_judge decides: going by its name it is a judge's score, which comes before automatic measures. The answer holds for this judge only. a has the best mean on all 2 measures."
            ),
        ),
        (
            ["imported__gpt_a", "imported__gpt_b", "rouge-1__f"],
            snapshot(
                "imported.gpt_a decides: going by its name it is a judge's score, which comes before automatic measures; it is the first of 2 such scores. The answer holds for this judge only. a has the best mean on all 3 measures."
            ),
        ),
        (
            ["rouge-1__f", "rouge-2__f"],
            snapshot(
                "rouge-1.f decides: there are only automatic measures, and of 2 it is the first. a has the best mean on all 2 measures."
            ),
        ),
        (
            ["rouge-1__recall", "rouge-2__recall"],
            snapshot(
                "rouge-2.recall decides: there are only automatic measures, and of 2 it is the one that DUC and TAC used. a has the best mean on all 2 measures."
            ),
        ),
        (["rouge-1__recall"], ""),
    ],
)
def test_the_first_screen_says_what_decides_and_why(measures: list[str], expected: str) -> None:
    assert reason(context_with(scores(**dict.fromkeys(measures, GOOD_A)))) == expected


def test_a_measure_that_was_chosen_decides_and_what_would_decide_without_it_is_said() -> None:
    table = scores(question__overall=GOOD_A, **{"rouge-1__f": GOOD_B})
    context = Context(evaluation=context_with(table).evaluation, options=ReportOptions(decide="rouge-1.f"))
    assert context.roles.deciding == "rouge-1.f"
    assert context.roles.reference == "question.overall"
    assert first_screen(context)[0] == "b is significantly better than every other system on rouge-1.f"
    assert reason(context) == snapshot(
        "rouge-1.f decides because it was chosen; without that choice, overall (a human score) would. b has the best mean on 1 of 2 measures; it is significantly worse than a on overall."
    )


def test_a_chosen_measure_that_the_report_would_not_have_is_scored() -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 11}))
    context, _ = make_sections(
        context_of(campaign).evaluation, None, ReportOptions(decide="rouge-9.recall", sections=("data",))
    )
    assert context.roles.deciding == "rouge-9.recall"
    assert "rouge-1.f" in context.roles.measures


@pytest.mark.parametrize(
    ("decide", "message"),
    [
        ("length", '`decide="length"`: length describes summaries'),
        ("rouge-1", '`decide="rouge-1"`: expected the name of one measure'),
        ("preferences", '`decide="preferences"`: the data has no preferences between these systems'),
        ("rouge-1.recal", "did you mean"),
    ],
)
def test_what_can_not_decide_is_refused(decide: str, message: str, tmp_path: Path) -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 11}))
    with pytest.raises(UsageError, match=message):
        pyramidion.report(campaign, tmp_path / "r.html", ["rouge-1", "length"], decide=decide)


def test_descriptions_give_no_verdict() -> None:
    section = make_answer(context_of(Campaign(summaries=texts({"a": 10, "b": 40}, references=False)), "length"))
    assert section.finding == "No measure here says which system is better"
    assert not any("better than" in sentence or "beats" in sentence for sentence in section.sentences)


def test_descriptions_are_not_counted_among_the_measures_that_agree() -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 40}))
    said = " ".join(first_screen(context_of(campaign, "rouge-1.recall", "length")))
    assert "other measure" not in said


def test_a_question_that_only_a_program_answered_comes_after_pyramids_and_before_automatic_measures() -> None:
    table = scores(question__overall=GOOD_A, **{"rouge-1__f": GOOD_B})
    context = context_with(table, *judged("overall", "gpt-4o", GOOD_A))
    assert context.roles.deciding_kind == "judge"
    assert reason(context) == snapshot(
        "Overall decides: a judge comes before automatic measures. Only a program, gpt-4o, answered; the answer holds for this judge only. a has the best mean on 1 of 2 measures; it is significantly worse than b on rouge-1.f."
    )
    with_pyramid = table.join(scores(pyramid__modified=GOOD_B))
    assert context_with(with_pyramid, *judged("overall", "gpt-4o", GOOD_A)).roles.deciding == "pyramid.modified"


@pytest.mark.parametrize(
    ("facts", "declared"),
    [({"assessor": "panel-7", "run": 2}, {}), ({"assessor": "x"}, {"x": Assessor(kind="judge")})],
)
def test_a_program_is_known_by_its_runs_or_by_campaign_toml(facts: dict[str, Any], declared: dict[str, Any]) -> None:
    answers = judged("overall", facts.pop("assessor"), GOOD_A, **facts)
    campaign = Campaign(summaries=texts({"a": 6, "b": 6, "c": 6}), judgments=tuple(answers), assessors=declared)
    assert context_of(campaign, "question.overall", "rouge-1.f").roles.deciding_kind == "judge"


def test_people_decide_beside_a_judge_and_who_answered_is_said() -> None:
    table = scores(question__overall=GOOD_A, question__by_program=GOOD_B)
    answers = [
        *judged("overall", "Ann", GOOD_A),
        *judged("overall", "gpt-4o", GOOD_B),
        *judged("by_program", "gpt-4o", GOOD_B),
    ]
    context = context_with(table, *answers)
    assert (context.roles.deciding, context.roles.deciding_kind) == ("question.overall", "human")
    assert "Its mean is over 1 person and 1 program (gpt-4o)." in reason(context)


@pytest.mark.parametrize(
    ("assessor", "said"), [("Ann", True), ("Claude", True), ("", False), ("experts-mean", False), ("crowd", False)]
)
def test_the_answer_of_a_single_assessor_holds_for_this_one_only(assessor: str, said: bool) -> None:
    context = context_with(scores(question__overall=GOOD_A), *judged("overall", assessor, GOOD_A))
    expected = f"One assessor, {assessor}, answered; the answer holds for this assessor only."
    assert (expected in first_screen(context)) == said


def test_a_secondary_measure_that_disagrees_significantly_is_named() -> None:
    context = context_with(scores(**{"rouge-1__f": GOOD_A, "rouge-2__f": GOOD_A}, question__overall=GOOD_B))
    screen = first_screen(context)
    assert screen[0] == "b is significantly better than every other system on overall"
    assert (
        "b has the best mean on 1 of 3 measures; it is significantly worse than the best on rouge-1.f and" in screen[2]
    )
    two = {name: {who: values[who] for who in "ab"} for name, values in (("x", GOOD_A), ("y", GOOD_B))}
    pair = first_screen(context_with(scores(question__overall=two["y"], **{"rouge-1__f": two["x"]})))
    assert pair[0] == "b beats a on overall"
    assert "The other measure, rouge-1.f, says the opposite." in " ".join(pair)


def test_few_topics_of_the_measure_that_decides_are_said_though_another_has_many() -> None:
    few = {who: values[:3] for who, values in GOOD_A.items()}
    context = context_with(scores(question__overall=few, **{"rouge-1__f": GOOD_B}))
    assert context.roles.deciding == "question.overall"
    assert "With only 3 topics, treat this as a first look." in first_screen(context)


def test_that_only_some_systems_have_a_score_is_said() -> None:
    some = {who: GOOD_A[who] for who in "ab"}
    context = context_with(scores(question__overall=some, **{"rouge-1__f": GOOD_B}))
    assert "Only 2 of 3 systems have a score on it." in reason(context)
    alone = context_with(scores(question__overall={"a": GOOD_A["a"]}, **{"rouge-1__f": GOOD_B}))
    assert alone.roles.deciding == "rouge-1.f"
    assert reason(alone) == snapshot(
        "rouge-1.f decides: too few systems or topics have other scores. b has the best mean on 1 of 2 measures; on overall, it has no score."
    )


# Preferences


def test_preferences_decide_where_people_answered_no_question() -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 40}), preferences=preferences(("a", "b", "a"), topics=6))
    context = context_of(campaign)
    assert context.roles.is_decided_by_preferences
    assert context.sections.pair == ("a", "b")
    assert first_screen(context) == snapshot(
        [
            "a is preferred to b",
            "a was chosen 6 times and b 0 times in 6 choices; sign test over 6 topics: p = 0.031.",
            "Preferences decide: people gave them, and there are no human scores that could.",
            "Lengths differ: summaries of b are 200 % longer than those of a (means of 45 and 15 words). The longer of two summaries was preferred in 0 % of choices.",
        ]
    )
    answers = tuple(judged("overall", "Ann", {"a": [1, 2, 1, 2, 1, 2], "b": [4, 5, 4, 5, 4, 4]}))
    answered = context_of(Campaign(summaries=campaign.summaries, preferences=campaign.preferences, judgments=answers))
    assert not answered.roles.is_decided_by_preferences
    assert "People's preferences disagree: a is significantly preferred to b." in first_screen(answered)
    chosen = context_of(
        Campaign(summaries=campaign.summaries, preferences=campaign.preferences, judgments=answers),
        options=ReportOptions(decide="preferences"),
    )
    assert first_screen(chosen)[0] == "a is preferred to b"
    assert reason(chosen) == snapshot(
        "Preferences decide because they were chosen; without that choice, overall (a human score) would."
    )


def test_the_sign_test_counts_topics_once_and_is_the_binomial_test() -> None:
    given = (
        *preferences(("a", "b", "a"), topics=9),
        *preferences(("b", "a", "a"), assessor="Q", topics=1),  # a tie in topic 0: one choice for each
        *preferences(("a", "b", "b"), assessor="Q", topics=0),
        Preference(topic="x", a="a", b="b", choice="b", assessor="P"),
        Preference(topic="y", a="a", b="b", choice="tie", assessor="P"),
    )
    pair = compare_by_preferences(given, "a", "b")
    assert pair is not None
    assert (pair.win, pair.tie, pair.loss) == (9, 1, 2)
    assert (pair.topics_won, pair.topics_tied, pair.topics_lost) == (8, 2, 1)
    assert pair.p == pytest.approx(stats.binomtest(8, 9).pvalue, abs=1e-12)
    assert pair.turned() == compare_by_preferences(given, "b", "a")
    assert compare_by_preferences(given, "a", "z") is None
    for won in range(9):
        for lost in range(9):
            expected = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
            assert sign_test_p(won, lost) == pytest.approx(expected, abs=1e-12)


def test_systems_are_ranked_by_preferences_and_unanimous_ones_are_tested_pair_by_pair() -> None:
    summaries = texts({"a": 10, "b": 10, "c": 10})
    mixed = (
        *preferences(("a", "b", "a"), ("a", "c", "a"), ("b", "c", "a"), topics=6),
        *preferences(("b", "a", "a"), ("c", "b", "a"), ("c", "a", "a"), assessor="Q", topics=2),
    )
    ranked = first_screen(context_of(Campaign(summaries=summaries, preferences=mixed)))
    assert ranked[:2] == snapshot(
        [
            "a is preferred most, but not significantly more than any other system",
            "It won 75 %, lost 25 % and tied 0 % of 16 choices; its ability is 0.76 (95 % confidence interval −0.65 to 2.17). In all, there are 24 choices on 6 topics.",
        ]
    )
    always = preferences(("a", "b", "a"), ("a", "c", "a"), ("b", "c", "a"), topics=12)
    unanimous = make_answer(context_of(Campaign(summaries=summaries, preferences=always)))
    assert unanimous.finding == "a is preferred most, significantly more often than 2 of 2 others"
    # Holm over three equal p of the sign test with 12 of 12 topics: 3 · 2 · 0.5¹²
    assert [row[-1] for row in unanimous.blocks[0].rows] == pytest.approx([6 * 0.5**12] * 2)  # type: ignore[union-attr]


def test_preferences_alone_make_a_report(tmp_path: Path) -> None:
    summaries = texts({"a": 10, "b": 40}, references=False)
    campaign = Campaign(summaries=summaries, preferences=preferences(("a", "b", "b")))
    page = pyramidion.report(campaign, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "b is preferred to a" in page
    assert "a and b · 6 topics · 6 preferences" in page.replace("b and a", "a and b")
    with pytest.raises(InputError, match="there are no scores to report"):
        pyramidion.report(Campaign(summaries=summaries), tmp_path / "no.html")


def test_preferences_beside_what_decides_are_a_section() -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 40}), preferences=preferences(("a", "b", "b")))
    assert make_preferences(context_of(campaign, "rouge-1.recall")) is None  # they are the answer
    answered = judged("overall", "P", {"a": [5, 4, 5, 4, 5, 4], "b": [1, 2, 1, 2, 1, 2]})
    section = make_preferences(context_of(replace(campaign, judgments=tuple(answered))))
    assert section is not None
    assert section.finding == "b is preferred to a"
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert table.rows[0] == ["choices", 6, 0, 0]


def test_preferences_of_a_program_come_after_pyramids_and_beside_people_they_are_left_out() -> None:
    summaries = texts({"a": 10, "b": 40})
    by_program = preferences(("a", "b", "a"), assessor="gpt-4o")
    context = context_of(Campaign(summaries=summaries, preferences=by_program), "rouge-1.recall")
    assert context.roles.is_decided_by_preferences
    assert "they are a judge's" in reason(context)
    people = preferences(("a", "b", "b"))
    both = context_of(Campaign(summaries=summaries, preferences=(*by_program, *people)), "rouge-1.recall")
    assert first_screen(both)[0] == "b is preferred to a"
    assert "6 preferences of programs are left out." in reason(both)


# Lengths


def test_lengths_that_differ_by_more_than_a_tenth_are_said_with_the_correlation_of_what_decides() -> None:
    campaign = Campaign(summaries=texts({"a": 10, "b": 40, "c": 20}))
    context = context_of(campaign, "rouge-1.precision")
    matrix = context.table.matrix(context.roles.deciding)
    lengths = lengths_of(campaign.summaries, matrix.summarizers)
    words = np.array([[lengths[who][topic] for topic in matrix.topics] for who in matrix.summarizers], dtype=float)
    centred = [(one - one.mean(axis=0)).ravel() for one in (matrix.values, words)]
    r, summaries = correlate_with_length(matrix, lengths)
    expected = stats.pearsonr(*centred)[0]
    assert summaries == 18
    assert r == pytest.approx(expected)
    said = next(sentence for sentence in first_screen(context) if sentence.startswith("Lengths differ"))
    assert said.startswith("Lengths differ: means range from 15 to 45 words.")


@pytest.mark.parametrize(("longer", "said"), [(100, False), (110, False), (112, True)])
def test_up_to_a_tenth_nothing_is_said(longer: int, said: bool) -> None:
    summaries = tuple(
        Summary(topic=str(topic), summarizer=who, kind=kind, text="ferry " * count)  # type: ignore[arg-type]
        for topic in range(6)
        for who, kind, count in (("a", "peer", 100), ("b", "peer", longer), ("R", "model", 50))
    )
    screen = first_screen(context_of(Campaign(summaries=summaries), "rouge-1.recall", "rouge-1.precision"))
    assert any(sentence.startswith("Lengths differ") for sentence in screen) == said


def test_of_two_systems_the_longer_is_named_and_an_empty_system_has_no_percentage() -> None:
    two = first_screen(context_of(Campaign(summaries=texts({"a": 10, "b": 40})), "rouge-1.precision"))
    assert next(sentence for sentence in two if sentence.startswith("Lengths")) == snapshot(
        "Lengths differ: summaries of b are 200 % longer than those of a (means of 45 and 15 words). Within topics, the score's correlation with length is r = −0.95 (12 summaries)."
    )
    empty = tuple(
        Summary(topic=str(topic), summarizer=who, kind="model" if who == "R" else "peer", text=text)
        for topic in range(3)
        for who, text in (("a", ""), ("b", "A ferry burned."), ("R", "The ferry burned."))
    )
    screen = first_screen(context_of(Campaign(summaries=empty), "rouge-1.recall"))
    assert "Lengths differ: summaries of b are longer than those of a (means of 3 and 0 words)." in " ".join(screen)
