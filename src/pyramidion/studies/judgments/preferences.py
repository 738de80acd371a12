"""Systems ranked by preferences between pairs of summaries: Davidson's model, with an interval for each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError
from pyramidion.options import PreferenceOptions
from pyramidion.show.tables import Finding, NotedRow, Table, headed, table_of
from pyramidion.show.wording import confidence_interval, counted, listed, noted, number, percent
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

    def tables(self) -> list[Table]:
        """The systems by ability."""
        return [
            table_of(
                self.abilities,
                ("rank", "summarizer", "ability", "lower", "upper", "share", "win", "tie", "loss"),
                title=noted(f"Preferences, {self.confidence:g} % intervals", self.note),
                heads=2,
                sentences=tuple(self._in_words()),
                notes=("Davidson's model. Ability: log odds of being preferred to an average system.",),
            )
        ]

    def _in_words(self) -> Iterator[str]:
        best = self.abilities[0]
        ability = noted(number(best.ability), confidence_interval(self.confidence, best.lower, best.upper))
        yield (
            f"{best.summarizer} is preferred most: ability {ability}, preferred to an average system in "
            f"{percent(best.share)} of choices."
        )
        overlapping = [
            one.summarizer
            for one in self.abilities[1:]
            if one.upper is not None and best.lower is not None and one.upper >= best.lower
        ]
        if overlapping:
            yield f"Intervals that overlap with its own: {listed(overlapping)}."
        yield f"{percent(self.ties)} of the preferences are ties."


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
    for one in preferences:
        if {one.a, one.b} != {a, b}:
            continue
        chosen = "" if one.choice == "tie" else one.a if one.choice == "a" else one.b
        choices[chosen] += 1
        by_topic[one.topic] = by_topic.get(one.topic, 0) + (chosen == a) - (chosen == b)
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


def rank_by_preferences(campaign: Campaign, options: PreferenceOptions | None = None, *, seed: int = 0) -> Preferences:
    """Fit Davidson's model to the preferences of a campaign.

    Limits are Wald's; where topics have several preferences they are those of a bootstrap over topics, because
    preferences about one topic depend on each other.

    Raises:
        InputError: if there are no preferences, or if they do not link all systems both ways.
    """
    options = options or PreferenceOptions()
    given = campaign.preferences
    if not given:
        raise InputError("the data has no preferences; a campaign folder has them in preferences.jsonl")
    who = sorted({name for one in given for name in (one.a, one.b)})
    wins, ties = _counts(given, who)
    fit = davidson(wins, ties)
    count = len(who)
    centre = np.eye(count) - 1 / count
    abilities = centre @ fit.log_ability
    topics = Counter(one.topic for one in given)
    several = max(topics.values()) > 1 and len(topics) > 1
    lower, upper, undefined = _limits(given, who, fit.covariance, abilities, options, seed, several=several)
    order = sorted(range(count), key=lambda place: (-abilities[place], who[place]))
    rows = tuple(
        Ability(
            summarizer=who[place],
            rank=rank,
            ability=float(abilities[place]),
            lower=float(lower[place]),
            upper=float(upper[place]),
            share=float(1 / (1 + np.exp(-abilities[place]))),
            win=int(wins[place].sum()),
            tie=int(ties[place].sum()),
            loss=int(wins[:, place].sum()),
            n=int(wins[place].sum() + ties[place].sum() + wins[:, place].sum()),
            confidence=options.confidence,
            method=BOOTSTRAP if several else WALD,
            seed=seed,
            note=f"the model could not be fitted to {undefined} samples" if undefined else "",
            reason="too few topics can be resampled",
        )
        for rank, place in enumerate(order, start=1)
    )
    tied = sum(one.choice == "tie" for one in given) / len(given)
    return Preferences(abilities=rows, ties=tied, confidence=options.confidence, note=note_on_judgments(campaign))


def _counts(preferences: Sequence[Preference], who: Sequence[str]) -> tuple[Floats, Floats]:
    place = {name: row for row, name in enumerate(who)}
    wins, ties = np.zeros((len(who),) * 2), np.zeros((len(who),) * 2)
    for one in preferences:
        a, b = place[one.a], place[one.b]
        if one.choice == "tie":
            ties[a, b] += 1
            ties[b, a] += 1
        else:
            wins[(a, b) if one.choice == "a" else (b, a)] += 1
    return wins, ties


def _limits(
    preferences: Sequence[Preference],
    who: Sequence[str],
    covariance: Floats,
    abilities: Floats,
    options: PreferenceOptions,
    seed: int,
    *,
    several: bool,
) -> tuple[Floats, Floats, int]:
    """Lower and upper limits of the abilities, and the number of samples that could not be fitted."""
    from scipy import special

    count = len(who)
    centre = np.eye(count) - 1 / count
    if not several:
        full = np.zeros((count, count))
        full[1:, 1:] = covariance
        half = special.ndtri(0.5 + options.confidence / 200) * np.sqrt(np.diag(centre @ full @ centre.T))
        return abilities - half, abilities + half, 0
    topics = sorted({one.topic for one in preferences})
    by_topic = {topic: [one for one in preferences if one.topic == topic] for topic in topics}
    counts = [_counts(by_topic[topic], who) for topic in topics]
    wins, ties = (np.array([one[part] for one in counts]) for part in (0, 1))
    generator = np.random.default_rng(seed)
    drawn = np.full((options.resamples, count), np.nan)
    undefined = 0
    for row in range(options.resamples):
        chosen = np.bincount(generator.integers(len(topics), size=len(topics)), minlength=len(topics))
        try:
            fit = davidson(np.tensordot(chosen, wins, 1), np.tensordot(chosen, ties, 1))
            drawn[row] = centre @ fit.log_ability
        except InputError:
            undefined += 1
    lower, upper = percentile_limits(drawn, confidence=options.confidence)
    return lower, upper, undefined
