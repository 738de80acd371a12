"""Folders of Hugging Face `datasets`: as `save_to_disk` writes them, or clones of a repository. No script is run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.flat.reading import join_shards, stream_tables
from pyramidion.campaign.flat.tables import FlatTable, open_flat
from pyramidion.errors import UsageError
from pyramidion.formats.base import Format
from pyramidion.formats.json_values import Item, document_of, listed, object_at, objects_of
from pyramidion.intake.opened import ENDINGS, FileTable

TEST = "test"
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_SPLITS = ("train", "validation", "valid", "dev", "test")
_DICT, _STATE = "dataset_dict.json", "state.json"
_NO_DATA = ("dataset_info.json", "dataset_infos.json", _STATE)


@dataclass(frozen=True)
class _SplitFiles:
    """The files of one split of one configuration."""

    config: str
    split: str
    files: tuple[Path, ...]


def detect_folder(folder: Path) -> bool:
    """Whether a folder was written by `save_to_disk`, or is a clone with a README and tables."""
    if (folder / _DICT).is_file() or (folder / _STATE).is_file():
        return True
    return (folder / "README.md").is_file() and bool(_cloned_parts(folder))


def read(folder: Path, problems: Problems, *, split: str = "", config: str = "") -> Campaign:
    """The rows of one split; by default `test`, else the only one."""
    part = _choose_part(_parts(folder, problems), split, config, folder)
    of_config = f" of {part.config!r}" if part.config else ""
    problems.remark(f"{folder.name}: split {part.split!r}{of_config}")
    tables = [open_flat(FileTable(path), problems, named=folder.name) for path in part.files]
    row_tables: list[FlatTable] = [table for table in tables if table.rows is None]
    if not row_tables:
        return Campaign(name=folder.name)
    return join_shards(stream_tables(row_tables, problems), name=folder.name)


def default_files(folder: Path, problems: Problems) -> tuple[Path, ...]:
    """The files of the split that is read unless the user chooses: test, else the only one.

    Raises:
        UsageError: if there are several, or none.
    """
    part = _choose_part(_parts(folder, problems), "", "", folder)
    problems.remark(f"{folder.name}: split {part.split!r}")
    return part.files


def _parts(folder: Path, problems: Problems) -> list[_SplitFiles]:
    """The splits of a folder, with their files."""
    if (folder / _DICT).is_file():
        names = listed(_json(folder / _DICT, problems).get("splits"))
        return [_SplitFiles("", name, _saved_files(folder / name, problems)) for name in names if _is_inside(name)]
    if (folder / _STATE).is_file():
        split = _json(folder / _STATE, problems).get("_split")
        if not isinstance(split, str):
            split = folder.name
        return [_SplitFiles("", split, _saved_files(folder, problems))]
    return _cloned_parts(folder)


def _is_inside(name: Any) -> bool:
    """Whether a name is that of a file or folder directly inside another one."""
    return isinstance(name, str) and "/" not in name and name not in ("", ".", "..")


def _saved_files(folder: Path, problems: Problems) -> tuple[Path, ...]:
    """The Arrow files that `state.json` names, inside the folder; all if it names none."""
    entries = objects_of(_json(folder / _STATE, problems).get("_data_files"))
    names: list[Any] = [entry.get("filename") for entry in entries]
    files = [folder / name for name in names if _is_inside(name)]
    if not files:
        files = sorted(folder.glob("*.arrow"))
    return tuple(files)


def _cloned_parts(folder: Path) -> list[_SplitFiles]:
    """The files of a repository by configuration and split: from their names, as `datasets` itself finds them."""
    files: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        inner_path = path.relative_to(folder)
        if _is_table_of_repository(path, inner_path):
            files.setdefault(_config_and_split(inner_path), []).append(path)
    return [_SplitFiles(config, split, tuple(paths)) for (config, split), paths in files.items()]


def _is_table_of_repository(path: Path, inner_path: Path) -> bool:
    """Whether a file is a visible table, and none of the files in which `datasets` keeps facts about the data."""
    if path.suffix.lower() not in ENDINGS or path.name in _NO_DATA:
        return False
    is_hidden = any(name.startswith(".") for name in inner_path.parts)
    return not is_hidden and not path.is_dir()


def _config_and_split(inner_path: Path) -> tuple[str, str]:
    """The configuration and the split that the names of a file and its folders say."""
    # `datasets` puts the files of a set with one configuration into data/.
    folder_names = [name for name in inner_path.parts[:-1] if name != "data"]
    stem = _SHARD.sub("", inner_path.stem)
    split_names = [name for name in (stem, *reversed(folder_names)) if name.split("-")[0] in _SPLITS]
    split = split_names[0] if split_names else stem
    config_names = [name for name in folder_names if name != split]
    config = config_names[0] if config_names else ""
    return config, split


def _choose_part(parts: Sequence[_SplitFiles], split: str, config: str, folder: Path) -> _SplitFiles:
    """The chosen split of the chosen configuration.

    Raises:
        UsageError: if there are several, or none, and nobody chose.
    """
    configs = list(dict.fromkeys(part.config for part in parts))
    if config or len(configs) > 1:
        # `default` is what `datasets` calls the configuration that nobody named.
        parts = [part for part in parts if part.config == (config or "default")]
        if not parts:
            raise UsageError(
                f'{folder} has the configurations {", ".join(configs)}: choose one by `option={{"config": "NAME"}}`'
            )
    splits = [part.split for part in parts]
    chosen_split = split or TEST
    chosen_parts = [part for part in parts if part.split == chosen_split]
    if not split and not chosen_parts:
        chosen_parts = list(parts)
    if len(chosen_parts) != 1:
        raise UsageError(
            f"{folder} has the splits {', '.join(splits) or 'none'}: choose one by "
            '`option={"split": "NAME"}` of the format datasets. If the files of the folder belong together, give them '
            "instead of it"
        )
    return chosen_parts[0]


def _json(path: Path, problems: Problems) -> Item:
    """What a file says; nothing if it can't be read."""
    return object_at(document_of(path, problems.aside()))


FORMAT = Format(
    name="datasets",
    description="folders of Hugging Face datasets: save_to_disk, or a clone of a repository",
    folder_detector=detect_folder,
    reader=read,
    options={
        "split": "which split to read; by default test, else the only one",
        "config": "which configuration to read, if there are several",
    },
)
