"""Averages over topics; expected values from ROUGE-1.5.5 itself (tests/golden/rouge/README.md)."""

import json
from pathlib import Path

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summary
from pyramidion.errors import UsageError
from pyramidion.measures import parse
from pyramidion.studies import average, summed_counts

GOLDEN = Path(__file__).parents[1] / "golden" / "rouge"
ITEMS = [json.loads(line) for line in (GOLDEN / "items.jsonl").read_text(encoding="utf-8").splitlines()]
AVERAGES = json.loads((GOLDEN / "rouge155_averages.json").read_text(encoding="utf-8"))["sets"]
OPTIONS = {
    "none": "stem=no,",
    "ms": "stop=yes,",
    "mB": "models=best,",
    "ml50": "words=50,",
    "mb200": "bytes=200,",
    "mp02": "alpha=0.2,",
}
STATISTICS = {"R": "recall", "P": "precision", "F": "f"}


def corpus() -> Campaign:
    """The golden items that stand in the corpus runs: the evaluation id is the index, the peer is X."""
    summaries = []
    for item in ITEMS:
        if item["corpus_index"] is None:
            continue
        topic = str(item["corpus_index"])
        summaries.append(Summary(topic=topic, summarizer="X", kind="peer", text=item["peer"]))
        summaries += [
            Summary(topic=topic, summarizer=f"ref{number}", kind="model", text=text)
            for number, text in enumerate(item["refs"], start=1)
        ]
    return Campaign(summaries=tuple(summaries))


def base(metric: str) -> str:
    return metric.lower().replace("rouge-w-", "rouge-w")


@pytest.mark.parametrize("set_name", AVERAGES)
def test_averages_and_intervals_are_those_of_rouge155(set_name: str) -> None:
    expected = AVERAGES[set_name]["values"]
    measures = [f"{base(metric)}({OPTIONS.get(set_name, '')}rounding=rouge155)" for metric in expected]
    confidence, resamples = (90, 333) if set_name == "m_c90_r333" else (95, 1000)
    averages = average(
        pyramidion.score(corpus(), measures, keep_counts=True),
        method="micro" if set_name == "t1m" else "macro",
        bootstrap="rouge155",
        confidence=confidence,
        resamples=resamples,
    )
    found = {(parse(one.measure).base, parse(one.measure).statistic): one for one in averages}
    for metric, by_letter in expected.items():
        for letter, printed in by_letter.items():
            one = found[base(metric), STATISTICS[letter]]
            computed = [f"{value:.5f}" for value in (one.bootstrap_mean, one.lower, one.upper)]
            assert computed == [f"{value:.5f}" for value in printed], f"{metric} {letter}"


def small() -> Campaign:
    return Campaign(
        summaries=(
            Summary(topic="1", summarizer="X", kind="peer", text="the cat"),
            Summary(topic="1", summarizer="A", kind="model", text="the cat sat on mats"),
            Summary(topic="2", summarizer="X", kind="peer", text="a dog barked loudly"),
            Summary(topic="2", summarizer="A", kind="model", text="a dog"),
        )
    )


def test_macro_is_the_mean_of_scores_and_micro_the_score_of_summed_counts() -> None:
    table = pyramidion.score(small(), "rouge-1.recall", keep_counts=True)
    (macro,) = average(table)
    (micro,) = average(table, method="micro")
    assert macro.value == pytest.approx((2 / 5 + 2 / 2) / 2)
    assert micro.value == pytest.approx((2 + 2) / (5 + 2))
    (counts,) = summed_counts(table)
    assert (counts.hits, counts.model_count, counts.peer_count, counts.n) == (4, 7, 6, 2)


def test_without_counts_there_is_no_micro_average() -> None:
    with pytest.raises(UsageError, match="no counts"):
        average(pyramidion.score(small(), "rouge-1.recall"), method="micro")


def test_the_percentile_bootstrap_is_seeded() -> None:
    table = pyramidion.score(small(), "rouge-1.recall")
    first, again = (average(table, bootstrap="percentile", seed=5) for _ in range(2))
    assert first == again
