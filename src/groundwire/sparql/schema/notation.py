"""IRIs as a query may write them: with prefixes, of which an answer tells those that it uses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from groundwire.graph.terms import iri_n3

# A subset of what SPARQL 1.1, rule [169] PN_LOCAL, allows, in which nothing needs an escape.
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}|[0-9][A-Za-z0-9_-]{0,60}")
_SPLIT = re.compile(r"(?P<base>[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*[#/:])(?P<local>[^#/:]*)")
_WORD = re.compile(r"[a-z][a-z0-9]{1,15}")
_VERSION = re.compile(r"v?[0-9.]+")
_PLAIN_WORDS = frozenset(("http", "https", "www", "org", "com", "net", "ns", "id", "urn", "terms"))


@cache
def _known() -> Mapping[str, str]:
    listed = tomllib.loads(Path(__file__).with_name("prefixes.toml").read_text("utf-8"))
    return {base: prefix for prefix, base in listed.items()}


class Notation:
    """Writes IRIs, and remembers the prefixes that it used.

    Attributes:
        prefixes: namespaces by prefix, of what was written.
    """

    def __init__(self, iris: Iterable[str] = ()) -> None:
        """Give prefixes to the namespaces of some IRIs, in their order; none is used yet."""
        self.prefixes: dict[str, str] = {}
        self._of: dict[str, str] = {}
        for one in iris:
            if found := _SPLIT.fullmatch(one):
                self._prefix(found["base"])

    @property
    def bases(self) -> dict[str, str]:
        """Namespaces by prefix, used or not."""
        return {prefix: base for base, prefix in self._of.items()}

    def fresh(self) -> Notation:
        """Return one that gives the same prefixes and has used none."""
        other = Notation()
        other._of = dict(self._of)
        return other

    def written(self, iri: str) -> str:
        """Return an IRI as a prefixed name, or else in angle brackets."""
        found = _SPLIT.fullmatch(iri)
        if found is None or not _LOCAL.fullmatch(found["local"]):
            return iri_n3(iri)
        prefix = self._prefix(found["base"])
        self.prefixes[prefix] = found["base"]
        return f"{prefix}:{found['local']}"

    def path(self, steps: tuple[str, ...]) -> str:
        """Return the steps of a use as a property path of SPARQL."""
        return "/".join(
            ("^" if step.startswith("^") else "")
            + self.written(step.strip("^*"))
            + ("*" if step.endswith("*") else "")
            for step in steps
        )

    def _prefix(self, base: str) -> str:
        if base not in self._of:
            usual = _known().get(base)
            wanted = usual or _named_by(base)
            taken, number = wanted, 2
            reserved = set[str]() if usual else set(_known().values())
            others = {*self._of.values(), *reserved}
            while taken in others:
                taken, number = f"{wanted}{number}", number + 1
            self._of[base] = taken
        return self._of[base]


def expanded(text: str, prefixes: Mapping[str, str]) -> str:
    """Return the IRI that a text writes, in angle brackets, with a known prefix or bare; or ""."""
    plain = text.strip()
    if plain.startswith("<") and plain.endswith(">"):
        return plain[1:-1]
    prefix, colon, local = plain.partition(":")
    if not colon or any(character.isspace() for character in plain):
        return ""
    known = {short: base for base, short in _known().items()} | dict(prefixes)
    if prefix in known and not local.startswith("//"):
        return known[prefix] + local
    return plain


def _named_by(base: str) -> str:
    """Return a prefix made of the last telling word of a namespace."""
    parts = [part for part in re.split(r"[/#:.]", base.lower()) if part]
    for part in reversed(parts):
        word = _WORD.match(part.replace("-", ""))
        if word and not _VERSION.fullmatch(part) and part not in _PLAIN_WORDS:
            return word[0]
    return "ns"
