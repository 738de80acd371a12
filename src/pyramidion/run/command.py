"""The command line that gives the same numbers as a run, for reports, messages and whoever wants to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from pyramidion.options import Options


def command_line(
    verb: str,
    data: Sequence[str],
    measures: Iterable[str] = (),
    further_words: Iterable[str] = (),
    *,
    options: Options | None = None,
    choice: Options | None = None,
) -> str:
    """A command line, quoted for a shell; options with their defaults are left out.

    Args:
        verb: the command, such as "compare" or "study models".
        data: the words that name the data.
        measures: given by -m.
        further_words: further words of the command line.
        options: of the analysis.
        choice: those that all analyses share; without those that mean nothing to this one.

    >>> command_line("compare", ["my data.jsonl"], ["rouge-2.f"])
    "pyramidion compare 'my data.jsonl' -m rouge-2.f"
    """
    words = ["pyramidion", *verb.split(), *data]
    for measure in measures:
        words += ["-m", measure]
    words += further_words
    if options is not None:
        words += options.arguments()
    if choice is not None:
        words += choice.arguments(options.unused_choice if options is not None else ())
    return shlex.join(words)
