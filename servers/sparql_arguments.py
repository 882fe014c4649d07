"""Arguments that several tools of the sparql server take, and forms that a user fills in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

EndpointName = Annotated[
    str,
    Field(
        max_length=2000,
        validation_alias=AliasChoices("endpoint", "endpoint_url"),
    ),
]
Limit = Annotated[int, Field(ge=0, le=1000, description="0: as the policy says.")]
Texts = Annotated[tuple[Annotated[str, Field(max_length=2000)], ...], Field(max_length=20)]
Enforce = Literal["strict", "classes", "off"]


class Statement(BaseModel):
    """A statement that a prompt asks about; a blank part is what it asks for."""

    model_config = ConfigDict(extra="forbid")

    subject: str = Field(default="", max_length=400)
    predicate: str = Field(default="", max_length=400)
    object: str = Field(default="", max_length=400)


class Choice(BaseModel, frozen=True):
    """The decision of a user; None leaves it open."""

    decision: str | None = None


class NextStep(Choice, frozen=True):
    """The decision of a user where the graph has no answer."""

    decision: Literal["synthesize", "continue", "variants"] | None = Field(
        default=None,
        description="Synthesize an answer without the graph, continue probing, or probe with "
        "variants.",
    )
    variants: str = Field(
        default="",
        max_length=2000,
        description="For variants: other ways to say it, parted by semicolons.",
    )


class Mandate(Choice, frozen=True):
    """The decision of a user where nobody can be sure whether the workflow is mandatory."""

    decision: Literal["mandatory", "continue", "synthesize"] | None = Field(
        default=None,
        description="Make the workflow mandatory for this prompt, run it without that, or "
        "synthesize an answer without the graph.",
    )
