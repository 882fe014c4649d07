"""Which names the records know, and where a text uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, cast

from groundwire.evidence.claims.called_names import (
    called_addresses,
    called_fields,
    called_things,
    forms_of_name,
    place_of_branch,
)
from groundwire.evidence.claims.fact_index import Fact, Facts, is_label, key_of_period, periods_of
from groundwire.evidence.claims.statement_index import channel_compounds, part_of
from groundwire.evidence.claims.words import WORD, cue_tables, fold_word, key_of, words_of
from groundwire.evidence.records import Record
from groundwire.language.glossary import other_words
from groundwire.language.lexicon import LANGUAGES, lexicon
from groundwire.language.places import adjective_forms, adjective_names, names_of_codes, other_names

_CODE = re.compile(r"[A-Z0-9]{1,8}|[a-z][a-z0-9+.-]*:\S+")
_NAME_LENGTH = 80
_HEAD = 5
_OF_GROUP = re.compile(r"\bKonzern([a-zäöüß]{4,30})\b")
_RANGE = re.compile(r"\d{1,4}(?:[-–]\d{1,4}|\+)")
_GAP = frozenset(" -_./'’·&(),\u00a0\u2011")
# Controlled terms that are also the commonest words say nothing by standing in a sentence.
_COMMON = frozenset(map(key_of, cue_tables()["common_terms"]))


@dataclass(slots=True)
class Named:
    """The recorded things that a name stands for.

    Attributes:
        entities: keys of the entities that bear it.
        names: keys of the properties or metrics that bear it.
        periods: periods that are written so and are no dates ("TTM").
        values: facts whose value it is.
        asked: whether the arguments of a call, its tool or a source say it.
        controlled: whether it is a controlled term of the answer's domain.
    """

    entities: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    periods: set[str] = field(default_factory=set[str])
    values: list[Fact] = field(default_factory=list[Fact])
    asked: bool = False
    controlled: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it stands for no thing, property or value yet."""
        return not (self.entities or self.names or self.values)

    @property
    def foreign(self) -> bool:
        """Whether it is a controlled term that no record says anything of."""
        return self.controlled and not (
            self.entities or self.names or self.periods or self.values or self.asked
        )


class Mention(NamedTuple):
    """A name in a text."""

    start: int
    end: int
    named: Named


@dataclass(slots=True)
class Names:
    """Every name that the records know, by folded key, with the evidence to search quotes in.

    Attributes:
        by_key: what each key stands for.
        longest: the length of the longest key that begins with some letters.
        words: words of the names.
        texts: recorded texts, with their records.
        demonyms: keys of adjectives by which countries are called.
        ranges: names without letters, as they are written: "16-29", "60+".
    """

    by_key: dict[str, Named] = field(default_factory=dict[str, Named])
    longest: dict[str, int] = field(default_factory=dict[str, int])
    words: set[str] = field(default_factory=set[str])
    texts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    demonyms: set[str] = field(default_factory=set[str])
    ranges: dict[str, Named] = field(default_factory=dict[str, Named])
    _learned: set[str] = field(default_factory=set[str])

    def add(self, text: str) -> Named | None:
        """Return the entry of a name, made where it is new; None where it cannot be one."""
        key = key_of(text) if len(text) <= _NAME_LENGTH else ""
        if len(key) < 2 or key.replace(".", "").isdigit():
            is_range = _RANGE.fullmatch(text) is not None
            return self.ranges.setdefault(text, Named()) if is_range else None
        named = self.by_key.get(key)
        if named is None:
            named = self.by_key[key] = Named()
            for size in range(1, _HEAD + 1):
                head = key[:size]
                self.longest[head] = max(self.longest.get(head, 0), len(key))
            self.learn_words(text)
        return named

    def learn_words(self, text: str) -> None:
        """Add the words of a text, unless they were added before."""
        if text not in self._learned:
            self._learned.add(text)
            self.words.update(text.lower().replace("-", " ").replace("_", " ").split())


def know(records: Sequence[Record], facts: Facts) -> Names:
    """Collect the names of records: entities, properties, values, arguments, controlled terms."""
    names = Names()
    labels: dict[str, list[Fact]] = {}
    for fact in facts.all:
        _learn(names, fact)
        for label in fact.value.labels:
            labels.setdefault(label, []).append(fact)
    by_entity, by_name = _ids_by(facts, "entities"), _ids_by(facts, "names")
    for label, bearers in labels.items():
        _learn_label(names, by_entity, by_name, label, bearers)
    for key, fact in _names_of_codes(facts):
        named = names.add(fact.value.value)
        if named is not None:
            named.entities.add(key)
    # HR and IT are departments too: codes are countries only where a call or a value says so.
    called = [text for record in records for text in _strings(record.arguments)]
    called += [fact.value.name for fact in facts.all]
    _learn_places(names, facts, of_countries=any("country" in one.casefold() for one in called))
    _learn_mixed(names, facts)
    _learn_adjectives(names, facts)
    _learn_demonyms(names, facts)
    _learn_called(names, facts)
    _learn_channels(names, records)
    _learn_short(names, records, facts)
    for record in records:
        for text in (record.tool, *_strings(record.arguments)):
            names.texts.append((record.evidence_id, text))
            named = names.add(text)
            if named is not None:
                named.asked = True
        for term in record.draft.vocabulary:
            named = names.add(term)
            if named is not None:
                named.controlled = True
                if named.foreign:
                    named.values += _values_called(names, term)
    return names


