"""`scaled-rank(of=…)`: ranks among the summaries of a topic."""

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.measures.deriving import add_derived
from pyramidion.measures.registry import select
from pyramidion.measures.scaled_rank import ScaledRank
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of

SCORES = {
    ("a", "t1"): 3.0, ("b", "t1"): 5.0, ("c", "t1"): 3.0, ("d", "t1"): 1.0,
    ("a", "t2"): 2.0, ("b", "t2"): 1.0, ("c", "t2"): 4.0,
}  # fmt: skip


def ranked(name: str, *, high_is_good: bool = True) -> dict[tuple[str, str], float]:
    summarizer, topic = zip(*SCORES, strict=True)
    scores = ScoreTable.from_columns(
        measure=["imported.x"] * len(SCORES),
        topic=topic,
        summarizer=summarizer,
        value=list(SCORES.values()),
        higher_is_better={"imported.x": high_is_good},
    )
    measure = select(name).measure
    assert isinstance(measure, ScaledRank)
    added = add_derived(scores, [measure])
    assert added.is_higher_better(measure.name())
    cube = cube_of(added, [measure.name()])
    return {
        (who, topic): float(cube.values[0, row, column])
        for row, who in enumerate(cube.summarizers)
        for column, topic in enumerate(cube.topics)
        if not np.isnan(cube.values[0, row, column])
    }


def test_the_best_of_a_topic_has_the_highest_rank_and_equals_share_theirs() -> None:
    assert ranked("scaled-rank(of=imported.x)") == {
        ("a", "t1"): 2.5, ("b", "t1"): 4.0, ("c", "t1"): 2.5, ("d", "t1"): 1.0,
        ("a", "t2"): 2.0, ("b", "t2"): 1.0, ("c", "t2"): 3.0,
    }  # fmt: skip


def test_where_low_is_good_the_lowest_has_the_highest_rank() -> None:
    assert ranked("scaled-rank(of=imported.x)", high_is_good=False)["d", "t1"] == 4.0


def test_divided_by_the_peers_of_the_topic_the_best_has_1() -> None:
    found = ranked("scaled-rank(of=imported.x,divide=yes)")
    assert found["b", "t1"] == found["c", "t2"] == 1.0
    assert found["a", "t1"] == 2.5 / 4
    assert found["b", "t2"] == pytest.approx(1 / 3)


def test_humans_are_ranked_among_all_only_if_they_are_among_the_peers() -> None:
    name = "scaled-rank(of=question.content-responsiveness)"
    systems, everyone = (pyramidion.score("demo", name, peers=peers) for peers in ("systems", "all"))
    assert max(systems.frame["value"].to_list()) == len(systems.summarizers) == 20
    assert max(everyone.frame["value"].to_list()) > 20
    assert len(everyone.summarizers) == 24


def test_the_signature_names_what_is_ranked() -> None:
    (signature,) = pyramidion.score("demo", "scaled-rank(of=question.focus)").signatures(
        "scaled-rank(of=question.focus)"
    )
    assert "|of:question.focus|" in signature
    assert "|columns:question.focus|summarizers:20|topics:11|" in signature


def test_it_must_be_said_what_to_rank_by() -> None:
    with pytest.raises(UsageError, match="scaled-rank needs a measure"):
        pyramidion.score("demo", "scaled-rank")
    with pytest.raises(UsageError, match="several values"):
        pyramidion.score("demo", "scaled-rank(of=rouge-1)")
    assert select("scaled-rank(of=rouge-1.recall)").name == "scaled-rank(of=rouge-1.recall)"
