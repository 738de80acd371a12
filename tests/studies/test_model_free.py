"""Tables of model-free measures beside manual scores, against SciPy on plain matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

import pyramidion
from pyramidion import study
from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.scores import ScoreTable, cube_of
from pyramidion.studies import ModelFreeStudy, plan_model_free, study_model_free
from pyramidion.studies import model_free as room
from pyramidion.text.inputs import FEATURES

PYRAMID = "pyramid.modified"
FOCUS = "question.focus"
WITHOUT_BACKGROUND = [name for name in FEATURES if name != "cosine" and not name.startswith("topic-")]


@pytest.fixture(scope="module")
def demo() -> Campaign:
    return pyramidion.load("demo")


@pytest.fixture(scope="module")
def update(demo: Campaign) -> ModelFreeStudy:
    return study.model_free(demo, with_=[PYRAMID, FOCUS], where={"part": "B"})


@pytest.mark.parametrize("stem", [True, False])
@pytest.mark.parametrize("feature", ["js", "topic-coverage", "rouge-2.recall"])
def test_macro_and_micro_are_what_scipy_says(update: ModelFreeStudy, demo: Campaign, feature: str, stem: bool) -> None:
    row = update.row(feature, PYRAMID, stem=stem)
    table = pyramidion.score(demo, [row.column.measure, PYRAMID], where={"part": "B"})
    cube = cube_of(table, [row.column.measure, PYRAMID])
    x, z = cube.values.round(9)
    macro = spearmanr(x.mean(axis=1).round(9), z.mean(axis=1).round(9))
    assert row.macro.value == pytest.approx(macro.statistic, abs=1e-9)
    assert row.macro.p == pytest.approx(macro.pvalue, rel=1e-6)
    inside = [spearmanr(x[:, topic], z[:, topic]) for topic in range(x.shape[1])]
    significant = [float(one.statistic) for one in inside if one.pvalue < 0.05]
    assert row.micro.significant == len(significant)
    assert row.micro.percentage == pytest.approx(100 * len(significant) / x.shape[1])
    assert row.micro.largest == pytest.approx(max(significant, key=abs))
    assert row.micro.smallest == pytest.approx(min(significant, key=abs))


def test_stemmed_and_unstemmed_stand_side_by_side_for_every_feature(update: ModelFreeStudy) -> None:
    for stem in (True, False):
        for feature in (*FEATURES, "regression", "rouge-1.recall", "rouge-2.recall"):
            measure = update.row(feature, FOCUS, stem=stem).column.measure
            assert ("stem=no" in measure) is not stem


def test_update_topics_are_compared_with_each_input_and_initial_ones_with_theirs_alone(
    update: ModelFreeStudy, demo: Campaign
) -> None:
    assert {row.column.compared for row in update.rows} == {"documents", "background", "average", "both", "models"}
    initial = study.model_free(demo, with_=FOCUS, where={"part": "A"}, stems=[True])
    assert {row.column.compared for row in initial.rows} == {"documents", "models"}
    assert {row.column.stem for row in initial.rows} == {True}


def test_a_regression_is_correlated_with_the_score_that_it_predicts_and_no_other(update: ModelFreeStudy) -> None:
    for row in update.rows:
        if row.column.feature == "regression":
            assert row.column.target == row.macro.with_
            assert f"target={row.macro.with_}" in row.column.measure
    both = update.row("regression", PYRAMID, compared="both")
    assert both.column.measure == f"regression(target={PYRAMID},input=both)"


def test_in_a_mixed_campaign_the_background_is_looked_at_on_update_topics_alone(demo: Campaign) -> None:
    mixed = study.model_free(demo, with_=PYRAMID, stems=[True])
    alone = study.model_free(demo, with_=PYRAMID, stems=[True], where={"part": "B"})
    for compared in ("background", "average"):
        one, other = (found.row("js", PYRAMID, compared=compared) for found in (mixed, alone))
        assert one.macro.value == pytest.approx(other.macro.value)
    assert mixed.row("js", PYRAMID).micro.n > alone.row("js", PYRAMID).micro.n


def test_without_wordfreq_what_needs_it_is_left_out_and_the_remedy_is_said(
    demo: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(source: str) -> None:
        raise MissingExtraError(f"the background {source!r}", "background")

    monkeypatch.setattr(room, "load_background", missing)
    found = study.model_free(demo, with_=PYRAMID, where={"part": "A"}, stems=[True])
    features = {row.column.feature for row in found.rows}
    assert features == {*WITHOUT_BACKGROUND, "regression", "rouge-1.recall", "rouge-2.recall"}
    assert "pip install 'pyramidion[background]'" in found.left_out[0]
    assert found.row("regression", PYRAMID).column.measure.count(",") == len(WITHOUT_BACKGROUND)


def test_without_models_rouge_is_left_out_and_it_is_said(demo: Campaign) -> None:
    peers = tuple(one for one in demo.summaries if one.kind == "peer")
    found = study.model_free(
        replace(demo, summaries=peers, pyramids=(), annotations=()), with_=FOCUS, stems=[True], where={"part": "A"}
    )
    assert {row.column.feature for row in found.rows} == {*FEATURES, "regression"}
    assert "there are no models" in found.left_out[0]


def test_without_documents_or_manual_scores_it_is_refused(demo: Campaign) -> None:
    bare = replace(demo, topics=())
    with pytest.raises(InputError, match="no topic has documents"):
        study.model_free(bare, with_=FOCUS)
    with pytest.raises(InputError, match="there are no judgments and no pyramids"):
        study.model_free(replace(demo, judgments=(), pyramids=()))
    with pytest.raises(InputError, match=r"no score of imported\.nothing"):
        study.model_free(demo, with_="imported.nothing", stems=[True], where={"part": "A"})
    with pytest.raises(UsageError, match="stems"):
        plan_model_free(demo, stems=())


def test_by_default_every_manual_score_is_looked_at(demo: Campaign) -> None:
    plan = plan_model_free(demo, stems=[True])
    assert plan.targets[0] == PYRAMID
    assert len(plan.targets) == 1 + len(demo.question_names)


def test_a_score_table_is_studied_as_far_as_it_goes(demo: Campaign) -> None:
    table = pyramidion.score(demo, ["js", "js(stem=no)", "rouge-1.recall", FOCUS])
    found = study.model_free(table, with_=FOCUS)
    assert {(row.column.feature, row.column.stem) for row in found.rows} == {
        ("js", True),
        ("js", False),
        ("rouge-1.recall", True),
    }
    with pytest.raises(InputError, match="no model-free measure has a value here"):
        study.model_free(table.only(["rouge-1.recall", FOCUS]), with_=FOCUS)


def test_few_summarizers_and_constant_columns_are_undefined_with_a_reason(demo: Campaign) -> None:
    plan = plan_model_free(demo, [FOCUS], stems=[True])
    rows = [("js", "t", name, 0.5) for name in "ab"] + [(FOCUS, "t", name, float(name == "a")) for name in "ab"]
    measure, topic, summarizer, value = zip(*rows, strict=True)
    table = ScoreTable.from_columns(measure=measure, topic=topic, summarizer=summarizer, value=value)
    (row,) = study_model_free(table, plan).rows
    assert row.macro.value is None
    assert row.macro.reason
    assert row.micro.largest is None
    assert row.micro.reason


def test_an_unknown_cell_is_a_usage_error(update: ModelFreeStudy) -> None:
    with pytest.raises(UsageError, match=r"there is no cosine beside question\.nothing"):
        update.row("cosine", "question.nothing")


def test_percentages_are_of_topics_with_a_correlation() -> None:
    """A topic in which all are judged alike has none (as in golden/README: a few topics of SummEval)."""
    random = np.random.default_rng(0)
    js, judged = random.random((2, 9, 3))
    judged[:, 1] = 4.0
    rows = [
        (name, f"t{topic}", f"s{summarizer}", float(value))
        for name, matrix in (("js", js), (FOCUS, judged))
        for (summarizer, topic), value in np.ndenumerate(matrix)
    ]
    measure, topic, summarizer, value = zip(*rows, strict=True)
    table = ScoreTable.from_columns(measure=measure, topic=topic, summarizer=summarizer, value=value)
    (row,) = study.model_free(table, with_=FOCUS).rows
    assert (row.micro.n, row.micro.undefined) == (2, 1)