def _values_called(names: Names, term: str) -> list[Fact]:
    """Return the values that a term calls with the noun of their property: "rural roads"."""
    value, _, noun = term.rpartition(" ")
    named = names.by_key.get(key_of(value)) if value else None
    called = set(words_of(noun))
    return [
        fact
        for fact in (named.values if named else ())
        if called and called <= set(words_of(fact.value.name))
    ]


def _names_of_codes(facts: Facts) -> Iterator[tuple[str, Fact]]:
    """Yield the names that sentences use for an entity recorded by a code: "Germany" for "DEU".

    That is a property of which every such entity has one value, and no two the same.
    """
    columns: dict[tuple[str, frozenset[str]], dict[str, list[Fact]]] = {}
    for fact in facts.all:
        if fact.value.kind in ("name", "text") and _CODE.fullmatch(fact.value.entity or ""):
            column = columns.setdefault((fact.evidence_id, fact.names), {})
            column.setdefault(min(fact.entities), []).append(fact)
    for column in columns.values():
        values = {rows[0].value.value for rows in column.values()}
        if 1 < len(column) == len(values) and all(len(rows) == 1 for rows in column.values()):
            yield from ((key, rows[0]) for key, rows in column.items())


def _learn_mixed(names: Names, facts: Facts) -> None:
    """Let a branch be called by its own name and the Chinese one of its place: Nordwind香港."""
    branches = {fact.value.entity: fact.entities for fact in facts.all if fact.value.entity}
    for branch, keys in branches.items():
        english = place_of_branch(branch)
        for place in other_names(english) if english else ():
            own = branch.removesuffix(english).rstrip()
            named = names.add(own + place) if place[0] > "\u2e80" else None
            if named is not None and not named.entities:
                named.entities |= keys


def _learn_places(names: Names, facts: Facts, *, of_countries: bool) -> None:
    """Let places and values be called as other languages call them."""
    texts = {fact.value.entity for fact in facts.all if fact.value.entity}
    codes = {text for text in texts if len(text) == 2 and text.isascii() and text.isupper()}
    if of_countries and len(codes) > 1 and codes <= names_of_codes().keys():
        for code in codes:
            for name in names_of_codes()[code]:
                if named := names.add(name):
                    named.entities.add(key_of(code))
    texts |= {f.value.value for f in facts.all if f.value.kind in ("name", "text")}
    for text in sorted(texts):
        called = (*other_names(text), *other_words(text)) if len(text) <= _NAME_LENGTH else ()
        for other in (form for name in called for form in forms_of_name(name)):
            named, own = names.by_key.get(key_of(text)), names.add(other)
            if named is not None and own is not None and own is not named:
                own.entities |= named.entities
                own.values += [fact for fact in named.values if fact not in own.values]


def _learn_adjectives(names: Names, facts: Facts) -> None:
    """Let a thing of a place be called by the German adjective: Münchner Autobahnkreuz."""
    texts = {text for fact in facts.all for text in (fact.value.value, *fact.value.labels)}
    for text in sorted(texts):
        named = names.by_key.get(key_of(text)) if len(text) <= _NAME_LENGTH else None
        for other in adjective_names(text) if named is not None else ():
            own = names.add(other)
            if named is not None and own is not None and own is not named:
                own.entities |= named.entities
                own.values += [fact for fact in named.values if fact not in own.values]


def _learn_demonyms(names: Names, facts: Facts) -> None:
    """Let a country that has figures of times be called by its adjectives: "das japanische"."""
    of = {f.value.entity for f in facts.all if f.value.entity and f.periods and not f.operands}
    for text in sorted(of):
        named = names.by_key.get(key_of(text))
        if named is None:
            continue
        for form in adjective_forms(text):
            if key_of(form) not in names.by_key and (own := names.add(form)) is not None:
                own.entities |= named.entities
                names.demonyms.add(key_of(form))


