"""Every command of docs/reference/commands.md on the demo campaign, with its main options and small samples.

Left out are `assess` and `demo`, which serve or open pages (the report of `demo` is recorded by `report demo`), and
`doctor`, which describes the machine that it runs on.
"""

from __future__ import annotations

from tools.freezing.answers import Case, Command

TWO_MEASURES = "-m rouge-2.recall -m js"
HUMAN = "question.overall-responsiveness"


def _json(*commands: str) -> tuple[Case, ...]:
    """Commands that answer in JSON."""
    return tuple(Command(f"{words} --format json") for words in commands)


def _writing(*commands: str) -> tuple[Case, ...]:
    """Commands whose last word is the file or folder that they write."""
    return tuple(Command(words, writes=(words.split()[-1],)) for words in commands)


SCORES: tuple[Case, ...] = (
    *_json(
        "score demo --where part=A --exclude 3,18",
        "score demo -m rouge-2 --peers all --where part=B",
        "score demo -m rouge-1.f -m rouge-l.f -m rouge-su4.f -m rouge-w1.2 --by summarizer",
        "score demo -m rouge-2 --by summarizer --average micro --bootstrap rouge155 --resamples 50",
        "score demo -m rouge-2 --by summarizer --average counts",
        "score demo -m rouge-2.recall --by summarizer --bootstrap percentile --resamples 50 --seed 7",
        "score demo -m 'rouge-2(jackknife=yes).recall' --peers humans",
        "score demo -m 'rouge-1(stem=no,stop=yes,words=50)' -m 'rouge-l(sentences=split)' --where part=A",
        "score demo -m rouge1 -m rouge2 -m rougeL -m rougeLsum --where part=A",
        "score demo -m js -m kl-input-summary -m cosine -m topic-share --where part=A --peers participants",
        "score demo -m novelty -m redundancy -m 'rouge-2(models=best)' --where part=A",
        "score demo -m pyramid -m question --where part=B",
        "score demo -m length -m density -m coverage -m compression --where part=A",
    ),
    Command("score demo -m rouge-2 -m rouge-w1.2 --format rouge155 --where part=A --exclude 1,2,3,4,5,6,7,8,9,10"),
    Command("score demo -m rouge-2 --format rouge155 --average micro --details --where part=A --peers humans"),
    Command("score demo -m rouge-2.recall --by summarizer --format csv"),
    Command("score demo -m rouge-2.recall --by summarizer"),
    Command("score demo -m rouge-2.recall --by summarizer --format latex"),
    *_writing(
        "score demo -m rouge-2.recall --where part=B -o scores.parquet",
        "score demo -m rouge-2.recall -m js --where part=A -o scores.csv",
        "score demo -m rouge-2 --by summarizer -o averages.csv",
    ),
    *_json(
        "compare scores.parquet",
        "compare scores.csv --pair 15 16",
        "compare demo -m imported --scores scores.csv --where part=A",
        "look demo --topic D02 --summarizer 16 -m rouge-2",
        "look demo --topic D02 --summarizer 16 -m 'rouge-l(sentences=split)'",
        "look demo --topic D02 --summarizer 16 -m rougeLsum",
        "look demo --topic D02 --summarizer 16 -m rouge-su4",
    ),
    Command("look demo --topic D02 --summarizer 16"),
)
COMPARISONS: tuple[Case, ...] = (
    *_json(
        "compare demo --resamples 50",
        "compare demo -m rouge-2.recall -m js --where part=A",
        "compare demo -m rouge-2.recall --pair 15 16 --pair 9 16 --permutations 500",
        "compare demo -m rouge-2.recall --pair 15 16 --method sign-flip --permutations 500 --seed 3",
        "compare demo -m rouge-2.recall --pair 15 16 --method bounded --permutations 500 --seed 3",
        "compare demo -m rouge-2.recall --pair 15 16 --cluster parent --permutations 500",
        "compare demo -m rouge-2.recall --against 2 --correction benjamini-hochberg --permutations 500 --show pair",
        "compare demo -m rouge-2.recall --all-pairs --correction none --permutations 100 --exclude 1,2,3,4,5,6,7,8,9",
        "compare demo -m rouge-2.recall --pair 15 16 --pair 6 7 --correction bonferroni --permutations 99",
        "compare demo -m rouge-2.recall --pair 15 16 --sequential --where part=A",
        "compare demo -m 'rouge-2(jackknife=yes).recall' --peers all --confidence 99",
        "compare demo -m rouge-2.recall --letters tukey --interval own --show mean --show tukey",
        "compare demo -m rouge-2.recall --interval percentile --resamples 50 --show mean --seed 5",
        "compare demo -m rouge-2.recall --interval studentized --resamples 50 --show mean --peers participants",
        "compare demo -m question.focus --assessors random",
        "compare demo -m question.focus --assessors fixed --show anova --show friedman --show difference",
        f"power demo {TWO_MEASURES} --difference 0.02",
        "power demo -m rouge-2.recall --pair 15 16 --topics 50 --topics 100 --power 90",
        "power demo -m question.focus --difference 0.5 --assessors fixed --comparisons 3",
        "design demo -m question.focus --difference 0.5 --cost topic=20,judgment=2,assessor=100 --most-topics 60",
        "design demo -m rouge-2.recall --difference 0.01 --budget 5000 --cost topic=20,model=30 --most-topics 60",
    ),
    Command("compare demo -m rouge-2.recall --where part=A --format markdown"),
    Command("compare demo -m rouge-2.recall -m js --format csv"),
    Command("compare demo -m rouge-2.recall"),
    Command("compare demo -m rouge-2.recall -m js --fields summarizer,measure,value --bold best --digits 2"),
    Command("compare demo -m rouge-2.recall --fields summarizer,value,letters --format latex --show mean"),
    Command("compare demo -m rouge-2.recall --format json --figure board.svg", writes=("board.svg",)),
)
CORRELATIONS: tuple[Case, ...] = (
    *_json(
        f"correlate demo {TWO_MEASURES} --with {HUMAN}",
        f"correlate demo -m rouge-2.recall --with {HUMAN} --by part --resamples 50",
        f"correlate demo --with {HUMAN} --level topic --coefficient kendall --resamples 50",
        f"correlate demo -m js --with {HUMAN} --level global --level system --interval bootstrap --resamples 9",
        f"correlate demo {TWO_MEASURES} -m rouge-1.recall --with {HUMAN} --test permutation --resamples 99",
        f"correlate demo {TWO_MEASURES} -m rouge-1.recall --with {HUMAN} --test williams --sides one",
        f"correlate demo {TWO_MEASURES} --with question.focus --with pyramid.modified --micro --accuracy --resamples 9",
        f"correlate demo {TWO_MEASURES} -m pyramid.modified --matrix --coefficient spearman",
        f"correlate demo -m rouge-2.recall --with {HUMAN} --interval studentized --coefficient pearson --resamples 50",
    ),
    Command(f"correlate demo {TWO_MEASURES} --with {HUMAN} --peers all"),
    Command(
        f"correlate demo {TWO_MEASURES} --with {HUMAN} --format json --figure scatter.svg", writes=("scatter.svg",)
    ),
)
STUDIES: tuple[Case, ...] = _json(
    "study models demo -m rouge-2.recall -m pyramid.modified --with question.focus --by part --resamples 20",
    "study topics demo -m rouge-2.recall --with question.focus --with itself --sizes 1,2,4 --resamples 20",
    "study heterogeneity demo -m rouge-1 -m rouge-2 -m js --with question.focus --sample 500",
    "study model-free demo --with question.focus --where part=B --stem yes",
    "study orders demo --subset A,B,C --ranked A,B,C",
)
PEOPLE: tuple[Case, ...] = (
    *_json(
        "judgments frequencies demo",
        "judgments frequencies demo --question focus --where part=A",
        "judgments regression demo --target overall-responsiveness",
        "judgments regression demo --target focus --on coherence --on grammaticality --errors independent",
        "judgments agreement demo --question focus --confusion simulated-1 simulated-2 --resamples 50",
        "judgments agreement demo --confusions --metric ordinal --over topics --resamples 20",
        "judgments describe demo",
        "judgments describe demo --question focus --show assessor-topic --show assessor-drift",
        "pyramid score demo --topic D02",
        "pyramid score demo --order 2 --peers all --where part=A",
        "pyramid score demo --jackknife --peers humans --rounding floor --weights contributors",
        "pyramid score demo --topic D02 --model A --model B",
        "pyramid show demo",
        "pyramid show demo --topic D02 --optimal 3 --limit 2",
        "pyramid show demo --topic D02 --summarizer 16",
        "pyramid check demo",
    ),
    Command("judgments frequencies demo --question focus --format csv"),
    Command("judgments regression demo --target overall-responsiveness --format markdown"),
    Command("judgments describe demo --question focus"),
    Command("pyramid show demo --topic D02"),
)
FILES: tuple[Case, ...] = (
    *_json(
        "describe demo",
        "describe demo --roster",
        "describe demo --where part=A",
        "check demo",
        "list measures",
        "list options",
        "list formats",
    ),
    Command("describe demo"),
    Command("check demo"),
    Command("list options --format csv"),
    Command("completion bash"),
    *_writing(
        "export flat demo demo.jsonl",
        "export flat demo demo.parquet",
        "export rouge-xml demo rouge-xml",
        "export ducview demo ducview",
        "export lite-pyramid demo lite-pyramid",
        "export simetrix demo simetrix",
        "export folder demo folder",
        "export lines demo lines",
        "export ducview demo ducview-scored --option score=yes",
        "import ducview ducview/D02.tags.pyr imported",
        "export ducview ducview/D02.16.tags.pan exported-again",
        "import rouge-xml rouge-xml/rouge.xml from-rouge-xml",
        "import ducview ducview from-ducview",
        "import lite-pyramid lite-pyramid from-lite-pyramid",
        "import simetrix simetrix/mapping.txt from-simetrix",
        "import folder folder from-folder",
        "import records demo.jsonl from-records",
        "import flat demo.jsonl from-flat",
        "import flat demo.parquet from-parquet",
        "simulate scores --topics 6 --summarizers 4 --seed 1 -o simulated.parquet",
        "simulate scores --topics 6 --summarizers 4 --seed 1 -o simulated.csv",
        "simulate campaign --topics 3 --summarizers 3 --models 2 --seed 1 -o simulated.jsonl",
        "simulate campaign --shape duc2006 --topics 3 --summarizers 3 --seed 1 -o simulated-duc",
    ),
    Command("init another --name Trial --word-limit 250 --questions duc2006", writes=("another",)),
    *_json(
        "import campaign from-flat --into from-ducview --dry-run",
        "import folder folder --into from-flat --dry-run",
        "import summaries demo.jsonl --into from-ducview --dry-run",
        "import documents demo.jsonl --into from-ducview",
        "import ducview ducview --into from-flat",
        "check from-flat",
        "check from-ducview",
        "check demo.jsonl",
        "describe rouge-xml/rouge.xml",
        "describe ducview/D02.16.tags.pan",
        "pyramid check ducview/D02.16.tags.pan",
        "pyramid score ducview/D02.16.tags.pan ducview/D02.6.tags.pan",
        "compare simulated.parquet --show mean",
        "compare simulated.jsonl -m rouge-2.recall --show mean",
        "check simulated-duc",
    ),
)
GATES: tuple[Case, ...] = (
    *_json(
        "gate demo --against 2 --candidate 16 -m rouge-2.recall",
        "gate demo --against 16 --candidate 2 -m rouge-2.recall -m rouge-1.f --slices part",
        "gate demo --against 16 --candidate 15 -m rouge-2.recall --margin 0.02",
        "gate demo --against 16 --candidate 15 -m rouge-2.recall -m rouge-1.f --margin 5% --undecided pass",
        "gate demo --against 16 --candidate 15 -m rouge-2.recall --self-test --seed 2",
    ),
    Command("gate demo --against 16 --candidate 2 -m rouge-2.recall --format markdown"),
    Command("gate demo --against 16 --candidate 2 -m rouge-2.recall --format junit"),
)
CASES: dict[str, tuple[Case, ...]] = {
    "scores": SCORES,
    "comparisons": COMPARISONS,
    "gates": GATES,
    "correlations": CORRELATIONS,
    "studies": STUDIES,
    "people": PEOPLE,
    "files": FILES,
}
REPORTS: tuple[Case, ...] = (
    Command(
        "report demo -o demo.html -m rouge-2.recall -m question.focus -m pyramid.modified --resamples 20"
        " --date 2026-01-01",
        writes=("demo.html",),
    ),
)
