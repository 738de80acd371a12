"""nist: names, markup, topics, documents, tables and archives, each by itself."""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.nist.packages import GOLDEN
from pyramidion.campaign import Problems
from pyramidion.files import guards
from pyramidion.formats import detect_format, find_format
from pyramidion.formats.nist import archives
from pyramidion.formats.nist.archives import PackageFile, all_files
from pyramidion.formats.nist.documents import is_document, read_documents
from pyramidion.formats.nist.find import Role, classify
from pyramidion.formats.nist.markup import plain_text
from pyramidion.formats.nist.nist_tables import Tables, official_scores
from pyramidion.formats.nist.nist_topics import has_topics, read_topics
from pyramidion.formats.nist.set_names import Spellings, date_in, numbers_in, parse_set, plain_number, year_of
from pyramidion.formats.text_alignment import Aligned, same_beginning, same_text

MARKUP = st.text(st.sampled_from(list("<>/&;=\"'- \n\tPDOCTEXTtopicnum#x0189AZ")), max_size=200)


def test_sets_have_a_selector_and_a_part() -> None:
    assert parse_set("D0601A") == ("D0601", "A", "")
    assert parse_set("d301i") == ("d301", "i", "")
    name = parse_set("D0703A-B")
    assert name is not None
    assert name.topic == "D0703-B"
    assert parse_set("peers") is None


def test_years_zeros_dates_and_ranges() -> None:
    assert [year_of(topic) for topic in ("D0601", "d301", "D1101-B", "X")] == [2006, 2005, 2011, None]
    assert [plain_number(one) for one in ("01", "0", "00", "12", "A")] == ["1", "0", "0", "12", "A"]
    assert [date_in(id) for id in ("APW19990102.0011", "XIN_ENG_20050131.0001", "FT911-3", "X99999999.1")] == [
        "1999-01-02",
        "2005-01-31",
        "",
        "",
    ]
    assert numbers_in("35,58") == ["35", "58"]
    assert numbers_in("1..3") == ["1", "2", "3"]


def test_a_topic_file_of_2005_has_granularity_and_lower_case_ids() -> None:
    text = "\n<topic>\n<num> d301i </num>\n<title> Ferries & dams </title>\n<narr> Why? </narr>\n<granularity> specific </granularity>\n</topic>\n"
    (topic,) = read_topics(text)
    assert (topic.name.topic, topic.name.selector, topic.granularity) == ("d301", "i", "specific")
    assert topic.title == "Ferries & dams"


def test_a_guided_topic_file_starts_after_its_dtd() -> None:
    text = (
        '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ELEMENT topic (title)>\n<!-- <topic id="D1"> -->\n]>\n<guided>\n'
        '<topic id = "D1101A" category = "3">\n<title> Salt </title>\n<docsetA id = "D1101A-A">\n'
        '<doc id = "AFP_ENG_20080101.0001.LDC2009T13" />\n</docsetA>\n<docsetB id="D1101A-B">\n'
        '<doc id="XIN_ENG_20080202.0002.LDC2009T13"/>\n</docsetB>\n</topic>\n</guided>\n'
    )
    assert has_topics(text)
    (topic,) = read_topics(text)
    assert (topic.name.set, topic.category, topic.narrative) == ("D1101", "3", "")
    assert topic.documents == {"A": ["AFP_ENG_20080101.0001"], "B": ["XIN_ENG_20080202.0002"]}


def test_documents_of_trec_may_have_a_graphic_instead_of_text() -> None:
    text = (
        "<DOC>\n<DOCNO> LA010189-0001 </DOCNO>\n<DATE><P>January 1, 1989, Sunday</P></DATE>\n"
        "<HEADLINE><P>SALT</P></HEADLINE>\n<GRAPHIC><P>Photo, A ferry.</P></GRAPHIC>\n</DOC>\n"
        "<DOC>\n<DOCNO>FT911-3</DOCNO>\n<DATE>910514\n</DATE>\n<TEXT>\nOne line.\nAnother.\n</TEXT>\n</DOC>"
    )
    assert is_document(text)
    first, second = read_documents(text, name="x")
    assert (first.id, first.date, first.headline, first.text) == (
        "LA010189-0001",
        "1989-01-01",
        "SALT",
        "Photo, A ferry.",
    )
    assert (second.date, second.text) == ("1991-05-14", "One line. Another.")


