"""What one must know where a judge's means are compared alone, although people judged some topics, too."""

from __future__ import annotations

from pyramidion.show.wording import counted, listed, number
from pyramidion.studies.judge_offsets import JudgeOffset


def offset_sentence(offset: JudgeOffset) -> str:
    """By how much a judge is off where people judged, and what combines both."""
    whose = "the judge's means" if len(offset.judges) == 1 else f"means of the judges {listed(offset.judges)}"
    pronoun = "it is" if len(offset.judges) == 1 else "they are"
    where = f"the {counted(offset.topics, 'topic')} that people judged"
    if offset.topics == offset.topics_total:
        where = f"all {counted(offset.topics, 'topic')}, which people judged, too"
    if offset.topics == 1:
        where = "the only topic that people judged"
    limits = ""
    if offset.lower is not None and offset.upper is not None:
        limits = f" ({number(offset.lower)} to {number(offset.upper)})"
    size = f"{pronoun} off by {number(offset.difference)}{limits}"
    if offset.p is not None and offset.p >= 1 - offset.confidence / 100:
        size = f"no significant shift is seen: {number(offset.difference)}{limits}"
    return f"These are {whose}. On {where}, {size}. {_remedy(offset)}"


def _remedy(offset: JudgeOffset) -> str:
    if offset.topics == offset.topics_total:
        return f"People's own means are those of {offset.with_}."
    using = offset.measure
    if len(offset.judges) > 1 or using.startswith("question."):
        question = offset.with_.removeprefix("question.")
        using = ",".join(f"question(assessor={judge}).{question}" for judge in offset.judges)
    assumed = ""
    if not offset.is_planned:
        assumed = ' and, if these topics are a random sample, `assume_random="topics"`'
    return f'To correct it by people\'s answers, compare {offset.with_} with `using="{using}"`{assumed}.'
