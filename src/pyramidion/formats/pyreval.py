"""pyreval: PyrEval's pyramids, as XML (contributors without offsets) or as a table of uid, weight and label; import.

PyrEval does not say which model a contributor is from. Given the models' texts, contributors are looked up in them;
without, the k-th contributor of an SCU stands for the k-th model, so that weights are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.campaign import Campaign, Contributor, Problems, Pyramid, Scu, Summary, Topic
from pyramidion.errors import UsageError
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, head_of, is_folder
from pyramidion.formats.decoding import note_windows_ends, read_tolerantly
from pyramidion.formats.ducview_file import FilePart
from pyramidion.formats.ducview_offsets import Offsets, Placed
from pyramidion.formats.guarded_xml import Element, read_xml
from pyramidion.formats.line_files import read_plain

_ROOT = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<Pyramid[\s>/]", re.DOTALL)
_ROW = re.compile(r"\s*([0-9]{1,18})\t\s*([0-9]{1,9})\s*\t(.*)", re.ASCII)


def detect(path: Path) -> bool:
    """Whether the file is XML with the root Pyramid, or its first lines are rows of uid, weight and label."""
    head = head_of(path)
    if _ROOT.match(head):
        return True
    lines = head.decode(errors="replace").split("\n")[:3]
    return bool(lines[0].strip()) and all(_ROW.fullmatch(line.rstrip("\r")) for line in lines if line.strip())


def read(path: Path, problems: Problems, *, topic: str = "", models: str = "") -> Campaign:
    """The pyramid in the file, with its models.

    Args:
        path: the XML or the table.
        problems: takes errors and warnings.
        topic: the topic (default: the stem of the file).
        models: a folder with the text of each model in a .txt file.
    """
    texts = _model_texts(Path(models), problems) if models else {}
    reading = _Reading(path, problems, topic or path.stem, texts)
    if _ROOT.match(head_of(path)):
        roots = read_xml(path, problems, what="a pyramid of PyrEval")
        units = list(reading.units(roots[-1])) if roots else []
    else:
        units = list(reading.rows())
    if not units and not problems.errors:
        reading.note("error", 1, "no SCU", "<scu> elements, or rows of uid, weight and label", "Check the file.")
    return reading.campaign(units)


def _model_texts(folder: Path, problems: Problems) -> dict[str, str]:
    if not is_folder(folder):
        raise UsageError(f"models={folder}: found no folder; expected one with a .txt file for each model")
    texts = ((path.stem, read_plain(path, problems)) for path in sorted(folder.glob("*.txt")))
    return {id: text for id, text in texts if text is not None}


@dataclass(frozen=True, kw_only=True)
class _Unit:
    uid: int
    label: str
    contributors: tuple[str, ...]
    """Their words; empty where only the weight is known."""
    line: int


@dataclass
class _Reading:
    path: Path
    problems: Problems
    topic: str
    texts: Mapping[str, str]
    _lines: dict[int, int] = field(default_factory=dict)

    def units(self, root: Element) -> Iterator[_Unit]:
        for element in root.all("scu"):
            words = tuple(one.attributes.get("label", one.text).strip() for one in element.all("contributor"))
            given = element.attributes.get("uid", "")
            if not re.fullmatch(r"[0-9]{1,18}", given, re.ASCII):
                self.note("error", element.line, f"uid={shorten(given)}", "a whole number", "Give the SCU a number.")
                continue
            label = element.attributes.get("label") or next(iter(words), "")
            yield from self._once(_Unit(uid=int(given), label=label, contributors=words, line=element.line))

    def rows(self) -> Iterator[_Unit]:
        text = read_tolerantly(self.path, self.problems) or ""
        note_windows_ends(text, self.path, self.problems, remedy="They were read as plain line ends.")
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            if not line.strip():
                continue
            row = _ROW.fullmatch(line)
            if row is None:
                expected = "uid, weight and label with tabs between"
                self.note("error", number, shorten(line), expected, "Correct the line.")
                continue
            weight = int(row[2])
            if weight > 1000:
                self.note("error", number, f"the weight {weight}", "a number of models", "Correct the weight.")
                continue
            unit = _Unit(uid=int(row[1]), label=row[3].strip(), contributors=("",) * weight, line=number)
            yield from self._once(unit)

    def _once(self, unit: _Unit) -> Iterator[_Unit]:
        first = self._lines.setdefault(unit.uid, unit.line)
        if first != unit.line:
            found = f"the uid {unit.uid} again (first on line {first})"
            self.note("error", unit.line, found, "each uid once", "Give it a uid of its own.")
            return
        yield unit

    def campaign(self, units: Sequence[_Unit]) -> Campaign:
        order = max([len(unit.contributors) for unit in units], default=0)
        models = list(self.texts) + [f"model{number}" for number in range(len(self.texts) + 1, order + 1)]
        missing = len(models) - len(self.texts)
        if missing and units:
            self.note(
                "warning",
                None,
                f"no texts of {missing} models",
                "the models' texts",
                "Placeholders with empty texts stand for them; --option models=FOLDER names their texts.",
            )
        scus = tuple(
            Scu(uid=unit.uid, label=unit.label, contributors=tuple(self._placed(unit, models))) for unit in units
        )
        if not units:
            return Campaign(name=self.path.stem)
        return Campaign(
            name=self.path.stem,
            topics=(Topic(topic=self.topic),),
            summaries=tuple(
                Summary(topic=self.topic, summarizer=model, kind="model", text=self.texts.get(model, ""))
                for model in models
            ),
            pyramids=(Pyramid(topic=self.topic, models=tuple(models), scus=scus),),
        )

    def _placed(self, unit: _Unit, models: Sequence[str]) -> Iterator[Contributor]:
        """Each contributor in a model of its own, as PyrEval makes them: by its words, else in the next free one."""
        free = list(models)
        found: dict[int, Contributor] = {}
        for index, words in enumerate(unit.contributors):
            for model in free:
                place = _find(words, self.texts.get(model, ""))
                if place:
                    found[index] = Contributor(model=model, parts=((place.start, place.end),))
                    free.remove(model)
                    break
        for index, words in enumerate(unit.contributors):
            if index in found:
                yield found[index]
                continue
            if words and self.texts:
                expected = "words of a model that the SCU does not have yet"
                self.note("warning", unit.line, shorten(words), expected, "It was kept without its place.", unit.uid)
            yield Contributor(model=free.pop(0))

    def note(
        self, severity: Severity, line: int | None, found: str, expected: str, remedy: str, uid: int | None = None
    ) -> None:
        at = None if uid is None else f'uid="{uid}"'
        self.problems.add(severity, file=self.path, line=line, field=at, found=found, expected=expected, remedy=remedy)


def _find(words: str, text: str) -> Placed | None:
    """Where the words stand in the text, white space apart."""
    if not words:
        return None
    part = FilePart(label=words, start=None, end=None, line=0)
    place = Offsets(text, ()).place(part, lambda _: (0, len(text)))
    return place if isinstance(place, Placed) else None


FORMAT = Format(
    name="pyreval",
    description="PyrEval's pyramids: XML, or a table of uid, weight and label",
    detector=detect,
    reader=read,
    options={
        "topic": "the topic (default: the stem of the file)",
        "models": "a folder with the text of each model in a .txt file (default: none)",
    },
)