def test_text_beside_paragraphs_stays_in_its_place_and_notes_to_editors_do_not() -> None:
    text = (
        "<DOC><DOCNO>A20000101.1</DOCNO><TEXT>Before <P>one<P>two</P> after <ANNOTATION>cut</ANNOTATION></TEXT></DOC>"
    )
    (document,) = read_documents(text, name="x")
    assert document.text == "Before\none\ntwo\nafter"


@given(MARKUP)
def test_markup_of_any_kind_is_read(text: str) -> None:
    read_topics(text)
    list(read_documents(text, name="x"))
    assert "\n" not in plain_text(text)


@given(st.text(st.sampled_from("abc ?\ufffd\n"), max_size=30), st.data())
def test_parts_are_found_in_the_same_text_with_other_white_space(text: str, data: st.DataObject) -> None:
    other = data.draw(st.sampled_from([text.replace(" ", "\n"), f" {text} ", "  ".join(text.split())]))
    assert same_text(text, other)
    assert same_beginning(text, other + " and more")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    part = Aligned(text, other)((start, end))
    words = "".join(text[start:end].split())
    assert ("" if part is None else "".join(other[part[0] : part[1]].split())) == words


def file(name: str, content: str) -> PackageFile:
    return PackageFile(Path(name), PurePosixPath(name), content.encode())


def tables(name: str, content: str) -> tuple[Tables, Problems]:
    problems = Problems()
    found = Tables(problems, Spellings())
    one = classify(file(name, content), problems)
    if one.role == "tables of judgments":
        found._judgments(one)
    else:
        found._scores(one)
    return found, problems


def test_tables_of_2009_have_two_letters() -> None:
    found, _ = tables("manual/manual.model.A", "D0901-A\tC\t7\tA\tB\t0.625\t9\t8\n")
    assert [(one.assessor, one.question, one.value) for one in found.answers.values()] == [
        ("B", "linguistic-quality", 9),
        ("B", "overall-responsiveness", 8),
    ]
    assert found.official[0].annotator == "A"
    assert found.official[0].values == {"scus": 7, "jackknifed": 0.625}
    found, _ = tables("manual.peer.B", "D0901-B\t12\t0.300\t4\t1\tA\tA\t0.310\t5\t4\n")
    assert found.official[0].values == {"modified": 0.3, "scus": 4, "repetitions": 1, "jackknifed": 0.31}


def test_scores_of_2005_are_kept_for_both_annotators() -> None:
    found, _ = tables("processed_pans.txt", "311 1 0.5 0.25 4 1\n311 1 0.7 0.35 5 0\n311 A 0.9 0.8 9 0\n")
    scores = {(one.measure, one.summarizer): one.value for one in official_scores(found.official)}
    assert scores["nist-pyramid(annotator=a).modified", "1"] == 0.25
    assert scores["nist-pyramid(annotator=b).original", "1"] == 0.7
    assert scores["nist-pyramid.modified", "1"] == pytest.approx(0.3)
    assert scores["nist-pyramid.scus", "A"] == 9


def test_a_copy_that_differs_is_listed() -> None:
    found, problems = tables("content.table", "Topic\n|\nD0601\tA\tA\t1\t3\nD0601\tA\tA\t2\t4\n")
    copy = classify(file("scoring/2006_content.table", "Topic\n|\nD0601\tA\tA\t1\t3\nD0601\tA\tA\t2\t5\n"), problems)
    found._judgments(copy)
    assert "1 judgment that differ" in str(problems.kept[0])
    assert found.answers["D0601", "2", "content-responsiveness"].value == 4


@given(st.text(st.sampled_from("D01239A-.\t \nNa"), max_size=120))
def test_any_table_is_read(text: str) -> None:
    for name in ("content.table", "manual.peer", "2006_modified_scores.txt", "processed_pans.txt"):
        tables(name, text)


@pytest.mark.parametrize(
    ("name", "content", "role"),
    [
        ("x/_DS_Store", "\0", "other files"),
        ("x/tool.jar", "PK\x03\x04", "other files"),
        ("any/models/D0601.M.250.A.A", "Words.\n", "texts"),
        ("any/BEmodels/D0601.M.250.A.A", "ferry|stop|subj\n", "Basic Elements"),
        ("any/peers/D0601.M.250.A.1", "", "texts"),
        ("renamed/D0601-A.M.100.A.12", '<?xml version="1.0"?><peerAnnotation/>', "annotations"),
        ("a.in", '<ROUGE_EVAL version="1.5.5">', "ROUGE configurations"),
        ("b.out", "1 ROUGE-1 Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)\n", "ROUGE and BE outputs"),
        ("c", "\n<DOC>\n<DOCNO>x</DOCNO>", "documents"),
        ("d", "\n<topic>\n<num> D0601A </num>", "topics"),
        ("avg_content.A", "1\t2\n", "averages"),
        ("README_eval.txt", "words", "READMEs"),
        ("data/afp_eng/afp_eng_200501.gz", "", "Gigaword"),
        ("e.txt", "D0601\t1\t0.1\t2\t0\t100\tA\t1\t2\t3\t4\t5\t1\t\n", "pyramid scores"),
        ("f.txt", "anything", "other files"),
    ],
)
def test_files_are_recognised_by_their_content(name: str, content: str, role: Role) -> None:
    assert classify(file(name, content), Problems()).role == role


