"""Systems ranked by preferences between pairs of summaries: Davidson's model, with an interval for each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError, UsageError, did_you_mean, mention
from pyramidion.options import PreferenceOptions
from pyramidion.show.tables import ExplainedRow, Finding, WordedRow, grouped, headed, hidden
from pyramidion.show.wording import counted, defined, together
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.preferences import davidson
from pyramidion.statistics.values import quotients, sign_test_p, t_critical, t_p
from pyramidion.studies.judgments.questions import note_on_judgments

WALD = "wald"
BOOTSTRAP = "bootstrap"
JACKKNIFE = "jackknife"
MOST_JACKKNIFED = 1_000
"""Topics up to which limits are those of the jackknife, which fits the model once for each; more than suffice for the
percentiles of a bootstrap, which are too narrow with few."""


class Ability(WordedRow, record="preference-ability", digits=3):
    """How often a system is preferred: its ability on the log scale, relative to the mean of all systems."""

    summarizer: str
    rank: int
    ability: float
    """Log odds of being preferred to an average system."""
    lower: float | None
    upper: float | None
    share: float = headed("expected share of wins", digits=2)
    """The probability of being preferred to an average system, ties left out."""
    win: int
    tie: int
    loss: int
    n: int
    p_from_best: float | None = headed("p, less than the best", default=None)
    """Two-sided p of the difference from the most preferred system, with Holm's correction for all pairs of systems."""
    confidence: float
    method: str
    """`wald`; over topics where a topic has several preferences: `jackknife`, or `bootstrap` if it can't be fitted."""
    seed: int
    unfitted: int = hidden(default=0)
    """Samples of a bootstrap to which the model could not be fitted."""


class PreferenceShare(ExplainedRow, record="preference-pair", digits=3):
    """How often a system was preferred to another one, over all choices or over those of one assessor."""

    a: str
    b: str
    assessor: str
    """Whose choices these are; empty: all of them."""
    win: int = headed("wins")
    """Choices of a."""
    tie: int = headed("ties")
    loss: int = headed("losses")
    n: int = headed("choices")
    topics_won: int = headed("topics won")
    """Topics with more choices of a than of b."""
    topics_tied: int = headed("topics tied")
    topics_lost: int = headed("topics lost")
    share: float | None = headed("share of topics", default=None)
    """Of the topics that one of the two won, the share that a won."""
    lower: float | None = None
    upper: float | None = None
    """Clopper and Pearson's exact limits of the share."""
    p: float | None = None
    """Two-sided exact sign test over topics; ties are left out."""
    p_adjusted: float | None = headed("p adjusted", default=None)
    """With Holm's correction for all pairs; of single assessors, for all pairs and assessors."""
    confidence: float


class PreferencePosition(ExplainedRow, record="preference-position", digits=3):
    """How often the summary that was shown first was preferred, over all choices or over those of one assessor."""

    assessor: str
    """Whose choices these are; empty: all of them."""
    win: int = headed("for the first")
    tie: int = headed("ties")
    loss: int = headed("for the second")
    n: int = headed("choices")
    share: float | None = headed("share of topics", default=None)
    """Of the topics with more choices of one position, the share where it is the first."""
    lower: float | None = None
    upper: float | None = None
    p: float | None = None
    """Two-sided exact sign test over topics."""
    both_orders: int = headed("in both orders")
    """Pairs of summaries that an assessor saw in both orders."""
    flipped: int | None = headed("flipped", default=None)
    """Those of them where another system was chosen in the other order; a tie is another choice than a system."""
    confidence: float


class Preferences(Finding, eq=True):
    """The systems by their ability, best first; each pair of systems; single assessors; the order of presentation."""

    abilities: tuple[Ability, ...]
    ties: float
    """Share of preferences that are ties."""
    confidence: float
    note: str = ""
    topics: int = 0
    """Topics with preferences; with few of them, limits by a bootstrap are too narrow."""
    pairs: tuple[PreferenceShare, ...] = ()
    """Every two systems that were compared, the one first that won more topics."""
    assessors: tuple[PreferenceShare, ...] = ()
    """The same by assessor, if there are several."""
    positions: tuple[PreferencePosition, ...] = ()
    """All choices, and those of each assessor, where systems were shown in either position."""

    def __repr__(self) -> str:
        return f"<Preferences between {counted(len(self.abilities), 'summarizer')}>"

    def is_below_best(self, summarizer: str) -> bool:
        """Whether a system is significantly less preferred than the most preferred one."""
        level = (1 - self.confidence / 100) * (1 + 1e-12)
        p_values = {ability.summarizer: ability.p_from_best for ability in self.abilities}
        p = p_values.get(summarizer)
        return p is not None and p <= level

    def undecided_from_best(self) -> list[Ability]:
        """The systems that are not significantly less preferred than the most preferred one."""
        return [ability for ability in self.abilities[1:] if not self.is_below_best(ability.summarizer)]


