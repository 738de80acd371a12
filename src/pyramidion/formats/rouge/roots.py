"""Where the texts of a ROUGE-EVAL configuration are: as it says, or where they were moved to together with it.

NIST's configurations name folders of a machine that exists nowhere else; the texts lie beside the configuration, or in
another run of the same evaluation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from pyramidion.files.problems import Place
from pyramidion.formats.rouge.rouge_configuration import Entry, Evaluation
from pyramidion.formats.text_files import base_of, is_file, is_folder


def find_roots(evaluations: Iterable[Evaluation], folder: Path, at: Place) -> dict[str, str]:
    """By root as written: the folder that its files are in; one note for each root that is elsewhere.

    Args:
        evaluations: all of the configuration.
        folder: the folder that relative roots start from.
        at: the configuration.
    """
    names: dict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    for one in evaluations:
        for entry in (*one.peers, *one.models):
            names[entry.root] += [entry.file] if entry.file else []
            lines.setdefault(entry.root, one.line)
    return {root: _found(root, files, folder, at.at(lines[root])) for root, files in names.items()}


def _found(root: str, files: list[str], folder: Path, at: Place) -> str:
    own = Path(at.file).parent
    written = [f"{root}/{file}" if root else file for file in files]
    if any(is_file(base / name) for base in (folder, own) for name in written):
        base = base_of(written, folder, at, what=f"the root {root!r}")
        return str(base / root) if root else str(base)
    for other in _elsewhere(root, own):
        if any(is_file(other / file) for file in files):
            at.problems.remark(f"{at.file}: the folder {root} is not there; its texts were read from {other}.")
            return str(other)
    return str(folder / root) if root else str(folder)


def _elsewhere(root: str, own: Path) -> Iterator[Path]:
    """The last part of the root beside the configuration, then in the same place of another run."""
    last = PurePosixPath(root.replace("\\", "/")).name
    if not last:
        return
    yield own / last
    runs = own.absolute().parent.parent
    if is_folder(runs):
        for run in sorted(runs.iterdir()):
            if run.is_dir() and run != own.absolute().parent:
                yield run / own.absolute().name / last


def path_of(entry: Entry, roots: dict[str, str], *, models: Iterable[str] = ()) -> Path:
    """The file of an entry; that of a human peer may be among the models alone."""
    path = Path(f"{roots[entry.root]}/{entry.file}")
    if not is_file(path) and entry.id.isalpha():
        for root in models:
            if entry.file and is_file(found := Path(f"{roots[root]}/{entry.file}")):
                return found
    return path
