"""SIMetrix's configuration: which features are switched on and with what, as names of our measures."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.campaign.problems import shorten
from pyramidion.formats.decoding import read_tolerantly
from pyramidion.formats.simetrix_tables import FEATURES

_GROUPS = {
    "divergence": tuple(FEATURES.values())[:4],
    "cosineOverlap": tuple(FEATURES.values())[4:5],
    "topicWordFeatures": tuple(FEATURES.values())[5:8],
    "frequencyFeatures": tuple(FEATURES.values())[8:],
}
"""The switches, in the order of the tool's features."""
_FILES = ("stopFilePath", "backgroundCorpusFreqCounts", "backgroundIdfUnstemmed", "backgroundIdfStemmed")
_LINE = re.compile(r"\s*([A-Za-z]+)\s*=\s*(.*?)\s*")
_YES, _NO = frozenset({"y", "yes", "true", "1", "on"}), frozenset({"n", "no", "false", "0", "off"})
_BARE = re.compile(r"[\w./+:@%~-]+")


def read_configuration(path: Path, problems: Problems) -> list[str]:
    """The names of the measures that the configuration asks for: `js(preset=simetrix,stem=no)`.

    A switch that is not there is taken as on; other lines are ignored, as the tool does.
    Its background files are of its own kind and are not read; that they are named is noted.
    """
    text = read_tolerantly(path, problems)
    if text is None:
        return []
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match:
            values[match[1]], lines[match[1]] = match[2], number

    def switched(name: str) -> bool:
        value = values.get(name, "")
        if value.lower() in _NO:
            return False
        if value and value.lower() not in _YES:
            problems.add(
                "warning",
                file=path,
                line=lines[name],
                field=name,
                found=shorten(value),
                expected="Y or N",
                remedy="It was taken for Y.",
            )
        return True

    options = ["preset=simetrix"]
    if not switched("performStemming"):
        options.append("stem=no")
    if not switched("removeStopWords"):
        options.append("stop=none")
    elif stop := values.get("stopFilePath", ""):
        options.append(f"stop={stop if _BARE.fullmatch(stop) else json.dumps(stop, ensure_ascii=False)}")
    for name in _FILES[1:]:
        if values.get(name):
            problems.add(
                "warning",
                file=path,
                line=lines[name],
                field=name,
                found=shorten(values[name]),
                expected="a background of ours, with the options background= and idf=",
                remedy="The tool's own background is not read; docs: Move over from SIMetrix.",
            )
    names = [feature for group, features in _GROUPS.items() if switched(group) for feature in features]
    return [f"{name}({','.join(options)})" for name in names]
