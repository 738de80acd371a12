"""Samples of lm-evaluation-harness: `samples_<task>_<date>.jsonl`, a row for each document and filter."""

from __future__ import annotations

import ast
import json
import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.files.opening import stem_of
from pyramidion.files.problems import Place
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.harnesses.log_systems import LogLabels, name_logs
from pyramidion.formats.json_values import (
    Item,
    document_of,
    first_key,
    id_of,
    listed,
    object_at,
    objects_in,
)

_NO_METRICS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash"}
    | {"target_hash", "native_id"}
)
"""Keys of a row that are no metrics."""
_NAMED = re.compile(r"samples_(.+)_(\d{4}-?\d*.*)")
"""The task and the date in the name of a file."""
_DOCUMENTS = ("article", "document", "text", "source", "input", "dialogue", "context")


def read(
    paths: Sequence[Path], problems: Problems, *, names: Mapping[Path, str] | None = None, **options: str
) -> Campaign:
    """Texts and metrics; the summarizer is the model of the results beside the samples, else their folder.

    Tasks that ask about the same documents are prompts: each is a system. Other tasks are different topics.
    """
    builder = CampaignBuilder(paths[0].parent.name or "lm-eval")
    newest_paths = _newest_runs(paths, options.get("task", ""), names or {}, problems)
    rows_by_path = {path: list(objects_in([path], problems)) for path in newest_paths}
    tasks = list(dict.fromkeys(map(_task, newest_paths)))
    are_prompts = len(tasks) > 1 and _share_documents([[row for _, row in rows] for rows in rows_by_path.values()])
    has_prefixes = len(tasks) > 1 and not are_prompts
    if has_prefixes:
        problems.remark(
            f"{_common_folder(paths)}: topics are prefixed with their task ({', '.join(filter(None, tasks))}); choose "
            f"one with {mention('option', {'task': tasks[0]})}"
        )
    systems = _name_systems(newest_paths, names or {}, problems, are_prompts=are_prompts)
    for path, rows in rows_by_path.items():
        prefix = f"{_task(path)}/" if has_prefixes else ""
        samples = _chosen_samples(rows, path, options.get("filter", ""), problems)
        summarizer = systems[path]
        if not are_prompts:
            summarizer = options.get("summarizer") or summarizer
        _remark_on_repeats(samples, summarizer, problems.at(path))
        for at, row in samples:
            _add_sample(builder, at, row, summarizer, prefix=prefix, document_field=options.get("document-field", ""))
        builder.note_holes(problems.at(path))
    return builder.build()


def _share_documents(rows_of_tasks: Sequence[Sequence[Item]]) -> bool:
    """Whether tasks are about the same documents: some are in all of them, and none is another one under its number."""
    hashes_of_tasks = list(map(_hashes_by_id, rows_of_tasks))
    first = hashes_of_tasks[0]
    shared_ids = {*first}.intersection(*hashes_of_tasks[1:])
    if not shared_ids:
        return False
    return all(hashes[id] == first[id] for hashes in hashes_of_tasks for id in shared_ids)


def _hashes_by_id(rows: Sequence[Item]) -> dict[str, str]:
    """By number of the document, what identifies its content."""
    return {str(row.get("doc_id")): _document_hash(row) for row in rows}


def _document_hash(row: Item) -> str:
    """What is the same for two rows about one document."""
    document_hash = row.get("doc_hash")
    if isinstance(document_hash, str) and document_hash:
        return document_hash
    return json.dumps(row.get("doc"), sort_keys=True, default=str)


def _name_systems(
    paths: Sequence[Path], names: Mapping[Path, str], problems: Problems, *, are_prompts: bool
) -> dict[Path, str]:
    """By file, the name of its system: files of one folder are of one system, unless their tasks are prompts.

    Args:
        paths: the samples.
        names: by file, the name that the user gives.
        problems: where problems of the results beside the samples are not noted.
        are_prompts: whether each task is a system.
    """
    files_by_system: dict[tuple[Path, str, str], list[Path]] = defaultdict(list)
    for path in paths:
        task = _task(path) if are_prompts else ""
        files_by_system[path.absolute().parent, task, names.get(path, "")].append(path)
    logs: list[LogLabels] = []
    for (folder, task, _), files in files_by_system.items():
        model = _model_beside(files[0], problems)
        logs.append(LogLabels(path=files[0], model=model, variants=(task, folder.name)))
    systems: dict[Path, str] = {}
    for files, name in zip(files_by_system.values(), name_logs(logs, names), strict=True):
        systems |= dict.fromkeys(files, name)
    return systems


def _chosen_samples(
    rows: Sequence[tuple[Place, Item]], path: Path, chosen_filter: str, problems: Problems
) -> list[tuple[Place, Item]]:
    """The rows of one filter: the chosen one, else the first of the file.

    Raises:
        UsageError: if the file does not have the chosen filter.
    """
    filters = list(dict.fromkeys(_filter_of(row) for _, row in rows))
    if not filters:
        return []
    # Each filter repeats every document: together they would be several outputs of one system.
    filter = chosen_filter or filters[0]
    if filter not in filters:
        raise UsageError(f"filter={filter}: {path} has the filters {', '.join(filters)}")
    if len(filters) > 1 and not chosen_filter:
        problems.remark(
            f'{path.name}: took the filter {filter!r} of {", ".join(filters)}; `option={{"filter": "…"}}` chooses'
        )
    return [(at, row) for at, row in rows if _filter_of(row) == filter]


