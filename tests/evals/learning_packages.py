"""Whether packages of cards come from Anki and go back to it without a loss.

Collections are made by Anki itself (PyPI `anki`) with notes of five types, nested decks, HTML,
Chinese and Arabic, reviews, manual changes, suspended cards; they are written in every form that
Anki has, read, compared with what Anki shows, written again and read by a new Anki. Packages of
genanki are read too. Where one of the two is not installed, its rows are left out and it is said.
Run: python tests/evals/learning_packages.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.learning.learner import learning_file  # noqa: E402
from groundwire.learning.packages.apkg_reading import import_package  # noqa: E402
from groundwire.learning.packages.apkg_writing import export_package  # noqa: E402
from groundwire.learning.packages.templates import html_text  # noqa: E402
from groundwire.statefile import StateFile  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

COLLECTIONS, NOTES = 20, 100
_FORMS = 5
_DAY_MS = 86_400_000
_TYPED = re.compile(r"\[\[type:([^\]]*)\]\]")
# A sound, as a field names it and as Anki shows it.
_PLAYED = re.compile(r"\[(?:sound:[^\[\]]+|anki:play:\w:\d+)\]")
_HOLE = re.compile(r'<span class="cloze"[^>]*>(.*?)</span>', re.DOTALL)
_WORDS = (
    "cell", "mitochondrion", "长江", "النيل", "energy", "<b>bold</b>", "a &amp; b", "x<br>y",
    "größer", "1,500", "<ul><li>one</li><li>two</li></ul>", "ü", "🙂", "{curly}", "tab\tstop",
)  # fmt: skip
_DECKS = ("Default", "Biology", "Biology::Cells", "语言::Deutsch", "a b::c d::e")


def phrase(rng: random.Random) -> str:
    """Words that a field may hold, as HTML."""
    return " ".join(rng.choice(_WORDS) for _ in range(rng.randint(1, 6)))


def collection(folder: Path, rng: random.Random, notes: int) -> Any:
    """A collection of Anki with notes, cards in several states, and a log."""
    from anki.collection import Collection

    made = Collection(str(folder / "collection.anki2"))
    media = [
        made.media.write_data(name, rng.randbytes(rng.randint(1, 3_000)))
        for name in ("map one.png", "größe.jpg", "长江.mp3", "_style.css", "unused.gif")
    ]
    for name in ("Basic", "Cloze"):
        kind = made.models.by_name(name)
        kind["css"] += f".card {{ color: #{rng.randrange(10**6):06}; }} /* {phrase(rng)} */"
        made.models.update_dict(kind)
    for number in range(notes):
        kind = rng.choice(
            ("Basic", "Basic (and reversed card)", "Cloze", "Basic (type in the answer)")
        )
        note = made.new_note(made.models.by_name(kind))
        if kind == "Cloze":
            note["Text"] = (
                f"{number} {phrase(rng)} {{{{c1::{phrase(rng)}::hint}}}} and {{{{c2::b}}}}"
            )
            note["Back Extra"] = phrase(rng)
        else:
            note["Front"], note["Back"] = f"{number} {phrase(rng)}", phrase(rng)
            if rng.random() < 0.3:
                note["Back"] += f' <img src="{media[rng.randrange(2)]}"> [sound:{media[2]}]'
        note.tags = rng.sample(["one", "two::three", "中文"], rng.randint(0, 2))
        made.add_note(note, made.decks.id(rng.choice(_DECKS)))
    now = time.time_ns() // 1_000_000
    cards = [made.get_card(one) for one in made.find_cards("")]
    used: set[int] = set()
    for card in cards:
        at = now - rng.randint(100, 400) * _DAY_MS + rng.randint(0, 10_000_000)
        count = rng.choice((0, 0, 1, 3, 8))
        for place in range(count):
            at += rng.randint(600_000, 9 * _DAY_MS)
            while at in used:
                at += 1
            used.add(at)
            manual = rng.random() < 0.1
            kind = rng.choice((4, 5)) if manual else 0 if place == 0 else rng.choice((1, 2))
            ease = 0 if manual else rng.randint(1, 4)
            made.db.execute(
                "insert into revlog values (?, ?, -1, ?, ?, ?, ?, ?, ?)",
                at, card.id, ease, rng.randint(1, 90), 1, 2500, rng.randint(900, 60_000), kind,
            )  # fmt: skip
        if count:
            ivl = rng.randint(1, 200)
            due = made.sched.today + rng.randint(-20, 60)
            made.db.execute(
                "update cards set type=2, queue=?, due=?, ivl=?, factor=2500, reps=?, lapses=1 "
                "where id=?",
                rng.choice((2, 2, 2, -1)), due, ivl, count, card.id,
            )  # fmt: skip
    return made


def media_of(col: Any) -> dict[str, bytes]:
    """Name and bytes of the media of a collection."""
    return {path.name: path.read_bytes() for path in Path(col.media.dir()).iterdir()}


def styles_of(col: Any) -> dict[str, str]:
    """The style of each note, by its guid."""
    kinds = {one["id"]: one["css"] for one in col.models.all()}
    return {guid: kinds[kind] for guid, kind in col.db.all("select guid, mid from notes")}


def shown(col: Any) -> dict[tuple[str, int], tuple[str, str, str, bool]]:
    """By guid and ordinal: question and answer as Anki shows them, deck, whether suspended."""
    found: dict[tuple[str, int], tuple[str, str, str, bool]] = {}
    for one in col.find_cards(""):
        card = col.get_card(one)
        output = card.render_output()
        note = card.note()
        question = html_text(_PLAYED.sub("[sound]", _TYPED.sub("", output.question_text)))
        answer = "".join(
            note[part] if place % 2 else part
            for place, part in enumerate(_TYPED.split(output.answer_text))
        )
        answer = _PLAYED.sub("[sound]", answer)
        holes = _HOLE.findall(answer)
        back = ", ".join(holes) if holes else answer.split("<hr id=answer>")[-1]
        answer = html_text(back.split('<div class="groundwire-source">')[0])
        deck = col.decks.name(card.did)
        found[note.guid, card.ord] = (question, answer, deck, card.queue == -1)
    return found


def held(state: StateFile) -> dict[tuple[str, int], tuple[str, str, str, bool]]:
    """The same of what Groundwire holds."""
    with state.reading() as connection:
        assert connection is not None
        rows = connection.execute(
            "SELECT n.guid, c.ordinal, c.front, c.back, d.name, c.state = 'suspended' "
            "FROM cards AS c JOIN notes AS n ON n.owner = c.owner AND n.note_id = c.note_id "
            "JOIN decks AS d ON d.owner = c.owner AND d.deck_id = c.deck_id"
        ).fetchall()
    return {
        (row[0], row[1]): (
            _PLAYED.sub("[sound]", row[2]),
            _PLAYED.sub("[sound]", row[3]),
            row[4],
            bool(row[5]),
        )
        for row in rows
    }


def log_of(col: Any) -> Counter[tuple[str, int, int, int, str]]:
    """The log of Anki: guid, ordinal, time, rating and kind; duration is compared apart."""
    kinds = {4: "manual", 5: "reschedule"}
    rows = col.db.all(
        "select n.guid, c.ord, r.id, r.ease, r.type from revlog r join cards c on c.id = r.cid "
        "join notes n on n.id = c.nid"
    )
    return Counter((g, o, at, ease, kinds.get(kind, "review")) for g, o, at, ease, kind in rows)


def log_held(state: StateFile) -> Counter[tuple[str, int, int, int, str]]:
    """The log that Groundwire holds, in the same form."""
    with state.reading() as connection:
        assert connection is not None
        rows = connection.execute(
            "SELECT n.guid, c.ordinal, r.at_ms, coalesce(r.rating, 0), r.kind FROM reviews AS r "
            "JOIN cards AS c ON c.owner = r.owner AND c.card_id = r.card_id "
            "JOIN notes AS n ON n.owner = c.owner AND n.note_id = c.note_id"
        ).fetchall()
    return Counter(tuple(row) for row in rows)


def export_forms(col: Any, folder: Path) -> dict[str, Path]:
    """Write a collection in each form that Anki has; the collection is closed by the last."""
    from anki.collection import ExportAnkiPackageOptions

    found: dict[str, Path] = {}
    for name, legacy in (("apkg anki21", True), ("apkg anki21b", False)):
        options = ExportAnkiPackageOptions(
            with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy
        )
        found[name] = folder / f"{name.replace(' ', '_')}.apkg"
        col.export_anki_package(out_path=str(found[name]), options=options, limit=None)
    for name, legacy in (("colpkg anki21", True), ("colpkg anki21b", False)):
        found[name] = folder / f"{name.replace(' ', '_')}.colpkg"
        col.export_collection_package(str(found[name]), True, legacy)
        col.reopen()
    return found


def back_in_anki(package: Path, folder: Path) -> Any:
    """A new collection of Anki that took a package in with its schedule."""
    from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

    col = Collection(str(folder / "back.anki2"))
    options = ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=False)
    col.import_anki_package(ImportAnkiPackageRequest(package_path=str(package), options=options))
    return col


def anki_rows(rng: random.Random, rounds: int, notes: int) -> dict[str, Counter[str]]:
    """Errors and totals by form."""
    found: dict[str, Counter[str]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            col = collection(folder, rng, notes)
            cards, log = shown(col), log_of(col)
            media, styles = media_of(col), styles_of(col)
            forms = export_forms(col, folder)
            col.close()
            for form, path in forms.items():
                counts = found.setdefault(form, Counter())
                state = learning_file(folder / form)
                now = time.time_ns() // 1_000_000
                import_package(state, "local", path, now_ms=now)
                own = held(state)
                counts["cards"] += len(cards)
                counts["cards wrong"] += sum(own.get(key) != one for key, one in cards.items())
                counts["cards wrong"] += len(own.keys() - cards.keys())
                counts["reviews"] += log.total()
                counts["reviews wrong"] += sum(
                    ((log - log_held(state)) + (log_held(state) - log)).values()
                )
                out = folder / f"{form}.back.apkg"
                due = schedule_some(state, rng, now)
                export_package(state, "local", out, now_ms=now)
                (folder / form / "anki").mkdir()
                again = back_in_anki(out, folder / form / "anki")
                theirs = shown(again)
                counts["back: cards wrong"] += sum(theirs.get(k) != one for k, one in own.items())
                counts["back: cards wrong"] += len(theirs.keys() - own.keys())
                got = media_of(again)
                # Of a package of cards Anki takes the media that they name.
                wanted = {k: v for k, v in media.items() if k not in ("_style.css", "unused.gif")}
                counts["media"] += len(wanted)
                counts["back: media wrong"] += sum(
                    got.get(name) != data for name, data in wanted.items()
                )
                back_styles = styles_of(again)
                counts["back: styles wrong"] += sum(
                    back_styles.get(guid) != css for guid, css in styles.items()
                )
                back = log_of(again)
                kept = log_held(state)
                counts["back: reviews wrong"] += sum(((back - kept) + (kept - back)).values())
                counts["dues"] += len(due)
                counts["back: dues wrong"] += dues_wrong(again, due)
                state.close()
                again.close()
    return found


def schedule_some(state: StateFile, rng: random.Random, now: int) -> dict[tuple[str, int], int]:
    """Set when cards with reviews are due, as the scheduler would; by guid and ordinal."""
    due: dict[tuple[str, int], int] = {}
    with state.writing() as connection:
        rows = connection.execute(
            "SELECT DISTINCT n.guid, c.ordinal, c.card_id, c.deck_id FROM cards AS c "
            "JOIN notes AS n ON n.owner = c.owner AND n.note_id = c.note_id "
            "JOIN reviews AS r ON r.owner = c.owner AND r.card_id = c.card_id "
            "WHERE c.state = 'active' AND r.kind = 'review'"
        ).fetchall()
        for guid, ordinal, card_id, deck_id in rows:
            at = now + rng.randint(-20, 90) * _DAY_MS
            due[guid, ordinal] = at
            connection.execute(
                "INSERT OR REPLACE INTO schedule (owner, card_id, deck_id, phase, step, stability, "
                "difficulty, due_ms, last_ms, reviews, lapses, parameters_id) "
                "VALUES ('local', ?, ?, 'review', NULL, 12.5, 5.25, ?, ?, 3, 1, 'fsrs-6')",
                (card_id, deck_id, at, now - 5 * _DAY_MS),
            )
    return due


def dues_wrong(col: Any, due: dict[tuple[str, int], int]) -> int:
    """How many cards are due in Anki on another day than they were set to."""
    rows = col.db.all(
        "select n.guid, c.ord, c.due, c.type from cards c join notes n on n.id = c.nid"
    )
    theirs = {(guid, ordinal): (day, kind) for guid, ordinal, day, kind in rows}
    midnight = col.sched.day_cutoff - 86_400
    wrong = 0
    for key, at in due.items():
        day, kind = theirs.get(key, (0, -1))
        expected = col.sched.today + (at // 1000 - midnight) // 86_400
        wrong += kind != 2 or day != expected
    return wrong


def genanki_rows(rng: random.Random, notes: int) -> Counter[str]:
    """Cards of a package that genanki wrote, and how many are wrong."""
    import genanki

    counts: Counter[str] = Counter()
    model = genanki.Model(
        1607392319,
        "Simple",
        fields=[{"name": "Q"}, {"name": "A"}],
        templates=[
            {"name": "Card", "qfmt": "{{Q}}", "afmt": '{{FrontSide}}<hr id="answer">{{A}}'},
        ],
    )
    deck = genanki.Deck(2059400110, "Country::Capitals")
    wanted: set[tuple[str, str]] = set()
    for number in range(notes):
        front, back = f"{number} {phrase(rng)}".replace("&amp;", "&amp;"), phrase(rng)
        deck.add_note(genanki.Note(model=model, fields=[front, back]))
        wanted.add((html_text(front), html_text(back)))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "deck.apkg"
        genanki.Package(deck).write_to_file(str(path))
        state = learning_file(Path(name) / "home")
        import_package(state, "local", path, now_ms=time.time_ns() // 1_000_000)
        found = {(front, back) for front, back, *_ in held(state).values()}
        state.close()
    counts["cards"] = len(wanted)
    counts["cards wrong"] = len(wanted ^ found)
    return counts


def main() -> int:
    """Run all rows whose package is installed; the exit code."""
    options = arguments(__doc__)
    rng = random.Random(options.seed)
    rounds = max(1, round(COLLECTIONS * options.fraction))
    rows: dict[str, Counter[str]] = {}
    try:
        rows |= anki_rows(rng, rounds, NOTES)
    except ImportError as error:
        print(f"left out, since Anki is not installed: {error}")
    try:
        rows["apkg of genanki"] = genanki_rows(rng, 10 * NOTES)
    except ImportError as error:
        print(f"left out, since genanki is not installed: {error}")
    names = sorted({name for counts in rows.values() for name in counts})
    print(table(("form", *names), [(form, *(c[n] for n in names)) for form, c in rows.items()]))
    figures = {
        form: {
            name.replace(": ", "_").replace(" ", "_"): counts[name]
            for name in counts
            if name.endswith("wrong")
        }
        for form, counts in rows.items()
    }
    lower = {name for one in figures.values() for name in one}
    if len(rows) < _FORMS:
        # What was left out is not missed.
        options.fraction = min(options.fraction, 0.99)
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
