"""Samples in words: what people are asked for."""

from __future__ import annotations

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import percent
from pyramidion.studies.predictions.plans import HEAVY, PlanRow, SamplePlan

_HOW = {
    "topics": "drawn at random, each with all systems",
    "SCUs": "drawn at random within topics, each to be answered in all systems",
    "answers": "drawn one by one within each system",
}


def plan_tables(plan: SamplePlan) -> list[Table]:
    """The numbers of a sample."""
    columns = (
        Column("clusters", "drawn are"),
        "drawn",
        Column("total", "of"),
        "answers",
        Column("answers_total", "of"),
        Column("chance_least", "smallest chance", 3),
        "draws",
        "seed",
    )
    return [table_of([plan.plan], columns, title="The sample", sentences=plan_sentences(plan), notes=plan_notes(plan))]


def plan_sentences(plan: SamplePlan) -> tuple[str, ...]:
    """What people are asked, and what comes next."""
    row = plan.plan
    sentences = [
        f"People are asked {share_of_answers(row)}: {row.drawn:,} of {row.total:,} {row.clusters}, "
        f"{how_drawn(row, is_independent=plan.units[0].stratum is None)}."
    ]
    if plan.added:
        sentences.append(
            f"{plan.added:,} {row.clusters} were added to the earlier sample. If you decided to extend it after you "
            "saw results, say so where you report them: it is a second look."
        )
    return tuple(sentences)


def share_of_answers(row: PlanRow) -> str:
    """How many answers a sample asks for: `2,140 of 13,325 answers (16 %)`."""
    return f"{row.answers:,} of {row.answers_total:,} answers ({percent(row.answers / max(row.answers_total, 1))})"


def how_drawn(row: PlanRow, *, is_independent: bool) -> str:
    """How units were drawn, in words."""
    if is_independent:
        return "each drawn by itself, more often where the predictor is unsure"
    return _HOW[row.clusters]


def plan_notes(plan: SamplePlan) -> tuple[str, ...]:
    """What one must know about a sample."""
    notes = ["Answers outside the sample are kept, but not used: they were not drawn by chance."]
    if plan.plan.chance_least < HEAVY:
        notes.append(
            f"The smallest chance is {plan.plan.chance_least:.3f}: one answer stands for more than "
            f"{1 / HEAVY:.0f}. A larger share or floor makes results steadier."
        )
    return tuple(notes)


PLAN = Presenter(tables=plan_tables, answer=plan_sentences)
