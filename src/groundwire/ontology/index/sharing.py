"""Long lists that a Turtle file repeats, written once before the parser sees it.

Generated shapes repeat whole code lists (media types, licences) at every property that takes
one. Two of three triples of such files are copies of a list cell; reading each list once makes a
load twice as fast. The rewritten text says the same, line by line, through one extra statement
for each shared list.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

from groundwire.ontology.index.namespaces import SHARED_LIST

_LONG = re.compile(rb"\(([^()\[\]\\#]{800,})\)")


def share_lists(data: bytes) -> bytes:
    """The same Turtle, with each repeated long `sh:in` list of strings written once, at the end."""
    found = [
        (match.start(), match.end(), match[1])
        for match in _LONG.finditer(data)
        if _follows_in(data, match.start())
    ]
    bodies = Counter(body for _, _, body in found)
    labels = {
        body: b"_:list" + hashlib.sha256(body).hexdigest().encode()
        for body, count in bodies.items()
        if count > 1 and _only_strings(body)
    }
    if not labels:
        return data
    parts: list[bytes] = []
    last = 0
    for start, end, body in found:
        label = labels.get(body)
        if label:
            # The lines stay where they are, so that messages name the right one.
            parts += [data[last:start], label, b" ", b"\n" * body.count(b"\n")]
            last = end
    parts.append(data[last:])
    for body, label in labels.items():
        parts.append(b"\n%s <%s> (%s) ." % (label, SHARED_LIST.encode(), body))
    return b"".join(parts)


def _follows_in(data: bytes, start: int) -> bool:
    return data[max(0, start - 20) : start].rstrip().endswith(b":in")


def _only_strings(body: bytes) -> bool:
    """Quoted strings of one line each, and nothing between them but space."""
    pieces = body.split(b'"')
    return (
        len(pieces) % 2 == 1
        and not b"".join(pieces[0::2]).strip()
        and b"\n" not in b"".join(pieces[1::2])
        and b'""' not in body
    )
