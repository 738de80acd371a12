"""What a trial of a judge or a measure finds: numbers, and three verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from pyramidion.options import TrustOptions, Use
from pyramidion.show.tables import ExplainedRow, Finding, Row, headed, hidden
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.judgments.agreement import ConfusionCell

Verdict = Literal["yes", "partly", "no", "unknown"]
BiasKind = Literal["length", "copying", "position", "family", "order"]
Rater = Literal["people", "judge", "people and judge"]
AgreementCoefficient = Literal["kappa", "ac2", "alpha"]
REQUIRED_EXIT = 3
"""How the command ends if a required use is not shown."""


class OnTrial(ExplainedRow):
    """What a row is about: a judge or a measure, and the human score that it should follow."""

    measure: str
    with_: str


class TrustUse(OnTrial, record="trust"):
    """Whether a judge or a measure may be used for something, and the numbers that decide it."""

    use: Use
    verdict: Verdict
    rule: str
    """Which condition decided: `ordered`, `reversed`, `decided`, `bias`, `won`, `won-by-topic`, `few-pairs`, …"""
    value: float | None
    """What was found."""
    limit: float | None
    """What it was compared with."""
    is_required: bool


class TrustPairs(OnTrial, record="trust-pairs"):
    """Pairs of systems that people separate significantly, and what it makes of them."""

    pairs: int
    separated: int = headed("people separate")
    """Significant on the human score, with Holm's correction over all pairs."""
    same: int = headed("same, significant")
    """Of these: significant in the same order."""
    reversed: int = headed("opposite, significant")
    undecided_same: int = headed("undecided, same order")
    """Not significant; the means are in the same order."""
    undecided_reversed: int = headed("undecided, opposite order")
    judge_only: int = headed("only it separates")
    """Pairs that people do not separate, and it does."""
    ordered_alike: float | None = headed("same order", digits=2)
    """Share of the pairs that people separate whose means are in the same order."""
    lower: float | None = headed(digits=2)
    upper: float | None = headed(digits=2)
    close: int
    """Of the pairs that people separate, the half with the smaller differences."""
    close_same: int
    """Of these: significant in the same order."""
    topics: int
    confidence: float
    unscored: int | None = field(default=None, metadata={"optional": True})
    """Summaries with a human score to which it gave none; None if it left out nothing."""
    unscored_people: float | None = field(default=None, metadata={"optional": True})
    """Mean human score of these."""
    scored_people: float | None = field(default=None, metadata={"optional": True})
    """Mean human score of the others."""


class TrustPairSize(OnTrial, record="trust-pair-size", digits=3):
    """How often it orders two systems the wrong way, by the size of their difference on the human score."""

    least: float = headed("difference from")
    most: float = headed("to")
    pairs: int
    wrong: int
    """Pairs whose means it orders the other way."""
    wrong_significant: int = headed("wrong, significant")
    share: float = headed("share wrong", digits=2)


class TrustReplacement(OnTrial, record="trust-replacement", digits=2):
    """The alternative annotator test (Calderon, Reichart and Dror 2025): may the judge replace a person?"""

    winning_rate: float | None = headed("ω")
    """Share of people against whom the judge wins; it passes from 0.5."""
    winning_rate_by_topic: float | None = headed("ω by topic")
    """The same with the answers about one topic as dependent."""
    advantage: float | None = headed("ρ")
    """Chance that the judge agrees with the other people at least as well as a person does."""
    lower: float | None
    upper: float | None
    epsilon: float = headed("ε")
    people: int
    """People with at least 30 answers that the judge and another person gave, too."""
    persons: int = hidden(default=0)
    """People whose single answers are known."""
    is_answer: bool = hidden(default=True)
    """Whether the judge answers on the scale of the question."""
    skipped: int
    """People with fewer."""
    confidence: float


class TrustPerson(OnTrial, record="trust-person", digits=2):
    """The judge against one person, in the alternative annotator test."""

    person: str
    advantage: float = headed("judge as good")
    """Share of answers on which the judge agrees with the other people at least as well."""
    difference: float
    """Share of answers on which the person agrees better, less that on which the judge does."""
    p: float
    p_adjusted: float = headed("p (BY)")
    is_won: bool = headed("won")
    p_by_topic: float = headed("p by topic (BY)")
    is_won_by_topic: bool = headed("won by topic")
    n: int


