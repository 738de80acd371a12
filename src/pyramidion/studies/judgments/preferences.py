"""Systems ranked by preferences between pairs of summaries: Davidson's model, with an interval for each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError
from pyramidion.options import PreferenceOptions
from pyramidion.show.tables import Finding, NotedRow, grouped, headed
from pyramidion.show.wording import counted
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.preferences import davidson
from pyramidion.statistics.values import sign_test_p
from pyramidion.studies.judgments.questions import note_on_judgments

WALD = "wald"
BOOTSTRAP = "bootstrap"


class Ability(NotedRow, record="preference-ability", digits=3):
    """How often a system is preferred: its ability on the log scale, relative to the mean of all systems."""

    summarizer: str
    rank: int
    ability: float
    """Log odds of being preferred to an average system."""
    lower: float | None
    upper: float | None
    share: float = headed("preferred to an average system", digits=2)
    """The probability of being preferred to an average system, ties left out."""
    win: int
    tie: int
    loss: int
    n: int
    confidence: float
    method: str
    """`wald`, or `bootstrap` over topics where a topic has several preferences."""
    seed: int


class Preferences(Finding, eq=True):
    """The systems by their ability, best first."""

    abilities: tuple[Ability, ...]
    ties: float
    """Share of preferences that are ties."""
    confidence: float
    note: str = ""

    def __repr__(self) -> str:
        return f"<Preferences between {counted(len(self.abilities), 'summarizer')}>"

    def overlapping_with_best(self) -> list[Ability]:
        """The systems whose intervals overlap with that of the best."""
        best, *following = self.abilities
        if best.lower is None:
            return []
        return [ability for ability in following if ability.upper is not None and ability.upper >= best.lower]


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


def rank_by_preferences(campaign: Campaign, options: PreferenceOptions | None = None, *, seed: int = 0) -> Preferences:
    """Fit Davidson's model to the preferences of a campaign.

    Limits are Wald's; where topics have several preferences they are those of a bootstrap over topics, because
    preferences about one topic depend on each other.

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
    abilities = _centring(len(systems)) @ fit.log_ability
    topics = Counter(preference.topic for preference in preferences)
    is_resampled = max(topics.values()) > 1 and len(topics) > 1
    undefined = 0
    if is_resampled:
        lower, upper, undefined = _bootstrap_limits(preferences, systems, options, seed)
    else:
        lower, upper = _wald_limits(abilities, fit.covariance, options.confidence)
    order = sorted(range(len(systems)), key=lambda place: (-abilities[place], systems[place]))
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
                confidence=options.confidence,
                method=BOOTSTRAP if is_resampled else WALD,
                seed=seed,
                note=f"the model could not be fitted to {undefined} samples" if undefined else "",
                reason="too few topics can be resampled",
            )
        )
    tied = sum(preference.choice == "tie" for preference in preferences) / len(preferences)
    return Preferences(
        abilities=tuple(rows), ties=tied, confidence=options.confidence, note=note_on_judgments(campaign)
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


def _wald_limits(abilities: Floats, covariance: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Lower and upper limits by the normal distribution; the covariance leaves out the first system."""
    from scipy import special

    count = len(abilities)
    centring = _centring(count)
    full_covariance = np.zeros((count, count))
    full_covariance[1:, 1:] = covariance
    errors = np.sqrt(np.diag(centring @ full_covariance @ centring.T))
    half = special.ndtri(0.5 + confidence / 200) * errors
    return abilities - half, abilities + half


def _bootstrap_limits(
    preferences: Sequence[Preference], systems: Sequence[str], options: PreferenceOptions, seed: int
) -> tuple[Floats, Floats, int]:
    """Lower and upper limits by a bootstrap over topics, and the number of samples that could not be fitted."""
    by_topic = grouped(preferences, lambda preference: preference.topic)
    topics = sorted(by_topic)
    counts = [_count_choices(by_topic[topic], systems) for topic in topics]
    wins = np.array([topic_wins for topic_wins, _ in counts])
    ties = np.array([topic_ties for _, topic_ties in counts])
    centring = _centring(len(systems))
    generator = np.random.default_rng(seed)
    abilities = np.full((options.resamples, len(systems)), np.nan)
    undefined = 0
    for row in range(options.resamples):
        times_drawn = np.bincount(generator.integers(len(topics), size=len(topics)), minlength=len(topics))
        try:
            fit = davidson(np.tensordot(times_drawn, wins, 1), np.tensordot(times_drawn, ties, 1))
            abilities[row] = centring @ fit.log_ability
        except InputError:
            undefined += 1
    lower, upper = percentile_limits(abilities, confidence=options.confidence)
    return lower, upper, undefined
