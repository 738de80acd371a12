"""ROUGE through the public door; expected values from ROUGE-1.5.5 itself (tests/golden/rouge/README.md)."""

import json
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.registry import select
from pyramidion.measures.rouge import Rouge
from pyramidion.scores.evidence import with_all_models
from pyramidion.text.overlap import OverlapKind

GOLDEN = Path(__file__).parents[1] / "golden" / "rouge"
ITEMS = [json.loads(line) for line in (GOLDEN / "items.jsonl").read_text(encoding="utf-8").splitlines()]
EXPECTED = [json.loads(line) for line in (GOLDEN / "rouge155_items.jsonl").read_text(encoding="utf-8").splitlines()]
SETS = {
    "m": "",
    "none": "stem=no,",
    "ms": "stop=yes,",
    "mB": "models=best,",
    "ml50": "words=50,",
    "mb200": "bytes=200,",
    "mp02": "alpha=0.2,",
    "mstar": "",
}


def campaign_of(items: list[dict[str, object]]) -> Campaign:
    summaries = []
    for item in items:
        summaries.append(Summary(topic=str(item["id"]), summarizer="X", kind="peer", text=str(item["peer"])))
        refs = item["refs"]
        assert isinstance(refs, list)
        summaries += [
            Summary(topic=str(item["id"]), summarizer=f"ref{number}", kind="model", text=text)
            for number, text in enumerate(refs)
        ]
    return Campaign(summaries=tuple(summaries))


@pytest.mark.filterwarnings("ignore:ROUGE-W is 0 for a model without tokens")
@pytest.mark.parametrize("set_name", SETS)
def test_every_score_is_that_of_rouge155_to_the_fifth_decimal(set_name: str) -> None:
    metrics = list(dict.fromkeys(metric for row in EXPECTED for metric in row["scores"].get(set_name, {})))
    names = {
        metric: f"{metric.lower().replace('rouge-w-', 'rouge-w')}({SETS[set_name]}rounding=rouge155,tokens=rouge155)"
        for metric in metrics
    }
    table = pyramidion.score(campaign_of(ITEMS), list(names.values()))
    values = {row[:2]: row[3] for row in table.frame.iter_rows()}
    for row in EXPECTED:
        for metric, printed in row["scores"].get(set_name, {}).items():
            if printed is None:
                continue  # ROUGE-1.5.5 stopped on this item
            measure = select(names[metric]).measure
            found = [values[measure.name(statistic), str(row["id"])] for statistic in ("recall", "precision", "f")]
            assert [f"{value:.5f}" for value in found] == [f"{value:.5f}" for value in printed], (row["id"], metric)


@pytest.mark.filterwarnings("ignore:ROUGE-W is 0 for a model without tokens")
def test_pooled_rows_are_what_the_evidence_of_each_topic_gives() -> None:
    campaign = campaign_of(ITEMS[:40])
    topics = list(campaign.each_topic(peers="all"))
    measures = [select(name).measure for name in ("rouge-1", "rouge-w1.2(stem=no)")]
    rouges = [measure for measure in measures if isinstance(measure, Rouge)]
    for measure, block in zip(rouges, Rouge.gather(rouges, topics), strict=True):
        rows = measure.rows(block, topics, seed=0)
        one_by_one = [with_all_models(evidence) for evidence in block if evidence is not None]
        assert np.allclose(rows.values, np.concatenate([one.values[one.models > 0] for one in one_by_one]))
        assert rows.models.tolist() == [n for one in one_by_one for n in one.models if n > 0]


def test_a_human_is_scored_without_their_own_model() -> None:
    campaign = Campaign(
        summaries=tuple(
            Summary(topic="t", summarizer=who, kind="model", text=text)
            for who, text in {"A": "a ferry burned", "B": "a ferry sank", "C": "nothing happened"}.items()
        )
    )
    table = pyramidion.score(campaign, "rouge-1(stem=no).recall", peers="humans")
    values = dict(zip(table.frame["summarizer"].cast(str), table.frame["value"], strict=True))
    assert values == {"A": pytest.approx(2 / 5), "B": pytest.approx(2 / 5), "C": 0.0}
    assert "nmodels:2" in table.signatures("rouge-1(stem=no).recall")[0]


def test_a_topic_without_models_gives_no_row_and_is_counted() -> None:
    campaign = Campaign(summaries=(Summary(topic="t", summarizer="s", kind="peer", text="a ferry burned"),))
    table = pyramidion.score(campaign, "rouge-1.recall")
    assert len(table) == 0
    assert table.unscored == {"rouge-1.recall": 1}


def test_empty_texts_score_zero() -> None:
    campaign = Campaign(
        summaries=(
            Summary(topic="t", summarizer="s", kind="peer", text=""),
            Summary(topic="t", summarizer="A", kind="model", text=""),
        )
    )
    with pytest.warns(MeasureWarning, match="divides by zero"):
        table = pyramidion.score(campaign, ["rouge-1", "rouge-l", "rouge-w1.2", "rouge-su4"])
    assert len(table) == 12
    assert (table.frame["value"] == 0).all()


def test_splitting_sentences_changes_the_union_of_rouge_l() -> None:
    text = "Police arrested a man on Monday. A man was seen at the harbour before."
    campaign = Campaign(
        summaries=(
            Summary(
                topic="t", summarizer="s", kind="peer", text="A man was seen at the harbour. Police arrested a man."
            ),
            Summary(topic="t", summarizer="A", kind="model", text=text),
        )
    )
    table = pyramidion.score(campaign, ["rouge-l.recall", "rouge-l(sentences=split).recall"])
    lines, split = table.frame["value"]
    assert split > lines


