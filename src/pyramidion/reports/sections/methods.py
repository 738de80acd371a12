"""Methods: every signature, seed, version and number that a reader needs to repeat the report, and what to cite."""

from __future__ import annotations

import platform
from collections.abc import Iterator

from pyramidion.errors import UsageError
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.reports.context import Context
from pyramidion.reports.section import Block, Cell, Column, Section, Table
from pyramidion.version import VERSION

INTERVALS = {
    "t": "t with the residual variance of summarizer + topic",
    "own": "t with each summarizer's own variance",
    "percentile": "percentile bootstrap over topics",
}
PAPERS = {
    "pyramidion": f"""@software{{pyramidion,
  title   = {{pyramidion: evaluate summaries, and the measures that evaluate them}},
  version = {{{VERSION}}},
}}""",
    "rouge": """@inproceedings{lin-2004-rouge,
  title     = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author    = {Lin, Chin-Yew},
  booktitle = {Text Summarization Branches Out},
  year      = {2004},
  pages     = {74--81},
}""",
    "pyramid": """@inproceedings{nenkova-passonneau-2004,
  title     = {Evaluating Content Selection in Summarization: The Pyramid Method},
  author    = {Nenkova, Ani and Passonneau, Rebecca},
  booktitle = {HLT-NAACL 2004},
  year      = {2004},
  pages     = {145--152},
}""",
    "be": """@inproceedings{hovy-etal-2006,
  title     = {Automated Summarization Evaluation with Basic Elements},
  author    = {Hovy, Eduard and Lin, Chin-Yew and Zhou, Liang and Fukumoto, Junichi},
  booktitle = {LREC 2006},
  year      = {2006},
}""",
    "model-free": """@inproceedings{louis-nenkova-2009,
  title     = {Automatically Evaluating Content Selection in Summarization without Human Models},
  author    = {Louis, Annie and Nenkova, Ani},
  booktitle = {EMNLP 2009},
  year      = {2009},
  pages     = {306--314},
}""",
    "comparison": """@inproceedings{dang-2006,
  title     = {Overview of {DUC} 2006},
  author    = {Dang, Hoa Trang},
  booktitle = {Document Understanding Workshop},
  year      = {2006},
}""",
    "letters": """@article{piepho-2004,
  title   = {An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons},
  author  = {Piepho, Hans-Peter},
  journal = {Journal of Computational and Graphical Statistics},
  volume  = {13},
  year    = {2004},
  pages   = {456--466},
}""",
    "friedman": """@article{demsar-2006,
  title   = {Statistical Comparisons of Classifiers over Multiple Data Sets},
  author  = {Dem{\\v{s}}ar, Janez},
  journal = {Journal of Machine Learning Research},
  volume  = {7},
  year    = {2006},
  pages   = {1--30},
}""",
    "growth": """@inproceedings{owczarzak-dang-2009,
  title     = {Evaluation of Automatic Summaries: Metrics under Varying Data Conditions},
  author    = {Owczarzak, Karolina and Dang, Hoa Trang},
  booktitle = {Workshop on Language Generation and Summarisation (UCNLG+Sum)},
  year      = {2009},
}""",
    "heterogeneity": """@inproceedings{amigo-etal-2012,
  title     = {The Heterogeneity Principle in Evaluation Measures for Automatic Summarization},
  author    = {Amig{\\'o}, Enrique and Gonzalo, Julio and Verdejo, Felisa},
  booktitle = {Workshop on Evaluation Metrics and System Comparison for Automatic Summarization},
  year      = {2012},
}""",
}
"""What stands behind what a report shows, as BibTeX."""


def make(context: Context) -> Section:
    """Always there: it is what makes the page worth believing."""
    comparison = context.comparison
    return Section(
        id="methods",
        title="Methods and citation",
        sentences=(
            f"Intervals: {INTERVALS[comparison.method]}, {comparison.confidence:g} %. "
            "Differences: analysis of variance (summarizer + topic) with Tukey's test, and Friedman's test with "
            "Nemenyi's.",
            f"Whatever is drawn by chance is drawn with seed {context.seed}: the same data, options and version give "
            "the same page.",
        ),
        blocks=(
            _settings(context),
            _signatures(context),
            Block(
                id="repeat",
                template="methods.html",
                values={"command": _command(context), "papers": [PAPERS[name] for name in _behind(context)]},
            ),
        ),
    )


def _command(context: Context) -> str:
    comparison = context.comparison
    options = [f"--seed {context.seed}", f"--confidence {context.confidence:g}", f"--resamples {context.resamples}"]
    if comparison.method != "t":
        options.append(f"--intervals {comparison.method}")
    return context.command("report", *options, "-o report.html")


def _settings(context: Context) -> Table:
    comparison = context.comparison
    rows: list[tuple[str, Cell]] = [
        ("pyramidion", VERSION),
        ("Python", platform.python_version()),
        ("data", context.data),
        ("peers", context.peers),
        *((f"topics with {key}", value) for key, value in context.where.items()),
        ("joined scores", context.scores),
        ("confidence", f"{comparison.confidence:g} %"),
        ("intervals", comparison.method),
        ("resamples", f"{context.resamples:,}"),
        ("seed", str(context.seed)),
    ]
    return Table(
        id="settings",
        caption="Settings",
        columns=(Column(name="setting", align="left"), Column(name="value", align="left")),
        rows=[row for row in rows if row[1] is not None],
    )


def _signatures(context: Context) -> Table:
    """A line for each signature: the number of models may differ by topic."""
    return Table(
        id="signatures",
        caption="Signatures: every option of every measure, with the number of models",
        columns=(
            Column(name="measure", align="left"),
            Column(name="better when", align="left"),
            Column(name="signature", align="left"),
        ),
        rows=[
            [measure, "high" if context.table.is_higher_better(measure) else "low", signature]
            for measure in context.comparison.measures
            for signature in context.table.signatures(measure)
        ],
    )


def _behind(context: Context) -> Iterator[str]:
    """What was used, and so is to be cited."""
    families = {type(select(name).measure).__name__ for name in context.automatic if _is_ours(name)}
    yield "pyramidion"
    if "Rouge" in families:
        yield "rouge"
    if any(parse(name).base == "pyramid" for name in context.measures):
        yield "pyramid"
    if "BasicElements" in families:
        yield "be"
    if "ModelFree" in families:
        yield "model-free"
    analyses = context.comparison.analyses
    if context.judged or any(one.anova for one in analyses):
        yield "comparison"
    if any(one.letters for one in analyses):
        yield "letters"
    if any(one.friedman for one in analyses):
        yield "friedman"
    if context.reference and context.automatic:
        yield "growth"
        yield "heterogeneity"


def _is_ours(name: str) -> bool:
    try:
        select(name)
    except UsageError:  # a column of someone else's function
        return False
    return True
