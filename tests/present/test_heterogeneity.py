"""The study of heterogeneity in words."""

from typing import Any

import pytest

from pyramidion.options import HeterogeneityOptions
from pyramidion.present.heterogeneity import headline
from pyramidion.studies.heterogeneity import HeterogeneityStudy, HeterogeneityTopics, MeasureAuc


def auc_row(measure: str, auc: float | None, rank: int | None, p: float | None = None) -> MeasureAuc:
    return MeasureAuc(
        measure=measure,
        auc=auc,
        robustness=None,
        rank=rank,
        robustness_rank=None,
        pooled=None,
        consistent=None,
        t=None if p is None else 3.0,
        p=p,
        n=3,
        undefined=0,
        with_="quality",
        seed=0,
    )


@pytest.mark.parametrize(
    ("hbr", "best", "line"),
    [
        ((0.9, 1), (0.8, 2, 0.01), "Combining 2 measures (HBR) beats the best of them: AUC 0.900, rouge-1.f 0.800"),
        (
            (0.9, 1),
            (0.8, 2, 0.2),
            "Combining 2 measures (HBR) is not significantly better than the best of them: AUC 0.900, rouge-1.f 0.800",
        ),
        (
            (0.9, 1),
            (0.9, 1),
            "Combining 2 measures (HBR) has the same AUC as the best of them: AUC 0.900, rouge-1.f 0.900",
        ),
        ((0.8, 2), (0.9, 1), "Combining 2 measures (HBR) does not beat the best of them: AUC 0.800, rouge-1.f 0.900"),
        ((None, None), (0.9, 1), "rouge-1.f has the highest AUC: 0.900"),
        ((None, None), (None, None), "rouge-1.f has the highest AUC"),
    ],
)
def test_the_headline_says_whether_the_combination_is_better(
    hbr: tuple[float | None, int | None], best: tuple[Any, ...], line: str
) -> None:
    study = HeterogeneityStudy(
        measures=("rouge-1.f", "rouge-2.f"),
        quality="quality",
        hbr="hbr",
        aucs=(auc_row("rouge-1.f", *best), auc_row("hbr", *hbr)),
        sets=(),
        bins=(),
        inconsistent=(),
        summary=HeterogeneityTopics(consistent=1, n=3, worst=20.0, bin_correlation=None),
        options=HeterogeneityOptions(),
        seed=0,
        notes={},
    )
    assert headline(study) == line
