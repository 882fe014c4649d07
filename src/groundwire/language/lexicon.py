"""Words of a language by role, read from one TOML file a language.

A role says what a word does in a clause; a sense is a small code that all languages share, such
as `up` of `direction`. Every file has the same tables, so a word of one language has the
consequence that its translation has.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, cast, get_args

from groundwire.vocabulary.fold import fold_word

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
# The most words of a segmenter that one word of a Chinese lexicon is made of.
_MOST_HAN_WORDS = 5
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
# Of those roles, what says something after all: a reason, what somebody wants, and what weakens
# a word other than a figure ("nearly all").
_SPEAKING = frozenset((("question", "why"), ("question", "request"), ("approximation", "part")))


@dataclass(frozen=True)
class Entry:
    """Say which role and sense a word or phrase has in a clause.

    Attributes:
        role: what it does.
        sense: which of the role's meanings it has; the same codes in all languages.
    """

    role: Role
    sense: str

    @cached_property
    def is_silent(self) -> bool:
        """Whether its words add no fact to a clause."""
        return self.role in SILENT_ROLES and (self.role, self.sense) not in _SPEAKING


@dataclass(frozen=True, slots=True)
class TextRules:
    """Hold the words that reading a language needs and that have no role.

    Attributes:
        abbreviations: words whose full stop does not end a sentence.
        ordinal_follows: beginnings of words before which a number with a full stop is an ordinal.
        before_noun: words after which a word that may be a noun or a verb is a noun.
        before_verb: words after which it is a verb.
        verb_particles: particles that end a clause and belong to its verb.
        future_verbs: verbs that make a forecast with an infinitive at the end of their clause.
        approximating: prepositions that approximate a figure and mean something else elsewhere.
        limiting: prepositions that bound a figure and mean something else elsewhere.
        ranking: bounds of a figure that are superlatives elsewhere.
        ending: words that end a period before a time and lead to a place elsewhere.
        dating: adverbs that only date their clause before a time.
        leading: adverbs that only say which way the preposition behind them leads.
        spreading: bounds of a figure that spread it over a set before a determiner.
        exemplifying: words of approximation that lead examples right behind a sign.
        repeated: words that say how often something happens, from once on.
    """

    abbreviations: frozenset[str] = frozenset()
    ordinal_follows: frozenset[str] = frozenset()
    before_noun: frozenset[str] = frozenset()
    before_verb: frozenset[str] = frozenset()
    verb_particles: frozenset[str] = frozenset()
    future_verbs: frozenset[str] = frozenset()
    approximating: frozenset[str] = frozenset()
    limiting: frozenset[str] = frozenset()
    ranking: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    dating: frozenset[str] = frozenset()
    leading: frozenset[str] = frozenset()
    spreading: frozenset[str] = frozenset()
    exemplifying: frozenset[str] = frozenset()
    repeated: tuple[str, ...] = ()


class Form(NamedTuple):
    """The two shapes under which a token is looked up: as written and as in a dictionary."""

    key: str
    lemma: str


class Lexicon:
    """The words of one language.

    Attributes:
        language: the language; "" for signs, which all languages share.
        entries: every word and phrase, folded, with its entry.
        reasons: why the words of a role and sense add no fact, or what follows from them.
        rules: what else the language needs for reading.
    """

    def __init__(self, language: Language, tables: dict[str, dict[str, Any]]) -> None:
        self.language: Language = language
        self.entries: dict[str, Entry] = {}
        self.reasons: dict[Entry, str] = {}
        self._phrases: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
        text: dict[str, list[str]] = tables.pop("text", {})
        endings, inflected = text.pop("endings", []), set(text.pop("inflected", []))
        repeated = tuple(text.pop("repeated", []))
        sets = {name: frozenset(words) for name, words in text.items()}
        self.rules = TextRules(**sets, repeated=repeated)
        forms: dict[str, Entry] = {}
        for role, senses in tables.items():
            if role not in ROLES:
                raise ValueError(f"{language}: {role} is no role")
            for sense, table in senses.items():
                entry = Entry(cast("Role", role), sense)
                self.reasons[entry] = table["reason"]
                for word in table["words"]:
                    self._add(word, entry)
                    if f"{role}.{sense}" in inflected and " " not in word:
                        forms.update((fold_word(word) + ending, entry) for ending in endings)
        for form, entry in forms.items():
            self.entries.setdefault(form, entry)
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
        heads = (form.key,) if form.key == form.lemma else (form.key, form.lemma)
        if start + 1 < len(forms):
            behind = forms[start + 1]
            for head in heads:
                for parts, entry in self._phrases.get(head, ()):
                    if parts[1] not in behind and behind.key != "-":
                        continue
                    length = _phrase_length(forms, start, parts)
                    if length:
                        return length, entry
        if self.language == "zh":
            for stop in range(min(len(forms), start + _MOST_HAN_WORDS), start + 1, -1):
                entry = self.entries.get("".join(form.key for form in forms[start:stop]))
                if entry:
                    return stop - start, entry
        entry = self.entries.get(form.key) or self.entries.get(form.lemma)
        return (1, entry) if entry else None

    def cut(self, word: str) -> list[str] | None:
        """Return the words of this lexicon that a longer one is made of, or None.

        A segmenter writes some words as one that this lexicon has apart: 均为 is 均 and 为. The
        longest words are tried first.
        """
        made: list[str] = []
        start = 0
        while start < len(word):
            stop = next(
                (stop for stop in range(len(word), start, -1) if word[start:stop] in self.entries),
                0,
            )
            if not stop:
                return None
            made.append(word[start:stop])
            start = stop
        return made


def split_phrase(phrase: str) -> list[str]:
    """Split a phrase of a lexicon into the tokens that a text of it has."""
    return phrase.replace("-", " ").replace("'", " '").split()


def _phrase_length(forms: Sequence[Form], start: int, parts: tuple[str, ...]) -> int:
    at, size = start + 1, len(forms)
    for part in parts[1:]:
        if at < size and forms[at].key == "-":
            at += 1
        if at >= size or (part != forms[at].key and part != forms[at].lemma):
            return 0
        at += 1
    return at - start


@lru_cache(maxsize=8)
def lexicon(language: Language) -> Lexicon:
    """Return the lexicon of a language, read when it is first asked for; "" has the signs."""
    text = (files("groundwire.language") / f"{language or 'signs'}.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    tables.pop("language", None)
    return Lexicon(language, tables)
