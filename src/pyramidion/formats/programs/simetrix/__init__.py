"""simetrix: SIMetrix's mapping file with its texts, and the tables that it writes; both ways."""

from pyramidion.formats.base import Format
from pyramidion.formats.programs.simetrix.mapping import detect, read
from pyramidion.formats.programs.simetrix.simetrix_export import write

FORMAT = Format(
    name="simetrix",
    description="SIMetrix's mapping file with its texts; its .ieval.micro and .ieval.macro tables",
    detector=detect,
    reader=read,
    writer=write,
    keeps=frozenset({"topics.bare", "documents", "documents.id", "imported"}),
    options={
        "folder": "the folder that relative paths start from (default: the working folder)",
        "config": "SIMetrix's configuration, to see which of our measures it asks for (default: none)",
    },
)
