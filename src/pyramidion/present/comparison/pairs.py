"""Two systems in words: which is better, by how much, and how sure that is; after each topic, if that was asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pyramidion.options import Correction
from pyramidion.present.comparison.pair_notes import cautions_of
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import capital, counted, listed, number, p_in_words, with_interval
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.comparison.pairs import Pair, PairVerdict, correct_for_measures
from pyramidion.studies.comparison.sequential import SKEWED, Look, SequentialPair
from pyramidion.studies.deciding import Rater

DIGITS = 4
"""Decimals of a difference in a sentence."""
FEW_PAIRS = 6
"""Up to this many pairs, a table has a sentence for each."""
_SHOWN_BY_MARGIN: Final[Mapping[PairVerdict, str]] = {
    "equivalent": "equivalent within the margin",
    "not-worse": "in which the first system is not worse by more than the margin",
}
"""By verdict, what is said of many pairs."""
CORRECTIONS: Final[Mapping[Correction, str]] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini-hochberg": "Benjamini–Hochberg",
}
_COLUMNS = (
    "a",
    "b",
    "difference",
    "lower",
    "upper",
    "p",
    "p_adjusted",
    "p_permutation",
    Column(
        "effect",
        of=lambda pair: (
            None if pair.effect is None else with_interval(pair.effect, pair.effect_lower, pair.effect_upper)
        ),
    ),
    "win",
    "tie",
    "loss",
    "n",
)


def pair_tables(comparison: Comparison, measure: str) -> list[Table]:
    """The pairs that were compared on a measure, with a sentence for each if they are few."""
    pairs = comparison.pairs_on(measure)
    if not pairs:
        return []
    about = comparison.analysis(measure).about
    notes = (
        capital(about),
        *pair_cautions(pairs),
        disagreement_with_letters(comparison, measure),
        *_effect_notes(pairs),
    )
    table = table_of(
        pairs,
        _COLUMNS,
        title=f"{measure}: pairs on shared topics",
        sentences=pair_sentences(pairs),
        notes=notes,
        about=measure,
    )
    return [table]


def _effect_notes(pairs: Sequence[Pair]) -> Iterator[str]:
    """What the effect in the table is, where it has limits."""
    if any(pair.effect_lower is not None for pair in pairs):
        yield "Effect: Cohen's d_z with limits by the noncentral t, at the same level as those of the difference."


def pair_sentences(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The sentences of a few pairs; of many pairs those that found someone better, and how many are undecided."""
    if len(pairs) <= FEW_PAIRS:
        return tuple(pair.sentence for pair in pairs)
    sentences = [pair.sentence for pair in pairs if pair.is_decided]
    for verdict, words in _SHOWN_BY_MARGIN.items():
        if count := sum(pair.verdict == verdict for pair in pairs):
            sentences.append(f"{counted(count, 'pair')} {words}.")
    undecided = [pair for pair in pairs if pair.verdict == "undecided"]
    if undecided:
        sentences.append(f"{counted(len(undecided), 'pair')} undecided: no significant difference.")
    least_p = [pair.least_p for pair in undecided if pair.least_p is not None and not pair.is_possible]
    if least_p:
        sentences.append(
            f"{counted(len(least_p), 'pair')} could not have reached significance: corrected for this many pairs, p "
            f"can't be below {min(least_p):.3g}. The t test (`method='t'`), fewer pairs (`against=`), more topics or "
            "more permutations have more power."
        )
    return tuple(sentences)


def scope_sentences(comparison: Comparison) -> Iterator[str]:
    """What the pairs say over all measures, for whom that holds, and what to do where it is undecided."""
    over_measures = comparison.pairs_over_measures()
    if len(over_measures) <= FEW_PAIRS:
        for pairs in over_measures:
            yield from _sum_up_measures(pairs, comparison.primary, is_only_pair=len(over_measures) == 1)
    # Of the first measure alone, which is the primary one if there is one: the verdict rests on it.
    raters = {comparison.single_raters.get(pairs[0].measure) for pairs in over_measures}
    yield from (one_rater_sentence(rater, comparison.kind) for rater in raters if rater)
    undecided = [pairs[0] for pairs in over_measures if needs_next_step(pairs[0])]
    yield from dict.fromkeys(map(next_step, undecided))


