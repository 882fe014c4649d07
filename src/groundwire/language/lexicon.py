"""Words of a language by role, read from one TOML file a language.

A role says what a word does in a clause; a sense is a small code that all languages share, such
as `up` of `direction`. Every file has the same tables, so a word of one language has the
consequence that its translation has.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast, get_args

from groundwire.language.folding import fold_word

Language = Literal["en", "de", "zh", ""]
LANGUAGES: tuple[Language, ...] = ("en", "de", "zh")
Role = Literal[
    "function",
    "being",
    "having",
    "counting",
    "saying",
    "negation",
    "quantifier",
    "bound",
    "approximation",
    "hedge",
    "filler",
    "question",
    "comparison",
    "superlative",
    "direction",
    "order",
    "relation",
    "source",
    "cause",
    "forecast",
    "opinion",
    "time",
    "unit_noun",
    "set_noun",
    "politeness",
]
ROLES: frozenset[str] = frozenset(get_args(Role))
# Words of these roles add no fact to a clause, each for the reason that its table gives.
SILENT_ROLES: frozenset[str] = frozenset(
    (
        "function",
        "being",
        "having",
        "counting",
        "saying",
        "approximation",
        "hedge",
        "filler",
        "question",
        "politeness",
    )
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a word or phrase does in a clause.

    Attributes:
        role: what it does.
        sense: which of the role's meanings it has; the same codes in all languages.
    """

    role: Role
    sense: str


@dataclass(frozen=True, slots=True)
class Form:
    """The two shapes under which a token is looked up: as written and as in a dictionary."""

    key: str
    lemma: str


class Lexicon:
    """The words of one language.

    Attributes:
        language: the language.
        entries: every word and phrase, folded, with its entry.
        reasons: why the words of a role and sense add no fact, or what follows from them.
    """

    def __init__(self, language: Language, tables: dict[str, dict[str, dict[str, object]]]) -> None:
        self.language: Language = language
        self.entries: dict[str, Entry] = {}
        self.reasons: dict[Entry, str] = {}
        self._phrases: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
        for role, senses in tables.items():
            if role not in ROLES:
                raise ValueError(f"{language}: {role} is no role")
            for sense, table in senses.items():
                entry = Entry(cast("Role", role), sense)
                self.reasons[entry] = cast("str", table["reason"])
                for word in cast("list[str]", table["words"]):
                    self._add(word, entry)
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: len(phrase[0]), reverse=True)

    def _add(self, word: str, entry: Entry) -> None:
        folded = fold_word(word)
        if folded in self.entries:
            raise ValueError(f"{self.language}: {word} stands in two tables")
        self.entries[folded] = entry
        parts = tuple(split_phrase(folded))
        if len(parts) > 1:
            self._phrases.setdefault(parts[0], []).append((parts, entry))

    def role_of(self, word: str) -> Entry | None:
        """Return the entry of a lemma or folded word, or None where the language lacks it."""
        return self.entries.get(word)

    def match(self, forms: Sequence[Form], start: int) -> tuple[int, Entry] | None:
        """Return the longest phrase or word at a position, as its length in tokens and its entry.

        A token is compared as written first, then by its lemma. Hyphens within a phrase may be
        written or left out.
        """
        form = forms[start]
        for head in dict.fromkeys((form.key, form.lemma)):
            for parts, entry in self._phrases.get(head, ()):
                length = _phrase_length(forms, start, parts)
                if length:
                    return length, entry
        entry = self.entries.get(form.key) or self.entries.get(form.lemma)
        return (1, entry) if entry else None


def split_phrase(phrase: str) -> list[str]:
    """Split a phrase of a lexicon into the tokens that a text of it has."""
    return phrase.replace("-", " ").replace(".", " . ").replace("'", " '").split()


def _phrase_length(forms: Sequence[Form], start: int, parts: tuple[str, ...]) -> int:
    at = start
    for number, part in enumerate(parts):
        if number and at < len(forms) and forms[at].key == "-":
            at += 1
        if at >= len(forms) or part not in (forms[at].key, forms[at].lemma):
            return 0
        at += 1
    return at - start


@lru_cache(maxsize=8)
def lexicon(language: Language) -> Lexicon:
    """Return the lexicon of a language, read when it is first asked for; "" has no words."""
    if not language:
        return Lexicon("", {})
    text = (files("groundwire.language") / f"{language}.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    tables.pop("language")
    return Lexicon(language, tables)
