"""Systems ranked by preferences."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError
from pyramidion.studies.judgments.preferences import rank_by_preferences


def campaign(folder: Path, choices: list[tuple[str, str, str, str]]) -> Path:
    texts = [
        {"topic": f"t{t}", "summarizer": who, "kind": "model" if who == "M" else "peer", "text": f"{who} writes"}
        for t in range(6)
        for who in "MABC"
    ]
    (folder / "summaries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in texts))
    rows = [{"topic": t, "a": a, "b": b, "assessor": "x", "choice": choice} for t, a, b, choice in choices]
    (folder / "preferences.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_the_one_preferred_most_comes_first(tmp_path: Path) -> None:
    choices = [
        (f"t{t}", a, b, choice)
        for t, a, b, choice in (
            (0, "A", "B", "a"),
            (1, "A", "B", "b"),
            (2, "A", "B", "a"),
            (3, "A", "C", "a"),
            (4, "B", "C", "tie"),
            (5, "C", "A", "a"),
        )
    ]
    found = pyramidion.Evaluation(campaign(tmp_path, choices)).preferences()
    assert found.abilities[0].summarizer == "A"
    assert sum(one.ability for one in found.abilities) == pytest.approx(0)
    assert {one.method for one in found.abilities} == {"wald"}
    assert found.ties == pytest.approx(1 / 6)
    assert [one.summarizer for one in found.undecided_from_best()] == ["C", "B"]


def test_the_difference_from_the_best_is_tested(tmp_path: Path) -> None:
    won, lost = 5, 1
    choices = [(f"t{t}", "A", "B", "a" if t < won else "b") for t in range(won + lost)]
    preferences = pyramidion.Evaluation(campaign(tmp_path, choices)).preferences()
    # Two systems without ties: the difference of abilities is the log odds, with variance 1/won + 1/lost (Agresti,
    # Categorical Data Analysis, 2002, section 3.1.1).
    z = math.log(won / lost) / math.sqrt(1 / won + 1 / lost)
    best, other = preferences.abilities
    assert best.p_from_best is None
    assert other.p_from_best == pytest.approx(2 * stats.norm.sf(z))
    (first, line, *_) = preferences.sentences()
    assert first.startswith("Undecided: A is not preferred to B significantly more often: 5 wins, 1 loss; ")
    assert line.startswith("A is preferred most: it won 83 %, lost 17 % and tied 0 % of 6 choices; ability ")


def test_several_preferences_of_a_topic_are_resampled_together(tmp_path: Path) -> None:
    choices = [
        (f"t{t}", a, b, "a" if (t + len(a + b)) % 3 else "b")
        for t in range(6)
        for a, b in (("A", "B"), ("B", "C"), ("C", "A"), ("A", "C"))
    ]
    found = pyramidion.Evaluation(campaign(tmp_path, choices)).preferences(resamples=50)
    assert {one.method for one in found.abilities} == {"jackknife"}


def test_with_few_topics_limits_are_those_of_the_jackknife() -> None:
    choices: tuple[Literal["a", "b", "tie"], ...] = ("a", "b", "a", "tie", "a", "b", "a", "a", "tie", "b")
    preferences = [
        Preference(topic=f"t{topic}", a="x", b="y", choice=choice, assessor=assessor)
        for topic, choice in enumerate(choices)
        for assessor in ("p", "q")
    ]
    best = rank_by_preferences(Campaign(preferences=tuple(preferences))).abilities[0]
    without = []
    for topic in range(10):
        kept = tuple(preference for preference in preferences if preference.topic != f"t{topic}")
        abilities = {row.summarizer: row.ability for row in rank_by_preferences(Campaign(preferences=kept)).abilities}
        without.append(abilities[best.summarizer])
    half = 2.262157 * math.sqrt(9 * np.var(without))  # R: qt(.975, 9)
    assert (best.lower, best.upper) == pytest.approx((best.ability - half, best.ability + half), rel=1e-6)


def test_without_preferences_there_is_nothing_to_rank() -> None:
    with pytest.raises(InputError, match=r"preferences\.jsonl"):
        pyramidion.Evaluation("demo").preferences()


def test_ties_alone_are_an_error_not_a_singular_matrix() -> None:
    ties = tuple(Preference(topic=f"t{topic}", a="x", b="y", choice="tie", assessor="p") for topic in range(5))
    with pytest.raises(InputError, match="every preference is a tie"):
        rank_by_preferences(Campaign(preferences=ties))


def test_few_topics_that_are_resampled_are_said_to_have_limits_that_are_too_narrow() -> None:
    # Without the second topic x always wins or ties, so that only the bootstrap is left.
    choices: tuple[Literal["a", "b", "tie"], ...] = ("a", "b", "a", "tie", "a", "a")
    once, again = (
        [
            Preference(topic=f"t{topic}", a="x", b="y", choice=choice, assessor=assessor)
            for topic, choice in enumerate(choices)
        ]
        for assessor in ("p", "q")
    )
    sentences = rank_by_preferences(Campaign(preferences=(*once, *again))).sentences()
    assert any("With 6 topics" in sentence and "too narrow" in sentence for sentence in sentences)
    of_one_each = rank_by_preferences(Campaign(preferences=tuple(once))).sentences()
    assert not any("too narrow" in sentence for sentence in of_one_each)
