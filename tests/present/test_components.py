"""Components of variance drawn: the largest first, with their shares."""

from dataclasses import replace

from pyramidion.present.comparison.leaderboards import WIDEST, components_panel
from pyramidion.studies.comparison.assessors import ComponentRow

ERROR = ComponentRow(
    measure="question.focus", term="error", value=0.2, lower=0.1, upper=0.4, levels=None, zero=False, confidence=95, seed=0
)  # fmt: skip
ASSESSOR = replace(ERROR, term="summarizer:assessor", value=0.6, lower=0.1, upper=9.0, levels=4)
RUN = replace(ERROR, term="run", value=0.1, lower=None, upper=None)


def test_components_have_their_share_and_wide_intervals_are_cut_and_said() -> None:
    spec = components_panel([ERROR, ASSESSOR, RUN])
    rows = spec["data"]["values"]
    assert [(row["name"], row["value"], row["share"]) for row in rows] == [
        ("summarizer × assessor", 0.6, "75 % (up to 9)"),
        ("error", 0.2, "25 %"),
        ("run", 0.1, ""),  # part of the error
    ]
    assert [row["upper"] for row in rows] == [WIDEST * 0.6, 0.4, 0.1]
