"""Samples of lm-evaluation-harness: `samples_<task>_<date>.jsonl`, a row for each document and filter."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError, check_known
from pyramidion.files.opening import stem_of
from pyramidion.formats.base import Format
from pyramidion.formats.gathering import Gathered
from pyramidion.formats.objects import Item, document_of, first_key, id_of, listed, names_keys, object_at, objects_in

_KNOWN = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash"}
    | {"target_hash", "native_id"}
)
_NAMED = re.compile(r"samples_(.+)_(\d{4}-?\d*.*)")
"""The task and the date in the name of a file."""
_DOCUMENTS = ("article", "document", "text", "source", "input", "dialogue", "context")


def _read(paths: Sequence[Path], problems: Problems, **options: str) -> Campaign:
    """Texts and metrics; the summarizer is the model of the results beside the samples, else their folder."""
    gathered = Gathered(paths[0].parent.name or "lm-eval")
    chosen_paths = _newest(paths, options.get("task", ""), problems)
    several = len({_task(path) for path in chosen_paths}) > 1
    for path in chosen_paths:
        rows = list(objects_in([path], problems))
        filters = dict.fromkeys(str(row.get("filter", "none")) for _, row in rows)
        chosen = options.get("filter") or next(iter(filters), "none")
        if chosen not in filters and rows:
            raise UsageError(f"filter={chosen}: {path} has the filters {', '.join(filters)}")
        if len(filters) > 1 and "filter" not in options:
            problems.remark(
                f"{path.name}: took the filter {chosen!r} of {', '.join(filters)}; --option filter= chooses"
            )
        summarizer = options.get("summarizer") or _model_beside(path)
        if repeats := max((_count_responses(row) for _, row in rows), default=0):
            problems.at(path).warning(
                f"up to {repeats} responses of the model to one document",
                "one response to each",
                "The first one is used; the others are left out.",
                field="filtered_resps",
            )
        for at, row in rows:
            if str(row.get("filter", "none")) != chosen:
                continue
            topic = id_of(row.get("doc_id"))
            if topic is None:
                at.error("no doc_id", "the number of the document", "Correct the row.", field="doc_id")
                continue
            topic = f"{_task(path)}/{topic}" if several else topic
            source = first_key(object_at(row, "doc"), options.get("document-field", ""), _DOCUMENTS)
            gathered.add_topic(topic, listed(source), _targets(row.get("target")))
            gathered.add_peer(topic, summarizer, _response(row), at)
            for name, value in row.items():
                if name not in _KNOWN:
                    gathered.add_score(topic, summarizer, name, value)
        gathered.note_holes(problems.at(path))
    return gathered.campaign()


def _task(path: Path) -> str:
    """The task in the name of a file; nothing if it has none."""
    match = _NAMED.fullmatch(stem_of(path))
    return match[1] if match else ""


def _newest(paths: Sequence[Path], task: str, problems: Problems) -> list[Path]:
    """The samples of the task, or of all; of several runs of a task in one folder, the last one."""
    found: dict[tuple[Path, str] | Path, Path] = {}
    for path in sorted(dict.fromkeys(paths), key=lambda path: path.name):
        name = _task(path)
        if task in ("", name):
            found[(path.absolute().parent, name) if name else path] = path
    tasks = list(dict.fromkeys(filter(None, map(_task, paths))))
    if not found and paths:
        check_known(task, tasks, f"task={task}: no such task")
    folder = _common_folder(paths)
    older = [path for path in paths if task in ("", _task(path)) and path not in found.values()]
    if older:
        skipped = ", ".join(os.path.relpath(path, folder) for path in older)
        problems.remark(f"{folder}: newest run of each task; skipped older: {skipped}")
    if not task and len(tasks) > 1:
        problems.remark(
            f"{folder}: topics are prefixed with their task ({', '.join(tasks)}); choose one with --option "
            f"task={tasks[0]}"
        )
    return [path for path in paths if path in found.values()]


def _common_folder(paths: Sequence[Path]) -> Path:
    """The folder that all files are in, as the user gave it if possible."""
    if len({path.is_absolute() for path in paths}) > 1:
        paths = [path.absolute() for path in paths]
    return Path(os.path.commonpath([path.parent for path in paths])) if paths else Path()


def _response(row: Item) -> Any:
    """The first response, filtered if there is such a one; lists may hold lists."""
    for key in ("filtered_resps", "resps"):
        found = listed(row.get(key))
        while found and isinstance(found[0], list):
            found = found[0]
        if found and isinstance(found[0], str):
            return found[0]
    return None


def _count_responses(row: Item) -> int:
    """How many filtered responses a document has, if they are several; 0 if there is one."""
    found = listed(row.get("filtered_resps"))
    while len(found) == 1 and isinstance(found[0], list):
        found = found[0]
    return len(found) if len(found) > 1 and all(isinstance(one, str) for one in found) else 0


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
        named = object_at(document_of(results, Problems())).get("model_name")
        if isinstance(named, str) and named:
            return named
    return path.absolute().parent.name or path.stem


FORMAT = Format(
    name="lm-eval",
    description="samples of lm-evaluation-harness, with their metrics",
    detector=names_keys(("doc_id", "resps", "filtered_resps")),
    within=("samples*.jsonl",),
    several=True,
    reader=_read,
    options={
        "task": "which task to read, if there are several; by default all, and topics are named after their tasks",
        "filter": "which filter's responses to read, if there are several; by default the first",
        "document-field": "the field of `doc` that is the source document",
        "summarizer": "the name of the model; by default that of the results beside the samples, else of the folder",
    },
)
