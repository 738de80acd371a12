"""Several files as the data of one analysis, such as the .pyr and .pan files of DUCView."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.formats import Format, FormatSource

if TYPE_CHECKING:
    from pyramidion.campaign.sources import Readable


@dataclass(frozen=True)
class Files:
    """Files of one foreign format, read as one campaign with options of the format."""

    format: Format
    paths: Sequence[Path]
    options: Mapping[str, str]

    @property
    def path(self) -> Path:
        """The first of them."""
        return self.paths[0]

    def read(self, problems: Problems) -> Campaign:
        """The campaign; problems and repairs are collected, not raised."""
        return self.format.read(self.paths, problems, **self.options)

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """One shard: the whole campaign."""
        yield self.read(problems)


def with_options(sources: Mapping[str, Readable], options: Mapping[str, str], *, together: bool) -> list[Readable]:
    """The sources with the options of their format; `together`, files of a format that reads several become one."""
    joined: list[Readable] = []
    groups: dict[str, list[Path]] = {}
    for name, source in sources.items():
        if not isinstance(source, FormatSource):
            if options:
                raise UsageError(f"--option: {name} is a campaign; only foreign formats have options")
            joined.append(source)
        elif source.format.name in groups:
            groups[source.format.name].append(source.path)
        else:
            paths = [source.path]
            joined.append(Files(source.format, paths, options))
            if together and source.format.several:
                groups[source.format.name] = paths
    return joined