@dataclass(frozen=True, kw_only=True)
class PreferredPair:
    """How often each of two systems was preferred, and the sign test over topics.

    A topic with several preferences counts once, for the system that has more of them: preferences about one topic
    depend on each other.
    """

    a: str
    b: str
    win: int
    """Choices of a."""
    tie: int
    loss: int
    topics_won: int
    topics_tied: int
    topics_lost: int
    p: float
    """Two-sided exact sign test over topics; ties are left out."""
    better: str
    """Who is preferred significantly more often; empty if undecided."""

    @property
    def leader(self) -> str:
        """Who is preferred more often; the first where both are equal."""
        return self.b if self.loss > self.win else self.a

    def turned(self) -> PreferredPair:
        """The same pair with the other system first."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            win=self.loss,
            loss=self.win,
            topics_won=self.topics_lost,
            topics_lost=self.topics_won,
        )


def compare_by_preferences(
    preferences: Sequence[Preference], a: str, b: str, *, confidence: float = 95
) -> PreferredPair | None:
    """Count how often one of two systems was preferred to the other; None if nobody compared them."""
    choices: Counter[str] = Counter()
    by_topic: dict[str, int] = {}
    for preference in preferences:
        if {preference.a, preference.b} != {a, b}:
            continue
        preferred = _preferred_system(preference)
        choices[preferred] += 1
        # Several choices on one topic are not independent: the sign test counts which way the topic leans.
        by_topic[preference.topic] = by_topic.get(preference.topic, 0) + (preferred == a) - (preferred == b)
    if not by_topic:
        return None
    won = sum(balance > 0 for balance in by_topic.values())
    lost = sum(balance < 0 for balance in by_topic.values())
    p = sign_test_p(won, lost)
    significant = p <= (1 - confidence / 100) * (1 + 1e-12)
    leader = a if won > lost else b
    return PreferredPair(
        a=a,
        b=b,
        win=choices[a],
        tie=choices[""],
        loss=choices[b],
        topics_won=won,
        topics_tied=len(by_topic) - won - lost,
        topics_lost=lost,
        p=p,
        better=leader if significant else "",
    )


def _preferred_system(preference: Preference) -> str:
    """The system that was chosen; empty for a tie."""
    if preference.choice == "tie":
        return ""
    return preference.a if preference.choice == "a" else preference.b


def describe_preferences(campaign: Campaign, options: PreferenceOptions | None = None, *, seed: int = 0) -> Preferences:
    """Count who is preferred to whom, by assessor and by position, and rank the systems if Davidson's model fits.

    Raises:
        InputError: if there are no preferences.
    """
    options = options or PreferenceOptions()
    preferences = campaign.preferences
    if not preferences:
        raise InputError(
            "the data has no preferences; a campaign folder has them in preferences.jsonl, a table in columns such as "
            "model_a, model_b and winner"
        )
    try:
        ranking = rank_by_preferences(campaign, options, seed=seed)
    except InputError as error:  # somebody always won, or never: counts and sign tests remain
        ties = sum(preference.choice == "tie" for preference in preferences) / len(preferences)
        note = together(note_on_judgments(campaign), f"no ranking: {error}")
        ranking = Preferences(abilities=(), ties=ties, confidence=options.confidence, note=note)
    assessors = sorted({preference.assessor for preference in preferences})
    by_assessor: list[PreferenceShare] = []
    if len(assessors) > 1:
        for name in assessors:
            of_assessor = [preference for preference in preferences if preference.assessor == name]
            by_assessor += _count_pairs(of_assessor, name, options.confidence)
    pairs = _count_pairs(preferences, "", options.confidence)
    if options.pair:
        pairs = [_choose_pair(pairs, a, b) for a, b in dict.fromkeys(options.pair)]
        by_assessor = [share for share in by_assessor if {share.a, share.b} in [{pair.a, pair.b} for pair in pairs]]
    return replace(
        ranking,
        pairs=_adjust(pairs),
        assessors=_adjust(by_assessor),
        positions=_count_positions(preferences, assessors, options.confidence),
    )


def _count_pairs(preferences: Sequence[Preference], assessor: str, confidence: float) -> list[PreferenceShare]:
    """How often one of every two systems was preferred, the one first that won more topics."""
    systems = sorted({system for preference in preferences for system in (preference.a, preference.b)})
    shares: list[PreferenceShare] = []
    for a, b in combinations(systems, 2):
        pair = compare_by_preferences(preferences, a, b, confidence=confidence)
        if pair is None:
            continue
        # By topics, which are tested, and by single choices where topics are even.
        if (pair.topics_lost, pair.loss) > (pair.topics_won, pair.win):
            pair = pair.turned()
        share, lower, upper = _exact_share(pair.topics_won, pair.topics_lost, confidence)
        shares.append(
            PreferenceShare(
                a=pair.a,
                b=pair.b,
                assessor=assessor,
                win=pair.win,
                tie=pair.tie,
                loss=pair.loss,
                n=pair.win + pair.tie + pair.loss,
                topics_won=pair.topics_won,
                topics_tied=pair.topics_tied,
                topics_lost=pair.topics_lost,
                share=share,
                lower=lower,
                upper=upper,
                p=pair.p,
                confidence=confidence,
            )
        )
    return shares


def _choose_pair(pairs: Sequence[PreferenceShare], a: str, b: str) -> PreferenceShare:
    """How often `a` was preferred to `b`.

    Raises:
        UsageError: if nobody compared them, or there is no such system.
    """
    systems = sorted({system for pair in pairs for system in (pair.a, pair.b)})
    for name in (a, b):
        if name not in systems:
            hint = did_you_mean(name, systems)
            raise UsageError(
                f"{mention('pair', (a, b))}: no preference is about {name!r}{hint} it has: {', '.join(systems)}"
            )
    for pair in pairs:
        if (pair.a, pair.b) == (a, b):
            return pair
        if (pair.a, pair.b) == (b, a):
            return _turn(pair)
    raise UsageError(f"{mention('pair', (a, b))}: nobody compared {a} with {b}")


def _turn(pair: PreferenceShare) -> PreferenceShare:
    """The same choices with the other system first."""
    turned = replace(
        pair,
        a=pair.b,
        b=pair.a,
        win=pair.loss,
        loss=pair.win,
        topics_won=pair.topics_lost,
        topics_lost=pair.topics_won,
    )
    if pair.share is None or pair.lower is None or pair.upper is None:
        return turned
    return replace(turned, share=1 - pair.share, lower=1 - pair.upper, upper=1 - pair.lower)


def _exact_share(won: int, lost: int, confidence: float) -> tuple[float | None, float | None, float | None]:
    """The share of wins, and Clopper and Pearson's limits, which include 1/2 just if the sign test is not significant.

    >>> _exact_share(9, 1, 95)  # doctest: +ELLIPSIS
    (0.9, 0.5549..., 0.9974...)
    """
    from scipy import special

    count = won + lost
    if not count:
        return None, None, None
    tail = (1 - confidence / 100) / 2
    lower = float(special.betaincinv(won, lost + 1, tail)) if won else 0.0
    upper = float(special.betaincinv(won + 1, lost, 1 - tail)) if lost else 1.0
    return won / count, lower, upper


def _adjust(shares: Sequence[PreferenceShare]) -> tuple[PreferenceShare, ...]:
    """The shares with Holm's correction for all of them."""
    if not shares:
        return ()
    corrected = adjusted(np.array([share.p for share in shares], dtype=np.float64)).tolist()
    return tuple(replace(share, p_adjusted=p) for share, p in zip(shares, corrected, strict=True))


