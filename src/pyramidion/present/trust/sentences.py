"""What a trial found, in sentences: each verdict with the rule that decided it, each check with what it could find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from pyramidion.options import Use
from pyramidion.show.wording import capital, counted, in_words, listed, number, p_in_words, percent
from pyramidion.studies.trust.results import (
    BiasKind,
    Trust,
    TrustBias,
    TrustCard,
    TrustUse,
    Verdict,
)

USES: Final[Mapping[Use, str]] = {
    "rank": "rank systems",
    "pairs": "decide between close systems",
    "replace": "replace people",
}
VERDICTS: Final[Mapping[Verdict, str]] = {
    "yes": "yes",
    "partly": "with care",
    "no": "no",
    "unknown": "not known",
}
BIASES: Final[Mapping[BiasKind, str]] = {
    "length": "length",
    "copying": "copied text",
    "position": "position",
    "family": "its own family",
    "order": "place in the work",
}
HARDLY_HELPS = 0.05
"""R² within topics below which the human work saved is not worth the trouble."""


def verdict_sentence(card: TrustCard, use: TrustUse) -> str:
    """The reason for a verdict: what was found, and what the rule asks for."""
    if use.use == "rank":
        return _why_rank(card, use)
    if use.use == "pairs":
        return _why_pairs(card, use)
    return _why_replace(card, use)


def _why_rank(card: TrustCard, use: TrustUse) -> str:
    pairs = card.pairs
    if use.rule == "few-pairs":
        return _few_pairs(card)
    if use.rule == "reversed":
        return _reversed_sentence(card, use)
    share = pairs.ordered_alike or 0.0
    limits = _share_limits(pairs.lower, pairs.upper, pairs.confidence)
    count = round(share * pairs.separated)
    found = (
        f"It puts {count} of the {counted(pairs.separated, 'pair')} of systems that people separate in the same order "
        f"({percent(share)}{limits})."
    )
    if use.rule == "ordered":
        return f"{found} Below {percent(use.limit or 0)}, its ranking is no guide."
    if use.rule == "ordered-chance":
        return f"{found} The lower limit is no better than chance ({percent(use.limit or 0)})."
    if use.verdict == "partly":
        return f"{found} The lower limit does not reach {percent(use.limit or 0)}."
    return f"{found} The lower limit reaches {percent(use.limit or 0)}."


def _share_limits(lower: float | None, upper: float | None, confidence: float) -> str:
    if lower is None or upper is None:
        return ""
    return f"; {confidence:g} % confidence interval {percent(lower)} to {percent(upper)}"


def _few_pairs(card: TrustCard) -> str:
    separated = card.pairs.separated
    pairs = "no two systems" if not separated else f"only {counted(separated, 'pair')} of systems"
    return f"People separate {pairs} significantly; a verdict needs 3 pairs. More topics or more people would help."


def _reversed_sentence(card: TrustCard, use: TrustUse) -> str:
    pairs = card.pairs
    return (
        f"It misleads: of the {counted(pairs.separated, 'pair')} of systems that people separate, it separates "
        f"{pairs.reversed} the other way round ({percent(use.value or 0)}; at most {percent(use.limit or 0)} would be "
        "acceptable)."
    )


def _why_pairs(card: TrustCard, use: TrustUse) -> str:
    pairs = card.pairs
    if use.rule == "few-pairs":
        return _few_pairs(card)
    if use.rule == "reversed":
        return _reversed_sentence(card, use)
    found = (
        f"Of the {pairs.close} closest pairs that people separate, it separates {pairs.close_same} in the same order"
    )
    if use.rule.startswith("bias"):
        kind = use.rule.removeprefix("bias-")
        bias = next(row for row in card.biases if row.kind == kind)
        return f"{found}. But it is biased: {lower_first(bias_sentence(bias, is_points=card.scale is not None))}"
    share = percent(use.value or 0)
    if use.rule == "hardly-decided":
        return f"{found} ({share}). Below {percent(use.limit or 0)}, it leaves too much undecided to be of use."
    if use.verdict == "partly":
        rule = f"({share}; the rule asks for {percent(use.limit or 0)})"
        return f"{found} {rule}: a pair that it leaves undecided needs people."
    checked = "No bias was found" if card.biases else "No check of bias was possible"
    return f"{found} ({share}; the rule asks for {percent(use.limit or 0)}). {checked}."


def _why_replace(card: TrustCard, use: TrustUse) -> str:
    row = card.replacement
    if row.winning_rate is None or row.winning_rate_by_topic is None or row.advantage is None:
        return capital(f"{row.reason}.")
    won = sum(person.is_won for person in card.people)
    advantage = (
        f"its answers agree with the other people at least as well as a person's in {percent(row.advantage)} of cases"
    )
    test = (
        f"alternative annotator test, ω = {number(row.winning_rate)}, ρ = {number(row.advantage)}, ε = {row.epsilon:g}"
    )
    if use.rule == "no-agreement":
        return (
            f"It wins against {won} of {counted(row.people, 'person', 'people')} ({test}), but agrees with them no "
            "better than chance (κ): answers near the mean are close to everybody's."
        )
    if use.rule == "no-order":
        return (
            f"It wins against {won} of {counted(row.people, 'person', 'people')} ({test}), but does not even rank "
            "systems as people do: answers near the mean are close to everybody's."
        )
    if use.verdict == "no":
        return (
            f"It wins against {in_words(won, none='none')} of {counted(row.people, 'person', 'people')}; half of them "
            f"are needed. {capital(advantage)} ({test})."
        )
    if use.verdict == "partly":
        return (
            f"It wins against {won} of {counted(row.people, 'person', 'people')} if all answers are independent, but "
            f"those about one topic are not: allowing for that, ω is {number(row.winning_rate_by_topic)}, below 0.5 "
            f"({test})."
        )
    return f"It wins against {won} of {counted(row.people, 'person', 'people')}: {advantage} ({test})."


def validity_sentences(card: TrustCard) -> tuple[str, ...]:
    """Correlations, and what it makes of the pairs that people separate."""
    sentences: list[str] = []
    for level, place in (("system", "between systems"), ("topic", "within topics")):
        rows = [row for row in card.correlations if row.level == level and row.value is not None]
        parts = [_correlation(row.coefficient, row.value or 0.0, row.lower, row.upper) for row in rows]
        if parts:
            sentences.append(f"Correlation with {card.with_} {place}: {' and '.join(parts)}.")
    pairs = card.pairs
    if pairs.separated:
        undecided = pairs.undecided_same + pairs.undecided_reversed
        sentences.append(
            f"People separate {pairs.separated} of {counted(pairs.pairs, 'pair')} of systems. It separates "
            f"{pairs.same} of them in the same order and {pairs.reversed} the other way round, and leaves {undecided} "
            f"undecided. It separates {pairs.judge_only} other pairs on which people are undecided."
        )
    return tuple(sentences)


def _correlation(coefficient: str, value: float, lower: float | None, upper: float | None) -> str:
    name = {"kendall": "Kendall's τ", "pearson": "Pearson's r", "spearman": "Spearman's ρ"}[coefficient]
    limits = "" if lower is None or upper is None else f" ({number(lower)} to {number(upper)})"
    return f"{name} {number(value)}{limits}"


def severity_sentences(card: TrustCard) -> tuple[str, ...]:
    """Whether it is stricter than people, and how it uses the scale; then what changed since the anchor."""
    sentences: list[str] = []
    row = card.severity
    if row is not None and row.difference is not None:
        limits = _limits(row.lower, row.upper)
        is_found = row.p is not None and row.p < 1 - row.confidence / 100
        if is_found:
            direction = "below" if row.difference < 0 else "above"
            sentences.append(
                f"Its answers lie {number(abs(row.difference))} points {direction} people's on average{limits}: its "
                "means are no estimates of people's means."
            )
        else:
            sentences.append(
                f"Its answers lie {number(row.difference)} points from people's on average{limits}, which is not "
                f"significant{_could_find(row.detectable, 'a difference')}."
            )
        if row.share_of_most_used is not None and row.people_share is not None and row.most_used is not None:
            sentences.append(
                f"It answers {row.most_used:g} in {percent(row.share_of_most_used)} of cases, people in "
                f"{percent(row.people_share)}; its answers have a standard deviation of {number(row.spread or 0)}, "
                f"those of people {number(row.people_spread or 0)}."
            )
    if card.drift is not None:
        sentences += drift_sentences(card)
    return tuple(sentences)


def drift_sentences(card: TrustCard) -> list[str]:
    """How its scores changed since the anchor."""
    row = card.drift
    if row is None or row.change is None:
        return []
    limits = _limits(row.lower, row.upper)
    is_found = row.p is not None and row.p < 1 - row.confidence / 100
    changed = f"{percent(row.changed or 0)} of {counted(row.n, 'score')} are not what they were"
    if is_found:
        direction = "higher" if row.change > 0 else "lower"
        amount = f"{number(abs(row.change), 3)} {direction}"
        first = f"It has drifted: its scores are {amount} than in the anchor{limits}; {changed}."
    else:
        first = (
            f"No drift found: its scores changed by {number(row.change, 3)}{limits} since the anchor; {changed}"
            f"{_could_find(row.detectable, 'a change', 3)}."
        )
    amount = number(row.largest_change or 0, 3)
    largest = f"The mean of {row.largest_system} changed most, by {amount} relative to all systems."
    return [first, largest]


def _limits(lower: float | None, upper: float | None, digits: int = 2) -> str:
    if lower is None or upper is None:
        return ""
    return f" ({number(lower, digits)} to {number(upper, digits)})"


def _could_find(detectable: float | None, what: str, digits: int = 2) -> str:
    """What would have been found."""
    if detectable is None:
        return ""
    return f"; {what} of {number(detectable, digits)} would have been found (80 % power)"


def agreement_sentences(card: TrustCard) -> tuple[str, ...]:
    """Agreement of people with each other and with the judge."""
    sentences: list[str] = []
    for coefficient, name in (("ac2", "Gwet's AC2"), ("kappa", "quadratic κ")):
        rows = {row.raters: row for row in card.agreements if row.coefficient == coefficient and row.value is not None}
        judge, people = rows.get("judge"), rows.get("people")
        if judge is None or judge.value is None:
            continue
        sentence = f"It agrees with a person at {name} {number(judge.value)}{_limits(judge.lower, judge.upper)}"
        if people is not None and people.value is not None:
            sentence += f"; two people agree at {number(people.value)}{_limits(people.lower, people.upper)}"
        sentences.append(f"{sentence}.")
    alphas = {row.raters: row.value for row in card.agreements if row.coefficient == "alpha"}
    without, together = alphas.get("people"), alphas.get("people and judge")
    if without is not None and together is not None:
        sentences.append(
            f"Krippendorff's α of people is {number(without)}, with the judge among them {number(together)}."
        )
    return tuple(sentences)


def reliability_sentences(card: TrustCard) -> tuple[str, ...]:
    """How much runs differ, and how many of them average that out."""
    row = card.runs
    if row is None or row.between_runs is None:
        return ()
    same = f"All {in_words(row.runs)} runs give the same answer about {percent(row.equal or 0)} of the summaries."
    if row.reliability is None:
        return (same,)
    first = (
        f"One run has a reliability of {number(row.reliability)}: {percent(1 - row.reliability)} of the variance of "
        "its answers is noise between runs."
    )
    needed = "Even very many runs do not reach a reliability of 0.9."
    if row.runs_needed == 1:
        needed = "One run is enough for a reliability of 0.9."
    elif row.runs_needed is not None:
        needed = f"The mean of {counted(row.runs_needed, 'run')} has a reliability of 0.9."
    return first, same, needed


def bias_sentence(row: TrustBias, *, is_points: bool = True) -> str:
    """What a check found; if nothing, what it would have found."""
    if row.kind == "position":
        return _position_sentence(row)
    name = BIASES[row.kind]
    if row.effect is None or row.lower is None:
        return f"A bias by {name} can't be estimated: {row.reason}."
    size = f"{_amount(row.effect, is_points)}{_amount_limits(row)}"
    caution = ""
    # Where a summary stands in the work is no matter of its quality, if the order was shuffled.
    if not row.is_noise_removed and row.kind != "order":
        caution = (
            " People's noise is not allowed for, which takes two answers about a summary: part of it may be quality."
        )
    if row.is_found:
        favoured = _favoured(row)
        p = p_in_words(row.p_adjusted or 0)
        # With people's noise in it, four of ten unbiased judges seem biased: no more than a suspicion.
        verb = "favours" if row.is_noise_removed or row.kind in ("family", "order") else "may favour"
        return f"It {verb} {favoured}: {size} {_per(row)} at the same human score, {p}.{caution}"
    if row.detectable_correlation is not None and row.correlation is not None:
        found = f"a partial correlation above {number(row.detectable_correlation)} would have been found (80 % power)"
        return f"No bias by {name} found: {size} {_per(row)} (partial correlation {number(row.correlation)}); {found}."
    return f"No bias for {name} found: {size} {_per(row)}{_could_find(row.detectable, 'an effect')}."


def _favoured(row: TrustBias) -> str:
    is_more = (row.effect or 0) > 0
    if row.kind == "length":
        return "long summaries" if is_more else "short summaries"
    if row.kind == "copying":
        return "copied text" if is_more else "text that is not copied"
    if row.kind == "order":
        return "what it sees late" if is_more else "what it sees early"
    return "its own family" if is_more else "other systems over its own family"


def _per(row: TrustBias) -> str:
    if row.kind == "length":
        return "for twice as many words"
    if row.kind == "copying":
        return "for 10 % more copied words"
    if row.kind == "order":
        return "from the first to the last place"
    return "for systems of its own family"


def _amount(effect: float, is_points: bool) -> str:
    digits = 2 if abs(effect) >= 0.05 or is_points else 4
    sign = "+" if effect > 0 else ""
    unit = " points" if is_points else ""
    return f"{sign}{number(effect, digits)}{unit}"


def _amount_limits(row: TrustBias) -> str:
    digits = 2 if abs(row.effect or 0) >= 0.05 else 4
    return _limits(row.lower, row.upper, digits if max(abs(row.lower or 0), abs(row.upper or 0)) < 0.05 else 2)


def _position_sentence(row: TrustBias) -> str:
    flips = ""
    if row.share is not None:
        flips = f" {percent(row.share)} of its preferences change when the two summaries change places."
    if row.effect is None or row.lower is None or row.upper is None:
        return f"An effect of position can't be estimated: {row.reason}.{flips}"
    odds = [math.exp(value) for value in (row.effect, row.lower, row.upper)]
    if row.is_found:
        place = "first" if row.effect > 0 else "second"
        if row.effect < 0:
            odds = [1 / odds[0], 1 / odds[2], 1 / odds[1]]
        return (
            f"It favours what is shown {place}: of two equal summaries, the odds of the {place} one are "
            f"{number(odds[0], 1)} to 1 ({number(odds[1], 1)} to {number(odds[2], 1)}).{flips}"
        )
    could = ""
    if row.detectable is not None:
        could = f"; odds of {number(math.exp(row.detectable), 1)} to 1 would have been found (80 % power)"
    found = f"{number(odds[0], 1)} to 1 ({number(odds[1], 1)} to {number(odds[2], 1)})"
    return f"No effect of position found: the odds of the first one are {found}{could}.{flips}"


def resolution_sentences(card: TrustCard) -> tuple[str, ...]:
    """Which difference it separates, and which people do."""
    row = card.resolution
    if row.detectable is None or row.people_detectable is None:
        return (f"Its resolution is unknown: {row.reason}.",)
    digits = 2 if row.detectable >= 0.1 else 4
    first = (
        f"With {counted(row.topics, 'topic')}, it separates two systems that differ by "
        f"{number(row.detectable, digits)} on its own scale (80 % power); people separate those that differ by "
        f"{number(row.people_detectable)} on theirs."
    )
    if row.topics_needed is None:
        return first, "It does not follow people's means, so that no number of topics makes up for people."
    relation = "fewer" if row.topics_needed <= row.topics else "more"
    return (
        first,
        f"For the same difference it needs {counted(row.topics_needed, 'topic')}, {relation} than people"
        + (" do." if relation == "fewer" else ": each topic tells less."),
    )


def worth_sentences(card: TrustCard) -> tuple[str, ...]:
    """How much human work it saves, and why correlation between systems is no guide to that."""
    row = card.worth
    if row.r_squared is None or row.ratio is None:
        return (f"What it is worth next to people is unknown: {row.reason}.",)
    limits = _limits(row.lower, row.upper)
    saved = (
        f"Used together with people, it saves at most {percent(row.r_squared)} of the labels: R² within "
        f"topics is {number(row.r_squared)}{limits}, and each label counts as {number(row.ratio)} labels."
    )
    if row.r_squared < HARDLY_HELPS:
        saved = (
            f"Used together with people, it hardly saves any labels: R² within topics is "
            f"{number(row.r_squared)}{limits}."
        )
    system = [row for row in card.correlations if (row.level, row.coefficient) == ("system", "pearson")]
    caution = ""
    if system and system[0].value is not None:
        caution = f"Its correlation between systems (r = {number(system[0].value)}) is no guide to this."
    return tuple(filter(None, (saved, caution)))


def left_out_sentence(card: TrustCard) -> str:
    """What it did not score of what people scored; empty if that is nothing."""
    pairs = card.pairs
    if pairs.unscored is None or pairs.unscored_people is None or pairs.scored_people is None:
        return ""
    return (
        f"It gave no score to {counted(pairs.unscored, 'summary', 'summaries')} that people scored, "
        f"{number(pairs.unscored_people)} on average (the others: {number(pairs.scored_people)}); the verdicts are "
        "about the others alone."
    )


def lower_first(sentence: str) -> str:
    """A sentence without its capital letter, to go on after a colon."""
    return sentence[:1].lower() + sentence[1:]


def headline(card: TrustCard) -> str:
    """What it may be used for, in one line."""
    by_verdict: dict[Verdict, list[str]] = {}
    for use in card.uses:
        by_verdict.setdefault(use.verdict, []).append(USES[use.use])
    fine = listed(by_verdict.get("yes", []))
    careful = _listed_with_or(by_verdict.get("partly", []))
    name = card.name
    if fine and careful:
        return f"{name} may {fine}; with care, {careful}."
    if fine:
        return f"{name} may {fine}."
    if careful:
        return f"{name} may {careful} only with care."
    if "no" in by_verdict:
        return f"Do not rely on {name} to {_listed_with_or(by_verdict['no'])}."
    return f"The data does not show what {name} may be used for."


def _listed_with_or(uses: Sequence[str]) -> str:
    """`rank systems, decide between close systems or replace people`."""
    if len(uses) < 2:
        return "".join(uses)
    return f"{', '.join(uses[:-1])} or {uses[-1]}"


def trust_sentences(trust: Trust) -> tuple[str, ...]:
    """What each judge or measure may be used for; then which required uses are not met."""
    sentences = [headline(card) for card in trust.cards]
    sentences += [
        f"Required but not shown: {use.measure} may {USES[use.use]} ({VERDICTS[use.verdict]})." for use in trust.unmet
    ]
    return tuple(sentences)
