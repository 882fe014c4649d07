"""RDF/XML and JSON-LD, looked through before a parser goes down into them.

pyoxigraph reads both without fetching anything, but deep nesting costs it more than its square or
ends the process, and the contexts of JSON-LD may make it do the same work for every node. What
servers write of triples is shallow and has one context at most.
"""

from __future__ import annotations

import json
from typing import Any, cast

MAX_DEPTH = 64
_CONTEXT = "@context"


def look_through_xml(body: bytes) -> None:
    """Check the structure of an XML document.

    Raises:
        ValueError: it is not well formed, has a document type, or nests too deeply.
    """
    from xml.parsers import expat

    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError("is XML that nests too deeply")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def declared(*_: object) -> None:
        # It can define entities that grow without bound, or stand elsewhere.
        raise ValueError("is XML with a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = declared
    try:
        parser.Parse(body, True)
    except expat.ExpatError:
        raise ValueError("is cut off or malformed") from None


def look_through_json_ld(body: bytes) -> None:
    """Check the structure of a JSON-LD document.

    Raises:
        ValueError: it is not JSON, nests too deeply, or has contexts that stand elsewhere or within
            it.
    """
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("is cut off or malformed") from None
    if not isinstance(document, (dict, list)):
        raise ValueError("is JSON that is no JSON-LD")
    top = cast("dict[str, Any] | list[Any]", document)
    if isinstance(top, dict):
        _check_context(top.get(_CONTEXT))
    level: list[Any] = [*top.values()] if isinstance(top, dict) else top
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inside = cast("dict[str, Any]", value)
                if _CONTEXT in inside:
                    raise ValueError("is JSON-LD with contexts within it, which are not read")
                inner += inside.values()
            elif isinstance(value, list):
                inner += cast("list[Any]", value)
        if not inner:
            return
        level = inner
    raise ValueError("is JSON-LD that nests too deeply")


def _check_context(context: object) -> None:
    parts = cast("list[object]", context) if isinstance(context, list) else [context]
    if any(isinstance(one, str) for one in parts) or any(
        isinstance(one, dict) and "@import" in one for one in parts
    ):
        raise ValueError("is JSON-LD with a context elsewhere, which is not fetched")
