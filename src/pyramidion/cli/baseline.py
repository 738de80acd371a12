"""`pyramidion baseline lead`: summaries that anyone's campaign can be compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyramidion.cli import options as o
from pyramidion.cli.output import writing
from pyramidion.cli.run import check_written, running, take_options
from pyramidion.options import Choice, LeadOptions

baseline: o.Program = o.group("baseline", "Write baseline summaries for any campaign that has documents.")


@baseline.add
@o.command()
@o.data
@o.output(
    "Where to write: a new folder gets the campaign with the baseline among its systems, a .jsonl or .parquet file the "
    "baseline's summaries alone, with references and documents.",
    None,
    required=True,
)
@o.options_of(LeadOptions)
@o.options_of(Choice, without=("peers", "exclude", "scores", "raters", "judge", "mix_judges", "seed"))
@o.replace
@o.quiet
def lead(data: Any, output: Path, replace: bool, quiet: bool, **flags: object) -> None:
    """Write the lead baseline of DUC: the leading sentences of the most recent document, cut at the word limit.

    Example: pyramidion baseline lead demo -o lead.jsonl
    """
    options = take_options(LeadOptions, flags)
    choice = take_options(Choice, flags)
    files = check_written(output, data, choice, None, replace=replace)
    with running(data, choice, quiet=quiet, files=files) as run, writing(output):
        campaign = run.evaluation.write_lead(output, options)
    count = sum(summary.summarizer == options.summarizer for summary in campaign.summaries)
    run.note(f"{count} summaries of {options.summarizer} written to {output}")
