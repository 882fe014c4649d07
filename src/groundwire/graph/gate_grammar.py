"""An instance of rdflib's query grammar of our own, made faster without reading otherwise."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def grammar() -> Any:
    """The grammar, which looks for no comments.

    The canonical text has none, and to look for one before every terminal takes half of the time
    to parse. The instance that others in this process may use keeps its comments.
    """
    from importlib.util import find_spec, module_from_spec

    spec = find_spec("rdflib.plugins.sparql.parser")
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    root: Any = module.QueryUnit
    pending: list[Any] = [root]
    seen: set[int] = set()
    while pending:
        element = pending.pop()
        if id(element) not in seen:
            seen.add(id(element))
            element.ignoreExprs = []
            pending.extend(element.recurse())
    return root
