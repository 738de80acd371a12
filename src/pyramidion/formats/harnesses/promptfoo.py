"""Results of promptfoo: `results.json`, or `.jsonl` with a row on each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import Glimpse, names_keys
from pyramidion.formats.harnesses.log_systems import LONGEST_NAME, name_systems_of_files
from pyramidion.formats.json_values import (
    Item,
    document_of,
    first_key,
    id_of,
    listed,
    object_at,
    objects_in,
    objects_of,
    text_or_empty,
)

_DOCUMENTS = ("document", "article", "text", "source", "context")
_REFERENCES = ("reference", "expected", "summary")
_ERROR = 2
"""The failureReason of an error."""
has_test_case: Callable[[Glimpse], bool] = names_keys(["testCase"])


def read(
    paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None, **options: str
) -> Campaign:
    """Outputs and scores; errors and rows without a response are holes, not zeros.

    A system is a provider, with the label or number of the prompt if there are several. A test that was repeated has
    several runs.
    """
    builder = CampaignBuilder(paths[0].stem)
    rows_by_path = {path: list(_rows(path, problems)) for path in paths}
    labels_by_path: dict[Path, list[str]] = {}
    for path, rows in rows_by_path.items():
        prompts = _name_prompts([row for _, row in rows])
        labels_by_path[path] = [_system_of(row, prompts) for _, row in rows]
    systems = name_systems_of_files(
        {path: list(dict.fromkeys(labels)) for path, labels in labels_by_path.items()}, names or {}
    )
    outputs = Counter[tuple[str, str]]()
    for path, rows in rows_by_path.items():
        for (at, row), label in zip(rows, labels_by_path[path], strict=True):
            summarizer = systems[path, label] if label else ""
            _add_row(builder, at, row, options, summarizer=summarizer, outputs=outputs)
        builder.note_holes(problems.at(path))
    return builder.build()


def _name_prompts(rows: Sequence[Item]) -> dict[str, str]:
    """By number, what each prompt is called: its label, else its number; nothing if there is only one.

    A prompt without a label has its whole text as label.
    """
    labels: dict[str, str] = {}
    for row in rows:
        prompt = object_at(row, "prompt")
        label = text_or_empty(prompt.get("label")).strip()
        is_whole_prompt = label == text_or_empty(prompt.get("raw")).strip() or "\n" in label or "{{" in label
        if is_whole_prompt or len(label) > LONGEST_NAME:
            label = ""
        labels.setdefault(str(row.get("promptIdx")), label)
    if len(labels) < 2:
        return {}
    counts = Counter(labels.values())
    names: dict[str, str] = {}
    for number, label in labels.items():
        is_telling = bool(label) and counts[label] == 1
        # Promptfoo counts prompts from 0; people count from 1.
        names[number] = label if is_telling else f"prompt {int(number) + 1 if number.isdigit() else number}"
    return names


def _system_of(row: Item, prompts: Mapping[str, str]) -> str:
    """The provider of a result, with its prompt if there are several; empty if it has none."""
    provider = _provider_of(row)
    if not provider:
        return ""
    return f"{provider} {prompts.get(str(row.get('promptIdx')), '')}".strip()


def _rows(path: Path, problems: Problems) -> Iterator[tuple[Place, Item]]:
    """The results with their places: lines of JSON, or the entries of results.results."""
    glimpse = Glimpse(path)
    if glimpse.table_kind == "jsonl" and has_test_case(glimpse):
        return objects_in([path], problems)
    results = object_at(document_of(path, problems), "results").get("results")
    return ((problems.at(path), row) for row in objects_of(results))


def _add_row(
    builder: CampaignBuilder,
    at: Place,
    row: Item,
    options: Mapping[str, str],
    *,
    summarizer: str,
    outputs: Counter[tuple[str, str]],
) -> None:
    """Add the topic, output and scores of a result; one without a test or a provider is an error.

    Args:
        builder: gets them.
        at: where the row is.
        row: the result.
        options: of the format.
        summarizer: the system.
        outputs: by topic and system, how many outputs there were; the next one is the next run of the system.
    """
    # The row's own variables win over those of its test.
    variables = {**object_at(row, "testCase", "vars"), **object_at(row, "vars")}
    topic = _topic_of(row, variables, options.get("topic"))
    if topic is None or not summarizer:
        at.error(
            found="a row without testIdx or provider",
            expected="both of them",
            remedy="Correct the row.",
        )
        return
    document = first_key(variables, options.get("document", ""), _DOCUMENTS)
    reference = first_key(variables, options.get("reference", ""), _REFERENCES)
    builder.add_topic(topic, listed(document), listed(reference))
    response = object_at(row, "response")
    # A failed assertion is a result; a failed call is a missing summary.
    if row.get("failureReason") == _ERROR or "output" not in response:
        builder.holes.append((topic, summarizer))
        return
    outputs[topic, summarizer] += 1
    run = outputs[topic, summarizer]
    builder.add_peer(topic, summarizer, response["output"], at, run)
    for name, value in _scores(row):
        builder.add_score(topic, summarizer, name, value, run)


def _topic_of(row: Item, variables: Item, chosen_variable: str | None) -> str | None:
    """The topic of a result: the chosen variable, else metadata.id, else the number of the test."""
    candidates = [object_at(row, "testCase", "metadata").get("id"), row.get("testIdx")]
    if chosen_variable is not None:
        candidates.insert(0, variables.get(chosen_variable))
    ids = map(id_of, candidates)
    return next(filter(None, ids), None)


def _provider_of(row: Item) -> str:
    """The model behind a result, by its label if it has one; empty if there is none."""
    provider = row.get("provider")
    if isinstance(provider, dict):
        # An empty label is none.
        return text_or_empty(provider.get("label")) or text_or_empty(provider.get("id"))
    return text_or_empty(provider)


def _scores(row: Item) -> Iterator[tuple[str, Any]]:
    """The score of a result, its named scores, and each of its assertions, numbered if repeated."""
    yield "score", row.get("score")
    named_scores = {**object_at(row, "gradingResult", "namedScores"), **object_at(row, "namedScores")}
    yield from named_scores.items()
    assertions = objects_of(object_at(row, "gradingResult").get("componentResults"))
    names = list(map(_assertion_name, assertions))
    counts = Counter(names)
    numbers = Counter[str]()
    for name, assertion in zip(names, assertions, strict=True):
        numbers[name] += 1
        # An assertion with a metric is among the named scores already.
        if name in named_scores:
            continue
        if counts[name] > 1:
            name = f"{name} {numbers[name]}"
        yield name, assertion.get("score")


def _assertion_name(assertion: Item) -> str:
    """The metric or type of an assertion."""
    name = first_key(object_at(assertion, "assertion"), "", ("metric", "type"))
    return str(name or "assertion")


FORMAT = Format(
    name="promptfoo",
    description="results of promptfoo, with their scores",
    detector=names_keys(("testCase", "provider"), ("evalId", "results", "prompts")),
    within=("*.json", "*.jsonl"),
    several=True,
    names_systems=True,
    reader=read,
    options={
        "topic": "the variable that is the topic; by default metadata.id, else the number of the test",
        "document": f"the variable that is the source document; by default one of {', '.join(_DOCUMENTS)}",
        "reference": f"the variable that is the reference; by default one of {', '.join(_REFERENCES)}",
    },
)
