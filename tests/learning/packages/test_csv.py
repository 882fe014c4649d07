"""Tables of cards and of reviews: columns are drafted, rows are taken all or none."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.learning.importing import SourceReport, import_file, import_source
from groundwire.learning.learner import Learner, learning_file
from groundwire.learning.packages import csv_columns
from groundwire.learning.packages.apkg_reading import PackageReport
from groundwire.learning.packages.csv_columns import COLUMNS, export_table
from groundwire.learning.packages.csv_reading import TableReport, import_table
from groundwire.statefile import StateFile
from tests.learning.packages.conftest import DAY_MS, NOW, Make

Rows = Callable[[str], list[tuple[Any, ...]]]
Take = Callable[..., TableReport]


@pytest.fixture
def take(state: StateFile, tmp_path: Path) -> Take:
    """Takes a text in as a table of a name."""

    def taken(text: str | bytes, name: str = "deck.csv", **more: Any) -> TableReport:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return import_table(state, "local", path, now_ms=NOW, **more)

    return taken


@pytest.mark.parametrize(
    "text",
    [
        "front,back\ncat,Katze\n",
        "Question;Answer\ncat;Katze\n",
        "Begriff\tBedeutung\ncat\tKatze\n",
        "正面,背面\ncat,Katze\n",
        "Answer,Question\nKatze,cat\n",
        "cat,Katze\n",
        "cat\tKatze\n",
        "cat|Katze\n",
        "\ufefffront,back\r\ncat,Katze\r\n",
        "#separator:tab\n#html:true\ncat\tKatze\n",
        "#separator:semicolon\n#columns:Back;Front\nKatze;cat\n",
        '"cat","Katze"\n\n\n',
    ],
)
def test_columns_are_drafted(take: Take, rows: Rows, text: str) -> None:
    report = take(text)
    assert report.cards == 1
    assert rows("SELECT front, back, state, proof FROM cards") == [
        ("cat", "Katze", "active", "imported")
    ]


def test_other_encodings_are_read(take: Take, rows: Rows) -> None:
    take("front,back\n长江,河流\n".encode("gb18030"))
    take("front,back\ngröße,size\n".encode("utf-16"))
    assert rows("SELECT front FROM cards ORDER BY front") == [("größe",), ("长江",)]


def test_columns_beside_the_sides_are_used(take: Take, rows: Rows) -> None:
    take("deck,front,back,tags,guid\nA::B,q,a,one two,g1\n,q2,a2,,\n", deck="Rest")
    assert rows("SELECT d.name, n.tags FROM cards JOIN notes AS n USING (note_id) "
                "JOIN decks AS d USING (deck_id) ORDER BY d.name") == [
        ("A::B", '["one","two"]'),
        ("Rest", "[]"),
    ]  # fmt: skip


def test_the_text_export_of_anki_is_read(take: Take, rows: Rows) -> None:
    text = (
        "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n"
        "#tags column:6\nabc\tBasic\tBio::Cells\t<b>q</b>\ta &amp; b\tone\n"
    )
    take(text, "notes.txt.csv")
    assert rows("SELECT front, back FROM cards") == [("q", "a & b")]
    assert rows("SELECT name FROM decks") == [("Bio::Cells",)]
    assert rows("SELECT guid FROM notes") == [("abc",)]


def test_a_cloze_is_known_by_its_holes(take: Take, rows: Rows) -> None:
    take("front,back\nThe {{c1::cell}} and {{c2::wall}},\n")
    assert rows("SELECT type, front, back FROM cards ORDER BY ordinal") == [
        ("cloze", "The [...] and wall", "cell"),
        ("cloze", "The cell and [...]", "wall"),
    ]


def test_a_table_is_not_taken_twice(take: Take) -> None:
    first, again = take("front,back\nq,a\n"), take("front,back\nq,a\nr,b\n")
    assert (first.cards, first.known) == (1, 0)
    assert (again.cards, again.known) == (1, 1)


def test_rows_without_a_side_are_counted(take: Take) -> None:
    report = take("front,back\nq,a\n,b\nc,\n")
    assert report.cards == 1
    assert report.left_out == {"rows without a front or a back": 2}


def test_a_quote_proves_a_card_or_is_told(
    take: Take, state: StateFile, tmp_path: Path, rows: Rows
) -> None:
    path = tmp_path / "towers.txt"
    path.write_text("The tower is 330 m tall.", "utf-8")
    import_source(state, "local", path, now_ms=NOW)
    report = take(
        "front,back,quote\n"
        "How tall is the tower?,330 m,The tower is 330 m tall\n"
        "How tall is the tower in fact?,331 m,The tower is 330 m tall\n"
    )
    assert (report.cards, report.quoted) == (2, 1)
    assert rows("SELECT back, proof, quote FROM cards ORDER BY back") == [
        ("330 m", "quoted", "The tower is 330 m tall"),
        ("331 m", "imported", ""),
    ]


@pytest.mark.parametrize(
    "text", ["", "   \n", "one column\nof words\n", "\x00\x01\x02binary", "#separator:tab\n"]
)
def test_what_is_no_table_is_refused(take: Take, state: StateFile, text: str) -> None:
    with pytest.raises(InputError):
        take(text)
    assert not state.path.exists()


def test_a_cell_of_a_million_characters_is_taken_and_a_longer_one_not(
    take: Take, rows: Rows
) -> None:
    take("front,back\n" + "x" * 1_000_000 + ",a\n")
    with pytest.raises(LimitError, match="characters"):
        take("front,back\n" + "x" * 1_000_001 + ",a\n")
    assert rows("SELECT count(*) FROM cards") == [(1,)]


def test_too_many_rows_are_refused(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_columns, "MOST_ROWS", 3)
    with pytest.raises(LimitError, match="rows"):
        take("front,back\n" + "".join(f"q{n},a\n" for n in range(5)))


@pytest.fixture
def guid(take: Take) -> str:
    """The id of a note whose card is here."""
    take("front,back,guid\nq,a,g1\n")
    return "g1"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (str(NOW - DAY_MS), NOW - DAY_MS),
        (str((NOW - DAY_MS) // 1000), NOW - DAY_MS),
        ("2025-11-01T08:30:00Z", 1_761_985_800_000),
        ("2025-11-01 09:30:00+01:00", 1_761_985_800_000),
        ("2025-11-01T08:30:00", 1_761_985_800_000),
    ],
)
def test_reviews_are_read(take: Take, rows: Rows, guid: str, at: str, expected: int) -> None:
    report = take(f"card_id,review_time,review_rating,duration_ms\n{guid},{at},good,4000\n")
    assert report.reviews == 1
    assert rows("SELECT rating, at_ms, duration_ms, kind, rated_by FROM reviews") == [
        (3, expected, 4000, "review", "import")
    ]
    again = take(f"card_id,review_time,review_rating\n{guid},{at},3\n")
    assert (again.reviews, again.reviews_known) == (0, 1)


@pytest.mark.parametrize(
    ("card", "at", "rating"),
    [
        ("g1", str(NOW - 1), "0"),
        ("g1", str(NOW - 1), "5"),
        ("g1", str(NOW - 1), "nan"),
        ("g1", str(NOW - 1), ""),
        ("g1", str(NOW + 1), "3"),
        ("g1", "-5", "3"),
        ("g1", "soon", "3"),
        ("g1", "9" * 30, "3"),
        ("g2", str(NOW - 1), "3"),
    ],
)
def test_a_row_that_cannot_be_read_refuses_all(
    take: Take, rows: Rows, guid: str, card: str, at: str, rating: str
) -> None:
    good = f"card,rating,time\n{guid},3,{NOW - 2}\n"
    with pytest.raises(InputError, match="Row 3"):
        take(good + f"{card},{rating},{at}\n")
    assert rows("SELECT count(*) FROM reviews") == [(0,)]


@pytest.mark.parametrize("confidence", ["85", "-0.1", "nan", "inf", "high"])
def test_a_confidence_is_a_share(take: Take, rows: Rows, guid: str, confidence: str) -> None:
    head = "card,rating,time,confidence\n"
    with pytest.raises(InputError, match="0 to 1"):
        take(f"{head}{guid},3,{NOW - 2},{confidence}\n")
    take(f"{head}{guid},3,{NOW - 2},0.85\n{guid},3,{NOW - 1},\n")
    assert rows("SELECT confidence FROM reviews ORDER BY at_ms") == [(0.85,), (None,)]


def test_another_owners_card_is_none(state: StateFile, take: Take, guid: str, rows: Rows) -> None:
    ((card_id,),) = rows("SELECT card_id FROM cards")
    path = state.path.parent / "log.csv"
    path.write_text(f"card,rating,time\n{card_id},3,{NOW - 2}\n", "utf-8")
    with pytest.raises(InputError, match="not here"):
        import_table(state, "eve", path, now_ms=NOW)


def test_a_table_that_is_written_is_read_back(
    state: StateFile, take: Take, tmp_path: Path, rows: Rows
) -> None:
    take('front,back,tags,deck\n"a, ""b""\nc",größe,one,A::B\nx {{c1::y}} {{c2::z}},more,,C\n')
    out = tmp_path / "out.tsv"
    assert export_table(state, "local", out) == 2
    assert out.read_text("utf-8").split("\n")[0].split("\t") == list(COLUMNS)
    again = learning_file(tmp_path / "again")
    import_table(again, "local", out, now_ms=NOW)
    query = "SELECT guid, fields, tags FROM notes ORDER BY guid"
    with again.reading() as connection:
        assert connection is not None
        assert connection.execute(query).fetchall() == rows(query)
    assert export_table(state, "local", out, deck="a::b") == 1
    with pytest.raises(NotFoundError):
        export_table(state, "local", out, deck="none")
    with pytest.raises(NotFoundError):
        export_table(state, "eve", out)


def test_a_file_is_taken_by_its_ending(state: StateFile, make: Make, tmp_path: Path) -> None:
    def read(path: Path) -> object:
        return import_file(Learner("local", state, lambda: NOW), path)

    assert isinstance(read(make()), PackageReport)
    table = tmp_path / "t.csv"
    table.write_text("front,back\nq,a\n", "utf-8")
    assert isinstance(read(table), TableReport)
    text = tmp_path / "t.txt"
    text.write_text("A sentence.", "utf-8")
    assert isinstance(read(text), SourceReport)
    with pytest.raises(InputError, match="no known format"):
        read(tmp_path / "x.exe")


def test_no_cell_is_run_by_a_spreadsheet_and_all_come_back(
    state: StateFile, tmp_path: Path, take: Take
) -> None:
    sides = ['=HYPERLINK("http://x")', "+1", "-5 °C", "@SUM(A1)", "'=quoted", "'tis", "plain"]
    rows = "".join(
        f'"{one.replace(chr(34), chr(34) * 2)}","{number}"\n' for number, one in enumerate(sides)
    )
    take(f"front,back\n{rows}")
    path = tmp_path / "out.csv"
    export_table(state, "local", path)
    with path.open(encoding="utf-8", newline="") as file:
        written = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in written if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
    again = learning_file(tmp_path / "again")
    import_table(again, "local", path, now_ms=NOW)
    with again.reading() as connection:
        assert connection is not None
        found = {row[0] for row in connection.execute("SELECT front FROM cards")}
    assert found == set(sides)
    again.close()


@pytest.mark.parametrize(
    ("text", "sides", "deck"),
    [
        (
            "Deutsch;Englisch;Stapel;Stichwörter\nder Anker;the anchor;Küste;a b\n",
            "der Anker",
            "Küste",
        ),
        ("Deutsch;Englisch\nder Anker;the anchor\n", "der Anker", "deck"),
        ("汉语,拼音\n港口,gǎngkǒu\n", "港口", "deck"),
        ("word,gloss,deck\nAnker,anchor,Sea\n", "Anker", "Sea"),
        # A first row that is a card stays one: "tag" is a word, too.
        ("der Tag;day\n", "der Tag", "deck"),
        ("Tag;day;noun\n", "Tag", "deck"),
    ],
)
def test_a_first_row_is_a_heading_or_a_card(
    take: Take, rows: Rows, text: str, sides: str, deck: str
) -> None:
    assert take(text).cards == 1
    assert rows("SELECT front, name FROM cards JOIN decks USING (owner, deck_id)") == [
        (sides, deck)
    ]


def test_what_is_not_read_is_told(take: Take) -> None:
    report = take("question,answer,difficulty,notes\nWhat is <b>2</b>+2?,4,easy,x\n")
    assert report.columns.unread == ("difficulty", "notes")
    assert any("#html:true" in note for note in report.columns.notes)
    again = take("front,back\nq,a\nq,a\n")
    assert (again.cards, again.known) == (1, 0)
    assert again.left_out == {"rows standing in the table twice": 1}


@pytest.mark.parametrize(
    "text", ['front,back\n"open,foo\nbar,baz\n', 'front,back\nq,a\nbar,"baz', 'front,back\n"\n']
)
def test_an_open_quotation_mark_swallows_no_rows(take: Take, rows: Rows, text: str) -> None:
    with pytest.raises(InputError, match="never closed"):
        take(text)
    take('front,back\n"q\nin two lines","a ""b"""\nr,"b"')
    assert rows("SELECT front, back FROM cards ORDER BY front") == [
        ("q\nin two lines", 'a "b"'),
        ("r", "b"),
    ]


