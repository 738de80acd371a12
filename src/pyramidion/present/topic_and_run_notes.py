"""What one must know where topics belong together, or scores are means of runs."""

from __future__ import annotations

from collections.abc import Mapping

from pyramidion.errors import mention
from pyramidion.show.wording import percent
from pyramidion.studies.runs import NoiseSource

_NEARLY_ALL = 0.95
"""Share of the variance above which runs explain all that can be seen."""
_CALLED: Mapping[NoiseSource, str] = {
    "judge": "Judge noise (between a judge's runs) accounts",
    "generation": "Generation noise (between a system's runs) accounts",
    "": "Runs account",
}


def describe_noise(runs: int, share: float, source: NoiseSource = "", *, has_fewer: bool = False) -> str:
    """How much of the variance of a difference is due to runs, in a sentence."""
    means = f"means of up to {runs} runs" if has_fewer else f"means of {runs} runs"
    shorter = 1 - (1 - share) ** 0.5
    # An estimate of everything is no promise that more runs would leave no interval at all.
    if share >= _NEARLY_ALL:
        return f"Scores are {means}. {_CALLED[source]} for nearly all of the variance of the difference."
    return (
        f"Scores are {means}. {_CALLED[source]} for {percent(share)} of the variance of the difference: "
        f"with very many runs, its interval would be {percent(shorter)} shorter."
    )


def advise_clusters(field: str, count: int, unit: str = "test") -> str:
    """What to do about topics that share something, if there are any."""
    if not count:
        return ""
    shared = "a parent" if field == "parent" else "a document"
    return (
        f"{count:,} topics share {shared} with another topic, but the {unit} treats topics as independent: "
        f"{mention('cluster', field)} treats those that belong together as one unit."
    )
