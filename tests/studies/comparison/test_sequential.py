"""Looking at a pair after each topic: in random order, exact on a known scale."""

import json
import os
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyramidion import Evaluation, compare
from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Document, Judgment, Summary, Topic
from pyramidion.errors import InputError, UsageError
from pyramidion.options import CompareOptions
from pyramidion.present.comparison.pairs import sequential_notes, sequential_sentence
from pyramidion.scores import ScoreTable
from pyramidion.statistics.betting import betting_sequence, betting_wealth
from pyramidion.statistics.sequential import sequential_test
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.comparison import compare as compare_table
from pyramidion.studies.comparison.sequential import SequentialPair

PAIR: dict[str, Any] = {"pair": [("a", "b")], "sequential": True}


def scores(differences: Floats, *, base: float = 0.0) -> ScoreTable:
    names = [f"t{number:03}" for number in range(len(differences))]
    return ScoreTable.from_columns(
        measure=["m"] * 2 * len(names),
        topic=names * 2,
        summarizer=["a"] * len(names) + ["b"] * len(names),
        value=[*(base + differences), *np.full(len(names), base)],
    )


def look(differences: Floats, *, scale: tuple[float, float] | None = None, seed: int = 0) -> SequentialPair:
    base = 0.0 if scale is None else sum(scale) / 2
    options = CompareOptions(pair=[("a", "b")], sequential=True)
    found = compare_table(scores(differences, base=base), options, scales={"m": scale} if scale else None, seed=seed)
    (pair,) = found.sequential
    return pair


def test_topics_come_in_an_order_drawn_by_the_seed_whatever_the_order_of_the_file() -> None:
    differences = np.random.default_rng(0).normal(0.1, 1, 30)
    table = scores(differences)
    turned = ScoreTable(frame=table.frame.reverse())
    first, second = (compare(one, **PAIR).sequential[0] for one in (table, turned))
    assert [one.topic for one in first.looks] == [one.topic for one in second.looks]
    assert [one.topic for one in first.looks] != sorted(one.topic for one in first.looks)
    other = compare(table, seed=1, **PAIR).sequential[0]
    assert [one.topic for one in other.looks] != [one.topic for one in first.looks]
    assert other.looks[-1].e == pytest.approx(first.looks[-1].e)  # without a scale: that of all topics, in any order


def test_a_file_sorted_by_difficulty_gives_no_more_false_verdicts() -> None:
    generator = np.random.default_rng(5)
    pairs = [look(np.sort(generator.normal(0, 1, 60)), seed=run) for run in range(150)]
    assert sum(one.looks[-1].decided for one in pairs) <= 0.05 * 150 + 3 * (150 * 0.05 * 0.95) ** 0.5


def test_limits_are_what_all_limits_so_far_have_in_common() -> None:
    test = sequential_test(np.random.default_rng(2).normal(0.4, 1, 80), confidence=95)
    known = ~np.isnan(test.lower)
    assert (np.diff(test.lower[known]) >= 0).all()
    assert (np.diff(test.upper[known]) <= 0).all()
    excluded = (test.lower[known] > 0) | (test.upper[known] < 0)
    assert np.array_equal(excluded, test.p[known] <= 0.05)


def test_limits_with_nothing_in_common_are_undefined() -> None:
    jump = np.concatenate([np.random.default_rng(0).normal(0, 0.01, 40), np.full(4000, 1.0)])
    test = sequential_test(jump, confidence=95)
    assert np.isnan(test.lower[-1])


def test_the_sentence_says_what_is_assumed() -> None:
    undecided = look(np.random.default_rng(0).normal(0, 1, 20))
    decided = look(np.random.default_rng(0).normal(1, 1, 40))
    assert "taken in random order" in sequential_sentence(undecided)
    assert "if topics are independent and the differences roughly normal" in sequential_sentence(undecided)
    assert "if topics are independent and the differences roughly normal" in sequential_sentence(decided)
    assert decided.looks[-1].decided
    on_scale = look(np.random.default_rng(0).uniform(-0.2, 0.2, 20), scale=(0.0, 1.0))
    assert "for scores from 0 to 1 of any shape, if topics are independent" in sequential_sentence(on_scale)


def test_a_decision_comes_with_the_result_over_all_topics() -> None:
    pair = look(np.full(60, 0.4), scale=(0.0, 1.0))
    sequence = betting_sequence(np.full(60, 0.4), bounds=(-1, 1), confidence=95)
    (decided, *_) = np.nonzero(sequence.p <= 0.05)[0]
    assert pair.decided_after == decided + 1
    limits = f"{sequence.last_lower:.4f} to {sequence.last_upper:.4f}"
    assert sequential_sentence(pair).startswith(
        f"a is better than b on m: decided after {decided + 1} of 60 topics, taken in random order (difference 0.4000, "
    )
    assert f"Over all 60 topics: 0.4000 ({limits}). This holds however often you look" in sequential_sentence(pair)


