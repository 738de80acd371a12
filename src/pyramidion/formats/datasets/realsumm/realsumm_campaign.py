"""The campaign in REALSumm's files.

The SCUs of a document become a light pyramid of its one reference, the answers judgments `scu:<n>` of single workers,
and an SCU is present if strictly more than half of the workers say so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pyramidion.campaign import Campaign, Match, PeerAnnotation, Problems, Topic, plain
from pyramidion.campaign.nouns import Text
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.campaign_builder import Gathered
from pyramidion.formats.datasets.realsumm.realsumm_files import (
    Answers,
    ScoredSummary,
    kind_of,
    part_of,
    read_answers,
    read_list,
    read_scores,
    read_selected,
)
from pyramidion.formats.datasets.single_reference import light_pyramid, read_tagged
from pyramidion.formats.text_files import is_folder, read_text
from pyramidion.wording import counted

MOST_DIGITS = 9
"""Of the numbers of documents; what has more is a name."""
EXPERTS = "experts"
MAJORITY = "crowd-majority"
QUESTION = "litepyramid-recall"
_HUMAN_SCORE = "litepyramid_recall"
_BRACKETS = re.compile(r"-[lr][rsc]b-")
"""How tokenisers write brackets."""
_WRONG_IN_PICKLE = ("abs", "bart_out")
"""Its entry has the text and the scores of the extractive system of the same name."""
_EXTRACTIVE = re.compile(r"(?:neusumm|banditsumm)", re.IGNORECASE)
"""Systems that are listed as abstractive but extract sentences."""


def detect_folder(folder: Path) -> bool:
    """Whether there is a list of SCUs, or answers, in the folder or below."""
    return any(kind_of(path) in ("list", "crowd") for path in _files([folder]))


def read(paths: Sequence[Path], problems: Problems, *, votes: Literal["yes", "no"] = "yes") -> Campaign:
    """The campaign in the files.

    Args:
        paths: .pkl and .csv files of REALSumm, and folders of them.
        problems: takes errors and warnings.
        votes: "yes" keeps every worker's answer as a judgment; "no" keeps the majority alone.
    """
    reading = _Reading(problems)
    found: dict[str, list[Path]] = defaultdict(list)
    for path in _files(paths):
        found[kind_of(path)].append(path)
    for path in found["selected"]:
        reading.selected = reading.selected or read_selected(path, problems)
    for path in found["list"]:
        for event, number, label in read_list(path, problems):
            reading.labels[event].setdefault(number, label)
    for path in found["crowd"]:
        for answers in read_answers(path, problems):
            reading.add_answers(path, answers)
    scored = [(path, one) for path in found["pickle"] for one in read_scores(path, problems)]
    reading.name_documents(scored)
    for path, one in scored:
        reading.add_scored(path, one)
    for path in found["bart"]:
        reading.add_bart(path)
    for path in found[""]:
        if path in paths:
            wrong = "a file without REALSumm's columns" if path.is_file() else "no file"
            Place(problems, path, 1).error(wrong, "SCUs_list.csv, a file of answers, or a .pkl", "Check the path.")
    if not any(found.values()):
        expected = "SCUs_list.csv, SCU_rating_results_*/*.csv or scores_dicts/*.pkl"
        Place(problems, paths[0] if paths else "").error("no file of REALSumm", expected, "Check the path.")
    return reading.campaign(votes=votes == "yes")


def _files(paths: Iterable[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        below = sorted(one for one in path.rglob("*") if one.suffix.lower() == ".csv" or kind_of(one))
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
    selected: list[str] = field(default_factory=list)
    """The ids of the documents in the order of the score dictionaries' numbers."""
    names: dict[str, str] = field(default_factory=dict)
    """From the numbers of the score dictionaries to ids."""

    def name_documents(self, scored: Iterable[tuple[Path, ScoredSummary]]) -> None:
        """Find the id of each numbered document: by the list of selected ones, else by the texts that workers saw."""
        events = {_letters(text): event for (event, _), text in self.judged.items() if _letters(text)}
        unknown: dict[str, None] = {}
        for _, one in scored:
            if one.document in self.names or not one.document.isdecimal() or len(one.document) > MOST_DIGITS:
                continue
            number = int(one.document)
            if number < len(self.selected):
                self.names[one.document] = self.selected[number]
            elif found := events.get(_letters(plain(read_tagged(one.text)))):
                self.names[one.document] = found
            else:
                unknown[one.document] = None
        if lost := [one for one in unknown if one not in self.names]:
            Place(self.problems, "scores_dicts").warning(
                f"{counted(len(lost), 'document')} with a number alone, first {shorten(lost[0])}",
                "selected_documents.md, or crowd files with the same texts",
                "They keep their numbers, and are not joined with the crowd's answers.",
            )

    def add_bart(self, path: Path) -> None:
        """The texts of the abstractive BART, line k of document k: its entry in abs.pkl is another system's."""
        for number, line in enumerate((read_text(path, self.problems) or "").split("\n")):
            document = (
                self.selected[number] if number < len(self.selected) else self.names.get(str(number), str(number))
            )
            key = (document, "_".join(_WRONG_IN_PICKLE))
            if line.strip() and (key in self.judged or document in self.references):
                self.texts.setdefault(key, read_tagged(line.replace("<t> <t>", "<t>")))

    def add_answers(self, path: Path, answers: Answers) -> None:
        key = (answers.event, _summarizer(path, answers.summary))
        self.judged.setdefault(key, answers.text)
        labels = self.labels[answers.event]
        own: dict[int, bool] = {}
        for number, (text, present) in answers.statements.items():
            listed = labels.setdefault(number, text)
            uid = number if " ".join(listed.split()) == text else _by_text(labels, text)
            if uid is None:
                Place(self.problems, path, answers.line, f"Input.statement_{number}").warning(
                    shorten(text), f"{shorten(listed)}, the SCU of this number", "The answer was left out."
                )
            elif present is not None:
                own[uid] = present
        self.answers[key].append(own)

    def add_scored(self, path: Path, scored: ScoredSummary) -> None:
        document = self.names.get(scored.document, scored.document)
        key = (document, _summarizer(path, scored.system))
        if document not in self.references:
            self.references[document] = read_tagged(scored.reference)
        text = read_tagged(scored.text)
        seen = self.judged.get(key)
        if (part_of(path), scored.system) == _WRONG_IN_PICKLE and (seen is None or not _same(seen, text)):
            if key[1] not in self.wrong:
                self.wrong.add(key[1])
                Place(self.problems, path, field=key[1]).warning(
                    "the text and the scores of the extractive system of this name",
                    "those of the abstractive one",
                    "They were left out, as a known defect; the crowd's files have the right text.",
                )
            return
        self.texts.setdefault(key, text)
        self.scores.setdefault(key, dict(scored.scores))

    def _number(self) -> None:
        """Number the SCUs of a topic from 1, without those that are not used."""
        uids: dict[str, dict[int, int]] = {}
        for topic, labels in self.labels.items():
            uids[topic] = {number: uid for uid, number in enumerate(sorted(labels), start=1)}
            self.labels[topic] = {uids[topic][number]: label for number, label in sorted(labels.items())}
        for (topic, _), workers in self.answers.items():
            workers[:] = [{uids[topic][number]: said for number, said in worker.items()} for worker in workers]

    def campaign(self, *, votes: bool) -> Campaign:
        self._number()
        topics = list(dict.fromkeys([*self.labels, *self.references, *(event for event, _ in self.judged)]))
        rank = {topic: number for number, topic in enumerate(topics)}
        keys = sorted(self.judged.keys() | self.texts.keys(), key=lambda key: (rank[key[0]], key[1]))
        if missing := [topic for topic in topics if topic not in self.references]:
            Place(self.problems, "scores_dicts").warning(
                f"no reference of {counted(len(missing), 'topic')}, first {missing[0]!r}",
                "ref_summ in a score dictionary (.pkl)",
                "They were read as empty; import the .pkl files as well.",
            )
        annotations = [self._annotation(key) for key in keys if key in self.answers]
        found = Gathered(
            "REALSumm",
            topics={topic: Topic(topic=topic) for topic in topics},
            models={topic: (self.references.get(topic, ""),) for topic in topics},
            peers={key: self._text(key) for key in keys},
            pyramids=[
                light_pyramid(topic, self.labels[topic].values(), annotator=EXPERTS)
                for topic in topics
                if self.labels.get(topic)
            ],
            annotations=annotations,
            scores={
                (metric, *key): value
                for key, scores in self.scores.items()
                for metric, value in scores.items()
                if metric != _HUMAN_SCORE
            },
        )
        self._add_recall(found)
        if votes:
            self._add_votes(found, keys)
        return found.campaign()

    def _add_recall(self, found: Gathered) -> None:
        """The share of SCUs that are present; the score dictionary's where there are no answers."""
        judged = [one for one in found.annotations if one.scus]
        for one in judged:
            share = sum(match.present for match in one.scus) / len(one.scus)
            found.add_judgment(one.topic, one.summarizer, QUESTION, share, assessor=MAJORITY)
        known = {(one.topic, one.summarizer) for one in judged}
        for key, scores in self.scores.items():
            if _HUMAN_SCORE in scores and key not in known:
                found.add_judgment(*key, QUESTION, scores[_HUMAN_SCORE])

    def _text(self, key: tuple[str, str]) -> Text:
        """What the workers saw; with sentences where the score dictionary has the same text."""
        seen, known = self.judged.get(key), self.texts.get(key)
        if seen is None or (known is not None and _same(seen, known)):
            return known if known is not None else ""
        return read_tagged(seen)

    def _annotation(self, key: tuple[str, str]) -> PeerAnnotation:
        """By majority: present where strictly more than half of the answers say so; a tie is absent."""
        workers = self.answers[key]
        matches = []
        for number in sorted({number for worker in workers for number in worker}):
            said = [worker[number] for worker in workers if number in worker]
            matches.append(Match(uid=number, present=2 * sum(said) > len(said)))
        return PeerAnnotation(topic=key[0], summarizer=key[1], annotator=MAJORITY, scus=tuple(matches))

    def _add_votes(self, found: Gathered, keys: Iterable[tuple[str, str]]) -> None:
        for key in keys:
            for position, worker in enumerate(self.answers.get(key, ()), start=1):
                for number, present in sorted(worker.items()):
                    found.add_judgment(*key, f"scu:{number}", int(present), assessor=f"worker{position}")


def _by_text(labels: dict[int, str], text: str) -> int | None:
    return next((number for number, label in labels.items() if " ".join(label.split()) == text), None)


def _same(seen: str, text: Text) -> bool:
    """Whether two texts have the same letters and digits, tags and codes of brackets apart."""
    return _letters(seen) == _letters(plain(text))


def _letters(text: str) -> str:
    """Letters and digits alone."""
    bare = _BRACKETS.sub(" ", plain(read_tagged(text)).lower())
    return "".join(one for one in bare if one.isalnum())
