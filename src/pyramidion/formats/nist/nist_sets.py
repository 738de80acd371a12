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
from pyramidion.show.wording import counted

Attributes = dict[str, str | int | float | bool]
Fact = tuple[FoundFile, FileTopic, str]
"""What a topic file says about a topic: the file, the entry in it, and which part of the set the topic is."""


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
        for file in package.all("topics"):
            self.listed += [(file, topic) for topic in read_topics(file.text(self.problems))]
        written = {topic.written.casefold(): topic.written for _, topic in self.listed}
        folders: set[PurePosixPath] = set()
        for file in package.all("documents"):
            name, folder = _set_folder(file)
            for document in read_documents(file.text(self.problems), name=file.file.name):
                if name is None:
                    self.loose[document.id] = document
                    continue
                self.documents.setdefault(self.spell(name.topic), {}).setdefault(document.id, document)
                self.selectors.setdefault(self.spell(name.topic), name.selector.upper())
            if name is not None and folder not in folders:
                folders.add(folder)
                self._compare_spelling(folder, written.get(folder.name.casefold(), folder.name))
        self._read_gigaword(package)

    def _compare_spelling(self, folder: PurePosixPath, written: str) -> None:
        """Warn about a folder of documents whose set the topic file spells differently."""
        if folder.name != written:
            self.problems.at(str(folder)).warning(
                found=f"the folder {folder.name}",
                expected=f"{written}, as in the topic file",
                remedy="They were joined.",
            )

    def _read_gigaword(self, package: Package) -> None:
        """Take the documents that are listed, and nowhere else, from Gigaword's months."""
        months = {file.file.name.lower().removesuffix(".gz"): file for file in package.all("Gigaword")}
        read_ids = set(self.loose)
        for documents in self.documents.values():
            read_ids.update(documents)
        ids_by_month: dict[str, set[str]] = {}
        for _, topic in self.listed:
            for ids in topic.documents.values():
                for id in set(ids) - read_ids:
                    # XIN_ENG_200501 of XIN_ENG_20050101.0001 is the name of the month's file.
                    ids_by_month.setdefault(id[:14].lower(), set()).add(id)
        for month, missing_ids in ids_by_month.items():
            if month in months:
                self._read_month(months[month], missing_ids)

    def _read_month(self, file: FoundFile, ids: set[str]) -> None:
        """Take the documents with these ids from a month of Gigaword; one that can't be unpacked is a warning."""
        try:
            text = gunzipped(file.file.read(self.problems)).decode("utf-8", errors="replace")
        except (OSError, EOFError, zlib.error) as error:
            file.at(self.problems).warning(
                found=f"a file that can't be unpacked ({error})",
                expected="gzip",
                remedy="It was left out.",
            )
            return
        # A month of Gigaword has hundreds of megabytes, of which a topic needs ten documents: blocks are looked at
        # before they are parsed.
        for block in text.split("</DOC>"):
            start = block.find("<DOC")
            opening = block[start : start + 200]
            names_listed_id = any(id in opening for id in ids)
            if start < 0 or not names_listed_id:
                continue
            for document in read_documents(block[start:], name=""):
                if document.id in ids:
                    self.loose[document.id] = document

    def topics(
        self, texts: Mapping[tuple[str, str], NistText], more_topics: Iterable[str], limits: Mapping[str, int]
    ) -> list[Topic]:
        """All topics that any file names, in order.

        Args:
            texts: the summaries, by topic and summarizer.
            more_topics: topics that only pyramids or tables name.
            limits: by topic, the word limit.
        """
        named_topics = {self.spell(topic) for topic, _ in texts}
        facts: dict[str, Fact] = {}
        for file, topic in self.listed:
            for part in self._parts(topic, named_topics):
                id = self.spell(SetName(topic.name.set, "", part).topic)
                facts.setdefault(id, (file, topic, part))
        self._compare(facts)
        ids = dict.fromkeys([*facts, *self.documents, *sorted({*named_topics, *more_topics})])
        ordered_ids = sorted(ids, key=_has_part)
        has_joined_parts = any("-AB" in id for id in ids)
        has_main_and_update = not has_joined_parts and len(set(map(_has_part, ids))) == 2
        have_one_limit = len(set(limits.values())) < 2
        selectors = {topic: text.name.selector for (topic, _), text in texts.items()}
        topics: list[Topic] = []
        for id in ordered_ids:
            topic_facts = facts.get(id)
            attributes = self._attributes(id, topic_facts, limits.get(id), selectors.get(id, ""))
            if id in limits and not have_one_limit:
                attributes["word_limit"] = limits[id]
            if has_main_and_update:
                is_update = topic_facts[2] if topic_facts else _has_part(id)
                attributes["task"] = "update" if is_update else "main"
            topics.append(self._topic(id, topic_facts, _sort_attributes(attributes)))
        return topics

    def _parts(self, topic: FileTopic, named: set[str]) -> list[str]:
        """The parts of a topic: those that list documents, those of folders, those of summaries."""
        if topic.documents:
            return list(topic.documents)
        if topic.name.part:
            return [topic.name.part]
        names = {*named, *self.documents}
        whole = self.spell(topic.name.set)
        sets_and_parts = map(parts_of, names)
        parts = sorted(part for set, part in sets_and_parts if part and self.spell(set) == whole)
        if whole in names or not parts:
            return [""]
        return parts

    def _attributes(self, id: str, fact: Fact | None, length: int | None, selector: str) -> Attributes:
        """What is known about a topic: selector, length, granularity and category."""
        attributes: Attributes = {}
        selectors = [self.selectors.get(id, ""), selector]
        if fact:
            selectors.insert(0, fact[1].name.selector.upper())
        first_selector = next(filter(None, selectors), "")
        if first_selector:
            attributes["selector"] = first_selector
        if length:
            attributes["length"] = length
        if fact and fact[1].granularity:
            attributes["granularity"] = fact[1].granularity
        if fact:
            attributes |= _category(fact[1].category)
        return attributes

    def _topic(self, id: str, fact: Fact | None, attributes: Attributes) -> Topic:
        """A topic with its documents, and with what the topic file says about it."""
        set, part = parts_of(id)
        listed: FileTopic | None = None
        title = narrative = ""
        if fact:
            _, listed, part = fact
            set = self.spell(listed.name.set)
            title, narrative = listed.title, listed.narrative
        parent = set if part else ""
        documents = tuple(self._documents(id, listed, part))
        listed_ids = listed.documents.get(part, []) if listed else []
        if listed_ids and not documents:
            # TAC 2011's documents are in Gigaword: who has none keeps at least their ids.
            attributes = _sort_attributes({**attributes, "document_ids": " ".join(listed_ids)})
        return Topic(
            topic=id,
            title=title,
            narrative=narrative,
            documents=documents,
            background=tuple(self._background(set, part, listed)),
            parent=parent,
            part=part,
            attributes=attributes,
        )

    def _documents(self, topic: str, listed: FileTopic | None, part: str) -> list[Document]:
        """In the order of the topic file; those of the folder that it does not list come last."""
        if part == "AB":
            set, _ = parts_of(topic)
            first_documents = self._documents(self.spell(f"{set}-A"), listed, "A")
            return first_documents + self._documents(self.spell(f"{set}-B"), listed, "B")
        set_documents = self.documents.get(topic, {})
        listed_ids = listed.documents.get(part, []) if listed else []
        documents: list[Document] = []
        for id in listed_ids:
            document = set_documents.get(id) or self.loose.get(id)
            if document is not None:
                documents.append(document)
        # The folder decides what the documents of a set are; the topic file only orders them.
        documents += [set_documents[id] for id in sorted(set_documents) if id not in listed_ids]
        return documents

    def _background(self, set: str, part: str, listed: FileTopic | None) -> Iterator[Document]:
        """The documents of the earlier parts."""
        if len(part) != 1:
            return
        # In update tasks a reader is assumed to know the documents of all earlier parts.
        for number in range(ord("A"), ord(part)):
            yield from self._documents(self.spell(f"{set}-{chr(number)}"), listed, chr(number))

    def _compare(self, facts: Mapping[str, tuple[FoundFile, FileTopic, str]]) -> None:
        """List what topic files and folders say differently; the folders decide."""
        if not self.documents and not self.loose:
            if facts:
                self.problems.remark("No source documents were found: topics have none.")
            return
        for id, (file, topic, part) in facts.items():
            set_documents = self.documents.get(id, {})
            listed_ids = topic.documents.get(part, [])
            at = file.at(self.problems).at(field=id)
            available = {*set_documents, *self.loose}
            missing = [id for id in listed_ids if id not in available]
            if missing:
                what = f"{counted(len(missing), 'document')} listed for {id} ({', '.join(missing[:5])})"
                at.warning(
                    found=f"{what}, not there",
                    expected="the documents of the folder",
                    remedy="They were left out.",
                    count=len(missing),
                )
            extra: list[str] = []
            if topic.documents:
                extra = [id for id in set_documents if id not in listed_ids]
            if extra:
                at.warning(
                    found=f"{counted(len(extra), 'document')} of {id} that are not listed ({', '.join(extra[:5])})",
                    expected="the documents of the topic file",
                    remedy="The folder decides: kept.",
                    count=len(extra),
                )


