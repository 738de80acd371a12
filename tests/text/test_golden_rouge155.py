"""Golden values: what ROUGE-1.5.5 (Perl) printed for the texts in golden/rouge. Tolerance 0 at five decimals."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from pyramidion.text.overlap import BeMode, count_be_overlaps, count_overlaps
from pyramidion.text.stop import is_stop_word
from pyramidion.text.tokens import stem_token, stem_word
from text.golden import (
    FOLDER,
    KINDS,
    OPTION_SETS,
    OptionSet,
    printed_scores,
    read_jsonl,
    read_tsv,
    score_item,
    texts_and_pairs,
)

ITEMS = {item["id"]: item for item in read_jsonl("items.jsonl")}
EXPECTED = read_jsonl("rouge155_items.jsonl")


@pytest.mark.parametrize("name", OPTION_SETS)
def test_every_item_scores_as_printed(name: str) -> None:
    compared = 0
    for expected in EXPECTED:
        for metric, printed in expected["scores"][name].items():
            if printed is None:  # the Perl program stops on ROUGE-W with an empty model
                continue
            found = score_item(ITEMS[expected["id"]], metric, OPTION_SETS[name], count_overlaps)
            assert found == tuple(printed), (expected["id"], metric)
            compared += 1
    assert compared >= 2 * len(EXPECTED)


def test_every_item_has_the_printed_counts() -> None:
    for expected in EXPECTED:
        texts, pairs = texts_and_pairs(ITEMS[expected["id"]])
        for metric, printed in expected["counts"].items():
            if printed is None:
                continue
            hits, model, peer, _ = count_overlaps(texts, pairs, [KINDS[metric]])[:, 0].sum(axis=0)
            assert (model, peer, hits) == pytest.approx(tuple(printed), rel=1e-12, abs=0), (expected["id"], metric)


def test_all_items_in_one_call_have_the_counts_of_single_calls() -> None:
    texts: list[str] = []
    pairs: list[tuple[int, int]] = []
    for item in ITEMS.values():
        pairs += [(len(texts), len(texts) + 1 + model) for model in range(len(item["refs"]))]
        texts += [item["peer"], *item["refs"]]
    kinds = list(KINDS.values())
    together = count_overlaps(texts, np.array(pairs), kinds, threads=2)
    single = [count_overlaps([texts[a], texts[b]], np.array([[0, 1]]), kinds)[0] for a, b in pairs]
    np.testing.assert_array_equal(together, np.array(single))


def test_an_empty_model_counts_nothing_under_w() -> None:
    died = [expected for expected in EXPECTED if expected["died"]]
    assert died, "the golden items hold models without tokens"
    counts = count_overlaps(["a peer", "..."], np.array([[0, 1]]), [KINDS["ROUGE-W-1.2"]])
    assert counts[0, 0, 0] == counts[0, 0, 1] == counts[0, 0, 3] == 0


def test_all_stems_are_those_of_the_perl_program() -> None:
    rows = list(read_tsv("rouge155_stems.tsv"))
    assert len(rows) == 2000
    for word, morphological, token, _ in rows:
        assert stem_word(word) == morphological
        assert stem_token(word) == token


def test_stop_words_are_those_of_the_perl_program() -> None:
    for token, dropped in read_tsv("rouge155_stop.tsv"):
        assert is_stop_word(token) == (dropped == "1"), token


BE_SETS = {
    "m": OptionSet({"stem": True}),
    "none": OptionSet({"stem": False}),
    "mB": OptionSet({"stem": True}, best=True),
    "mp02": OptionSet({"stem": True}, alpha=0.2),
}


def triples(text: str) -> list[tuple[str, str, str]]:
    parts = [line.split("|") for line in text.splitlines()]
    return [(head, modifier, relation) for head, modifier, relation in parts]


def be_scores(item: dict[str, Any], mode: BeMode, option_set: OptionSet) -> tuple[float, float, float]:
    texts = [triples(text) for text in (item["peer"], *item["refs"])]
    pairs = np.array([(0, model) for model in range(1, len(texts))])
    counts = count_be_overlaps(texts, pairs, [mode], **option_set.options)[:, 0]
    return printed_scores(counts, best=option_set.best, alpha=option_set.alpha, weight=None)


@pytest.mark.parametrize("name", BE_SETS)
def test_basic_elements_score_as_printed(name: str) -> None:
    for item in read_jsonl("be_items.jsonl"):
        for mode, printed in item["scores"][name].items():
            assert be_scores(item, mode.lower(), BE_SETS[name]) == tuple(printed), (item["id"], mode)


def test_the_corpus_average_of_basic_elements_is_near_the_bootstrap_mean() -> None:
    """The printed average is the mean of bootstrap means; the sample mean lies inside the printed interval."""
    averages = json.loads((FOLDER / "be_averages.json").read_text(encoding="utf-8"))["sets"]
    items = read_jsonl("be_items.jsonl")
    for name, modes in averages.items():
        for mode, printed in modes.items():
            recall = math.fsum(be_scores(item, mode.lower(), BE_SETS[name])[0] for item in items) / len(items)
            _, lower, upper = printed["values"]["R"]
            assert lower <= recall <= upper