def test_all_topics_may_no_longer_exclude_0() -> None:
    order = np.random.default_rng(0).permutation(80)  # as the seed draws it
    differences = np.empty(80)
    differences[order] = np.concatenate([np.full(24, 0.5), np.full(56, -0.2)])
    pair = look(differences, scale=(0.0, 1.0))
    assert pair.winner == "a"
    assert "Over all 80 topics: 0.0100 (" in sequential_sentence(pair)
    assert "by themselves they do not exclude 0" in sequential_sentence(pair)


def test_on_a_scale_p_and_limits_are_those_of_the_betting_sequence() -> None:
    differences = np.random.default_rng(4).uniform(-0.3, 0.5, 40)
    pair = look(differences, scale=(0.0, 1.0), seed=3)
    order = np.random.default_rng(3).permutation(40)
    sequence = betting_sequence(differences[order], bounds=(-1, 1), confidence=95)
    assert [row.p for row in pair.looks] == pytest.approx(sequence.p[1:])
    assert [row.lower for row in pair.looks] == pytest.approx(sequence.lower[1:])
    assert [row.topic for row in pair.looks] == [f"t{place:03}" for place in order[1:]]


def test_where_low_is_good_a_difference_above_0_still_means_better() -> None:
    table = scores(np.full(40, -0.4), base=0.5)
    turned = ScoreTable(frame=table.frame, higher_is_better={"m": False})
    (pair,) = compare(turned, scale=(0, 1), **PAIR).sequential
    assert pair.looks[-1].difference == pytest.approx(0.4)
    assert pair.winner == "a"


def test_several_pairs_are_corrected() -> None:
    values = np.random.default_rng(0).uniform(0, 1, (3, 60))
    names = [f"t{number:03}" for number in range(60)]
    table = ScoreTable.from_columns(
        measure=["m"] * 180,
        topic=names * 3,
        summarizer=[who for who in "abc" for _ in names],
        value=values.ravel().tolist(),
    )
    alone = compare(table, scale=(0, 1), **PAIR).sequential[0].looks[-1]
    found = compare(table, scale=(0, 1), pair=[("a", "b"), ("a", "c")], sequential=True).sequential[0].looks[-1]
    assert (found.lower or 0) < (alone.lower or 0)
    assert found.p_adjusted == min(1, 2 * (found.p or 0))
    uncorrected = compare(table, scale=(0, 1), pair=[("a", "b"), ("a", "c")], sequential=True, correction="none")
    assert uncorrected.sequential[0].looks[-1] == alone


def test_clusters_are_looked_at_together() -> None:
    differences = np.random.default_rng(2).uniform(-0.2, 0.4, 30)
    cluster_of = {f"t{number:03}": f"c{min(number // 2, 9):02}" for number in range(30)}  # the last has 12 topics
    clusters = TopicClusters(field="parent", cluster_of=cluster_of)
    options = CompareOptions(pair=[("a", "b")], sequential=True, cluster="parent", scale=(0, 1))
    (pair,) = compare_table(scores(differences, base=0.5), options, clusters=clusters).sequential
    means = np.array([*differences[:18].reshape(9, 2).mean(axis=1), differences[18:].mean()])
    sizes = np.array([2.0] * 9 + [12])
    order = np.random.default_rng(0).permutation(10)
    sequence = betting_sequence(means[order], bounds=(-1, 1), confidence=95, weights=sizes[order] / 12)
    assert [row.p for row in pair.looks] == pytest.approx(sequence.p[1:])
    assert [row.n for row in pair.looks] == np.cumsum(sizes[order]).astype(int).tolist()[1:]
    assert pair.looks[-1].difference == pytest.approx(differences.mean())
    assert "10 clusters (parent; 30 topics)" in sequential_sentence(pair)
    assert "of any shape, if clusters are independent" in sequential_sentence(pair)
    with pytest.raises(UsageError, match="with `cluster=` needs the scale of m"):
        compare_table(scores(differences), replace(options, scale=()), clusters=clusters)


def test_without_a_scale_the_test_asks_for_it_and_skewed_differences_have_a_note() -> None:
    pair = look(np.random.default_rng(1).exponential(1, 60) - 1)
    assert len(pair.looks) == 59
    asks, skewed = sequential_notes(pair)
    assert "`scale=(1, 5)` makes the test exact" in asks
    assert "The differences are skewed" in skewed


