"""Agreement of assessors, by hand and against values computed elsewhere."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.campaign import Question, QuestionSet
from pyramidion.errors import UsageError
from pyramidion.options import AlphaMetric, JudgmentAgreementOptions
from pyramidion.studies.judgments.agreement import judgment_agreement
from studies.judgments.judged import campaign

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "statistics" / "meta.json").read_text(encoding="utf-8"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns")

TWO = (
    ("t", "1", "A", "q", 1),
    ("t", "1", "B", "q", 1),
    ("t", "2", "A", "q", 2),
    ("t", "2", "B", "q", 2),
    ("u", "1", "A", "q", 1),
    ("u", "1", "C", "q", 2),
    ("u", "2", "A", "q", 5),
)


def test_alpha_counts_summaries_with_two_assessors_and_pairs_those_that_share_one() -> None:
    found = judgment_agreement(campaign(*TWO), JudgmentAgreementOptions(metric=("nominal",)))
    (one,) = found.alphas
    assert one.alpha == pytest.approx(1 - (2 / 6) / 0.6)  # by hand, as in the tests of the statistics
    assert (one.n, one.left_out, one.assessors) == (3, 1, 3)
    assert one.pair_agreement == pytest.approx(2 / 3)
    assert [(pair.a, pair.b, pair.n) for pair in found.pairs] == [("A", "B", 2), ("A", "C", 1)]


def test_the_bootstrap_over_summaries_is_seeded_and_the_interval_over_topics_is_a_jackknife() -> None:
    demo = pyramidion.load("demo")
    focus = JudgmentAgreementOptions(question=("focus",), over="summaries")
    one = judgment_agreement(demo, focus, seed=1)
    other = judgment_agreement(demo, focus, seed=2)
    by_topic = judgment_agreement(demo, replace(focus, over="topics"), seed=1)
    assert judgment_agreement(demo, focus, seed=1).alphas == one.alphas
    assert [found.lower for found in other.alphas] != [found.lower for found in one.alphas]
    assert [found.alpha for found in by_topic.alphas] == [found.alpha for found in one.alphas]
    assert JudgmentAgreementOptions().over == "topics"
    for found in by_topic.alphas:
        without = []
        for topic in demo.topic_ids:
            rest = tuple(judgment for judgment in demo.judgments if judgment.topic != topic)
            (alpha,) = judgment_agreement(replace(demo, judgments=rest), replace(focus, metric=(found.metric,))).alphas
            assert alpha.alpha is not None
            without.append(alpha.alpha)
        half = stats.t.ppf(0.975, len(without) - 1) * np.sqrt((len(without) - 1) * np.var(without))
        assert found.alpha is not None
        unbiased = len(without) * found.alpha - (len(without) - 1) * np.mean(without)
        ends = min(found.alpha, unbiased) - half, max(found.alpha, unbiased) + half
        assert (found.lower, found.upper) == pytest.approx((ends[0], min(1, ends[1])))


def test_confusion_of_two_assessors_and_of_all() -> None:
    data = campaign(*TWO, questions=QuestionSet((Question(name="q", scale=(1, 3)),)))
    (one,) = judgment_agreement(data, JudgmentAgreementOptions(confusion=("C", "A"))).confusions
    assert list(one.values) == [1, 2, 3, 5]  # the scale, and what was given besides
    assert one.counts.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    every = judgment_agreement(data, JudgmentAgreementOptions(confusions=True)).confusions
    assert [(other.a, other.b, other.n) for other in every] == [("A", "B", 2), ("A", "C", 1)]
    with pytest.raises(UsageError, match="no assessor 'D'"):
        judgment_agreement(data, JudgmentAgreementOptions(confusion=("A", "D")))
    with pytest.raises(UsageError, match="two assessors"):
        judgment_agreement(data, JudgmentAgreementOptions(confusion=("A", "A")))


@needs_data
@pytest.mark.parity
@pytest.mark.filterwarnings("ignore:16 warnings")  # no models: nothing here needs one
def test_alpha_of_a_public_campaign_is_that_computed_elsewhere() -> None:
    expected = GOLDEN["sets"]["summeval_op"]["krippendorff"]
    found = judgment_agreement(pyramidion.load(DATA / "summeval_op"), JudgmentAgreementOptions(resamples=10))
    assert len(found.alphas) == 7 * len(get_args(AlphaMetric))
    for one in found.alphas:
        golden = expected["values"]["values"][one.question.replace("-", "_")]
        assert one.alpha == pytest.approx(golden[one.metric], abs=expected["tolerance"])
        assert one.n == expected["values"]["n_units"]


@needs_data
@pytest.mark.parity
@pytest.mark.filterwarnings("ignore:16 warnings")  # no models: nothing here needs one
def test_correlations_of_two_annotators_are_those_computed_elsewhere() -> None:
    expected = GOLDEN["sets"]["summeval_op"]["annotator_pearson"]
    for pair in judgment_agreement(pyramidion.load(DATA / "summeval_op"), JudgmentAgreementOptions(resamples=1)).pairs:
        golden = expected["values"][pair.question.replace("-", "_")][f"{pair.a}-{pair.b}"]
        assert pair.pearson == pytest.approx(golden, abs=expected["tolerance"])
