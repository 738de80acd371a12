"""`study choices`: the same question under every setting of ROUGE."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from pyramidion import study
from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError
from pyramidion.present.registry import draw
from pyramidion.studies.choices import ChoicesStudy

SYSTEMS = ("16", "2", "9", "15")
OTHERS = tuple(str(number) for number in range(1, 21) if str(number) not in SYSTEMS)


def study_demo(*vary: str, measures: tuple[str, ...] = ("rouge-2",), **options: object) -> ChoicesStudy:
    """Four systems of the demo campaign."""
    return study.choices("demo", list(measures), vary=vary, exclude=OTHERS, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("vary", "name"),
    [
        (("statistic=recall",), "rouge-2.recall"),
        (("statistic=precision", "stem=no"), "rouge-2(stem=no).precision"),
        (("statistic=f", "stop=yes"), "rouge-2(stop=yes).f"),
        (("statistic=f", "references=best"), "rouge-2(models=best).f"),
        (("statistic=f", "tokens=unicode"), "rouge-2(tokens=unicode).f"),
        (("statistic=f", "limit=50"), "rouge-2(words=50).f"),
    ],
)
def test_a_setting_says_what_compare_says_with_these_options(vary: tuple[str, ...], name: str) -> None:
    found = study_demo(*vary, pair=("16", "2"), limits=50)
    comparison = pyramidion.compare("demo", name, exclude=OTHERS, all_pairs=True)
    assert len(found.settings) == 1
    (pair,) = [pair for pair in comparison.pairs if {pair.a, pair.b} == {"16", "2"}]
    (estimate,) = found.estimates
    sign = 1 if pair.a == "16" else -1
    limits = (pair.lower, pair.upper) if sign > 0 else (pair.upper, pair.lower)
    assert estimate.difference == pytest.approx(sign * (pair.difference or 0), abs=1e-12)
    assert estimate.lower == pytest.approx(sign * (limits[0] or 0), abs=1e-12)
    assert estimate.p_adjusted == pytest.approx(pair.p_adjusted)
    assert found.settings[0].winners == tuple(comparison.best(name))
    decided = sum(pair.is_decided for pair in comparison.pairs)
    assert found.settings[0].pairs == decided


def with_reference(campaign: Campaign, place: int) -> Campaign:
    """The campaign with one reference for each topic, the one at this place."""
    references = {(topic.topic.topic, topic.models[place].summarizer) for topic in campaign.each_topic()}
    peers = [summary for summary in campaign.summaries if summary.kind == "peer"]
    models = [summary for summary in campaign.summaries if (summary.topic, summary.summarizer) in references]
    return replace(campaign, summaries=(*peers, *models), pyramids=(), annotations=())


def differences_with_single_references(measure: str) -> list[float]:
    """Of systems 16 and 2, with each of the four references alone."""
    demo = pyramidion.load("demo")
    differences = []
    for place in range(4):
        comparison = pyramidion.compare(with_reference(demo, place), measure, exclude=OTHERS, pair=("16", "2"))
        differences.append(comparison.pairs[0].difference or 0.0)
    return differences


def test_the_first_reference_and_each_of_them_are_those_of_campaigns_with_one_reference() -> None:
    found = study_demo("statistic=f", "references=first/each", pair=("16", "2"))
    by_reference = {row.references: row.difference for row in found.estimates}
    alone = differences_with_single_references("rouge-2.f")
    assert by_reference["first"] == pytest.approx(alone[0])
    assert by_reference["each"] == pytest.approx(np.mean(alone))


def test_the_average_of_rouge_score_is_that_of_scores_and_its_best_is_the_measure_itself() -> None:
    found = study_demo("references", measures=("rouge1",), pair=("16", "2"))
    by_reference = {row.references: row.difference for row in found.estimates}
    alone = differences_with_single_references("rouge1")
    assert by_reference["average"] == pytest.approx(np.mean(alone))
    best = pyramidion.compare("demo", "rouge1", exclude=OTHERS, pair=("16", "2")).pairs[0].difference
    assert by_reference["best"] == pytest.approx(best)


def test_the_whole_grid_is_every_combination() -> None:
    found = study_demo(measures=("rouge-1", "rouge-2", "rouge-l", "rouge-su4"), limits=100)
    settings = [tuple(row.fields()[key] for key in SETTING) for row in found.settings]
    assert len(settings) == len(set(settings)) == 4 * 3 * 2 * 2 * 4 * 2 * 2
    assert [row.setting for row in found.settings] == list(range(1, len(settings) + 1))


SETTING = ("measure", "statistic", "stem", "stop", "references", "tokens", "limit")


def test_counts_of_pairs_factors_and_levels_follow_from_the_verdicts_of_all_pairs() -> None:
    pairs = list(combinations(SYSTEMS, 2))
    found = study_demo("statistic", "stem", "references", measures=("rouge-1", "rouge-2"), pair=pairs)
    verdicts: dict[frozenset[str], list[str]] = {}
    for row in found.estimates:
        better = {"better": row.a, "worse": row.b, "undecided": ""}[row.verdict]
        verdicts.setdefault(frozenset((row.a, row.b)), []).append(better)
    for pair in found.pairs:
        winners = verdicts[frozenset((pair.a, pair.b))]
        assert (winners.count(pair.a), winners.count(pair.b), winners.count("")) == (
            pair.better,
            pair.worse,
            pair.undecided,
        )
        assert pair.better >= pair.worse
    rows = found.settings
    for factor in found.factors:
        reversed_ = 0
        for winners in verdicts.values():
            reversed_ += any(
                {winners[first], winners[second]} - {""} == {*winners[first : first + 1], *winners[second : second + 1]}
                and winners[first] != winners[second]
                and "" not in (winners[first], winners[second])
                for first, second in combinations(range(len(rows)), 2)
                if all(
                    getattr(rows[first], key) == getattr(rows[second], key) for key in SETTING if key != factor.factor
                )
            )
        assert factor.reversed == reversed_
    for level in found.levels:
        places = [place for place, row in enumerate(rows) if _spell(getattr(row, level.factor)) == level.level]
        assert level.settings == len(places)
        assert level.reversed == sum(
            len({winners[place] for place in places} - {""}) == 2 for winners in verdicts.values()
        )
        assert level.winners == len({winner for place in places for winner in rows[place].winners})
    wins = {row.summarizer: row.settings for row in found.winners}
    assert sum(wins.values()) == sum(len(row.winners) for row in rows)


def _spell(value: object) -> str:
    return {True: "yes", False: "no", None: "none"}.get(value, str(value))  # type: ignore[call-overload, no-any-return]


def toy(references: int = 1, systems: tuple[str, ...] = ("long", "short")) -> list[dict[str, object]]:
    """A long system that has all words and many others, and a short one: recall and precision disagree."""
    random = np.random.default_rng(1)
    rows: list[dict[str, object]] = []
    for topic in range(12):
        words = [f"w{topic}x{number}" for number in range(8)]
        noise = [f"n{topic}x{number}" for number in range(20 + int(random.integers(6)))]
        texts = {"long": " ".join(words + noise), "short": " ".join(words[: 3 + int(random.integers(3))])}
        for system in systems:
            models = [" ".join(words)] * references
            rows.append({"topic": f"t{topic}", "system": system, "summary": texts[system], "references": models})
    return rows


def test_what_recall_and_precision_reverse_is_said() -> None:
    found = study.choices(toy(), ["rouge-1"], vary=["statistic", "stem"])
    assert len(found.settings) == 6
    assert found.pairs[0].is_reversed
    sentences = " ".join(found.sentences())
    assert "The answer depends on the setting" in sentences
    assert "no choice of references" in " ".join(note for table in found.tables() for note in table.notes)
    assert {row.references for row in found.settings} == {"only"}
    assert [row.factor for row in found.factors if row.reversed] == ["statistic"]


def test_equal_leaders_both_lead() -> None:
    rows = toy(references=2)
    twin = [{**row, "system": "twin"} for row in rows if row["system"] == "short"]
    found = study.choices([*rows, *twin], ["rouge-1"], vary=["statistic=precision"])
    assert found.settings[0].winners == ("short", "twin")
    assert {row.summarizer: row.settings for row in found.winners} == {"short": 1, "twin": 1}


def test_missing_summaries_leave_pairs_on_shared_topics() -> None:
    rows = [row for row in toy() if (row["topic"], row["system"]) != ("t3", "short")]
    found = study.choices(rows, ["rouge-1"], vary=["statistic=recall"])
    assert found.estimates[0].n == 11
    comparison = pyramidion.compare(rows, "rouge-1.recall")
    difference = comparison.pairs[0].difference or 0
    assert abs(found.estimates[0].difference or 0) == pytest.approx(abs(difference))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vary": ["stems"]}, "nothing called 'stems' can be varied"),
        ({"vary": ["references=worst"]}, "no value 'worst' of references"),
        ({"vary": ["limit=some"]}, "expected limit=none/100"),
        ({"pair": ("16", "nobody")}, "no summarizer 'nobody'"),
        ({"pair": ("16", "16")}, "expected two different"),
    ],
)
def test_what_can_t_be_varied_or_compared_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        study.choices("demo", ["rouge-2"], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["js", "question.focus", "rouge-2(jackknife=yes)", "rouge-2(use=2)"])
def test_other_measures_and_drawn_references_are_refused(measure: str) -> None:
    with pytest.raises(UsageError, match=r"settings of ROUGE are varied|leave out jackknife"):
        study.choices("demo", [measure])


def test_one_system_and_one_topic_are_too_few() -> None:
    with pytest.raises(InputError, match="expected at least 2, found 1"):
        study.choices(toy(systems=("long",)), ["rouge-1"], vary=["stem"])
    with pytest.raises(InputError, match="at least 2 with scores, found 1"):
        study.choices(toy()[:2], ["rouge-1"], vary=["stem"])


def test_the_figure_has_an_interval_and_a_dot_for_each_choice_of_each_setting() -> None:
    found = study_demo("statistic", "stem", measures=("rouge-1", "rouge-2"))
    chart = draw(found)
    curve, matrix = chart.spec["vconcat"]
    drawn = curve["layer"][1]["data"]["values"]
    assert len(drawn) == 12
    assert [row["value"] for row in drawn] == sorted(row["value"] for row in drawn)
    assert len(matrix["data"]["values"]) == 12 * 3
    assert "<svg" in chart.to_svg()


@pytest.mark.skipif(not os.environ.get("PYRAMIDION_DATA"), reason="PYRAMIDION_DATA has no summeval")
def test_summeval_has_six_winners_and_46_reversed_pairs_under_72_settings() -> None:
    # R-L, R-Lsum of rouge-score × precision, recall, F × stems × first, mean and best of 11 references on the
    # 50 topics of the shared half of SummEval; the counts are those of a script around rouge-score and SciPy.
    data = Path(os.environ["PYRAMIDION_DATA"]) / "summeval"
    measures = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    found = study.choices(data, measures, vary=["statistic", "stem", "references"])
    assert (len(found.settings), len(found.pairs)) == (72, 120)
    assert len(found.winners) == 6
    assert len(found.reversed_pairs) == 46
    assert not found.robust_pairs
    (of_f,) = [level for level in found.levels if level.level == "f"]
    assert of_f.reversed == 0