def _count_positions(
    preferences: Sequence[Preference], assessors: Sequence[str], confidence: float
) -> tuple[PreferencePosition, ...]:
    """How often the first was preferred, over all choices and by assessor; nothing if no two were shown in both orders.

    If each system always has the same position, a preference for a position can't be told from one for a system.
    """
    orders = {(preference.a, preference.b) for preference in preferences}
    in_both = {frozenset(order) for order in orders if order[::-1] in orders}
    shown = [preference for preference in preferences if frozenset((preference.a, preference.b)) in in_both]
    if not shown:
        return ()
    positions = [_count_position(shown, "", confidence)]
    if len(assessors) > 1:
        for name in assessors:
            of_assessor = [preference for preference in shown if preference.assessor == name]
            if of_assessor:
                positions.append(_count_position(of_assessor, name, confidence))
    return tuple(positions)


def _count_position(preferences: Sequence[Preference], assessor: str, confidence: float) -> PreferencePosition:
    """How often the first was preferred in these choices."""
    choices = Counter(preference.choice for preference in preferences)
    balances: Counter[str] = Counter()
    for preference in preferences:
        balances[preference.topic] += (preference.choice == "a") - (preference.choice == "b")
    won = sum(balance > 0 for balance in balances.values())
    lost = sum(balance < 0 for balance in balances.values())
    share, lower, upper = _exact_share(won, lost, confidence)
    both_orders, flipped = _count_flips(preferences)
    return PreferencePosition(
        assessor=assessor,
        win=choices["a"],
        tie=choices["tie"],
        loss=choices["b"],
        n=len(preferences),
        share=share,
        lower=lower,
        upper=upper,
        p=sign_test_p(won, lost),
        both_orders=both_orders,
        flipped=flipped if both_orders else None,
        confidence=confidence,
    )


