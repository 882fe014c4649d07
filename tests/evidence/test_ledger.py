"""Writing records and reading them back."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

import pytest

from groundwire.errors import InputError, LimitError, NotFoundError, UnavailableError
from groundwire.evidence import PARTS, Draft, Ledger, Value
from groundwire.state import StatePlace


def test_a_record_is_read_back_as_it_was_written(ledger: Ledger, answer: Draft) -> None:
    arguments = {"slots": {"domains": ["hdmap"]}, "limit": 5, "长": "é"}
    receipt = ledger.record("local", "submit_slots", arguments, answer)
    record = ledger.get(receipt.evidence_id, "local")
    assert record.draft == answer
    assert record.arguments == arguments
    assert (record.tool, record.owner, record.sequence) == ("submit_slots", "local", 1)
    assert record.hash == receipt.hash == ledger.head().hash
    assert record.previous_hash == "0" * 64
    assert (record.payload_hash, record.payload_size, record.payload_cut) == (None, None, False)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record.created)
    assert abs(dt.datetime.fromisoformat(record.created) - dt.datetime.now(dt.UTC)) < dt.timedelta(
        minutes=1
    )


def test_each_record_follows_the_one_before_it(ledger: Ledger) -> None:
    receipts = [ledger.record("local", "t", {"n": n}, Draft()) for n in range(3)]
    records = [ledger.get(receipt.evidence_id, "local") for receipt in receipts]
    assert [record.sequence for record in records] == [1, 2, 3]
    assert [record.previous_hash for record in records[1:]] == [r.hash for r in records[:2]]


def test_handles_are_short_random_and_plain(ledger: Ledger) -> None:
    ids = {ledger.record("local", "t", {}, Draft()).evidence_id for _ in range(50)}
    assert len(ids) == 50
    assert all(re.fullmatch(r"ev_[0-9a-hjkmnp-tv-z]{13}", handle) for handle in ids)


def test_another_owners_record_is_not_found(ledger: Ledger) -> None:
    handle = ledger.record("alice", "t", {}, Draft()).evidence_id
    with pytest.raises(NotFoundError) as stranger:
        ledger.get(handle, "bob")
    with pytest.raises(NotFoundError) as unknown:
        ledger.get("ev_0000000000000", "bob")
    for use in (lambda: ledger.page(handle, "bob"), lambda: ledger.get("\ud800", "alice")):
        with pytest.raises(NotFoundError):
            use()
    # Nothing tells a record that is there from one that is not.
    assert str(stranger.value).replace(handle, "X") == str(unknown.value).replace(
        "ev_0000000000000", "X"
    )
    assert ledger.inspect(handle).owner == "alice"


def test_recent_is_the_owners_last_half_hour_newest_first(place: StatePlace) -> None:
    now = 1_000_000.0
    with Ledger(place, clock=lambda: now) as ledger:
        ledger.record("alice", "old", {}, Draft())
        now += 1_000
        ledger.record("alice", "first", {}, Draft())
        ledger.record("bob", "other", {}, Draft())
        now += 1_000
        ledger.record("alice", "second", {}, Draft())
        assert [record.tool for record in ledger.recent("alice")] == ["second", "first"]
        assert len(ledger.recent("alice", dt.timedelta(hours=1))) == 3
        assert [r.tool for r in ledger.recent("alice", limit=1)] == ["second"]
        assert ledger.recent("carol") == []


def test_an_empty_ledger_reads_as_empty_and_is_not_created(ledger: Ledger, path: Path) -> None:
    assert ledger.recent("local") == []
    assert ledger.head().sequence == 0
    assert ledger.verify().ok
    with pytest.raises(NotFoundError):
        ledger.get("ev_1", "local")
    assert not path.parent.exists()


def test_the_file_is_its_owners_alone(ledger: Ledger, path: Path) -> None:
    ledger.record("local", "t", {}, Draft())
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_arguments_take_the_form_that_json_has_for_them(ledger: Ledger) -> None:
    arguments = {
        "mapping": MappingProxyType({"a": (1, 2)}),
        "decimal": Decimal("1.10"),
        "date": dt.date(2024, 2, 29),
        "set": frozenset({"b", "a"}),
        "surrogate": "\ud800",
        "control": "\x00\u2028\x7f",
    }
    handle = ledger.record("local", "t", arguments, Draft()).evidence_id
    assert ledger.get(handle, "local").arguments == {
        "mapping": {"a": [1, 2]},
        "decimal": "1.10",
        "date": "2024-02-29",
        "set": ["a", "b"],
        "surrogate": "\ud800",
        "control": "\x00\u2028\x7f",
    }
    assert ledger.verify().ok


@pytest.mark.parametrize(
    "unfit", [math.nan, object(), {1: "a", "b": 2}], ids=["nan", "object", "keys"]
)
def test_what_json_cannot_carry_is_refused_and_leaves_no_trace(
    ledger: Ledger, unfit: object
) -> None:
    with pytest.raises(InputError, match="cannot be recorded"):
        ledger.record("local", "t", {"x": unfit}, Draft())
    assert ledger.record("local", "t", {}, Draft()).sequence == 1


def test_a_cycle_is_refused(ledger: Ledger) -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(InputError):
        ledger.record("local", "t", {"x": cycle}, Draft())


def test_a_record_has_a_largest_size(ledger: Ledger) -> None:
    with pytest.raises(LimitError, match="5,242,880"):
        ledger.record("local", "t", {"x": "y" * 5_242_881}, Draft())


def test_secrets_do_not_reach_the_file(path: Path, answer: Draft) -> None:
    with Ledger(path, hidden=["first-hidden"]) as ledger:
        ledger.hide("second-hidden")
        draft = Draft(
            values=(Value("url", "https://me:hunter2@h/", kind="iri", source="second-hidden"),),
            audit={"headers": {"Authorization": "Bearer zYx987wvu"}, "note": "first-hidden"},
            payload=b'{"app_key": "payload-secret", "x": "first-hidden"}',
        )
        handle = ledger.record("local", "t", {"api_key": "argument-secret"}, draft).evidence_id
        record = ledger.get(handle, "local")
        assert record.arguments == {"api_key": "[redacted]"}
        assert record.draft.values[0].value == "https://[redacted]@h/"
        payload = ledger.page(handle, "local", "payload").text
        assert payload == '{"app_key": "[redacted]", "x": "[redacted]"}'
    found = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for secret in (b"hidden", b"hunter2", b"zYx987wvu", b"argument-secret", b"payload-secret"):
        assert secret not in found


def test_pages_follow_each_other_to_the_end(ledger: Ledger) -> None:
    values = tuple(Value("n", str(n), source="urn:source:" + "x" * 50) for n in range(400))
    handle = ledger.record("local", "t", {}, Draft(values)).evidence_id
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = ledger.page(handle, "local", "values", offset)
        assert len(page.text) <= 8_000
        assert page.text.endswith(("\n", "}"))
        pieces.append(page.text)
        offset = page.next_offset
    assert len(pieces) > 3
    assert len("".join(pieces)) == page.total
    read = [json.loads(line) for line in "".join(pieces).splitlines()]
    assert [entry["value"] for entry in read] == [value.value for value in values]


def test_one_long_line_is_paged_too(ledger: Ledger) -> None:
    handle = ledger.record("local", "t", {"x": "y" * 20_000}, Draft()).evidence_id
    first = ledger.page(handle, "local", "arguments")
    assert (len(first.text), first.next_offset) == (8_000, 8_000)
    last = ledger.page(handle, "local", "arguments", 16_000)
    assert last.next_offset is None
    assert last.text.endswith('y"\n}')


def test_every_part_says_what_it_holds(ledger: Ledger, answer: Draft) -> None:
    handle = ledger.record("local", "submit_slots", {"limit": 5}, answer).evidence_id
    text = {part: ledger.page(handle, "local", part).text for part in PARTS}
    summary = json.loads(text["summary"])
    assert (summary["tool"], summary["values"], summary["derivations"]) == ("submit_slots", 3, 1)
    assert summary["parts"] == ["arguments", "values", "derivations", "audit", "vocabulary"]
    assert json.loads(text["arguments"]) == {"limit": 5}
    assert json.loads(text["audit"]) == answer.audit
    assert json.loads(text["derivations"]) == {
        "operation": "sum",
        "operands": [0, 1],
        "value": "19.75",
        "unit": "km",
        "formula": "12.5 km + 7.25 km",
    }
    assert json.loads(text["values"].splitlines()[2]) == {
        "name": "motorway",
        "value": "false",
        "kind": "boolean",
    }
    assert [json.loads(line) for line in text["vocabulary"].splitlines()] == ["hdmap", "motorway"]


def test_a_part_that_is_empty_says_so(ledger: Ledger) -> None:
    handle = ledger.record("local", "t", {}, Draft()).evidence_id
    for part in ("values", "derivations", "audit", "vocabulary", "payload"):
        page = ledger.page(handle, "local", part)
        assert (page.text, page.next_offset) == ("", None)
        assert page.note == f"This record has no {part}."


def test_a_wrong_part_or_place_is_refused_with_the_way_out(ledger: Ledger) -> None:
    handle = ledger.record("local", "t", {}, Draft()).evidence_id
    with pytest.raises(InputError, match="send one of summary, arguments, values"):
        ledger.page(handle, "local", "numbers")  # type: ignore[arg-type]
    for offset in (-1, 1_000_000):
        with pytest.raises(InputError, match="begin without a cursor"):
            ledger.page(handle, "local", "summary", offset)


def test_threads_share_a_ledger(ledger: Ledger) -> None:
    handles: list[str] = []

    def work(name: str) -> None:
        for n in range(40):
            handle = ledger.record(name, "t", {"n": n}, Draft()).evidence_id
            assert ledger.get(handle, name).arguments == {"n": n}
            handles.append(handle)

    threads = [threading.Thread(target=work, args=(f"owner{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(handles)) == 160
    assert ledger.verify().records == 160


def test_a_ledger_that_was_moved_away_begins_anew(ledger: Ledger, path: Path) -> None:
    old = ledger.record("local", "t", {}, Draft()).evidence_id
    ledger.get(old, "local")
    for file in path.parent.iterdir():
        file.rename(file.with_name(f"kept-{file.name}"))
    new = ledger.record("local", "t", {}, Draft())
    assert new.sequence == 1
    assert ledger.get(new.evidence_id, "local").sequence == 1
    with pytest.raises(NotFoundError):
        ledger.get(old, "local")
    with Ledger(path.with_name(f"kept-{path.name}")) as kept:
        assert kept.get(old, "local").sequence == 1


@pytest.mark.parametrize("column", ["owner", "content", "created", "evidence_id", "previous"])
def test_a_changed_record_is_not_read(
    ledger: Ledger, column: str, tamper: Callable[[str], None]
) -> None:
    handle = ledger.record("alice", "t", {"limit": 5}, Draft()).evidence_id
    changed = {
        "owner": "'bob'",
        "content": "CAST(replace(CAST(content AS TEXT), '5', '6') AS BLOB)",
        "created": "created + 1",
        "evidence_id": "'ev_other'",
        "previous": "zeroblob(31)",
    }
    tamper(f"UPDATE records SET {column} = {changed[column]}")
    if column == "evidence_id":
        handle = "ev_other"
    owner = "bob" if column == "owner" else "alice"
    with pytest.raises(UnavailableError, match="was changed after it was written"):
        ledger.get(handle, owner)


def test_the_file_opens_in_any_sqlite_tool(ledger: Ledger, path: Path) -> None:
    ledger.record("local", "submit_slots", {"limit": 5}, Draft((Value("total", "3"),)))
    connection = sqlite3.connect(path)
    query = (
        "SELECT text ->> '$.context.tool', text ->> '$.facts.values[0][1]' "
        "FROM (SELECT CAST(content AS TEXT) AS text FROM records)"
    )
    try:
        assert connection.execute(query).fetchall() == [("submit_slots", "3")]
    finally:
        connection.close()


def test_importing_the_ledger_opens_and_loads_little() -> None:
    script = (
        "import sys; import groundwire.evidence; "
        "print(sorted({'rich','pydantic','rdflib','pyoxigraph','rapidfuzz'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_another_file_may_go_to_the_disk_with_a_record(ledger: Ledger) -> None:
    counts: list[int] = []
    ledger.record(
        "local", "t", {}, Draft(answer="One."), lambda: counts.append(ledger.head().sequence)
    )
    # It was called before the record was there to be read.
    assert counts == [0]
    assert ledger.head().sequence == 1
