"""The eight commands of the sparql server as prompts, and arguments and forms of its tools."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from groundwire.serving import Toolset, prompt

if TYPE_CHECKING:
    from groundwire.sparql.workspace import Workspace


class OverWorkspace(Toolset):
    """Works on one registry, which is not even imported before the first call."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        """Take what opens the registry with its endpoints."""
        self._open = workspace

    @cached_property
    def _workspace(self) -> Workspace:
        return self._open()


class Commands(OverWorkspace):
    """Commands of a user: help, query, config, troubleshoot, limit, kg-on, kg-off, kg-verify."""

    @prompt("Help with common issues", name="help")
    async def help(self) -> str:
        """Help with the tools, and with what does not work."""
        from groundwire.sparql.commands import help_text

        return await help_text(self._workspace)

    @prompt("Write SPARQL within SQL", name="query", needs=("execute_query",))
    async def query(self, question: str = "") -> str:
        """Help with formulating SPARQL within SQL."""
        from groundwire.sparql.commands import query_text

        return await query_text(self._workspace, question)

    @prompt("Configure drivers and connections", name="config")
    async def config(self) -> str:
        """How endpoints, drivers and credentials are configured."""
        from groundwire.sparql.commands import config_text

        return await config_text(self._workspace)

    @prompt("Troubleshoot connections", name="troubleshoot")
    async def troubleshoot(self, error: str = "") -> str:
        """Explain a connection or driver error, and the way out."""
        from groundwire.sparql.commands import troubleshoot_text

        return await troubleshoot_text(self._workspace, error)

    @prompt("Set the result limit", name="limit", needs=("set_kg_policy",))
    async def limit(self, number: str = "10") -> str:
        """Set how many results queries return."""
        from groundwire.sparql.commands import limit_text

        return limit_text(number)

    @prompt("Make the KG workflow mandatory", name="kg-on", needs=("set_kg_policy",))
    async def kg_on(self) -> str:
        """Force the KG workflow for this and later prompts."""
        from groundwire.sparql.commands import kg_text

        return kg_text("on")

    @prompt("Make the KG workflow optional", name="kg-off", needs=("set_kg_policy",))
    async def kg_off(self) -> str:
        """Disable the KG workflow for this and later prompts."""
        from groundwire.sparql.commands import kg_text

        return kg_text("off")

    @prompt("Verify with the KG workflow", name="kg-verify", needs=("run_kg_workflow",))
    async def kg_verify(self, prompt: str) -> str:
        """Run the KG workflow, then summarize with explicit provenance."""
        from groundwire.sparql.commands import verify_text

        return verify_text(prompt)


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
