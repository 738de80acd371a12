"""How well automatic matching of SCUs does on REALSumm, compared with ROUGE.

`PYRAMIDION_DATA=folder python -m benchmarks.studies.auto_pyramid`, where the folder has the campaign realsumm, prints
how well idf-weighted word recall predicts that annotators find an SCU in a summary (AUC), and how the measures
correlate with the human score.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from scipy import stats

import pyramidion
from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import Campaign, plain
from pyramidion.pyramids import Idf
from pyramidion.pyramids.automatic import judged_presence
from pyramidion.text import tokenise

MEASURES: Final = ("auto-pyramid", "rouge-1.recall", "rouge-2.recall", "rouge-l.recall", "rouge-1.f", "rouge-2.f")
TARGET: Final = "question.litepyramid-recall"


def main() -> None:
    folder = Path(os.environ.get("PYRAMIDION_DATA", "nowhere")) / "realsumm"
    if not folder.is_dir():
        raise SystemExit("PYRAMIDION_DATA names no folder with realsumm")
    campaign = pyramidion.load(folder)
    presence_table(campaign)
    correlation_table(campaign)


def presence_table(campaign: Campaign) -> None:
    print("| what predicts that an SCU is present | AUC, all decisions | AUC, mean of topics |")
    print("|---|---|---|")
    idf = Idf.of(campaign)
    found = [judged_presence(topic, idf) for topic in campaign.each_topic(peers="all")]
    judged = [np.array(one, dtype=np.bool_) for _, one in found]
    row("idf-weighted word recall", [recall for recall, _ in found], judged)
    plain_weights = [judged_presence(topic, Idf())[0] for topic in campaign.each_topic(peers="all")]
    row("word recall without idf", plain_weights, judged)
    row("ROUGE-1 recall of the label", [rouge_of_labels(campaign, id) for id in campaign.topic_ids], judged)


def row(name: str, values: list[Floats], judged: list[Bools]) -> None:
    by_topic = [auc(*both) for both in zip(values, judged, strict=True) if 0 < both[1].mean() < 1]
    print(f"| {name} | {auc(np.concatenate(values), np.concatenate(judged)):.3f} | {np.mean(by_topic):.3f} |")


def auc(values: Floats, judged: Bools) -> float:
    statistic = stats.mannwhitneyu(values[judged], values[~judged]).statistic
    return float(statistic / (judged.sum() * (~judged).sum()))


def rouge_of_labels(campaign: Campaign, id: str) -> Floats:
    """In the order of `judged_presence`: ROUGE-1 recall with each label as the reference."""
    topic = campaign.topic(id, peers="all")
    texts = {one.summarizer: Counter(tokenise(plain(one.text), stem=True)) for one in topic.peers}
    labels = [Counter(tokenise(scu.label, stem=True)) for pyramid in topic.pyramids for scu in pyramid.scus]
    return np.array(
        [
            (label & texts[annotation.summarizer]).total() / max(label.total(), 1)
            for annotation in topic.annotations
            for label in labels
        ]
    )


def correlation_table(campaign: Campaign) -> None:
    print()
    print("| measure | systems: Pearson | Kendall | within topics: Pearson | Kendall |")
    print("|---|---|---|---|---|")
    found = pyramidion.correlate(
        campaign, MEASURES, with_=TARGET, level=("system", "topic"), coefficient=("pearson", "kendall")
    )
    values = {(one.measure, one.level, one.coefficient): one.value for one in found.correlations}
    for measure in MEASURES:
        cells = [
            f"{values[measure, level, coefficient]:.3f}"
            for level in ("system", "topic")
            for coefficient in ("pearson", "kendall")
        ]
        print(f"| `{measure}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
