"""All foreign formats, by name and by the content of a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.formats.base import Format

_MODULES = (
    *("rouge.xml", "rouge.list", "rouge.out", "nist", "ducview", "pyreval", "lite_pyramid", "realsumm"),
    *("summeval", "rose", "qapyramid", "newsroom", "summeval_op", "simetrix", "datasets", "folder_of_texts"),
    *("lm_eval", "inspect_ai", "promptfoo", "deepeval", "sacrerouge", "records", "lines"),
)
"""Each has a `FORMAT`."""
_ALL: tuple[Format, ...] = tuple(import_module(f"pyramidion.formats.{name}").FORMAT for name in _MODULES)


def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are listed and tried."""
    return _ALL


def find_format(name: str) -> Format:
    """The format with this name.

    Raises:
        UsageError: if there is none; it suggests similar names.
    """
    for format in _ALL:
        if format.name == name:
            return format
    known = [format.name for format in _ALL]
    raise UsageError(f"there is no format {name!r}{did_you_mean(name, known)} choose one of: {', '.join(known)}")


def detect_format(path: Path) -> Format | None:
    """The first format that recognises the content of the file or folder."""
    return next((format for format in _ALL if format.detect(path)), None)
