"""Does the answer depend on settings: every pair of systems under each reasonable setting of ROUGE.

Which statistic, with or without stems and stop words, how several references count, which tokens, which word limit:
each combination is a setting, and under each of them all pairs are tested as in a leaderboard with letters from paired
tests. Texts are read once for each way to read them; statistics and references are only looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign
from pyramidion.engines.evidence_store import TopicEvidence
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.measures import Measure, Selection
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.options import ChoicesOptions
from pyramidion.scores import Evidence
from pyramidion.scores.overlap import STATISTICS
from pyramidion.show.tables import Finding, ReasonedRow, Row, headed
from pyramidion.show.wording import defined, shortened
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.values import snap_ties
from pyramidion.statistics.variance import own_variance_tests, two_way_anova
from pyramidion.studies.comparison.pairs import interval_confidence

DEFAULT_MEASURES = ("rouge-1", "rouge-2", "rouge-l", "rouge-su4")
MOST_SYSTEMS = 200
"""Beyond this the verdicts of all pairs under all settings would fill the memory, and nobody reads them."""
References = Literal["average", "best", "first", "each", "only"]
ChoiceVerdict = Literal["better", "worse", "undecided"]
Signs = NDArray[np.int8]
"""Settings × rows × rows: 1 where the row is significantly better than the column, −1 where it is worse."""
LEVELS: Mapping[str, tuple[str, ...]] = {
    "statistic": STATISTICS,
    "stem": ("no", "yes"),
    "stop": ("no", "yes"),
    "references": ("average", "best", "first", "each"),
    "tokens": ("rouge155", "rouge-score", "unicode"),
    "limit": (),
}
"""By what can be varied, its values; those of the word limit depend on the data."""
FACTORS = ("measure", *LEVELS)
"""What settings differ in."""
NO_LIMIT = "none"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One way to score: the measure that reads the texts, and what is taken of its evidence."""

    scored: Measure
    statistic: str
    references: References

    @property
    def base(self) -> str:
        """The measure without options: `rouge-2`."""
        return self.scored.base

    @property
    def has_stems(self) -> bool:
        """Whether stems are compared."""
        return bool(getattr(self.scored, "stem", False))

    @property
    def drops_stop_words(self) -> bool:
        """Whether stop words are left out."""
        return bool(getattr(self.scored, "stop", False))

    @property
    def tokens(self) -> str:
        """The tokenizer's name."""
        tokens = getattr(self.scored, "tokens", "")
        return tokens if isinstance(tokens, str) else "function"

    @property
    def limit(self) -> int | None:
        """How many words of a text count; None: all."""
        words = getattr(self.scored, "words", None)
        return words if isinstance(words, int) else None

    @property
    def levels(self) -> dict[str, str]:
        """By what settings differ in, the value of this one."""
        return {
            "measure": self.base,
            "statistic": self.statistic,
            "stem": "yes" if self.has_stems else "no",
            "stop": "yes" if self.drops_stop_words else "no",
            "references": self.references,
            "tokens": self.tokens,
            "limit": NO_LIMIT if self.limit is None else str(self.limit),
        }

    def facts(self) -> dict[str, Any]:
        """The fields of a record that say which setting it is about."""
        return {
            "measure": self.base,
            "statistic": self.statistic,
            "stem": self.has_stems,
            "stop": self.drops_stop_words,
            "references": self.references,
            "tokens": self.tokens,
            "limit": self.limit,
        }


@dataclass(frozen=True, kw_only=True)
class ChoicesPlan:
    """The settings that are compared."""

    settings: tuple[Setting, ...]
    has_one_reference: bool
    """Whether no topic has two references, so that there is nothing to choose."""

    @property
    def measures(self) -> list[Measure]:
        """What has to be gathered, each once."""
        return list(dict.fromkeys(setting.scored for setting in self.settings))


class SettingRow(ReasonedRow, record="choice"):
    """One setting: who leads under it, and how many pairs differ significantly."""

    setting: int
    measure: str
    statistic: str
    stem: bool
    stop: bool = headed("stop words left out")
    references: References
    """How several references count. average: all together, as in ROUGE-1.5.5, or the mean of scores with each (`rouge1`
    and the like); best: the best of them; first: the first alone; each: the mean of scores with each; only: there is
    one."""
    tokens: str
    limit: int | None
    """How many words of a text count."""
    winners: tuple[str, ...]
    """Who has the highest mean; several if they are equal."""
    value: float = headed("highest mean", digits=4)
    pairs: int = headed("significant pairs")
    """How many differ significantly, with Holm's correction over all pairs."""
    n: int = headed("topics")
    confidence: float


