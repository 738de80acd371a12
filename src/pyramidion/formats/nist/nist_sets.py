"""Topics with their documents: topic files, folders of documents and names of summaries, joined by set and part."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pyramidion.campaign import Document, Topic
from pyramidion.formats.nist.archives import gunzipped
from pyramidion.formats.nist.documents import read_documents
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.nist_texts import NistText
from pyramidion.formats.nist.nist_topics import FileTopic, read_topics
from pyramidion.formats.nist.set_names import CATEGORIES, SetName, parse_set, parts_of
from pyramidion.wording import counted

Attributes = dict[str, str | int | float | bool]


@dataclass
class Sets(PackageReader):
    """All topics of a package."""

    listed: list[tuple[FoundFile, FileTopic]] = field(default_factory=list)
    documents: dict[str, dict[str, Document]] = field(default_factory=dict)
    """By topic, then by id."""
    loose: dict[str, Document] = field(default_factory=dict)
    """Documents outside of a set's folder, by id."""
    selectors: dict[str, str] = field(default_factory=dict)

    def read(self, package: Package) -> None:
        """Read topic files and documents."""
        for found in package.all("topics"):
            self.listed += [(found, topic) for topic in read_topics(found.text(self.problems))]
        written = {topic.written.casefold(): topic.written for _, topic in self.listed}
        told: set[str] = set()
        for found in package.all("documents"):
            name, folder = _set_folder(found)
            for document in read_documents(found.text(self.problems), name=found.file.name):
                if name is None:
                    self.loose[document.id] = document
                    continue
                self.documents.setdefault(self.spell(name.topic), {}).setdefault(document.id, document)
                self.selectors.setdefault(self.spell(name.topic), name.selector.upper())
            usual = written.get(folder.name.casefold())
            if name is not None and usual is not None and usual != folder.name and str(folder) not in told:
                told.add(str(folder))
                self.problems.at(str(folder)).warning(
                    found=f"the folder {folder.name}",
                    expected=f"{usual}, as in the topic file",
                    remedy="They were joined.",
                )
        self._from_gigaword(package)

    def _from_gigaword(self, package: Package) -> None:
        """Take the documents that are listed, and nowhere else, from Gigaword's months."""
        months = {one.file.name.lower().removesuffix(".gz"): one for one in package.all("Gigaword")}
        known = {id for documents in self.documents.values() for id in documents} | self.loose.keys()
        wanted: dict[str, set[str]] = {}
        for _, topic in self.listed:
            for id in (id for ids in topic.documents.values() for id in ids if id not in known):
                wanted.setdefault(id[:14].lower(), set()).add(id)
        for month, ids in wanted.items():
            if month in months:
                self._month(months[month], ids)

    def _month(self, found: FoundFile, ids: set[str]) -> None:
        try:
            text = gunzipped(found.file.read(self.problems)).decode("utf-8", errors="replace")
        except (OSError, EOFError, zlib.error) as error:
            found.at(self.problems).warning(
                found=f"a file that can't be unpacked ({error})",
                expected="gzip",
                remedy="It was left out.",
            )
            return
        for block in text.split("</DOC>"):
            start = block.find("<DOC")
            if start >= 0 and any(id in block[start : start + 200] for id in ids):
                self.loose |= {one.id: one for one in read_documents(block[start:], name="") if one.id in ids}

    def topics(self, texts: Mapping[tuple[str, str], NistText], others: Iterable[str]) -> list[Topic]:
        """All topics that any file names, in order."""
        named = {self.spell(topic) for topic, _ in texts}
        facts: dict[str, tuple[FoundFile, FileTopic, str]] = {}
        for found, topic in self.listed:
            for part in self._parts(topic, named):
                facts.setdefault(self.spell(SetName(topic.name.set, "", part).topic), (found, topic, part))
        order = dict.fromkeys([*facts, *self.documents, *sorted({*named, *others})])
        order = dict.fromkeys(sorted(order, key=lambda topic: bool(parts_of(topic)[1])))
        self._compare(facts)
        both = len({bool(parts_of(topic)[1]) for topic in order}) == 2 and not any("-AB" in topic for topic in order)
        lengths = {topic: one.name.length for (topic, _), one in texts.items()}
        selectors = {topic: one.name.selector for (topic, _), one in texts.items()}
        return [
            self._topic(topic, facts.get(topic), lengths.get(topic), selectors.get(topic, ""), tasks=both)
            for topic in order
        ]

    def _parts(self, topic: FileTopic, named: set[str]) -> list[str]:
        """The parts of a topic: those that list documents, those of folders, those of summaries."""
        if topic.documents:
            return list(topic.documents)
        if topic.name.part:
            return [topic.name.part]
        names = {*named, *self.documents}
        whole = self.spell(topic.name.set)
        parts = sorted(part for set, part in map(parts_of, names) if part and self.spell(set) == whole)
        return [""] if whole in names or not parts else parts

    def _topic(
        self, id: str, fact: tuple[FoundFile, FileTopic, str] | None, length: int | None, selector: str, *, tasks: bool
    ) -> Topic:
        set, part = parts_of(id)
        listed = fact[1] if fact else None
        if listed is not None:
            set, part = self.spell(listed.name.set), fact[2] if fact else part
        attributes: Attributes = {}
        selector = (listed.name.selector.upper() if listed else "") or self.selectors.get(id, "") or selector
        attributes |= {"selector": selector} if selector else {}
        attributes |= {"length": length} if length else {}
        attributes |= {"task": "update" if part else "main"} if tasks else {}
        if listed is not None:
            attributes |= {"granularity": listed.granularity} if listed.granularity else {}
            attributes |= _category(listed.category)
        return Topic(
            topic=id,
            title=listed.title if listed else "",
            narrative=listed.narrative if listed else "",
            documents=tuple(self._documents(id, listed, part)),
            background=tuple(self._background(set, part, listed)),
            parent=set if part else "",
            part=part,
            attributes=attributes,
        )

    def _documents(self, topic: str, listed: FileTopic | None, part: str) -> list[Document]:
        """In the order of the topic file; those of the folder that it does not list come last."""
        there = self.documents.get(topic, {})
        ids = listed.documents.get(part, []) if listed else []
        found = [there.get(id) or self.loose.get(id) for id in ids]
        if part == "AB":
            set, _ = parts_of(topic)
            return [one for each in "AB" for one in self._documents(self.spell(f"{set}-{each}"), listed, each)]
        return [
            *(one for one in found if one is not None),
            *(there[id] for id in sorted(there) if id not in ids),
        ]

    def _background(self, set: str, part: str, listed: FileTopic | None) -> Iterator[Document]:
        """The documents of the earlier parts."""
        if len(part) != 1:
            return
        for number in range(ord("A"), ord(part)):
            yield from self._documents(self.spell(f"{set}-{chr(number)}"), listed, chr(number))

    def _compare(self, facts: Mapping[str, tuple[FoundFile, FileTopic, str]]) -> None:
        """List what topic files and folders say differently; the folders decide."""
        if not self.documents and not self.loose:
            if facts:
                self.problems.remark("No source documents were found: topics have none.")
            return
        for id, (found, topic, part) in facts.items():
            there = self.documents.get(id, {})
            at = found.at(self.problems).at(field=id)
            missing = [one for one in topic.documents.get(part, []) if one not in there and one not in self.loose]
            extra = [one for one in there if topic.documents and one not in topic.documents.get(part, [])]
            if missing:
                what = f"{counted(len(missing), 'document')} listed for {id} ({', '.join(missing[:5])})"
                at.warning(
                    found=f"{what}, not there",
                    expected="the documents of the folder",
                    remedy="They were left out.",
                    count=len(missing),
                )
            if extra:
                what = f"{counted(len(extra), 'document')} of {id} that are not listed ({', '.join(extra[:5])})"
                at.warning(
                    found=what,
                    expected="the documents of the topic file",
                    remedy="The folder decides: kept.",
                    count=len(extra),
                )


def _set_folder(found: FoundFile) -> tuple[SetName | None, PurePosixPath]:
    """The set that the folders of a document name, with its part, and the folder of the set."""
    parents = list(PurePosixPath(found.path.as_posix()).parents)
    for index, folder in enumerate(parents[: len(found.file.folders)]):
        name = parse_set(folder.name)
        if name is not None and (name.selector or name.part):
            above = parse_set(parents[index + 1].name) if name.part and index + 1 < len(parents) else None
            own = above is not None and above.set.casefold() == name.set.casefold()
            return name, parents[index + 1] if own else folder
    return None, PurePosixPath()


def _category(given: str) -> Attributes:
    """The number of a guided topic's category, and its name."""
    if not given:
        return {}
    if not given.isdecimal() or not 1 <= int(given[:3]) <= len(CATEGORIES):
        return {"category": given}
    return {"category": int(given), "category_name": CATEGORIES[int(given) - 1]}