def _count_flips(preferences: Sequence[Preference]) -> tuple[int, int]:
    """How many pairs of summaries an assessor saw in both orders, and how often the choice changed with the order."""
    chosen_by_key: dict[tuple[str, str, frozenset[str]], dict[str, str]] = {}
    for preference in preferences:
        key = (preference.topic, preference.assessor, frozenset((preference.a, preference.b)))
        # By who was shown first: an assessor who was asked twice in one order counts once.
        chosen_by_key.setdefault(key, {}).setdefault(preference.a, _preferred_system(preference))
    in_both = [chosen for chosen in chosen_by_key.values() if len(chosen) == 2]
    return len(in_both), sum(len({*chosen.values()}) > 1 for chosen in in_both)


def rank_by_preferences(campaign: Campaign, options: PreferenceOptions | None = None, *, seed: int = 0) -> Preferences:
    """Fit Davidson's model to the preferences of a campaign.

    Limits are Wald's. Where topics have several preferences they are over topics, because preferences about one topic
    depend on each other: those of the jackknife with Student's t, or, where the model can't be fitted without one of
    the topics, those of a bootstrap.

    Raises:
        InputError: if there are no preferences, or if they do not link all systems both ways.
    """
    options = options or PreferenceOptions()
    preferences = campaign.preferences
    if not preferences:
        raise InputError("the data has no preferences; a campaign folder has them in preferences.jsonl")
    systems = sorted({system for preference in preferences for system in (preference.a, preference.b)})
    wins, ties = _count_choices(preferences, systems)
    fit = davidson(wins, ties)
    # Only differences of abilities are known; relative to their mean, each can be shown by itself.
    abilities = _centring(len(systems)) @ fit.log_ability
    topics = Counter(preference.topic for preference in preferences)
    # With one preference for each topic they are independent, and the errors of the likelihood are right.
    is_resampled = max(topics.values()) > 1 and len(topics) > 1
    undefined = 0
    method, freedom = BOOTSTRAP if is_resampled else WALD, np.inf
    without = None
    if is_resampled and len(topics) <= MOST_JACKKNIFED:
        without = _abilities_without_topics(preferences, systems)
    if without is not None:
        method, freedom = JACKKNIFE, len(topics) - 1.0
        # The jackknife: (n − 1)/n times the squares of what leaving out each topic changes.
        apart = without - without.mean(axis=0)
        covariance = freedom / len(topics) * apart.T @ apart
        lower, upper = _symmetric_limits(abilities, covariance, t_critical(options.confidence, freedom))
    elif is_resampled:
        drawn = _resample_abilities(preferences, systems, options, seed)
        is_fitted = ~np.isnan(drawn).any(axis=1)
        undefined = int((~is_fitted).sum())
        lower, upper = percentile_limits(drawn, confidence=options.confidence)
        # From the draws: the likelihood's own covariance takes the choices about one topic as independent.
        covariance = np.cov(drawn[is_fitted], rowvar=False) if is_fitted.sum() > 1 else None
    else:
        covariance = _centred_covariance(fit.covariance)
        lower, upper = _symmetric_limits(abilities, covariance, t_critical(options.confidence, freedom))
    # Equal abilities in the order of names, so that every run prints the same.
    order = sorted(range(len(systems)), key=lambda place: (-abilities[place], systems[place]))
    p_from_best = _p_from_best(abilities, covariance, freedom, best=order[0])
    rows = []
    for rank, place in enumerate(order, start=1):
        win, tie, loss = int(wins[place].sum()), int(ties[place].sum()), int(wins[:, place].sum())
        rows.append(
            Ability(
                summarizer=systems[place],
                rank=rank,
                ability=float(abilities[place]),
                lower=float(lower[place]),
                upper=float(upper[place]),
                share=float(1 / (1 + np.exp(-abilities[place]))),
                win=win,
                tie=tie,
                loss=loss,
                n=win + tie + loss,
                p_from_best=defined(p_from_best[place]),
                confidence=options.confidence,
                method=method,
                seed=seed,
                unfitted=undefined,
            )
        )
    tied = sum(preference.choice == "tie" for preference in preferences) / len(preferences)
    return Preferences(
        abilities=tuple(rows),
        ties=tied,
        confidence=options.confidence,
        note=note_on_judgments(campaign),
        topics=len(topics),
    )


