"""rouge-list: ROUGE-1.5.5's list file (option -z), one item per line: the peer's path, then the paths of its models.

Items are topics numbered from 1, models are called M.1, M.2 … by position, and one summarizer wrote all peers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Summary, Topic
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, head_of, is_file
from pyramidion.formats.decoding import note_windows_ends, read_tolerantly
from pyramidion.formats.rouge_texts import BLANKS, TEXT_TYPES, FileFinder, TextFiles, TextType, guess_type, text_type

SUMMARIZER = "X"
"""What ROUGE-1.5.5 calls a system without a name."""


def detect(path: Path) -> bool:
    """Whether the first item names a peer and models, and all the models are there."""
    head = head_of(path)
    if b"\0" in head:
        return False
    item = next(_items(head.decode(errors="replace")), None)
    models = item.paths[1:] if item else []
    return bool(models) and any(all(is_file(base / model) for model in models) for base in (Path(), path.parent))


def read(
    path: Path,
    problems: Problems,
    *,
    texts: str = "",
    summarizer: str = SUMMARIZER,
    folder: Path | str = ".",
) -> Campaign:
    """The campaign that the list describes.

    Args:
        path: the list file.
        problems: takes errors (a model is missing) and warnings (a peer is missing, something was mended).
        texts: SPL, SEE or ISI, as with -z; seen from the texts when it is not given.
        summarizer: who wrote the peers.
        folder: what relative paths are relative to; the working folder, as for ROUGE-1.5.5.
    """
    given = _given_type(texts)
    if not summarizer or summarizer.startswith("M."):
        raise UsageError(f"found the summarizer {summarizer!r}; expected a name that is not empty nor starts with M.")
    content = read_tolerantly(path, problems)
    if content is None:
        return Campaign(name=path.stem)
    note_windows_ends(content, path, problems, remedy="They were read as plain line ends.")
    items = list(_items(content))
    if not items:
        problems.add(
            "error",
            file=path,
            line=1,
            found="no item",
            expected="on each line the peer's path and the paths of its models",
            remedy="Check that the file is a list for ROUGE-1.5.5's option -z.",
        )
        return Campaign(name=path.stem)
    finder = FileFinder(configuration=path, folder=Path(folder), problems=problems)
    names = (name for item in items for name in item.paths)
    base = finder.base_of(names, what="the listed paths", line=items[0].line)
    type = given or _seen_type(items, base, path, problems)
    return _campaign(items, base, type, summarizer, path, problems)


@dataclass(frozen=True, kw_only=True)
class _Item:
    line: int
    paths: list[str]


def _items(text: str) -> Iterator[_Item]:
    """Lines that are neither blank nor comments, split at white space."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("#") and (paths := _fields(line)):
            yield _Item(line=number, paths=paths)


def _fields(line: str) -> list[str]:
    for blank in BLANKS:
        line = line.replace(blank, " ")
    return [field for field in line.split(" ") if field]


def _given_type(name: str) -> TextType | None:
    type = text_type(name)
    if name and type is None:
        raise UsageError(
            f"there are no texts of type {name!r}{did_you_mean(name, TEXT_TYPES)} it is one of: {', '.join(TEXT_TYPES)}"
        )
    return type


def _seen_type(items: list[_Item], base: Path, path: Path, problems: Problems) -> TextType:
    """What the first file that is there looks like; anything but SPL is said."""
    for item in items:
        for name in item.paths:
            if is_file(base / name):
                text = read_tolerantly(base / name, Problems())
                type = guess_type(text or "")
                if type != "SPL":
                    problems.add(
                        "warning",
                        file=path,
                        line=item.line,
                        found=f"sentences of type {type} in {name}",
                        expected="the type of the texts, as with -z",
                        remedy=f"All texts were read as {type}; say texts={type} (or SPL) to be sure.",
                    )
                return type
    return "SPL"


def _campaign(
    items: list[_Item], base: Path, type: TextType, summarizer: str, path: Path, problems: Problems
) -> Campaign:
    files = TextFiles(problems)
    topics = []
    summaries: list[Summary] = []
    for number, item in enumerate(items, start=1):
        topic = str(number)
        topics.append(Topic(topic=topic))
        peer, *models = item.paths
        if not models:
            _note(problems, "error", path, item.line, shorten(peer), "the peer's path and at least one model's path")
            continue
        for position, name in enumerate(models, start=1):
            sentences = files.read(base / name, type) if is_file(base / name) else None
            if sentences is None:
                _note(problems, "error", path, item.line, f"no file {base / name}", f"the text of model M.{position}")
            else:
                summaries.append(Summary(topic=topic, summarizer=f"M.{position}", kind="model", text=sentences))
        sentences = files.read(base / peer, type) if is_file(base / peer) else None
        if sentences is None:
            _note(problems, "warning", path, item.line, f"no file {base / peer}", "the peer's text")
        else:
            summaries.append(Summary(topic=topic, summarizer=summarizer, kind="peer", text=sentences))
    return Campaign(name=path.stem, topics=tuple(topics), summaries=tuple(summaries))


def _note(problems: Problems, severity: Severity, path: Path, line: int, found: str, expected: str) -> None:
    remedy = {
        "error": "Correct the line; paths hold no blanks and are relative to the working folder.",
        "warning": "The peer was skipped; it is not scored.",
    }[severity]
    problems.add(severity, file=path, line=line, found=found, expected=expected, remedy=remedy)


FORMAT = Format(
    name="rouge-list",
    description="ROUGE-1.5.5's list file (-z): a peer and its models on each line",
    detector=detect,
    reader=read,
    options={
        "texts": "SPL, SEE, ISI or SIMPLE (default: seen from the texts)",
        "summarizer": f"who wrote the peers (default: {SUMMARIZER})",
        "folder": "what relative paths are relative to (default: the working folder)",
    },
)
