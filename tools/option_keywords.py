"""Writes src/pyramidion/options/keywords.py: options as typed keywords, for editors and type checkers.

Run `python tools/option_keywords.py` after changing an option; a test fails until it was run.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

from pyramidion import options as o

PATH = Path(o.__file__).with_name("keywords.py")
WIDTH = 120
HEAD = '''"""The options as keywords of functions: `def compare(data, **keywords: Unpack[CompareVerbKeywords])`.

Written by tools/option_keywords.py from the classes of options. Where an option may be given several times, a single
value stands for a list of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from pyramidion.options import (
{names}
)
'''
EVALUATION = '''class EvaluationKeywords(ChoiceKeywords, total=False):
    """Which part of the data is evaluated, and what is called as work goes on."""

    progress: Progress | None
    """Called as long work goes on."""
'''
VERBS: tuple[type[o.Options], ...] = (
    o.ShardOptions,
    o.CompareOptions,
    o.CorrelateOptions,
    o.PowerOptions,
    o.DesignOptions,
    o.GateOptions,
    o.TrustOptions,
    o.LeadOptions,
    o.PlanOptions,
    o.ReportOptions,
    o.SampleSizeOptions,
    o.TopicsOptions,
    o.HeterogeneityOptions,
    o.ChoicesOptions,
    o.ModelFreeOptions,
    o.OrdersOptions,
    o.LabelsOptions,
    o.DescribeOptions,
    o.FrequencyOptions,
    o.JudgmentRegressionOptions,
    o.JudgmentAgreementOptions,
    o.PreferenceOptions,
    o.AssessorOptions,
    o.PyramidScoreOptions,
    o.PyramidShowOptions,
    o.PyramidAgreementOptions,
    o.JudgePlanOptions,
)
"""Options of analyses that are verbs: these take the data, and so the options of `Choice`, too."""
MEASURES = {
    "Sequence[str]": "str | NamedMeasure | Sequence[str | NamedMeasure]",
    "str | None": "str | NamedMeasure | None",
}
"""The type of the keyword `with_`, by its declared type: in Python, a measure may also be an object."""


def keywords_module() -> str:
    """The text of the module."""
    kinds = _public_kinds()
    classes = [_keywords_class(kind, kinds) for kind in kinds]
    verbs = [_verb_class(kind) for kind in VERBS]
    body = "\n\n".join([*classes, EVALUATION, *verbs])
    return f"{_head(body)}\n\n{body}"


def keywords_name(kind: type[o.Options]) -> str:
    """The name of the keywords of a kind of options: CompareOptions are CompareKeywords."""
    return f"{kind.__name__.removesuffix('Options')}Keywords"


def verb_keywords_name(kind: type[o.Options]) -> str:
    """The name of the keywords of a verb, which also chooses data."""
    return f"{kind.__name__.removesuffix('Options')}VerbKeywords"


def _public_kinds() -> list[type[o.Options]]:
    """All kinds of options, bases before what is derived from them."""
    exported = [value for value in vars(o).values() if isinstance(value, type) and issubclass(value, o.Options)]
    kinds = [kind for kind in exported if kind is not o.Options]
    return sorted(kinds, key=lambda kind: len(kind.__mro__))


def _head(body: str) -> str:
    """The head of the module, which imports the types that its body names."""
    words = set(re.findall(r"\w+", re.sub(r'""".*?"""', "", body, flags=re.DOTALL)))
    names = sorted(word for word in words if hasattr(o, word) and word[0].isupper())
    return HEAD.format(names="\n".join(f"    {name}," for name in names))


def _keywords_class(kind: type[o.Options], kinds: list[type[o.Options]]) -> str:
    bases = [base for base in kind.__mro__[1:] if base in kinds]
    base_name = keywords_name(bases[0]) if bases else "TypedDict"
    inherited = {option.name for base in bases for option in base.each()}
    fields = [option for option in kind.each() if option.name not in inherited]
    lines = [f"class {keywords_name(kind)}({base_name}, total=False):", *_docstring(_summary(kind))]
    if fields:
        lines.append("")
    for option in fields:
        lines += [f"    {option.name}: {_keyword_type(kind, option.name)}", *_docstring(option.help)]
    return "\n".join(lines) + "\n"


def _verb_class(kind: type[o.Options]) -> str:
    bases = f"{keywords_name(kind)}, EvaluationKeywords"
    summary = f"{_summary(kind).rstrip('.')}; and which data."
    return "\n".join([f"class {verb_keywords_name(kind)}({bases}, total=False):", *_docstring(summary)]) + "\n"


def _summary(kind: type[o.Options]) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def _keyword_type(kind: type[o.Options], name: str) -> str:
    """The type of a keyword: as it is declared, or a single value where it is a sequence."""
    declared = next(
        annotations[name] for base in kind.__mro__ if name in (annotations := inspect.get_annotations(base))
    )
    written = str(declared).replace("'", '"')
    if name == "with_":
        return MEASURES[written]
    match = re.fullmatch(r"Sequence\[(.+)\]( \| None)?", written)
    if match is None or match[1] == "str":  # a string is a sequence of strings already
        return written
    return f"Sequence[{match[1]}] | {match[1]}{match[2] or ''}"


def _docstring(text: str) -> list[str]:
    """A docstring, on several lines if it is long."""
    line = f'    """{text}"""'
    if len(line) <= WIDTH:
        return [line]
    first, *rest = textwrap.wrap(f'"""{text}', WIDTH, initial_indent="    ", subsequent_indent="    ")
    return [first, *rest, '    """']


if __name__ == "__main__":
    PATH.write_text(keywords_module(), encoding="utf-8")
