"""Which topics to look at first: by hand."""

from dataclasses import replace

import numpy as np

from pyramidion.scores import ScoreMatrix
from pyramidion.studies.informative_topics import informative_topics


def matrix(values: list[list[float]], *, higher: bool = True) -> ScoreMatrix:
    array = np.array(values, dtype=float)
    names = tuple("abcdefgh"[: len(array)])
    topics = tuple(f"t{at}" for at in range(array.shape[1]))
    return ScoreMatrix(measure="m", summarizers=names, topics=topics, values=array, higher_is_better=higher)


def test_a_topic_is_informative_when_the_best_differ_or_measures_disagree() -> None:
    people = matrix([[5, 5, 5, 5], [4, 1, 4, 4], [3, 3, 3, 3], [1, 2, 1, 1]])
    program = replace(matrix([[4, 4, 1, 4], [3, 3, 2, 3], [2, 2, 3, 2], [1, 1, 4, 1]]), measure="n")
    first, second, *_ = informative_topics(people, program)
    assert {first.topic, second.topic} == {"t1", "t2"}  # t1: the best differ by 4; t2: the order is upside down
    whys = {one.topic: one.why for one in (first, second)}
    assert "the top 3 systems differ by 4 on m" in whys["t1"]
    assert "τ −1.00" in whys["t2"]


def test_low_may_be_good_and_scores_may_be_missing() -> None:
    nan = float("nan")
    found = informative_topics(matrix([[1, 1, nan], [2, 2, nan], [3, 8, nan], [9, 4, nan]], higher=False), None)
    assert found[0].topic == "t1"
    assert found[-1].topic == "t2"
    assert found[-1].why == "no two systems can be compared here"
