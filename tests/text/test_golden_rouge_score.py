"""Golden values: what the package rouge-score 0.1.2 computed for the texts in golden/rouge. Tolerance 1e-9."""

from __future__ import annotations

import pytest

from pyramidion.text.overlap import count_rouge_score
from text.golden import f_measure, read_jsonl, texts_and_pairs

ITEMS = {item["id"]: item for item in read_jsonl("items.jsonl")}
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@pytest.mark.parametrize("stem", [False, True])
def test_every_item_scores_as_in_rouge_score(stem: bool) -> None:
    prefix = "stem" if stem else "nostem"
    for expected in read_jsonl("rouge_score_items.jsonl"):
        texts, pairs = texts_and_pairs(ITEMS[expected["id"]])
        counts = count_rouge_score(texts, pairs, TYPES, stem=stem)
        for column, kind in enumerate(TYPES):
            scores = []
            for hits, target, prediction, _ in counts[:, column]:
                recall, precision = hits / max(target, 1), hits / max(prediction, 1)
                scores.append((recall, precision, f_measure(recall, precision, 0.5)))
            assert scores[0] == pytest.approx(expected[f"{prefix}_first"][kind], abs=1e-9), (expected["id"], kind)
            best = max(scores, key=lambda score: score[2])
            assert best == pytest.approx(expected[f"{prefix}_multi"][kind], abs=1e-9), (expected["id"], kind)