class ChoiceWinner(Row, record="choice-winner"):
    """Under how many settings a system leads; equal leaders all count."""

    summarizer: str
    settings: int = headed("leads under")
    of: int = headed("of settings")


class ChoicePair(ReasonedRow, record="choice-pair"):
    """Two systems: under how many settings a is significantly better than b, worse, or neither."""

    a: str
    b: str
    better: int
    worse: int
    undecided: int
    settings: int
    confidence: float

    @property
    def is_reversed(self) -> bool:
        """Whether each of the two is significantly better under some setting."""
        return bool(self.better and self.worse)


class ChoiceFactor(Row, record="choice-factor"):
    """What happens if this alone changes, and all else stays as it is."""

    factor: str
    levels: tuple[str, ...]
    reversed: int = headed("pairs reversed")
    """Pairs of systems of which each is significantly better under one of two settings that differ in this alone."""
    pairs: int
    leaders: int = headed("comparisons in which the leader changes")
    """Sets of settings that differ in this alone, in which not all have the same leader."""
    sets: int = headed("comparisons")


class ChoiceLevel(Row, record="choice-level"):
    """The settings with one value of what varies: who leads, and which pairs reverse among them."""

    factor: str
    level: str
    settings: int
    winners: int = headed("systems that lead")
    reversed: int = headed("pairs reversed")
    pairs: int


class ChoiceEstimate(Row, record="choice-estimate"):
    """The difference between two systems under one setting."""

    a: str
    b: str
    setting: int
    measure: str
    statistic: str
    stem: bool
    stop: bool
    references: References
    tokens: str
    limit: int | None
    difference: float | None
    """Mean of a minus b over the topics that both have."""
    lower: float | None
    """Limits at the Bonferroni level for all pairs of systems."""
    upper: float | None
    p: float | None
    """Of the paired t test."""
    p_adjusted: float | None
    """Holm's, over all pairs of systems under this setting."""
    verdict: ChoiceVerdict
    n: int
    confidence: float


class ChoicesStudy(Finding):
    """Who leads and which pairs differ under each setting, and what the answer depends on."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "choice-winner",
        "choice-pair",
        "choice-factor",
        "choice-level",
        "choice",
        "choice-estimate",
    )

    winners: tuple[ChoiceWinner, ...]
    """Who leads under most settings first."""
    pairs: tuple[ChoicePair, ...]
    """All pairs; those that reverse most often first."""
    factors: tuple[ChoiceFactor, ...]
    """What varies; what reverses most pairs first."""
    levels: tuple[ChoiceLevel, ...]
    settings: tuple[SettingRow, ...]
    estimates: tuple[ChoiceEstimate, ...]
    """Of the pairs that were asked for, or of the one that reverses most often: pair by pair, setting by setting."""
    options: ChoicesOptions
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of systems."""
    has_one_reference: bool = False

    def __repr__(self) -> str:
        return f"<ChoicesStudy of {len(self.settings)} settings and {len(self.pairs)} pairs>"

    def label(self, summarizer: str) -> str:
        """A system's name with its id, short enough for a table."""
        name = self.names.get(summarizer, "")
        return shortened(f"{name} ({summarizer})" if name and name != summarizer else summarizer)

    @property
    def reversed_pairs(self) -> list[ChoicePair]:
        """The pairs of which each system is significantly better under some setting."""
        return [pair for pair in self.pairs if pair.is_reversed]

    @property
    def robust_pairs(self) -> list[ChoicePair]:
        """The pairs that are significant the same way under every setting."""
        return [pair for pair in self.pairs if pair.settings in (pair.better, pair.worse)]


