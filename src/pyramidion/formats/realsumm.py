"""realsumm: REALSumm's score dictionaries, list of SCUs and crowd answers, whichever of them are there; import only.

The SCUs of a document become a light pyramid of its one reference, the answers judgments `scu:<n>` of single workers,
and an SCU is present where strictly more than half of the workers say so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Judgment,
    Match,
    PeerAnnotation,
    Problems,
    Pyramid,
    Scu,
    Summary,
    Text,
    Topic,
    plain,
)
from pyramidion.formats.base import Format, choice, is_folder
from pyramidion.formats.realsumm_files import (
    Answers,
    ScoredSummary,
    kind_of,
    part_of,
    read_answers,
    read_list,
    read_scores,
)
from pyramidion.formats.sentence_tags import read_tagged
from pyramidion.scores import Score, ScoreTable

MODEL = "ref1"
EXPERTS = "experts"
MAJORITY = "crowd-majority"
QUESTION = "litepyramid-recall"
_HUMAN_SCORE = "litepyramid_recall"
_WRONG_IN_PICKLE = ("abs", "bart_out")
"""Its entry carries the text and the scores of the extractive system of the same name."""
_EXTRACTIVE = re.compile(r"(?:neusumm|banditsumm)", re.IGNORECASE)
"""Systems that stand among the abstractive ones but extract sentences."""


def detect_folder(folder: Path) -> bool:
    """Whether there is a list of SCUs, or answers, in the folder or below."""
    return any(kind_of(path) in ("list", "crowd") for path in _files([folder]))


def read(paths: Sequence[Path], problems: Problems, *, votes: str = "yes") -> Campaign:
    """The campaign in the files.

    Args:
        paths: .pkl and .csv files of REALSumm, and folders of them.
        problems: takes errors and warnings.
        votes: "yes" keeps every worker's answer as a judgment; "no" keeps the majority alone.
    """
    keep = choice("votes", votes, ("yes", "no")) == "yes"
    reading = _Reading(problems)
    found = defaultdict(list)
    for path in _files(paths):
        found[kind_of(path)].append(path)
    for path in found["list"]:
        for listed in read_list(path, problems):
            reading.labels[listed.event].setdefault(listed.number, listed.label)
    for path in found["crowd"]:
        for answers in read_answers(path, problems):
            reading.add_answers(path, answers)
    for path in found["pickle"]:
        for scored in read_scores(path, problems):
            reading.add_scored(path, scored)
    for path in found[""]:
        if path in paths:
            problems.add(
                "error",
                file=path,
                line=1,
                found="no columns of REALSumm's" if path.is_file() else "no file",
                expected="SCUs_list.csv, a file of answers, or a .pkl",
                remedy="Check the path.",
            )
    if not found:
        problems.add(
            "error",
            file=paths[0] if paths else "",
            found="no file of REALSumm's",
            expected="SCUs_list.csv, SCU_rating_results_*/*.csv or scores_dicts/*.pkl",
            remedy="Check the path.",
        )
    return reading.campaign(votes=keep)


def _files(paths: Iterable[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        below = sorted(one for one in path.rglob("*") if one.suffix.lower() in (".pkl", ".pickle", ".csv"))
        files += [one for one in below if one.is_file()] if is_folder(path) else [path]
    return files


def _summarizer(path: Path, name: str) -> str:
    """The system with its part in front, because bart_out is the name of two."""
    part = "ext" if _EXTRACTIVE.match(name) else part_of(path)
    return name if not part or name.startswith(f"{part}_") else f"{part}_{name}"


@dataclass
class _Reading:
    problems: Problems
    labels: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """By event and number of the statement."""
    answers: dict[tuple[str, str], list[dict[int, bool]]] = field(default_factory=lambda: defaultdict(list))
    """By event and summarizer: one dictionary for each worker."""
    judged: dict[tuple[str, str], str] = field(default_factory=dict)
    """The texts that the workers saw."""
    texts: dict[tuple[str, str], Text] = field(default_factory=dict)
    references: dict[str, Text] = field(default_factory=dict)
    scores: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    """Summarizers whose entries in a score dictionary are not theirs."""

    def add_answers(self, path: Path, answers: Answers) -> None:
        key = (answers.event, _summarizer(path, answers.summary))
        self.judged.setdefault(key, answers.text)
        labels = self.labels[answers.event]
        own: dict[int, bool] = {}
        for number, text in answers.statements.items():
            uid = number if " ".join(labels.setdefault(number, text).split()) == text else self._by_text(labels, text)
            if uid is None:
                self.problems.add(
                    "warning",
                    file=path,
                    line=answers.line,
                    field=f"Input.statement_{number}",
                    found=f"{text[:60]!r}",
                    expected=f"{labels[number][:60]!r}, the SCU of this number",
                    remedy="The answer was left out.",
                )
            elif number in answers.present:
                own[uid] = answers.present[number]
        self.answers[key].append(own)

    @staticmethod
    def _by_text(labels: dict[int, str], text: str) -> int | None:
        return next((number for number, label in labels.items() if " ".join(label.split()) == text), None)

    def add_scored(self, path: Path, scored: ScoredSummary) -> None:
        key = (scored.document, _summarizer(path, scored.system))
        self.references.setdefault(scored.document, read_tagged(scored.reference))
        text = read_tagged(scored.text)
        seen = self.judged.get(key)
        if (part_of(path), scored.system) == _WRONG_IN_PICKLE and (seen is None or not _same(seen, text)):
            self._wrong_once(path, key[1])
            return
        self.texts.setdefault(key, text)
        self.scores.setdefault(key, dict(scored.scores))

    def _wrong_once(self, path: Path, summarizer: str) -> None:
        if summarizer in self.wrong:
            return
        self.wrong.add(summarizer)
        self.problems.add(
            "warning",
            file=path,
            field=summarizer,
            found="the text and the scores of the extractive system of this name",
            expected="those of the abstractive one",
            remedy="They were left out, as a known defect; the crowd's files have the right text.",
        )

    def campaign(self, *, votes: bool) -> Campaign:
        topics = list(dict.fromkeys([*self.labels, *self.references, *(event for event, _ in self.judged)]))
        rank = {topic: number for number, topic in enumerate(topics)}
        keys = sorted(self.judged.keys() | self.texts.keys(), key=lambda key: (rank[key[0]], key[1]))
        no_reference = [topic for topic in topics if topic not in self.references]
        if no_reference:
            self.problems.add(
                "warning",
                file="scores_dicts",
                found=f"no reference of {len(no_reference)} topics, first {no_reference[0]!r}",
                expected="ref_summ in a score dictionary (.pkl)",
                remedy="They were read as empty; import the .pkl files along.",
            )
        models = [
            Summary(topic=topic, summarizer=MODEL, kind="model", text=self.references.get(topic, ""))
            for topic in topics
        ]
        peers = [Summary(topic=key[0], summarizer=key[1], kind="peer", text=self._text(key)) for key in keys]
        annotations = [self._annotation(key) for key in keys if key in self.answers]
        shares = {
            (one.topic, one.summarizer): sum(match.present for match in one.scus) / len(one.scus)
            for one in annotations
            if one.scus
        }
        judgments = [
            Judgment(topic=topic, summarizer=summarizer, assessor=MAJORITY, question=QUESTION, value=share)
            for (topic, summarizer), share in shares.items()
        ]
        judgments += [
            Judgment(topic=topic, summarizer=summarizer, question=QUESTION, value=scores[_HUMAN_SCORE])
            for (topic, summarizer), scores in self.scores.items()
            if _HUMAN_SCORE in scores and (topic, summarizer) not in shares
        ]
        if votes:
            judgments += self._votes(keys)
        return Campaign(
            name="REALSumm",
            topics=tuple(Topic(topic=topic) for topic in topics),
            summaries=(*models, *peers),
            judgments=tuple(judgments),
            pyramids=tuple(self._pyramid(topic) for topic in topics if self.labels.get(topic)),
            annotations=tuple(annotations),
            imported=ScoreTable.of(
                Score(measure=metric, topic=topic, summarizer=summarizer, value=value)
                for (topic, summarizer), scores in self.scores.items()
                for metric, value in scores.items()
                if metric != _HUMAN_SCORE
            ),
        )

    def _text(self, key: tuple[str, str]) -> Text:
        """What the workers saw; with sentences where the score dictionary has the same text."""
        seen, known = self.judged.get(key), self.texts.get(key)
        if seen is None or (known is not None and _same(seen, known)):
            return known if known is not None else ""
        return read_tagged(seen)

    def _pyramid(self, topic: str) -> Pyramid:
        scus = (
            Scu(uid=number, label=label, contributors=(Contributor(model=MODEL),))
            for number, label in sorted(self.labels[topic].items())
        )
        return Pyramid(topic=topic, annotator=EXPERTS, models=(MODEL,), scus=tuple(scus))

    def _annotation(self, key: tuple[str, str]) -> PeerAnnotation:
        """By majority: present where strictly more than half of the answers say so; a tie is absent."""
        workers = self.answers[key]
        matches = []
        for number in sorted({number for worker in workers for number in worker}):
            said = [worker[number] for worker in workers if number in worker]
            matches.append(Match(uid=number, present=2 * sum(said) > len(said)))
        return PeerAnnotation(topic=key[0], summarizer=key[1], annotator=MAJORITY, scus=tuple(matches))

    def _votes(self, keys: Iterable[tuple[str, str]]) -> list[Judgment]:
        return [
            Judgment(
                topic=key[0],
                summarizer=key[1],
                assessor=f"worker{position}",
                question=f"scu:{number}",
                value=int(present),
            )
            for key in keys
            for position, worker in enumerate(self.answers.get(key, ()), start=1)
            for number, present in sorted(worker.items())
        ]


def _same(seen: str, text: Text) -> bool:
    """Whether two texts have the same words, tags and white space apart."""
    return plain(read_tagged(seen)).split() == plain(text).split()


FORMAT = Format(
    name="realsumm",
    description="REALSumm's score dictionaries (.pkl), list of SCUs and crowd answers (.csv)",
    folder_detector=detect_folder,
    several=True,
    reader=read,
    options={"votes": "no: without the single workers' answers (default: yes)"},
)
