"""Local names and words: how texts of the shapes become known words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from groundwire.vocabulary import fold

_HAS = re.compile(r"has(?=[A-Z_])")


def local_name(iri: str) -> str:
    """Return the part of an IRI behind its last `#`, `/` or `:`, or the IRI where that is empty."""
    end = len(iri)
    while end and iri[end - 1] in "#/:":
        end -= 1
    start = max(iri.rfind("#", 0, end), iri.rfind("/", 0, end), iri.rfind(":", 0, end))
    return iri[start + 1 : end] or iri


def spoken_name(iri: str) -> str:
    """The local name of a property, folded, without a leading "has": `hasOwner` is owner."""
    name = local_name(iri)
    return fold(name[3:] if _HAS.match(name) else name)


def compact(iri: str, prefixes: Mapping[str, str]) -> str:
    """The CURIE of an IRI where a prefix is declared for it, else the IRI."""
    best, found = "", iri
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and len(namespace) > len(best):
            rest = iri[len(namespace) :]
            if rest and all(character.isalnum() or character in "-_." for character in rest):
                best, found = namespace, f"{prefix}:{rest}"
    return found


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """Words of two letters or more in lower case; camelCase names are taken apart too."""
    import re

    word = re.compile(r"[^\W\d_]{2,}")
    hump = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
    found: set[str] = set()
    for text in set(texts):
        found.update(word.findall(text))
    for match in found:
        yield match.lower()
        parts = hump.split(match)
        if len(parts) > 1:
            yield from (part.lower() for part in parts if len(part) > 1)
