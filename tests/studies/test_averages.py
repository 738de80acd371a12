"""Averages over topics; expected values from ROUGE-1.5.5 itself (tests/golden/rouge/README.md)."""

import json
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summary
from pyramidion.errors import UsageError
from pyramidion.measures.names import parse
from pyramidion.measures.rouge import Rouge
from pyramidion.options import AverageOptions
from pyramidion.scores import ScoreTable
from pyramidion.studies import averages
from pyramidion.studies.averages import Average
from pyramidion.text.overlap import OverlapKind

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


def average(table: ScoreTable, *, seed: int = 0, **options: Any) -> tuple[Average, ...]:
    return averages.average(table, AverageOptions(**options), seed=seed).averages


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


@pytest.mark.filterwarnings("ignore::pyramidion.measures.base.MeasureWarning")  # one golden text is Chinese
@pytest.mark.parametrize("set_name", AVERAGES)
def test_averages_and_intervals_are_those_of_rouge155(set_name: str) -> None:
    expected = AVERAGES[set_name]["values"]
    measures = [f"{base(metric)}({OPTIONS.get(set_name, '')}rounding=rouge155)" for metric in expected]
    confidence, resamples = (90, 333) if set_name == "m_c90_r333" else (95, 1000)
    rows = average(
        pyramidion.score(corpus(), measures, keep_counts=True),
        average="micro" if set_name == "t1m" else "macro",
        bootstrap="rouge155",
        confidence=confidence,
        resamples=resamples,
    )
    found = {(parse(one.measure).base, parse(one.measure).statistic): one for one in rows}
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
    (micro,) = average(table, average="micro")
    assert macro.value == pytest.approx((2 / 5 + 2 / 2) / 2)
    assert micro.value == pytest.approx((2 + 2) / (5 + 2))
    (counts,) = averages.average(table, AverageOptions(average="counts")).counts
    assert (counts.hits, counts.model_count, counts.peer_count, counts.n) == (4, 7, 6, 2)


def test_without_counts_there_is_no_micro_average() -> None:
    with pytest.raises(UsageError, match="no counts"):
        average(pyramidion.score(small(), "rouge-1.recall"), average="micro")


def test_the_percentile_bootstrap_is_seeded() -> None:
    table = pyramidion.score(small(), "rouge-1.recall")
    first, again = (average(table, bootstrap="percentile", seed=5) for _ in range(2))
    assert first == again


def three_models() -> Campaign:
    """Topic 1 has three models, topic 2 one; the peer repeats the first model of each."""
    texts = {"1": ["a b c d", "a b x y", "p q r s"], "2": ["a b"]}
    models = [
        Summary(topic=topic, summarizer=f"m{number}", kind="model", text=text)
        for topic, several in texts.items()
        for number, text in enumerate(several)
    ]
    peers = [Summary(topic=topic, summarizer="X", kind="peer", text=several[0]) for topic, several in texts.items()]
    return Campaign(summaries=(*models, *peers))


@pytest.mark.parametrize(
    ("options", "value", "n"),
    [
        # hits 4, 2, 0 of 4, 4, 4 on topic 1; 2 of 2 on topic 2
        ("", (4 + 2 + 0 + 2) / (12 + 2), 2),
        ("models=best,", (4 + 2) / (4 + 2), 2),
        # leaving one out: 2 of 8, 4 of 8, 6 of 8, on average 4 of 8; topic 2 has no model to leave out
        ("jackknife=yes,", 4 / 8, 1),
    ],
)
def test_micro_averages_add_up_what_each_topic_counts(options: str, value: float, n: int) -> None:
    table = pyramidion.score(three_models(), f"rouge-1({options}stem=no).recall", keep_counts=True)
    (one,) = average(table, average="micro")
    assert one.value == pytest.approx(value)
    assert (one.n, one.missing) == (n, 2 - n)


def test_topics_with_too_few_models_to_draw_from_do_not_count() -> None:
    table = pyramidion.score(three_models(), "rouge-1(use=2).recall", keep_counts=True)
    (one,) = average(table, average="micro")
    (counts,) = averages.average(table, AverageOptions(average="counts")).counts
    assert (one.n, one.missing, counts.n) == (1, 1, 1)


def test_the_percentile_bootstrap_is_the_same_in_averages_and_comparisons() -> None:
    table = pyramidion.score("demo", "rouge-2.recall")
    limits = {one.summarizer: (one.lower, one.upper) for one in average(table, bootstrap="percentile", seed=4)}
    for standing in pyramidion.compare(table, interval="percentile", seed=4).standings:
        assert limits[standing.summarizer] == pytest.approx((standing.lower, standing.upper))


def test_a_tokenizer_of_ones_own_can_be_micro_averaged() -> None:
    def blanks(sentence: str) -> list[str]:
        return sentence.split()

    table = pyramidion.score(small(), Rouge(kind=OverlapKind("n", 1), tokens=blanks, stem=False), keep_counts=True)
    assert average(table, average="micro")[0].value == pytest.approx(4 / 7)
