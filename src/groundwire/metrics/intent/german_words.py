"""German words of a question; the lists are data (`german_words.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from groundwire.metrics.intent.tokens import Explained, Role

_ROLES: dict[str, Role] = {
    "grammar": "function",
    "own": "own",
    "narrative": "cue",
    "rises": "movement",
    "falls": "movement",
}


@cache
def german_words() -> Mapping[str, frozenset[str]]:
    """Return the words by what they are there for."""
    text = (files(__package__ or "") / "german_words.toml").read_text("utf-8")
    return {name: frozenset(words) for name, words in tomllib.loads(text).items()}


def explain_german(explained: Explained) -> None:
    """Explain the words of a question that is asked in German.

    One with a capital inside of a sentence is a noun, and may be a name, unless it is known for
    what it is.
    """
    words = german_words()
    for at, token in enumerate(explained.tokens):
        if explained.roles[at] != "loose" or token.kind != "word":
            continue
        word = token.text.lower()
        for name, role in _ROLES.items():
            if word in words[name]:
                explained.roles[at] = role
                break
        before = explained.tokens[at - 1].text.lower() if at else ""
        if word in words["home"] and before in words["before_home"]:
            explained.roles[at] = "own"
