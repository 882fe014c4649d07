"""Every written form of a profile's terms, laid out to be found in running text.

A form is kept under its folded words without the spaces between them, as a vocabulary keeps it,
beside every beginning of it, so that a reader of tokens knows when no form can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from groundwire.language.demonyms import adjectives, inflected
from groundwire.metrics.intent.tokens import Token, clean, tokenize
from groundwire.metrics.profile import Profile
from groundwire.vocabulary import KnownWords

Dimension = Literal["metric", "entity", "channel"]

# A code of so few letters is found only as it is written: US is a country, "us" is none.
SHORT = 3


class Form(NamedTuple):
    """One way to write a term.

    Attributes:
        dimension: what the term is a value of.
        code: its controlled code.
        kind: kind of the entity, or of the entities that have the metric; "" for a channel.
        written: the form as the profile has it.
        main: whether it is the code or the label, rather than an alias.
        words: how many words it has.
    """

    dimension: Dimension
    code: str
    kind: str
    written: str
    main: bool
    words: int


def _of_profile(profile: Profile) -> Iterator[tuple[Dimension, str, str, str, bool]]:
    for metric in profile.metrics:
        for written in (metric.code, metric.label):
            yield "metric", metric.code, metric.kind, written, True
        for written in (*metric.aliases, *metric.losses):
            yield "metric", metric.code, metric.kind, written, False
    for entity in profile.entities:
        for written in (entity.code, entity.name):
            yield "entity", entity.code, entity.kind, written, True
        named = [one for name in (entity.name, *entity.aliases) for one in adjectives(name, ())]
        forms = [form for one in named for form in inflected(one)]
        for written in dict.fromkeys((*entity.aliases, *forms)):
            yield "entity", entity.code, entity.kind, written, False
    for channel in profile.channel_by_code.values():
        for written in (channel.code, channel.label):
            yield "channel", channel.code, "", written, True
        for written in channel.aliases:
            yield "channel", channel.code, "", written, False


def extend(key: str, part: str) -> str:
    """A key with one more word: 3 and 7 are not 37."""
    if key and key[-1].isdigit() and part[:1].isdigit():
        return f"{key} {part}"
    return key + part


class Forms:
    """The forms of a profile by their keys."""

    def __init__(self, profile: Profile) -> None:
        """Lay out every form of every term."""
        self._english = KnownWords((), ("en",))
        self._words: dict[str, bool] = {}
        self.by_key: dict[str, list[Form]] = {}
        self.beginnings: set[str] = set()
        self.crossings: set[str] = set()
        seen: set[tuple[str, str, str]] = set()
        for dimension, code, kind, written, main in _of_profile(profile):
            if (dimension, code, written) not in seen:
                seen.add((dimension, code, written))
                tokens = tokenize(clean(written).text)
                form = Form(dimension, code, kind, written, main, len(tokens))
                self._add(form, tokens)

    def _add(self, form: Form, tokens: list[Token]) -> None:
        for parts in ([token.plain for token in tokens], [token.singular for token in tokens]):
            key = ""
            for token, part in zip(tokens, parts, strict=True):
                if key and token.broken:
                    self.crossings.add(key)
                key = extend(key, part)
            same = self.by_key.setdefault(key, [])
            if key and form not in same:
                same.append(form)
            self.beginnings.update(key[:length] for length in range(1, len(key) + 1))

    def matching(self, key: str, tokens: list[Token]) -> Iterable[Form]:
        """The forms under a key that the tokens may stand for."""
        found = self.by_key.get(key, ())
        if len(key) <= SHORT and key.isascii():
            return [form for form in found if self._short_allowed(form, key, tokens)]
        if len(tokens) > 1 and any(len(token.text) == 1 for token in tokens):
            # "per u" is no Peru: a single letter is a word of its own only where a form says so.
            return [
                form
                for form in found
                if len(tokens) <= form.words or all(token.kind == "cjk" for token in tokens)
            ]
        return found

    def _short_allowed(self, form: Form, key: str, tokens: list[Token]) -> bool:
        if len(tokens) > 1 and form.words == 1:
            return False
        written = "".join(token.text for token in tokens).replace(".", "")
        own = form.written.replace(".", "")
        if written == own or (own.islower() and written.lower() == own):
            # A code in capitals may be a word in small letters; a word in capitals stays the word.
            return True
        if key not in self._words:
            self._words[key] = self._english.of_language(key)
        return not self._words[key]
