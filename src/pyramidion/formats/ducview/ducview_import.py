"""Reading DUCView files, one or many, as one campaign."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.files.problems import Place
from pyramidion.formats.ducview.ducview_campaign import GrowingCampaign
from pyramidion.formats.ducview.ducview_file import Across, DucviewFile, HowToRead, OpenFile, open_file
from pyramidion.formats.ducview.ducview_names import Named, read_name, stem
from pyramidion.formats.ducview.java_regex import UnsupportedError, compile_java
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.text_files import is_folder, read_content
from pyramidion.options import WeightRule

_ROOT = re.compile(rb"<(?:pyramid|peerAnnotation)[\s>]")
_OPENING = re.compile(rb"\s*<[?!a-zA-Z]")
_ENDINGS = (".pyr", ".pan")


def detect(glimpse: Glimpse) -> bool:
    """Whether the file is XML whose root is that of a pyramid or of a peer annotation.

    No other program uses the endings .pyr and .pan: such a file is one even if it is broken, so that errors are shown.
    """
    if glimpse.path.suffix.lower() in _ENDINGS:
        return True
    head = glimpse.xml_head
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
    unmatched: Literal["", "marked", "unmarked"] = "",
    across: Across = "first",
    weights: WeightRule = "contributors",
) -> Campaign:
    """The campaign in the files.

    Args:
        paths: .pyr and .pan files, and folders of them.
        problems: takes errors (a file can't be read) and warnings (something was repaired).
        topic: the topic of all files; by default it comes from headers or file names.
        summarizer: the author of the peer in the only .pan.
        annotator: the annotator of all files; by default it comes from the file names.
        regex: where models start, of the pieces that `java_regex` knows, instead of the files' own expressions.
        unmatched: what an empty uid 0 means: "marked" (all content matches) or "unmarked" (nobody marked the rest).
        across: what to do with a contributor that has parts in two models: it counts once, for the "first" one, or
            "split" it into one for each, or "drop" it.
        weights: what an SCU weighs: the number of its "contributors", as DUCView counts, or of its "models".
    """
    if regex:
        try:
            compile_java(regex)
        except UnsupportedError as error:
            raise UsageError(
                f"regex={regex}: found {error}; expected characters, sets such as [A-Z], and repeats"
            ) from None
    campaign = GrowingCampaign(problems, weights=weights)
    opened = list(_open_all(_all_files(paths, problems), problems))
    files = read_files(opened, HowToRead(regex=regex, across=across, marked=unmatched == "marked"))
    annotation_count = sum(file.annotation is not None for file in files)
    if summarizer and annotation_count != 1:
        raise UsageError(f"summarizer={summarizer} is for a single .pan file; if there are several, rename the files")
    for file in sorted(files, key=lambda file: file.annotation is not None):
        name = read_name(file.path, file.pyramid.segments, peer=file.annotation is not None)
        file_annotator = name.annotator if annotator is None else annotator
        named = Named(
            topic=topic or name.topic,
            summarizer=summarizer or name.summarizer,
            annotator=file_annotator,
            human=name.human and not summarizer,
        )
        if file.annotation is None:
            campaign.add_pyramid(file, named)
        else:
            campaign.add_annotation(file, named, file.annotation)
    campaign_name = paths[0].stem if paths else ""
    return campaign.finished(name=campaign_name, warn_unmarked=not unmatched)


def _open_all(paths: Iterable[Path], problems: Problems) -> Iterator[OpenFile]:
    """The files whose XML can be parsed; the others are errors."""
    for path in paths:
        content = read_content(path, problems)
        if content is None:
            continue
        opened_file = open_file(content, Place(problems, path))
        if opened_file is not None:
            yield opened_file


def read_files(opened: Sequence[OpenFile], how: HowToRead) -> list[DucviewFile]:
    """The files that can be used; one without an expression for its models uses that of another file of its topic."""
    regexes: dict[str, list[str]] = defaultdict(list)
    for file in opened:
        if file.regex is not None:
            regexes[file.set.casefold()].append(file.regex)
    files: list[DucviewFile] = []
    for file in opened:
        set_regexes = regexes[file.set.casefold()] if file.set else ()
        content = file.read(how, regexes=set_regexes)
        if content is not None:
            files.append(content)
    return files


def _all_files(paths: Iterable[Path], problems: Problems) -> list[Path]:
    """The files themselves, and the DUCView files of folders; a folder without any is an error."""
    files: dict[Path, None] = {}
    for path in paths:
        if not is_folder(path):
            files[path] = None
            continue
        inner_files = list(_files_in(path))
        files |= dict.fromkeys(inner_files)
        if not inner_files:
            Place(problems, path).error(
                found="no DUCView file",
                expected="a folder with .pyr or .pan files",
                remedy="Check the path.",
            )
    return list(files)


def _files_in(folder: Path) -> Iterable[Path]:
    """The DUCView files in the folder and below, in the order of their names with numbers as numbers."""
    paths = sorted(folder.rglob("*"), key=_natural)
    return (path for path in paths if path.is_file() and detect(Glimpse(path)))


def _natural(path: Path) -> list[list[tuple[int, str]]]:
    """Folder by folder and dot field by dot field, so that t.pyr comes before t.annotator.pyr and 7 before 12."""
    fields = [*path.parent.parts, "", *stem(path).split(".")]
    return [list(map(_piece_key, re.split(r"([0-9]+)", field))) for field in fields]


def _piece_key(piece: str) -> tuple[int, str]:
    """A key that sorts digits as numbers, behind letters that stand in their place."""
    # Python refuses to read numbers of more than 4,300 digits; 18 are enough to sort by.
    if piece.isdecimal():
        return (int(piece[:18]), piece)
    return (-1, piece)
