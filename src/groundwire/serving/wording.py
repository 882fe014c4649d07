"""Texts that name offered tools only.

A server offers a part of the tools that there are. What its texts say of another tool is said
otherwise, or left out: `wording.toml` lists such texts with what takes their place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

from groundwire.serving.budget import Wire
from groundwire.serving.schemas import JsonSchema

# Fields that hold what was asked, done or stored, word by word.
VERBATIM = frozenset({"rows", "audit", "audits", "reasoning", "metadata", "sparql", "tools_used"})
_HOLE = "{}"
_SENTENCE = re.compile(r"(?<=[.!?])(?=\s)")


class Wording:
    """Fits texts to the tools that one server offers.

    Args:
        offered: names of the tools that it offers.
        known: names of all tools that texts may speak of.
        missing_prompts: names of prompts that texts may speak of and that it does not offer.
    """

    def __init__(
        self, offered: Iterable[str], known: Iterable[str], missing_prompts: Iterable[str] = ()
    ) -> None:
        self._absent = tuple(sorted(frozenset(known) - frozenset(offered)))
        self._names = _any_of(self._absent)
        self._changes = tuple(self._replacements()) if self._absent else ()
        self._commands = _commands(missing_prompts)

    def fitted(self, text: str) -> str:
        """Return a text with every listed passage of it in words that fit.

        Names that stand elsewhere in the text are data, and stay.
        """
        if any(name in text for name in self._absent):
            for name, passage, instead in self._changes:
                if name not in text:
                    continue
                if _HOLE in passage:
                    text = re.sub(*_with_holes(passage, instead), text)
                else:
                    text = text.replace(passage, instead)
        return text

    def told(self, text: str, said: Iterable[object] = ()) -> str:
        """Return a text of this house, without its sentences that name a tool not offered.

        Args:
            text: a definition, an instruction, or a prompt.
            said: what the caller sent; names of tools that it holds may come back.
        """
        text = self.fitted(text)
        if self._commands is not None:
            text = self._commands.sub("", text)
        if self._names is None or not self._names.search(text):
            return text
        own = " ".join(map(str, said))
        kept = (
            sentence
            for sentence in _SENTENCE.split(text)
            if all(name in own for name in self._names.findall(sentence))
        )
        return "".join(kept).strip()

    def schema(self, schema: JsonSchema) -> JsonSchema:
        """Return a JSON Schema whose descriptions name offered tools only."""
        return cast("JsonSchema", self._described(schema)) if self._absent else schema

    def wire(self, text: str, tree: Wire, verbatim: Iterable[str]) -> Wire:
        """Return a result whose sentences name offered tools only.

        Args:
            text: the result as JSON text; one without the name of an absent tool needs no change.
            tree: the result.
            verbatim: fields that are left as they are, beside `VERBATIM`.
        """
        if not any(name in text for name in self._absent):
            return tree
        return cast("Wire", self._said(tree, VERBATIM.union(verbatim)))

    def _said(self, node: Any, verbatim: frozenset[str]) -> Any:
        if isinstance(node, str):
            return self.fitted(node)
        if isinstance(node, list):
            return [self._said(one, verbatim) for one in cast("list[Any]", node)]
        if not isinstance(node, Mapping):
            return node
        return {
            key: value if key in verbatim else self._said(value, verbatim)
            for key, value in cast("Mapping[str, Any]", node).items()
        }

    def _described(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._described(one) for one in cast("list[Any]", node)]
        if not isinstance(node, Mapping):
            return node
        made: dict[str, Any] = {}
        for key, value in cast("Mapping[str, Any]", node).items():
            if key == "description" and isinstance(value, str):
                if text := self.told(value):
                    made[key] = text
            else:
                made[key] = self._described(value)
        return made

    def _replacements(self) -> Iterator[tuple[str, str, str]]:
        """Yield a name, the passage with it, and what is said instead, for every listed text."""
        assert self._names is not None
        for texts in _listed():
            found = self._names.search(texts[0])
            if found is None:
                continue
            instead = next((one for one in texts[1:] if not self._names.search(one)), "")
            yield found.group(), texts[0], instead


@cache
def _listed() -> tuple[tuple[str, ...], ...]:
    """Return the listed texts, each with what takes its place."""
    source = files("groundwire.serving").joinpath("wording.toml").read_text("utf-8")
    return tuple(tuple(one) for one in tomllib.loads(source)["texts"])


@cache
def _with_holes(passage: str, instead: str) -> tuple[str, str]:
    """Return the pattern of a passage with a word left open, and its replacement."""
    pattern = r"(\S{1,80}?)".join(map(re.escape, passage.split(_HOLE)))
    return pattern, instead.replace("\\", r"\\").replace(_HOLE, r"\1")


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    words = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{words})(?![A-Za-z0-9_])") if words else None


def _commands(prompts: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of prompts within a list of commands, as in "/help, /query"."""
    words = "|".join(map(re.escape, prompts))
    return re.compile(rf"(?:, )?/(?:{words})(?![\w-])") if words else None
