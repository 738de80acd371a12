"""Where the texts of a ROUGE-EVAL configuration are: as it says, or where they were moved to together with it.

NIST's configurations name folders of a machine that exists nowhere else; the texts lie beside the configuration, or in
another run of the same evaluation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from pyramidion.files.problems import Place
from pyramidion.formats.rouge.rouge_configuration import RougeEntry, RougeEvaluation
from pyramidion.formats.text_files import base_of, is_file, is_folder


def find_roots(evaluations: Iterable[RougeEvaluation], folder: Path, at: Place) -> dict[str, str]:
    """By root as written: the folder that its files are in; one note for each root that is elsewhere.

    Args:
        evaluations: all of the configuration.
        folder: the folder that relative roots start from.
        at: the configuration.
    """
    files: dict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    for evaluation in evaluations:
        for entry in (*evaluation.peers, *evaluation.models):
            lines.setdefault(entry.root, evaluation.line)
            root_files = files[entry.root]
            if entry.file:
                root_files.append(entry.file)
    return {root: _find_root(root, files[root], folder, at.at(line)) for root, line in lines.items()}


def _find_root(root: str, files: Sequence[str], folder: Path, at: Place) -> str:
    """The folder that the files of a root are in; as written, if none is there."""
    paths = list(files)
    if root:
        paths = [f"{root}/{file}" for file in files]
    candidates = [folder / path for path in paths]
    # ROUGE-1.5.5 starts from where it runs; else the folder of the configuration is tried.
    candidates += [Path(at.file).parent / path for path in paths]
    if any(map(is_file, candidates)):
        base = base_of(paths, folder, at, what=f"the root {root!r}")
        return str(base / root)
    for candidate in _elsewhere(root, Path(at.file).parent):
        if any(is_file(candidate / file) for file in files):
            at.problems.remark(f"{at.file}: the folder {root} is not there; its texts were read from {candidate}.")
            return str(candidate)
    return str(folder / root)


def _elsewhere(root: str, folder: Path) -> Iterator[Path]:
    """The last part of the root beside the configuration, then in the same place of another run."""
    last_name = PurePosixPath(root.replace("\\", "/")).name
    if not last_name:
        return
    yield folder / last_name
    run_folder = folder.absolute().parent
    if not is_folder(run_folder.parent):
        return
    # NISTeval2 of DUC 2006 has no models: its configuration means those of NISTeval, one folder aside.
    for other_run in sorted(run_folder.parent.iterdir()):
        if other_run.is_dir() and other_run != run_folder:
            yield other_run / folder.absolute().name / last_name


def path_of(entry: RougeEntry, roots: dict[str, str], *, models: Iterable[str] = ()) -> Path:
    """The file of an entry; that of a human peer may be among the models alone."""
    path = Path(f"{roots[entry.root]}/{entry.file}")
    is_human = entry.id.isalpha()
    if is_file(path) or not entry.file or not is_human:
        return path
    for root in models:
        model_path = Path(f"{roots[root]}/{entry.file}")
        if is_file(model_path):
            return model_path
    return path