def _filter_of(row: Item) -> str:
    """The filter that a row's responses went through."""
    return str(row.get("filter", "none"))


def _remark_on_repeats(rows: Sequence[tuple[Place, Item]], summarizer: str, at: Place) -> None:
    """Remark that several responses of the model to a document are runs of it."""
    repeats = max((len(_responses(row)) for _, row in rows), default=0)
    if repeats > 1:
        at.problems.remark(
            f"{Path(at.file).name}: {repeats} responses to a document are runs of {summarizer}: scores are their means"
        )


def _add_sample(
    builder: CampaignBuilder, at: Place, row: Item, summarizer: str, *, prefix: str, document_field: str
) -> None:
    """Add the document, references, response and metrics of a row; one without doc_id is an error."""
    id = id_of(row.get("doc_id"))
    if id is None:
        at.error(
            found="no doc_id",
            expected="the number of the document",
            remedy="Correct the row.",
            field="doc_id",
        )
        return
    topic = f"{prefix}{id}"
    document = first_key(object_at(row, "doc"), document_field, _DOCUMENTS)
    builder.add_topic(topic, listed(document), _targets(row.get("target")))
    responses = _responses(row)
    builder.add_peer(topic, summarizer, responses[0] if responses else None, at)
    for run, response in enumerate(responses[1:], start=2):
        builder.add_peer(topic, summarizer, response, at, run)
    for name, value in row.items():
        if name not in _NO_METRICS:
            builder.add_score(topic, summarizer, name, value)


def _task(path: Path) -> str:
    """The task in the name of a file; empty if it has none."""
    match = _NAMED.fullmatch(stem_of(path))
    if match:
        return match[1]
    return ""


def _newest_runs(paths: Sequence[Path], task: str, names: Mapping[Path, str], problems: Problems) -> list[Path]:
    """The samples of the task, or of all; of several runs of a task in one folder, the last one, if none has a name."""
    candidates = [path for path in paths if task in ("", _task(path))]
    tasks = list(dict.fromkeys(filter(None, map(_task, paths))))
    if paths and not candidates:
        check_known(task, tasks, f"task={task}: no such task")
    newest: dict[tuple[Path, str, str], Path] = {}
    # Names end in the date, so that the last in order is the newest.
    for path in sorted(dict.fromkeys(candidates), key=lambda path: path.name):
        newest[*_run_key(path), names.get(path, "")] = path
    folder = _common_folder(paths)
    older = [path for path in candidates if path not in newest.values()]
    if older:
        skipped = ", ".join(os.path.relpath(path, folder) for path in older)
        problems.remark(
            f"{folder}: newest run of each task; skipped older: {skipped}. To compare runs, name each: "
            '`system={"NAME": "FILE"}`'
        )
    return [path for path in candidates if path in newest.values()]


def _run_key(path: Path) -> tuple[Path, str]:
    """What the runs of one task in one folder have in common; a file that names no task is a run by itself."""
    task = _task(path)
    if task:
        return path.absolute().parent, task
    return path, ""


def _common_folder(paths: Sequence[Path]) -> Path:
    """The folder that all files are in, as the user gave it if possible."""
    if not paths:
        return Path()
    if len({path.is_absolute() for path in paths}) > 1:
        paths = [path.absolute() for path in paths]
    return Path(os.path.commonpath([path.parent for path in paths]))


def _responses(row: Item) -> Sequence[str]:
    """The responses to a document, filtered if there are such; lists may hold lists. Repeats are runs of the model."""
    for key in ("filtered_resps", "resps"):
        responses = listed(row.get(key))
        while responses and isinstance(responses[0], list):
            responses = responses[0]
        if responses and _are_texts(responses):
            return responses
        if responses and isinstance(responses[0], str):
            return responses[:1]
    return ()


def _targets(target: Any) -> list[Any]:
    """The references: a list is written as Python prints it, and read back as literals."""
    if not isinstance(target, str):
        return listed(target)
    if not target.startswith("[") or not target.endswith("]"):
        return listed(target)
    try:
        # The harness writes str(list): quotes as Python prints them, which JSON does not read.
        references = ast.literal_eval(target)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [target]
    if isinstance(references, list) and references and _are_texts(references):
        return references
    return [target]


def _are_texts(values: Sequence[Any]) -> bool:
    """Whether all values are strings."""
    return all(isinstance(value, str) for value in values)


def _model_beside(path: Path, problems: Problems) -> str:
    """The model that the newest results in the same folder name, else the name of the folder or file."""
    for results in sorted(path.parent.glob("results_*.json"), reverse=True):
        # Aside: what is wrong with a file of results is no problem of the samples.
        model = object_at(document_of(results, problems.aside())).get("model_name")
        if isinstance(model, str) and model:
            return model
    return path.absolute().parent.name or path.stem


FORMAT = Format(
    name="lm-eval",
    description="samples of lm-evaluation-harness, with their metrics",
    detector=names_keys(("doc_id", "resps", "filtered_resps")),
    within=("samples*.jsonl",),
    several=True,
    names_systems=True,
    reader=read,
    options={
        "task": "which task to read, if there are several; by default all, and topics are named after their tasks",
        "filter": "which filter's responses to read, if there are several; by default the first",
        "document-field": "the field of `doc` that is the source document",
        "summarizer": "the name of the model; by default that of the results beside the samples, else of the folder",
    },
)
