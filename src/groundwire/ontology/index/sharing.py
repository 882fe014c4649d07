"""Long lists of a Turtle file, taken out before the parser sees it.

Generated shapes repeat whole code lists (media types, licences) at every property that takes
one: two of three triples of such files are cells of a few lists. Reading each list once, as the
plain strings that it holds, makes a load twice as fast. In the text that is left, an IRI stands
where each list stood, and every line keeps its number.
"""

from __future__ import annotations

import hashlib
import re

from groundwire.ontology.index.namespaces import SHARED_LIST

_LONG = re.compile(rb"\(([^()\[\]\\#]{800,})\)")


def share_lists(data: bytes) -> tuple[bytes, dict[str, list[str]]]:
    """The Turtle without its long `sh:in` lists of strings, and their items by the lists' IRIs."""
    parts: list[bytes] = []
    lists: dict[str, list[str]] = {}
    iris: dict[bytes, str] = {}
    last = quotes = counted = 0
    for match in _LONG.finditer(data):
        start, body = match.start(), match[1]
        if not _follows_in(data, start):
            continue
        # What stands in a string of several lines is text, whatever it looks like.
        quotes += data.count(b'"""', counted, start) + data.count(b"'''", counted, start)
        counted = start
        if quotes % 2:
            continue
        if body not in iris:
            strings = _strings(body)
            iris[body] = SHARED_LIST + hashlib.sha256(body).hexdigest() if strings else ""
            lists |= {iris[body]: strings} if strings else {}
        iri = iris[body]
        if iri:
            # The lines stay where they are, so that messages name the right one.
            parts += [data[last:start], b"<%s> " % iri.encode(), b"\n" * body.count(b"\n")]
            last = match.end()
    parts.append(data[last:])
    return b"".join(parts), lists


def _follows_in(data: bytes, start: int) -> bool:
    return data[max(0, start - 20) : start].rstrip().endswith(b":in")


def _strings(body: bytes) -> list[str] | None:
    """The quoted strings of a list; None if it holds anything else, or strings of many lines."""
    pieces = body.split(b'"')
    inside = b"".join(pieces[1::2])
    if len(pieces) % 2 == 0 or b"".join(pieces[0::2]).strip() or b'""' in body:
        return None
    if b"\n" in inside or b"\r" in inside:
        return None
    try:
        return [piece.decode() for piece in pieces[1::2]]
    except UnicodeDecodeError:
        return None
