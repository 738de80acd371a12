"""From names and files to formats: those that ship with pyramidion, and those of other packages.

A format's module is imported when the format is asked for by name, or when a file shows one of its marks.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import Glimpse
from pyramidion.intake.opened import FileTable

ENTRY_POINTS = "pyramidion.formats"


@dataclass(frozen=True)
class FormatEntry:
    """A format of ours as it is known before its module is imported."""

    name: str
    module: str
    """Below `pyramidion.formats`; it has a `FORMAT`."""
    marks: tuple[bytes, ...] = ()
    """Each of its files has one of these near its start, or in the names of its columns."""
    endings: tuple[str, ...] = ()
    """Files whose names end so may be of this format, whatever they contain."""
    lists_files: bool = False
    """Whether its files may consist of paths to other files."""
    folders: bool = False
    """Whether it also recognises folders."""

    def load(self) -> Format:
        """The format itself."""
        format: Format = import_module(f"pyramidion.formats.{self.module}").FORMAT
        return format

    def may_have(self, glimpse: Glimpse) -> bool:
        """Whether a file or folder may be of this format, so that its detector is worth importing."""
        if glimpse.is_folder:
            return self.folders
        if glimpse.path.name.lower().endswith(self.endings):
            return True
        if any(map(glimpse.shows, self.marks)):
            return True
        return self.lists_files and glimpse.names_files


BUILT_IN = (
    FormatEntry("rouge-xml", "rouge.rouge_xml", marks=(b"EVAL", b"eval", b"Eval")),
    FormatEntry("rouge-list", "rouge.rouge_list", lists_files=True),
    FormatEntry("rouge-out", "rouge.rouge_out", marks=(b" ROUGE-",)),
    FormatEntry("nist", "nist", endings=(".tgz", ".tar.gz"), folders=True),
    FormatEntry("ducview", "ducview", marks=(b"<pyramid", b"<peerAnnotation"), endings=(".pyr", ".pan"), folders=True),
    FormatEntry("pyreval", "programs.pyreval", marks=(b"<Pyramid", b"\t")),
    FormatEntry("nuggetizer", "programs.nuggetizer", marks=(b'"nuggets"',), folders=True),
    FormatEntry("auto-argue", "programs.auto_argue", marks=(b'"judgment_type_id"', b'"nugget_bank"'), folders=True),
    FormatEntry("lite-pyramid", "datasets.lite_pyramid", folders=True),
    FormatEntry("realsumm", "datasets.realsumm", folders=True),
    FormatEntry("summeval", "datasets.summeval", marks=(b"expert_annotations",)),
    FormatEntry("rose", "datasets.rose", marks=(b"reference_acus",)),
    FormatEntry("qapyramid", "datasets.qapyramid", marks=(b"QA_labels",)),
    FormatEntry("newsroom", "datasets.newsroom", marks=(b"ArticleID",)),
    FormatEntry("summeval-op", "datasets.summeval_op", marks=(b"reviews",)),
    FormatEntry("simetrix", "programs.simetrix", marks=(b"sysId",), lists_files=True),
    FormatEntry("datasets", "datasets.hugging_face", folders=True),
    FormatEntry("folder", "plain.folder_of_texts", folders=True),
    FormatEntry("lm-eval", "harnesses.lm_eval", marks=(b'"filtered_resps"',), folders=True),
    FormatEntry("inspect", "harnesses.inspect_ai", marks=(b'"eval"', b"PK\x03\x04"), folders=True),
    FormatEntry("promptfoo", "harnesses.promptfoo", marks=(b'"testCase"', b'"evalId"'), folders=True),
    FormatEntry("deepeval", "harnesses.deepeval", marks=(b'"testCases"',), folders=True),
    FormatEntry(
        "every-eval-ever",
        "harnesses.every_eval_ever",
        marks=(b'"evaluation_results"', b'"interaction_type"'),
        folders=True,
    ),
    FormatEntry("batch", "harnesses.batches", marks=(b'"custom_id"',)),
    FormatEntry("braintrust", "harnesses.braintrust", marks=(b"root_span_id",)),
    FormatEntry("spans", "harnesses.spans", marks=(b"attributes", b"resourceSpans", b"reference_output")),
    FormatEntry(
        "langfuse",
        "harnesses.langfuse",
        marks=(b"raceId", b"datasetItemId", b"dataset_run_id", b"bookmarked"),
    ),
    FormatEntry("sacrerouge", "programs.sacrerouge", marks=(b'"instance_id"',)),
    FormatEntry("records", "plain.records"),
    FormatEntry("lines", "plain.line_files"),
)
"""Our formats, in the order in which they are listed and tried.

Those without marks, endings or folders are read only if asked for.
"""


@functools.cache
def _plug_ins() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    """Formats from other packages, and what is wrong with those that can't be loaded."""
    formats: dict[str, Format] = {}
    failures: list[str] = []
    names = {entry.name for entry in BUILT_IN}
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            format: Any = entry.load()
        except Exception as error:  # whatever another package does must not keep ours from working
            failures.append(f"the format {entry.name!r} of {entry.value!r} can't be loaded: {error}")
            continue
        if not isinstance(format, Format):
            failures.append(f"the format {entry.name!r} ({entry.value}) is no pyramidion.formats.Format")
        elif format.name in names or format.name in formats:
            failures.append(
                f"the format {entry.name!r} ({entry.value}) is left out: another format is called {format.name} "
                "already; give it another name"
            )
        else:
            formats[format.name] = format
    return tuple(formats.values()), tuple(failures)


def broken_plug_ins() -> tuple[str, ...]:
    """What is wrong with formats of other packages that are left out."""
    return _plug_ins()[1]


def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are listed and tried; their modules are imported."""
    return (*(entry.load() for entry in BUILT_IN), *_plug_ins()[0])


def format_names() -> list[str]:
    """The name of every format, in the order in which they are listed; our modules are not imported."""
    return [*(entry.name for entry in BUILT_IN), *(format.name for format in _plug_ins()[0])]


def find_format(name: str) -> Format:
    """The format with this name.

    Raises:
        UsageError: if there is none; it suggests similar names.
    """
    for entry in BUILT_IN:
        if entry.name == name:
            return entry.load()
    for format in _plug_ins()[0]:
        if format.name == name:
            return format
    names = format_names()
    message = f"there is no format {name!r}{did_you_mean(name, names)} choose one of: {', '.join(names)}"
    raise UsageError("; ".join([message, *broken_plug_ins()]))


def detect_format(path: Path, opened: FileTable | None = None) -> Format | None:
    """The first format that recognises the content of a file or folder.

    Args:
        path: the file or folder.
        opened: the file, if it is open already.
    """
    glimpse = Glimpse(path, opened)
    return next((format for format in _candidates(glimpse) if format.recognises(glimpse)), None)


def _candidates(glimpse: Glimpse) -> Iterator[Format]:
    """Formats that the file or folder may have; those of other packages are imported last."""
    for entry in BUILT_IN:
        if entry.may_have(glimpse):
            yield entry.load()
    yield from _plug_ins()[0]
