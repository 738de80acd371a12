"""What the systems behind logs are called: the model; where several logs have one model, what they differ in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from pyramidion.campaign.sources import distinct_names
from pyramidion.errors import UsageError, mention

LONGEST_NAME = 40
"""Characters of what may be the name of a prompt; what is longer is the prompt itself."""


@dataclass(frozen=True, kw_only=True)
class LogLabels:
    """What a log says about the system behind it."""

    path: Path
    model: str = ""
    variants: Sequence[str] = ()
    """What may tell it from other logs of the model, the most telling first: a task, a prompt. Empty if unknown."""


def name_logs(logs: Sequence[LogLabels], names: Mapping[Path, str], summarizer: str = "") -> list[str]:
    """The name of the system behind each log.

    Two prompts of one model are two systems: `gpt-4o (terse)` and `gpt-4o (long)` if the logs name their tasks or
    prompts, else the names of their files.

    Args:
        logs: what each log says.
        names: by file, the name that the user gives.
        summarizer: the name of the only system, as an option of the format gives it.

    Raises:
        UsageError: if one name is given to several logs.
    """
    if summarizer and len(logs) > 1:
        raise UsageError(
            f"{mention('option', {'summarizer': summarizer})}: found {len(logs)} files, and each is a system; name "
            f"each of them: {mention('system', {summarizer: str(logs[0].path)})}"
        )
    if summarizer:
        return [summarizer]
    file_names = dict(zip([log.path for log in logs], distinct_names([log.path for log in logs]), strict=True))
    logs_by_model: dict[str, list[LogLabels]] = defaultdict(list)
    for log in logs:
        logs_by_model[log.model].append(log)
    systems: list[str] = []
    for log in logs:
        variant = _telling_variant(log, logs_by_model[log.model])
        if log.path in names:
            systems.append(names[log.path])
        elif log.model and len(logs_by_model[log.model]) == 1:
            systems.append(log.model)
        elif log.model and variant:
            systems.append(f"{log.model} ({variant})")
        else:
            systems.append(file_names[log.path])
    return systems


def _telling_variant(log: LogLabels, logs_of_model: Sequence[LogLabels]) -> str:
    """What tells a log from the others of its model; nothing if that is only its file."""
    for number, variant in enumerate(log.variants):
        variants = [other.variants[number] for other in logs_of_model if number < len(other.variants)]
        is_complete = len(variants) == len(logs_of_model) and all(variants)
        if is_complete and len({*variants}) == len(variants):
            return variant
    return ""


def name_systems_of_files(
    labels: Mapping[Path, Sequence[str]], names: Mapping[Path, str]
) -> dict[tuple[Path, str], str]:
    """By file and label of a system in it, what the system is called.

    A label is the name where only one file has it. Otherwise the file tells systems apart.

    Args:
        labels: by file, what its rows call their systems; an empty label where they do not say.
        names: by file, the name that the user gives.
    """
    if all(len(labels_of_file) == 1 for labels_of_file in labels.values()):
        logs = [LogLabels(path=path, model=label) for path, (label,) in labels.items()]
        return {(log.path, log.model): name for log, name in zip(logs, name_logs(logs, names), strict=True)}
    counts = Counter(chain.from_iterable(labels.values()))
    file_names = dict(zip(labels, distinct_names(list(labels)), strict=True))
    systems: dict[tuple[Path, str], str] = {}
    for path, labels_of_file in labels.items():
        file_name = names.get(path, file_names[path])
        for label in labels_of_file:
            if path in names or counts[label] > 1:
                systems[path, label] = f"{label} ({file_name})" if label else file_name
            else:
                systems[path, label] = label or file_name
    return systems
