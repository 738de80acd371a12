"""A pair is decided by its two systems: others change nothing but the correction for the number of pairs."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pyramidion.campaign.nouns import Judgment
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreTable
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.comparison import compare
from pyramidion.studies.comparison.pairs import Pair

Scores = Mapping[str, np.ndarray]


def table(scores: Scores, *, higher_is_better: bool = True) -> ScoreTable:
    cells = [
        (who, f"t{topic:02}", float(value))
        for who, row in scores.items()
        for topic, value in enumerate(row)
        if not np.isnan(value)
    ]
    return ScoreTable.from_columns(
        measure=["question.m"] * len(cells),
        topic=[topic for _, topic, _ in cells],
        summarizer=[who for who, _, _ in cells],
        value=[value for _, _, value in cells],
        higher_is_better={"question.m": higher_is_better},
    )


def scores_of(names: str, topics: int, *, spread: float, missing: float, seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = spread * generator.normal(size=(len(names), topics)) + generator.normal(size=topics)
    values[generator.random(values.shape) < missing] = np.nan
    return dict(zip(names, values, strict=True))


@settings(max_examples=40)
@given(
    topics=st.integers(1, 30),
    others=st.integers(0, 4),
    spread=st.sampled_from([0.0, 0.01, 1.0, 1e9]),
    missing=st.sampled_from([0.0, 0.2]),
    options=st.sampled_from(
        [
            CompareOptions(pair=(("a", "b"),), permutations=199),
            CompareOptions(pair=(("a", "b"),), permutations=199, method="sign-flip"),
            CompareOptions(pair=(("a", "b"),), permutations=199, method="bounded", scale=(-20, 20)),
            CompareOptions(pair=(("a", "b"),), permutations=199, letters="paired", interval="own"),
        ]
    ),
    higher_is_better=st.booleans(),
    cluster_size=st.sampled_from([0, 1, 3]),
    seed=st.integers(0, 10_000),
)
def test_other_systems_change_no_pair(
    topics: int,
    others: int,
    spread: float,
    missing: float,
    options: CompareOptions,
    higher_is_better: bool,
    cluster_size: int,
    seed: int,
) -> None:
    two = scores_of("ab", topics, spread=1.0, missing=missing, seed=seed)
    rest = scores_of("cdef"[:others], topics + 5, spread=spread, missing=missing, seed=seed + 1)
    if not all(np.isfinite(row).any() for row in two.values()):
        return
    clusters = None
    if cluster_size:
        cluster_of = {f"t{topic:02}": f"d{topic // cluster_size}" for topic in range(topics + 5)}
        clusters = TopicClusters(field="document", cluster_of=cluster_of)
    alone = compare(table(two, higher_is_better=higher_is_better), options, clusters=clusters).pairs
    among = compare(table({**rest, **two}, higher_is_better=higher_is_better), options, clusters=clusters).pairs
    assert alone == among


def mean_answers(rows: np.ndarray) -> np.ndarray:
    """The mean answer in each row, missing where nobody answered."""
    answer_counts = np.isfinite(rows).sum(axis=1)
    means = np.full(len(rows), np.nan)
    np.divide(np.nansum(rows, axis=1), answer_counts, out=means, where=answer_counts > 0)
    return means


@settings(max_examples=15)
@example(others=3, missing=0.15, seed=389)  # nobody judged one of the summaries
@given(others=st.integers(1, 3), missing=st.sampled_from([0.0, 0.15]), seed=st.integers(0, 10_000))
def test_other_systems_change_no_pair_whose_assessors_are_random(others: int, missing: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    names = "ab" + "cde"[:others]
    values = generator.integers(1, 6, size=(len(names), 6, 4)).astype(float)
    values += generator.normal(0, 0.5, size=(len(names), 1, 4))
    values[generator.random(values.shape) < missing] = np.nan
    found = []
    for count in (2, len(names)):
        judgments = [
            Judgment(topic=f"t{topic:02}", summarizer=who, assessor=f"p{person}", question="m", value=float(value))
            for who, rows in zip(names[:count], values[:count], strict=True)
            for topic, row in enumerate(rows)
            for person, value in enumerate(row)
            if not np.isnan(value)
        ]
        means = {who: mean_answers(rows) for who, rows in zip(names[:count], values[:count], strict=True)}
        options = CompareOptions(pair=(("a", "b"),), permutations=99)
        found.append(compare(table(means), options, judgments={"question.m": judgments}).pairs)
    assert found[0] == found[1]


def test_more_pairs_change_the_correction_and_the_limits_alone() -> None:
    scores = table(scores_of("abcd", 20, spread=1.0, missing=0.1, seed=3))
    alone = compare(scores, CompareOptions(pair=(("a", "b"),))).pairs[0]
    among = compare(scores, CompareOptions(all_pairs=True)).pairs[0]
    changed = {"p_adjusted", "lower", "upper", "effect_lower", "effect_upper", "sentence", "better", "note"}

    def rest(pair: Pair) -> dict[str, object]:
        return {name: value for name, value in pair.fields().items() if name not in changed}

    assert rest(alone) == rest(among)
    assert (alone.p_adjusted or 0) <= (among.p_adjusted or 0)


@pytest.mark.parametrize("letters", [None, "paired"])
@pytest.mark.parametrize("seed", range(20))
def test_with_missing_scores_letters_and_pairs_never_contradict_each_other(letters: str | None, seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = scores_of("stuvwxyz", 14, spread=1.0, missing=0.25, seed=seed)
    scores = {who: row + generator.normal(0, 0.8) for who, row in scores.items()}
    found = compare(table(scores), CompareOptions(all_pairs=True, letters=letters))  # type: ignore[arg-type]
    shown = found.analysis("question.m").letters
    for pair in found.pairs:
        assert bool(pair.better) == (not set(shown[pair.a]) & set(shown[pair.b]))
        if pair.better:
            loser = pair.b if pair.better == pair.a else pair.a
            undecided = found.analysis("question.m").undecided(pair.better, [loser])
            assert undecided == []
