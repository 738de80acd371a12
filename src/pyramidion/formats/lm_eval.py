"""Samples of lm-evaluation-harness: `samples_<task>_<date>.jsonl`, a row for each document and filter."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.files.paths import open_file
from pyramidion.formats.base import Format
from pyramidion.formats.gathering import Gathered
from pyramidion.formats.objects import Item, objects_in
from pyramidion.formats.outside import first_key, flat_scores, id_of, listed, names_keys

_KNOWN = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash"}
    | {"target_hash", "native_id"}
)
_DOCUMENTS = ("article", "document", "text", "source", "input", "dialogue", "context")


def _detect(path: Path) -> bool:
    return names_keys(path, "doc_id", "resps", "filtered_resps")


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Texts and metrics; the summarizer is the model of the results beside the samples, else their folder."""
    gathered = Gathered(paths[0].parent.name or "lm-eval")
    for path in paths:
        rows = list(objects_in(path, problems))
        filters = dict.fromkeys(str(row.get("filter", "none")) for _, row in rows)
        chosen = options.get("filter") or next(iter(filters), "none")
        if chosen not in filters and rows:
            raise UsageError(f"filter={chosen}: {path} has the filters {', '.join(filters)}")
        if len(filters) > 1 and "filter" not in options:
            problems.remark(
                f"{path.name}: took the filter {chosen!r} of {', '.join(filters)}; --option filter= chooses"
            )
        summarizer = options.get("summarizer") or _model_beside(path)
        for at, row in rows:
            if str(row.get("filter", "none")) != chosen:
                continue
            topic = id_of(row.get("doc_id"))
            if topic is None:
                at.error("no doc_id", "the number of the document", "Correct the row.", field="doc_id")
                continue
            doc = row.get("doc") if isinstance(row.get("doc"), dict) else {}
            gathered.add_topic(
                topic,
                listed(first_key(doc or {}, options.get("document-field", ""), _DOCUMENTS)),
                _targets(row.get("target")),
            )
            gathered.add_peer(topic, summarizer, _response(row), at)
            for name, value in row.items():
                if name not in _KNOWN:
                    for measure, number in flat_scores(name, value):
                        gathered.add_score(topic, summarizer, measure, number)
        gathered.note_holes(problems.at(path))
    return gathered.campaign()


def _response(row: Item) -> Any:
    filtered = listed(row.get("filtered_resps"))
    while filtered and isinstance(filtered[0], list):
        filtered = filtered[0]
    if filtered and isinstance(filtered[0], str):
        return filtered[0]
    found = listed(row.get("resps"))
    while found and isinstance(found[0], list):
        found = found[0]
    return found[0] if found and isinstance(found[0], str) else None


def _targets(target: Any) -> list[Any]:
    """The references: a list is written as Python prints it, and read back as literals."""
    if isinstance(target, str) and target.startswith("[") and target.endswith("]"):
        try:
            held = ast.literal_eval(target)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [target]
        if isinstance(held, list) and held and all(isinstance(one, str) for one in held):
            return held
    return listed(target)


def _model_beside(path: Path) -> str:
    for results in sorted(path.parent.glob("results_*.json"), reverse=True):
        try:
            with open_file(results) as file:
                held = json.load(file)
        except (OSError, ValueError, RecursionError):
            continue
        named = held.get("model_name") if isinstance(held, dict) else None
        if isinstance(named, str) and named:
            return named
    return path.absolute().parent.name or path.stem


FORMAT = Format(
    name="lm-eval",
    description="samples of lm-evaluation-harness, with their metrics",
    detector=_detect,
    several=True,
    reader=_read,
    options={
        "filter": "which filter's responses to read, if there are several; by default the first",
        "document-field": "the field of `doc` that is the source document",
        "summarizer": "the name of the model; by default that of the results beside the samples, else of the folder",
    },
)
