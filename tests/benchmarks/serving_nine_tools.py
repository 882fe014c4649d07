"""The server that `serving.py` measures: nine tools of the size that a domain's tools have."""

from __future__ import annotations

import sys
from pathlib import Path

from groundwire.serving import paused_collector

with paused_collector(lasting=True):
    from typing import Annotated, Any, Literal

    from pydantic import BaseModel, ConfigDict, Field

    from groundwire.config import Settings
    from groundwire.evidence import Draft, Ledger, Value
    from groundwire.serving import START, Cursor, Grounded, Toolset, build_server, run, tool

ROWS = 24


class Where(BaseModel):
    model_config = ConfigDict(extra="forbid")

    domain: Annotated[str, Field(description="Kind of thing.")]
    filters: Annotated[dict[str, str | list[str]], Field(description="Conditions.")] = {}
    ranges: dict[str, dict[str, float | str]] = {}


class Row(BaseModel):
    iri: str
    label: str | None = None
    values: dict[str, str | float] = {}


class Page(BaseModel):
    answer: str
    offset: int = Field(default=0, exclude=True)
    next_offset: int | None = Field(default=None, exclude=True)
    status: Literal["results", "empty", "rejected"] = "results"
    confidence: Literal["high", "medium", "low"] = "high"
    total: int | None = None
    results: list[Row] = []
    applied: dict[str, Any] = {}
    corrections: list[dict[str, Any]] = []
    left_out: str | None = None
    next_cursor: str | None = None
    evidence_id: str | None = None
    evidence_error: str | None = None


async def search(
    self: object,
    where: Annotated[Where, Field(description="What is looked for.")],
    interpretation: Annotated[str, Field(description="The question in words.")] = "",
    sort: Literal["asc", "desc"] = "asc",
    limit: Annotated[int, Field(ge=1, le=100, description="Page size.")] = 20,
    cursor: Cursor = START,
    dry_run: bool = False,
) -> Grounded[Page]:
    """Search a catalogue by conditions on the properties of its assets."""
    names = [f"Asset number {at}" for at in range(ROWS)]
    page = Page(
        answer=f"{ROWS} assets match.",
        total=ROWS,
        results=[
            Row(
                iri=f"https://example.org/assets/{name[13:]}",
                label=name,
                values={"country": "DE", "length": 12.5},
            )
            for name in names
        ],
    )
    values = tuple(Value("length", "12.5", unit="km", entity=name) for name in names)
    return Grounded(page, Draft(values=values, audit={"query_text": "SELECT *"}))


class NoHandles:
    def mint(self, owner: str, kind: str, payload: object, ttl: float) -> str:
        raise AssertionError("no page follows")

    def open(self, handle: str, owner: str, kind: str) -> dict[str, Any]:
        raise AssertionError("no page was asked for")

    def close(self) -> None:
        pass


def method(number: int) -> Any:
    async def body(*args: Any, **kwargs: Any) -> Any:
        return await search(*args, **kwargs)

    body.__wrapped__ = search  # type: ignore[attr-defined]
    body.__name__ = f"search_{number}"
    body.__doc__ = "Search a catalogue by conditions on the properties of its assets. " * 4
    return tool("Search", read_only=True, idempotent=True, open_world=False)(body)


def main() -> None:
    home = Path(sys.argv[1])
    methods = {f"search_{number}": method(number) for number in range(1, 10)}
    toolset: Toolset = type("Nine", (Toolset,), {"name": "nine", **methods})()
    with paused_collector(lasting=True):
        server = build_server(
            "nine",
            [toolset],
            settings=Settings(home=home),
            handles=NoHandles(),
            ledger=Ledger(home / "evidence.sqlite"),
        )
    run(server)


if __name__ == "__main__":
    main()
