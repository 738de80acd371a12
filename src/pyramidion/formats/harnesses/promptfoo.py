"""Results of promptfoo: `results.json`, or `.jsonl` with a row on each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place
from pyramidion.files.rows import format_of
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import Gathered
from pyramidion.formats.glimpse import Glimpse, names_keys
from pyramidion.formats.json_values import (
    Item,
    document_of,
    first_key,
    id_of,
    listed,
    object_at,
    objects_in,
    objects_of,
)

_DOCUMENTS = ("document", "article", "text", "source", "context")
_REFERENCES = ("reference", "expected", "summary")
_ERROR = 2


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Outputs and scores; errors and rows without a response are holes, not zeros."""
    gathered = Gathered(paths[0].stem)
    for path in paths:
        rows = list(_rows(path, problems))
        prompts = {str(row.get("promptIdx")) for _, row in rows}
        for at, row in rows:
            _add(gathered, at, row, options, several_prompts=len(prompts) > 1)
        gathered.note_holes(problems.at(path))
    return gathered.campaign()


def _rows(path: Path, problems: Problems) -> Iterator[tuple[Place, Item]]:
    if format_of(path) == "jsonl" and names_keys(["testCase"])(Glimpse(path)):
        return objects_in([path], problems)
    results = object_at(document_of(path, problems), "results").get("results")
    return ((problems.at(path), row) for row in objects_of(results))


def _add(gathered: Gathered, at: Place, row: Item, options: Mapping[str, str], *, several_prompts: bool) -> None:
    variables = {**object_at(row, "testCase", "vars"), **object_at(row, "vars")}
    topic = id_of(variables.get(options["topic"])) if "topic" in options else None
    topic = topic or id_of(object_at(row, "testCase", "metadata").get("id")) or id_of(row.get("testIdx"))
    provider = row.get("provider")
    who = first_key(provider, "", ("label", "id")) if isinstance(provider, dict) else provider
    if topic is None or not isinstance(who, str) or not who:
        at.error("a row without testIdx or provider", "both of them", "Correct the row.")
        return
    if several_prompts:
        prompt = object_at(row, "prompt")
        who = f"{who} {prompt.get('label') or row.get('promptIdx')}"
    gathered.add_topic(
        topic,
        listed(first_key(variables, options.get("document", ""), _DOCUMENTS)),
        listed(first_key(variables, options.get("reference", ""), _REFERENCES)),
    )
    response = object_at(row, "response")
    if row.get("failureReason") == _ERROR or "output" not in response:
        gathered.holes.append((topic, who))
        return
    gathered.add_peer(topic, who, response["output"], at)
    for name, value in _scores(row):
        gathered.add_score(topic, who, name, value)


def _scores(row: Item) -> Iterator[tuple[str, Any]]:
    """The score of the row, its named scores, and each of its assertions, numbered if repeated."""
    yield "score", row.get("score")
    named = {**object_at(row, "gradingResult", "namedScores"), **object_at(row, "namedScores")}
    yield from named.items()
    components = objects_of(object_at(row, "gradingResult").get("componentResults"))
    names = [str(first_key(object_at(one, "assertion"), "", ("metric", "type")) or "assertion") for one in components]
    counts, seen = Counter(names), Counter[str]()
    for name, one in zip(names, components, strict=True):
        seen[name] += 1
        if name not in named:
            yield f"{name} {seen[name]}" if counts[name] > 1 else name, one.get("score")


FORMAT = Format(
    name="promptfoo",
    description="results of promptfoo, with their scores",
    detector=names_keys(("testCase", "provider"), ("evalId", "results", "prompts")),
    within=("*.json", "*.jsonl"),
    several=True,
    reader=_read,
    options={
        "topic": "the variable that is the topic; by default metadata.id, else the number of the test",
        "document": f"the variable that is the source document; by default one of {', '.join(_DOCUMENTS)}",
        "reference": f"the variable that is the reference; by default one of {', '.join(_REFERENCES)}",
    },
)
