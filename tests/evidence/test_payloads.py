"""Raw responses: cut, compressed, stored once, removed after 30 days."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from state_places import ask

from groundwire.errors import UnavailableError
from groundwire.evidence import Draft, Ledger
from groundwire.evidence.payloads import PAYLOAD_BYTES
from groundwire.state import StatePlace

DAY = 86_400


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def aging(place: StatePlace, clock: Clock) -> Iterator[Ledger]:
    with Ledger(place, clock=clock) as ledger:
        yield ledger


@pytest.fixture
def stored(place: StatePlace) -> Callable[[], int]:
    return lambda: ask(place, "evidence", "SELECT count(*) FROM payloads")[0][0]


def whole(ledger: Ledger, handle: str) -> str:
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = ledger.page(handle, "local", "payload", offset)
        pieces.append(page.text)
        offset = page.next_offset
    return "".join(pieces)


def test_a_payload_is_paged_as_it_was_received(ledger: Ledger) -> None:
    payload = "\n".join(f"Zeile {n} 行" for n in range(4_000))
    receipt = ledger.record("local", "t", {}, Draft(payload=payload.encode()))
    assert whole(ledger, receipt.evidence_id) == payload
    record = ledger.get(receipt.evidence_id, "local")
    assert (record.payload_size, record.payload_cut) == (len(payload.encode()), False)


def test_a_payload_at_the_limit_is_whole_and_beyond_it_is_cut_and_says_so(ledger: Ledger) -> None:
    text = ("行" * 1_000 + "\n") * 2_000
    exact = text.encode()[:PAYLOAD_BYTES]
    handle = ledger.record("local", "t", {}, Draft(payload=exact)).evidence_id
    assert ledger.get(handle, "local").payload_cut is False
    longer = text.encode()[: PAYLOAD_BYTES + 1]
    handle = ledger.record("local", "t", {}, Draft(payload=longer)).evidence_id
    record = ledger.get(handle, "local")
    assert (record.payload_size, record.payload_cut) == (PAYLOAD_BYTES + 1, True)
    page = ledger.page(handle, "local", "payload")
    assert page.note == "Cut: the first 5,242,880 of 5,242,881 bytes were kept."
    # The cut goes through a character of three bytes: what is left of it is not shown.
    assert page.total == len(text.encode()[:PAYLOAD_BYTES].decode(errors="ignore"))
    assert json.loads(ledger.page(handle, "local").text)["payload"]["bytes_stored"] == PAYLOAD_BYTES
    assert ledger.verify().ok


def test_a_secret_at_the_cut_is_not_stored_in_part(path: Path) -> None:
    secret = b"known-secret-of-this-process"
    for before in (PAYLOAD_BYTES - 10, PAYLOAD_BYTES + 4_090):
        payload = b" " * before + secret + b" " * 10_000
        with Ledger(path, hidden=[secret.decode()]) as ledger:
            handle = ledger.record("local", "t", {}, Draft(payload=payload)).evidence_id
            total = ledger.page(handle, "local", "payload").total
            end = ledger.page(handle, "local", "payload", total - 7_000).text
            assert PAYLOAD_BYTES - 20 <= total <= PAYLOAD_BYTES
            assert "known" not in end


def test_a_payload_that_is_no_text_is_shown_as_base64(ledger: Ledger) -> None:
    handle = ledger.record("local", "t", {}, Draft(payload=b"\xff\xfe\x00binary")).evidence_id
    page = ledger.page(handle, "local", "payload")
    assert page.text == "//4AYmluYXJ5\n"
    assert page.note == "Not UTF-8 text: shown as base64."


def test_an_empty_payload_is_a_payload(ledger: Ledger) -> None:
    record = ledger.get(ledger.record("local", "t", {}, Draft(payload=b"")).evidence_id, "local")
    assert (record.payload_size, record.payload_hash is None) == (0, False)
    assert ledger.verify().payloads == 1


def test_the_same_payload_is_stored_once(ledger: Ledger, stored: Callable[[], int]) -> None:
    handles = [
        ledger.record("local", "t", {"n": n}, Draft(payload=b"same")).evidence_id for n in range(3)
    ]
    assert stored() == 1
    assert {whole(ledger, handle) for handle in handles} == {"same"}


def test_a_payload_is_removed_after_thirty_days_and_the_chain_stays(
    aging: Ledger, clock: Clock, stored: Callable[[], int]
) -> None:
    handle = aging.record("local", "t", {"n": 1}, Draft(payload=b"old response")).evidence_id
    clock.now += 29 * DAY
    aging.record("local", "t", {}, Draft())
    assert whole(aging, handle) == "old response"
    clock.now += 2 * DAY
    aging.record("local", "t", {}, Draft())
    assert stored() == 0
    page = aging.page(handle, "local", "payload")
    assert page.text == ""
    assert page.note is not None
    assert "was removed: payloads are kept for 30 days" in page.note
    assert json.loads(aging.page(handle, "local").text)["payload"]["removed"] is True
    assert aging.get(handle, "local").arguments == {"n": 1}
    verification = aging.verify()
    assert (verification.ok, verification.payloads_removed) == (True, 1)


def test_what_was_removed_is_gone_from_the_disk(aging: Ledger, clock: Clock, path: Path) -> None:
    noise = os.urandom(40_000).hex().encode()
    aging.record("local", "t", {}, Draft(payload=noise))
    aging.close()
    before = path.read_bytes()
    clock.now += 31 * DAY
    aging.record("local", "t", {}, Draft())
    aging.close()
    after = path.read_bytes()
    pieces = [before[at : at + 64] for at in range(0, len(before), 997)]
    left = [piece for piece in pieces if len(set(piece)) > 30 and piece in after]
    assert len(left) <= 2  # of the record itself; the payload had some forty


def test_a_payload_that_is_used_again_stays(
    aging: Ledger, clock: Clock, stored: Callable[[], int]
) -> None:
    aging.record("local", "t", {}, Draft(payload=b"same"))
    clock.now += 20 * DAY
    handle = aging.record("local", "t", {}, Draft(payload=b"same")).evidence_id
    clock.now += 20 * DAY
    aging.record("local", "t", {}, Draft())
    assert whole(aging, handle) == "same"
    clock.now += 20 * DAY
    aging.record("local", "t", {}, Draft())
    assert stored() == 0


def test_many_old_payloads_go_a_few_at_a_time(
    aging: Ledger, clock: Clock, stored: Callable[[], int]
) -> None:
    for n in range(10):
        aging.record("local", "t", {}, Draft(payload=b"%d" % n))
    clock.now += 31 * DAY
    left: list[int] = []
    for _ in range(4):
        aging.record("local", "t", {}, Draft())
        left.append(stored())
    assert left == [6, 2, 0, 0]


def test_a_payload_that_is_missing_too_early_is_found(
    ledger: Ledger, tamper: Callable[[str], None]
) -> None:
    ledger.record("local", "t", {}, Draft())
    ledger.record("local", "t", {}, Draft(payload=b"x"))
    tamper("DELETE FROM payloads")
    verification = ledger.verify()
    assert (verification.ok, verification.first_bad) == (False, 2)
    assert verification.reason is not None
    assert "missing before its 30 days" in verification.reason


@pytest.mark.parametrize(
    "change", ["zeroblob(9)", "CAST(data || x'0041' AS BLOB)", "substr(data, 1, 9)"]
)
def test_a_changed_payload_is_found_and_not_read(
    ledger: Ledger, tamper: Callable[[str], None], change: str
) -> None:
    ledger.record("local", "t", {}, Draft())
    handle = ledger.record("local", "t", {}, Draft(payload=b"response " * 50)).evidence_id
    tamper(f"UPDATE payloads SET data = {change}")
    verification = ledger.verify()
    assert (verification.ok, verification.first_bad) == (False, 2)
    with pytest.raises(UnavailableError, match="payload of record 2 was changed"):
        ledger.page(handle, "local", "payload")