def _learn_channels(names: Names, records: Sequence[Record]) -> None:
    """Let a channel be called by German compounds: Onlinegeschäft, Großhandelsumsatz."""
    statements = (one for record in records for one in record.draft.statements)
    called = {name for one in statements for name in part_of(one.conditions) or ()}
    for name in sorted(called):
        named = names.by_key.get(key_of(name))
        for compound in channel_compounds(name) if named is not None else ():
            own = names.add(compound)
            if named is not None and own is not None and not (own.names or own.entities):
                own.names |= named.names
                own.entities |= named.entities


def _learn_short(names: Names, records: Sequence[Record], facts: Facts) -> None:
    """Let a value too short for a name be called as statements call it: "the 5", "Linie 5"."""
    short: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts.all:
        if fact.value.kind == "name" and names.add(fact.value.value) is None:
            short.setdefault((fact.evidence_id, fact.value.value), []).append(fact)
    for record in records if short else ():
        for one in record.draft.statements:
            for called in (*one.objects, *(n for c in one.conditions for n in c.objects)):
                own = [f for name in called for f in short.get((record.evidence_id, name), ())]
                for name in called if own else ():
                    if (named := names.add(name)) is not None:
                        named.values += [fact for fact in own if fact not in named.values]


def _learn_called(names: Names, facts: Facts) -> None:
    """Let companies, fields and values that are addresses be called as ordinary speech does."""
    for word, fact in called_addresses(facts):
        if named := names.add(word):
            named.values.append(fact)
    for word, keys in called_things(facts):
        if (named := names.add(word)) is not None and named.is_free:
            named.entities |= keys
    for word, keys in called_fields(facts):
        if (named := names.add(word)) is not None and named.is_free:
            named.names |= keys


def _learn(names: Names, fact: Fact) -> None:
    value = fact.value
    if fact.operands:
        return
    if value.entity and (named := names.add(value.entity)):
        named.entities |= fact.entities
    if is_label(value) and (named := names.add(value.value)):
        named.entities |= fact.entities
    if named := names.add(value.name):
        named.names |= fact.names
    for period in periods_of(value):
        key = key_of_period(period)
        if isinstance(key, str) and (named := names.add(period)):
            named.periods.add(key)
    if value.kind in ("name", "text", "boolean"):
        names.texts.append((fact.evidence_id, value.value))
    own = f"{value.entity} ("  # "India (3,287,590)" names India and tells its figure
    is_name = value.kind in ("name", "text") and not value.value.startswith(own)
    if is_name and fact.date is None and (named := names.add(value.value)):
        named.values.append(fact)
    for text in (value.source, value.entity, value.name, *value.labels):
        if text:
            names.texts.append((fact.evidence_id, text))
            names.learn_words(text)


def _ids_by(facts: Facts, keys: Literal["entities", "names"]) -> dict[str, set[int]]:
    """Return the identities of the recorded values of each entity or property."""
    found: dict[str, set[int]] = {}
    for fact in facts.all:
        for key in () if fact.operands else getattr(fact, keys):
            found.setdefault(key, set()).add(id(fact))
    return found


def _learn_label(
    names: Names,
    by_entity: Mapping[str, set[int]],
    by_name: Mapping[str, set[int]],
    label: str,
    bearers: list[Fact],
) -> None:
    """Tell whether a label is of the entity, of the property or of the value.

    A label of an entity stands on all its values, one of a property on all values of that
    property; where both are so, the words decide, and else nobody can tell.
    """
    named = names.add(label)
    if named is None:
        return
    entities = {key for fact in bearers for key in fact.entities}
    properties = {key for fact in bearers for key in fact.names}
    texts = {fact.value.value for fact in bearers}
    marked = set(map(id, bearers))
    of_entity = len(entities) == 1 and all(by_entity.get(k, set()) <= marked for k in entities)
    of_property = len(properties) == 1 and all(by_name.get(k, set()) <= marked for k in properties)
    kind = bearers[0].value.kind
    wordy = kind in ("name", "text", "iri") and len(properties) == 1 and len(texts) == 1
    if kind == "iri" and wordy and not _shares_word(label, bearers[0].value.name):
        named.values += bearers
    elif of_property and (not of_entity or _shares_word(label, bearers[0].value.name)):
        named.names |= properties
    elif of_entity and (not of_property or _shares_word(label, bearers[0].value.entity or "")):
        named.entities |= entities
    elif wordy and not of_property:
        named.values += bearers
    else:
        named.asked = True


