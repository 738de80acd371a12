"""Letters: those printed in DUC 2006, golden ones, those of scikit-posthocs, and what letters mean."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from other_packages import scikit_posthocs
from pyramidion.errors import UsageError
from pyramidion.statistics.letters import assign_letters, letter_groups, letter_name, tukey_test
from pyramidion.statistics.variance import two_way_anova
from studies.meta_golden import CASES, DUC, expected, matrix


@pytest.mark.parametrize("scale", DUC["printed"]["table_order"])
def test_all_ten_tables_of_duc_2006_come_back_from_their_sharing_relation(scale: str) -> None:
    order = DUC["printed"]["table_order"][scale]
    printed = [set(DUC["printed"]["systems"][str(system)][scale]["groups"]) for system in order]
    differs = np.array([[not first & second for second in printed] for first in printed])
    assert np.triu(differs).sum() == DUC["expected"]["letters"][scale]["n_significant_pairs_printed"]
    assert assign_letters(differs, range(len(order))) == ["".join(sorted(groups)) for groups in printed]


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_golden_letters(name: str, measure: str) -> None:
    summarizers, values = matrix(name, measure)
    golden = expected(name, measure)
    anova = two_way_anova(values)
    assert anova is not None
    test = tukey_test(anova, confidence=95)
    assert test is not None
    order = [summarizers.index(who) for who in golden["order"]]
    given = assign_letters(test.differs, order)
    assert given is not None
    assert dict(zip(summarizers, given, strict=True)) == golden["letters"]


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("seed", range(20))
def test_groups_are_those_of_scikit_posthocs(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(12, 15)) + np.sort(generator.normal(size=(12, 1)), axis=0)[::-1]
    anova = two_way_anova(values)
    assert anova is not None
    test = tukey_test(anova, confidence=95)
    assert test is not None
    theirs = scikit_posthocs.compact_letter_display(np.where(test.differs, 0.0, 1.0))
    columns = ["".join(column) for column in zip(*theirs, strict=True)]
    their_groups = [frozenset(row for row, letter in enumerate(column) if letter != " ") for column in columns]
    largest = {one for one in their_groups if not any(one < other for other in their_groups)}
    order = sorted(range(12), key=lambda row: -anova.row_means[row])
    groups = letter_groups(test.differs, order)
    assert groups is not None
    assert {frozenset(group) for group in groups} == largest


@st.composite
def relations(draw: st.DrawFn) -> np.ndarray:
    size = draw(st.integers(0, 9))
    upper = np.triu(
        np.array(draw(st.lists(st.booleans(), min_size=size**2, max_size=size**2)), dtype=np.bool_).reshape(size, size),
        1,
    )
    return np.asarray(upper | upper.T, dtype=np.bool_)


@given(relations(), st.randoms())
def test_rows_share_a_letter_exactly_when_they_do_not_differ(differs: np.ndarray, random: Random) -> None:
    order = list(range(len(differs)))
    random.shuffle(order)
    given = assign_letters(differs, order)
    assert given is not None
    for first in range(len(differs)):
        assert given[first]
        for second in range(len(differs)):
            assert bool(set(given[first]) & set(given[second])) != differs[first, second]
    if order:
        assert "A" in given[order[0]]


def test_the_letter_of_the_best_comes_first_and_columns_follow_their_best_members() -> None:
    differs = np.array([[False, False, True], [False, False, False], [True, False, False]])
    assert assign_letters(differs, [2, 1, 0]) == ["B", "AB", "A"]


def test_beyond_26_groups_letters_have_two_characters_and_blanks_between() -> None:
    size = 30
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) > 1
    given = assign_letters(apart, range(size))
    assert given is not None
    assert given[0] == "A"
    assert given[26] == "Z AA"
    assert given[29] == "AC"
    assert [letter_name(number) for number in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA")
    ]


def test_relations_with_more_groups_than_anyone_reads_have_none() -> None:
    size = 24  # pairs (0, 1), (2, 3), … differ: each group takes one of each pair, 2¹² groups
    differs = np.zeros((size, size), dtype=np.bool_)
    for even in range(0, size, 2):
        differs[even, even + 1] = differs[even + 1, even] = True
    assert letter_groups(differs, range(size)) is None
    assert assign_letters(differs, range(size)) is None


@pytest.mark.parametrize(
    ("differs", "order"),
    [
        (np.array([[True]]), [0]),
        (np.array([[False, True], [False, False]]), [0, 1]),
        (np.zeros((2, 2), dtype=np.bool_), [0, 0]),
        (np.zeros((2, 3), dtype=np.bool_), [0, 1]),
    ],
)
def test_what_is_no_relation_is_refused(differs: np.ndarray, order: list[int]) -> None:
    with pytest.raises(UsageError):
        letter_groups(differs, order)
