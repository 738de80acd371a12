"""rouge-list: ROUGE-1.5.5's list file (option -z), one item per line: the peer's path, then the paths of its models.

Items are topics numbered from 1, models are called M.1, M.2 … by position, and one summarizer wrote all peers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Topic
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.rouge.rouge_texts import BLANKS, TEXT_TYPES, TextFiles, TextType, guess_type, text_type
from pyramidion.formats.text_files import base_of, is_file, read_raw, read_text

SUMMARIZER = "X"
"""What ROUGE-1.5.5 calls a system without a name."""
FIRST_ITEMS = 5
_FIELD = re.compile(f"[^{BLANKS}]+")


def detect(glimpse: Glimpse) -> bool:
    """Whether some item near the start names a peer and models, and the files, or most of them, exist."""
    items = [paths for _, paths in islice(_items("\n".join(glimpse.lines)), FIRST_ITEMS)]
    if not items or min(map(len, items)) < 2:
        return False
    for folder in (Path(), glimpse.path.parent):
        if any(_exist(paths, folder) for paths in items):
            return all(_looks_like_path(name, folder) for name in chain.from_iterable(items))
    return False


def _exist(paths: Sequence[str], folder: Path) -> bool:
    """Whether the peer of an item and one of its models exist."""
    peer, *models = paths
    if not is_file(folder / peer):
        return False
    return any(is_file(folder / model) for model in models)


def _looks_like_path(name: str, folder: Path) -> bool:
    """Whether a word is a file that exists, or is at least written like one."""
    return "/" in name or "." in name or is_file(folder / name)


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
        problems: takes errors (a model is missing) and warnings (a peer is missing, something was repaired).
        texts: SPL, SEE, ISI or SIMPLE, as with -z; detected from the texts if it is not given.
        summarizer: the author of the peers.
        folder: the folder that relative paths start from; the working folder, as for ROUGE-1.5.5.
    """
    chosen_type = _check_type(texts)
    # M.1, M.2 … are the names of the models: a peer of such a name would be taken for one.
    if not summarizer or summarizer.startswith("M."):
        raise UsageError(f"found the summarizer {summarizer!r}; expected a name that does not start with M.")
    content = read_text(path, problems)
    items = dict(_items(content or ""))
    at = Place(problems, path)
    if content is not None and not items:
        at.at(1).error(
            found="no item",
            expected="on each line the path of a peer and the paths of its models",
            remedy="Check that the file is a list for ROUGE-1.5.5's option -z.",
        )
    if not items:
        return Campaign(name=path.stem)
    names = list(chain.from_iterable(items.values()))
    base = base_of(names, Path(folder), at.at(next(iter(items))), what="the listed paths")
    type = chosen_type or _detect_type(items, base, at)
    return _campaign(items, base, type, summarizer, at)


def _items(text: str) -> Iterator[tuple[int, list[str]]]:
    """The paths on each line that is neither blank nor a comment, by line number."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("#") and (paths := _FIELD.findall(line)):
            yield number, paths


def _check_type(name: str) -> TextType | None:
    """The type of texts that the user chose; None if there is no choice.

    Raises:
        UsageError: if there is no such type.
    """
    type = text_type(name)
    if name and type is None:
        raise UsageError(
            f"there are no texts of type {name!r}{did_you_mean(name, TEXT_TYPES)} "
            f"choose one of: {', '.join(TEXT_TYPES)}"
        )
    return type


def _detect_type(items: Mapping[int, list[str]], base: Path, at: Place) -> TextType:
    """What the first file that exists looks like; anything but SPL is a warning."""
    for line, paths in items.items():
        for name in paths:
            if is_file(base / name):
                type = guess_type(read_raw(base / name, at.problems.aside()) or "")
                if type != "SPL":
                    at.at(line).warning(
                        found=f"sentences of type {type} in {name}",
                        expected="the type of the texts, as with -z",
                        remedy=f"All texts were read as {type}; give texts={type} (or SPL) to be sure.",
                    )
                return type
    return "SPL"


def _campaign(items: Mapping[int, list[str]], base: Path, type: TextType, summarizer: str, at: Place) -> Campaign:
    """The campaign of the listed texts; a missing model is an error, a missing peer a warning."""
    files = TextFiles(at.problems)
    remedy = "Correct the line; paths contain no blanks and are relative to the working folder."
    builder = CampaignBuilder(Path(at.file).stem)
    for number, (line, (peer, *models)) in enumerate(items.items(), start=1):
        topic, here = str(number), at.at(line)
        builder.topics[topic] = Topic(topic=topic)
        if not models:
            here.error(
                found=shorten(peer),
                expected="the path of the peer and of at least one model",
                remedy=remedy,
            )
            continue
        for position, name in enumerate(models, start=1):
            sentences = files.read(base / name, type)
            if sentences is None:
                here.error(
                    found=f"no file {base / name}",
                    expected=f"the text of model M.{position}",
                    remedy=remedy,
                )
            else:
                builder.named_models[topic, f"M.{position}"] = sentences
        sentences = files.read(base / peer, type)
        if sentences is None:
            here.warning(
                found=f"no file {base / peer}",
                expected="the text of the peer",
                remedy="The peer was skipped; it is not scored.",
            )
        else:
            builder.peers[topic, summarizer] = sentences
    return builder.build()


FORMAT = Format(
    name="rouge-list",
    description="ROUGE-1.5.5's list file (-z): a peer and its models on each line",
    detector=detect,
    reader=read,
    options={
        "texts": "the type of the texts: SPL, SEE, ISI or SIMPLE (default: detected from the texts)",
        "summarizer": f"the author of the peers (default: {SUMMARIZER})",
        "folder": "the folder that relative paths start from (default: the working folder)",
    },
)