def tar(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name.replace("__", "/"))
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def read_archive(folder: Path, content: bytes, name: str = "a.tgz") -> tuple[list[PackageFile], Problems]:
    (folder / name).write_bytes(content)
    problems = Problems()
    return all_files([folder], problems), problems


def test_archives_inside_archives_are_read_in_place(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("deep/file.txt", "words")
    files, problems = read_archive(tmp_path, tar(box__inner=inner.getvalue(), box__gz=gzip.compress(b"more")))
    assert {str(one.inner): one.content for one in files} == {"deep/file.txt": b"words", "box/gz": b"more"}
    assert files[0].path == tmp_path / "a.tgz" / "box" / "inner" / "deep" / "file.txt"
    assert not len(problems)


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a/../../b", "C:\\x", "..\\x"])
def test_members_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    files, problems = read_archive(tmp_path, tar(fine=b"x", **{name: b"y"}))
    assert (files, problems.errors) == ([], 1)
    assert "leads out of the archive" in str(problems.kept[0])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, "x")
    files, problems = read_archive(tmp_path, buffer.getvalue())
    assert (files, problems.errors) == ([], 1)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo("link")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    files, problems = read_archive(tmp_path, buffer.getvalue(), "a.tar")
    assert (files, problems.errors) == ([], 1)
    assert "a link or a device" in str(problems.kept[0])


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    assert read_archive(tmp_path, buffer.getvalue(), "a.zip")[1].errors == 1


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "HARMLESS_BYTES", 2**16)
    bomb = gzip.compress(b"\0" * 2**20)
    files, problems = read_archive(tmp_path, bomb, "bomb.gz")
    assert (files, problems.errors) == ([], 1)
    assert "of data in 1 kB of archive" in str(problems.kept[0])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", b"\0" * 2**20)
    assert read_archive(tmp_path, buffer.getvalue(), "bomb.gz")[1].errors == 1


def test_many_members_are_as_bad_as_a_large_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "HARMLESS_BYTES", 2**16)
    bomb = gzip.compress(b"\0" * 2**15)
    files, problems = read_archive(tmp_path, tar(**{f"file{n}": bomb for n in range(20)}))
    assert (files, problems.errors) == ([], 1)
    assert "of data in 0 kB of archive" in str(problems.kept[0])


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_that_can_only_be_unpacked_at_once_are_refused(tmp_path: Path, method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("x", b"\0" * 2**27)
    tracemalloc.start()
    files, problems = read_archive(tmp_path, buffer.getvalue(), "bomb.zip")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**24
    assert (files, problems.errors) == ([], 1)
    assert "compressed with an unsupported method" in str(problems.kept[0])


def test_archives_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    content = b"words"
    for _ in range(9):
        content = gzip.compress(content)
    files, problems = read_archive(tmp_path, content)
    assert (files, problems.errors) == ([], 1)


@given(st.binary(max_size=40), st.integers(0, 400))
def test_broken_archives_are_read_or_refused(junk: bytes, cut: int) -> None:
    whole = tar(a=b"words", b=b"more words")
    opening = archives._Opening(Problems())
    for content in (whole[:cut] + junk, b"PK\x03\x04" + junk, b"\x1f\x8b" + junk):
        opening.archive(Path("x.tgz"), content)


@pytest.mark.parametrize("name", ["duc2006", "duc2007", "tac2008"])
def test_packages_are_recognised_as_data(name: str) -> None:
    nist = find_format("nist")
    assert detect_format(GOLDEN / name / "tree") is nist
    assert detect_format(GOLDEN / name / "archives") is nist
    archives_ = [path for path in (GOLDEN / name / "archives").iterdir() if path.name.endswith("gz")]
    assert all(detect_format(path) is nist for path in archives_)


def test_a_folder_of_ducview_files_alone_is_no_package() -> None:
    assert detect_format(GOLDEN / "duc2006/tree/DUC2006pyramiddata/allpans") is find_format("ducview")