def one_rater_sentence(rater: Rater, kind: str) -> str:
    """For whom a comparison holds whose scores one judge or one assessor gave."""
    return f"One {rater}: this holds for this {rater} only; another may rank the {kind}s differently."


def _sum_up_measures(pairs: Sequence[Pair], primary: str, *, is_only_pair: bool) -> Iterator[str]:
    """On how many measures two systems differ significantly, and on how many after correction for all of them."""
    if len(pairs) < 2:
        return
    names = "" if is_only_pair else f"{pairs[0].a} and {pairs[0].b}: "
    roles = ""
    if pairs[0].measure == primary:
        others = "the other is" if len(pairs) == 2 else f"the {len(pairs) - 1} others are"
        roles = f" {primary} is primary; {others} secondary."
    yield f"{capital(f'{names}{significance_over_measures(pairs)}')}{roles}"


def significance_over_measures(pairs: Sequence[Pair]) -> str:
    """`significant on 2 of 12 measures; none after Holm's correction for 12.`."""
    significant = [pair for pair in pairs if pair.better]
    if not significant:
        return f"significant on none of {len(pairs)} measures."
    kept = correct_for_measures(pairs)
    extent = f"all {len(pairs)}" if len(significant) == len(pairs) else f"{len(significant)} of {len(pairs)}"
    if len(kept) == len(significant):
        return f"significant on {extent} measures, also after Holm's correction for {len(pairs)}."
    left = f"only {listed([pair.measure for pair in kept])}" if kept else "none"
    return f"significant on {extent} measures; {left} after Holm's correction for {len(pairs)}."


def next_step(pair: Pair) -> str:
    """What to do where a pair is undecided."""
    return (
        f"Four times as many {pair.unit}s would halve the interval; pyramidion power plans for a difference that "
        "matters to you (`difference=`)."
    )


def needs_next_step(pair: Pair) -> bool:
    """Whether a pair is undecided without a margin, for which its sentence would say how many topics are missing."""
    return pair.verdict == "undecided" and pair.margin is None and pair.lower is not None and bool(pair.sd)


def pair_cautions(pairs: Sequence[Pair]) -> list[str]:
    """What one must know to read a few pairs; of many pairs their records say it."""
    if len(pairs) > FEW_PAIRS:
        return []
    if len(pairs) == 1:
        return cautions_of(pairs[0])
    cautions: list[str] = []
    for pair in pairs:
        cautions += [f"{pair.a} and {pair.b}: {caution}" for caution in cautions_of(pair)]
    return cautions


def disagreement_with_letters(comparison: Comparison, measure: str) -> str:
    """A sentence where a pair that was asked for and the letters decide differently; empty if none does."""
    pairs = comparison.lettered_pairs(measure)
    if not any(pair.is_decided == comparison.shares_letter(pair) for pair in pairs):
        return ""
    analysis = comparison.analysis(measure)
    total = counted(analysis.pair_count, "pair")
    alone = "The pair you asked for is tested on its own"
    if len(pairs) > 1:
        alone = f"The {len(pairs)} pairs you asked for are each tested on their own and corrected for their number"
    if analysis.letters_by == "paired":
        return (
            f"{alone}; the letters are corrected for all {total} of {comparison.kind}s, so they show fewer differences."
        )
    return f"{alone}; the letters come from Tukey's test of all {total}, with one variance for all {comparison.kind}s."


def pair_sentence(pair: Pair) -> str:
    """What the test says of two systems, in plain words; with a margin also what the interval shows about it."""
    # What these topics can't show stands before the verdict: no verdict on such a margin was to be expected.
    return " ".join([*_limit_of_margin(pair), _test_sentence(pair), *_margin_sentences(pair)])


def margin_verdict(pair: Pair) -> str:
    """What the interval shows about the margin, and what would show more; empty without a margin."""
    return " ".join([*_limit_of_margin(pair), *_margin_sentences(pair)])


def _limit_of_margin(pair: Pair) -> Iterator[str]:
    """That the interval is too wide for the margin, if it is, and nothing was shown."""
    if not pair.is_too_wide or pair.verdict not in ("worse", "undecided") or pair.margin is None:
        return
    half, margin = _size(((pair.upper or 0.0) - (pair.lower or 0.0)) / 2), _size(pair.margin)
    yield f"With {counted(pair.n, 'topic')} nothing smaller than ±{half} can be shown; the margin is {margin}."


