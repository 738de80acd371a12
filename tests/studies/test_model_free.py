"""Tables of model-free measures with human scores, against SciPy on plain matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

import pyramidion
from pyramidion import study
from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.options import ModelFreeOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of
from pyramidion.studies import model_free
from pyramidion.studies.model_free import ModelFreeStudy, plan_model_free, study_model_free
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
    over_systems, within = update.cell(feature, PYRAMID, stem=stem)
    table = pyramidion.score(demo, [over_systems.measure, PYRAMID], where={"part": "B"})
    cube = cube_of(table, [over_systems.measure, PYRAMID])
    x, z = cube.values.round(9)
    macro = spearmanr(x.mean(axis=1).round(9), z.mean(axis=1).round(9))
    assert over_systems.value == pytest.approx(macro.statistic, abs=1e-9)
    assert over_systems.p == pytest.approx(macro.pvalue, rel=1e-6)
    inside = [spearmanr(x[:, topic], z[:, topic]) for topic in range(x.shape[1])]
    significant = [float(one.statistic) for one in inside if one.pvalue < 0.05]
    assert within.significant == len(significant)
    assert within.percentage == pytest.approx(100 * len(significant) / x.shape[1])
    assert within.largest == pytest.approx(max(significant, key=abs))
    assert within.smallest == pytest.approx(min(significant, key=abs))


def test_percentages_say_of_how_many_topics_with_a_defined_correlation() -> None:
    """Three topics: js orders six systems rightly in one, not in another; in the third all are judged alike."""
    js = {"a": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "b": [0.1, 0.6, 0.2, 0.5, 0.3, 0.4], "c": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
    focus = {"a": [6, 5, 4, 3, 2, 1], "b": [1, 2, 3, 4, 5, 6], "c": [3, 3, 3, 3, 3, 3]}
    cells = [
        (measure, topic, str(system), float(value))
        for measure, by_topic in (("js", js), (FOCUS, focus))
        for topic, values in by_topic.items()
        for system, value in enumerate(values)
    ]
    measures, topics, systems, values = zip(*cells, strict=True)
    table = ScoreTable.from_columns(measure=measures, topic=topics, summarizer=systems, value=values)
    found = study_model_free({"": table}, {"": plan_model_free(table, ModelFreeOptions(with_=[FOCUS], stem="yes"))})
    (micro,) = (one for one in found.tables() if one.record == "feature-micro")
    assert [row[-1] for row in micro.rows] == ["1 of 2 (50.0 %)"]
    assert "It is undefined in 1 of 3 topics." in micro.notes[0]


def test_stemmed_and_unstemmed_stand_side_by_side_for_every_feature(update: ModelFreeStudy) -> None:
    for stem in (True, False):
        for feature in (*FEATURES, "regression", "rouge-1.recall", "rouge-2.recall"):
            measure = update.cell(feature, FOCUS, stem=stem)[0].measure
            assert ("stem=no" in measure) is not stem


def test_update_topics_are_compared_with_each_input_and_initial_ones_with_theirs_alone(
    update: ModelFreeStudy, demo: Campaign
) -> None:
    assert {row.compared for row in update.macro} == {"documents", "background", "average", "both", "models"}
    initial = study.model_free(demo, with_=FOCUS, where={"part": "A"}, stem="yes")
    assert {row.compared for row in initial.macro} == {"documents", "models"}
    assert {row.stem for row in initial.macro} == {True}


def test_a_regression_is_correlated_with_the_score_that_it_predicts_and_no_other(update: ModelFreeStudy) -> None:
    for row in update.macro:
        if row.feature == "regression":
            assert f"target={row.with_}" in row.measure
    both, _ = update.cell("regression", PYRAMID, compared="both")
    assert both.measure == f"regression(target={PYRAMID},input=both)"


def test_in_a_mixed_campaign_the_background_is_looked_at_on_update_topics_alone(demo: Campaign) -> None:
    mixed = study.model_free(demo, with_=PYRAMID, stem="yes")
    alone = study.model_free(demo, with_=PYRAMID, stem="yes", where={"part": "B"})
    for compared in ("background", "average"):
        one, other = (found.cell("js", PYRAMID, compared=compared)[0] for found in (mixed, alone))
        assert one.value == pytest.approx(other.value)
    assert mixed.cell("js", PYRAMID)[1].n > alone.cell("js", PYRAMID)[1].n


def test_without_wordfreq_what_needs_it_is_left_out_and_the_remedy_is_said(
    demo: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(source: str) -> None:
        raise MissingExtraError(f"the background {source!r}", "background")

    monkeypatch.setattr(model_free, "load_background", missing)
    found = study.model_free(demo, with_=PYRAMID, where={"part": "A"}, stem="yes")
    features = {row.feature for row in found.macro}
    assert features == {*WITHOUT_BACKGROUND, "regression", "rouge-1.recall", "rouge-2.recall"}
    assert "pip install 'pyramidion-eval[background]'" in found.left_out[""][0]
    assert found.cell("regression", PYRAMID)[0].measure.count(",") == len(WITHOUT_BACKGROUND)


def test_without_models_rouge_is_left_out_and_it_is_said(demo: Campaign) -> None:
    peers = tuple(one for one in demo.summaries if one.kind == "peer")
    found = study.model_free(
        replace(demo, summaries=peers, pyramids=(), annotations=()), with_=FOCUS, stem="yes", where={"part": "A"}
    )
    assert {row.feature for row in found.macro} == {*FEATURES, "regression"}
    assert "there are no references" in found.left_out[""][0]


def test_without_documents_or_manual_scores_it_is_refused(demo: Campaign) -> None:
    bare = replace(demo, topics=())
    with pytest.raises(InputError, match="no topic has documents"):
        study.model_free(bare, with_=FOCUS)
    with pytest.raises(InputError, match="there are no judgments and no pyramids"):
        study.model_free(replace(demo, judgments=(), pyramids=()))
    with pytest.raises(InputError, match=r"no summary has a score on imported\.nothing"):
        study.model_free(demo, with_="imported.nothing", stem="yes", where={"part": "A"})
    with pytest.raises(UsageError, match='`stem="maybe"`: expected both, yes, no'):
        study.model_free(demo, stem="maybe")  # type: ignore[arg-type]


def test_by_default_every_manual_score_is_looked_at(demo: Campaign) -> None:
    planned = plan_model_free(demo, ModelFreeOptions(stem="yes"))
    assert planned.targets[0] == PYRAMID
    assert len(planned.targets) == 1 + len(demo.question_names)


def test_a_score_table_is_studied_as_far_as_it_goes(demo: Campaign) -> None:
    table = pyramidion.score(demo, ["js", "js(stem=no)", "rouge-1.recall", FOCUS])
    found = study.model_free(table, with_=FOCUS)
    assert {(row.feature, row.stem) for row in found.macro} == {
        ("js", True),
        ("js", False),
        ("rouge-1.recall", True),
    }
    with pytest.raises(InputError, match="no summary has a score on a model-free measure"):
        study.model_free(table.only(["rouge-1.recall", FOCUS]), with_=FOCUS)


def test_few_summarizers_and_constant_columns_are_undefined_with_a_reason(demo: Campaign) -> None:
    planned = plan_model_free(demo, ModelFreeOptions(with_=[FOCUS], stem="yes"))
    rows = [("js", "t", name, 0.5) for name in "ab"] + [(FOCUS, "t", name, float(name == "a")) for name in "ab"]
    measure, topic, summarizer, value = zip(*rows, strict=True)
    table = ScoreTable.from_columns(measure=measure, topic=topic, summarizer=summarizer, value=value)
    found = study_model_free({"": table}, {"": planned})
    (over_systems,), (within,) = found.macro, found.micro
    assert over_systems.value is None
    assert over_systems.reason
    assert within.largest is None
    assert within.reason


def test_an_unknown_cell_is_a_usage_error(update: ModelFreeStudy) -> None:
    with pytest.raises(UsageError, match=r"there is no cosine with question\.nothing"):
        update.cell("cosine", "question.nothing")


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
    (within,) = study.model_free(table, with_=FOCUS).micro
    assert (within.n, within.undefined) == (2, 1)
