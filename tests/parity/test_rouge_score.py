"""Random texts through Google's rouge-score 0.1.2 and through ours."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.text.overlap import count_rouge_score
from text.golden import f_measure

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="the package rouge-score is not installed")
pytestmark = [pytest.mark.parity, pytest.mark.slow]

TYPES = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]
WORDS = "the a cat cats dying skies Running ran flies İstanbul 212K naïve don't generically happily enjoy"
SCORERS: dict[bool, Any] = {stem: rouge_scorer.RougeScorer(TYPES, use_stemmer=stem) for stem in (False, True)}

lines = st.lists(st.sampled_from(WORDS.split()), max_size=15).map(" ".join)
texts = st.lists(lines, max_size=5).map("\n".join) | st.text(max_size=100)


@settings(max_examples=300, deadline=None)
@given(texts, texts, st.booleans())
def test_scores_are_those_of_rouge_score(target: str, prediction: str, stem: bool) -> None:
    expected = SCORERS[stem].score(target, prediction)
    counts = count_rouge_score([prediction, target], np.array([[0, 1]]), TYPES, stem=stem)[0]
    for kind, (hits, target_count, prediction_count, _) in zip(TYPES, counts, strict=True):
        recall, precision = hits / max(target_count, 1), hits / max(prediction_count, 1)
        assert (recall, precision) == (expected[kind].recall, expected[kind].precision), kind
        assert f_measure(recall, precision, 0.5) == pytest.approx(expected[kind].fmeasure, abs=1e-15), kind


def test_long_summaries_of_many_sentences_score_as_in_rouge_score() -> None:
    rng = random.Random(0)
    vocabulary = [f"word{i}" for i in range(30)]
    for _ in range(30):
        target, prediction = (
            "\n".join(" ".join(rng.choices(vocabulary, k=rng.randint(1, 60))) for _ in range(rng.randint(1, 8)))
            for _ in range(2)
        )
        expected = SCORERS[True].score(target, prediction)
        counts = count_rouge_score([prediction, target], np.array([[0, 1]]), TYPES, stem=True)[0]
        for kind, (hits, target_count, _, _) in zip(TYPES, counts, strict=True):
            assert hits / max(target_count, 1) == expected[kind].recall, kind
