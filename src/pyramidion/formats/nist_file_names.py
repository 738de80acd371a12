"""NIST's file names of summaries, `<set>.<type>.<length>.<selector>.<summarizer>`, such as D0703-B.M.100.E.40."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_NAME = re.compile(
    r"(?P<set>[A-Za-z0-9-]+)\.[A-Za-z]\.(?P<length>[0-9]+)\.(?P<selector>[A-Za-z])(?:-(?P<left_out>[A-Z]+))?"
    r"\.(?P<summarizer>[A-Za-z]+|[0-9]+)",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True)
class NistName:
    """What a file name says."""

    topic: str
    """The set; in update tasks with its part, `D0703-B`."""
    summarizer: str
    length: int
    """The word limit."""
    selector: str
    """The letter of the assessor who developed the topic."""
    left_out: str = ""
    """In ROUGE outputs: the model that was left out, `C` in D0703-A.M.100.A-C.35."""

    @property
    def human(self) -> bool:
        """Letters name humans, digits systems."""
        return self.summarizer.isalpha()

    @property
    def kind(self) -> Literal["model", "peer"]:
        """What a summary with this name is: humans write models, systems write peers."""
        if self.human:
            return "model"
        return "peer"


def parse_nist_name(name: str) -> NistName | None:
    """Take a file name apart; None if it is not of this form."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return NistName(
        topic=match["set"],
        summarizer=match["summarizer"],
        # Python refuses to read numbers of more than 4,300 digits.
        length=int(match["length"][:9]),
        selector=match["selector"],
        left_out=match["left_out"] or "",
    )
