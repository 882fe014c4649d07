"""A London to plan in: its state in a folder of its own, its clock at rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import anyio

from groundwire import profiles
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London, Supplies
from groundwire.journeys.making import Request, Trip

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=LONDON)
KEY = "0123456789abcdef0123456789abcdef"
Found = TypeVar("Found")


def opened(home: Path, url: str = "offline", now: datetime = NOW) -> London:
    supplies = Supplies(
        network=profiles.london_network(),
        landmarks=profiles.london_places(),
        home=home,
        base_url=url,
        key=KEY,
    )
    return London(supplies, lambda: now)


def done(london: London, verb: Callable[..., Awaitable[Found]], *arguments: Any) -> Found:
    """The outcome of an async verb, in a loop of its own."""

    async def go() -> Found:
        try:
            return await verb(london, *arguments)
        finally:
            await london.aclose()

    return anyio.run(go)


def asked_for(*ends: str, **wishes: Any) -> Request:
    """A request for one trip from an end to another, by way of a third."""
    origin, destination, *via = ends
    return Request((Trip(origin, destination, *via, wishes=wishes),))
