"""Which parser reads questions, as a profile names it: `[intent]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.metrics.about import Part


class IntentChoice(Part):
    """The parser of questions.

    Attributes:
        parser: `rules`, which needs no model, or the name by which an installed package declares
            one (`groundwire.metrics.intent.replacing`).
    """

    parser: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")] = "rules"