class TrustAgreement(OnTrial, record="trust-agreement", digits=2):
    """Agreement of people with each other, and of the judge with people."""

    raters: Rater
    coefficient: AgreementCoefficient
    """Quadratic κ and Gwet's AC2 (quadratic weights), means over pairs; Krippendorff's ordinal α."""
    value: float | None
    lower: float | None
    upper: float | None
    n: int = headed("summaries")
    confidence: float
    problem: str = hidden(default="")
    """Why α is undefined."""


class TrustDisagreement(OnTrial, record="trust-disagreement", digits=2):
    """A summary on which the judge is furthest from people."""

    topic: str
    summarizer: str
    people: float
    judge: float
    difference: float
    comment: str = ""
    """The judge's reason."""
    text: str = hidden(default="")
    source: str = hidden(default="")
    """A reference, or else the beginning of the document."""


class TrustSeverity(OnTrial, record="trust-severity", digits=2):
    """How far the judge's answers lie above people's, and how it uses the scale."""

    difference: float | None
    """Mean of judge − people over summaries."""
    lower: float | None
    upper: float | None
    p: float | None
    detectable: float | None
    """The difference that would be found with 80 % power."""
    spread: float | None = headed("SD")
    """Standard deviation of the judge's scores."""
    people_spread: float | None = headed("SD of a person")
    """Of single answers of people; of their means where these alone are known."""
    most_used: float | None = headed("most used")
    """The answer that the judge gives most often."""
    share_of_most_used: float | None = headed("its share")
    people_share: float | None = headed("people's share")
    """How often people give the same answer."""
    n: int = headed("summaries")
    topics: int
    confidence: float


class TrustDrift(OnTrial, record="trust-drift", digits=3):
    """How scores changed since the anchor: now less then, about the same summaries."""

    change: float | None
    lower: float | None
    upper: float | None
    p: float | None
    detectable: float | None
    correlation: float | None
    """Pearson's r of scores now and then."""
    changed: float | None
    """Share of summaries with another score."""
    largest_system: str
    """The system whose mean changed most, apart from what all changed."""
    largest_change: float | None
    """By how much, relative to all systems."""
    n: int = headed("summaries")
    topics: int
    anchor: str
    confidence: float


class TrustRuns(OnTrial, record="trust-runs", digits=3):
    """How reproducible the judge is: variance between runs, and between summaries."""

    runs: int
    between_runs: float | None
    lower: float | None
    upper: float | None
    between_summaries: float | None
    equal: float | None = headed("same answer in all runs", digits=2)
    reliability: float | None = headed(digits=2)
    """Of one run: the share of variance that is due to summaries."""
    runs_needed: int | None
    """Runs whose mean has a reliability of 0.9."""
    problem: str = hidden(default="")
    """Why the variances could not be estimated."""
    n: int = headed("summaries")
    confidence: float


class TrustPrompts(OnTrial, record="trust-prompts", digits=3):
    """How much the answers of one model depend on the prompt."""

    model: str
    judges: tuple[str, ...]
    between_prompts: float
    """Variance of the level: it shifts all summaries alike."""
    interaction: float
    """Variance of what prompts do to single summaries, with the noise of runs."""
    between_summaries: float
    n: int = headed("summaries")


class TrustBias(OnTrial, record="trust-bias", digits=3):
    """Whether a judge's score depends on something besides quality."""

    kind: BiasKind
    effect: float | None
    """length: points for twice as many words; copying: for 10 % more copied words; family: for its own family;
    position: log odds of preferring what is shown first; order: from the first to the last place of the work."""
    lower: float | None
    upper: float | None
    p: float | None
    p_adjusted: float | None = headed("p (Holm)")
    is_found: bool | None = headed("found")
    detectable: float | None
    """The effect that would be found with 80 % power."""
    correlation: float | None
    """length, copying and order: partial correlation, given the human score."""
    correlation_lower: float | None
    correlation_upper: float | None
    detectable_correlation: float | None
    share: float | None = headed(digits=2)
    """position: share of pairs, asked in both orders, whose answer changes with the order."""
    problem: str = hidden(default="")
    """Why the effect could not be estimated."""
    is_asked_twice: bool = hidden(default=True)
    """position: whether some pairs were asked in both orders."""
    is_noise_removed: bool
    """Whether the noise of people's answers is allowed for, which needs two people a summary."""
    n: int
    """Summaries; preferences; systems outside the family."""
    confidence: float


