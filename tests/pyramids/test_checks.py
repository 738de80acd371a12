"""What deserves a look in pyramids and annotations: one small campaign for each kind of problem."""

from collections.abc import Sequence

import pytest

from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Problem, Problems, Pyramid, Scu, Summary
from pyramidion.pyramids.checks import check_each

MODEL = "A ferry burned 🔥 off Gdańsk."
"""Five words and an emoji: offsets count code points."""
PEER = "The ferry burned."


def scu(uid: int, *parts: tuple[int, int], label: str = "", model: str = "A") -> Scu:
    return Scu(uid=uid, label=label or f"Label {uid}", contributors=(Contributor(model=model, parts=parts),))


def annotated(
    *matches: Match, unmatched: tuple[tuple[tuple[int, int], ...], ...] | None = (((0, 3),),)
) -> PeerAnnotation:
    return PeerAnnotation(topic="t", summarizer="p", scus=matches, unmatched=unmatched)


GOOD_SCUS = (scu(1, (0, 16)), scu(2, (17, 28)))
GOOD_MATCH = Match(uid=1, contributors=(((4, 17),),))


def problems_of(
    *scus: Scu, models: tuple[str, ...] = ("A",), annotations: Sequence[PeerAnnotation] | None = None
) -> list[Problem]:
    summaries = [Summary(topic="t", summarizer=model, kind="model", text=MODEL) for model in models]
    summaries.append(Summary(topic="t", summarizer="p", kind="peer", text=PEER))
    given = (annotated(GOOD_MATCH),) if annotations is None else tuple(annotations)
    campaign = Campaign(
        summaries=tuple(summaries),
        pyramids=(Pyramid(topic="t", models=models, scus=scus or GOOD_SCUS),),
        annotations=given,
    )
    problems = Problems()
    check_each([(None, campaign)], problems)
    return list(problems)


def test_a_pyramid_with_every_word_in_one_scu_has_no_problem() -> None:
    assert problems_of() == []


@pytest.mark.parametrize(
    ("scus", "found"),
    [
        ((scu(1, (0, 16)), scu(2, (8, 28))), "2 of 6 words in several SCUs: 'burned 🔥' at 8 (SCUs 1, 2)"),
        ((scu(1, (0, 14)),), "3 of 6 words in no SCU: '🔥 off Gdańsk.' at 15"),
        ((scu(0, (0, 16)), scu(1, (17, 28))), "the uid 0"),
        ((scu(1, (0, 28), label=" "),), "no label"),
        ((scu(1, (0, 16), label="Fire"), scu(2, (17, 28), label="fire ")), "the label 'Fire' on SCUs 1, 2"),
        ((*GOOD_SCUS, Scu(uid=3, label="Nobody says so")), "no contributor"),
        ((scu(1, (0, 28), (3, 9)),), "the parts [0, 28] and [3, 9], which overlap"),
        ((*GOOD_SCUS, scu(3, (16, 17))), "the part [16, 17] without a word"),
    ],
)
def test_what_deserves_a_look_is_a_warning(scus: tuple[Scu, ...], found: str) -> None:
    (problem,) = problems_of(*scus)
    assert (problem.severity, problem.found) == ("warning", found)
    assert problem.file == "pyramids.jsonl"
    assert problem.field is not None
    assert "topic t" in problem.field
    assert problem.expected
    assert problem.remedy


def test_two_contributors_of_one_model_are_a_warning() -> None:
    parts = (Contributor(model="A", parts=((0, 16),)), Contributor(model="A", parts=((17, 28),)))
    (problem,) = problems_of(Scu(uid=1, label="x", contributors=parts))
    assert problem.found == "2 contributors of model 'A'"
    assert problem.severity == "warning"


def test_a_model_without_a_contributor_is_a_warning() -> None:
    problems = problems_of(*GOOD_SCUS, models=("A", "B"))
    assert "model 'B' without a contributor" in [problem.found for problem in problems]


@pytest.mark.parametrize(
    ("scus", "found"),
    [
        ((scu(1, (0, 28)), scu(1, (0, 28))), "the uid 1 2 times"),
        ((scu(1, (0, 29)),), "the part [0, 29]"),
        ((scu(1, (0, 28)), scu(2, model="Z")), "a contributor of 'Z'"),
    ],
)
def test_what_can_not_be_is_an_error(scus: tuple[Scu, ...], found: str) -> None:
    assert found in [problem.found for problem in problems_of(*scus) if problem.severity == "error"]


@pytest.mark.parametrize(
    ("annotation", "severity", "found"),
    [
        (annotated(GOOD_MATCH, unmatched=None), "warning", "non-matching content that was not marked"),
        (annotated(GOOD_MATCH, unmatched=()), "warning", "1 of 3 words in no SCU: 'The' at 0"),
        (
            annotated(Match(uid=1, contributors=(((0, 17),),))),
            "warning",
            "1 of 3 words in several SCUs: 'The' at 0 (SCUs 1, 0)",
        ),
        (annotated(GOOD_MATCH, Match(uid=7)), "error", "the uid 7"),
        (
            annotated(GOOD_MATCH, Match(uid=2, present=False, contributors=(((0, 3),),))),
            "warning",
            "1 contributors of an SCU that is not present",
        ),
        (annotated(GOOD_MATCH, Match(uid=2, contributors=(((17, 99),),))), "error", "the part [17, 99]"),
    ],
)
def test_problems_of_an_annotation(annotation: PeerAnnotation, severity: str, found: str) -> None:
    (problem,) = problems_of(annotations=[annotation])
    assert (problem.severity, problem.found, problem.file) == (severity, found, "annotations.jsonl")


def test_an_annotation_that_names_no_pyramid_of_the_topic_is_an_error() -> None:
    lost = PeerAnnotation(topic="t", summarizer="p", scus=(), pyramid="nobody")
    (problem,) = problems_of(annotations=[lost])
    assert (problem.severity, problem.found) == ("error", "an annotation without a pyramid")


def test_peers_that_nobody_annotated_are_counted() -> None:
    summaries = [Summary(topic="t", summarizer=who, kind="peer", text=PEER) for who in "pqr"]
    campaign = Campaign(
        summaries=(*summaries, Summary(topic="t", summarizer="A", kind="model", text=MODEL)),
        pyramids=(Pyramid(topic="t", models=("A",), scus=GOOD_SCUS),),
        annotations=(annotated(GOOD_MATCH),),
    )
    problems = Problems()
    check_each([(None, campaign)], problems)
    assert [problem.found for problem in problems] == ["2 peers without an annotation: q, r"]


def test_light_annotations_say_nothing_about_words() -> None:
    assert problems_of(scu(1), scu(2), annotations=[annotated(Match(uid=1), unmatched=())]) == []
