"""Types of a GraphQL service, as its introspection tells them, or of a graph's generated schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from groundwire.errors import UnavailableError
from groundwire.safe_text import safe_name
from groundwire.sparql.outcome import Outcome, Request, Runner
from groundwire.sparql.schema.entries import PAGE_CHARACTERS, Entry, size
from groundwire.vocabulary import Policy, Term, Vocabulary

_SECONDS = 8.0
_MOST_ARGUMENTS = 8
_LONGEST_DESCRIPTION = 160
_LONGEST_NAME = 80
_SHOWN = ("OBJECT", "INTERFACE", "INPUT_OBJECT", "ENUM", "UNION")
_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")


@dataclass(frozen=True, slots=True)
class ServiceType:
    """One type.

    Attributes:
        name: its name.
        kind: object, interface, input_object, enum or union.
        description: what the service says of it.
        fields: of each field its name, how a query writes its arguments and type, and its
            description; of an enumeration, its values.
    """

    name: str
    kind: str
    description: str
    fields: tuple[tuple[str, str, str], ...]


@cache
def _query() -> str:
    return Path(__file__).with_name("introspection.graphql").read_text("utf-8")


async def read_types(runner: Runner) -> tuple[tuple[ServiceType, ...], Outcome]:
    """Return the types of a service, the one of its queries first.

    Raises:
        UnavailableError: it does not tell its types.
    """
    outcome = await runner.run(Request("graphql", _query(), 1000, _SECONDS))
    try:
        schema = json.loads(str(outcome.rows[0][0]))["__schema"] if outcome.rows else None
        if not isinstance(schema, dict):
            raise UnavailableError(
                f"The service does not tell its types: {outcome.reason or outcome.status}"
            )
        return _types(cast("dict[str, Any]", schema)), outcome
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnavailableError("The service tells its types in a form that is not known.") from (
            error
        )


def _types(schema: Mapping[str, Any]) -> tuple[ServiceType, ...]:
    root: dict[str, Any] = schema.get("queryType") or {}
    first = str(root.get("name", "Query"))
    found: list[ServiceType] = []
    for one in schema["types"]:
        name = str(one["name"])
        if one["kind"] not in _SHOWN or name.startswith("__") or not _is_name(name):
            continue
        fields = [
            (str(f["name"]), _arguments(f.get("args")) + f": {_type(f['type'])}",
             str(f.get("description") or ""))
            for f in one.get("fields") or () if _is_name(f["name"])
        ]  # fmt: skip
        for kind in ("inputFields", "enumValues"):
            listed: list[dict[str, Any]] = one.get(kind) or []
            fields += [(str(f["name"]), "", "") for f in listed if _is_name(f["name"])]
        shown = str(one["kind"]).lower()
        found.append(ServiceType(name, shown, str(one.get("description") or ""), tuple(fields)))
    return tuple(sorted(found, key=lambda one: str(one.name) != first))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= _LONGEST_NAME and bool(_NAME.fullmatch(name))


def _arguments(listed: Any) -> str:
    known = [one for one in listed or () if _is_name(one["name"])]
    if not known:
        return ""
    more = ", ..." if len(known) > _MOST_ARGUMENTS else ""
    said = ", ".join(f"{one['name']}: {_type(one['type'])}" for one in known[:_MOST_ARGUMENTS])
    return f"({said}{more})"


def _type(tree: Any) -> str:
    """Return a type as a schema writes it; what lies deeper than was asked for is "..."."""
    if not isinstance(tree, dict):
        return "..."
    held = cast("dict[str, Any]", tree)
    if held.get("kind") == "NON_NULL":
        return f"{_type(held.get('ofType'))}!"
    if held.get("kind") == "LIST":
        return f"[{_type(held.get('ofType'))}]"
    return str(held["name"]) if _is_name(held.get("name")) else "..."


def type_entries(types: Sequence[ServiceType]) -> list[Entry]:
    """Return the types, with their fields where one page holds them all."""
    full = [type_entry(one, with_fields=True) for one in types]
    if size(full) <= PAGE_CHARACTERS:
        return full
    return [type_entry(one, with_fields=at == 0) for at, one in enumerate(types)]


def type_entry(one: ServiceType, *, with_fields: bool) -> Entry:
    """Return a type; each field is written with its arguments and its type."""
    entry: Entry = {"kind": "type", "name": one.name}
    if one.kind != "object":
        entry["of"] = one.kind
    if one.description:
        entry["comment"] = safe_name(one.description, _LONGEST_DESCRIPTION)
    if with_fields:
        entry["fields"] = [f"{name}{rest}" for name, rest, _ in one.fields]
    else:
        entry["field_count"] = len(one.fields)
    return entry


def field_entries(one: ServiceType) -> list[Entry]:
    """Return the fields of one type with what the service says of them."""
    entries: list[Entry] = []
    for name, rest, description in one.fields:
        arguments, _, type_ = rest.rpartition(": ")
        entry: Entry = {"kind": "field", "of": one.name, "name": name}
        if arguments:
            entry["arguments"] = arguments
        if type_:
            entry["type"] = type_
        if description:
            entry["comment"] = safe_name(description, _LONGEST_DESCRIPTION)
        entries.append(entry)
    return entries


def find_type(
    types: Sequence[ServiceType], text: str
) -> tuple[ServiceType | None, list[ServiceType]]:
    """Return the one type that is called so, or None with those whose names come near."""
    by_name = {one.name: one for one in types}
    vocabulary = Vocabulary(Term(name, name) for name in by_name)
    resolution = vocabulary.resolve(text, Policy.CANDIDATES_ONLY)
    if resolution.term is not None:
        return by_name[resolution.term.id], []
    return None, [by_name[one.term.id] for one in resolution.candidates]


def search_types(types: Sequence[ServiceType], text: str) -> list[ServiceType]:
    """Return the types that have words of a text in their names or those of their fields."""
    words = {word.casefold() for word in re.findall(r"\w+", text)}

    def score(one: ServiceType) -> int:
        own = one.name.casefold()
        inner = " ".join(name for name, _, _ in one.fields).casefold()
        return sum(2 * (word in own) + (word in inner) for word in words)

    held = [one for one in types if score(one)]
    return sorted(held, key=score, reverse=True) or find_type(types, text)[1]