def _margin_sentences(pair: Pair) -> Iterator[str]:
    """What the interval shows about the margin, and what would show more."""
    if pair.margin is None:
        return
    if pair.lower is None:
        yield from _margin_without_interval(pair, _size(pair.margin))
        return
    margin = _size(pair.margin)
    is_within = pair.is_not_worse and pair.is_not_better
    if is_within and pair.is_decided:
        yield f"The difference is smaller than the margin of {margin}."
    elif is_within:
        yield f"The two are equivalent: the interval lies within ±{margin}."
    elif pair.is_descriptive or pair.verdict == "better":
        return
    elif pair.is_not_worse:
        yield f"{pair.a} is not worse than {pair.b} by more than the margin of {margin}."
    elif _exceeds_margin(pair):
        yield f"The loss exceeds the margin of {margin}."
    elif pair.verdict == "worse":
        yield f"Whether the loss exceeds the margin of {margin} is undecided."
    else:
        yield f"Whether {pair.a} is worse than {pair.b} by more than {margin} is undecided{_next_step(pair)}."


def _margin_without_interval(pair: Pair, margin: str) -> Iterator[str]:
    """What equal differences, which have no interval, show about the margin by sign flips."""
    by_flips = f"with {counted(pair.units, pair.unit)} of one difference, by the permutation test"
    if pair.verdict == "equivalent":
        yield f"The two are equivalent within ±{margin} ({by_flips})."
    elif pair.verdict == "not-worse":
        yield f"{pair.a} is not worse than {pair.b} by more than the margin of {margin} ({by_flips})."
    elif pair.n and pair.verdict == "undecided" and not pair.is_descriptive:
        needed = f"more {pair.unit}s are needed"
        yield f"Whether {pair.a} is worse than {pair.b} by more than {margin} is undecided: {needed}."


def _exceeds_margin(pair: Pair) -> bool:
    return pair.margin is not None and pair.upper is not None and pair.upper < -pair.margin


def _next_step(pair: Pair) -> str:
    """How many more topics would show whether a loss exceeds the margin; if that is not known, what more topics do."""
    needed = pair.topics_for_margin
    if needed is None or needed <= pair.n:
        return f": four times as many {pair.unit}s would halve the interval"
    more = f"{needed - pair.n:,} more topics"
    if pair.clusters is not None:
        more += " in clusters of the same size"
    return f": about {more} would show it (80 % power if the two are equal)"


def _test_sentence(pair: Pair) -> str:
    """What the test says of two systems."""
    if pair.difference is None or pair.p is None:
        return f"{pair.a} and {pair.b} can't be compared on {pair.measure}: no topic has scores of both."
    if pair.tie == pair.n:
        topics = f"all {_topics(pair)}"
        if pair.n == 1:
            topics = _topics(pair).replace("1 topic", "the only topic", 1)
        return f"{_undecided(pair)}; equal on {topics}."
    if pair.is_decided:
        return _better_sentence(pair)
    difference = _size(pair.difference)
    if pair.n == 1:
        return f"{_undecided(pair)}: one topic can't show significance (difference {difference})."
    if pair.units == 1:
        return f"{_undecided(pair)}: topics of one cluster can't show significance (difference {difference})."
    interval = _interval(pair, pair.lower, pair.upper)
    if pair.is_possible:
        return f"{_undecided(pair)}: {difference} over {_topics(pair)} ({interval}; {_test_result(pair)})."
    means = counted(pair.units, pair.unit) if pair.exact else f"{pair.permutations:,} permutations"
    uncorrected = " without correction" if pair.family > 1 else ""
    return (
        f"{_undecided(pair)}, and with {means} none could be found: p can't be below {pair.least_p:.3g}"
        f"{_correction(pair)} (difference {difference}, {interval}; {p_in_words(pair.p)}{uncorrected})."
    )


def _undecided(pair: Pair) -> str:
    no_difference = f"no significant difference between {pair.a} and {pair.b} on {pair.measure}"
    # Equal within a margin, or not worse by more, is a decision.
    return f"Undecided: {no_difference}" if pair.verdict == "undecided" else capital(no_difference)


def _topics(pair: Pair) -> str:
    """How many topics were compared, in how many clusters; it is said where others had to be left out."""
    clusters = ""
    if pair.clusters is not None:
        clusters = f" in {counted(pair.clusters, 'cluster')} ({pair.cluster})"
    if not pair.left_out:
        return f"{counted(pair.n, 'topic')}{clusters}"
    return f"{counted(pair.n, 'topic')} that both have ({counted(pair.left_out, 'other')} left out){clusters}"


