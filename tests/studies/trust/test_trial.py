"""Judges with planted faults on trial: what the card says about them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as replace_struct
from scipy import stats

import pyramidion
from pyramidion.campaign import write_folder
from pyramidion.campaign.nouns import Assessor, Summarizer
from pyramidion.errors import InputError, UsageError
from pyramidion.present.trust.sentences import bias_sentence
from pyramidion.studies.trust.results import TrustCard
from studies.trust.trials import Faults, judged_campaign, with_another_prompt


def card_of(faults: Faults | None = None, **shape: int) -> TrustCard:
    (card,) = pyramidion.trust(judged_campaign(faults, **shape), with_="question.coherence", resamples=200).cards
    return card


def test_a_judge_that_follows_people_may_rank_and_has_no_fault() -> None:
    card = card_of()
    assert card.judge == "robot"
    assert card.use("rank").verdict == "yes"
    assert card.use("replace").verdict == "yes"
    assert card.pairs.reversed == 0
    assert [bias.kind for bias in card.biases] == ["length", "family", "position"]
    assert not any(bias.is_found for bias in card.biases)
    assert all(bias.detectable for bias in card.biases)


def test_a_judge_that_turns_the_order_round_misleads() -> None:
    card = card_of(Faults(slope=-0.9))
    assert [card.use(use).verdict for use in ("rank", "pairs", "replace")] == ["no", "no", "no"]
    assert card.use("rank").rule == "reversed"
    assert card.pairs.reversed > card.pairs.same
    assert card.resolution.topics_needed is None


@pytest.mark.parametrize(
    ("kind", "faults"),
    [
        ("length", Faults(length=1.0)),
        ("family", Faults(family=1.5)),
        ("position", Faults(position=2.0)),
        ("order", Faults(order=1.2)),
    ],
)
def test_a_planted_bias_is_found_and_no_other(kind: str, faults: Faults) -> None:
    card = card_of(faults)
    assert [bias.kind for bias in card.biases if bias.is_found] == [kind]
    (bias,) = [bias for bias in card.biases if bias.kind == kind]
    assert bias.lower is not None and bias.lower > 0
    assert card.use("pairs").verdict != "yes"


def test_two_judges_of_two_families_are_each_checked_for_their_own() -> None:
    campaign = judged_campaign(Faults(family=1.5))
    copies = [replace_struct(answer, assessor="other") for answer in campaign.judgments if answer.assessor == "robot"]
    campaign = replace(
        campaign,
        judgments=(*campaign.judgments, *copies),
        assessors={**campaign.assessors, "other": Assessor(kind="judge", model="other-1", family="Bolt")},
        summarizers={**campaign.summarizers, "s5": Summarizer(organisation="bolt")},
    )
    other, robot = pyramidion.trust(campaign, with_="question.coherence", resamples=100).cards
    assert (other.judge, robot.judge) == ("other", "robot")
    effects = {card.judge: bias.effect for card in (other, robot) if (bias := card.bias("family")) is not None}
    assert effects["robot"] is not None and effects["robot"] > 1  # planted: 1.5 for s0, less at the end of the scale
    assert effects["other"] is not None and abs(effects["other"]) < 0.75  # the same answers, but s5 is not favoured


def test_an_effect_of_order_is_the_slope_over_places_and_has_a_detectable_size() -> None:
    """The planted drift from the first to the last answer lies within the limits; without one, none is found."""
    (bias,) = [bias for bias in card_of(Faults(order=0.8)).biases if bias.kind == "order"]
    assert bias.lower is not None and bias.upper is not None
    assert bias.lower < 0.8 < bias.upper
    card = card_of(Faults(order=0.0))
    (bias,) = [bias for bias in card.biases if bias.kind == "order"]
    assert not bias.is_found
    assert bias.detectable is not None and 0 < bias.detectable < 0.8
    (sentence,) = [text for text in card_words(card) if "place in the work" in text]
    assert "would have been found (80 % power)" in sentence


def card_words(card: TrustCard) -> list[str]:
    return [bias_sentence(bias) for bias in card.biases]


def test_severity_is_the_mean_difference_with_the_interval_of_topic_means() -> None:
    campaign = judged_campaign(Faults(severity=-0.7))
    (card,) = pyramidion.trust(campaign, with_="question.coherence", resamples=100).cards
    differences: dict[str, list[float]] = {}
    answers: dict[tuple[str, str], dict[str, float]] = {}
    for judgment in campaign.judgments:
        answers.setdefault((judgment.topic, judgment.summarizer), {})[judgment.assessor] = judgment.value
    for (topic, _), given_answers in answers.items():
        judge = given_answers.pop("robot")
        differences.setdefault(topic, []).append(judge - float(np.mean(list(given_answers.values()))))
    means = [np.mean(values) for values in differences.values()]
    test = stats.ttest_1samp(means, 0.0)
    assert card.severity is not None
    assert card.severity.difference == pytest.approx(np.mean(means))
    assert card.severity.p == pytest.approx(test.pvalue)
    limits = test.confidence_interval(0.95)
    assert (card.severity.lower, card.severity.upper) == pytest.approx((limits.low, limits.high))


def test_runs_show_how_many_of_them_average_the_noise_out() -> None:
    card = card_of(Faults(noise=1.0), runs=3)
    assert card.runs is not None
    assert card.runs.runs == 3
    assert card.runs.between_runs == pytest.approx(1.0, rel=0.3)  # what was planted, on a scale that ends at 1 and 5
    assert card.runs.runs_needed is not None
    assert card.runs.runs_needed > 3


def test_drift_is_the_change_since_the_anchor(tmp_path: Path) -> None:
    now, then = judged_campaign(Faults(severity=-0.4)), judged_campaign()
    write_folder(then, tmp_path / "then")
    (card,) = pyramidion.trust(now, with_="question.coherence", anchor=tmp_path / "then", resamples=100).cards
    assert card.drift is not None
    assert card.drift.change is not None
    assert card.drift.change == pytest.approx(-0.4, abs=0.1)
    assert card.drift.p is not None and card.drift.p < 0.001
    (same,) = pyramidion.trust(then, with_="question.coherence", anchor=tmp_path / "then", resamples=100).cards
    assert same.drift is not None
    assert (same.drift.change, same.drift.changed) == (0.0, 0.0)


def test_a_person_on_trial_is_not_among_the_people() -> None:
    (card,) = pyramidion.trust(judged_campaign(), "p0", with_="question.coherence", resamples=100).cards
    assert {person.person for person in card.people} == {"p1", "p2"}


def test_a_measure_on_trial_replaces_nobody() -> None:
    (card,) = pyramidion.trust(judged_campaign(), "length", with_="question.coherence", resamples=100).cards
    assert card.use("replace").verdict == "unknown"
    assert card.severity is None
    assert card.agreements == ()


def test_a_column_of_whole_human_scores_is_the_scale_of_a_judges_column() -> None:
    campaign = judged_campaign(Faults(severity=-0.7))
    answers = {(answer.topic, answer.summarizer, answer.assessor): answer.value for answer in campaign.judgments}
    rows = [
        {
            "topic": peer.topic,
            "system": peer.summarizer,
            "summary": peer.text,
            "references": ["What people wrote."],
            "human": answers[peer.topic, peer.summarizer, "p0"],
            "gpt_score": answers[peer.topic, peer.summarizer, "robot"],
        }
        for peer in campaign.summaries
        if peer.kind == "peer"
    ]
    (card,) = pyramidion.trust(rows, "gpt_score", with_="human", judge=["gpt_score"], resamples=100).cards
    assert card.severity is not None
    expected = np.mean([float(row["gpt_score"]) - float(row["human"]) for row in rows])  # type: ignore[arg-type]
    assert card.severity.difference == pytest.approx(expected)
    assert "single answers of two people" in card.replacement.reason


def test_required_uses_end_with_exit_code_3() -> None:
    campaign = judged_campaign(Faults(slope=-0.9))
    assert pyramidion.trust(campaign, with_="question.coherence", require="rank", resamples=100).exit_code == 3
    assert pyramidion.trust(campaign, with_="question.coherence", resamples=100).exit_code == 0


def test_what_is_missing_is_said() -> None:
    campaign = judged_campaign()
    with pytest.raises(UsageError, match="with_"):
        pyramidion.trust(campaign)
    with pytest.raises(UsageError, match="against itself"):
        pyramidion.trust(campaign, "question.coherence", with_="question.coherence")
    with pytest.raises(UsageError, match="5 topics"):
        pyramidion.trust(judged_campaign(topics=4), with_="question.coherence")
    with pytest.raises(UsageError, match="no such system"):
        pyramidion.trust(campaign, with_="question.coherence", family="nobody")
    only_judges = replace(
        campaign, judgments=tuple(answer for answer in campaign.judgments if answer.assessor == "robot")
    )
    with pytest.raises(InputError, match=r"nobody but judges answered it.* name the judges"):
        pyramidion.trust(only_judges, "robot", with_="question.coherence")


def test_sentences_say_what_it_may_be_used_for_and_what_was_looked_for() -> None:
    trust = pyramidion.trust(judged_campaign(Faults(length=1.0)), with_="question.coherence", resamples=200)
    text = " ".join(trust.sentences())
    assert "robot may rank systems" in text
    assert "It favours long summaries" in text
    assert "No bias for its own family found" in text
    assert "would have been found (80 % power)" in text
    assert "no guide to this" in text


def test_the_card_is_a_page_with_lamps_reasons_and_rules(tmp_path: Path) -> None:
    from pyramidion.reports.card import write_card

    trust = pyramidion.trust(judged_campaign(Faults(length=1.0)), with_="question.coherence", resamples=100)
    page = write_card(tmp_path / "card.html", trust).read_text(encoding="utf-8")
    assert "May I trust robot?" in page
    assert "robot-1 · against people" in page
    assert "ω\u00a0=\u00a0" in page
    assert page.count('class="lamp ') == 3
    assert "I say" in page
    assert "Caution: it favours long summaries" in page


def test_the_card_of_two_judges_names_whose_bias_it_is(tmp_path: Path) -> None:
    from pyramidion.reports.card import write_card

    campaign = with_another_prompt(judged_campaign(Faults(length=1.0)))
    trust = pyramidion.trust(campaign, with_="question.coherence", resamples=100)
    page = write_card(tmp_path / "card.html", trust).read_text(encoding="utf-8")
    assert "Caution: robot: it favours long summaries" in page
    assert "Caution: robot-b: it favours long summaries" in page


def test_a_report_has_the_card_in_small_with_means_side_by_side(tmp_path: Path) -> None:
    pyramidion.report(
        judged_campaign(), tmp_path / "report.html", measures="question.coherence", sections="judges", resamples=100
    )
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="judges"' in page
    assert page.count('class="lamp ') == 3
    assert "means of systems, side by side" in page
    assert "Its reason:" in page


def test_what_a_judge_did_not_answer_is_said_next_to_the_verdicts() -> None:
    campaign = judged_campaign()
    people = [answer for answer in campaign.judgments if answer.assessor != "robot"]
    judged = [answer for answer in campaign.judgments if answer.assessor == "robot" and answer.summarizer != "s0"]
    trust = pyramidion.trust(replace(campaign, judgments=(*people, *judged)), with_="question.coherence", resamples=200)
    (pairs,) = (record for record in trust.records() if record["record"] == "trust-pairs")
    weakest = np.mean([answer.value for answer in people if answer.summarizer == "s0"])
    assert pairs["unscored"] == 30
    assert pairs["unscored_people"] == pytest.approx(weakest)
    assert pairs["scored_people"] > weakest
    assert any("gave no score to 30 summaries that people scored" in note for note in trust.tables()[0].notes)
    assert not card_of().pairs.unscored
