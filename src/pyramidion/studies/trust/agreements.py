"""How far a judge agrees with people, and people with each other: κ, AC2, α, and the table of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import TrustOptions
from pyramidion.show.wording import defined
from pyramidion.statistics.agreement import confusion_matrix, gwet_ac2, krippendorff_alpha, quadratic_kappa
from pyramidion.statistics.intervals import jackknife_limits
from pyramidion.studies.judgments.agreement import ConfusionCell
from pyramidion.studies.judgments.questions import MOST_VALUES
from pyramidion.studies.trust.material import Defendant, HumanScores
from pyramidion.studies.trust.results import AgreementCoefficient, Rater, TrustAgreement


class JudgeAgreement:
    """The agreement of a judge, who answers on people's scale, with people whose single answers are known.

    Args:
        people: the human scores.
        defendant: the judge's answers.
        options: confidence, number of samples.
        seed: of the bootstrap.
    """

    def __init__(self, people: HumanScores, defendant: Defendant, options: TrustOptions, seed: int) -> None:
        self.people = people
        self.defendant = defendant
        self.options = options
        self.seed = seed

    def rows(self) -> Iterator[TrustAgreement]:
        """κ and AC2 of people with each other and with the judge, α of people without and with the judge."""
        codings, judge, topics = self.people.codings, self.defendant.scores.ravel(), self.people.topic_codes.ravel()
        values = self._categories(codings)
        together = np.column_stack([codings, judge])
        count = codings.shape[1]
        pairs_of_people = list(combinations(range(count), 2))
        pairs_with_judge = [(person, count) for person in range(count)]
        groups: list[tuple[Rater, list[tuple[int, int]]]] = [
            ("people", pairs_of_people),
            ("judge", pairs_with_judge),
        ]
        coefficients: tuple[AgreementCoefficient, ...] = ("kappa",) if values is None else ("kappa", "ac2")
        for raters, pairs in groups:
            for coefficient in coefficients:
                if pairs:
                    yield self._pair_agreement(raters, coefficient, together, pairs, topics, values)
        if count > 1:
            yield self._alpha("people", codings, topics)
            yield self._alpha("people and judge", together, topics)

    def _categories(self, codings: Floats) -> Floats | None:
        """The answers of the question's scale, if people gave no others."""
        scale = self.people.scale
        if scale is None or scale[1] - scale[0] >= MOST_VALUES:
            return None
        values = np.arange(scale[0], scale[1] + 1)
        given_answers = codings[~np.isnan(codings)]
        return values if np.isin(given_answers, values).all() else None

    def _pair_agreement(
        self,
        raters: Rater,
        coefficient: AgreementCoefficient,
        codings: Floats,
        pairs: Sequence[tuple[int, int]],
        topics: Integers,
        values: Floats | None,
    ) -> TrustAgreement:
        """The mean over pairs of raters, with limits from leaving out each topic in turn."""
        if coefficient == "ac2" and values is not None:
            # AC2 knows categories only: means of runs count as the nearest answer.
            codings = np.where(np.isnan(codings), np.nan, np.clip(np.rint(codings), values[0], values[-1]))

        def mean_agreement(is_used: Bools) -> float:
            results: list[float] = []
            for first, second in pairs:
                both = is_used & ~np.isnan(codings[:, first]) & ~np.isnan(codings[:, second])
                pair = codings[both][:, [first, second]]
                if not len(pair):
                    continue
                if coefficient == "ac2" and values is not None:
                    results.append(gwet_ac2(pair, values))
                else:
                    results.append(quadratic_kappa(pair[:, 0], pair[:, 1]))
            finite = [result for result in results if not np.isnan(result)]
            return float(np.mean(finite)) if finite else float("nan")

        value = mean_agreement(np.ones(len(codings), dtype=np.bool_))
        # A topic without two answers about one summary can be left out without any change: it is no part of the sample.
        places = np.unique(topics[(~np.isnan(codings)).sum(axis=1) >= 2])
        without = np.array([mean_agreement(topics != place) for place in places])
        lower, upper = jackknife_limits(value, without, self.options.confidence)
        shared = [~np.isnan(codings[:, first]) & ~np.isnan(codings[:, second]) for first, second in pairs]
        return TrustAgreement(
            **self.defendant.head(self.people),
            raters=raters,
            coefficient=coefficient,
            value=defined(value),
            lower=defined(lower),
            upper=defined(min(upper, 1.0)),
            n=int(np.any(shared, axis=0).sum()),
            confidence=self.options.confidence,
        )

    def _alpha(self, raters: Rater, codings: Floats, topics: Integers) -> TrustAgreement:
        alpha = krippendorff_alpha(
            codings,
            metric="ordinal",
            resamples=self.options.resamples,
            confidence=self.options.confidence,
            seed=self.seed,
            clusters=topics,
        )
        return TrustAgreement(
            **self.defendant.head(self.people),
            raters=raters,
            coefficient="alpha",
            value=defined(alpha.value),
            lower=defined(alpha.lower),
            upper=defined(alpha.upper),
            n=alpha.units,
            confidence=self.options.confidence,
            problem=alpha.reason,
        )

    def confusion(self) -> Iterator[ConfusionCell]:
        """How often people gave one answer and the judge another, over all answers of people."""
        codings, judge = self.people.codings, self.defendant.scores.ravel()
        values = self._categories(codings)
        if values is None:
            return
        nearest = np.clip(np.rint(judge), values[0], values[-1])
        counts = sum(
            confusion_matrix(codings[:, person], nearest, values) for person in range(len(self.people.persons))
        )
        total = int(np.sum(counts))
        for row, of_people in enumerate(values.tolist()):
            for column, of_judge in enumerate(values.tolist()):
                yield ConfusionCell(
                    question=self.people.name,
                    a="people",
                    b=self.defendant.judge or self.defendant.measure,
                    value_a=of_people,
                    value_b=of_judge,
                    count=int(np.asarray(counts)[row, column]),
                    n=total,
                    note=self.defendant.note,
                )
