"""Whether a judge or a measure is biased: towards long or copied summaries, its own family, or what is shown first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign.nouns import Preference
from pyramidion.errors import InputError
from pyramidion.options import TrustOptions
from pyramidion.show.wording import defined
from pyramidion.statistics.covariates import CovariateEffect, covariate_effect, detectable_effect, group_effect
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.preferences import order_effect
from pyramidion.statistics.values import t_critical, t_p
from pyramidion.studies.trust.material import POWER, Defendant, HumanScores, Texts
from pyramidion.studies.trust.results import BiasKind, TrustBias

COPIED_STEP = 0.1
"""The effect of copying is that of this much more."""


class BiasChecks:
    """The checks for bias of one judge or measure.

    Args:
        people: the human scores.
        defendant: the scores on trial.
        options: confidence.
        texts: lengths and copied shares; None if only scores are known.
    """

    def __init__(self, people: HumanScores, defendant: Defendant, options: TrustOptions, texts: Texts | None) -> None:
        self.people = people
        self.defendant = defendant
        self.options = options
        self.texts = texts
        self.level: float = 1 - options.confidence / 100

    def rows(self) -> tuple[TrustBias, ...]:
        """Every check that the data allows; p corrected over them (Holm)."""
        is_own = self._own_systems()
        pairs = self._pairs_in_order()
        has_texts = self.texts is not None and not np.isnan(self.texts.lengths).all()
        has_sources = self.texts is not None and not np.isnan(self.texts.copied).all()
        places = self.defendant.places
        # Counted before any check is made: what each can detect depends on how many there are.
        tests = sum((has_texts, has_sources, bool(is_own.any()), bool(pairs), places is not None))
        rows: list[TrustBias] = []
        if self.texts is not None and has_texts:
            # The effect is that of twice as many words; an empty text has no logarithm.
            words = np.where(self.texts.lengths > 0, self.texts.lengths, np.nan)
            rows.append(self._covariate_bias("length", np.log2(words), 1.0, tests))
        if self.texts is not None and has_sources:
            rows.append(self._covariate_bias("copying", self.texts.copied, COPIED_STEP, tests))
        if is_own.any():
            rows.append(self._family_bias(is_own, tests))
        if pairs:
            rows.append(self._position_bias(pairs, tests))
        if places is not None:
            rows.append(self._covariate_bias("order", places, 1.0, tests))
        p = np.array([np.nan if row.p is None else row.p for row in rows], dtype=np.float64)
        corrected = adjusted(p) if len(p) else p
        return tuple(
            replace(
                row,
                p_adjusted=defined(value),
                is_found=None if np.isnan(value) else bool(value < self.level),
            )
            for row, value in zip(rows, corrected.tolist(), strict=True)
        )

    def _bias(self, kind: BiasKind, **numbers: float | int | str | None) -> TrustBias:
        empty: dict[str, object] = dict.fromkeys(
            (
                *("effect", "lower", "upper", "p", "p_adjusted", "is_found", "detectable", "share"),
                *("correlation", "correlation_lower", "correlation_upper", "detectable_correlation"),
            )
        )
        facts = {"is_noise_removed": self.people.noise is not None, "confidence": self.options.confidence}
        fields: dict[str, object] = {**self.defendant.head(self.people), **empty, **facts, **numbers}
        return TrustBias(kind=kind, **fields)  # type: ignore[arg-type]

    def _covariate_bias(self, kind: BiasKind, covariate: Floats, step: float, tests: int) -> TrustBias:
        """A covariate of summaries at the same human score; the effect is that of a step."""
        noise = self.people.noise
        effect: CovariateEffect = covariate_effect(
            self.defendant.scores.ravel(),
            self.people.means.ravel(),
            covariate.ravel() / step,
            topics=self.people.topic_codes.ravel(),
            systems=self.people.system_codes.ravel(),
            noise=None if noise is None else noise.ravel(),
            confidence=self.options.confidence,
            power=POWER,
            tests=max(tests, 1),
        )
        return self._bias(
            kind,
            effect=effect.slope,
            lower=effect.lower,
            upper=effect.upper,
            p=effect.p,
            detectable=effect.detectable,
            correlation=effect.correlation,
            correlation_lower=effect.correlation_lower,
            correlation_upper=effect.correlation_upper,
            detectable_correlation=effect.detectable_correlation,
            n=effect.n,
            problem=effect.reason,
        )

    def _own_systems(self) -> Bools:
        """Which systems belong to the judge's family."""
        return np.isin(np.array(self.people.systems, dtype=object), list(self.defendant.relatives))

    def _family_bias(self, is_own: Bools, tests: int) -> TrustBias:
        effect = group_effect(
            self.defendant.scores,
            self.people.means,
            is_own,
            noise=self.people.noise,
            confidence=self.options.confidence,
            power=POWER,
            tests=max(tests, 1),
        )
        return self._bias(
            "family",
            effect=effect.value,
            lower=effect.lower,
            upper=effect.upper,
            p=effect.p,
            detectable=effect.detectable,
            n=effect.others,
            problem=effect.reason,
        )

    def _pairs_in_order(self) -> list[Preference]:
        """The judge's preferences between systems on trial."""
        systems, topics = set(self.people.systems), set(self.people.topics)
        return [
            preference
            for preference in self.defendant.preferences
            if {preference.a, preference.b} <= systems and preference.topic in topics
        ]

    def _position_bias(self, preferences: Sequence[Preference], tests: int) -> TrustBias:
        """How the order in which two summaries are shown changes the choice."""
        share, asked_twice = flip_rate(preferences)
        numbers = {system: number for number, system in enumerate(self.people.systems)}
        topics = {topic: number for number, topic in enumerate(self.people.topics)}
        signs = {"a": 1, "tie": 0, "b": -1}
        row = self._bias("position", share=share, n=len(preferences), is_asked_twice=bool(asked_twice))
        try:
            effect = order_effect(
                np.array([numbers[preference.a] for preference in preferences], dtype=np.int64),
                np.array([numbers[preference.b] for preference in preferences], dtype=np.int64),
                np.array([signs[preference.choice] for preference in preferences], dtype=np.int64),
                clusters=np.array([topics[preference.topic] for preference in preferences], dtype=np.int64),
            )
        except InputError as problem:
            return replace(row, problem=str(problem))
        if not effect.error > 0 or effect.freedom < 1:
            return replace(row, effect=effect.value)
        half = float(t_critical(self.options.confidence, effect.freedom)) * effect.error
        return replace(
            row,
            effect=effect.value,
            lower=effect.value - half,
            upper=effect.value + half,
            p=float(t_p(effect.value / effect.error, effect.freedom)),
            detectable=detectable_effect(effect.error, effect.freedom, alpha=self.level / max(tests, 1), power=POWER),
        )


def flip_rate(preferences: Sequence[Preference]) -> tuple[float | None, int]:
    """The share of pairs, asked in both orders, whose answer changes with the order; and how many there are.

    Choosing what is shown first both times, or second both times, is a change, and so is a tie in one order only.
    """
    choices: dict[tuple[str, str, str], str] = {}
    for preference in preferences:
        chosen = {"a": preference.a, "b": preference.b, "tie": ""}[preference.choice]
        choices.setdefault((preference.topic, preference.a, preference.b), chosen)
    flips: list[bool] = []
    for (topic, a, b), chosen in choices.items():
        other = choices.get((topic, b, a))
        # Each pair is met in both orders, and counts once.
        if a < b and other is not None:
            flips.append(chosen != other)
    return (float(np.mean(flips)) if flips else None), len(flips)
