"""What is measured: all ten features beside the plain Python twin, and the regression beside fitting anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

import pyramidion
from benchmarks.model_free import twin
from benchmarks.model_free.campaign import DOCUMENT_WORDS, DOCUMENTS, SUMMARIZERS, SUMMARY_WORDS, news_campaign
from benchmarks.model_free.regression import regression_table
from benchmarks.tables import Table, number
from benchmarks.timing import Seconds, best_of_rounds, stopwatch
from pyramidion.campaign import Campaign, TopicData, plain
from pyramidion.measures.backgrounds import collection, load_background
from pyramidion.measures.model_free import ModelFree
from pyramidion.text.inputs import FEATURES, InputSettings, WordRules, score_inputs
from pyramidion.text.stop import stop_words

BEGIN: Final = "<!-- results: written by python -m benchmarks model-free -->"
TOPICS: Final = 48
TWIN_TOPICS: Final = 1
"""The twin is given fewer topics: a rate needs no more."""
UNCACHED: Final = 10
"""Summaries of the twin that counts the input again for each."""
OURS: Final = "pyramidion.score, from texts to score table"
TWIN: Final = "plain Python, input counted once"
GOAL: Final = 100
TOLERANCE: Final = 1e-9


@dataclass(frozen=True)
class Run:
    """A call, and how many summaries it scores."""

    call: Callable[[], object]
    summaries: int

    def timed(self) -> Seconds:
        with stopwatch() as watch:
            self.call()
        return watch.seconds


def tables(rounds: int) -> Iterator[Table]:
    """The tables, one after the other."""
    yield features_table(rounds)
    yield regression_table(rounds=rounds)


def features_table(rounds: int) -> Table:
    """All ten features of every summary, after seeing that all programs agree."""
    campaign = news_campaign(TOPICS)
    topics = list(campaign.each_topic())
    background = collection(load_background("wordfreq"), None, WordRules())
    settings = ModelFree(feature="topic-cosine").settings()
    theirs = twin.Background(
        dict(zip(background.forms, background.counts.tolist(), strict=True)),
        dict(zip(background.forms, background.weights.tolist(), strict=True)),
        background.unseen,
    )
    reader = twin.Reader(stop_words())
    few = topics[:TWIN_TOPICS]
    cached = [_input(topic, reader, theirs) for topic in few]
    apart = float(np.abs(_ours(campaign)[: len(cached) * SUMMARIZERS] - _with_inputs(cached, few)).max())
    if not apart <= TOLERANCE:
        raise AssertionError(f"the features differ by {apart}: nothing is timed")

    runs = {
        OURS: Run(lambda: _ours(campaign), len(topics) * SUMMARIZERS),
        "pyramidion's kernels, one thread": Run(lambda: _kernels(topics, settings), len(topics) * SUMMARIZERS),
        TWIN: Run(lambda: _with_inputs(cached, few), len(few) * SUMMARIZERS),
        "plain Python, input counted for each summary": Run(
            lambda: [_input(few[0], reader, theirs).features(plain(peer.text)) for peer in few[0].peers[:UNCACHED]],
            UNCACHED,
        ),
    }
    best = best_of_rounds({name: run.timed for name, run in runs.items()}, rounds=rounds)
    rates = {name: (run.summaries / best[name].cpu, run.summaries / best[name].wall) for name, run in runs.items()}
    ours = rates[OURS][0]
    ratio = ours / rates[TWIN][0]
    table = Table(
        title="Model-free measures",
        text=f"All ten features of summaries of {SUMMARY_WORDS} words, {SUMMARIZERS} for each input of {DOCUMENTS} "
        f"documents of {DOCUMENT_WORDS} words ({cached[0].size:,} words and {len(cached[0].counts):,} distinct ones "
        f"after stopping and stemming), preset `paper`, default background. pyramidion gets {TOPICS} inputs, reads and "
        f"counts them within the measured time, and uses all processors; plain Python has its stems cached and its "
        f"input counted before timing starts. Both agree to {apart:.0e}.",
        header=("program", "summaries per CPU second", "summaries per wall second", "pyramidion is … times as fast"),
        notes=[f"Goal: at least {GOAL} × plain Python with the input counted once, in CPU time; measured "
               f"{number(ratio)} ×: {'met' if ratio >= GOAL else 'not met'}."],
    )  # fmt: skip
    for name, (cpu, wall) in rates.items():
        table.rows.append((name, number(cpu), number(wall), "" if name == OURS else number(ours / cpu)))
    return table


def _ours(campaign: Campaign) -> NDArray[np.float64]:
    """Summaries × features, in the order of the campaign."""
    table = pyramidion.score(campaign, list(FEATURES))
    return table.frame["value"].to_numpy().reshape(len(FEATURES), -1).T


def _kernels(topics: list[TopicData], settings: InputSettings) -> None:
    texts = [document.text for topic in topics for document in topic.topic.documents]
    inputs = [range(number * DOCUMENTS, (number + 1) * DOCUMENTS) for number in range(len(topics))]
    pairs = [(len(texts) + number, number // SUMMARIZERS) for number in range(len(topics) * SUMMARIZERS)]
    texts += [peer.text for topic in topics for peer in topic.peers]
    score_inputs(texts, inputs, np.array(pairs), [settings], WordRules(), threads=1)


def _input(topic: TopicData, reader: twin.Reader, background: twin.Background) -> twin.Input:
    return twin.Input([plain(document.text) for document in topic.topic.documents], reader, background, twin.PAPER)


def _with_inputs(inputs: list[twin.Input], topics: list[TopicData]) -> NDArray[np.float64]:
    pairs = zip(inputs, topics, strict=True)
    return np.array(twin.all_features((one, [plain(peer.text) for peer in topic.peers]) for one, topic in pairs))
