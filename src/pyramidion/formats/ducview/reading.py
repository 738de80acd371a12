"""ducview: pyramids (.pyr) and peer annotations (.pan) of DUCView, one file, several, or folders of both; both ways.

The models of a pyramid become model summaries, the peer of an annotation a peer summary. A .pan holds a pyramid of its
own: where that is the .pyr's, the annotation refers to it; else both are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.formats.base import Format, choice, head_of, is_folder
from pyramidion.formats.ducview.export import write
from pyramidion.formats.ducview.file import read_file
from pyramidion.formats.ducview.campaign import Joining
from pyramidion.formats.ducview.names import Named, read_name, stem
from pyramidion.formats.ducview.pyramid import Across, tie_annotation, tie_pyramid
from pyramidion.formats.ducview.java_regex import UnsupportedError, compile_java

_ROOT = re.compile(rb"<(?:pyramid|peerAnnotation)[\s>]")
_OPENING = re.compile(rb"\s*<[?!a-zA-Z]")
_ENDINGS = (".pyr", ".pan")


def detect(path: Path) -> bool:
    """Whether the file is XML whose root is that of a pyramid or of a peer annotation.

    The endings .pyr and .pan are nobody else's: such a file is one even if it is broken, so that it is said where.
    """
    if path.suffix.lower() in _ENDINGS:
        return True
    head = head_of(path).replace(b"\0", b"").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return _OPENING.match(head) is not None and _ROOT.search(head) is not None


def detect_folder(folder: Path) -> bool:
    """Whether there is a DUCView file in the folder."""
    return next(iter(_files_in(folder)), None) is not None


def read(
    paths: Sequence[Path],
    problems: Problems,
    *,
    topic: str = "",
    summarizer: str = "",
    annotator: str | None = None,
    regex: str = "",
    unmatched: str = "",
    across: str = "split",
) -> Campaign:
    """The campaign in the files.

    Args:
        paths: .pyr and .pan files, and folders of them.
        problems: takes errors (a file can't be read) and warnings (something was mended).
        topic: the topic of all files; else it is seen from headers or file names.
        summarizer: who wrote the peer of the only .pan.
        annotator: who annotated all of it; else it is seen from the file names.
        regex: where models start, in Java's syntax, in place of what the files say.
        unmatched: what an empty uid 0 means: "marked" (all content matches) or "unmarked" (nobody marked the rest).
        across: a contributor with parts in two models: "split" it into one for each, or "drop" it.
    """
    choice("across", across, ("split", "drop"))
    if unmatched:
        choice("unmatched", unmatched, ("marked", "unmarked"))
    if regex:
        try:
            compile_java(regex)
        except UnsupportedError as error:
            raise UsageError(f"regex={regex}: found {error}; expected an expression in Java's syntax") from None
    joining = Joining(problems)
    files = [file for path in _all_files(paths, problems) if (file := read_file(path, problems))]
    if summarizer and sum(file.annotation is not None for file in files) != 1:
        raise UsageError(f"summarizer={summarizer} names the peer of one .pan; rename the files when there are several")
    for file in sorted(files, key=lambda file: file.annotation is not None):
        pyramid = tie_pyramid(file, problems, regex=regex or None, across=cast(Across, across))
        if pyramid is None:
            continue
        found = read_name(file.path, pyramid.segments, peer=file.annotation is not None)
        named = Named(
            topic=topic or found.topic,
            summarizer=summarizer or found.summarizer,
            annotator=found.annotator if annotator is None else annotator,
            human=found.human and not summarizer,
        )
        annotation = tie_annotation(file, pyramid.scus, problems, marked=unmatched == "marked")
        if annotation is None:
            joining.add_pyramid(file, named, pyramid)
        else:
            joining.add_annotation(file, named, pyramid, annotation)
    return joining.campaign(name=paths[0].stem if paths else "", said=bool(unmatched))


def _all_files(paths: Iterable[Path], problems: Problems) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        if not is_folder(path):
            files[path] = None
            continue
        found = list(_files_in(path))
        files |= dict.fromkeys(found)
        if not found:
            problems.add(
                "error",
                file=path,
                found="no DUCView file",
                expected="a folder with .pyr or .pan files",
                remedy="Check the path.",
            )
    return list(files)


def _files_in(folder: Path) -> Iterable[Path]:
    """Files of DUCView's in the folder and below, in the order of their names with numbers as numbers."""
    return (path for path in sorted(folder.rglob("*"), key=_natural) if path.is_file() and detect(path))


def _natural(path: Path) -> list[list[tuple[int, str]]]:
    """Folder by folder and dot field by dot field, so that t.pyr comes before t.annotator.pyr and 7 before 12."""
    fields = [*path.parent.parts, "", *stem(path).split(".")]
    return [
        [(int(piece[:18]), piece) if piece.isdecimal() else (-1, piece) for piece in re.split(r"([0-9]+)", field)]
        for field in fields
    ]
