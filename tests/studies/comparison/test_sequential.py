"""Looking at a pair after each topic: in random order, and only where the test can be relied on."""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyramidion import Evaluation, compare
from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Document, Judgment, Summary, Topic
from pyramidion.errors import UsageError
from pyramidion.options import CompareOptions
from pyramidion.present.comparison.pairs import sequential_notes, sequential_sentence
from pyramidion.scores import ScoreTable
from pyramidion.statistics.sequential import sequential_test, skewness_limit, skewness_of
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


def mixture(generator: np.random.Generator, count: int, *, gain: float, loss: float, share: float) -> Floats:
    """Better by a little on most topics, and failing on some, so that the mean is 0."""
    fails = generator.random(count) < share
    return np.where(fails, -loss, gain) + generator.normal(0, 0.02, count)


def test_topics_come_in_an_order_drawn_by_the_seed_whatever_the_order_of_the_file() -> None:
    differences = np.random.default_rng(0).normal(0.1, 1, 30)
    table = scores(differences)
    turned = ScoreTable(frame=table.frame.reverse())
    first, second = (compare(one, **PAIR).sequential[0] for one in (table, turned))
    assert [one.topic for one in first.looks] == [one.topic for one in second.looks]
    assert [one.topic for one in first.looks] != sorted(one.topic for one in first.looks)
    other = compare(table, seed=1, **PAIR).sequential[0]
    assert [one.topic for one in other.looks] != [one.topic for one in first.looks]
    assert other.looks[-1].e == pytest.approx(first.looks[-1].e)  # that of all topics, in whatever order


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
    assert "assumes roughly normal differences" in sequential_sentence(undecided)
    assert "assumes roughly normal differences" in sequential_sentence(decided)
    assert decided.looks[-1].decided


def test_skewed_differences_on_a_bounded_scale_are_refused_with_the_reason() -> None:
    differences = mixture(np.random.default_rng(1), 60, gain=0.05, loss=0.95, share=0.05)
    pair = look(differences, scale=(-1.0, 1.0))
    (row,) = pair.looks
    assert (row.e, row.p, row.lower, row.upper, row.decided) == (None, None, None, None, False)
    assert "the differences are skewed" in row.reason
    assert sequential_sentence(pair).startswith("No verdict on a and b on m: the differences are skewed")


def test_skewed_differences_without_a_scale_keep_their_note() -> None:
    pair = look(np.random.default_rng(1).exponential(1, 60) - 1)
    assert len(pair.looks) == 59
    assert "The differences are skewed" in sequential_notes(pair)[0]


def test_a_few_topics_without_a_failure_do_not_decide_on_a_bounded_scale() -> None:
    small = np.random.default_rng(3).normal(0.05, 0.02, 15)
    assert look(small).looks[-1].decided  # without a scale, normal differences suffice
    pair = look(small, scale=(0.0, 1.0))
    last = pair.looks[-1]
    assert (last.p, last.lower, last.decided) == (None, None, False)
    assert "15 topics can't rule out that up to 18 % of topics" in last.reason
    assert sequential_sentence(pair).startswith("No verdict yet on a and b on m: 15 topics can't rule out")


def test_a_clear_difference_on_a_bounded_scale_is_decided() -> None:
    pair = look(np.random.default_rng(3).normal(0.2, 0.1, 60), scale=(0.0, 1.0))
    assert pair.looks[-1].decided
    assert pair.looks[-1].p is not None


def test_scores_off_the_scale_have_another_one() -> None:
    options = CompareOptions(pair=[("a", "b")], sequential=True)
    percentages = scores(np.random.default_rng(3).normal(5, 2, 15), base=30)
    (pair,) = compare_table(percentages, options, scales={"m": (0.0, 1.0)}).sequential
    assert pair.looks[-1].decided


def false_verdicts(samples: Floats, *, largest: float) -> float:
    """The share of samples in which some look gives a verdict; each look sees what comes before it."""
    count = samples.shape[1]
    wrong = 0
    for sample in samples:
        test = sequential_test(sample, confidence=95, largest=largest)
        for place in np.nonzero((test.e >= 20) & test.is_shown)[0]:
            if abs(skewness_of(sample[: place + 1])) <= skewness_limit(int(place) + 1):
                wrong += 1
                break
    assert count == 200
    return wrong / len(samples)


@pytest.mark.parametrize(
    ("gain", "loss", "share"), [(0.05, 0.95, 0.05), (0.02, 0.98, 0.02), (0.1, 0.9, 0.1), (0.2, 0.8, 0.2)]
)
def test_rare_failures_give_no_false_verdicts_over_200_looks(gain: float, loss: float, share: float) -> None:
    """Without the rules for bounded scales, 21 to 73 % of these give a false verdict."""
    generator = np.random.default_rng(7)
    samples = np.array([mixture(generator, 200, gain=gain, loss=loss, share=share) for _ in range(400)])
    assert false_verdicts(samples, largest=1.0) <= 0.05 + 2 * (0.05 * 0.95 / 400) ** 0.5


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
            differences = matrix[first] - matrix[second]
            samples.append(generator.choice(differences - differences.mean(), 200))
        assert false_verdicts(np.array(samples), largest=4.0) <= 0.05


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
    found = judged(topics).compare("question.q", **PAIR)
    assert len(found.sequential) == 1
