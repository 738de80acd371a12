"""`compute` in the manner of Hugging Face evaluate, by itself."""

from __future__ import annotations

import pytest

from pyramidion.compat.evaluate import compute


def test_the_example_of_the_metric_card_gives_ones() -> None:
    # huggingface/evaluate, metrics/rouge/README.md: identical predictions and references
    result = compute(predictions=["hello there", "general kenobi"], references=["hello there", "general kenobi"])
    assert result == {"rouge1": 1.0, "rouge2": 1.0, "rougeL": 1.0, "rougeLsum": 1.0}
    assert all(type(value) is float for value in result.values())


def test_without_the_aggregator_each_prediction_has_its_number() -> None:
    result = compute(
        predictions=["hello goodbye", "ankh morpork"],
        references=["goodbye", "general kenobi"],
        rouge_types=["rouge1", "rougeL"],
        use_aggregator=False,
    )
    # by hand: P 1/2, R 1, so F 2/3; and nothing in common
    assert result == {"rouge1": [pytest.approx(2 / 3), 0.0], "rougeL": [pytest.approx(2 / 3), 0.0]}


def test_a_function_makes_the_tokens() -> None:
    options = {"predictions": ["Ein Haus"], "references": ["ein Haus"], "rouge_types": ["rouge1"]}
    assert compute(**options)["rouge1"] == 1.0  # type: ignore[arg-type]
    assert compute(**options, tokenizer=str.split)["rouge1"] == 0.5  # type: ignore[arg-type]


def test_the_best_of_several_references_counts() -> None:
    result = compute(predictions=["a b"], references=[["x y", "a b", "a"]], use_aggregator=False)
    assert result["rouge1"] == [1.0]


def test_torchmetrics_gives_the_same_numbers() -> None:
    """The numbers are those of torchmetrics 1.9.0: ROUGEScore(rouge_keys=…, use_stemmer=True), with its defaults."""
    predictions = ["A ferry caught fire off Kiel. Nobody was hurt.", "The mayor resigned yesterday", " the the the cat"]
    references = [
        ["A ferry burned off Kiel on Monday.", "Fire on a ferry near Kiel. All were saved."],
        ["The mayor stepped down after the vote."],
        ["the cat the dog", "a cat"],
    ]
    types = ["rouge1", "rouge2", "rougeL"]
    scores = compute(predictions=predictions, references=references, rouge_types=types, use_stemmer=True)
    assert scores == pytest.approx({"rouge1": 0.5378788, "rouge2": 0.2804233, "rougeL": 0.4545455}, abs=1e-7)


def test_a_seed_repeats_the_numbers() -> None:
    predictions, references = ["a b", "c d", "e f", "a c"], ["a x", "c d", "y z", "a b"]
    first, second, other = (compute(predictions=predictions, references=references, seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first.keys() == other.keys()


def test_predictions_and_references_must_match() -> None:
    with pytest.raises(ValueError, match=r"predictions \(1\) and references \(2\)"):
        compute(predictions=["a"], references=["a", "b"])
    with pytest.raises(ValueError, match="no predictions"):
        compute(predictions=[], references=[])
    with pytest.raises(ValueError, match="Invalid rouge type: rouge99"):
        compute(predictions=["a"], references=["a"], rouge_types=["rouge99"])
