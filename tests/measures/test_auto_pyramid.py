"""`auto-pyramid`: matched by a program, with a threshold from the annotations of other topics."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary
from pyramidion.errors import UsageError
from pyramidion.measures.auto_pyramid import AutoPyramid
from pyramidion.pyramids import Idf
from pyramidion.pyramids.automatic import THRESHOLDS, Calibration, judged_presence

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
LABELS = ("red ship sank", "blue moon rose", "old king slept", "green door burned")


def campaign(topics: int = 3, *, annotated: bool = True) -> Campaign:
    """Peers with one, two or three words of each label; an annotator wants two."""
    summaries: list[Summary] = []
    pyramids: list[Pyramid] = []
    annotations: list[PeerAnnotation] = []
    for number in range(topics):
        topic = f"t{number}"
        summaries += [
            Summary(topic=topic, summarizer=model, kind="model", text=". ".join(LABELS[place::2]))
            for place, model in enumerate("AB")
        ]
        scus = [
            Scu(uid=uid, label=label, contributors=(Contributor(model="AB"[uid % 2]),))
            for uid, label in enumerate(LABELS)
        ]
        pyramids.append(Pyramid(topic=topic, models=("A", "B"), scus=tuple(scus)))
        for words in (1, 2, 3):
            text = " ".join(" ".join(label.split()[:words]) for label in LABELS)
            summaries.append(Summary(topic=topic, summarizer=str(words), kind="peer", text=text))
            matches = tuple(Match(uid=uid, present=words >= 2) for uid in range(len(LABELS)))
            annotations.append(PeerAnnotation(topic=topic, summarizer=str(words), scus=matches))
    return Campaign(
        summaries=tuple(summaries), pyramids=tuple(pyramids), annotations=tuple(annotations) if annotated else ()
    )


def scores(data: Campaign, measure: str = "auto-pyramid", **choice: Any) -> dict[tuple[str, str], float]:
    table = pyramidion.score(data, measure, **choice)
    return {(row["topic"], row["summarizer"]): row["value"] for row in table.frame.iter_rows(named=True)}


def signatures(data: Campaign, measure: str = "auto-pyramid") -> set[str]:
    return set(pyramidion.score(data, measure).frame["signature"])


def test_without_annotations_half_of_the_words_are_enough() -> None:
    data = campaign(annotated=False)
    assert scores(data) == {(f"t{n}", peer): (0.0 if peer == "1" else 2.0) for n in range(3) for peer in "123"}
    # 4 SCUs of weight 1 are found; the models have 2 each, so that Max(X′) = 2, and the score may pass 1
    (signature,) = signatures(data)
    assert f"|threshold:0.5|calibration:none|idf:{Idf.of(data).name}|nmodels:2|" in signature


def test_the_threshold_comes_from_the_annotations_of_the_other_topics() -> None:
    data = campaign()
    assert {"calibration:leave-one-topic-out" in one for one in signatures(data)} == {True}
    fitted = Calibration.of_campaign(data)
    recalls, judged = judged_presence(data.topic("t0", peers="all"), fitted.idf)
    wanted = fitted.threshold("t0")
    assert wanted is not None
    agreeing = [np.mean((recalls >= one - 1e-9) == judged) for one in THRESHOLDS]
    assert wanted == THRESHOLDS[int(np.argmax(agreeing))]  # all topics are alike
    assert max(agreeing) == 1.0
    assert scores(data) == {(f"t{n}", peer): (0.0 if peer == "1" else 2.0) for n in range(3) for peer in "123"}


def test_a_topic_never_sees_its_own_annotations() -> None:
    data = campaign()
    lenient = tuple(
        one if one.topic == "t0" else _with(one, present=True) for one in data.annotations
    )  # in t1 and t2 everything is present
    mixed = replace(data, annotations=lenient)
    fitted = Calibration.of_campaign(mixed)
    assert fitted.threshold("t0") == 0.05
    assert scores(mixed)["t0", "1"] == 2.0
    only_one = replace(data, annotations=tuple(one for one in data.annotations if one.topic == "t0"))
    assert Calibration.of_campaign(only_one).threshold("t0") is None
    assert Calibration.of_campaign(only_one).threshold("t1") is not None


def _with(annotation: PeerAnnotation, *, present: bool) -> PeerAnnotation:
    scus = tuple(msgspec.structs.replace(match, present=present) for match in annotation.scus)
    return msgspec.structs.replace(annotation, scus=scus)


def test_a_given_threshold_is_used_and_signed() -> None:
    data = campaign()
    assert scores(data, "auto-pyramid(threshold=1)")["t0", "2"] == 0.0
    (signature,) = signatures(data, "auto-pyramid(threshold=1)")
    assert "|threshold:1.0|calibration:given|" in signature
    for wrong in ("0", "1.5", "-1"):
        with pytest.raises(UsageError, match="above 0, up to 1"):
            pyramidion.score(data, f"auto-pyramid(threshold={wrong})")


def test_it_is_said_to_be_automatic() -> None:
    table = pyramidion.score(campaign(), "auto-pyramid")
    assert table.notes == {"auto-pyramid": "automatic: a program matched the SCUs"}


def test_humans_are_matched_automatically_too_and_never_with_their_own_model() -> None:
    found = scores(campaign(annotated=False), peers="humans")
    # A has the SCUs of B's pyramid neither in words nor in contributors
    assert found == {(f"t{n}", who): 0.0 for n in range(3) for who in "AB"}


def test_jackknifing_leaves_out_one_model_at_a_time() -> None:
    found = scores(campaign(annotated=False), "auto-pyramid(jackknife=yes)")
    assert found["t0", "3"] == 1.0  # each half has 2 SCUs of weight 1, and the peer has both


def test_a_topic_alone_can_be_scored_without_a_run() -> None:
    topic = campaign().topic("t0")
    evidence = AutoPyramid().evidence(topic)
    assert evidence is not None
    assert evidence.peers == ("1", "2", "3")
    assert AutoPyramid().evidence(replace(topic, pyramids=())) is None


def test_a_consensus_pyramid_is_preferred_and_an_annotator_can_be_named() -> None:
    data = campaign(1, annotated=False)
    other = msgspec.structs.replace(data.pyramids[0], annotator="X", scus=data.pyramids[0].scus[:1])
    agreed = msgspec.structs.replace(other, annotator="both", consensus=True, scus=data.pyramids[0].scus[1:2])
    several = replace(data, pyramids=(*data.pyramids, other, agreed))
    assert scores(several)["t0", "3"] == scores(replace(data, pyramids=(agreed,)))["t0", "3"]
    named = scores(several, "auto-pyramid(annotator=X)")
    assert named["t0", "3"] == scores(replace(data, pyramids=(other,)))["t0", "3"]


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "realsumm").is_dir(), reason="PYRAMIDION_DATA has no realsumm")
def test_on_realsumm_recall_tells_presence_and_systems() -> None:
    data = pyramidion.load(DATA / "realsumm")
    idf = Idf.of(data)
    found = [judged_presence(topic, idf) for topic in data.each_topic(peers="all")]
    recalls = np.concatenate([one for one, _ in found])
    judged = np.concatenate([np.array(one) for _, one in found])
    auc = stats.mannwhitneyu(recalls[judged], recalls[~judged]).statistic / (judged.sum() * (~judged).sum())
    assert auc == pytest.approx(0.8015, abs=0.001)
    system = pyramidion.correlate(data, "auto-pyramid", with_="question.litepyramid-recall", coefficient="pearson")
    assert system.correlations[0].value == pytest.approx(0.904, abs=0.002)
