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
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.datasets.realsumm.realsumm_files import (
    ScoredSummary,
    WorkerAnswers,
    kind_of,
    part_of,
    read_answers,
    read_list,
    read_scores,
    read_selected,
)
from pyramidion.formats.datasets.single_reference import light_pyramid, read_tagged
from pyramidion.formats.text_files import is_folder, read_text
from pyramidion.show.wording import counted

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


Key = tuple[str, str]
"""An event (the id of a document) and a summarizer."""


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
    reader = _RealsummReader(problems)
    files: dict[str, list[Path]] = defaultdict(list)
    for path in _files(paths):
        files[kind_of(path)].append(path)
    for path in files["selected"]:
        if not reader.selected:
            reader.selected = read_selected(path, problems)
    for path in files["list"]:
        for event, number, label in read_list(path, problems):
            reader.labels[event].setdefault(number, label)
    for path in files["crowd"]:
        for answers in read_answers(path, problems):
            reader.add_answers(path, answers)
    scored_summaries: list[tuple[Path, ScoredSummary]] = []
    for path in files["pickle"]:
        scored_summaries += [(path, scored) for scored in read_scores(path, problems)]
    # After all entries are read: any system whose text the workers saw tells the document's id.
    reader.name_documents([scored for _, scored in scored_summaries])
    for path, scored in scored_summaries:
        reader.add_scored(path, scored)
    for path in files["bart"]:
        reader.add_bart(path)
    for path in files[""]:
        if path in paths:
            _note_unknown_file(path, problems)
    if not any(files.values()):
        first_path = paths[0] if paths else ""
        Place(problems, first_path).error(
            found="no file of REALSumm",
            expected="SCUs_list.csv, SCU_rating_results_*/*.csv or scores_dicts/*.pkl",
            remedy="Check the path.",
        )
    return reader.campaign(with_votes=votes == "yes")


def _note_unknown_file(path: Path, problems: Problems) -> None:
    """Note a file that the user named and that is none of REALSumm's as an error."""
    found = "a file without REALSumm's columns" if path.is_file() else "no file"
    Place(problems, path, 1).error(
        found=found,
        expected="SCUs_list.csv, a file of answers, or a .pkl",
        remedy="Check the path.",
    )


