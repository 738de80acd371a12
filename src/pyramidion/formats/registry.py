"""All foreign formats, by name and by the content of a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.formats.base import Format

_MODULES = (
    *("rouge.rouge_xml", "rouge.rouge_list", "rouge.rouge_out", "nist", "ducview", "programs.pyreval"),
    *("datasets.lite_pyramid", "datasets.realsumm", "datasets.summeval", "datasets.rose", "datasets.qapyramid"),
    *("datasets.newsroom", "datasets.summeval_op", "programs.simetrix", "datasets.hugging_face"),
    *("plain.folder_of_texts", "harnesses.lm_eval", "harnesses.inspect_ai", "harnesses.promptfoo"),
    *("harnesses.deepeval", "programs.sacrerouge", "plain.records", "plain.line_files"),
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
