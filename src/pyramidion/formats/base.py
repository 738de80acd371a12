"""What a foreign format is: a name, a reader, a writer, and a way to recognise its files.

A module or package of this room offers plain functions and binds them together in one `Format`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.foreign import with_whole_texts
from pyramidion.campaign.losses import note_losses
from pyramidion.campaign.sources import Readable
from pyramidion.errors import UsageError, did_you_mean, mention
from pyramidion.files import written_together
from pyramidion.files.opening import require_file_or_folder
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.text_files import files_below, is_folder
from pyramidion.show.tables import Finding
from pyramidion.show.wording import counted

TRIED = 20
"""Files of a folder that are looked at to find out whether they have a format."""
AVERAGE = "average"
"""The topic of scores that are means over topics, if a file has no others."""

Detect = Callable[[Glimpse], bool]
"""Whether a file has the format, judged by its content, never by its name."""
DetectFolder = Callable[[Path], bool]
"""Whether a folder contains what the format reads."""
Read = Callable[..., Campaign]
"""(path, problems, *, options) → the campaign; problems are collected, not raised. With `several`: (paths, …)."""
Find = Callable[[Sequence[Path], Problems], Finding]
"""(paths, problems) → what is there."""
Write = Callable[..., None]
"""(campaign, target, problems, *, options); what the format can't hold becomes a warning."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """One foreign format."""

    name: str
    description: str
    detector: Detect | None = None
    folder_detector: DetectFolder | None = None
    within: Sequence[str] = ()
    """How its files are called in a folder, as a shell has patterns: a folder stands for all of them below it."""
    several: bool = False
    """Whether files and folders can be read together: the reader then takes a sequence of paths."""
    names_systems: bool = False
    """Whether the reader takes `names`: by file, the name that the user gives to its system."""
    reader: Read | None = None
    writer: Write | None = None
    finder: Find | None = None
    """What is in the files, to be shown before they are imported."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Keyword options of the reader, each with a line that describes it."""
    write_options: Mapping[str, str] = field(default_factory=dict)
    """Keyword options of the writer."""
    keeps: frozenset[str] = frozenset()
    """The parts of a campaign (campaign/losses.py) that the writer stores or speaks of itself; others are lost."""

    @property
    def reads(self) -> bool:
        """Whether campaigns can be imported from it."""
        return self.reader is not None

    @property
    def writes(self) -> bool:
        """Whether campaigns can be exported to it."""
        return self.writer is not None

    def detect(self, path: Path) -> bool:
        """Whether the file or folder has this format; what can't be read has none."""
        return self.recognises(Glimpse(path))

    def recognises(self, glimpse: Glimpse) -> bool:
        """Whether a file or folder has this format by what it shows at first sight."""
        if glimpse.is_folder and self.folder_detector is not None:
            return self.folder_detector(glimpse.path)
        if glimpse.is_folder:
            files = files_below(glimpse.path, self.within) if self.within else []
            return any(map(self.detect, files[:TRIED]))
        if self.detector is None or not glimpse.is_file:
            return False
        return self.detector(glimpse)

    def read(
        self,
        source: Path | Sequence[Path],
        problems: Problems,
        names: Mapping[Path, str] | None = None,
        /,
        **options: str | Path | None,
    ) -> Campaign:
        """The campaign in the file; call `problems.refuse()` afterwards. A repair is a warning there.

        Args:
            source: the file, or several.
            problems: where problems are noted.
            names: by file, the name that the user gives to its system.
            options: of the format.

        Raises:
            UsageError: if the format can't be imported, takes one file only, does not have these options, or its files
                say themselves whose the summaries are.
        """
        if self.reader is None:
            raise UsageError(f"the format {self.name} can only be exported; `pyramidion list formats` shows all")
        self.check_options(options)
        paths = [source] if isinstance(source, Path) else list(source)
        for path in paths:
            require_file_or_folder(path)
        if self.within:
            paths = [file for path in paths for file in self._files(path, problems)]
        if not self.several and len(paths) != 1:
            raise UsageError(
                f"the format {self.name} is read from one file or folder; found {len(paths)}. Import one by one."
            )
        if not paths:
            return Campaign(name="")
        source = paths if self.several else paths[0]
        if names and not self.names_systems:
            file, name = next(iter(names.items()))
            raise UsageError(
                f"{mention('system', {name: str(file)})}: files of the format {self.name} name their systems themselves"
            )
        settings: dict[str, Any] = {**options, "names": names} if names else {**options}
        campaign = self.reader(source, problems, **settings)
        return with_whole_texts(campaign, problems.at(paths[0]))

    def _files(self, path: Path, problems: Problems) -> list[Path]:
        """The file; of a folder, those of this format."""
        if not is_folder(path):
            return [path]
        files = list(filter(self.detect, files_below(path, self.within)))
        if not files:
            problems.at(path).error(
                found="none",
                expected=f"files of the format {self.name} ({', '.join(self.within)}) in this folder",
                remedy="Check the path.",
            )
        else:
            problems.remark(f"{path}: found {counted(len(files), 'file')} of the format {self.name}")
        return files

    def write(self, campaign: Campaign, target: Path, problems: Problems, /, **options: str | Path | None) -> None:
        """Write the campaign to the target; what is lost becomes a warning."""
        if self.writer is None:
            raise UsageError(f"the format {self.name} can only be imported; `pyramidion list formats` shows all")
        _check_options(self.name, self.writer, self.write_options, options, when=" for export")
        with written_together(target):
            self.writer(campaign, target, problems, **options)
        keeps = {*self.keeps, "campaign.name"}  # everywhere the name is that of the file or folder
        note_losses(campaign, problems.at(target), keeps, form=f"the format {self.name}")

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse options that the reader does not have, or not with this value."""
        _check_options(self.name, self.reader, self.options, options)


def _check_options(
    name: str,
    function: Callable[..., Any] | None,
    descriptions: Mapping[str, str],
    options: Mapping[str, Any],
    when: str = "",
) -> None:
    """Options must be known; the type of the function's argument says which words one takes, if they are few."""
    types = get_type_hints(function) if options and function else {}
    for option, value in options.items():
        if option not in descriptions:
            raise UsageError(
                f"the format {name} has no option {option!r}{when}{did_you_mean(option, descriptions)} "
                f"its options are: {', '.join(descriptions) or 'none'}"
            )
        words = get_args(types.get(option)) if get_origin(types.get(option)) is Literal else ()
        if words and value not in words:
            shown = [word for word in words if word]
            raise UsageError(f"{option}={value}{did_you_mean(value, shown)} choose one of: {', '.join(shown)}")