def _shares_word(label: str, other: str) -> bool:
    return bool(set(words_of(label)) & set(words_of(other)))


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    """Every string among arguments, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth < 8:
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield str(key)
            yield from _strings(item, depth + 1)
    elif isinstance(value, list | tuple) and depth < 8:
        for item in cast("Sequence[Any]", value):
            yield from _strings(item, depth + 1)


FoldedWord = tuple[int, int, str]
"""Where a word begins and ends, and its folded form."""


def folded_words(text: str) -> list[FoldedWord]:
    """Return the words of a text, folded."""
    return [(match.start(), match.end(), fold_word(match[0])) for match in WORD.finditer(text)]


def find_mentions(
    text: str, tokens: Sequence[FoldedWord], names: Names, blocked: Sequence[tuple[int, int]]
) -> list[Mention]:
    """Find every use of a known name, the longest first, without overlap.

    Args:
        text: any text.
        tokens: its folded words.
        names: what to look for.
        blocked: spans to leave out, sorted.
    """
    found: list[Mention] = []
    i = b = 0
    while i < len(tokens):
        start, _, word = tokens[i]
        if len(word) > names.longest.get(word[:_HEAD], 0):
            i += 1
            continue  # no known name begins so
        while b < len(blocked) and blocked[b][1] <= start:
            b += 1
        if b < len(blocked) and blocked[b][0] <= start:
            i += 1
            continue
        limit = blocked[b][0] if b < len(blocked) else len(text)
        last = _longest(text, names, tokens, i, limit)
        if last is None:
            i += 1
            continue
        j, named = last
        if word in names.demonyms and text[tokens[j][1] - 1] == "s" != word[-1]:
            i += 1  # "Germans" are people, and not all who live in Germany
            continue
        found.append(Mention(start, tokens[j][1], named))
        i = j + 1
    return sorted([*found, *_ranges_in(text, names)]) if names.ranges else found


def _ranges_in(text: str, names: Names) -> Iterator[Mention]:
    """Yield where things are called by a range of figures: 16-29, "16 to 29", 60+."""
    for written, named in names.ranges.items():
        low, _, high = written.replace("–", "-").partition("-")
        joined = rf"{low}(?:[-–—‑~]|\s?(?:to|bis|至|到)\s?){high}" if high else re.escape(written)
        for match in re.finditer(rf"(?<![\w.,+-]){joined}(?:s\b)?(?![\w%‰]|[.,]\d)", text):
            yield Mention(*match.span(), named)


def compounds_of_group(text: str, names: Names) -> Iterator[Mention]:
    """Yield the two names in a German compound of a group and its property: Konzern|umsatz."""
    group = names.by_key.get("konzern")
    if group is None or not group.entities:
        return
    for match in _OF_GROUP.finditer(text):
        for ending in ("", "s", "es", "e", "en"):
            stem = match[1].removesuffix(ending) if match[1].endswith(ending) else ""
            named = names.by_key.get(key_of(stem))
            if named is not None and named.names:
                yield Mention(match.start(), match.start(1), group)
                yield Mention(match.start(1), match.end(), named)
                break


def _longest(
    text: str, names: Names, tokens: Sequence[FoldedWord], i: int, limit: int
) -> tuple[int, Named] | None:
    """The longest known name that begins at a token: its last token and its entry."""
    start = tokens[i][0]
    if start and _glued(text, start):
        return None
    keys = [""]
    best: tuple[int, Named] | None = None
    for j in range(i, min(i + 16, len(tokens))):
        first, end, word = tokens[j]
        if end > limit or (j > i and not _near(text, tokens[j - 1][1], first)):
            break
        longer = [key + word for key in keys]
        if word == "s" and j > i and text[first - 1] in "'’":
            # "The Group's annual report" is the Group annual report, "King's Cross" has its "s".
            longer += keys
        keys = [key for key in longer if len(key) <= names.longest.get(key[:_HEAD], 0)]
        if not keys:
            break
        for key in keys:
            named = names.by_key.get(key)
            if named is None or (end < len(text) and _glued(text, end)):
                continue
            if j == i and not named.names and text[start:end].islower() and _is_function_word(key):
                continue  # a property may be called "from"
            # "IT" names what "it" does not.
            whole = len(key) > 2 or not key.isascii() or text[start:end].isupper()
            # Without its "s", a name ends before it.
            ends = word != "s" or key.endswith("s")
            if whole and ends:
                best = (j, named)
    if best is not None and best[1].foreign and best[0] == i and tokens[i][2] in _COMMON:
        return None
    return best


@cache
def _is_function_word(word: str) -> bool:
    """Whether a word only joins others in some language: German "mit" names no licence."""
    entries = filter(None, (lexicon(language).role_of(word) for language in LANGUAGES))
    return any(one.role == "function" or one.sense == "other" for one in entries)


_HAN_YEAR = re.compile("[0-9]{4}年")


def _near(text: str, end: int, start: int) -> bool:
    return start - end <= 3 and _GAP.issuperset(text[end:start])


def _glued(text: str, position: int) -> bool:
    """Whether a place lies within a Latin word or number, but for a year as of Kowloon2025年."""
    before, after = text[position - 1], text[position]
    latin = max(before, after) < "\u2e80" and before.isalnum() and after.isalnum()
    return latin and (before.isdigit() or _HAN_YEAR.match(text, position) is None)
