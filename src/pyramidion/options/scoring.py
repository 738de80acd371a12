"""How scores are averaged, and how a run in shards goes."""

from __future__ import annotations

from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option


class AverageOptions(Options):
    """How scores are averaged over topics."""

    average: Literal["macro", "micro", "counts"] = option(
        "macro",
        "How to average over topics. macro: mean of the topics' scores; micro: score of the summed counts; counts: the "
        "summed counts themselves.",
    )
    bootstrap: Literal["percentile", "rouge155"] | None = option(
        None,
        "Add a confidence interval: bootstrap over topics, or as ROUGE-1.5.5 does it (with jackknife=yes over the "
        "scores with one reference left out).",
    )
    confidence: float = confidence_level()
    resamples: int = draws()


class ShardOptions(Options):
    """How a run in shards goes, whose output is a folder."""

    engine: str = option(
        "local",
        "With -o FOLDER: where to score; local (processes on this computer), dask (a Dask cluster on this computer) or "
        "dask://HOST:PORT.",
        metavar="ENGINE",
    )
    # Large enough that starting a worker does not matter, small enough that a killed run loses little.
    partition: int = option(50_000, "With -o FOLDER: maximum number of rows per shard.", minimum=1)
    workers: int | None = option(
        None, "With -o FOLDER: number of processes on this computer. Default: one per processor.", minimum=1
    )
    on_error: Literal["fail", "skip"] = option(
        "fail", "With -o FOLDER: stop at rows with errors, or skip them and list them in skipped.jsonl."
    )
