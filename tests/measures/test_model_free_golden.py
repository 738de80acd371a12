"""The numbers of SIMetrix-v1 (Java 17), and of a separate program for the paper's settings: golden/model_free.

Runs: tool_supplied (the tool with the supplied background, idf and stop words), paper_supplied (the same data under the
paper's settings), tool_own (the tool's own data, of which only the stop list, SMART's, is at hand: six features).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.topic_words import topic_signatures
from pyramidion.scores import ScoreTable
from pyramidion.text.inputs import FEATURES, score_inputs
from pyramidion.text.stop import stop_words

FOLDER = Path(__file__).parents[1] / "golden" / "model_free"
SUPPLIED = {
    "background": str(FOLDER / "simetrix_background.tsv"),
    "idf": str(FOLDER / "simetrix_idf.tsv"),
    "stop": str(FOLDER / "simetrix_stop.txt"),
}
COLUMNS = {
    "KLInputSummary": "kl-input-summary",
    "KLSummaryInput": "kl-summary-input",
    "unsmoothedJSD": "js",
    "smoothedJSD": "js-smoothed",
    "cosineAllWords": "cosine",
    "percentTopicTokens": "topic-share",
    "fractionTopicWords": "topic-coverage",
    "topicWordOverlap": "topic-cosine",
    "unigramProb": "unigram-probability",
    "multinomialProb": "multinomial-probability",
}
WITHOUT_BACKGROUND = [
    "kl-input-summary",
    "kl-summary-input",
    "js",
    "js-smoothed",
    "unigram-probability",
    "multinomial-probability",
]
INPUTS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "simetrix_inputs.jsonl").read_text(encoding="utf-8").splitlines()
]
SCORES: dict[str, Any] = json.loads((FOLDER / "simetrix_scores.json").read_text(encoding="utf-8"))
ROWS = [
    {
        "topic": one["id"],
        "summarizer": summary["system"],
        "summary": summary["text"],
        "documents": [document["text"] for document in one["docs"]],
    }
    for one in INPUTS
    for summary in one["summaries"]
]


def scored(measures: Sequence[ModelFree]) -> ScoreTable:
    with warnings.catch_warnings():  # one of the summaries is empty
        warnings.filterwarnings("ignore", message="some summaries have only stop words|2 warnings in the data")
        return pyramidion.score(ROWS, measures)


def micro(table: ScoreTable, measure: ModelFree) -> dict[tuple[str, str], float]:
    matrix = table.matrix(measure.name())
    return {
        (topic, summarizer): matrix.values[row, column]
        for row, summarizer in enumerate(matrix.summarizers)
        for column, topic in enumerate(matrix.topics)
    }


def expected_micro(run: str, feature: str) -> dict[tuple[str, str], float]:
    column = [COLUMNS[name] for name in SCORES["features"]].index(feature)
    by_input: Mapping[str, Mapping[str, Sequence[float]]] = SCORES["runs"][run]["micro"]
    return {(input, who): row[column] for input, systems in by_input.items() for who, row in systems.items()}


def expected_macro(run: str, feature: str) -> dict[str, float]:
    column = [COLUMNS[name] for name in SCORES["features"]].index(feature)
    return {who: row[column] for who, row in SCORES["runs"][run]["macro"].items()}


def as_in_golden(feature: str) -> ModelFree:
    """The paper's settings, with unseen words skipped in likelihoods: the golden values were made before it was known."""
    unseen: dict[str, Any] = {"unseen": "skip"} if feature.endswith("-probability") else {}
    return ModelFree(feature=feature, **unseen, **SUPPLIED)  # type: ignore[arg-type]


@pytest.mark.parametrize("feature", FEATURES)
def test_all_features_of_the_tool_on_supplied_data_to_five_decimals(feature: str) -> None:
    measure = ModelFree(feature=feature, preset="simetrix", **SUPPLIED)  # type: ignore[arg-type]
    table = scored([measure])
    assert {key: round(value, 5) for key, value in micro(table, measure).items()} == expected_micro(
        "tool_supplied", feature
    )
    # The tool prints five decimals of the mean of what it has printed: half a unit of the last one is all it can hide.
    means = dict(table.means().select("summarizer", "value").iter_rows())
    assert means == pytest.approx(expected_macro("tool_supplied", feature), abs=5.000001e-6, rel=0)


@pytest.mark.parametrize("feature", FEATURES)
def test_all_features_of_the_paper_s_settings_to_ten_decimals(feature: str) -> None:
    measure = as_in_golden(feature)
    table = scored([measure])
    assert micro(table, measure) == pytest.approx(expected_micro("paper_supplied", feature), abs=1e-9, rel=0)
    means = dict(table.means().select("summarizer", "value").iter_rows())
    assert means == pytest.approx(expected_macro("paper_supplied", feature), abs=1e-9, rel=0)


@pytest.mark.parametrize("feature", WITHOUT_BACKGROUND)
def test_the_tool_with_its_own_data_where_no_background_is_needed(feature: str) -> None:
    measure = ModelFree(feature=feature, preset="simetrix")
    table = scored([measure])
    assert {key: round(value, 5) for key, value in micro(table, measure).items()} == expected_micro("tool_own", feature)
    means = dict(table.means().select("summarizer", "value").iter_rows())
    assert means == pytest.approx(expected_macro("tool_own", feature), abs=5.000001e-6, rel=0)


def test_all_features_at_once_are_those_of_each_alone() -> None:
    measures = [
        *(ModelFree(feature=feature, preset="simetrix", **SUPPLIED) for feature in FEATURES),  # type: ignore[arg-type]
        *map(as_in_golden, FEATURES),
    ]
    table = scored(measures)
    for measure in measures:
        run = "tool_supplied" if measure.preset == "simetrix" else "paper_supplied"
        assert micro(table, measure) == pytest.approx(expected_micro(run, measure.feature), abs=1e-9, rel=0)


@pytest.mark.parametrize("one", INPUTS, ids=lambda one: one["id"])
def test_words_are_counted_as_the_tool_counts_them(one: Mapping[str, Any]) -> None:
    measure = ModelFree(feature="topic-share", preset="simetrix", **SUPPLIED)  # type: ignore[arg-type]
    documents = [document["text"] for document in one["docs"]]
    summaries = [summary["text"] for summary in one["summaries"]]
    pairs = np.array([[len(documents) + number, 0] for number in range(len(summaries))])
    found = score_inputs([*documents, *summaries], [range(len(documents))], pairs, [measure.settings()], measure.rules)
    assert list(found.inputs[0]) == [one["input_tokens"], one["input_types"], len(one["topic_words_simetrix"])]
    systems = [summary["system"] for summary in one["summaries"]]
    assert dict(zip(systems, found.words[:, 0], strict=True)) == one["summary_tokens"]


@pytest.mark.parametrize("preset", ["paper", "simetrix"])
@pytest.mark.parametrize("one", INPUTS, ids=lambda one: one["id"])
def test_topic_words_are_those_of_the_tool(one: Mapping[str, Any], preset: Any) -> None:
    found = topic_signatures(
        [document["text"] for document in one["docs"]],
        preset=preset,
        background=SUPPLIED["background"],
        stop=SUPPLIED["stop"],
    )
    assert sorted(word.word for word in found) == one[f"topic_words_{preset}"]


def test_the_tool_s_own_stop_list_is_the_one_that_ships() -> None:
    assert len(stop_words()) == 596  # 598 lines, two of which repeat another
