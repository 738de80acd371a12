"""All foreign formats, by name and by the content of a file."""

from __future__ import annotations

from pathlib import Path

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.formats import (
    datasets,
    deepeval,
    ducview,
    folder_of_texts,
    inspect_ai,
    lines,
    lite_pyramid,
    lm_eval,
    newsroom,
    nist,
    promptfoo,
    pyreval,
    qapyramid,
    realsumm,
    records,
    rose,
    rouge,
    sacrerouge,
    simetrix,
    summeval,
    summeval_op,
)
from pyramidion.formats.base import Format

_ALL: tuple[Format, ...] = (
    *rouge.FORMATS,
    nist.FORMAT,
    ducview.FORMAT,
    pyreval.FORMAT,
    lite_pyramid.FORMAT,
    realsumm.FORMAT,
    summeval.FORMAT,
    rose.FORMAT,
    qapyramid.FORMAT,
    newsroom.FORMAT,
    summeval_op.FORMAT,
    simetrix.FORMAT,
    datasets.FORMAT,
    folder_of_texts.FORMAT,
    lm_eval.FORMAT,
    inspect_ai.FORMAT,
    promptfoo.FORMAT,
    deepeval.FORMAT,
    sacrerouge.FORMAT,
    records.FORMAT,
    lines.FORMAT,
)


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
