"""`hbr(…)` as a measure that other commands can use, and the frozen benchmark."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.measures.deriving import add_derived
from pyramidion.measures.hbr import Hbr
from pyramidion.measures.registry import select
from pyramidion.scores import ScoreTable, write_scores
from pyramidion.scores.cube import cube_of

NAMES = ("rouge-1.recall", "rouge-2.precision", "rouge-l.f")
MIXED = f"hbr({','.join(NAMES)})"


def by_definition(table: ScoreTable, *, signs: tuple[int, ...] = (1, 1, 1)) -> np.ndarray:
    """HBR pair by pair, straight from the definition (paper 001, §3.2)."""
    cube = cube_of(table, NAMES)
    values = cube.values * np.array(signs)[:, None, None]
    _, summarizers, topics = values.shape
    pairs = [
        values[:, one, topic] - values[:, other, topic]
        for topic in range(topics)
        for one in range(summarizers)
        for other in range(one)
    ]

    def heterogeneity(chosen: np.ndarray) -> float:
        return float(np.mean([(pair[chosen] > 0).any() and (pair[chosen] < 0).any() for pair in pairs]))

    expected = np.zeros((summarizers, topics))
    for topic in range(topics):
        for one in range(summarizers):
            expected[one, topic] = np.mean(
                [
                    heterogeneity(values[:, one, topic] >= values[:, other, topic])
                    for other in range(summarizers)
                    if other != one
                ]
            )
    return expected


@pytest.fixture(scope="module")
def scored() -> ScoreTable:
    demo = pyramidion.load("demo")
    return pyramidion.score(demo.restricted(set(demo.topic_ids[:3])), [*NAMES, MIXED])


def test_it_is_scored_like_any_other_measure_and_is_what_its_definition_says(scored: ScoreTable) -> None:
    np.testing.assert_allclose(cube_of(scored, [MIXED])[MIXED], by_definition(scored), atol=1e-9)


def test_its_signature_names_columns_pairs_and_what_it_was_estimated_on(scored: ScoreTable) -> None:
    (signature,) = scored.signatures(MIXED)
    assert f"columns:{','.join(NAMES)}" in signature
    assert "|topics:3|" in signature
    assert "|H_pairs:570|H_left_out:0|" in signature  # 3 topics · 20 · 19 / 2


def test_other_commands_can_use_it(scored: ScoreTable) -> None:
    assert pyramidion.compare(scored, MIXED).leaderboard(MIXED)[0].rank == 1
    assert pyramidion.correlate(scored, [MIXED], with_="rouge-1.recall").value(MIXED, "rouge-1.recall") is not None


def test_naming_the_default_measures_is_the_same_as_naming_none() -> None:
    assert select(f"hbr({','.join(Hbr().columns)})").name == "hbr"


def test_a_frozen_corpus_of_the_same_summaries_changes_nothing(scored: ScoreTable, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.parquet"
    write_scores(scored.only(NAMES), corpus)
    frozen = Hbr(measures=NAMES, corpus=str(corpus))
    table = add_derived(scored, [frozen])
    cube = cube_of(table, [MIXED, frozen.name()])
    np.testing.assert_allclose(cube[frozen.name()], cube[MIXED], atol=1e-12)
    (signature,) = table.signatures(frozen.name())
    assert "|corpus:" in signature


def test_a_new_system_has_the_same_score_in_the_corpus_whoever_else_is_new(scored: ScoreTable, tmp_path: Path) -> None:
    summarizers = scored.summarizers
    cube = cube_of(scored, NAMES)

    def only(names: tuple[str, ...]) -> ScoreTable:
        rows = [
            (measure, topic, name, float(cube[measure][cube.summarizers.index(name), number]))
            for measure in NAMES
            for number, topic in enumerate(cube.topics)
            for name in names
        ]
        measure, topic, summarizer, value = zip(*rows, strict=True)
        return ScoreTable.from_columns(measure=measure, topic=topic, summarizer=summarizer, value=value)

    corpus = tmp_path / "corpus.csv"
    write_scores(only(summarizers[:10]), corpus)
    frozen = Hbr(measures=NAMES, corpus=str(corpus))
    alone = add_derived(only((summarizers[15],)), [frozen])
    together = add_derived(only(summarizers[12:]), [frozen])
    place = cube_of(together).summarizers.index(summarizers[15])
    np.testing.assert_array_equal(cube_of(alone)[frozen.name()][0], cube_of(together)[frozen.name()][place])


def test_a_corpus_without_one_of_the_measures_is_refused(scored: ScoreTable, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.csv"
    write_scores(scored.only(NAMES[:2]), corpus)
    with pytest.raises(
        UsageError, match=r"corpus\.csv: found no scores of rouge-l\.f; score the corpus with these measures"
    ):
        add_derived(scored, [Hbr(measures=NAMES, corpus=str(corpus))])


def test_topics_that_the_corpus_does_not_have_give_no_value_and_it_is_said(scored: ScoreTable, tmp_path: Path) -> None:
    import polars as pl

    first = scored.topics[0]
    corpus = tmp_path / "corpus.csv"
    part = ScoreTable(frame=scored.only(NAMES).frame.filter(pl.col("topic") == first))
    write_scores(part, corpus)
    frozen = Hbr(measures=NAMES, corpus=str(corpus))
    with pytest.warns(UserWarning, match="no other summary to compare them with"):
        table = add_derived(scored, [frozen])
    assert set(table.only([frozen.name()]).topics) == {first}


def test_a_missing_corpus_and_senseless_numbers_are_refused(scored: ScoreTable, tmp_path: Path) -> None:
    with pytest.raises(pyramidion.errors.PyramidionError, match=r"nothing\.csv"):
        add_derived(scored, [Hbr(measures=NAMES, corpus=str(tmp_path / "nothing.csv"))])
    with pytest.raises(UsageError, match="sample=0"):
        Hbr(sample=0)
    with pytest.raises(UsageError, match="seed=-1"):
        Hbr(seed=-1)


def test_values_that_differ_by_rounding_alone_are_ties() -> None:
    def table(third: float) -> ScoreTable:
        rows = [
            ("imported.x", "s", 0.1 + 0.2), ("imported.x", "r", third), ("imported.x", "q", 0.9),
            ("imported.y", "s", 0.2), ("imported.y", "r", 0.8), ("imported.y", "q", 0.5),
        ]  # fmt: skip
        measure, summarizer, value = zip(*rows, strict=True)
        return ScoreTable.from_columns(measure=measure, topic=["t"] * 6, summarizer=summarizer, value=value)

    combined = Hbr(measures=("imported.x", "imported.y"))
    equal, nearly = (cube_of(add_derived(table(third), [combined]))[combined.name()] for third in (0.1 + 0.2, 0.3))
    assert 0.1 + 0.2 != 0.3
    np.testing.assert_array_equal(nearly, equal)


def test_a_summary_is_tied_with_its_twin_in_a_frozen_corpus(tmp_path: Path) -> None:
    def table(who: str, value: float) -> ScoreTable:
        return ScoreTable.from_columns(measure=NAMES, topic=["t"] * 3, summarizer=[who] * 3, value=[value] * 3)

    corpus = tmp_path / "corpus.csv"
    write_scores(table("a", 0.3).join(table("b", 0.5)), corpus)
    frozen = Hbr(measures=NAMES, corpus=str(corpus))
    same, nearly = (
        cube_of(add_derived(table("c", value), [frozen]))[frozen.name()] for value in (0.3, 0.1 + 0.2 - 1e-16)
    )
    np.testing.assert_array_equal(nearly, same)