def _files(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and in folders those that may be REALSumm's."""
    files: list[Path] = []
    for path in paths:
        if not is_folder(path):
            files.append(path)
            continue
        candidates = [inner for inner in path.rglob("*") if _may_be_realsumm(inner)]
        files += [candidate for candidate in sorted(candidates) if candidate.is_file()]
    return files


def _may_be_realsumm(path: Path) -> bool:
    """Whether a file in a folder is looked at: any CSV file, and what has the name of one of REALSumm's."""
    return path.suffix.lower() == ".csv" or bool(kind_of(path))


def _summarizer(path: Path, name: str) -> str:
    """The system with its part in front, because bart_out is the name of two."""
    part = "ext" if _EXTRACTIVE.match(name) else part_of(path)
    if not part or name.startswith(f"{part}_"):
        return name
    return f"{part}_{name}"


@dataclass
class _RealsummReader:
    """What REALSumm's files say, as they are read one after another."""

    problems: Problems
    labels: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """By event and number of the statement."""
    answers: dict[Key, list[dict[int, bool]]] = field(default_factory=lambda: defaultdict(list))
    """For each summary: one dictionary for each worker."""
    judged: dict[Key, str] = field(default_factory=dict)
    """The texts that the workers saw."""
    texts: dict[Key, Text] = field(default_factory=dict)
    references: dict[str, Text] = field(default_factory=dict)
    scores: dict[Key, dict[str, float]] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    """Summarizers whose entries in a score dictionary are not theirs."""
    selected: list[str] = field(default_factory=list)
    """The ids of the documents in the order of the score dictionaries' numbers."""
    names: dict[str, str] = field(default_factory=dict)
    """From the numbers of the score dictionaries to ids."""

    def name_documents(self, scored_summaries: Iterable[ScoredSummary]) -> None:
        """Find the id of each numbered document: by the list of selected ones, else by the texts that workers saw."""
        # The dictionaries number documents, and the crowd's files have ids; both hold the same texts of systems.
        events = {_letters(text): event for (event, _), text in self.judged.items() if _letters(text)}
        nameless: dict[str, None] = {}
        for scored in scored_summaries:
            document = scored.document
            is_number = document.isdecimal() and len(document) <= MOST_DIGITS
            if document in self.names or not is_number:
                continue
            if int(document) < len(self.selected):
                self.names[document] = self.selected[int(document)]
                continue
            event = events.get(_letters(plain(read_tagged(scored.text))))
            if event:
                self.names[document] = event
            else:
                nameless[document] = None
        lost_documents = [document for document in nameless if document not in self.names]
        if lost_documents:
            Place(self.problems, "scores_dicts").warning(
                found=(
                    f"{counted(len(lost_documents), 'document')} with a number alone, first "
                    f"{shorten(lost_documents[0])}"
                ),
                expected="selected_documents.md, or crowd files with the same texts",
                remedy="They keep their numbers, and are not joined with the crowd's answers.",
            )

    def add_bart(self, path: Path) -> None:
        """Add the texts of the abstractive BART, line k of document k: its entry in abs.pkl is another system's."""
        content = read_text(path, self.problems) or ""
        for number, line in enumerate(content.split("\n")):
            if number < len(self.selected):
                document = self.selected[number]
            else:
                document = self.names.get(str(number), str(number))
            key = (document, "_".join(_WRONG_IN_PICKLE))
            is_expected = key in self.judged or document in self.references
            if is_expected and line.strip():
                self.texts.setdefault(key, read_tagged(line.replace("<t> <t>", "<t>")))

    def add_answers(self, path: Path, answers: WorkerAnswers) -> None:
        """Add one worker's answers; one about another statement than the list has is left out with a warning."""
        key = (answers.event, _summarizer(path, answers.summary))
        self.judged.setdefault(key, answers.text)
        labels = self.labels[answers.event]
        worker: dict[int, bool] = {}
        for number, (text, present) in answers.statements.items():
            label = labels.setdefault(number, text)
            # A file of answers may list the statements of a document in another order.
            uid = number if " ".join(label.split()) == text else _find_label(labels, text)
            if uid is None:
                Place(self.problems, path, answers.line, f"Input.statement_{number}").warning(
                    found=shorten(text),
                    expected=f"{shorten(label)}, the SCU of this number",
                    remedy="The answer was left out.",
                )
            elif present is not None:
                worker[uid] = present
        self.answers[key].append(worker)

    def add_scored(self, path: Path, scored: ScoredSummary) -> None:
        """Add an entry of a score dictionary, unless it is another system's."""
        document = self.names.get(scored.document, scored.document)
        key = (document, _summarizer(path, scored.system))
        if document not in self.references:
            self.references[document] = read_tagged(scored.reference)
        text = read_tagged(scored.text)
        if (part_of(path), scored.system) == _WRONG_IN_PICKLE:
            judged_text = self.judged.get(key)
            # The crowd saw the right text: an entry that has it is right.
            if judged_text is None or not _has_same_letters(judged_text, text):
                self._note_wrong_entry(path, key[1])
                return
        self.texts.setdefault(key, text)
        self.scores.setdefault(key, dict(scored.scores))

    def _note_wrong_entry(self, path: Path, summarizer: str) -> None:
        """Warn once that the entries of a summarizer are another system's."""
        if summarizer in self.wrong:
            return
        self.wrong.add(summarizer)
        Place(self.problems, path, field=summarizer).warning(
            found="the text and the scores of the extractive system of this name",
            expected="those of the abstractive one",
            remedy="They were left out, as a known defect; the crowd's files have the right text.",
        )

    def _renumber_units(self) -> None:
        """Number the SCUs of a topic from 1, without those that are not used."""
        uids: dict[str, dict[int, int]] = {}
        for topic, labels in self.labels.items():
            uids[topic] = {number: uid for uid, number in enumerate(sorted(labels), start=1)}
            self.labels[topic] = {uids[topic][number]: label for number, label in sorted(labels.items())}
        for (topic, _), workers in self.answers.items():
            for index, worker in enumerate(workers):
                workers[index] = {uids[topic][number]: present for number, present in worker.items()}

    def campaign(self, *, with_votes: bool) -> Campaign:
        """Everything as one campaign.

        Args:
            with_votes: whether every worker's answer becomes a judgment, besides the majority's.
        """
        self._renumber_units()
        events = [event for event, _ in self.judged]
        topics = list(dict.fromkeys([*self.labels, *self.references, *events]))
        self._warn_about_missing_references(topics)
        positions = {topic: position for position, topic in enumerate(topics)}
        keys = sorted(self.judged.keys() | self.texts.keys(), key=lambda key: (positions[key[0]], key[1]))
        builder = CampaignBuilder("REALSumm")
        for topic in topics:
            builder.topics[topic] = Topic(topic=topic)
            builder.models[topic] = (self.references.get(topic, ""),)
            if self.labels.get(topic):
                pyramid = light_pyramid(topic, self.labels[topic].values(), annotator=EXPERTS)
                builder.pyramids.append(pyramid)
        for key in keys:
            builder.peers[key] = self._text(key)
            if key in self.answers:
                builder.annotations.append(self._annotation(key))
        for key, scores in self.scores.items():
            automatic_scores = {metric: score for metric, score in scores.items() if metric != _HUMAN_SCORE}
            for metric, score in automatic_scores.items():
                builder.scores[metric, *key] = score
        self._add_recall(builder)
        if with_votes:
            self._add_votes(builder, keys)
        return builder.build()

    def _warn_about_missing_references(self, topics: Iterable[str]) -> None:
        """Warn once about all topics whose reference no score dictionary has."""
        missing = [topic for topic in topics if topic not in self.references]
        if missing:
            Place(self.problems, "scores_dicts").warning(
                found=f"no reference of {counted(len(missing), 'topic')}, first {missing[0]!r}",
                expected="ref_summ in a score dictionary (.pkl)",
                remedy="They were read as empty; import the .pkl files as well.",
            )

    def _add_recall(self, builder: CampaignBuilder) -> None:
        """Add the share of SCUs that are present; the score dictionary's where there are no answers."""
        annotated_keys: set[Key] = set()
        for annotation in builder.annotations:
            # Nobody answered about it: a share of nothing is no 0.
            if not annotation.scus:
                continue
            key = (annotation.topic, annotation.summarizer)
            annotated_keys.add(key)
            share = sum(match.present for match in annotation.scus) / len(annotation.scus)
            builder.add_judgment(*key, QUESTION, share, assessor=MAJORITY)
        for key, scores in self.scores.items():
            if _HUMAN_SCORE in scores and key not in annotated_keys:
                builder.add_judgment(*key, QUESTION, scores[_HUMAN_SCORE])

    def _text(self, key: Key) -> Text:
        """What the workers saw; with sentences where the score dictionary has the same text."""
        judged_text = self.judged.get(key)
        scored_text = self.texts.get(key)
        if judged_text is None:
            return scored_text or ""
        # Scores count sentences, which the crowd's files have lost.
        if scored_text is not None and _has_same_letters(judged_text, scored_text):
            return scored_text
        return read_tagged(judged_text)

    def _annotation(self, key: Key) -> PeerAnnotation:
        """By majority: present where strictly more than half of the answers say so; a tie is absent."""
        answers_by_unit: dict[int, list[bool]] = {}
        for worker in self.answers[key]:
            for number, present in worker.items():
                answers_by_unit.setdefault(number, []).append(present)
        matches: list[Match] = []
        for number, answers in sorted(answers_by_unit.items()):
            matches.append(Match(uid=number, present=2 * sum(answers) > len(answers)))
        return PeerAnnotation(
            topic=key[0],
            summarizer=key[1],
            annotator=MAJORITY,
            scus=tuple(matches),
        )

    def _add_votes(self, builder: CampaignBuilder, keys: Iterable[Key]) -> None:
        """Add every worker's answers as judgments."""
        for key in keys:
            for position, worker in enumerate(self.answers.get(key, ()), start=1):
                for number, present in sorted(worker.items()):
                    builder.add_judgment(*key, f"scu:{number}", int(present), assessor=f"worker{position}")


def _find_label(labels: dict[int, str], text: str) -> int | None:
    """The number of the SCU with this label, blanks apart; None if there is none."""
    for number, label in labels.items():
        if " ".join(label.split()) == text:
            return number
    return None


def _has_same_letters(judged_text: str, text: Text) -> bool:
    """Whether two texts have the same letters and digits, tags and codes of brackets apart."""
    return _letters(judged_text) == _letters(plain(text))


def _letters(text: str) -> str:
    """The letters and digits of a text, in small letters."""
    lower_text = plain(read_tagged(text)).lower()
    without_brackets = _BRACKETS.sub(" ", lower_text)
    return "".join(character for character in without_brackets if character.isalnum())
