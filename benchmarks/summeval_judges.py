"""SummEval with the single answers of its three experts and those of two judges, GPT-4 and GPT-3.5, as a campaign.

    PYRAMIDION_DATA=FOLDER python -m benchmarks.summeval_judges ANSWERS OUT

FOLDER has the campaign summeval; ANSWERS is a copy of the repository DAMO-NLP-SG/LLM_summeval (Shen and others 2023),
which has no licence and so is not part of this; OUT is a new folder. The cards of docs/concepts/trust.md and the rows
of docs/concepts/predictions.md about GPT-4 come from it:

    pyramidion trust OUT -m gpt-4-0314 --with question.relevance
    pyramidion study labels OUT -m question.relevance --using 'question(assessor=gpt-4-0314).relevance' --resamples 200
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pyramidion.campaign import Assessor, Campaign, Judgment, Problems, Question, write_folder
from pyramidion.campaign.answers import Grade, read_answer
from pyramidion.campaign.folder import read_folder
from pyramidion.campaign.questions import QuestionSet

SYSTEMS = ("M8", "M9", "M10", "M11", "M12", "M13", "M14", "M15", "M17", "M20", "M22", "M23")
"""The abstractive systems, which the judges were asked about."""
QUESTIONS = ("coherence", "consistency", "fluency", "relevance")
JUDGES = ("gpt-4-0314", "gpt-3.5-turbo-0301")
_SCORE = re.compile(r"\b(?:score|rating)\s+(?:of\s+|is\s+)?(?:an?\s+)?([1-5]|one|two|three|four|five)\b", re.IGNORECASE)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def read_score(answer: str, question: str) -> int | None:
    """The score of an answer in words; None if there is none.

    Besides the grammar of answers, which is strict, "resulting in a score of 4" counts: the judges were asked for a
    reason that ends with a score, and say the score once.
    """
    grade = read_answer(answer, scale=(1, 5), labels=[question])
    if isinstance(grade, Grade):
        return int(grade.value)
    scores = _SCORE.findall(answer)
    if not scores:
        return None
    return _WORDS.get(scores[-1].lower()) or int(scores[-1])


def experts_answers(answers: Path, topics: frozenset[str]) -> Iterator[Judgment]:
    """The single answers of the three experts."""
    for system in SYSTEMS:
        lines = (answers / "model_output_annotations" / f"{system}_outputs_annotations.jsonl").read_text("utf-8")
        for row in map(json.loads, lines.splitlines()):
            if row["id"] not in topics:
                continue
            for number, values in enumerate(row["expert_annotations"], start=1):
                for question in QUESTIONS:
                    yield Judgment(
                        topic=row["id"],
                        summarizer=system,
                        assessor=f"expert-{number}",
                        question=question,
                        value=values[question],
                    )


def judges_answers(answers: Path, topics: frozenset[str]) -> Iterator[Judgment]:
    """The answers of the judges that have a score, with their words as reasons."""
    for judge in JUDGES:
        for system in SYSTEMS:
            folder = answers / "eval_model_generations" / judge / f"eval_{system}_generations"
            for question in QUESTIONS:
                lines = (folder / f"{question}_rts.txt").read_text("utf-8")
                for row in map(json.loads, lines.splitlines()):
                    score = read_score(row["resp"], question)
                    if row["id"] in topics and score is not None:
                        yield Judgment(
                            topic=row["id"],
                            summarizer=system,
                            assessor=judge,
                            question=question,
                            value=score,
                            comment=row["resp"],
                        )


def join_answers(campaign: Campaign, answers: Path) -> Campaign:
    """The campaign with twelve systems, and the answers of experts and judges instead of means."""
    topics = frozenset(campaign.topic_ids)
    summaries = tuple(
        summary for summary in campaign.summaries if summary.kind == "model" or summary.summarizer in SYSTEMS
    )
    judgments = (*experts_answers(answers, topics), *judges_answers(answers, topics))
    return replace(
        campaign,
        summaries=summaries,
        judgments=judgments,
        summarizers={name: entry for name, entry in campaign.summarizers.items() if name in SYSTEMS},
        questions=QuestionSet(tuple(Question(name=name) for name in QUESTIONS)),
        assessors={judge: Assessor(kind="judge", model=judge) for judge in JUDGES},
    )


def main() -> None:
    """Write the campaign."""
    answers, output = map(Path, sys.argv[1:])
    problems = Problems()
    campaign = read_folder(Path(os.environ["PYRAMIDION_DATA"]) / "summeval", problems)
    problems.refuse(strict=False)
    joined = join_answers(campaign, answers)
    write_folder(joined, output)
    asked = len(joined.topic_ids) * len(SYSTEMS) * len(QUESTIONS)
    for judge in JUDGES:
        answered = sum(judgment.assessor == judge for judgment in joined.judgments)
        print(f"{judge}: {answered} of {asked} answers have a score")


if __name__ == "__main__":
    main()