@dataclass(frozen=True)
class FormatSource(Readable):
    """A campaign in files of a foreign format, read whole."""

    format: Format
    paths: Sequence[Path]
    options: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)
    """By file, the name that the user gives to its system."""

    @property
    def path(self) -> Path:
        """The first file."""
        return self.paths[0]

    def with_options(self, options: Mapping[str, str], name: str) -> FormatSource:  # noqa: ARG002  # as our own forms
        """The source with these options; one that the format does not have is a usage error."""
        self.format.check_options(options)
        return replace(self, options=options)

    def read(self, problems: Problems) -> Campaign:
        """The campaign; problems and repairs are collected, not raised."""
        return self.format.read(self.paths, problems, self.names, **self.options)


def joined_sources(sources: Mapping[str, Readable], *, together: bool) -> list[Readable]:
    """The sources; `together`, files of a format that reads several become one."""
    joined: dict[tuple[str, str], Readable] = {}
    for name, source in sources.items():
        if isinstance(source, FormatSource):
            key = (source.format.name, "" if together and source.format.several else name)
            previous = joined.get(key)
            paths = previous.paths if isinstance(previous, FormatSource) else ()
            joined[key] = replace(source, paths=(*paths, *source.paths))
        else:
            joined["", name] = source
    return list(joined.values())
