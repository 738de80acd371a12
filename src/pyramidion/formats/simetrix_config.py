"""SIMetrix's configuration: which features are switched on and with what, as names of our measures."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.files.problems import shorten
from pyramidion.formats.decoding import read_tolerantly
from pyramidion.formats.simetrix_tables import FEATURES

_GROUPS = {
    "divergence": tuple(FEATURES.values())[:4],
    "cosineOverlap": tuple(FEATURES.values())[4:5],
    "topicWordFeatures": tuple(FEATURES.values())[5:8],
    "frequencyFeatures": tuple(FEATURES.values())[8:],
}
"""The switches, in the order of the tool's features."""
DEFAULT_CUTOFF = 10.0
_LINE = re.compile(r"\s*([A-Za-z]+)\s*=\s*(.*?)\s*")
_YES, _NO = frozenset({"y", "yes", "true", "1", "on"}), frozenset({"n", "no", "false", "0", "off"})
_BARE = re.compile(r"[\w./+:@%~-]+")


def read_configuration(path: Path, problems: Problems) -> list[str]:
    """The names of the measures that the configuration asks for: `js(preset=simetrix,stem=no)`.

    A switch that is not there is taken as on; other lines are ignored, as the tool does.
    Its background and idf files become the options background= and idf= of the features that rest on them.
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

    def file(option: str, name: str) -> list[str]:
        path = values.get(name, "")
        return [f"{option}={path if _BARE.fullmatch(path) else json.dumps(path, ensure_ascii=False)}"] if path else []

    shared = ["preset=simetrix"]
    if not (stems := switched("performStemming")):
        shared.append("stem=no")
    background = file("background", "backgroundCorpusFreqCounts")
    idf = file("idf", "backgroundIdfStemmed" if stems else "backgroundIdfUnstemmed")
    stop = file("stop", "stopFilePath") if switched("removeStopWords") else ["stop=none"]
    cutoff = _cutoff(values.get("topicWordCutoff", ""), path, lines.get("topicWordCutoff"), problems)
    names = []
    for feature in (feature for group, features in _GROUPS.items() if switched(group) for feature in features):
        is_topic, is_cosine = feature in _GROUPS["topicWordFeatures"], feature.endswith("cosine")
        options = [*shared, *(background if is_topic else []), *(idf if is_cosine else []), *stop]
        names.append(f"{feature}({','.join([*options, *(cutoff if is_topic else [])])})")
    return names


def _cutoff(given: str, path: Path, line: int | None, problems: Problems) -> list[str]:
    """The cutoff of topic words, which the tool has in base-10 logarithms; none where it is the tool's own, 10."""
    try:
        cutoff = float(given or DEFAULT_CUTOFF)
    except ValueError:
        cutoff = math.nan
    if not cutoff > 0 or math.isinf(cutoff):
        remedy = f"It was taken for {DEFAULT_CUTOFF:g}."
        found, expected = shorten(given), "a number above 0"
        problems.add(
            "warning", file=path, line=line, field="topicWordCutoff", found=found, expected=expected, remedy=remedy
        )
        return []
    return [] if cutoff == DEFAULT_CUTOFF else [f"cutoff={cutoff * math.log(10)!r}"]
