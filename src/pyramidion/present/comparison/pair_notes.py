"""What one must know to read the test of a pair, and why a number of it is undefined."""

from __future__ import annotations

from pyramidion.present.comparison.analysis_notes import scope_of_assessors
from pyramidion.present.topic_and_run_notes import advise_clusters, describe_noise
from pyramidion.show.wording import counted, p_in_words, together
from pyramidion.statistics.pairs import MOST_FLIPPED
from pyramidion.studies.comparison.assessors import FEW_CONTRASTS
from pyramidion.studies.comparison.pairs import FEW_CLUSTERS, FEW_DIFFERENCES, Pair


def pair_note(pair: Pair) -> str:
    """What one must know about the scores of the two, and to read the result, in one note."""
    scope = scope_of_assessors(pair.fixed_assessors).rstrip(".")
    return together(pair.about_scores, scope, *(caution.rstrip(".") for caution in cautions_of(pair)))


def cautions_of(pair: Pair) -> list[str]:
    """What one must know to read the result, in sentences; it depends on the scores of the two systems alone."""
    cautions = [
        _about_other_test(pair),
        _about_equal_differences(pair),
        _about_spread(pair),
        _about_assessors(pair),
        _about_clusters(pair),
        advise_clusters(pair.shared_field, pair.shared_topics),
        _about_runs(pair),
    ]
    return [caution for caution in cautions if caution]


def _about_runs(pair: Pair) -> str:
    """Where scores are means of runs: what the runs add to the variance of the difference."""
    if pair.runs is None or pair.run_share is None:
        return ""
    return describe_noise(pair.runs, pair.run_share, pair.noise, has_fewer=pair.has_fewer_runs)


def _about_other_test(pair: Pair) -> str:
    """Where the chosen test and the permutation test fall on different sides of the level."""
    if pair.p is None or pair.p_permutation is None or pair.effect is None:
        return ""
    if (pair.p <= pair.level) == (pair.p_permutation <= pair.level):
        return ""
    assumption = "which assumes no distribution"
    if pair.assessors == "random":
        assumption = "which takes the assessors as given"
    # Of all 2ⁿ flips, at least two are as extreme as the data: the data itself, and its mirror image.
    least = 2.0 ** (1 - pair.units)
    bound = f" (it can't be below {least:.3g} with {counted(pair.units, pair.unit)})" if least > pair.level else ""
    return (
        f"The verdict depends on the test: {p_in_words(pair.p)} by the {pair.test_name}, "
        f"{p_in_words(pair.p_permutation)} by the permutation test, {assumption}{bound}."
    )


def _about_equal_differences(pair: Pair) -> str:
    if pair.method == "bounded" and pair.assessors == "fixed":
        return ""
    if pair.lower is None or pair.n < FEW_DIFFERENCES or 2 * pair.most_equal <= pair.n:
        return ""
    return (
        f"{pair.most_equal:,} of {pair.n:,} differences are equal to each other: the interval may be too short; "
        '`method="bounded"` gives one that is exact for scores with a scale.'
    )


def _about_spread(pair: Pair) -> str:
    """Where the t test is undefined and another p is given."""
    is_undefined = pair.method == "t" and pair.assessors == "fixed" and pair.df is None
    if not is_undefined or pair.units < 2 or not pair.difference:
        return ""
    if pair.clusters is not None:
        return "The means of all clusters are equal, so there is no t test: p is that of the permutation test."
    return f"All {pair.n:,} differences are equal, so there is no t test: p is that of the permutation test."


def _about_assessors(pair: Pair) -> str:
    if pair.assessors == "fixed" or pair.assessor_count - 1 >= FEW_CONTRASTS:
        return ""
    return f"With {pair.assessor_count} assessors, the error rate of a test at the 5 % level may be 7 %."


def _about_clusters(pair: Pair) -> str:
    """Where so few clusters are the unit that little can be shown."""
    if pair.clusters is None or pair.clusters >= FEW_CLUSTERS or not pair.n:
        return ""
    if pair.clusters == 1:
        return "The topics of the two are all of one cluster, which says nothing about others: nothing can be tested."
    return (
        f"With {pair.clusters} clusters, only large differences can be found; more clusters help, more topics do not."
    )


def why_undefined(pair: Pair) -> str:
    """Why some of a pair's numbers are undefined."""
    if pair.n == 0:
        return "no topic has scores of both"
    reasons = []
    if pair.effect is None:
        reasons.append("the differences do not vary" if pair.n > 1 else "a single difference has no spread")
    elif pair.lower is None and pair.clusters is not None and pair.method == "t":
        reasons.append("a single cluster has no spread" if pair.clusters == 1 else "the clusters do not vary")
    if pair.lower is None and pair.method == "sign-flip":
        reasons.append(f"a sign-flip interval at this level needs {pair.needed_for_interval}")
    if pair.margin is None:
        reasons.append("no margin was given")
    if pair.least_p is None:
        reasons.append("only sign-flip tests have a least p")
    if pair.lower is None and pair.method == "bounded":
        reasons.append("the first topics, in the order that the seed draws, exclude what all of them show")
    if pair.method != "t":
        reasons.append(f"a {pair.test_name} has no degrees of freedom")
    if pair.p_permutation is None:
        reasons.append(f"no permutation test for more than {MOST_FLIPPED:,} {pair.unit}s")
    return together(*reasons)
