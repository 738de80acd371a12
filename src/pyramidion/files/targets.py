"""Where output may go: never over what is read or over a campaign's files, unless the user says so.

The files in which a campaign keeps its nouns are its own: no output replaces them, whatever the user says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pyramidion.errors import UsageError
from pyramidion.files.opening import resolve_links
from pyramidion.files.problems import RunFiles
from pyramidion.files.scratch import is_unfinished, remove_leftovers

REQUIRED = "summaries.jsonl"
"""The one file that a campaign must have."""
SETTINGS = "campaign.toml"
STANDARD_INPUT = "-"
OWN_FILES = frozenset(
    {
        SETTINGS,
        REQUIRED,
        "topics.jsonl",
        "judgments.jsonl",
        "preferences.jsonl",
        "pyramids.jsonl",
        "annotations.jsonl",
        "coverage.jsonl",
        "sample.jsonl",
        "assessment.sqlite",
        "assessment.sqlite-wal",
        "assessment.sqlite-shm",
    }
)
"""The files of a campaign that only the campaign itself writes."""


def check_output(
    output: Path | None, data: object, *more_inputs: object, replace: bool = False, files: RunFiles | None = None
) -> None:
    """Refuse an output that would overwrite what is read or a file of a campaign; before long work is done for it.

    Files that only reading the data reveals, such as peers in the settings of ROUGE, are refused when they are opened.

    Args:
        output: the file to write, if any.
        data: what is analysed: a path, a source with `paths`, or several of them.
        more_inputs: what else is read.
        replace: whether the user agreed; this never applies to the data itself and to a campaign's own files.
        files: those of the run that is going to write it, which refuses to read it from then on.

    Raises:
        UsageError: if the output is refused.
    """
    if output is None:
        return
    require_no_campaign_file(output)
    data_paths = list(_paths([data]))
    more_paths = list(_paths(more_inputs))
    for path in data_paths:
        candidates = [path, *(path / name for name in OWN_FILES)]
        if any(_is_same_file(output, candidate) for candidate in candidates):
            raise UsageError(f"{output} is the data itself; write to another file")
    if replace or not output.exists() or output.is_dir():
        is_read = any(_is_same_file(output, path) for path in more_paths)
        is_replaceable = is_read or campaign_of(output) is not None
        if files is not None:
            files.expect_output(output, may_replace=replace and is_replaceable)
        return
    for path in (*data_paths, *more_paths):
        if _is_same_file(output, path):
            raise UsageError(f"{output} is read by this command; write to another file, or add `replace=True`")
        if path.is_dir() and resolve_links(output).is_relative_to(resolve_links(path)):
            raise UsageError(f"{output} is part of {path}, which is read; write to another file, or add `replace=True`")
    folder = campaign_of(output)
    if folder is not None:
        raise UsageError(f"{output} is a file of the campaign {folder}; write to another file, or add `replace=True`")
    if files is not None:
        files.expect_output(output, may_replace=False)


def require_no_campaign_file(path: Path) -> None:
    """Refuse to write what a campaign keeps to itself.

    Raises:
        UsageError: if the path is that of a campaign's own file.
    """
    for place in _places(path):
        # File systems of macOS and Windows do not distinguish Summaries.jsonl from summaries.jsonl.
        name = place.name.casefold()
        if name in OWN_FILES and place.parent == _campaign_above(place):
            what = "the settings" if name == SETTINGS else "data"
            raise UsageError(
                f"{path} holds {what} of the campaign {place.parent}: no output overwrites it; write to another file. "
                "`pyramidion import … --into` adds to a campaign."
            )


def campaign_of(path: Path) -> Path | None:
    """The campaign folder that a file lies in, itself or in one of its folders such as scores/; None if in none."""
    return next(filter(None, map(_campaign_above, _places(path))), None)


def _places(path: Path) -> tuple[Path, Path]:
    """Where a path is, and where it leads: a campaign may keep a link to a file that is elsewhere."""
    return resolve_links(path.parent) / path.name, resolve_links(path)


def _campaign_above(place: Path) -> Path | None:
    # Campaigns keep files one level down at most, in scores/.
    for folder in place.parents[:2]:
        if (folder / SETTINGS).is_file() or (folder / REQUIRED).is_file():
            return folder
    return None


def is_new_or_empty(folder: Path) -> bool:
    """Whether nothing is there yet; what a dead process left unfinished is removed."""
    if not folder.is_dir():
        return not folder.exists()
    remove_leftovers(resolve_links(folder))
    return all(map(is_unfinished, folder.iterdir()))


def files_named(values: Iterable[str]) -> list[Path]:
    """The files among the values of options such as `references=a.txt,b.txt`."""
    names: list[str] = []
    for value in values:
        names += [value, *value.split(",")]
    stripped_names = filter(None, map(str.strip, names))
    paths = map(Path, stripped_names)
    # A value may be anything, also a name that no file can have: then the system refuses to look.
    return [path for path in paths if _is_same_file(path, path) and path.is_file()]


def _is_same_file(first: Path, second: Path) -> bool:
    """Whether two paths lead to one file that exists; a name that the system refuses leads to none."""
    try:
        return first.exists() and second.exists() and first.samefile(second)
    except OSError:
        return False


def _paths(inputs: Iterable[object]) -> Iterator[Path]:
    for source in inputs:
        if isinstance(source, str | Path) and str(source) == STANDARD_INPUT:
            yield Path("/dev/stdin")  # `score - < FILE` reads FILE
        elif isinstance(source, str | Path):
            yield Path(source)
        elif isinstance(source, tuple | list):
            yield from _paths(source)
        else:
            yield from _paths(getattr(source, "paths", ()))