def _better_sentence(pair: Pair) -> str:
    """Who is better (of a measure that describes: higher), by how much, whichever way the pair was named."""
    winner, loser, wins, losses = pair.a, pair.b, pair.win, pair.loss
    low, high = pair.lower, pair.upper
    if (pair.difference or 0) < 0:
        winner, loser, wins, losses = pair.b, pair.a, pair.loss, pair.win
        if low is not None and high is not None:
            low, high = -high, -low
    better, worse = ("higher", "lower") if pair.is_descriptive else ("better", "worse")
    # Holm's correction rejects more than Bonferroni's intervals exclude, so that the two may disagree.
    caveat = ""
    if low is not None and low <= 0:
        caveat = " The interval, corrected for all pairs at once, includes 0: the test is a little more powerful."
    size = _size(abs(pair.difference or 0))
    numbers = f"over {_topics(pair)} ({_interval(pair, low, high)}; {_test_result(pair)})"
    if pair.measure == "length":
        return (
            f"Summaries of {winner} are {size} words longer than those of {loser} on average {numbers}; longer on "
            f"{wins:,}, equal on {pair.tie:,}, shorter on {losses:,}.{caveat}"
        )
    return (
        f"{winner} is {better} than {loser} on {pair.measure}: by {size} on average {numbers}; "
        f"{better} on {wins:,}, "
        f"equal on {pair.tie:,}, {worse} on {losses:,}.{caveat}"
    )


def difference_numbers(pair: Pair, digits: int) -> str:
    """The difference with its interval and p: `0.10 (95 % confidence interval: …; paired t test: p < 0.001)`."""
    interval = _interval(pair, pair.lower, pair.upper, digits)
    return f"{_size(pair.difference or 0, digits)} ({interval}; {_test_result(pair)})"


def _interval(pair: Pair, low: float | None, high: float | None, digits: int = DIGITS) -> str:
    if low is None or high is None:
        needed = f": the test needs {pair.needed_for_interval}" if pair.method == "sign-flip" else ""
        return f"no interval{needed}"
    simultaneous = "simultaneous " if pair.is_corrected else ""
    return f"{pair.confidence:g} % {simultaneous}confidence interval: {_size(low, digits)} to {_size(high, digits)}"


def _test_result(pair: Pair) -> str:
    """The test and its p: `paired t test: p = 0.002`; corrected where there are several pairs."""
    p, corrected_p = pair.p or 0.0, pair.p_adjusted or 0.0
    if not pair.is_corrected:
        return f"{pair.test_name}: {p_in_words(p)}"
    corrected = f"{p_in_words(corrected_p)}{_correction(pair)}"
    if p <= pair.level < corrected_p:
        return f"{pair.test_name}: {p_in_words(p)}, but {corrected}"
    return f"{pair.test_name}: {corrected}"


def _correction(pair: Pair) -> str:
    """How p was corrected, if it was."""
    if not pair.is_corrected:
        return ""
    return f" after {CORRECTIONS[pair.correction]} correction for {pair.family} pairs"


def _size(value: float, digits: int = DIGITS) -> str:
    """A difference for people: with this many decimals, more where it is smaller than that."""
    # Below, fixed decimals would leave a single digit or none, and 0.0000 reads as no difference.
    if abs(value) >= 10 ** (1 - digits) or value == 0:
        return number(value, digits)
    return f"{value:.2g}".replace("-", "−")


def sequential_tables(comparison: Comparison, measure: str) -> list[Table]:
    """What was known after each topic of the pairs that were looked at again and again."""
    columns = ("n", "topic", Column("difference", digits=4), Column("e", digits=2), "p", "lower", "upper")
    return [
        table_of(
            pair.looks,
            columns,
            title=f"{measure}: {pair.a} and {pair.b} after each topic",
            notes=sequential_notes(pair),
            about=measure,
        )
        for pair in comparison.sequential_on(measure)
    ]


def sequential_sentence(pair: SequentialPair) -> str:
    """Whether the topics so far decide between two systems."""
    if pair.decided_after is not None:
        return _decided_sentence(pair, pair.decided_after)
    return (
        f"Undecided after {_looked_at(pair)}, taken in random order: no significant difference between "
        f"{pair.a} and {pair.b} on {pair.measure}: {_look_numbers(pair, len(pair.sizes) - 1)}. {_assumptions(pair)} "
        f"{_about_more_topics(pair)}"
    )


