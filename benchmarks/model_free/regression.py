"""Double leave-one-out for a campaign of TAC's size: downdated normal equations beside fitting every row anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table, number
from benchmarks.timing import Seconds, best_of_rounds, stopwatch
from pyramidion.statistics.leave_two_out import predict_leaving_two_out

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

INPUTS: Final = 48
SYSTEMS: Final = 57
FEATURES: Final = 10
GOAL_SECONDS: Final = 0.5


@dataclass(frozen=True, eq=False)
class Rows:
    """A row for each input and system; the last feature is a copy of the first."""

    features: Floats
    target: Floats
    inputs: Integers
    systems: Integers


def campaign_rows(*, seed: int = 0) -> Rows:
    """Features that go with each other and with the system, as model-free ones do, and a target that they explain."""
    generator = np.random.default_rng(seed)
    inputs, systems = (axis.ravel() for axis in np.indices((INPUTS, SYSTEMS)))
    quality = generator.normal(size=SYSTEMS)[systems] + generator.normal(size=INPUTS * SYSTEMS)
    loadings = generator.normal(size=FEATURES)
    features = np.outer(quality, loadings) + generator.normal(size=(INPUTS * SYSTEMS, FEATURES))
    features[:, -1] = features[:, 0]
    return Rows(features, quality + generator.normal(size=len(quality)), inputs, systems)


def downdated(rows: Rows) -> Floats:
    """Ours."""
    return predict_leaving_two_out(rows.features, rows.target, rows.inputs, rows.systems).predictions


def refitted(rows: Rows) -> Floats:
    """What a careful user would write: for each row, numpy's least squares on the rows that share neither group."""
    features = (rows.features - rows.features.mean(axis=0)) / rows.features.std(axis=0)
    design = np.column_stack([np.ones(len(features)), features])
    predictions = np.empty(len(features))
    for row in range(len(features)):
        others = (rows.inputs != rows.inputs[row]) & (rows.systems != rows.systems[row])
        coefficients, *_ = np.linalg.lstsq(design[others], rows.target[others], rcond=None)
        predictions[row] = design[row] @ coefficients
    return predictions


CONTESTANTS: Final[dict[str, Callable[[Rows], Floats]]] = {
    "pyramidion (downdating)": downdated,
    "refitting each row (numpy.linalg.lstsq)": refitted,
}


def regression_table(*, rounds: int = 5) -> Table:
    """Both on the same rows, after seeing that they agree to 1e-9."""
    rows = campaign_rows()
    ours, theirs = (predict(rows) for predict in CONTESTANTS.values())
    apart = float(np.abs(ours - theirs).max())
    if not apart <= 1e-9:
        raise AssertionError(f"the predictions differ by {apart}: nothing is timed")

    def timed(predict: Callable[[Rows], Floats]) -> Callable[[], Seconds]:
        def run() -> Seconds:
            with stopwatch() as watch:
                predict(rows)
            return watch.seconds

        return run

    best = best_of_rounds({name: timed(predict) for name, predict in CONTESTANTS.items()}, rounds=rounds)
    ours_best = best[next(iter(CONTESTANTS))]
    table = Table(
        title="Regression with two groups left out",
        text=f"{INPUTS} inputs × {SYSTEMS} systems, {FEATURES} features of which one is a duplicate, "
        f"{INPUTS * SYSTEMS:,} predictions that agree to {apart:.0e}.",
        header=("program", "CPU seconds", "wall seconds", "pyramidion is … times as fast"),
        notes=[f"Goal: under {GOAL_SECONDS} seconds; {'met' if ours_best.wall < GOAL_SECONDS else 'not met'}."],
    )
    for name, seconds in best.items():
        ratio = seconds.cpu / ours_best.cpu
        table.rows.append((name, f"{seconds.cpu:.3f}", f"{seconds.wall:.3f}", number(ratio)))
    return table


if __name__ == "__main__":
    print(regression_table().markdown())
