"""The derived measure `regression`: its name, its columns, and predictions by hand-gathered training sets."""

import subprocess
import sys

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.deriving import add_derived
from pyramidion.measures.registry import select
from pyramidion.measures.regression import Regression
from pyramidion.scores import ScoreTable

TARGET = "question.overall-responsiveness"
NAME = f"regression(rouge-1.recall,rouge-2.recall,target={TARGET})"


@pytest.fixture(scope="module")
def scored() -> ScoreTable:
    return pyramidion.score("demo", ["rouge-1.recall", "rouge-2.recall", "question"])


def regression(name: str) -> Regression:
    measure = select(name).measure
    assert isinstance(measure, Regression)
    return measure


def test_names_parse_back_with_the_measures_first_and_the_target_in_full() -> None:
    assert select(NAME).name == NAME
    assert select(f"regression(target={TARGET},rouge-1.recall,rouge-2(stem=yes).recall)").name == NAME
    quoted = 'regression(js,target="question.\\"Is it good?\\"")'
    assert select(select(quoted).name) == select(quoted)


def test_without_measures_the_model_free_ones_are_combined() -> None:
    columns = regression(f"regression(target={TARGET})").columns
    assert len(columns) == 11
    assert {"js", "kl-input-summary", "topic-cosine", "multinomial-probability", TARGET} <= set(columns)
    both = regression(f"regression(target={TARGET},input=both)").columns
    assert len(both) == 21
    assert {"js", "js(input=background)"} <= set(both)
    average = regression(f"regression(target={TARGET},input=average)").columns
    assert [name for name in average if "(input=average)" not in name] == [TARGET]


def test_a_prediction_is_that_of_a_fit_which_saw_neither_topic_nor_summarizer(scored: ScoreTable) -> None:
    table = add_derived(scored, [regression(NAME)])
    first, second, target, found = (
        table.matrix(name).values for name in ("rouge-1.recall", "rouge-2.recall", TARGET, NAME)
    )
    for summarizer, topic in ((0, 0), (3, 7), (19, 10)):
        kept = np.ones(target.shape, dtype=bool)
        kept[summarizer], kept[:, topic] = False, False
        design = np.column_stack([np.ones(kept.sum()), first[kept], second[kept]])
        solved, *_ = np.linalg.lstsq(design, target[kept], rcond=None)  # numpy's own least squares
        expected = solved @ [1.0, first[summarizer, topic], second[summarizer, topic]]
        assert found[summarizer, topic] == pytest.approx(expected, abs=1e-9)


def test_two_columns_that_say_the_same_change_nothing(scored: ScoreTable) -> None:
    double = f"regression(rouge-1.recall,rouge-2.recall,rouge-1(rounding=none,alpha=0.2).recall,target={TARGET})"
    once = pyramidion.score("demo", NAME).frame["value"].to_numpy()
    twice = pyramidion.score("demo", double).frame
    np.testing.assert_allclose(twice["value"].to_numpy(), once, rtol=1e-9)
    assert len(scored) > len(twice)


def test_the_signature_names_columns_summarizers_topics_and_what_was_learned_from(scored: ScoreTable) -> None:
    (signature,) = add_derived(scored, [regression(NAME)]).signatures(NAME)
    for part in (
        f"columns:rouge-1.recall,rouge-2.recall,{TARGET}",
        "summarizers:20",
        "topics:11",
        "names:",
        "rows:220",
    ):
        assert part in signature


def test_only_what_was_asked_for_is_in_the_table_and_simulated_judgments_are_said() -> None:
    table = pyramidion.score("demo", NAME)
    assert table.measures == (NAME,)
    assert "simulated judgments" in table.notes[NAME]


def test_low_is_good_where_it_is_for_the_target() -> None:
    table = ScoreTable.from_columns(
        measure=["imported.a"] * 4 + ["imported(better=low).b"] * 4,
        topic=["1", "1", "2", "2"] * 2,
        summarizer=["x", "y"] * 4,
        value=[1, 2, 3, 4, 4, 3, 2, 1],
        higher_is_better={"imported(better=low).b": False},
    )
    measure = regression("regression(imported.a,target=imported(better=low).b)")
    assert not add_derived(table, [measure]).is_higher_better(measure.name())


def test_a_summary_without_a_feature_has_no_value() -> None:
    cells = [(topic, who) for topic in "123" for who in "xyz"]
    there = cells[1:]  # the first has no feature
    table = ScoreTable.from_columns(
        measure=["imported.a"] * len(there) + ["imported.b"] * len(cells),
        topic=[topic for topic, _ in there + cells],
        summarizer=[who for _, who in there + cells],
        value=[float(number % 5) for number in range(len(there) + len(cells))],
    )
    measure = regression("regression(imported.a,target=imported.b)")
    derived = add_derived(table, [measure])
    assert len(derived.only([measure.name()])) == len(there)
    assert derived.unscored == {measure.name(): 1}


def test_one_topic_gives_no_value_but_a_reason() -> None:
    with pytest.warns(MeasureWarning, match="needs at least two of each"):
        table = pyramidion.score("demo", NAME, where={"topic": "D02"})
    assert len(table) == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("regression", "needs a target"),
        ("regression(js)", "needs a target"),
        ("regression(js,target=js)", "among the measures that predict it"),
        ("regression(js,target=question)", "several values"),
        ("regression(rouge-1,target=question.focus)", "several values"),
        ("regression(js,target=question.focus,input=both)", "give each measure its own input"),
        ("regression(target=nothing)", "no measure or column 'nothing'"),
        ("regression(target=question.focus).recall", "no statistics"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        pyramidion.score("demo", name)


@pytest.mark.slow
def test_all_model_free_features_give_every_summary_a_value_and_the_off_topic_summarizer_the_lowest() -> None:
    pytest.importorskip("wordfreq")
    name = f"regression(target={TARGET})"
    predicted = pyramidion.score("demo", name).matrix(name)
    assert not np.isnan(predicted.values).any()
    # No other summarizer is like number 18, which writes about other topics: the fits that predict it never saw such.
    assert predicted.summarizers[predicted.values.mean(axis=1).argmin()] == "18"


@pytest.mark.slow
def test_without_the_background_the_extra_is_named() -> None:
    program = "import sys; sys.modules['wordfreq'] = None; import pyramidion; pyramidion.score('demo', sys.argv[1])"
    call = [sys.executable, "-c", program, f"regression(target={TARGET})"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert "MissingExtraError" in done.stderr
    assert "pyramidion-eval[background]" in done.stderr
