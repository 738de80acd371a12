"""What correlations say: which measure correlates best, whether two differ, and what limits the finding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from pyramidion.errors import mention
from pyramidion.options import Coefficient, Level
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted, listed, number, p_in_words, with_interval
from pyramidion.studies.correlations.correlations import Correlations, PartCorrelations, family_of
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS, Correlation
from pyramidion.studies.correlations.tests import AccuracyTest, Cluster, CorrelationTest

FEW_SUMMARIZERS = 10
"""Correlations over fewer are not reliable."""
FEW_TESTS = 6
"""Up to this many significant differences, a table has a sentence for each."""
PARTS_COMPARED = 3
"""Measures whose groups of topics are compared in sentences."""
METHODS = {"williams": "Williams' test", "permutation": "permutation test"}


def direction_notes(result: Correlations, *names: str) -> list[str]:
    """For which of these measures lower is better, if it is not so for all."""
    reversed_names = [name for name in dict.fromkeys(names) if name in result.lower_is_better]
    if not reversed_names or len(reversed_names) == len(set(names)):
        return []
    return [f"For {listed(reversed_names)}, lower is better: agreement shows as a negative correlation."]


def describe_correlation(correlation: Correlation, *, confidence: bool = True) -> str:
    """`0.71 (95 % interval 0.64 to 0.78)`; without the confidence `0.71 (0.64 to 0.78)`."""
    level = correlation.confidence if confidence else None
    return with_interval(correlation.value, correlation.lower, correlation.upper, confidence=level)


def correlation_sentences(
    result: Correlations, target: str, level: Level, among: Iterable[str] | None = None
) -> list[str]:
    """Which measure correlates most highly and which do not significantly; of all measures or of some."""
    chosen = result.ranked(target, level=level)
    if among:
        chosen = [correlation for correlation in chosen if correlation.measure in among]
    ranked = [correlation for correlation in chosen if correlation.value is not None]
    if level == "system" and not ranked and any(correlation.n == 2 for correlation in chosen):
        return [
            "Two systems can't be correlated: two points always lie on a line. Correlate single summaries "
            f"({mention('level', 'global')}), or the systems within each topic ({mention('level', 'topic')})."
        ]
    if not ranked:
        return [f"No correlation with {target} is defined."] if chosen else []
    best, *rivals = ranked
    if level == "system" and best.n < FEWEST_SUMMARIZERS:
        return [
            f"No finding: only {counted(best.n, 'summarizer')} have both scores, and a correlation over fewer than "
            f"{FEWEST_SUMMARIZERS} says nothing reliable."
        ]
    sentences = [_best_sentence(result, best, rivals, target)]
    not_significant = [correlation.measure for correlation in ranked if correlation.significant is False]
    if not_significant:
        sentences.append(
            f"Not significantly correlated by {best.coefficient.capitalize()}'s coefficient (the interval includes 0): "
            f"{listed(not_significant)}."
        )
    if level == "system" and best.n < FEW_SUMMARIZERS:
        sentences.append(f"Correlations over only {counted(best.n, 'summarizer')} are not reliable.")
    return sentences


def _best_sentence(result: Correlations, best: Correlation, rivals: Sequence[Correlation], target: str) -> str:
    """Which measure correlates most highly, and which is next."""
    verb = "correlates"
    equals = [rival for rival in rivals if math.isclose(rival.value or 0.0, best.value or 0.0, abs_tol=1e-9)]
    if equals:
        names = listed([best.measure, *(rival.measure for rival in equals)])
        value = f"{best.coefficient.capitalize()} {describe_correlation(best)}"
        if len(equals) == len(rivals):
            return f"{names} have the same correlation with {target}: {value}."
        next_row = rivals[len(equals)]
        next_value = describe_correlation(next_row, confidence=False)
        return (
            f"{names} have the strongest correlation with {target}: {value}. Next is {next_row.measure}: {next_value}."
        )
    if rivals:
        verb = "correlates best" if result.is_best(best, rivals) else "has the strongest correlation"
    coefficient = best.coefficient.capitalize()
    sentence = f"{best.measure} {verb} with {target}: {coefficient} {describe_correlation(best)}."
    if rivals:
        sentence += f" Next is {rivals[0].measure}: {describe_correlation(rivals[0], confidence=False)}."
    return sentence


def difference_verdict(result: Correlations, better: str, worse: str, target: str) -> str:
    """Whether two measures correlate differently with a third, as the end of a sentence."""
    test = result.test_of(better, worse, target)
    if test is None:
        return "the two can't be tested (no test was asked for)"
    if test.p is None:
        return f"the two can't be tested ({test.reason})"
    corrected = test.p if test.p_adjusted is None else test.p_adjusted
    family_size = len(result.families[family_of(test)])
    method = f"{METHODS[test.method]}, {p_in_words(test.p, test.decimals)}"
    p = p_in_words(corrected, test.decimals)
    holm = f"after Holm correction for {counted(family_size, 'pair')}"
    if test.p >= result.significance:
        return f"the difference is not significant ({method})"
    if corrected >= result.significance:
        return f"the difference is significant if tested alone ({method}) but not {holm} ({p})"
    if family_size == 1:
        return f"the difference is significant ({method})"
    return f"the difference is significant ({method}; {p} {holm})"


def difference_sentences(tests: Sequence[CorrelationTest], significance: float) -> list[str]:
    """Which measures correlate better than others by the first coefficient; "undecided" where neither is shown better.

    p is corrected for the tests of one coefficient at one level, so only these are put into words: a significant
    difference among those of several coefficients would be significant too often.
    """
    tested = [test for test in tests if test.p_adjusted is not None]
    made = [test for test in tested if test.coefficient == tested[0].coefficient]
    if not made:
        return []
    first = made[0]
    if first.level == "system" and first.n < FEWEST_SUMMARIZERS:
        return [f"No finding: only {counted(first.n, 'summarizer')} have all three scores."]
    significant = [test for test in made if test.better(significance)]
    corrected = f", Holm-corrected for {len(made)} tests" if len(made) > 1 else ""
    place = f"{first.coefficient.capitalize()}, {first.level} level"
    if len(significant) > FEW_TESTS:
        share = f"{len(significant)} of {len(made)} differences are significant"
        count = f"{share} ({place}, p < {significance:.4g}{corrected})."
        return [count, *_power_sentence(made, significance)]
    sentences = [_better_sentence(test, significance, corrected) for test in significant]
    sentences += _undecided_sentence(made, significant)
    return [*sentences, *_power_sentence(made, significance)]


def _better_sentence(test: CorrelationTest, significance: float, corrected: str) -> str:
    """Which of two measures correlates significantly better."""
    better = test.better(significance)
    worse = test.second if better == test.first else test.first
    p = p_in_words(test.p_adjusted or 0.0, test.decimals)
    return (
        f"{better} correlates significantly better with {test.with_} than {worse} "
        f"({test.coefficient.capitalize()}, {test.level} level, {p}{corrected})."
    )


def _undecided_sentence(tests: Sequence[CorrelationTest], significant: Sequence[CorrelationTest]) -> Iterator[str]:
    """How many pairs of measures do not differ significantly; a single pair is named."""
    undecided = [test for test in tests if test not in significant]
    if not undecided:
        return
    first = undecided[0]
    place = f"{first.coefficient.capitalize()}, {first.level} level"
    if len(tests) == 1:
        p = p_in_words(first.p_adjusted or 0.0, first.decimals)
        yield (
            f"Undecided: neither {first.first} nor {first.second} is shown to correlate better with {first.with_} "
            f"({place}, {p})."
        )
        return
    none = "" if significant else f": no difference between two correlations with {first.with_} is significant"
    yield f"Undecided: {counted(len(undecided), 'pair')} of measures{none} ({place}, Holm-corrected)."


def _power_sentence(tests: Sequence[CorrelationTest], significance: float) -> Iterator[str]:
    """That tests could not have been significant, whatever the scores."""
    hopeless = [test for test in tests if not test.can_be_significant(significance)]
    least_p = [test.least_p for test in hopeless if test.least_p is not None]
    if not least_p:
        return
    what = "No difference" if len(least_p) == len(tests) else counted(len(least_p), "difference")
    corrected = " after correction" if len(tests) > 1 else ""
    yield (
        f"{what} could have reached significance: p can't be below {min(least_p):.2g}{corrected}. Fewer measures, more "
        "summarizers or more permutations have more power."
    )


def accuracy_sentences(tests: Sequence[AccuracyTest], significance: float) -> Iterator[str]:
    """Which measures order pairs as people do significantly more often than others, by each kind of accuracy."""
    for kind, same in grouped(tests, attrgetter("kind")).items():
        made = [test for test in same if test.p_adjusted is not None]
        if not made:
            continue
        corrected = f", Holm-corrected for {len(made)} tests" if len(made) > 1 else ""
        significant = [test for test in made if test.better(significance)]
        place = f"{kind}, {made[0].level} level"
        if len(significant) > FEW_TESTS:
            yield (
                f"{len(significant)} of {len(made)} differences between accuracies are significant ({place}, "
                f"p < {significance:.4g}{corrected})."
            )
        elif not significant:
            yield f"Undecided: no two measures differ significantly in pairwise accuracy ({place})."
        else:
            for test in significant:
                better = test.better(significance)
                worse = test.second if better == test.first else test.first
                p = p_in_words(test.p_adjusted or 0.0, test.decimals)
                yield (
                    f"{better} orders pairs as {test.with_} does significantly more often than {worse} "
                    f"({place}, {p}{corrected})."
                )


def cluster_sentence(clusters: Sequence[Cluster]) -> str:
    """Which measures are in the first cluster, and how many clusters there are."""
    ranked = [cluster for cluster in clusters if cluster.rank is not None]
    if not ranked:
        return f"No correlation with {clusters[0].with_} is defined: measures are in no clusters."
    members, *further = grouped(ranked, attrgetter("rank")).values()
    if not further:
        return "All measures are in one cluster: no difference is significant."
    names = [cluster.measure for cluster in members]
    first = f"{names[0]} alone is" if len(names) == 1 else f"{listed(names)} are"
    return f"{first} in the first of {len(further) + 1} clusters by correlation with {clusters[0].with_}."


def closest_sentences(result: Correlations, level: Level, coefficient: Coefficient) -> Iterator[str]:
    """Which two measures agree most, and which least."""
    rows = [row for row in result.correlations if (row.level, row.coefficient) == (level, coefficient)]
    strongest_first = sorted(rows, key=lambda row: -abs(row.value or 0.0))
    ranked = [row for row in strongest_first if row.value is not None]
    if not ranked:
        yield "No correlation of two measures is defined."
        return
    closest, weakest = ranked[0], ranked[-1]
    yield f"{closest.measure} and {closest.with_} are correlated most closely ({number(closest.value or 0.0)})."
    if len(ranked) > 1:
        value = number(weakest.value or 0.0)
        yield f"The weakest correlation is that of {weakest.measure} and {weakest.with_} ({value})."


def part_sentences(result: PartCorrelations) -> Iterator[str]:
    """In which group the first measures correlate best, and in which least."""
    if result.options.matrix:
        return
    coefficient = result.options.coefficient[0].capitalize()
    for target in result.targets:
        for measure in result.measures[:PARTS_COMPARED]:
            values = result.values_by_part(measure, target)
            if len(values) < 2:
                continue
            best = max(values, key=lambda part: abs(values[part]))
            least = min(values, key=lambda part: abs(values[part]))
            yield (
                f"{measure} has its strongest correlation with {target} where {result.by} is {best} "
                f"({coefficient} {number(values[best], 3)}), its weakest where it is {least} "
                f"({number(values[least], 3)})."
            )
