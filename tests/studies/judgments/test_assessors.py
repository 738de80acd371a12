"""Severity and drift of assessors: by hand, against scipy and statsmodels, and on answers whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import pyramidion
from other_packages import statsmodels
from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError, UsageError
from pyramidion.options import AssessorOptions
from pyramidion.studies.judgments.assessors import AssessorDescription, describe_assessors
from studies.judgments.judged import campaign, drawn


def deviations(found: AssessorDescription) -> dict[str, float | None]:
    return {one.assessor: one.deviation for one in found.severities}


def test_an_answer_is_compared_with_the_mean_of_the_others_about_the_same_summary() -> None:
    found = describe_assessors(
        campaign(
            ("t", "1", "A", "q", 1),
            ("t", "1", "B", "q", 2),
            ("t", "1", "C", "q", 4),
            ("u", "2", "A", "q", 3),
            ("u", "2", "B", "q", 3),
            ("u", "3", "A", "q", 5),  # nobody else judged it
        )
    )
    a, b, c = found.severities
    assert [a.deviation, b.deviation, c.deviation] == pytest.approx([(1 - 3 + 0) / 2, (2 - 2.5 + 0) / 2, 4 - 1.5])
    assert [one.n for one in (a, b, c)] == [2, 2, 1]
    assert a.mean == pytest.approx(3.0)
    assert (c.lower, c.p, c.reason) == (None, None, "an interval needs at least two topics")
    assert {one.compared_with for one in found.severities} == {"summaries"}


def test_with_as_many_answers_in_each_topic_it_is_the_t_test_over_topics() -> None:
    data = drawn({"A": 0.0, "B": 0.3})
    found = describe_assessors(data)
    of = {(one.assessor, one.topic, one.summarizer): one.value for one in data.judgments}
    differences = [
        np.mean([of["A", f"t{topic}", f"s{system}"] - of["B", f"t{topic}", f"s{system}"] for system in range(6)])
        for topic in range(8)
    ]
    expected = stats.ttest_1samp(differences, 0)
    interval = expected.confidence_interval(0.95)
    (one, _) = found.severities
    assert [one.deviation, one.p] == pytest.approx([np.mean(differences), expected.pvalue])
    assert [one.lower, one.upper] == pytest.approx([interval.low, interval.high])


def test_drift_is_the_trend_over_the_means_of_topics() -> None:
    data = drawn({"A": 0.0, "B": 0.3}, drift=1.0)
    kept = tuple(one for number, one in enumerate(data.judgments) if number % 7)  # unequal numbers of answers
    found = describe_assessors(Campaign(judgments=kept))
    drift = next(one for one in found.drifts if one.assessor == "A")
    own = [one for one in kept if one.assessor == "A"]
    other = {(one.topic, one.summarizer): one.value for one in kept if one.assessor == "B"}
    rows = [
        (one.topic, place / (len(own) - 1), one.value - other[one.topic, one.summarizer])
        for place, one in enumerate(own)
        if (one.topic, one.summarizer) in other
    ]
    topics = sorted({topic for topic, *_ in rows})
    x = [np.mean([place for topic, place, _ in rows if topic == id]) for id in topics]
    y = [np.mean([value for topic, _, value in rows if topic == id]) for id in topics]
    weights = [sum(topic == id for topic, *_ in rows) for id in topics]
    fit = statsmodels.WLS(y, statsmodels.add_constant(np.array(x)), weights=weights).fit()
    assert drift.change == pytest.approx(fit.params[1])
    assert drift.p == pytest.approx(fit.pvalues[1])
    assert [drift.lower, drift.upper] == pytest.approx(list(fit.conf_int()[1]))


def test_known_severities_and_drift_are_found() -> None:
    found = describe_assessors(drawn({"A": 0.0, "B": 0.6, "C": 0.0}, topics=20, drift=0.8))
    # A answers 0.4 lower on average because of the drift; each is compared with the mean of the other two
    assert deviations(found) == {
        "A": pytest.approx(-0.4 + 0.3, abs=0.05),
        "B": pytest.approx(-0.6 + 0.2, abs=0.05),
        "C": pytest.approx(0.5, abs=0.05),
    }
    changes = {one.assessor: one.change for one in found.drifts}
    assert changes == {
        "A": pytest.approx(-0.8, abs=0.15),
        "B": pytest.approx(0.4, abs=0.15),
        "C": pytest.approx(0.4, abs=0.15),
    }


def test_without_summaries_in_common_answers_are_compared_within_topics() -> None:
    rng = np.random.default_rng(3)
    quality = [0.0, 1.0, 2.0, 3.0]
    answers = []
    for topic in range(6):
        chosen = set(rng.choice(4, 2, replace=False))
        for system in range(4):
            strict = system in chosen
            value = 2 + topic / 3 + quality[system] - 0.5 * strict
            answers.append((f"t{topic}", str(system), "A" if strict else "B", "q", float(value)))
    found = describe_assessors(campaign(*answers))
    assert {one.compared_with for one in found.severities} == {"topics"}
    assert all("no summary was judged by two assessors" in one.note for one in found.severities)
    a, b = found.severities
    assert a.deviation is not None
    assert b.deviation is not None
    assert a.deviation < -0.2 < 0.2 < b.deviation


def test_with_one_assessor_for_each_topic_the_summarizers_are_compared_and_a_caution_is_given() -> None:
    found = describe_assessors(drawn({"A": 0.0, "B": 1.0}, topics=20, nested=True))
    assert {one.compared_with for one in found.severities} == {"summarizers"}
    assert all("an assessor with difficult topics looks strict" in one.note for one in found.severities)
    assert deviations(found) == {"A": pytest.approx(1.0, abs=0.3), "B": pytest.approx(-1.0, abs=0.3)}


def test_a_single_assessor_has_no_severity_but_may_drift() -> None:
    found = describe_assessors(drawn({"A": 0.0}, topics=30, drift=2.0))
    (one,) = found.severities
    assert (one.deviation, one.reason) == (None, "nobody else answered the question")
    (drift,) = found.drifts
    assert drift.change == pytest.approx(-2.0, abs=0.5)


def test_runs_of_an_assessor_count_as_their_mean_in_comparisons_and_each_in_the_work() -> None:
    data = campaign(("t", "1", "A", "q", 1), ("t", "1", "B", "q", 3))
    again = msgspec.structs.replace(data.judgments[0], run=2, value=4)
    found = describe_assessors(replace(data, judgments=(*data.judgments, again)))
    assert deviations(found) == {"A": pytest.approx(-0.5), "B": pytest.approx(0.5)}
    assert [one.answers for one in found.work] == [2, 1]


def test_work_says_who_judged_what_when_and_how_long() -> None:
    data = drawn({"A": 0.0, "B": 0.3}, topics=2)
    preference = Preference(topic="t0", a="s0", b="s1", choice="tie", assessor="B")
    found = describe_assessors(replace(data, preferences=(preference,)))
    first, second = found.work
    assert (first.answers, first.summaries, first.topics, first.questions, first.preferences) == (12, 12, 2, 1, 0)
    assert second.preferences == 1
    assert (first.first, first.last) == ("2026-05-04T09:30:00+00:00", "2026-05-04T09:41:00+00:00")
    seconds = [float(one.seconds or 0) for one in data.judgments if one.assessor == "A"]
    assert first.seconds == pytest.approx(np.median(seconds))
    assert first.hours == pytest.approx(sum(seconds) / 3600)
    of_topic = found.by_topic[1]
    assert (of_topic.assessor, of_topic.topic, of_topic.answers, of_topic.first) == (
        "A",
        "t1",
        6,
        "2026-05-04T09:36:00+00:00",
    )
    assert sum(one.hours or 0.0 for one in found.by_topic) == pytest.approx(sum(one.hours or 0.0 for one in found.work))


def test_times_in_different_zones_are_put_in_order() -> None:
    data = campaign(("t", "1", "A", "q", 1), ("t", "2", "A", "q", 3))
    times = ("2026-05-04T09:00:00+02:00", "2026-05-04T08:30:00Z")
    judgments = tuple(msgspec.structs.replace(one, time=time) for one, time in zip(data.judgments, times, strict=True))
    (work,) = describe_assessors(replace(data, judgments=judgments)).work
    assert (work.first, work.last) == times


def test_an_answer_that_took_far_longer_or_shorter_than_others_is_listed() -> None:
    data = drawn({"A": 0.0}, topics=4)
    judgments = list(data.judgments)
    judgments[3] = msgspec.structs.replace(judgments[3], seconds=3000)
    judgments[5] = msgspec.structs.replace(judgments[5], seconds=0)
    found = describe_assessors(replace(data, judgments=tuple(judgments)))
    assert [(one.summarizer, one.seconds, one.took) for one in found.unusual] == [
        ("s3", 3000, "long"),
        ("s5", 0, "short"),
    ]


def test_simulated_judgments_are_noted_and_without_times_there_is_no_drift() -> None:
    found = pyramidion.Evaluation("demo").describe_assessors(question="focus")
    assert found.note == "simulated judgments"
    assert not found.drifts  # its judgments have no times


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no judgments"):
        describe_assessors(Campaign())
    with pytest.raises(UsageError, match="did you mean focus"):
        describe_assessors(pyramidion.load("demo"), AssessorOptions(question=("fokus",)))


values = st.integers(1, 5)
answers = st.lists(
    st.tuples(st.sampled_from("tuv"), st.sampled_from("12"), st.sampled_from("ABC"), st.just("q"), values),
    min_size=1,
    max_size=18,
    unique_by=lambda one: one[:4],
)


@settings(deadline=None)
@given(answers, st.integers(-3, 3))
def test_adding_the_same_to_all_answers_changes_no_deviation(
    some: list[tuple[str, str, str, str, float]], shift: int
) -> None:
    shifted = [(*key, value + shift) for *key, value in some]
    before, after = (describe_assessors(campaign(*each)) for each in (some, shifted))
    for one, other in zip(before.severities, after.severities, strict=True):
        assert (one.assessor, one.n, one.compared_with) == (other.assessor, other.n, other.compared_with)
        assert one.deviation == (None if other.deviation is None else pytest.approx(other.deviation))
