"""All foreign formats, by name and by what a file holds."""

from __future__ import annotations

from pathlib import Path

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.formats import (
    ducview,
    folder_of_texts,
    lite_pyramid,
    pyreval,
    realsumm,
    rouge_list,
    rouge_out,
    rouge_xml,
    simetrix,
)
from pyramidion.formats.base import Format

_ALL: tuple[Format, ...] = (
    rouge_xml.FORMAT,
    rouge_list.FORMAT,
    rouge_out.FORMAT,
    ducview.FORMAT,
    pyreval.FORMAT,
    lite_pyramid.FORMAT,
    realsumm.FORMAT,
    simetrix.FORMAT,
    folder_of_texts.FORMAT,
)


def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are listed and tried."""
    return _ALL


def find_format(name: str) -> Format:
    """The format of this name; an unknown one gets a did-you-mean."""
    for format in _ALL:
        if format.name == name:
            return format
    known = [format.name for format in _ALL]
    raise UsageError(f"there is no format {name!r}{did_you_mean(name, known)} it is one of: {', '.join(known)}")


def detect_format(path: Path) -> Format | None:
    """The first format that recognises the file by its content."""
    return next((format for format in _ALL if format.detect(path)), None)
