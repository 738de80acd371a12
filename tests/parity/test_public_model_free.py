"""Model-free measures on a public campaign, beside the same in plain Python (which has SIMetrix's numbers, see golden).

Set PYRAMIDION_DATA to a folder with the campaign realsumm; without it these tests are skipped.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from benchmarks.model_free import twin
from scipy.stats import spearmanr

import pyramidion
from pyramidion.campaign import plain
from pyramidion.measures.backgrounds import collection, load_background
from pyramidion.measures.model_free import ModelFree
from pyramidion.text.inputs import FEATURES, WordRules
from pyramidion.text.stop import stop_words

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not (DATA / "realsumm").is_dir(), reason="PYRAMIDION_DATA names no folder with realsumm"),
]


def test_every_value_is_that_of_plain_python() -> None:
    campaign = pyramidion.load(DATA / "realsumm")
    ours = collection(load_background("wordfreq"), None, WordRules())
    background = twin.Background(
        dict(zip(ours.forms, ours.counts.tolist(), strict=True)),
        dict(zip(ours.forms, ours.weights.tolist(), strict=True)),
        ours.unseen,
    )
    reader = twin.Reader(stop_words())
    table = pyramidion.score(campaign, [ModelFree(feature=feature) for feature in FEATURES])
    cells = {
        (str(measure), str(topic), str(summarizer)): value
        for measure, topic, summarizer, value, _ in table.frame.iter_rows()
    }
    assert len(cells) == 10 * 1250
    for topic in campaign.each_topic():
        texts = [plain(document.text) for document in topic.topic.documents]
        input = twin.Input(texts, reader, background, twin.PAPER)
        for peer in topic.peers:
            found = [cells[feature, peer.topic, peer.summarizer] for feature in FEATURES]
            assert found == pytest.approx(input.features(plain(peer.text)), abs=1e-9)


def test_the_documented_correlations_are_scipy_s() -> None:
    """Two cells of docs/concepts/model-free.md: js with REALSumm's content units, macro −.76 and micro −.36."""
    table = pyramidion.score(DATA / "realsumm", ["js", "question.litepyramid-recall"])
    js, human = table.matrix("js"), table.matrix("question.litepyramid-recall")
    assert (js.summarizers, js.topics) == (human.summarizers, human.topics)
    macro = spearmanr(js.values.mean(axis=1), human.values.mean(axis=1)).statistic
    pairs = zip(js.values.T, human.values.T, strict=True)
    micro = np.nanmean([spearmanr(one, other).statistic for one, other in pairs])
    assert (round(macro, 2), round(micro, 2)) == (-0.76, -0.36)
