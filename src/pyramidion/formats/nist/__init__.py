"""nist: packages of DUC 2005 to 2007 and TAC 2008 to 2011 as NIST delivers them, whole or in parts.

Files are recognised by their content, in folders, in archives and in archives inside archives; nothing is unpacked on
disk. Texts, judgments, pyramids and scores are joined by topic and summarizer, and every repair is listed. Tables of
judgments and files of summaries are also written.
"""

from pyramidion.formats.base import Format
from pyramidion.formats.nist.find import find_package, is_archive_of_package, is_package
from pyramidion.formats.nist.nist_campaign import read
from pyramidion.formats.nist.nist_export import write

FORMAT = Format(
    name="nist",
    description="DUC 2005–2007 and TAC 2008–2011 as NIST delivers them: archives or folders, whole or in parts",
    detector=is_archive_of_package,
    folder_detector=is_package,
    several=True,
    reader=read,
    writer=write,
    keeps=frozenset(
        {
            "campaign.word_limit",
            "topics.bare",
            "topics.attributes",
            "models",
            "models.name",
            "extra",
            "judgments",
            "judgments.models",
        }
    ),
    finder=find_package,
    options={
        "texts": "corrected or judged, where two runs hold different texts, as in DUC 2006 (default: corrected)",
        "weights": "what an SCU weighs: its contributors, as NIST counts, or its models (default: contributors)",
        "unmatched": "what an empty uid 0 of an annotation means: marked or unmarked (default: unmarked)",
        "joined": "leave-out or topics: pyramids of joined parts, D1101-AB of TAC 2011 (default: leave-out)",
        "baselines": "the ids of baselines, such as 1,2 (default: as tables, the year and READMEs say)",
        "name": "the name of the campaign (default: such as DUC 2006)",
    },
)