def _has_part(topic: str) -> bool:
    """Whether the id of a topic names a part of a set, as in update tasks."""
    _, part = parts_of(topic)
    return bool(part)


def _sort_attributes(attributes: Attributes) -> Attributes:
    """The attributes with the task after the length, where users are used to see it."""
    order = ("selector", "length", "word_limit", "task", "granularity", "category", "category_name", "document_ids")
    return {name: attributes[name] for name in order if name in attributes}


def _set_folder(file: FoundFile) -> tuple[SetName | None, PurePosixPath]:
    """The set that the folders of a document name, with its part, and the folder of the set."""
    parents = list(PurePosixPath(file.path.as_posix()).parents)
    for index, folder in enumerate(parents[: len(file.file.folders)]):
        name = parse_set(folder.name)
        if name is None or not (name.selector or name.part):
            continue
        if name.part and index + 1 < len(parents):
            name_above = parse_set(parents[index + 1].name)
            if name_above is not None and name_above.set.casefold() == name.set.casefold():
                return name, parents[index + 1]
        return name, folder
    return None, PurePosixPath()


def _category(text: str) -> Attributes:
    """The number of a guided topic's category, and its name."""
    if not text:
        return {}
    if not text.isdecimal() or not 1 <= int(text[:3]) <= len(CATEGORIES):
        return {"category": text}
    return {"category": int(text), "category_name": CATEGORIES[int(text) - 1]}
