"""Nobody reads another owner's record or handle, however its name is written."""

from __future__ import annotations

import pytest

from groundwire.errors import NotFoundError, UnavailableError
from groundwire.evidence import Draft, Ledger
from groundwire.serving.handles import Handles
from groundwire.state import Database, StatePlace

OTHERS = (
    "bob", "ALICE", "Alice", "alice ", " alice", "alice\0", "alice\n", "alice%", "%", "_____",
    "' OR 1=1 --", "", "local", "\u0430lice",
)  # fmt: skip


@pytest.mark.parametrize("other", OTHERS)
def test_another_owners_record_is_not_found(ledger: Ledger, place: StatePlace, other: str) -> None:
    handle = ledger.record("alice", "t", {}, Draft(payload=b"hers")).evidence_id
    for read in (ledger.get, ledger.page):
        with pytest.raises(NotFoundError):
            read(handle, other)
    if "\0" in other and isinstance(place, Database):
        with pytest.raises(UnavailableError, match="what PostgreSQL does not keep"):
            ledger.recent(other)
    else:
        assert ledger.recent(other) == ledger.listed(other, 9) == []
        with pytest.raises(NotFoundError):
            ledger.listed(other, 9, before=handle)
    assert ledger.get(handle, "alice").owner == "alice"


@pytest.mark.parametrize("other", OTHERS)
def test_another_owners_handle_is_not_found(place: StatePlace, other: str) -> None:
    with Handles(place) as handles:
        handle = handles.mint("alice", "cursor", {"offset": 1}, ttl=60)
        with pytest.raises(NotFoundError):
            handles.open(handle, other, "cursor")
        assert handles.open(handle, "alice", "cursor") == {"offset": 1}