def test_tables_of_western_europe_are_no_chinese(take: Take, rows: Rows) -> None:
    report = take("Vorderseite;Rückseite\nMöwe;gull\nStraße;street\n".encode("cp1252"))
    assert rows("SELECT front FROM cards ORDER BY front") == [("Möwe",), ("Straße",)]
    assert any("cp1252" in note for note in report.columns.notes)
    with pytest.raises(InputError, match="UTF-8"):
        take("Μετάφραση;λέξη\nνερό;ύδωρ\n".encode("iso8859-7"))


def test_notes_of_anki_in_plain_text_are_cards(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("#separator:tab\n#html:true\n<b>q</b>\ta\n", "utf-8")
    report = import_file(Learner("local", state, lambda: NOW), path)
    assert isinstance(report, TableReport)
    assert report.cards == 1


def test_cards_are_tied_to_known_concepts_and_others_told(
    take: Take, state: StateFile, rows: Rows
) -> None:
    text = "card_id,front,back,concepts\nk1,q,a,knots; measures\n"
    first = take(text)
    assert any("missing in your graph (knots, measures)" in why for why in first.left_out)
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO nodes VALUES ('local', 'n1', 'concept', 'Knots', 'knot', '{}', 1)"
        )
    again = take(text)
    assert (again.cards, again.known) == (0, 1)
    assert any("missing in your graph (measures)" in why for why in again.left_out)
    assert rows("SELECT node_id FROM card_concepts") == [("n1",)]
