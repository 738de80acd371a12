"""Measures from a Python function: what they see, and that they work wherever measures do."""

from __future__ import annotations

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summary, TopicData, plain
from pyramidion.errors import UsageError
from pyramidion.measures.base import Need
from pyramidion.measures.deriving import add_derived
from pyramidion.measures.function import from_function
from pyramidion.measures.registry import Selection, TableColumn, column, known_measures, select, select_all
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of

CAMPAIGN = Campaign(
    summaries=tuple(Summary(topic="t", summarizer=who, kind="peer", text=f"text of {who}") for who in "ab")
)
WITH_MODELS = Campaign(
    summaries=(
        *(Summary(topic="t", summarizer=who, kind="model", text=f"model {who}") for who in "ABC"),
        *(Summary(topic="t", summarizer=who, kind="peer", text=f"peer {who}") for who in "12"),
    )
)


def shared_words(summary: Summary, topic: TopicData) -> float:
    """The mean share of a model's words that the summary has."""
    words = set(plain(summary.text).split())
    models = [set(plain(model.text).split()) for model in topic.models]
    return float(np.mean([len(words & model) / len(model) for model in models]))


SHARED = from_function("shared", shared_words, needs=["models"])


def test_a_function_is_a_measure() -> None:
    length = from_function("my-length", lambda summary, topic: len(summary.text), higher_is_better=False)
    table = pyramidion.score(CAMPAIGN, [length])
    assert table.frame["value"].to_list() == [9.0, 9.0]
    assert table.measures == ("my-length.value",)
    assert not table.is_higher_better("my-length.value")


def test_a_function_that_needs_models_gives_no_row_without_them() -> None:
    table = pyramidion.score(CAMPAIGN, [from_function("f", lambda summary, topic: 1.0, needs=["models"])])
    assert len(table) == 0
    assert table.unscored == {"f.value": 2}


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_function_may_have_no_value(nothing: float | None) -> None:
    table = pyramidion.score(CAMPAIGN, [from_function("f", lambda summary, topic: nothing)])
    assert table.unscored == {"f.value": 2}


def test_a_function_that_fails_says_on_which_summary() -> None:
    with pytest.raises(UsageError, match="topic 't', summarizer 'a'"):
        pyramidion.score(CAMPAIGN, [from_function("f", lambda summary, topic: 1 / 0)])


def test_a_measure_object_stands_for_itself() -> None:
    length = from_function("my-length", lambda summary, topic: len(summary.text))
    assert pyramidion.score(CAMPAIGN, length).measures == ("my-length.value",)
    assert pyramidion.score(CAMPAIGN, []).measures == ()


def test_a_function_never_sees_the_own_model_of_a_human() -> None:
    seen: dict[str, set[str]] = {}

    def spy(summary: Summary, topic: TopicData) -> float:
        seen[summary.summarizer] = {model.summarizer for model in topic.models}
        return 1.0

    several: list[list[Need]] = [[], ["models"]]
    for needs in several:
        seen.clear()
        pyramidion.score(WITH_MODELS, [from_function("spy", spy, needs=needs)], peers="all")
        assert seen == {"A": {"B", "C"}, "B": {"A", "C"}, "C": {"A", "B"}, "1": set("ABC"), "2": set("ABC")}


def test_the_signature_counts_the_models_that_a_value_rests_on() -> None:
    table = pyramidion.score(WITH_MODELS, [SHARED], peers="all")
    signatures = {who: signature for _, _, who, _, signature in table.frame.iter_rows()}
    assert "|nmodels:2|" in signatures["A"]
    assert "|nmodels:3|" in signatures["1"]


def test_a_human_whose_model_is_the_only_one_has_no_value() -> None:
    alone = Campaign(summaries=(Summary(topic="t", summarizer="A", kind="model", text="model"), *CAMPAIGN.summaries))
    table = pyramidion.score(alone, [SHARED], peers="all")
    assert table.summarizers == ("a", "b")
    assert table.unscored == {"shared.value": 1}


def test_masks_choose_the_models_and_each_choice_is_computed_once() -> None:
    calls = 0

    def counted(summary: Summary, topic: TopicData) -> float:
        nonlocal calls
        calls += 1
        return float(len(topic.models))

    evidence = from_function("counted", counted, needs=["models"]).evidence(WITH_MODELS.topic("t", peers="all"))
    assert evidence is not None
    masks = np.array([[True, False, False], [True, True, True], [True, False, False]])
    assert evidence.peers == ("A", "B", "C", "1", "2")
    np.testing.assert_array_equal(
        evidence.values(masks)[..., 0], [[np.nan, 1, 1, 1, 1], [2, 2, 2, 3, 3], [np.nan, 1, 1, 1, 1]]
    )
    assert calls == 9


def test_a_measure_that_was_given_is_found_by_its_name() -> None:
    known = known_measures([SHARED, "rouge-2", Selection(SHARED, "value")])
    assert known == {"shared": SHARED}
    assert select("shared", known=known) == Selection(SHARED)
    assert select("shared.value", known=known) == Selection(SHARED, "value")
    assert column("shared", known=known) == "shared.value"
    with pytest.raises(UsageError, match="did you mean value"):
        select("shared.valu", known=known)


def test_names_beside_an_object_know_it() -> None:
    first, second = select_all([SHARED, "hbr(shared,rouge-1.recall)"])
    assert first == Selection(SHARED)
    assert second.name == "hbr(shared.value,rouge-1.recall)"


def test_two_functions_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="two different measures are called shared"):
        select_all([SHARED, from_function("shared", lambda summary, topic: 0.0)])


def test_measures_with_functions_for_options_are_found_by_their_names() -> None:
    def letters(text: str) -> list[str]:
        return list(text)

    measure = pyramidion.measures.Rouge(kind=pyramidion.text.OverlapKind("n", 2), tokens=letters)
    assert measure.name("f") == "rouge-2(tokens=letters).f"
    assert select(measure.name("f"), known=known_measures([measure])) == Selection(measure, "f")


def test_what_is_derived_from_a_function_is_scored_with_it() -> None:
    table = pyramidion.score("demo", [SHARED, "scaled-rank(of=shared)", "hbr(shared.value,rouge-1.recall)"])
    assert set(table.measures) == {
        "shared.value", "scaled-rank(of=shared.value)", "hbr(shared.value,rouge-1.recall)"
    }  # fmt: skip


def test_a_table_resolves_its_own_columns() -> None:
    table = pyramidion.score("demo", [SHARED, "rouge-1.recall"])
    there = table.measures
    assert select("shared.value", columns=there) == Selection(TableColumn(called="shared"), "value")
    assert select("shared", columns=there).among(there) == ["shared.value"]
    assert select("rouge-1", columns=there).among(there) == ["rouge-1.recall"]
    selection = select("scaled-rank(of=shared)", columns=there)
    assert selection.name == "scaled-rank(of=shared.value)"
    ranked = add_derived(table, [selection.measure])  # type: ignore[list-item]
    assert cube_of(ranked, [selection.name]).values.shape == (1, 20, 11)


def test_a_column_that_nothing_computes_is_refused_where_it_is_to_be_scored() -> None:
    with pytest.raises(UsageError, match=r"shared is a column of a score table"):
        pyramidion.score("demo", [select("shared.value", columns=["shared.value"])])


def test_a_column_of_a_function_called_as_a_measure_of_ours_is_still_found() -> None:
    table = ScoreTable.from_columns(measure=["length.value"], topic=["t"], summarizer=["s"], value=[1.0])
    assert select("length.value", columns=table.measures).name == "length.value"
    with pytest.raises(UsageError, match="length has one value"):
        select("length.value")
