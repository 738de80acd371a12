"""Three verdicts on a judge or a measure, each by a rule on what was found: to rank, to decide, to replace people."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.options import TrustOptions, Use
from pyramidion.statistics.alternative_test import PASSING_SHARE
from pyramidion.studies.trust.results import TrustAgreement, TrustBias, TrustPairs, TrustReplacement, TrustUse, Verdict

FEWEST_PAIRS = 3
"""Pairs that people must separate before it can be said how well a judge orders them."""
ORDERED = 0.9
"""Rank: even the lower limit of the share of pairs in the same order reaches this."""
HARDLY_ORDERED = 0.8
"""Rank: below this share, it does not."""
CHANCE = 0.5
"""Rank: the lower limit is above the share that a judge orders alike by chance."""
REVERSED = 0.05
"""Rank and pairs: the largest share of the pairs that people separate which it may separate the other way round."""
DECIDED = 0.8
"""Pairs: the share of close pairs that it separates, too, in the same order; the power that studies are planned for."""
HARDLY_DECIDED = 0.5
"""Pairs: below this share it does not; a judge that is noise separates next to none."""
_Decision = tuple[Verdict, str, float | None, float | None]
"""The verdict, the rule that decided, what was found, and what it was compared with."""


def light_lamps(
    pairs: TrustPairs,
    replacement: TrustReplacement,
    biases: Sequence[TrustBias],
    options: TrustOptions,
    *,
    agreement: TrustAgreement | None = None,
) -> tuple[TrustUse, ...]:
    """The verdict on each use.

    rank: yes if the share of pairs in the same order is at least 90 % by its lower limit; no if it is below 80 %, if
    its lower limit is no more than chance (50 %), or if more than 5 % of the separated pairs are significant the
    other way round; else partly.

    pairs: yes if at least 80 % of the close pairs are significant in the same order, and no bias was found; no if less
    than half are, or if more than 5 % are significant the other way round; else partly.

    replace: yes if ω is at least 0.5, also with the answers about a topic as dependent; partly if only without; else
    no, and no if it may not rank, or if its agreement with people (quadratic κ) may be chance: the test alone passes
    some judges that give nearly all summaries the same answer.
    """
    rank = _decide_rank(pairs)
    decisions: dict[Use, _Decision] = {
        "rank": rank,
        "pairs": _decide_pairs(pairs, biases),
        "replace": _decide_replacement(replacement, agreement, can_rank=rank[0] != "no"),
    }
    return tuple(
        TrustUse(
            measure=pairs.measure,
            with_=pairs.with_,
            use=use,
            verdict=verdict,
            rule=rule,
            value=value,
            limit=limit,
            is_required=use in options.require,
            note=pairs.note,
        )
        for use, (verdict, rule, value, limit) in decisions.items()
    )


def _decide_rank(pairs: TrustPairs) -> _Decision:
    if pairs.separated < FEWEST_PAIRS or pairs.ordered_alike is None or pairs.lower is None:
        return "unknown", "few-pairs", float(pairs.separated), float(FEWEST_PAIRS)
    reversed_share = pairs.reversed / pairs.separated
    if reversed_share > REVERSED:
        return "no", "reversed", reversed_share, REVERSED
    if pairs.ordered_alike < HARDLY_ORDERED:
        return "no", "ordered", pairs.ordered_alike, HARDLY_ORDERED
    if pairs.lower <= CHANCE:
        return "no", "ordered-chance", pairs.lower, CHANCE
    verdict: Verdict = "yes" if pairs.lower >= ORDERED else "partly"
    return verdict, "ordered-limit", pairs.lower, ORDERED


def _decide_pairs(pairs: TrustPairs, biases: Sequence[TrustBias]) -> _Decision:
    if pairs.separated < FEWEST_PAIRS or not pairs.close:
        return "unknown", "few-pairs", float(pairs.separated), float(FEWEST_PAIRS)
    reversed_share = pairs.reversed / pairs.separated
    if reversed_share > REVERSED:
        return "no", "reversed", reversed_share, REVERSED
    decided_share = pairs.close_same / pairs.close
    if decided_share < HARDLY_DECIDED:
        return "no", "hardly-decided", decided_share, HARDLY_DECIDED
    if decided_share < DECIDED:
        return "partly", "decided", decided_share, DECIDED
    found = [bias for bias in biases if bias.is_found]
    if found:
        return "partly", f"bias-{found[0].kind}", found[0].effect, 0.0
    return "yes", "decided", decided_share, DECIDED


def _decide_replacement(
    replacement: TrustReplacement, agreement: TrustAgreement | None, *, can_rank: bool
) -> _Decision:
    rate, by_topic = replacement.winning_rate, replacement.winning_rate_by_topic
    if rate is None or by_topic is None:
        return "unknown", "few-people", float(replacement.people), 2.0
    if rate < PASSING_SHARE:
        return "no", "won", rate, PASSING_SHARE
    if not can_rank:
        return "no", "no-order", rate, PASSING_SHARE
    if agreement is not None and agreement.value is not None and (agreement.lower or 0.0) <= 0:
        return "no", "no-agreement", agreement.lower, 0.0
    if by_topic < PASSING_SHARE:
        return "partly", "won-by-topic", by_topic, PASSING_SHARE
    return "yes", "won-by-topic", by_topic, PASSING_SHARE
