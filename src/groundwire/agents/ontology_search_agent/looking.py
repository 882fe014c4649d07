"""Lookups that a question asks of the catalogue itself, and their answers in words.

"Which licences are there?" asks for the values of a property, "what can maps be searched by" for
the properties of a kind, and a name that several kinds share is asked back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from groundwire.agents.ontology_search_agent.sentences import Sentences
from groundwire.agents.runtime.guards import ToolAnswer
from groundwire.safe_text import safe_name
from groundwire.vocabulary import fold

TOOLS = (
    "discover_domains",
    "discover_properties",
    "discover_values",
    "discover_connections",
    "investigate_schema",
)
_MOST = 30


@dataclass(frozen=True, slots=True)
class Look:
    """Something to look up instead of a search.

    Attributes:
        tool: of `TOOLS`.
        arguments: for it.
    """

    tool: str = "discover_domains"
    arguments: Mapping[str, str] | None = None


def look_told(look: ToolAnswer, sentences: Sentences) -> str:
    """Tell what was looked up, in the language of the question."""
    said = str(look.data["answer"])
    german = sentences.language != "en"
    if look.tool == "discover_domains":
        return _kinds(look, sentences) or said
    if look.tool == "discover_values":
        values = _entries(look, "values")
        opening = sentences.say("values_of", key=look.data.get("property"), number=len(values))
        lines = [_counted(one, "value", "count", sentences) for one in values[:_MOST]]
        return "\n".join([opening if german else said, *lines])
    if look.tool == "discover_properties" and german:
        listed = ", ".join(
            safe_name(str(one.get("local_name"))) for one in _entries(look, "properties")
        )
        return sentences.say("properties_of", kind=look.data.get("domain"), listed=listed)
    return said


def is_searchless(looked: Sequence[ToolAnswer]) -> bool:
    """Whether nothing but the kinds of asset was looked up, for want of a question."""
    return all(one.tool == "discover_domains" and not one.arguments for one in looked)


def _kinds(look: ToolAnswer, sentences: Sentences) -> str:
    """The kinds that have assets; of a name that was searched, those that it may mean."""
    counts = {str(one.get("domain")): one.get("asset_count") for one in _entries(look, "domains")}
    searched = str(look.arguments.get("search") or "")
    held = [
        f"{safe_name(sentences.labels.kind(name))} ({sentences.number(count)})"
        for name, count in counts.items()
        if isinstance(count, int) and count
    ]
    bare = [name for name, count in counts.items() if count == 0 and fold(name) == fold(searched)]
    if bare:
        return sentences.say("bare", kind=sentences.labels.kind(bare[0]))
    listed = ", ".join(held)
    if not searched:
        return sentences.say("kinds", listed=listed) if held else ""
    return sentences.say("may_mean", term=searched, listed=listed) if held else ""


def _counted(one: Mapping[str, Any], name: str, number: str, sentences: Sentences) -> str:
    count = one.get(number)
    shown = f": {sentences.number(count)}" if isinstance(count, int) else ""
    return f"- {safe_name(str(one.get(name)))}{shown}"


def _entries(look: ToolAnswer, name: str) -> list[Mapping[str, Any]]:
    found = look.data.get(name)
    return cast("list[Mapping[str, Any]]", found) if isinstance(found, list) else []
