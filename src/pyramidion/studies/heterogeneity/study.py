"""What is found about the heterogeneity of measures: rows, tables, and what they say."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pyramidion.measures.names import parse
from pyramidion.options import HeterogeneityOptions
from pyramidion.show.tables import Column, Finding, Row, Table, headed, table_of
from pyramidion.show.wording import counted, in_words, listed, notes_about, number, ordinal, percent

LEVEL = 0.05
FEW = 5
"""With fewer worst topics than this, robustness says little."""
EXTREMES = 3
"""How many of the most and of the least heterogeneous pairs of measures are shown."""


class MeasureAuc(Row, record="auc", digits=3):
    """How often one measure agrees with quality, and how badly it fails in its worst topics. None: undefined."""

    measure: str
    auc: float | None = headed("AUC")
    """Mean over topics."""
    robustness: float | None
    rank: int | None
    robustness_rank: int | None
    pooled: float | None
    """Over the pairs of all topics together."""
    consistent: float | None = headed("AUC on consistent topics")
    """Mean over the topics in which every measure has AUC > ½."""
    t: float | None = headed(digits=2)
    """Of the paired test HBR − measure over topics."""
    p: float | None
    n: int = headed("topics")
    """Topics where it is defined."""
    undefined: int
    with_: str
    seed: int
    note: str = ""
    reason: str = ""


class SetHeterogeneity(Row, record="heterogeneity"):
    """H of a set of measures."""

    measures: tuple[str, ...]
    value: float | None
    pairs: int
    left_out: int
    """Pairs of summaries that lack a value."""
    seed: int
    reason: str = "there is no pair of summaries"


class Bin(Row, record="bin"):
    """Pairs of about the same heterogeneity, and how often the first of them is at least as good as the second."""

    h: float
    probability: float
    n: int


class InconsistentTopic(Row, record="inconsistent-topic"):
    """A topic in which some measures are no evidence of quality: their AUC is ½ or less, or undefined."""

    topic: str
    measures: tuple[str, ...]
    lowest: float | None = headed("lowest AUC", digits=3)
    """The lowest AUC; None if none is defined."""
    reason: str = "no measure has an AUC in this topic"


class HeterogeneityTopics(Row, record="heterogeneity-topics"):
    """How many topics are consistent, and whether heterogeneity goes with quality."""

    consistent: int
    n: int = headed("topics")
    worst: float = headed("worst, in percent")
    """The per cent of topics that robustness looks at."""
    bin_correlation: float | None
    """Pearson over the bins."""
    reason: str = "the bins do not vary"


class HeterogeneityStudy(Finding, eq=True):
    """What a set of measures and a human score say about each other."""

    measures: tuple[str, ...]
    quality: str
    hbr: str
    """The canonical name of the combined measure."""
    aucs: tuple[MeasureAuc, ...]
    """Best first; HBR is among them."""
    sets: tuple[SetHeterogeneity, ...]
    """All measures together, those of each statistic, every two."""
    bins: tuple[Bin, ...]
    inconsistent: tuple[InconsistentTopic, ...]
    summary: HeterogeneityTopics
    options: HeterogeneityOptions
    seed: int
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""

    def __repr__(self) -> str:
        return f"<HeterogeneityStudy of {', '.join(self.measures)} with {self.quality}>"

    @property
    def pairs(self) -> int:
        """Pairs of summaries on which heterogeneity is estimated."""
        return self.sets[0].pairs

    def label(self, measure: str) -> str:
        """HBR by its short name."""
        return "HBR" if measure == self.hbr else measure

    def tables(self) -> list[Table]:
        """AUC and robustness, heterogeneity of sets; on request bins and inconsistent topics."""
        tables = [self._auc_table(), self._set_table()]
        if self.bins:
            tables.append(
                table_of(self.bins, ("h", "probability", "n"), title="Pairs by heterogeneity", heads=0, detail=True)
            )
        if self.inconsistent:
            measures = Column("measures", of=lambda one: ", ".join(one.measures))
            columns = ("topic", "lowest", measures)
            title = "Topics in which some measures have AUC ≤ ½"
            tables.append(table_of(self.inconsistent, columns, title=title, detail=True))
        tables.append(
            table_of(
                [self.summary],
                ("consistent", "n", "worst", "bin_correlation"),
                title="Consistent topics",
                heads=0,
                detail=True,
            )
        )
        return tables

    def _auc_table(self) -> Table:
        worst = f"{self.options.worst:g} %"
        measure = Column("measure", of=lambda one: self.label(one.measure))
        robustness = Column("robustness", f"robustness (worst {worst})", digits=2)
        return table_of(
            self.aucs,
            (measure, "rank", "auc", "pooled", robustness, "robustness_rank", "consistent", "t", "p", "n"),
            title=f"AUC against {self.quality}, and robustness",
            marks={"auc": lambda one: one.rank == 1, "robustness": lambda one: one.robustness_rank == 1},
            sentences=(self._standing(), self._worst(), self._tests()),
            notes=(
                "AUC: how often a measure agrees which of two summaries is better, averaged over topics; pooled: over "
                "the pairs of all topics.",
                "Robustness: in each topic, the measures and HBR are ranked by AUC, from 0 (lowest) to 1 (highest); "
                f"the mean of these ranks over the {worst} of topics where the measure ranks lowest.",
                f"Consistent: {self.summary.consistent} of {self.summary.n} topics, where every measure has AUC > ½.",
                "t and p: paired test of HBR minus the measure over topics, not corrected for the number of tests.",
                *notes_about(self.notes, [*self.measures, self.quality]),
            ),
        )

    def _set_table(self) -> Table:
        """H of all measures and of those of one statistic, then the pairs that contradict each other most and least."""
        wide = [one for one in self.sets if len(one.measures) != 2]
        pairs = sorted((one for one in self.sets if one not in wide), key=lambda one: one.value or 0.0)
        shown = [*pairs[:EXTREMES], *pairs[-EXTREMES:]] if len(pairs) > 2 * EXTREMES else pairs
        between = len(pairs) - len(shown)
        left_out = self.sets[0].left_out
        sampled = "sampled " if self.options.sample else ""
        of_topic = " of the same topic" if self.options.pairs == "topic" else ""
        notes = [
            f"Estimated on {sampled}{counted(self.pairs, 'pair')} of summaries{of_topic}.",
            f"{counted(left_out, 'pair')} without a value on every measure left out." if left_out else "",
            f"Shown are the pairs of measures that contradict each other most and least; {between} lie between."
            if between
            else "",
        ]
        return table_of(
            [*wide, *reversed(shown)],
            (
                Column("set", of=self._set_name),
                Column("measures", of=lambda one: len(one.measures)),
                Column("value", "heterogeneity", digits=3),
            ),
            title="Heterogeneity: share of pairs of summaries on which two measures of a set contradict each other",
            sentences=(self._contradictions(), self._pattern(), self._consistency()),
            notes=notes,
        )

    def _set_name(self, one: SetHeterogeneity) -> str:
        if len(one.measures) <= 2:
            return " and ".join(one.measures)
        if len(one.measures) == len(self.measures):
            return "all measures"
        (statistic,) = {parse(name).statistic or "" for name in one.measures}
        return f"all {statistic}" if statistic else "those without statistics"

    # What it says

    def headline(self) -> str:
        """Which measure agrees best with quality, and whether the combination does better, in one line."""
        hbr = next(one for one in self.aucs if one.measure == self.hbr)
        best = next(one for one in self.aucs if one.measure != self.hbr)
        combined = f"Combining {counted(len(self.measures), 'measure')} (HBR)"
        if hbr.auc is None or hbr.rank is None:
            return f"{best.measure} has the highest AUC" + (f": {best.auc:.3f}" if best.auc is not None else "")
        if hbr.rank == 1:
            equal = best.auc is not None and best.rank == 1
            found = "is as good as" if equal else "beats"
            return f"{combined} {found} the best of them: AUC {hbr.auc:.3f}, {best.measure} {best.auc:.3f}"
        return f"{combined} does not beat the best of them: AUC {hbr.auc:.3f}, {best.measure} {best.auc:.3f}"

    def _standing(self) -> str:
        """Where HBR stands, whatever that is."""
        hbr = next(one for one in self.aucs if one.measure == self.hbr)
        best = next(one for one in self.aucs if one.measure != self.hbr)
        measures = counted(len(self.measures), "measure")
        combined = f"HBR (heterogeneity-based ranking), a combination of {measures} that uses no human scores,"
        if hbr.auc is None or hbr.rank is None:
            return f"{combined} has no AUC against {self.quality} here."
        agreed = f"it agrees with {self.quality} on {percent(hbr.auc)} of the pairs of summaries (AUC {hbr.auc:.3f})"
        best_one = f"{best.measure} ({best.auc:.3f})"
        if hbr.rank == 1:
            return f"{combined} ranks first of {len(self.aucs)}: {agreed}; the highest single measure is {best_one}."
        better = sum(one.rank is not None and one.rank < hbr.rank for one in self.aucs)
        return (
            f"{combined} ranks {ordinal(hbr.rank)} of {len(self.aucs)}: {agreed}; "
            f"{counted(better, 'single measure has', 'single measures have')} a higher AUC; the best is {best_one}."
        )

    def _worst(self) -> str:
        hbr = next(one for one in self.aucs if one.measure == self.hbr)
        worst = max(1, math.ceil(self.options.worst / 100 * self.summary.n - 1e-9))
        if hbr.robustness_rank is None or worst < FEW:  # too few topics to say anything
            return ""
        best = [one.measure for one in self.aucs if one.robustness_rank == 1 and one.measure != self.hbr]
        who = f"; most robust: {listed(best)}" if hbr.robustness_rank > 1 and best else ""
        return (
            f"On the topics where each measure does worst ({self.options.worst:g} %: {counted(worst, 'topic')}), "
            f"HBR ranks {ordinal(hbr.robustness_rank)}{who}."
        )

    def _tests(self) -> str:
        """How many measures differ from HBR by the paired test over topics."""
        tested = [one for one in self.aucs if one.p is not None and one.t is not None]
        if not tested:
            return ""
        sides = [one.t or 0 for one in tested if (one.p or 0) < LEVEL]
        above, below = sum(t > 0 for t in sides), sum(t < 0 for t in sides)
        return (
            f"HBR is significantly better than {in_words(above, none='none')} of the {len(tested)} measures and "
            f"significantly worse than {in_words(below, none='none')} (paired t-tests over topics, p < {LEVEL:g}, not "
            "corrected)."
        )

    def _contradictions(self) -> str:
        value = self.sets[0].value
        return "" if value is None else f"On {percent(value)} of the pairs, two or more measures contradict each other."

    def _pattern(self) -> str:
        """Figure 1 of the paper: does corroboration by diverse measures speak for quality?"""
        r = self.summary.bin_correlation
        if r is None:
            return ""
        more = "The more dissimilar the measures that prefer the same summary, the"
        found = (
            f"{more} more often humans prefer it too"
            if r > 0.5
            else "How dissimilar the measures that prefer a summary are says little about whether humans prefer it"
            if r > -0.5
            else f"{more} less often humans prefer it"
        )
        return f"{found} (Pearson {number(r)} over the means of {counted(len(self.bins), 'bin')} of pairs)."

    def _consistency(self) -> str:
        consistent, topics = self.summary.consistent, self.summary.n
        there = "every topic" if consistent == topics else f"{consistent} of {counted(topics, 'topic')}"
        said = f"In {there}, every measure agrees with {self.quality} on more than half of the pairs (AUC > ½)."
        if not self.inconsistent:
            return said
        failing = [f"{one.topic} ({self._failing(one)})" for one in self.inconsistent]
        return f'{said} Not so in {listed(failing, most=3)}; `records("inconsistent-topic")` lists them all.'

    def _failing(self, topic: InconsistentTopic) -> str:
        """The measures that fail in a topic."""
        if len(topic.measures) == len(self.measures) and len(self.measures) > 1:
            return "none of them does"
        return listed(topic.measures, most=2)
