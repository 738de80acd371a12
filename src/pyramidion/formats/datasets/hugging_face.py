"""Folders of Hugging Face `datasets`: as `save_to_disk` writes them, or clones of a repository. No script is run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.flat.reading import FlatTable, join_shards, open_flat, stream_tables
from pyramidion.errors import UsageError
from pyramidion.files.rows import ENDINGS
from pyramidion.formats.base import Format
from pyramidion.formats.json_values import Item, document_of, object_at, objects_of

TEST = "test"
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_SPLITS = ("train", "validation", "valid", "dev", "test")


@dataclass(frozen=True)
class _Part:
    """The files of one split of one configuration."""

    config: str
    split: str
    files: tuple[Path, ...]


def _detect(folder: Path) -> bool:
    if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():
        return True
    return (folder / "README.md").is_file() and bool(_cloned(folder))


def _read(folder: Path, problems: Problems, *, split: str = "", config: str = "") -> Campaign:
    """The rows of one split; by default `test`, else the only one."""
    part = _chosen(_parts(folder), split, config, folder)
    problems.remark(f"{folder.name}: split {part.split!r}{f' of {part.config!r}' if part.config else ''}")
    tables = [open_flat(path, problems, named=folder.name) for path in part.files]
    rows: list[FlatTable] = [table for table in tables if table.rows is None]
    return join_shards(stream_tables(rows, problems), name=folder.name) if rows else Campaign(name=folder.name)


def _parts(folder: Path) -> list[_Part]:
    if (folder / "dataset_dict.json").is_file():
        named = _json(folder / "dataset_dict.json").get("splits")
        names = [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
        splits = [one for one in names if one not in ("", ".", "..") and "/" not in one]
        return [_Part("", one, _saved(folder / one)) for one in splits]
    if (folder / "state.json").is_file():
        split = _json(folder / "state.json").get("_split")
        return [_Part("", split if isinstance(split, str) else folder.name, _saved(folder))]
    return _cloned(folder)


def _saved(folder: Path) -> tuple[Path, ...]:
    """The Arrow files that `state.json` names, inside the folder."""
    names = [one.get("filename") for one in objects_of(_json(folder / "state.json").get("_data_files"))]
    safe = [folder / name for name in names if isinstance(name, str) and "/" not in name and name not in ("", "..")]
    return tuple(safe) or tuple(sorted(folder.glob("*.arrow")))


def _cloned(folder: Path) -> list[_Part]:
    """The files of a repository by configuration and split: from their names, as `datasets` itself finds them."""
    parts: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.suffix.lower() not in ENDINGS or any(one.startswith(".") for one in inside.parts) or path.is_dir():
            continue
        if path.name in ("dataset_info.json", "dataset_infos.json", "state.json"):
            continue
        folders = [one for one in inside.parts[:-1] if one != "data"]
        stem = _SHARD.sub("", path.stem)
        split = next((one for one in (stem, *reversed(folders)) if one.split("-")[0] in _SPLITS), stem)
        config = next((one for one in folders if one != split), "")
        parts.setdefault((config, split), []).append(path)
    return [_Part(config, split, tuple(files)) for (config, split), files in parts.items()]


def _chosen(parts: Sequence[_Part], split: str, config: str, folder: Path) -> _Part:
    configs = list(dict.fromkeys(part.config for part in parts))
    if config or len(configs) > 1:
        parts = [part for part in parts if part.config == (config or "default")]
        if not parts:
            raise UsageError(
                f"{folder} has the configurations {', '.join(configs)}: choose one by --option config=NAME"
            )
    wanted = split or (TEST if any(part.split == TEST for part in parts) else "")
    found = [part for part in parts if part.split == wanted] if wanted else list(parts)
    if len(found) != 1:
        there = ", ".join(part.split for part in parts) or "none"
        raise UsageError(
            f"{folder} has the splits {there}: choose one by `import datasets … --option split=NAME`, or give the "
            "files of the split"
        )
    return found[0]


def _json(path: Path) -> Item:
    """What a file says; nothing if it can't be read."""
    return object_at(document_of(path, Problems()))


FORMAT = Format(
    name="datasets",
    description="folders of Hugging Face datasets: save_to_disk, or a clone of a repository",
    folder_detector=_detect,
    reader=_read,
    options={
        "split": "which split to read; by default test, else the only one",
        "config": "which configuration to read, if there are several",
    },
)
