"""Loops in C++ without Python, compiled when asked for: what the machine can do on one thread."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.rouge import original
from benchmarks.rouge.contestants import SUMMARY, Contestant, NotAvailableError, Scores
from benchmarks.texts import Item
from benchmarks.timing import Seconds, Timed
from pyramidion.compat.rouge_score.counts import best_of_targets
from pyramidion.compat.rouge_score.counts import scores_of as rouge_score_scores

Profile: TypeAlias = Literal["rouge_score", "rouge155"]

ROOT: Final = Path(__file__).parents[2]
ROUNDS: Final = 3
MEASURES: Final = {"rouge_score": len(SUMMARY), "rouge155": len(original.KINDS)}


def loop(folder: Path, profile: Profile) -> Contestant:
    """A plain loop written from the definitions."""
    program = _compile(folder / "loop", [ROOT / "benchmarks/bare/loop.cpp", ROOT / "native/stem.cpp"])
    return Contestant("a bare C++ loop", partial(_run, program, folder, profile))


def kernels(folder: Path, profile: Profile) -> Contestant:
    """pyramidion's own kernels."""
    sources = [path for path in sorted((ROOT / "native").glob("*.cpp")) if not path.name.startswith("bindings")]
    program = _compile(folder / "kernels", [ROOT / "benchmarks/bare/kernels.cpp", *sources])
    return Contestant("pyramidion's kernels, without Python", partial(_run, program, folder, profile))


def arithmetic(folder: Path, threads: int) -> Callable[[], Seconds]:
    """Times a fixed amount of arithmetic, shared by so many threads."""
    program = _compile(folder / "arithmetic", [ROOT / "benchmarks/bare/arithmetic.cpp"])

    def run() -> Seconds:
        wall = float(subprocess.run([str(program), str(threads)], capture_output=True, check=True).stdout)
        return Seconds(wall, wall)

    return run


def _compile(program: Path, sources: Sequence[Path]) -> Path:
    compiler = shutil.which("g++")
    if compiler is None:
        raise NotAvailableError("there is no g++")
    if not program.exists():
        command = [compiler, "-std=c++20", "-O3", "-pthread", "-I", str(ROOT / "native"), "-o", str(program)]
        subprocess.run([*command, *map(str, sources)], check=True)
    return program


def _run(program: Path, folder: Path, profile: Profile, items: Sequence[Item]) -> Timed[Scores]:
    """The best of some rounds in one process, which times only its loop, not the reading of the file."""
    given, result = folder / "items", folder / "result"
    given.write_bytes(b"".join(map(_encode, items)))
    data = files("pyramidion.text") / "data"
    lists = [str(data / "smart_stop_words.txt"), str(data / "wordnet_exceptions.tsv")]
    command = [str(program), profile, str(given), *lists, str(ROUNDS), str(result)]
    cpu, wall = subprocess.run(command, capture_output=True, check=True).stdout.split()
    sizes = np.array([len(item.targets) for item in items])
    counts = np.fromfile(result).reshape(int(sizes.sum()), MEASURES[profile], 3)
    return Timed(_SCORES[profile](counts, sizes), Seconds(float(cpu), float(wall)))


def _encode(item: Item) -> bytes:
    texts = [text.encode() for text in (item.prediction, *item.targets)]
    return struct.pack("<I", len(texts)) + b"".join(struct.pack("<I", len(text)) + text for text in texts)


def _best(counts: NDArray[np.float64], sizes: NDArray[np.int64]) -> Scores:
    return best_of_targets(rouge_score_scores(counts), sizes)


_SCORES: Final[dict[str, Callable[[NDArray[np.float64], NDArray[np.int64]], Scores]]] = {
    "rouge_score": _best,
    "rouge155": original.scores_of,
}
