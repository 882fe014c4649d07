"""Every written form of a profile's terms, laid out to be found in running text.

A form is kept under its folded words without the spaces between them, as a vocabulary keeps it,
beside every beginning of it, so that a reader of tokens knows when no form can follow.

Beside them stand ways to ask for a metric without naming it: "how many people lived in China",
赚了多少. A profile lists them for each metric. One with a gap, "how many people ... employ", says
who or when in between, and nothing else. After such a way to ask only what says who or when may
follow: "how many people in China can read" asks for another number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from groundwire.language.places import adjectives, inflected
from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.tokens import Token, clean, tokenize
from groundwire.metrics.profile import Profile
from groundwire.quantities import resolve_unit
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


_LONGEST_GAP = 12
_LONGEST_UNIT = 4
_BESIDE = english.BESIDE_ASKED | german_words()["beside_asked"] | chinese.BESIDE_ASKED

# A term at a place: first token, token after, and the forms that are written so.
FormSpan = tuple[int, int, list[Form]]


class Asked(NamedTuple):
    """A way to ask that was found.

    Attributes:
        form: the metric that it asks for.
        first, last: its tokens up to the gap, as (first, token after).
        tail: its tokens after the gap; empty without one.
    """

    form: Form
    first: int
    last: int
    tail: tuple[int, int]

    @property
    def places(self) -> set[int]:
        """Numbers of its tokens, without those of the gap."""
        return {*range(self.first, self.last), *range(*self.tail)}

    @property
    def borders(self) -> set[int]:
        """Numbers of the tokens before which it begins or ends."""
        return {self.first, self.last, *(self.tail if self.tail[1] else ())}

    @property
    def end(self) -> int:
        """The token after all of it."""
        return max(self.last, self.tail[1])


class AskedForms:
    """Finds the ways to ask of one profile."""

    def __init__(self, profile: Profile) -> None:
        """Lay out the ways to ask by their first words."""
        self._by_word: dict[str, list[tuple[Form, list[str], list[str]]]] = {}
        for metric in profile.metrics:
            for written in metric.asked_as:
                head, _, tail = written.replace("…", "...").partition("...")
                before, after = _words(head), _words(tail)
                words = len(before) + len(after)
                form = Form("metric", metric.code, metric.kind, written, False, words)
                if before:
                    self._by_word.setdefault(before[0], []).append((form, before, after))

    def find(
        self,
        text: str,
        tokens: Sequence[Token],
        terms: Sequence[FormSpan],
        periods: Collection[int],
    ) -> list[Asked]:
        """The ways to ask in a question, the longest at each place, without overlap.

        Args:
            text: the cleaned question.
            tokens: its tokens.
            terms: the terms in it. A way to ask that cuts one in two is none.
            periods: numbers of the tokens that say when.
        """
        named, cut = set(periods), set[int]()
        for first, last, forms in terms:
            cut.update(range(first + 1, last))
            if not any(one.dimension == "metric" for one in forms):
                named.update(range(first, last))
        found: list[Asked] = []
        end = 0
        for at, token in enumerate(tokens):
            if at < end:
                continue
            here = [
                one
                for one in self._at(text, tokens, at, token, named)
                if not one.borders & cut and not one.places & named
            ]
            if here:
                best = max(here, key=lambda one: one.form.words)
                # Two metrics may be asked for in the same words: all of them are candidates.
                found += [one for one in here if one[1:] == best[1:]]
                end = best.last
        return found

    def _at(
        self, text: str, tokens: Sequence[Token], at: int, token: Token, named: Collection[int]
    ) -> Iterator[Asked]:
        for form, before, after in self._by_word.get(token.plain, ()):
            last = at + len(before)
            if not _stands(tokens, at, before) or _cuts_a_unit(text, tokens[last - 1]):
                continue
            if not after:
                yield Asked(form, at, last, (0, 0))
                continue
            place = last
            while place < min(len(tokens), last + _LONGEST_GAP):
                if _stands(tokens, place, after):
                    yield Asked(form, at, last, (place, place + len(after)))
                    break
                if place not in named and tokens[place].plain not in _BESIDE:
                    break
                place += 1


def with_asked(terms: Sequence[FormSpan], asked: Sequence[Asked]) -> list[FormSpan]:
    """The terms and the ways to ask, in place of the terms that they hold, in order."""
    held = {at for one in asked for at in one.places}
    kept = [one for one in terms if not held.issuperset(range(one[0], one[1]))]
    ways: dict[tuple[int, int], list[Form]] = {}
    for one in asked:
        ways.setdefault((one.first, one.last), []).append(one.form)
    made = [(first, last, forms) for (first, last), forms in ways.items()]
    return sorted([*kept, *made], key=lambda one: one[0])


def strangers(asked: Sequence[Asked], tokens: Sequence[Token]) -> Iterator[int]:
    """Numbers of the tokens after a way to ask that say more than who or when."""
    if not asked:
        return
    own = {at for one in asked for at in one.places}
    for at in range(min(one.end for one in asked), len(tokens)):
        if tokens[at].plain not in _BESIDE and at not in own:
            yield at


def tails(asked: Sequence[Asked], tokens: Sequence[Token]) -> list[Span]:
    """The places of what stands after gaps."""
    found = [one.tail for one in asked if one.tail[1]]
    return [(tokens[first].start, tokens[last - 1].end) for first, last in found]


def _words(text: str) -> list[str]:
    return [token.plain for token in tokenize(clean(text).text)]


def _stands(tokens: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    """Whether words stand at a place, with no punctuation between them."""
    following = tokens[at : at + len(words)]
    return [one.plain for one in following] == list(words) and not any(
        one.broken for one in following[1:]
    )


def _cuts_a_unit(text: str, last: Token) -> bool:
    """Whether the last character begins the name of a unit: 多少人 of 多少人民币."""
    return last.kind == "cjk" and any(
        resolve_unit(text[last.start : last.start + length]) is not None
        for length in range(2, _LONGEST_UNIT + 1)
        if last.start + length <= len(text)
    )