def test_scores_off_the_scale_have_another_one() -> None:
    options = CompareOptions(pair=[("a", "b")], sequential=True)
    percentages = scores(np.random.default_rng(3).normal(5, 2, 15), base=30)
    (pair,) = compare_table(percentages, options, scales={"m": (0.0, 1.0)}).sequential
    assert pair.scale is None
    options = CompareOptions(pair=[("a", "b")], sequential=True, scale=(0, 100))
    (scaled,) = compare_table(percentages, options, scales={"m": (0.0, 1.0)}).sequential
    assert list(scaled.scale or ()) == [0, 100]
    with pytest.raises(InputError, match=r"m: found values from .* to .*; expected the scale 0 to 20"):
        compare_table(percentages, CompareOptions(pair=[("a", "b")], sequential=True, scale=(0, 20)))


def test_permuted_ratings_give_no_false_verdicts() -> None:
    folder = Path(os.environ.get("PYRAMIDION_DATA", "")) / "summeval"
    if "PYRAMIDION_DATA" not in os.environ or not folder.exists():
        pytest.skip("PYRAMIDION_DATA has no summeval")
    values: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for line in (folder / "judgments.jsonl").read_text(encoding="utf-8").splitlines():
        judgment = json.loads(line)
        values[judgment["question"]][judgment["summarizer"]][judgment["topic"]] = judgment["value"]
    generator = np.random.default_rng(0)
    for systems in values.values():
        matrix = np.array([list(topics.values()) for _, topics in sorted(systems.items())])
        pairs = [(first, second) for first in range(len(matrix)) for second in range(first)]
        samples = []
        for first, second in pairs:
            drawn = generator.choice(matrix[first] - matrix[second], 200)
            samples.append(drawn * generator.choice([-1, 1], 200))  # labels exchanged at random
        wealth = betting_wealth(np.array(samples), bounds=(-4, 4), confidence=95)
        assert np.mean(wealth.max(axis=1) >= 20) <= 0.05


def judged(topics: list[Topic]) -> Evaluation:
    judgments = [
        Judgment(topic=topic.topic, summarizer=who, assessor="x", question="q", value=1 + (place + shift) % 3)
        for place, topic in enumerate(topics)
        for shift, who in enumerate(("a", "b"))
    ]
    summaries = [
        Summary(topic=one.topic, summarizer=one.summarizer, kind="peer", text="some text") for one in judgments
    ]
    return Evaluation(Campaign(topics=tuple(topics), judgments=tuple(judgments), summaries=tuple(summaries)))


def test_topics_with_a_common_parent_are_refused() -> None:
    topics = [Topic(topic=f"D{number}-{part}", parent=f"D{number}", part=part) for number in (1, 2) for part in "AB"]
    refused = r'D1-A and D1-B have the same parent \(D1\), and 2 other topics .*\(`where=\{"part": "A"\}`\)'
    with pytest.raises(UsageError, match=refused):
        judged(topics).compare("question.q", **PAIR)


def test_topics_with_a_common_document_are_refused() -> None:
    texts = ["one text", "another", "one text"]
    topics = [
        Topic(topic=f"t{number}", documents=(Document(id=f"d{number}", text=text),))
        for number, text in enumerate(texts)
    ]
    with pytest.raises(UsageError, match="t0 and t2 have a document in common"):
        judged(topics).compare("question.q", **PAIR)


def test_documents_that_are_only_numbered_alike_are_different() -> None:
    topics = [
        Topic(topic=f"t{number}", parent=f"t{number}", documents=(Document(id="1", text=f"text {number}"),))
        for number in range(4)
    ]
    found = judged(topics).compare("question.q", scale=(1, 5), **PAIR)
    assert len(found.sequential) == 1
    with pytest.raises(UsageError, match=r"needs the scale of question.q, which is not known: .* `scale=\(1, 5\)`"):
        judged(topics).compare("question.q", **PAIR)


def test_what_was_seen_at_the_looks_comes_before_the_leaderboard() -> None:
    # Letters hold for a single look: "a is significantly better" stood above "undecided" of the test that was asked for.
    found = compare(scores(np.random.default_rng(3).normal(0.3, 0.2, 12)), scale=(-2, 2), **PAIR)
    (pair,) = found.sequential
    assert found.answer()[0] == sequential_sentence(pair)
    assert "hold for a single look" in found.answer()[1]
    assert found.sentences().count(sequential_sentence(pair)) == 1
