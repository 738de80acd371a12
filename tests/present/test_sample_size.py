"""How many references and topics are enough: the numbers come from the result, the words from here."""

from typing import Literal

import numpy as np

from pyramidion.options import SampleSizeOptions
from pyramidion.present.sample_size import answer_sentences, gain_table, headline
from pyramidion.studies.sample_size import SampleSizeStudy
from pyramidion.studies.sample_size.samples import Curve, PartSamples

HUMAN = "question.overall"


def study_of(sampled: Literal["models", "topics"], *curves: Curve) -> SampleSizeStudy:
    return SampleSizeStudy(
        study=sampled,
        measures=tuple(curve.measure for curve in curves),
        targets=(HUMAN,),
        options=SampleSizeOptions(tolerance=0.05),
        seed=0,
        parts=(PartSamples(name="", curves=curves, halves=(), topics=9, notes={}),),
    )


def curve_of(measure: str, *means: float) -> Curve:
    """Means for 1, 2, … references or topics, the last for all."""
    *drawn, actual = means
    return Curve(
        measure=measure,
        with_=HUMAN,
        drawn={k: np.array([mean, mean]) for k, mean in enumerate(drawn, 1)},
        full=len(means),
        actual=actual,
        bootstrapped=np.array([actual, actual]),
        summarizers=9,
    )


def test_what_is_enough_for_the_leading_automatic_measure_is_the_headline() -> None:
    references = study_of(
        "models",
        curve_of("rouge-1.recall", 0.5, 0.66, 0.7),
        curve_of("rouge-2.recall", 0.5, 0.76, 0.8),
        curve_of("pyramid.modified", 0.85, 0.9, 0.9),
    )
    topics = study_of("topics", curve_of("rouge-2.recall", 0.78, 0.79, 0.8, 0.8))
    assert headline([references]) == (
        "rouge-2.recall needs only 2 of 3 references, to come within 0.05 of its correlation on all data on average"
    )
    assert headline([references, topics]).startswith(
        "rouge-2.recall needs only 2 of 3 references, or 1 of 4 topics, to"
    )
    assert headline([study_of("topics", curve_of("rouge-2.recall", 0.1, 0.8))]) == ""


def test_measures_that_differ_by_what_they_need_are_listed() -> None:
    references = study_of("models", curve_of("rouge-1.recall", 0.5, 0.66, 0.7))
    topics = study_of("topics", curve_of("rouge-2.recall", 0.78, 0.79, 0.8, 0.8))
    assert headline([references, topics]).startswith(
        "rouge-1.recall needs only 2 of 3 references and rouge-2.recall needs only 1 of 4 topics, to come within"
    )


def test_the_fewest_come_first_and_then_how_many_are_enough() -> None:
    study = study_of("models", curve_of("rouge-2.recall", 0.5, 0.76, 0.8), curve_of("js", -0.3, -0.4, -0.6))
    fewest, enough, rest = answer_sentences(study, study.parts[0], HUMAN)
    assert fewest == (
        "With 1 reference, rouge-2.recall correlates at 0.50 with question.overall on average (95 % of the samples: "
        "0.50 to 0.50); with all 3, at 0.80."
    )
    assert enough == (
        "rouge-2.recall needs only 2 of 3 references: its mean correlation over samples is within 0.05 of that with "
        "all 3. A single sample may be further off."
    )
    assert rest == "By the same criterion, references that are enough for the other measures: all 3 for js."


def test_of_topics_no_number_above_half_is_called_enough() -> None:
    """Samples of three of four topics have at least two in common: that they agree says little."""
    leading, other = curve_of("rouge-2.recall", 0.5, 0.6, 0.79, 0.8), curve_of("js", -0.3, -0.4, -0.59, -0.6)
    study = study_of("topics", leading, other)
    *_, enough, rest = answer_sentences(study, study.parts[0], HUMAN)
    assert enough.startswith("With up to half of the topics, the mean correlation of rouge-2.recall")
    assert rest == "By the same criterion, topics that are enough for the other measures: more than 2 for js."
    assert [row[-1] for row in gain_table(study, study.parts[0], HUMAN).rows] == ["more than 2", "more than 2"]


def test_without_a_defined_correlation_nothing_is_said() -> None:
    study = study_of("models", curve_of("rouge-2.recall", np.nan, np.nan))
    assert answer_sentences(study, study.parts[0], HUMAN) == ()
    assert headline([study]) == ""
