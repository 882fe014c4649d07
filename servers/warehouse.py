"""Which warehouse answers beside the facts of the metrics server."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from groundwire import profiles as embedded
from groundwire.config import Settings
from groundwire.errors import ConfigurationError

if TYPE_CHECKING:
    from groundwire.metrics.models.opening import Warehouse


def warehouse_of(settings: Settings, withheld: Callable[[], Collection[str]]) -> Warehouse | None:
    """The warehouse that the settings name; the embedded one where they name no profile either.

    Args:
        settings: of whoever serves.
        withheld: gives the levels of which nothing is offered.

    Raises:
        ConfigurationError: only one of model and engine is named.
    """
    models, url = settings.models, settings.warehouse
    if not models and not url:
        if settings.profile is not None:
            return None
        model, url = embedded.metrics_warehouse()
        models = (model,)
    if not models:
        raise ConfigurationError(
            "GROUNDWIRE_WAREHOUSE is set and GROUNDWIRE_MODELS is not: name a semantic model; "
            "`groundwire metrics model draft` drafts one."
        )
    if not url:
        raise ConfigurationError(
            "GROUNDWIRE_MODELS is set and GROUNDWIRE_WAREHOUSE is not: name the engine that holds "
            "its tables, as in postgresql://HOST/DATABASE."
        )
    from groundwire.metrics.models.opening import Warehouse

    return Warehouse(models, url, withheld, settings.home / "models")