def _centring(count: int) -> Floats:
    """The matrix that makes abilities relative to their mean."""
    centring: Floats = np.eye(count) - 1 / count
    return centring


def _count_choices(preferences: Sequence[Preference], systems: Sequence[str]) -> tuple[Floats, Floats]:
    """How often each system was preferred to each other one, and how often both were equal: systems × systems."""
    place = {system: row for row, system in enumerate(systems)}
    wins, ties = np.zeros((len(systems),) * 2), np.zeros((len(systems),) * 2)
    for preference in preferences:
        a, b = place[preference.a], place[preference.b]
        if preference.choice == "tie":
            ties[a, b] += 1
            ties[b, a] += 1
        elif preference.choice == "a":
            wins[a, b] += 1
        else:
            wins[b, a] += 1
    return wins, ties


def _centred_covariance(covariance: Floats) -> Floats:
    """The covariance of abilities relative to their mean, from that of all but the first, which is fixed at 0."""
    count = len(covariance) + 1
    full_covariance = np.zeros((count, count))
    full_covariance[1:, 1:] = covariance
    centring = _centring(count)
    return np.asarray(centring @ full_covariance @ centring.T)


def _symmetric_limits(abilities: Floats, covariance: Floats, critical: float) -> tuple[Floats, Floats]:
    """Limits that are so many standard errors away."""
    half = critical * np.sqrt(np.diag(covariance))
    return abilities - half, abilities + half


def _p_from_best(abilities: Floats, covariance: Floats | None, freedom: float, *, best: int) -> Floats:
    """Two-sided p of each system's difference from the best, by Student's t; NaN for the best itself.

    The best was chosen after a look at the data, so the correction is for all pairs, not only for those with the best.
    """
    count = len(abilities)
    p = np.full((count, count), np.nan)
    if covariance is not None:
        variances = np.diag(covariance)
        errors = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 0.0))
        differences = np.abs(abilities[:, None] - abilities)
        p = t_p(quotients(differences, errors), freedom)
    first, second = np.triu_indices(count, 1)
    p[first, second] = adjusted(p[first, second])
    p[second, first] = p[first, second]
    p[best, best] = np.nan
    return np.asarray(p[best])


def _abilities_without_topics(preferences: Sequence[Preference], systems: Sequence[str]) -> Floats | None:
    """Topics × systems: abilities without each topic in turn; None if the model can't be fitted to some."""
    by_topic = grouped(preferences, lambda preference: preference.topic)
    wins, ties = _count_choices(preferences, systems)
    rows = []
    for topic in sorted(by_topic):
        topic_wins, topic_ties = _count_choices(by_topic[topic], systems)
        try:
            fit = davidson(wins - topic_wins, ties - topic_ties)
        except InputError:  # without this topic somebody always won, or never
            return None
        rows.append(_centring(len(systems)) @ fit.log_ability)
    return np.array(rows)


def _resample_abilities(
    preferences: Sequence[Preference], systems: Sequence[str], options: PreferenceOptions, seed: int
) -> Floats:
    """Samples × systems: abilities by a bootstrap over topics; NaN in samples that could not be fitted."""
    by_topic = grouped(preferences, lambda preference: preference.topic)
    topics = sorted(by_topic)
    counts = [_count_choices(by_topic[topic], systems) for topic in topics]
    wins = np.array([topic_wins for topic_wins, _ in counts])
    ties = np.array([topic_ties for _, topic_ties in counts])
    centring = _centring(len(systems))
    generator = np.random.default_rng(seed)
    abilities = np.full((options.resamples, len(systems)), np.nan)
    for row in range(options.resamples):
        times_drawn = np.bincount(generator.integers(len(topics), size=len(topics)), minlength=len(topics))
        try:
            fit = davidson(np.tensordot(times_drawn, wins, 1), np.tensordot(times_drawn, ties, 1))
            abilities[row] = centring @ fit.log_ability
        except InputError:  # in this sample somebody always won, or never
            continue
    return abilities
