"""The alternative annotator test, against the authors' printed results, scipy and statsmodels."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pyramidion.statistics.alternative_test import alternative_annotator_test
from pyramidion.statistics.multiple import adjusted_if_dependent

ALT_TEST = Path(os.environ.get("PYRAMIDION_ALT_TEST", "nowhere"))
"""The folder `data` of the authors' repository (nitaytech/AltTest), which has no licence and so is not part of this."""
PRINTED = Path(__file__).parents[1] / "golden" / "statistics" / "alternative_test.json"
"""ω and ρ of 52 judges and data sets, to two decimals, as the authors' notebook alt_test_example.ipynb prints them."""


def rated(items: int, people: int, *, seed: int, noise: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """Answers of people, and of a judge that answers as they do, from 1 to 5."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(3, 1, items)
    answers = np.clip(np.rint(quality[:, None] + generator.normal(0, noise, (items, people + 1))), 1, 5)
    return answers[:, :people], answers[:, people]


def test_adjusted_p_are_those_of_statsmodels() -> None:
    p = np.random.default_rng(2).random(9) ** 3
    expected = multipletests(p, method="fdr_by")[1]
    assert adjusted_if_dependent(p) == pytest.approx(expected, abs=1e-15)


def test_an_undefined_p_does_not_count_in_the_adjustment() -> None:
    p = np.array([0.01, np.nan, 0.04])
    adjusted = adjusted_if_dependent(p)
    assert np.isnan(adjusted[1])
    assert adjusted[[0, 2]] == pytest.approx(multipletests(p[[0, 2]], method="fdr_by")[1])


@pytest.mark.parametrize("alignment", ["rmse", "accuracy"])
def test_each_person_is_tested_by_the_one_sided_t_test_of_scipy(alignment: str) -> None:
    people, judge = rated(60, 4, seed=4)
    people[5:20, 1] = np.nan
    result = alternative_annotator_test(people, judge, epsilon=0.15, alignment=alignment)  # type: ignore[arg-type]
    for person in range(4):
        signs = []
        for answers, answer in zip(people, judge, strict=True):
            others = [value for place, value in enumerate(answers) if place != person and not np.isnan(value)]
            if np.isnan(answers[person]) or not others:
                continue
            if alignment == "rmse":
                of_judge, of_person = (-np.sqrt(np.mean(np.square(others - a))) for a in (answer, answers[person]))
            else:
                of_judge, of_person = (np.mean(np.array(others) == a) for a in (answer, answers[person]))
            signs.append(float(of_person >= of_judge) - float(of_judge >= of_person))
        expected = stats.ttest_1samp(signs, 0.15, alternative="less")
        assert result.n[person] == len(signs)
        assert result.p[person] == pytest.approx(expected.pvalue, abs=1e-12)


def test_people_with_few_shared_answers_are_left_out() -> None:
    people, judge = rated(60, 3, seed=1)
    people[29:, 2] = np.nan
    result = alternative_annotator_test(people, judge, epsilon=0.2)
    assert result.people.tolist() == [0, 1]


def test_nobody_to_compare_with_gives_no_number() -> None:
    people, judge = rated(40, 1, seed=1)
    result = alternative_annotator_test(people, judge, epsilon=0.2)
    assert np.isnan(result.winning_rate)
    assert np.isnan(result.advantage_probability)
    assert not result.is_passed


def test_clusters_of_one_item_change_nothing() -> None:
    people, judge = rated(50, 3, seed=7)
    plain = alternative_annotator_test(people, judge, epsilon=0.2)
    clustered = alternative_annotator_test(people, judge, epsilon=0.2, clusters=np.arange(50))
    assert clustered.p == pytest.approx(plain.p, abs=1e-14)
    assert (clustered.lower, clustered.upper) == pytest.approx((plain.lower, plain.upper))


def test_ten_copies_of_each_item_give_the_p_of_one_copy_where_copies_are_a_cluster() -> None:
    people, judge = rated(50, 3, seed=7)
    single = alternative_annotator_test(people, judge, epsilon=0.2)
    copied = alternative_annotator_test(
        np.repeat(people, 10, axis=0), np.repeat(judge, 10), epsilon=0.2, clusters=np.repeat(np.arange(50), 10)
    )
    assert copied.p == pytest.approx(single.p, abs=1e-12)


def test_answers_of_a_topic_that_depend_on_each_other_need_clusters() -> None:
    """A judge exactly at the limit: mean d = ε. 5 % of tests may reject, and without clusters far more do.

    The judge loses against every person in half of the topics plus ε, and wins in the others, for all of their items.
    """
    generator = np.random.default_rng(3)
    rejected = {"plain": 0, "clustered": 0}
    topics, size = 40, 8
    clusters = np.repeat(np.arange(topics), size)
    for _ in range(400):
        is_lost = np.repeat(generator.random(topics) < 0.6, size)  # mean d = 0.6 − 0.4 = 0.2
        people = np.full((topics * size, 2), 3.0)
        people[:, 1] = 4.0
        judge = np.where(is_lost, 5.5, 3.4)
        for name, numbers in (("plain", None), ("clustered", clusters)):
            result = alternative_annotator_test(people, judge, epsilon=0.2, clusters=numbers)
            rejected[name] += bool(result.p[0] < 0.05)
    assert rejected["clustered"] / 400 < 0.08
    assert rejected["plain"] / 400 > 0.15


@pytest.mark.skipif(not ALT_TEST.is_dir(), reason="PYRAMIDION_ALT_TEST names no folder with the authors' data")
@pytest.mark.parametrize("name", sorted(json.loads(PRINTED.read_text(encoding="utf-8"))["sets"]))
def test_the_authors_printed_results_come_out(name: str) -> None:
    golden = json.loads(PRINTED.read_text(encoding="utf-8"))["sets"][name]
    by_person, by_judge = (
        json.loads((ALT_TEST / name / f"{kind}_annotations.json").read_text(encoding="utf-8"))
        for kind in ("human", "llm")
    )
    items = sorted({item for answers in by_person.values() for item in answers})
    values: dict[object, float] = {}

    def coded(answers: dict[str, object]) -> np.ndarray:
        column = np.full(len(items), np.nan)
        for place, item in enumerate(items):
            answer = answers.get(item)
            if item not in answers:
                continue
            if golden["alignment"] == "rmse":
                column[place] = float(answer)  # type: ignore[arg-type]
            else:
                column[place] = values.setdefault(answer, float(len(values)))
        return column

    people = np.column_stack([coded(answers) for answers in by_person.values()])
    for judge, (winning_rate, advantage) in golden["printed"].items():
        result = alternative_annotator_test(
            people, coded(by_judge[judge]), epsilon=golden["epsilon"], alignment=golden["alignment"]
        )
        assert f"{result.winning_rate:.2f}" == f"{winning_rate:.2f}", judge
        assert f"{result.advantage_probability:.2f}" == f"{advantage:.2f}", judge
