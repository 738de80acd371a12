"""SIMetrix's configuration: which features are on, with which files, as names of our measures."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.programs.simetrix.simetrix_tables import FEATURES
from pyramidion.formats.text_files import number_of, numbered, read_text

_GROUPS = {
    "divergence": tuple(FEATURES.values())[:4],
    "cosineOverlap": tuple(FEATURES.values())[4:5],
    "topicWordFeatures": tuple(FEATURES.values())[5:8],
    "frequencyFeatures": tuple(FEATURES.values())[8:],
}
"""The switches, in the order of SIMetrix's features."""
DEFAULT_CUTOFF = 10.0
_LINE = re.compile(r"\s*([A-Za-z]+)\s*=\s*(.*?)\s*")
_YES, _NO = frozenset({"y", "yes", "true", "1", "on"}), frozenset({"n", "no", "false", "0", "off"})
_BARE = re.compile(r"[\w./+:@%~-]+")


def read_configuration(path: Path, problems: Problems) -> list[str]:
    """The names of the measures that the configuration asks for: `js(preset=simetrix,stem=no)`.

    A switch that is missing counts as on; other lines are ignored, as SIMetrix does. Its background, idf and stop files
    become options of the features that use them.
    """
    text = read_text(path, problems)
    if text is None:
        return []
    values: dict[str, str] = {}
    places: dict[str, Place] = {}
    for number, line in numbered(text):
        match = _LINE.fullmatch(line)
        if match:
            values[match[1]], places[match[1]] = match[2], Place(problems, path, number, match[1])

    def is_on(name: str) -> bool:
        """Whether a switch is on; one that says neither yes nor no is a warning."""
        value = values.get(name, "").lower()
        if value and value not in _YES | _NO:
            places[name].warning(
                found=shorten(values[name]),
                expected="Y or N",
                remedy="It was read as Y.",
            )
        # As SIMetrix does: whatever is not switched off is on.
        return value not in _NO

    def file(option: str, name: str) -> list[str]:
        """The option that names a file of the configuration; none if it names no file."""
        path = values.get(name, "")
        if not path:
            return []
        if not _BARE.fullmatch(path):
            path = json.dumps(path, ensure_ascii=False)
        return [f"{option}={path}"]

    stems = is_on("performStemming")
    shared = ["preset=simetrix"] if stems else ["preset=simetrix", "stem=no"]
    background = file("background", "backgroundCorpusFreqCounts")
    idf_file = "backgroundIdfStemmed" if stems else "backgroundIdfUnstemmed"
    idf = file("idf", idf_file)
    stop = file("stop", "stopFilePath") if is_on("removeStopWords") else ["stop=none"]
    cutoff: list[str] = []
    if "topicWordCutoff" in values:
        cutoff = _cutoff(values["topicWordCutoff"], places["topicWordCutoff"])
    names: list[str] = []
    for group, features in _GROUPS.items():
        if not is_on(group):
            continue
        for feature in features:
            is_topic = feature in _GROUPS["topicWordFeatures"]
            options = list(shared)
            if is_topic:
                options += background
            if feature.endswith("cosine"):
                options += idf
            options += stop
            if is_topic:
                options += cutoff
            names.append(f"{feature}({','.join(options)})")
    return names


def _cutoff(value: str, here: Place) -> list[str]:
    """The cutoff of topic words, which SIMetrix has in base-10 logarithms; none if it is SIMetrix's own, 10."""
    cutoff = number_of(value or DEFAULT_CUTOFF)
    if cutoff is None or cutoff <= 0:
        here.warning(
            found=shorten(value),
            expected="a number above 0",
            remedy=f"It was read as {DEFAULT_CUTOFF:g}.",
        )
        return []
    if cutoff == DEFAULT_CUTOFF:
        return []
    # SIMetrix computes −2 log λ with base-10 logarithms: its 10 is our 23.03.
    return [f"cutoff={cutoff * math.log(10)!r}"]
