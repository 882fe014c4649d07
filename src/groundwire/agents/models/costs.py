"""Costs of responses, by the price tables of genai-prices; and imports made while others work.

One response at a time: prices have tiers by the length of a prompt, and a sum of tokens would fall
into another one.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

from groundwire.agents.runtime.model import Usage

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation


_log = logging.getLogger(__name__)
_told: set[str] = set()


def cost_of(
    usage: Usage, model: str, provider: str, *, base_url: str = "", at: datetime | None = None
) -> float | None:
    """Dollars that a response cost, or None where no price is known, which is told once.

    Args:
        usage: tokens of this one response.
        model: name of the model.
        provider: whose prices hold where the address has none.
        base_url: where it was asked; empty for the provider's own address.
        at: when; now by default.
    """
    # Its import takes 0.2 s, and rules need no prices.
    import genai_prices

    counted = genai_prices.Usage(
        input_tokens=usage.prompt + usage.cache_read + usage.cache_write,
        output_tokens=usage.completion,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
    )
    ways: list[Callable[[], PriceCalculation]] = [
        lambda: genai_prices.calc_price(
            counted, model, provider_id=provider, genai_request_timestamp=at
        )
    ]
    if base_url:
        ways.insert(
            0,
            lambda: genai_prices.calc_price(
                counted, model, provider_api_url=base_url, genai_request_timestamp=at
            ),
        )
    for way in ways:
        with suppress(LookupError, ValueError):
            return float(way().total_price)
    if model not in _told:
        _told.add(model)
        _log.warning(
            "No price is known for the model %s: what its responses cost is not counted.", model
        )
    return None


async def imported(*names: str) -> None:
    """Import modules in a thread; what is there already costs nothing."""
    missing = [name for name in names if name not in sys.modules]
    if missing:
        import anyio

        await anyio.to_thread.run_sync(_import, missing, abandon_on_cancel=True)


def _import(names: Sequence[str]) -> None:
    for name in names:
        import_module(name)
