"""pyreval: PyrEval's pyramids, as XML (contributors without offsets) or as a table by contributor; import only.

PyrEval does not record which model a contributor comes from. Given the texts of the models, contributors are looked up
in them; without, the k-th contributor of an SCU belongs to the k-th model, so that weights are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Campaign, Contributor, Problems, Pyramid, Scu, Topic
from pyramidion.errors import UsageError
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.ducview.offsets import find_words
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.guarded_xml import Element, read_xml
from pyramidion.formats.text_files import files_in, is_folder, numbered, read_plain, read_text
from pyramidion.show.wording import counted

_ROOT = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?(?>(?:<!--.*?-->\s*)*)<Pyramid[\s>/]", re.DOTALL)
_ROW = re.compile(r"(?P<tag>SCU\t)?\s*([0-9]{1,18})\t\s*([0-9]{1,9})\s*\t(.*)", re.ASCII)


def detect(glimpse: Glimpse) -> bool:
    """Whether the file is XML with the root Pyramid, or its first lines are rows of (SCU,) uid, weight and label."""
    lines = glimpse.lines[:3]
    matches = [_ROW.fullmatch(line.rstrip("\r")) for line in lines]
    rows = bool(lines) and all(matches)
    return rows or _ROOT.match(glimpse.head) is not None


def read(path: Path, problems: Problems, *, topic: str = "", models: str = "") -> Campaign:
    """The pyramid in the file, with its models.

    Args:
        path: the XML or the table.
        problems: takes errors and warnings.
        topic: the topic (default: the stem of the file).
        models: a folder with the text of each model in a .txt file.
    """
    texts = _model_texts(Path(models), problems) if models else {}
    at = Place(problems, path)
    if _ROOT.match(Glimpse(path).head):
        roots = read_xml(path, problems, what="a pyramid of PyrEval")
        all_units = _units(roots[-1], at) if roots else iter(())
    else:
        all_units = _rows(read_text(path, problems) or "", at)
    first: dict[int, int] = {}
    units = [
        unit
        for unit in all_units
        if at.at(unit.line).is_first(
            first, unit.uid, f"the uid {unit.uid}", expected="each uid once", remedy="Give it its own uid."
        )
    ]
    if units:
        return _campaign(units, texts, topic or path.stem, at)
    if not problems.errors:
        at.at(1).error(
            found="no SCU",
            expected="<scu> elements, or rows of SCU, uid, weight and label",
            remedy="Check the file.",
        )
    return Campaign(name=path.stem)


def _model_texts(folder: Path, problems: Problems) -> dict[str, str]:
    """The texts of the models in a folder, by name."""
    if not is_folder(folder):
        raise UsageError(f"models={folder}: found no folder; expected one with a .txt file for each model")
    texts = ((path.stem, read_plain(path, problems)) for path in files_in(folder, ".txt"))
    return {id: text for id, text in texts if text is not None}


@dataclass(frozen=True, kw_only=True)
class _PyrevalUnit:
    uid: int
    label: str
    contributors: tuple[str, ...]
    """Their words; empty if only the weight is known."""
    line: int


def _units(root: Element, at: Place) -> Iterator[_PyrevalUnit]:
    """The SCUs of a pyramid in XML; one without a number is an error."""
    for element in root.all("scu"):
        words = tuple(
            contributor.attributes.get("label", contributor.text).strip() for contributor in element.all("contributor")
        )
        uid = element.attributes.get("uid", "")
        if re.fullmatch(r"[0-9]{1,18}", uid, re.ASCII):
            label = element.attributes.get("label") or next(iter(words), "")
            yield _PyrevalUnit(uid=int(uid), label=label, contributors=words, line=element.line)
        else:
            at.at(element.line).error(
                found=f"uid={shorten(uid)}",
                expected="a whole number",
                remedy="Give the SCU a number.",
            )


def _rows(text: str, at: Place) -> Iterator[_PyrevalUnit]:
    """Rows `SCU uid weight label`, one for each contributor; without `SCU` in front, one for each SCU."""
    words: dict[int, list[str]] = {}
    rows: dict[int, tuple[int, int]] = {}
    for number, line in numbered(text):
        row = _ROW.fullmatch(line.rstrip("\r"))
        if row is None:
            at.at(number).error(
                found=shorten(line),
                expected="SCU, uid, weight and label, separated by tabs",
                remedy="Correct the line.",
            )
        # A weight is a number of models; a larger one would make thousands of empty models.
        elif int(row[3]) > 1000:
            at.at(number).error(
                found=f"the weight {int(row[3])}",
                expected="a number of models",
                remedy="Correct the weight.",
            )
        elif row["tag"] is None:
            yield _PyrevalUnit(uid=int(row[2]), label=row[4].strip(), contributors=("",) * int(row[3]), line=number)
        else:
            words.setdefault(int(row[2]), []).append(row[4].strip())
            rows.setdefault(int(row[2]), (number, int(row[3])))
    for uid, contributors in words.items():
        line_number, weight = rows[uid]
        if weight != len(contributors):
            at.at(line_number).warning(
                found=f"the weight {weight} of uid {uid}, and {counted(len(contributors), 'line')}",
                expected="a line for each contributor",
                remedy="The lines were counted.",
            )
        yield _PyrevalUnit(uid=uid, label=contributors[0], contributors=tuple(contributors), line=line_number)


def _campaign(units: Sequence[_PyrevalUnit], texts: Mapping[str, str], topic: str, at: Place) -> Campaign:
    """The campaign of one topic with its pyramid."""
    order = max(len(unit.contributors) for unit in units)
    models = [*texts, *(f"model{number}" for number in range(len(texts) + 1, order + 1))]
    missing = len(models) - len(texts)
    if missing:
        at.warning(
            found=f"no texts of {counted(missing, 'model')}",
            expected="the texts of the models",
            remedy='They were replaced by models with empty texts; `option={"models": "FOLDER"}` gives their texts.',
        )
    scus = tuple(
        Scu(
            uid=unit.uid,
            label=unit.label,
            contributors=tuple(_place_contributors(unit, models, texts, at)),
        )
        for unit in units
    )
    builder = CampaignBuilder(Path(at.file).stem, topics={topic: Topic(topic=topic)})
    builder.named_models = {(topic, model): texts.get(model, "") for model in models}
    builder.pyramids = [
        Pyramid(
            topic=topic,
            models=tuple(models),
            scus=scus,
        )
    ]
    return builder.build()


def _place_contributors(
    unit: _PyrevalUnit, models: Sequence[str], texts: Mapping[str, str], at: Place
) -> Iterator[Contributor]:
    """Each contributor in another model, as PyrEval makes them: by its words, else in the next free one."""
    free = list(models)
    contributors: dict[int, Contributor] = {}
    for index, words in enumerate(unit.contributors):
        for model in free:
            if words and (place := find_words(words, texts.get(model, ""))):
                contributors[index] = Contributor(model=model, parts=(place,))
                free.remove(model)
                break
    for index, words in enumerate(unit.contributors):
        if index not in contributors and words and texts:
            here = at.at(unit.line, f'uid="{unit.uid}"')
            here.warning(
                found=shorten(words),
                expected="words of a model that the SCU does not have yet",
                remedy="The contributor was kept without its place.",
            )
        # A contributor of each model at most, so that weights are right even where words are not found.
        yield contributors[index] if index in contributors else Contributor(model=free.pop(0))


FORMAT = Format(
    name="pyreval",
    description="PyrEval's pyramids: XML, or a table with a line for each contributor",
    detector=detect,
    reader=read,
    options={
        "topic": "the topic (default: the stem of the file)",
        "models": "a folder with the text of each model in a .txt file (default: none)",
    },
)