def plan_choices(selections: Sequence[Selection], campaign: Campaign, options: ChoicesOptions) -> ChoicesPlan:
    """All settings of these measures that the options ask for, and that the data can tell from each other.

    Args:
        selections: the measures; their options and statistics hold where nothing is varied.
        campaign: whose references and word limit settings are about.
        options: what is varied.

    Raises:
        UsageError: for other measures than ROUGE, and for what can't be varied.
    """
    # Without a limit of the user's or the campaign's, any would be an arbitrary one: then texts are only taken whole.
    varied = _parse_varied(options.vary)
    most_references = max((len(topic.models) for topic in campaign.each_topic()), default=0)
    limits = tuple(options.limits) or tuple(filter(None, [campaign.word_limit]))
    settings: dict[Setting, None] = {}
    for selection in selections:
        for setting in _settings_of(selection, varied, limits, has_one_reference=most_references < 2):
            settings[setting] = None
    return ChoicesPlan(settings=tuple(settings), has_one_reference=most_references < 2)


def _parse_varied(words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By what is varied, the values it may have; an empty tuple means all of them."""
    if not words:
        return dict.fromkeys(LEVELS, ())
    varied: dict[str, tuple[str, ...]] = {}
    for word in words:
        factor, _, values = word.partition("=")
        check_known(factor, LEVELS, f"{mention('vary', word)}: nothing called {factor!r} can be varied")
        levels = tuple(filter(None, values.split("/")))
        for level in levels:
            if factor == "limit":
                if level != NO_LIMIT and not level.isdigit():
                    raise UsageError(f"{mention('vary', word)}: expected limit=none/100, with numbers of words")
            else:
                check_known(level, LEVELS[factor], f"{mention('vary', word)}: no value {level!r} of {factor}")
        varied[factor] = levels
    return varied


def _settings_of(
    selection: Selection, varied: Mapping[str, tuple[str, ...]], limits: Sequence[int], *, has_one_reference: bool
) -> list[Setting]:
    """All settings of one measure."""
    measure = selection.measure
    if not isinstance(measure, Rouge | RougeScore):
        raise UsageError(f"{selection.name}: settings of ROUGE are varied, such as those of rouge-2 or rouge1")
    if measure.jackknife or getattr(measure, "use", None):
        raise UsageError(f"{selection.name}: this study chooses the references itself; leave out jackknife= and use=")
    possible = _possible_levels(selection, limits, has_one_reference=has_one_reference)
    chosen: dict[str, Sequence[str]] = {}
    for factor, levels in possible.items():
        if factor not in varied:
            chosen[factor] = [_present_level(selection, factor, has_one_reference=has_one_reference)]
            continue
        wanted = varied[factor]
        chosen[factor] = [level for level in levels if not wanted or level in wanted]
        # A value that makes no difference to this measure is not refused: other measures of the study may know it.
        if not chosen[factor]:
            chosen[factor] = [_present_level(selection, factor, has_one_reference=has_one_reference)]
    return [_make_setting(measure, dict(zip(chosen, levels, strict=True))) for levels in product(*chosen.values())]


def _possible_levels(
    selection: Selection, limits: Sequence[int], *, has_one_reference: bool
) -> dict[str, tuple[str, ...]]:
    """By what can be varied, the values that make a difference to this measure on this data."""
    measure = selection.measure
    is_rouge155 = isinstance(measure, Rouge)
    present = {factor: (_present_level(selection, factor, has_one_reference=has_one_reference),) for factor in LEVELS}
    # Both programs have stems; of all else, rouge-score knows a part only.
    possible = {**present, "statistic": LEVELS["statistic"], "stem": LEVELS["stem"]}
    if not has_one_reference:
        # Scores of rouge-score are never pooled: their average is that of the scores with each reference.
        possible["references"] = LEVELS["references"] if is_rouge155 else ("average", "best", "first")
    possible["tokens"] = ("rouge155", "unicode") if is_rouge155 else ("rouge-score", "unicode")
    if is_rouge155:
        possible["stop"] = LEVELS["stop"]
        possible["limit"] = (NO_LIMIT, *map(str, limits))
    return possible


def _present_level(selection: Selection, factor: str, *, has_one_reference: bool) -> str:
    """The value that a measure has where nothing is varied."""
    measure = selection.measure
    if factor == "statistic":
        return selection.statistic or "f"
    if factor == "references":
        if has_one_reference:
            return "only"
        return measure.models if isinstance(measure, Rouge) else "best"
    setting = Setting(scored=measure, statistic="f", references="only")
    return setting.levels[factor]


def _make_setting(measure: Rouge | RougeScore, levels: Mapping[str, str]) -> Setting:
    """The setting with these values."""
    # A measure may name a stemmer of its own; that one is then what "with stems" means.
    stem = measure.stem if levels["stem"] == "yes" and measure.stem else levels["stem"] == "yes"
    changes: dict[str, Any] = {"stem": stem}
    if levels["tokens"] != "function":
        changes["tokens"] = levels["tokens"]
    references: Any = levels["references"]
    if isinstance(measure, Rouge):
        changes["stop"] = levels["stop"] == "yes"
        changes["models"] = "best" if references == "best" else "average"
        if levels["limit"] != NO_LIMIT:
            # A limit in bytes as well would cut again.
            changes |= {"words": int(levels["limit"]), "bytes": None}
        elif isinstance(measure.words, int):
            changes["words"] = None
    return Setting(scored=replace(measure, **changes), statistic=levels["statistic"], references=references)


def study_choices(
    evidence: Sequence[TopicEvidence],
    plan: ChoicesPlan,
    summarizers: Sequence[str],
    options: ChoicesOptions | None = None,
    *,
    names: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> ChoicesStudy:
    """Compare all pairs of systems under each setting: paired t tests with Holm's correction over all pairs.

    Args:
        evidence: of all measures of the plan, topic by topic.
        plan: the settings.
        summarizers: who is compared.
        options: how.
        names: readable names of systems.
        progress: called with 1 for each setting that is done.
    """
    options = options or ChoicesOptions()
    _require_systems(summarizers, options)
    values = _score_settings(evidence, plan, summarizers)
    topics = int((~np.isnan(values)).any(axis=(0, 1)).sum())
    if topics < 2:
        raise InputError(f"settings are compared over topics: expected at least 2 with scores, found {topics}")
    signs = np.zeros((len(values), len(summarizers), len(summarizers)), dtype=np.int8)
    corrected = np.full(signs.shape, np.nan)
    settings = []
    for place, (setting, scores) in enumerate(zip(plan.settings, values, strict=True)):
        tests = own_variance_tests(scores, confidence=options.confidence)
        signs[place] = np.where(tests.differs, np.sign(np.nan_to_num(tests.differences)), 0)
        corrected[place] = tests.p_adjusted
        means = _system_means(scores)
        highest = float(np.nanmax(means))
        # Means that differ by rounding alone lead together.
        leads = snap_ties(means) == np.nanmax(snap_ties(means))
        row = SettingRow(
            setting=place + 1,
            winners=tuple(name for name, is_leader in zip(summarizers, leads, strict=True) if is_leader),
            value=highest,
            pairs=tests.pairs,
            n=int((~np.isnan(scores)).any(axis=0).sum()),
            confidence=options.confidence,
            **setting.facts(),
        )
        settings.append(row)
        if progress:
            progress(1)
    pairs = _count_verdicts(signs, summarizers, options.confidence)
    estimates = []
    for a, b in options.pair or [_shown_pair(pairs, values, summarizers)]:
        estimates += _estimate(a, b, plan, values, signs, corrected, summarizers, options.confidence)
    return ChoicesStudy(
        winners=_count_wins(settings),
        pairs=pairs,
        factors=_study_factors(plan, settings, signs),
        levels=_study_levels(plan, settings, signs),
        settings=tuple(settings),
        estimates=tuple(estimates),
        options=options,
        names=names or {},
        has_one_reference=plan.has_one_reference,
    )


def _require_systems(summarizers: Sequence[str], options: ChoicesOptions) -> None:
    """Refuse what can't be compared, and pairs of systems that are not there."""
    if len(summarizers) < 2:
        raise InputError(f"settings are compared by pairs of systems: expected at least 2, found {len(summarizers)}")
    if len(summarizers) > MOST_SYSTEMS:
        raise UsageError(f"more than {MOST_SYSTEMS} systems are too many to compare under every setting")
    for pair in options.pair:
        for name in pair:
            check_known(name, summarizers, f"no summarizer {name!r}")
        if pair[0] == pair[1]:
            raise UsageError(f"pair {pair[0]} {pair[1]}: expected two different summarizers")


def _score_settings(evidence: Sequence[TopicEvidence], plan: ChoicesPlan, summarizers: Sequence[str]) -> Floats:
    """Settings × systems × topics; NaN where there is no score."""
    row_of = {summarizer: row for row, summarizer in enumerate(summarizers)}
    values = np.full((len(plan.settings), len(summarizers), len(evidence)), np.nan)
    places: dict[Measure, list[int]] = {}
    # Settings that read the texts alike differ in what they look up: each text is scored once for all of them.
    for place, setting in enumerate(plan.settings):
        places.setdefault(setting.scored, []).append(place)
    for column, topic in enumerate(evidence):
        for measure, settings in places.items():
            found = topic.evidence.get(measure)
            if found is None:
                continue
            kept = [(peer, row_of[name]) for peer, name in enumerate(found.peers) if name in row_of]
            peers, rows = [peer for peer, _ in kept], [row for _, row in kept]
            references = {plan.settings[place].references for place in settings}
            scores = {kind: _take_references(found, kind) for kind in references}
            for place in settings:
                setting = plan.settings[place]
                statistic = found.statistics.index(setting.statistic)
                values[place, rows, column] = scores[setting.references][peers, statistic]
    return values


def _take_references(evidence: Evidence, references: References) -> Floats:
    """Peers × statistics, with several references counted in this way; a peer's own summary never counts."""
    if references in ("average", "best", "only") and not _averages_scores(evidence, references):
        everyone = np.ones((1, len(evidence.models)), dtype=np.bool_)
        together: Floats = evidence.values(everyone)[0]
        return together
    single = evidence.values(np.eye(len(evidence.models), dtype=np.bool_))
    if references == "first":
        usable = ~np.isnan(single).any(axis=2)
        # The first True: the first reference that the peer did not write itself.
        first = usable.argmax(axis=0)
        chosen: Floats = single[first, np.arange(single.shape[1])]
        return chosen
    # A peer's own summary among the references has no score, and does not count in its mean.
    counts = (~np.isnan(single)).sum(axis=0)
    means = np.full(counts.shape, np.nan)
    np.divide(np.nansum(single, axis=0), counts, out=means, where=counts > 0)
    return means


def _averages_scores(evidence: Evidence, references: References) -> bool:
    """Whether the average is that of scores with single references: evidence of rouge-score is never pooled."""
    rule = getattr(evidence, "rule", None)
    return references == "average" and rule is not None and rule.models == "best"


def _system_means(scores: Floats) -> Floats:
    """Mean of each system over topics; least-squares means if some scores are missing and systems share topics."""
    if np.isnan(scores).any():
        anova = two_way_anova(scores)
        if anova is not None and anova.pieces == 1:
            means = np.full(len(scores), np.nan)
            means[anova.rows] = anova.row_means
            return means
    counts = (~np.isnan(scores)).sum(axis=1)
    means = np.full(len(scores), np.nan)
    np.divide(np.nansum(scores, axis=1), counts, out=means, where=counts > 0)
    return means


def _count_wins(settings: Sequence[SettingRow]) -> tuple[ChoiceWinner, ...]:
    wins = Counter(winner for row in settings for winner in row.winners)
    ranked = sorted(wins.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ChoiceWinner(summarizer=name, settings=count, of=len(settings)) for name, count in ranked)


def _count_verdicts(signs: Signs, summarizers: Sequence[str], confidence: float) -> tuple[ChoicePair, ...]:
    """For each pair its verdicts over all settings; a is the one that is better more often."""
    better = (signs > 0).sum(axis=0)
    pairs = []
    for first, second in combinations(range(len(summarizers)), 2):
        wins, losses = int(better[first, second]), int(better[second, first])
        a, b = summarizers[first], summarizers[second]
        if losses > wins:
            a, b, wins, losses = b, a, losses, wins
        pair = ChoicePair(
            a=a,
            b=b,
            better=wins,
            worse=losses,
            undecided=len(signs) - wins - losses,
            settings=len(signs),
            confidence=confidence,
        )
        pairs.append(pair)
    return tuple(sorted(pairs, key=lambda pair: (-pair.worse, -pair.better, pair.a, pair.b)))


def _shown_pair(pairs: Sequence[ChoicePair], values: Floats, summarizers: Sequence[str]) -> tuple[str, str]:
    """The pair that reverses most often; if none does, the two with the best mean rank over settings."""
    if pairs[0].is_reversed:
        return pairs[0].a, pairs[0].b
    means = np.array([_system_means(scores) for scores in values])
    # The order of the systems, then the place of each system in that order.
    ranks = (-np.nan_to_num(means, nan=-np.inf)).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    best_first = [int(row) for row in np.argsort(ranks.mean(axis=0), kind="stable")]
    return summarizers[best_first[0]], summarizers[best_first[1]]


def _is_reversed(signs: Signs) -> NDArray[np.bool_]:
    """Rows × rows, of the upper triangle: whether each of two is better under one of these settings."""
    reversed_: NDArray[np.bool_] = np.triu((signs > 0).any(axis=0) & (signs < 0).any(axis=0), 1)
    return reversed_


def _study_factors(plan: ChoicesPlan, settings: Sequence[SettingRow], signs: Signs) -> tuple[ChoiceFactor, ...]:
    """For each thing that varies: what happens if it alone changes."""
    levels = [setting.levels for setting in plan.settings]
    pair_count = signs.shape[1] * (signs.shape[1] - 1) // 2
    rows = []
    for factor in FACTORS:
        alternatives: dict[tuple[str, ...], list[int]] = {}
        for place, of_setting in enumerate(levels):
            others = tuple(level for name, level in of_setting.items() if name != factor)
            alternatives.setdefault(others, []).append(place)
        sets = [places for places in alternatives.values() if len(places) > 1]
        if not sets:
            continue
        is_reversed = np.zeros(signs.shape[1:], dtype=np.bool_)
        changed = 0
        for places in sets:
            is_reversed |= _is_reversed(signs[places])
            changed += len({settings[place].winners for place in places}) > 1
        row = ChoiceFactor(
            factor=factor,
            levels=tuple(dict.fromkeys(of_setting[factor] for of_setting in levels)),
            reversed=int(is_reversed.sum()),
            pairs=pair_count,
            leaders=changed,
            sets=len(sets),
        )
        rows.append(row)
    return tuple(sorted(rows, key=lambda row: -row.reversed))


def _study_levels(plan: ChoicesPlan, settings: Sequence[SettingRow], signs: Signs) -> tuple[ChoiceLevel, ...]:
    """For each value of what varies: the settings that have it."""
    levels = [setting.levels for setting in plan.settings]
    pair_count = signs.shape[1] * (signs.shape[1] - 1) // 2
    rows = []
    for factor in FACTORS:
        values = list(dict.fromkeys(of_setting[factor] for of_setting in levels))
        if len(values) < 2:
            continue
        for level in values:
            places = [place for place, of_setting in enumerate(levels) if of_setting[factor] == level]
            row = ChoiceLevel(
                factor=factor,
                level=level,
                settings=len(places),
                winners=len({winner for place in places for winner in settings[place].winners}),
                reversed=int(_is_reversed(signs[places]).sum()),
                pairs=pair_count,
            )
            rows.append(row)
    return tuple(rows)


def _estimate(
    a: str,
    b: str,
    plan: ChoicesPlan,
    values: Floats,
    signs: Signs,
    corrected: Floats,
    summarizers: Sequence[str],
    confidence: float,
) -> list[ChoiceEstimate]:
    """The difference between two systems under each setting, with limits at the Bonferroni level for all pairs."""
    first, second = summarizers.index(a), summarizers.index(b)
    pair_count = len(summarizers) * (len(summarizers) - 1) // 2
    level = interval_confidence(confidence, pair_count, "holm")
    tests = paired_tests(values[:, first] - values[:, second], confidence=level, permutations=None)
    verdicts: dict[int, ChoiceVerdict] = {1: "better", -1: "worse", 0: "undecided"}
    return [
        ChoiceEstimate(
            a=a,
            b=b,
            setting=place + 1,
            difference=defined(tests.difference[place]),
            lower=defined(tests.lower[place]),
            upper=defined(tests.upper[place]),
            p=defined(tests.p[place]),
            p_adjusted=defined(corrected[place, first, second]),
            verdict=verdicts[int(signs[place, first, second])],
            n=int(tests.n[place]),
            confidence=confidence,
            **setting.facts(),
        )
        for place, setting in enumerate(plan.settings)
    ]
