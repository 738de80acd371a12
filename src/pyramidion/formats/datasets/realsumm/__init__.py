"""realsumm: REALSumm's score dictionaries, list of SCUs and crowd answers, whichever of them exist; import only."""

from pyramidion.formats.base import Format
from pyramidion.formats.datasets.realsumm.realsumm_campaign import detect_folder, read

FORMAT = Format(
    name="realsumm",
    description="REALSumm's score dictionaries (.pkl), list of SCUs and crowd answers (.csv)",
    folder_detector=detect_folder,
    several=True,
    reader=read,
    options={"votes": "no: leave out the answers of single workers (default: yes)"},
)
