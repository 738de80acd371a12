"""The miniature ROUGE campaign of the format description, with texts, and how tests look at what was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyramidion.campaign import Campaign, Problems

CONFIGURATION = """<ROUGE-EVAL version="1.0">
<EVAL ID="D9901">
<PEER-ROOT>peers</PEER-ROOT>
<MODEL-ROOT>models</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="1">D9901.M.250.A.1</P><P ID="12">D9901.M.250.A.12</P></PEERS>
<MODELS><M ID="A">D9901.M.250.A.A</M><M ID="B">D9901.M.250.A.B</M></MODELS>
</EVAL>
</ROUGE-EVAL>
"""
TEXTS = {
    "peers/D9901.M.250.A.1": b"The ferry stopped on Saturday.\nNobody was hurt.\n",
    "peers/D9901.M.250.A.12": b"A fire on the ferry.\n",
    "models/D9901.M.250.A.A": b"The ferry burned on Saturday.\n\nIt was old.\n",
    "models/D9901.M.250.A.B": b"Fire stopped a ferry.\n",
}

Put = Callable[[str, str | bytes], Path]
Import = Callable[..., tuple[Campaign, Problems]]


def texts_of(campaign: Campaign) -> dict[tuple[str, str, str], object]:
    return {(summary.topic, summary.kind, summary.summarizer): summary.text for summary in campaign.summaries}


def only(problems: Problems) -> str:
    """The one problem, as it is shown."""
    (problem,) = problems
    return str(problem)
