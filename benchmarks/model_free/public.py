"""How model-free measures go with people's scores on public campaigns, beside ROUGE.

`PYRAMIDION_DATA=folder python -m benchmarks.model_free.public [--write]`, where the folder has the campaigns realsumm
and summeval, prints the tables; with --write they go into the page on model-free measures.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyramidion
from benchmarks.tables import Table, replace_results
from pyramidion.measures.base import MeasureWarning
from pyramidion.studies.correlations.correlations import Correlations
from pyramidion.text.inputs import FEATURES

PAGE: Final = Path(__file__).parents[2] / "docs" / "concepts" / "model-free.md"
BEGIN: Final = "<!-- results: written by python -m benchmarks.model_free.public -->"
GROUPS: Final = {
    "model-free": FEATURES,
    "pairs of words": ("js(ngram=2)", "kl-summary-input(ngram=2)", "cosine(ngram=2)"),
    "extractive": ("coverage", "density", "compression", "novelty", "redundancy", "length"),
    "ROUGE": ("rouge-1.recall", "rouge-2.recall", "rouge-su4.recall", "rouge-1.f", "rouge-2.f"),
}
REGRESSION: Final = "regression"


@dataclass(frozen=True)
class Target:
    """A human score of a campaign."""

    campaign: str
    question: str

    @property
    def measure(self) -> str:
        return f"question.{self.question}"


TARGETS: Final = (
    Target("realsumm", "litepyramid-recall"),
    Target("summeval", "relevance"),
    Target("summeval", "coherence"),
    Target("summeval", "consistency"),
    Target("summeval", "fluency"),
)


def correlations(folder: Path, target: Target) -> Correlations:
    """All measures with one human score, at both levels."""
    measures = [*(name for names in GROUPS.values() for name in names), f"regression(target={target.measure})"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MeasureWarning)
        return pyramidion.correlate(
            folder / target.campaign,
            measures,
            with_=target.measure,
            level=("system", "topic"),
            coefficient=("spearman",),
            micro=True,
            resamples=2,  # no interval is shown
        )


def tables(folder: Path) -> Iterator[Table]:
    """Macro, then micro."""
    found = {target: correlations(folder, target) for target in TARGETS}
    header = ("measure", *(f"{target.campaign}: {target.question}" for target in TARGETS))
    macro = Table("Macro: means over topics", "", header)
    micro = Table("Micro: within topics", "", header)
    for group, names in {**GROUPS, REGRESSION: (REGRESSION,)}.items():
        for name in names:
            cells = [_cells(found[target], name, target) for target in TARGETS]
            label = f"`{name}`" if group != REGRESSION else "`regression(target=…)`"
            macro.rows.append((label, *(system for system, _ in cells)))
            micro.rows.append((label, *(topic for _, topic in cells)))
    yield macro
    yield micro


def _cells(found: Correlations, name: str, target: Target) -> tuple[str, str]:
    measure = f"regression(target={target.measure})" if name == REGRESSION else name
    system = found.value(measure, target.measure, level="system", coefficient="spearman")
    topic = found.value(measure, target.measure, level="topic", coefficient="spearman")
    [topics] = [one for one in found.significant if one.measure == measure]
    return _number(system), f"{_number(topic)} ({_share(topics.significant, topics.n)})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_free.public", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    options = parser.parse_args(arguments)
    folder = os.environ.get("PYRAMIDION_DATA")
    if folder is None:
        parser.error("set PYRAMIDION_DATA to a folder with the campaigns realsumm and summeval")
    results = "\n\n".join(table.markdown() for table in tables(Path(folder)))
    print(results)
    if options.write:
        replace_results(PAGE, results, begin=BEGIN)


if __name__ == "__main__":
    main(sys.argv[1:])