class TrustResolution(OnTrial, record="trust-resolution", digits=3):
    """Which difference between two systems it separates with these topics, and which one people separate."""

    topics: int
    detectable: float | None
    """On its own scale, with 80 % power: the median over pairs."""
    people_detectable: float | None
    """On the human scale."""
    slope: float | None
    """Its change for one point of the human score, over systems."""
    topics_needed: int | None
    """Topics with which it separates the difference that people separate with these topics."""
    confidence: float


class TrustWorth(OnTrial, record="trust-worth", digits=2):
    """How much human work it saves where people judge some summaries and it judges all."""

    r_squared: float | None = headed("R² within topics")
    """Share of the variance of people's scores, within topics and systems, that it explains."""
    lower: float | None
    upper: float | None
    ratio: float | None = headed("labels are worth")
    """1/(1 − R²): how many times as many labels the same precision would need without it."""
    saved: float | None = headed("labels saved")
    """R²: the share of labels that it saves, at most."""
    topics: int
    confidence: float


@dataclass(frozen=True, kw_only=True)
class TrustCard:
    """All that was found about one judge or measure."""

    measure: str
    with_: str
    judge: str
    """The assessor, if it is one."""
    model: str
    uses: tuple[TrustUse, ...]
    correlations: tuple[Correlation, ...] = ()
    pairs: TrustPairs
    sizes: tuple[TrustPairSize, ...] = ()
    replacement: TrustReplacement
    people: tuple[TrustPerson, ...] = ()
    agreements: tuple[TrustAgreement, ...] = ()
    confusion: tuple[ConfusionCell, ...] = ()
    severity: TrustSeverity | None = None
    """None unless it answers on the scale of the question."""
    drift: TrustDrift | None = None
    runs: TrustRuns | None = None
    biases: tuple[TrustBias, ...] = ()
    resolution: TrustResolution
    worth: TrustWorth
    disagreements: tuple[TrustDisagreement, ...] = ()
    means: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """By system, its mean human score and its mean score."""
    scale: tuple[float, float] | None = None
    note: str = ""

    def rows(self) -> Iterator[Row]:
        """Everything, the verdicts first."""
        yield from self.uses
        yield from self.correlations
        yield self.pairs
        yield from self.sizes
        yield self.replacement
        yield from self.people
        yield from self.agreements
        yield from self.confusion
        for row in (self.severity, self.drift, self.runs):
            if row is not None:
                yield row
        yield from self.biases
        yield self.resolution
        yield self.worth
        yield from self.disagreements

    def use(self, name: Use) -> TrustUse:
        """The verdict on one use."""
        return next(use for use in self.uses if use.use == name)

    def bias(self, kind: BiasKind) -> TrustBias | None:
        """What was found about one kind of bias; None if it could not be looked at."""
        return next((bias for bias in self.biases if bias.kind == kind), None)

    @property
    def name(self) -> str:
        """What people call it: the judge's name, or the measure's."""
        return self.judge or self.measure


class Trust(Finding):
    """Judges and measures on trial: a card for each."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "trust",
        "correlation",
        "trust-pairs",
        "trust-pair-size",
        "trust-replacement",
        "trust-person",
        "trust-agreement",
        "confusion",
        "trust-severity",
        "trust-drift",
        "trust-runs",
        "trust-prompts",
        "trust-bias",
        "trust-resolution",
        "trust-worth",
        "trust-disagreement",
    )

    cards: tuple[TrustCard, ...]
    prompts: tuple[TrustPrompts, ...] = ()
    options: TrustOptions
    systems: int
    topics: int
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of systems."""
    command: str = ""
    note: str = ""

    def __repr__(self) -> str:
        return f"<Trust in {', '.join(card.name for card in self.cards)}>"

    def rows(self) -> Iterator[Row]:
        """Everything about each judge or measure, then what prompts change."""
        for card in self.cards:
            yield from card.rows()
        yield from self.prompts

    @property
    def unmet(self) -> list[TrustUse]:
        """Required uses that are not shown to be fine."""
        return [use for card in self.cards for use in card.uses if use.is_required and use.verdict != "yes"]

    @property
    def exit_code(self) -> int:
        """How the command ends: 3 if a required use is not shown to be fine."""
        return REQUIRED_EXIT if self.unmet else 0
