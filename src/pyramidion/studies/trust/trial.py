"""A judge or a measure on trial: validity, replacement, agreement, severity, reliability, bias, resolution, worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import UsageError
from pyramidion.options import CorrelateOptions, TrustOptions
from pyramidion.show.wording import defined, shortened
from pyramidion.statistics.alternative_test import alternative_annotator_test
from pyramidion.statistics.covariates import detectable_effect
from pyramidion.statistics.intervals import jackknife_limits
from pyramidion.statistics.pair_decisions import PairDecisions, decide_pairs, size_bins
from pyramidion.statistics.power import detectable_difference, topics_needed
from pyramidion.statistics.predictions import fit_within_topics
from pyramidion.statistics.repeated_answers import prompt_variance, run_variance
from pyramidion.statistics.values import t_critical
from pyramidion.studies.correlations.correlations import correlate
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.judgments.deviations import IntervalEstimate, mean_over_topics
from pyramidion.studies.trust.agreements import JudgeAgreement
from pyramidion.studies.trust.biases import BiasChecks
from pyramidion.studies.trust.lamps import light_lamps
from pyramidion.studies.trust.material import POWER, Defendant, HumanScores, Texts, both_as_table, is_on_scale
from pyramidion.studies.trust.results import (
    TrustAgreement,
    TrustCard,
    TrustDisagreement,
    TrustDrift,
    TrustPairs,
    TrustPairSize,
    TrustPerson,
    TrustPrompts,
    TrustReplacement,
    TrustResolution,
    TrustRuns,
    TrustSeverity,
    TrustUse,
    TrustWorth,
)

RELIABLE_RUNS = 0.9
"""The reliability that repeated runs are to reach."""
SHOWN_DISAGREEMENTS = 5
LONGEST_TEXT = 1500
"""A text is shown up to this many characters."""
FEWEST_SYSTEMS = 3
FEWEST_TOPICS = 5


def try_judge(
    people: HumanScores,
    defendant: Defendant,
    options: TrustOptions,
    *,
    texts: Texts | None = None,
    seed: int = 0,
) -> TrustCard:
    """Put a judge or a measure on trial against people.

    Args:
        people: the human scores.
        defendant: the scores on trial.
        options: confidence, ε, required uses.
        texts: lengths and copied shares; None if only scores are known.
        seed: of the bootstrap.

    Raises:
        UsageError: if both share fewer than five topics or three systems.
    """
    return _Trial(people, defendant, options, texts, seed).card()


def decide_uses(
    people: HumanScores, defendant: Defendant, options: TrustOptions, *, texts: Texts | None = None, seed: int = 0
) -> tuple[TrustUse, ...]:
    """The three verdicts alone, without the rest of the card."""
    trial = _Trial(people, defendant, options, texts, seed)
    biases = BiasChecks(people, defendant, options, texts).rows()
    kappa = judge_kappa(trial.agreements())
    return light_lamps(trial.pairs(trial.decisions()), trial.replacement()[0], biases, options, agreement=kappa)


def judge_kappa(agreements: Iterable[TrustAgreement]) -> TrustAgreement | None:
    """Quadratic κ of the judge with people; None if it does not answer on their scale."""
    return next((row for row in agreements if row.raters == "judge" and row.coefficient == "kappa"), None)


def compare_prompts(defendants: Sequence[Defendant], people: HumanScores) -> tuple[TrustPrompts, ...]:
    """How much the answers depend on the prompt, for each model that is on trial with several prompts."""
    by_model: dict[str, list[Defendant]] = {}
    for defendant in defendants:
        if defendant.judge and defendant.facts.model:
            by_model.setdefault(defendant.facts.model, []).append(defendant)
    rows: list[TrustPrompts] = []
    for model, judges in by_model.items():
        parts = prompt_variance(np.column_stack([judge.scores.ravel() for judge in judges]))
        if parts is not None:
            rows.append(
                TrustPrompts(
                    measure=judges[0].measure,
                    with_=people.name,
                    model=model,
                    judges=tuple(judge.judge for judge in judges),
                    between_prompts=parts.level,
                    interaction=parts.interaction,
                    between_summaries=parts.between,
                    n=parts.items,
                )
            )
    return tuple(rows)


class _Trial:
    """One judge or measure, and what the checks share."""

    def __init__(
        self, people: HumanScores, defendant: Defendant, options: TrustOptions, texts: Texts | None, seed: int
    ) -> None:
        self.people = people
        self.defendant = defendant
        self.options = options
        self.texts = texts
        self.seed = seed
        self.is_shared: Bools = ~np.isnan(people.means) & ~np.isnan(defendant.scores)
        self.head = defendant.head(people)
        # Only answers can be agreed with: a computed score has another unit.
        is_rater = bool(defendant.judge) or defendant.measure.startswith("imported.")
        self.is_answer = is_rater and not defendant.is_reversed and bool(is_on_scale(people, defendant.scores))
        self._require_data()

    def _require_data(self) -> None:
        systems = int(self.is_shared.any(axis=1).sum())
        topics = int(self.is_shared.any(axis=0).sum())
        if systems < FEWEST_SYSTEMS or topics < FEWEST_TOPICS:
            raise UsageError(
                f"{self.defendant.measure} and {self.people.name}: found scores of both on {topics} topics and "
                f"{systems} systems; a trial needs {FEWEST_TOPICS} topics and {FEWEST_SYSTEMS} systems"
            )

    def decisions(self) -> PairDecisions:
        """Which pairs people and the judge separate."""
        return decide_pairs(
            self.people.means,
            self.defendant.scores,
            confidence=self.options.confidence,
            resamples=self.options.resamples,
            seed=self.seed,
        )

    @property
    def agreement(self) -> JudgeAgreement | None:
        """The judge's agreement with people; None unless it answers on their scale and their answers are known."""
        if not self.is_answer or not self.people.persons:
            return None
        return JudgeAgreement(self.people, self.defendant, self.options, self.seed)

    def agreements(self) -> Iterator[TrustAgreement]:
        """κ, AC2 and α; nothing where there is no agreement to look at."""
        if self.agreement is not None:
            yield from self.agreement.rows()

    def card(self) -> TrustCard:
        decisions = self.decisions()
        pairs = self.pairs(decisions)
        replacement, persons = self.replacement()
        biases = BiasChecks(self.people, self.defendant, self.options, self.texts).rows()
        agreement = self.agreement
        agreements = tuple(self.agreements())
        severity = self.severity()
        return TrustCard(
            measure=self.defendant.measure,
            with_=self.people.name,
            judge=self.defendant.judge,
            model=self.defendant.facts.model,
            uses=light_lamps(pairs, replacement, biases, self.options, agreement=judge_kappa(agreements)),
            correlations=self.correlations(),
            pairs=pairs,
            sizes=tuple(self.sizes(decisions)),
            replacement=replacement,
            people=persons,
            agreements=agreements,
            confusion=() if agreement is None else tuple(agreement.confusion()),
            severity=severity,
            drift=self.drift(),
            runs=self.runs(),
            biases=biases,
            resolution=self.resolution(decisions),
            worth=self.worth(),
            disagreements=tuple(self.disagreements()),
            means=self.means(),
            scale=self.people.scale if self.is_answer else None,
            note=self.defendant.note,
        )

    # Validity

    def correlations(self) -> tuple[Correlation, ...]:
        """Correlations over systems and within topics."""
        table = both_as_table(self._shared_people(), self._shared_defendant())
        options = CorrelateOptions(
            with_=(self.people.name,),
            level=("system", "topic"),
            coefficient=("kendall", "pearson"),
            confidence=self.options.confidence,
            resamples=self.options.resamples,
        )
        result = correlate(table, [self.defendant.measure], [self.people.name], options, seed=self.seed)
        return tuple(replace(row, note=self.defendant.note) for row in result.correlations)

    def _shared_people(self) -> HumanScores:
        return replace(self.people, means=np.where(self.is_shared, self.people.means, np.nan))

    def _shared_defendant(self) -> Defendant:
        return replace(self.defendant, scores=np.where(self.is_shared, self.defendant.scores, np.nan))

    def pairs(self, decisions: PairDecisions) -> TrustPairs:
        """What it makes of the pairs that people separate."""
        places = np.nonzero(decisions.is_separated)[0]
        by_size = places[np.argsort(np.abs(decisions.people.difference[places]), kind="stable")]
        close = by_size[: (len(by_size) + 1) // 2]
        same = decisions.is_decided & decisions.is_agreed
        share = decisions.ordered_alike
        return TrustPairs(
            **self.head,
            pairs=int((decisions.people.n > 0).sum()),
            separated=len(places),
            same=decisions.count(is_decided=True, is_agreed=True),
            reversed=decisions.count(is_decided=True, is_agreed=False),
            undecided_same=decisions.count(is_decided=False, is_agreed=True),
            undecided_reversed=decisions.count(is_decided=False, is_agreed=False),
            judge_only=int((decisions.is_decided & ~decisions.is_separated).sum()),
            ordered_alike=defined(share),
            lower=defined(decisions.lower),
            upper=defined(decisions.upper),
            close=len(close),
            close_same=int(same[close].sum()),
            topics=int(self.is_shared.any(axis=0).sum()),
            confidence=self.options.confidence,
            **self._left_out(),
        )

    def _left_out(self) -> dict[str, Any]:
        """What people scored and it did not: what a judge does not answer may be where it is worst."""
        means = self.people.means
        left_out = np.concatenate([means[~np.isnan(means) & ~self.is_shared], self.people.outside])
        if not left_out.size:
            return {}
        sign = -1 if self.people.is_reversed else 1
        return {
            "unscored": len(left_out),
            "unscored_people": sign * float(left_out.mean()),
            "scored_people": sign * float(means[self.is_shared].mean()),
        }

    def sizes(self, decisions: PairDecisions) -> Iterator[TrustPairSize]:
        """The share of pairs in the wrong order, by the size of the human difference."""
        differences = decisions.people.difference
        for places in size_bins(np.where(differences == 0, np.nan, differences)):
            is_wrong = ~decisions.is_agreed[places]
            sizes = np.abs(differences[places])
            yield TrustPairSize(
                **self.head,
                least=float(sizes.min()),
                most=float(sizes.max()),
                pairs=len(places),
                wrong=int(is_wrong.sum()),
                wrong_significant=int((is_wrong & decisions.is_decided[places]).sum()),
                share=float(is_wrong.mean()),
            )

    # Replacement and agreement

    def replacement(self) -> tuple[TrustReplacement, tuple[TrustPerson, ...]]:
        """The alternative annotator test, with items independent and by topic."""
        people = self.people
        epsilon, confidence = self.options.discount, self.options.confidence
        row = TrustReplacement(
            **self.head,
            winning_rate=None,
            winning_rate_by_topic=None,
            advantage=None,
            lower=None,
            upper=None,
            epsilon=epsilon,
            people=0,
            skipped=len(people.persons),
            confidence=confidence,
            persons=len(self.people.persons),
            is_answer=self.is_answer,
        )
        if not self.is_answer or len(people.persons) < 2:
            return row, ()
        codings, judge, topics = people.codings, self.defendant.scores.ravel(), people.topic_codes.ravel()
        plain = alternative_annotator_test(codings, judge, epsilon=epsilon, confidence=confidence)
        by_topic = alternative_annotator_test(codings, judge, epsilon=epsilon, confidence=confidence, clusters=topics)
        persons = tuple(
            TrustPerson(
                **self.head,
                person=people.persons[column],
                advantage=float(plain.advantage[place]),
                difference=float(plain.difference[place]),
                p=float(plain.p[place]),
                p_adjusted=float(plain.p_adjusted[place]),
                is_won=bool(plain.is_won[place]),
                p_by_topic=float(by_topic.p_adjusted[place]),
                is_won_by_topic=bool(by_topic.is_won[place]),
                n=int(plain.n[place]),
            )
            for place, column in enumerate(plain.people.tolist())
        )
        return replace(
            row,
            winning_rate=defined(plain.winning_rate),
            winning_rate_by_topic=defined(by_topic.winning_rate),
            advantage=defined(plain.advantage_probability),
            lower=defined(by_topic.lower),
            upper=defined(by_topic.upper),
            people=len(persons),
            skipped=len(people.persons) - len(persons),
        ), persons

    # Severity, drift, reliability

    def severity(self) -> TrustSeverity | None:
        """How far its answers lie above people's, and how it uses the scale; None for scores of another unit."""
        if not self.is_answer:
            return None
        difference = np.where(self.is_shared, self.defendant.scores - self.people.means, np.nan).ravel()
        estimate = mean_over_topics(difference, self.people.topic_codes.ravel(), confidence=self.options.confidence)
        judge = self.defendant.scores[self.is_shared]
        answers = self.people.answers[self.is_shared] if self.people.persons else self.people.means[self.is_shared]
        of_people = answers[~np.isnan(answers)]
        values, counts = np.unique(np.rint(judge), return_counts=True)
        most_used = float(values[counts.argmax()])
        return TrustSeverity(
            **self.head,
            difference=estimate.value,
            lower=estimate.lower,
            upper=estimate.upper,
            p=estimate.p,
            detectable=self._detectable(estimate),
            spread=float(judge.std(ddof=1)),
            people_spread=float(of_people.std(ddof=1)),
            most_used=most_used,
            share_of_most_used=float(counts.max() / counts.sum()),
            people_share=float((np.rint(of_people) == most_used).mean()),
            n=estimate.n,
            topics=estimate.topics,
            confidence=self.options.confidence,
        )

    def _detectable(self, estimate: IntervalEstimate) -> float | None:
        """The mean that would be found with 80 % power, from the interval of one over topics."""
        if estimate.value is None or estimate.upper is None or estimate.topics < 2:
            return None
        half = estimate.upper - estimate.value
        freedom = estimate.topics - 1.0
        error = half / float(t_critical(self.options.confidence, freedom))
        return detectable_effect(error, freedom, alpha=self._level, power=POWER) if error > 0 else None

    @property
    def _level(self) -> float:
        return 1 - self.options.confidence / 100

    def drift(self) -> TrustDrift | None:
        """How the scores changed since the anchor; None without one."""
        anchor = self.defendant.anchor
        if anchor is None:
            return None
        change = self.defendant.scores - anchor
        is_shared = ~np.isnan(change)
        if not is_shared.any():
            raise UsageError(
                f"{self.defendant.measure}: the anchor has no score of a summary that the data has, too; an anchor set "
                "has the same topics and systems"
            )
        estimate = mean_over_topics(change.ravel(), self.people.topic_codes.ravel(), confidence=self.options.confidence)
        now, then = self.defendant.scores[is_shared], anchor[is_shared]
        correlation = np.nan
        if len(now) > 2 and np.ptp(now) > 0 and np.ptp(then) > 0:
            correlation = float(np.corrcoef(now, then)[0, 1])
        by_system = np.array([row[~np.isnan(row)].mean() if (~np.isnan(row)).any() else np.nan for row in change])
        apart = by_system - np.nanmean(by_system)
        largest = int(np.nanargmax(np.abs(apart)))
        return TrustDrift(
            **self.head,
            change=estimate.value,
            lower=estimate.lower,
            upper=estimate.upper,
            p=estimate.p,
            detectable=self._detectable(estimate),
            correlation=defined(correlation),
            changed=float((np.abs(now - then) > 1e-9).mean()),
            largest_system=self.people.systems[largest],
            largest_change=float(apart[largest]),
            n=estimate.n,
            topics=estimate.topics,
            anchor=str(self.options.anchor),
            confidence=self.options.confidence,
        )

    def runs(self) -> TrustRuns | None:
        """Variance between runs; None if nothing was judged twice."""
        if self.defendant.runs is None:
            return None
        parts = run_variance(self.defendant.runs, confidence=self.options.confidence)
        return TrustRuns(
            **self.head,
            runs=parts.runs,
            between_runs=parts.within,
            lower=parts.lower,
            upper=parts.upper,
            between_summaries=parts.between,
            equal=parts.equal,
            reliability=parts.reliability,
            runs_needed=parts.runs_for(RELIABLE_RUNS),
            n=parts.items,
            confidence=self.options.confidence,
            problem=parts.reason,
        )

    # Resolution and worth

    def resolution(self, decisions: PairDecisions) -> TrustResolution:
        """The difference that it separates, and the topics that it needs for the one that people separate."""
        topics = int(np.median(decisions.people.n[decisions.people.n > 1])) if (decisions.people.n > 1).any() else 0
        own, human = (_median_spread(test.spread) for test in (decisions.judge, decisions.people))
        slope = self._slope_over_systems()
        row = TrustResolution(
            **self.head,
            topics=topics,
            detectable=None,
            people_detectable=None,
            slope=defined(slope),
            topics_needed=None,
            confidence=self.options.confidence,
        )
        if topics < 2 or not own > 0 or not human > 0:
            return row
        detectable = detectable_difference(topics=topics, sd=own, power=POWER, alpha=self._level)
        people_detectable = detectable_difference(topics=topics, sd=human, power=POWER, alpha=self._level)
        needed = None
        if slope > 0:
            needed = topics_needed(difference=slope * people_detectable, sd=own, power=POWER, alpha=self._level)
        return replace(row, detectable=detectable, people_detectable=people_detectable, topics_needed=needed)

    def _slope_over_systems(self) -> float:
        """The slope of its system means on people's; NaN if people's are all equal."""
        means = np.array(list(self.means().values()))
        if len(means) < 2 or np.ptp(means[:, 0]) == 0:
            return float("nan")
        human = means[:, 0] - means[:, 0].mean()
        return float(human @ means[:, 1] / (human @ human))

    def means(self) -> dict[str, tuple[float, float]]:
        """By system, its human mean and its mean score, on the summaries that have both."""
        means: dict[str, tuple[float, float]] = {}
        for row, system in enumerate(self.people.systems):
            is_used = self.is_shared[row]
            if is_used.any():
                human = float(self.people.means[row, is_used].mean())
                means[system] = human, float(self.defendant.scores[row, is_used].mean())
        return means

    def worth(self) -> TrustWorth:
        """R² within topics and systems, and how many labels it saves."""
        is_used = self.is_shared.ravel()
        answers = self.people.means.ravel()[is_used]
        features = self.defendant.scores.ravel()[is_used]
        systems = self.people.system_codes.ravel()[is_used]
        topics = self.people.topic_codes.ravel()[is_used]

        def explained(is_kept: Bools) -> float:
            fit = fit_within_topics(
                answers[is_kept], features[is_kept, None], systems=systems[is_kept], topics=topics[is_kept]
            )
            return fit.r_squared

        value = explained(np.ones(len(answers), dtype=np.bool_))
        places = np.unique(topics)
        lower = upper = float("nan")
        if not np.isnan(value):
            without = np.array([explained(topics != place) for place in places])
            lower, upper = jackknife_limits(value, without, self.options.confidence)
        return TrustWorth(
            **self.head,
            r_squared=defined(value),
            lower=defined(max(lower, 0.0)),
            upper=defined(min(upper, 1.0)),
            ratio=defined(1 / (1 - value)) if value < 1 else None,
            saved=defined(value),
            topics=len(places),
            confidence=self.options.confidence,
        )

    # Disagreements

    def disagreements(self) -> Iterator[TrustDisagreement]:
        """The summaries on which it is furthest from people; scores of another unit are compared by standing."""
        human, own = self.people.means, self.defendant.scores
        if not self.is_answer:
            human, own = _standard(human, self.is_shared), _standard(own, self.is_shared)
        distances = np.where(self.is_shared, np.abs(own - human), -1.0)
        order = np.argsort(-distances.ravel(), kind="stable")[:SHOWN_DISAGREEMENTS]
        for place in order.tolist():
            row, column = divmod(place, len(self.people.topics))
            if distances[row, column] <= 0:
                return
            topic, system = self.people.topics[column], self.people.systems[row]
            yield TrustDisagreement(
                **self.head,
                topic=topic,
                summarizer=system,
                people=float(self.people.means[row, column]),
                judge=float(self.defendant.scores[row, column]),
                difference=float(own[row, column] - human[row, column]),
                comment=self.defendant.reasons.get((topic, system), ""),
                text=shortened(self.texts.text_of(topic, system), LONGEST_TEXT) if self.texts else "",
                source=shortened(self.texts.source_of(topic, system), LONGEST_TEXT) if self.texts else "",
            )


def _standard(values: Floats, is_used: Bools) -> Floats:
    """Values in standard deviations from their mean."""
    used = values[is_used]
    spread = float(used.std())
    return np.asarray((values - used.mean()) / (spread if spread > 0 else 1.0))


def _median_spread(spreads: Floats) -> float:
    """The median standard deviation of paired differences; NaN if there is none."""
    defined_spreads = spreads[~np.isnan(spreads)]
    return float(np.median(defined_spreads)) if len(defined_spreads) else float("nan")