def peer_and_model(peer: str, model: str) -> Campaign:
    return Campaign(
        summaries=(
            Summary(topic="t", summarizer="s", kind="peer", text=peer),
            Summary(topic="t", summarizer="A", kind="model", text=model),
        )
    )


def test_a_long_text_on_one_line_is_noted_when_sentences_matter() -> None:
    long = "word " * 60
    with pytest.warns(MeasureWarning, match="sentences=split"):
        pyramidion.score(peer_and_model(long, long), "rouge-l.f")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pyramidion.score(peer_and_model(long, long), ["rouge-2.f", "rouge-l(sentences=split).f"])


def test_a_tokenizer_of_ones_own_is_a_function() -> None:
    def characters(sentence: str) -> list[str]:
        return list(sentence)

    measure = Rouge(kind=OverlapKind("n", 1), tokens=characters, stem=False)
    table = pyramidion.score(peer_and_model("abc", "abcd"), [measure])
    assert table.frame["value"][0] == pytest.approx(3 / 4)
    assert "tokens:characters" in table.frame["signature"][0]


def test_unicode_tokens_give_other_scripts_a_score() -> None:
    campaign = peer_and_model("паром сгорел у Киля", "у Киля сгорел паром")
    with pytest.warns(MeasureWarning, match="tokens=unicode reads every script"):
        table = pyramidion.score(campaign, ["rouge-1(tokens=rouge155).f", "rouge-1(tokens=unicode).f"])
    assert table.frame["value"].to_list() == [0.0, 1.0]


def test_texts_that_are_too_long_are_named_and_refused() -> None:
    with pytest.raises(InputError, match=r"topic 't', summarizer 's' against model 'A': .* raise max_cells"):
        pyramidion.score(peer_and_model("a b c", "a b c d"), "rouge-l(max_cells=11).f")
    assert len(pyramidion.score(peer_and_model("a b c", "a b c d"), "rouge-l(max_cells=12).f")) == 1


def test_a_weight_beyond_what_numbers_hold_is_refused_not_zero() -> None:
    text = " ".join("abcdefghijklmnopqrstuvwxyz")
    with pytest.raises(InputError, match="smaller weight"):
        pyramidion.score(peer_and_model(text, text), "rouge-w20.recall")
    table = pyramidion.score(peer_and_model(text, text), "rouge-w20(w_weights_model_twice=no).recall")
    assert table.frame["value"][0] == pytest.approx(1.0)


def test_the_word_limit_of_the_campaign_cuts_texts_as_a_number_does() -> None:
    campaign = replace(pyramidion.load("demo"), word_limit=20)
    table = pyramidion.score(campaign, ["rouge-2(words=campaign).recall", "rouge-2(words=20).recall", "rouge-2.recall"])
    values = {name: table.matrix(name).values for name in table.measures}
    cut, number, whole = values.values()
    assert np.array_equal(cut, number)
    assert not np.array_equal(cut, whole)
    (signature,) = table.signatures("rouge-2(words=campaign).recall")
    assert "|words:20|" in signature


def test_a_campaign_without_a_word_limit_can_cut_nothing() -> None:
    campaign = replace(pyramidion.load("demo"), word_limit=None)
    with pytest.raises(UsageError, match="the campaign has no word limit"):
        pyramidion.score(campaign, "rouge-1(words=campaign)")


def test_a_jackknife_over_drawn_models_is_the_jackknife_of_a_campaign_that_has_no_others() -> None:
    campaign = pyramidion.load("demo")
    name = "rouge-2(use=3,jackknife=yes).recall"
    drawn = pyramidion.score(campaign, name, peers="all", seed=3).matrix(name)
    alone = {}
    for out in ("A", "B", "C", "D"):
        kept = tuple(one for one in campaign.summaries if (one.kind, one.summarizer) != ("model", out))
        without = replace(campaign, summaries=kept, pyramids=(), annotations=())
        plain = "rouge-2(jackknife=yes).recall"
        alone[out] = pyramidion.score(without, plain, peers="all").matrix(plain)
    left_out = set()
    for column, topic in enumerate(drawn.topics):
        fitting = []
        for out, matrix in alone.items():
            rows = [drawn.summarizers.index(who) for who in matrix.summarizers]
            same = np.isclose(drawn.values[rows, column], matrix.values[:, matrix.topics.index(topic)], atol=1e-12)
            if same.all():
                fitting.append(out)
        assert len(fitting) == 1
        left_out |= set(fitting)
    assert len(left_out) > 1  # each topic draws its own
    everyone = pyramidion.score(campaign, ["rouge-2(use=4,jackknife=yes).recall", plain], peers="all")
    first, second = (everyone.matrix(one).values for one in everyone.measures)
    assert np.allclose(first, second, atol=1e-15)
    too_many = pyramidion.score(campaign, "rouge-2(use=5,jackknife=yes).recall")
    assert len(too_many) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"use": 1.5}, "use=1.5: expected a whole number"),
        ({"use": True}, "use=True: expected a whole number"),
        ({"words": 2.5}, "words=2.5: expected a whole number or campaign"),
        ({"bytes": "9"}, "bytes='9': expected a whole number"),
        ({"max_cells": 0.5}, "max_cells=0.5: expected a whole number"),
        ({"alpha": "high"}, "alpha='high': expected a number"),
        ({"stop": 1}, "stop=1: expected yes or no"),
        ({"models": "bestt"}, "models='bestt': expected one of average, best"),
        ({"rounding": None}, "rounding=None: expected one of none, rouge155"),
    ],
    ids=str,
)
def test_an_option_of_another_type_is_refused_in_python_as_in_a_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^rouge-1: {re.escape(message)}"):
        Rouge(kind=OverlapKind("n", 1), **options)
