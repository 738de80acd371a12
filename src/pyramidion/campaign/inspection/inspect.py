"""A campaign inspected as a whole: its problems, and how complete it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.folder import FolderContent
from pyramidion.campaign.inspection.answers import inspect_answers
from pyramidion.campaign.inspection.completeness import Completeness, complete_table, inspect_completeness
from pyramidion.campaign.inspection.places import Places
from pyramidion.campaign.inspection.texts import inspect_texts
from pyramidion.files.problems import Problems
from pyramidion.show.tables import Row, Table


class Inspection(Problems, frozen=False, kw_only=False, repr=True, eq=True):
    """Every problem of a campaign, and how complete it is."""

    completeness: tuple[Completeness, ...] = ()
    whole: bool = False
    """Whether the campaign was inspected as a whole, rather than only read."""

    def rows(self) -> Iterator[Row]:
        """The problems, then what is complete."""
        yield from super().rows()
        yield from self.completeness

    def main_record(self) -> str:
        """Problems are what CSV and data frames hold."""
        return "problem"

    def tables(self) -> list[Table]:
        """The problems, and a line for each kind of thing that should be complete."""
        tables: list[Table] = []
        if self.kept:
            tables += super().tables()
        if self.completeness:
            tables.append(complete_table(self.completeness))
        return tables


def inspect_campaign(
    campaign: Campaign, inspection: Inspection, *, path: Path | str, content: FolderContent | None = None
) -> None:
    """Note what looks wrong, and how complete the campaign is.

    Args:
        campaign: all of it.
        inspection: takes the problems and the completeness.
        path: what the user called the data.
        content: of its folder, so that problems can name lines.
    """
    inspection.whole = True
    places = Places(problems=inspection, path=path, content=content)
    inspection.completeness = inspect_completeness(campaign, places)
    # Runs of a system may well be alike: what texts are like is asked of the first ones.
    inspect_texts(campaign.with_first_outputs(), places)
    if campaign.judgments:
        inspect_answers(campaign, places)