def _decided_sentence(pair: SequentialPair, decided_after: int) -> str:
    """Who is better, after how many topics that was clear, and what all topics show."""
    topics = _looked_at(pair)
    loser = pair.b if pair.winner == pair.a else pair.a
    sign = 1 if pair.winner == pair.a else -1
    better = "higher" if pair.is_descriptive else "better"
    return (
        f"{pair.winner} is {better} than {loser} on {pair.measure}: decided after {decided_after} of "
        f"{topics}, taken in random order ({_look_numbers(pair, decided_after - 1, sign)}). Over all {topics}: "
        f"{_over_all(pair, sign)}. {_assumptions(pair)}"
    )


def _looked_at(pair: SequentialPair) -> str:
    """How many topics were looked at, or in how many clusters."""
    if not pair.cluster:
        return counted(pair.count, "topic")
    return f"{counted(len(pair.sizes), 'cluster')} ({pair.cluster}; {counted(pair.count, 'topic')})"


def _look_numbers(pair: SequentialPair, place: int, sign: int = 1) -> str:
    """The difference after some topics, its limits and its p."""
    test = pair.test
    lower, upper = float(test.lower[place]), float(test.upper[place])
    interval = "no interval"
    if not math.isnan(lower):
        interval = f"{pair.confidence:g} % confidence interval: {_range(lower, upper, sign)}"
    p = min(1.0, float(test.p[place]) * pair.family)
    corrected = f" after correction for {pair.family} pairs" if pair.family > 1 else ""
    return f"difference {number(sign * float(test.mean[place]), DIGITS)}, {interval}, {p_in_words(p)}{corrected}"


def _over_all(pair: SequentialPair, sign: int) -> str:
    """The difference over all topics with the limits that they have by themselves: `0.027 (−0.03 to 0.08)`."""
    test = pair.test
    mean = number(sign * float(test.mean[-1]), DIGITS)
    if math.isnan(test.last_lower):
        return f"{mean} (no interval)"
    limits = _range(test.last_lower, test.last_upper, sign)
    if test.last_lower <= 0 <= test.last_upper:
        return f"{mean} ({limits}; by themselves they do not exclude 0)"
    return f"{mean} ({limits})"


def _range(lower: float, upper: float, sign: int) -> str:
    low, high = (lower, upper) if sign > 0 else (-upper, -lower)
    return f"{number(low, DIGITS)} to {number(high, DIGITS)}"


def _assumptions(pair: SequentialPair) -> str:
    """What makes it valid to look after each topic."""
    if pair.scale is None:
        return "This holds however often you look, if topics are independent and the differences roughly normal."
    low, high = pair.scale
    return (
        f"This holds however often you look, for scores from {low:g} to {high:g} of any shape, if {pair.unit}s are "
        "independent."
    )


def _about_more_topics(pair: SequentialPair) -> str:
    """What to do with topics that are added later."""
    if pair.scale is not None:
        return "Topics that you add later come in a new order, which makes a new test: plan them beforehand."
    significant = pair.family / (1 - pair.confidence / 100)
    return (
        f"If you add topics, they come in a new order: then go by e over all topics, now {float(pair.test.e[-1]):.3g}, "
        f"which no order changes; it is significant from {significant:.4g} on."
    )


def sequential_notes(pair: SequentialPair) -> tuple[str, ...]:
    """What differences without a scale need: that it is given, and that the test may err where they are skewed."""
    if pair.scale is not None:
        return ()
    notes = ["The scale of the scores is not known; if they have one, `scale=(1, 5)` makes the test exact."]
    if abs(pair.skewness) > SKEWED:
        notes.append(
            f"The differences are skewed ({number(pair.skewness, 1)}): with such scores this test may find differences "
            "that are not there in 10 % of cases instead of 5 %."
        )
    return tuple(notes)


def why_no_limits_yet(row: Look) -> str:
    """Why a difference has no limits after some topics."""
    if not row.has_earlier_limits:
        return "limits are infinite with so few topics"
    exclude = "limits of different looks exclude each other"
    return exclude if row.has_scale else f"{exclude}: the differences are not roughly normal"
