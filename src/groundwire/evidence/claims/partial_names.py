"""Things that a text calls by the first words of their name: "the Coventry map", 里昂地图.

The words must be those of one recorded thing alone, and stand beside what the records call such
things, or beside a pronoun for it ("the Lyon one", "die von Lyon"), or before a figure of its own
where its sentence has named such a thing before: "the maps of Cologne (67.6 km), Lyon (8.9 km)".
Elsewhere it is a place. "The former" and "the latter" are the first and second of two things that
are joined before. And a thing is called by all words of its name in another order: "the dry
Wolfsburg asphalt patch" is "Wolfsburg asphalt patch, dry".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.entity_linking import Mention, Named
from groundwire.evidence.claims.fact_index import Facts
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import fold_word, key_of
from groundwire.evidence.records import Record
from groundwire.language.glossary import other_words
from groundwire.language.places import forms_of_place

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?:['’]s(?![a-z]))?|[0-9]+")
_POSSESSIVES = ("'s", "’s")
_SMALL_WORDS = frozenset(
    (
        *("in", "of", "on", "near", "the", "a", "an", "at", "from", "with"),
        *("bei", "im", "am", "der", "die", "das", "dem", "den", "aus", "von", "mit"),
    )
)
# Between words of one name.
_APART = (" ", ", ")
# Fewer words may as well be two values.
_FEWEST_WORDS = 3
# "Tolvarne Hong Kong" is no description, and "Tolvarne in Hong Kong" may be another firm there.
_DESCRIBED = 2


@dataclass(frozen=True, slots=True)
class WordedNames:
    """The words of the names of things.

    Attributes:
        places: by folded word, the places of the names that have it, and the word there.
        needed: the words of each name.
        keys: the key of each thing.
    """

    places: Mapping[str, Sequence[tuple[int, str]]] = field(
        default_factory=dict[str, Sequence[tuple[int, str]]]
    )
    needed: Sequence[frozenset[str]] = ()
    keys: Sequence[str] = ()


def worded_names(labels: Mapping[str, str]) -> WordedNames:
    """Collect the words of names, by each name the key of its thing."""
    words = [frozenset(map(fold_word, _WORD.findall(label))) - _SMALL_WORDS for label in labels]
    shared = words[0].intersection(*words) if len(words) > 1 else frozenset[str]()
    alike = Counter(words)
    places: dict[str, list[tuple[int, str]]] = {}
    for at, (label, own) in enumerate(zip(labels, words, strict=True)):
        described = [w for w in _WORD.findall(label) if w.islower() and w not in _SMALL_WORDS]
        if len(own) < _FEWEST_WORDS or alike[own] > 1 or len(described) < _DESCRIBED:
            continue
        for word in _WORD.findall(label):
            for form in {*forms_of_place(word), *other_words(word)}:
                if (folded := fold_word(form)) not in _SMALL_WORDS:
                    places.setdefault(folded, []).append((at, fold_word(word)))
    # What all are, a text need not say: each of them is a patch.
    needed = [own - shared if len(own - shared) > 1 else own for own in words]
    return WordedNames(places, needed, [*labels.values()])


def with_worded_names(text: str, mentions: Sequence[Mention], known: WordedNames) -> list[Mention]:
    """Return the mentions of a text, with those of things that it names in another order."""
    found: dict[tuple[int, int], Mention] = {}
    open_at: dict[int, tuple[int, set[str]]] = {}
    last = 0
    for match in _WORD.finditer(text) if known.places else ():
        word = fold_word(_without_possessive(match[0]))
        if text[last : match.start()] not in _APART:
            open_at = {}
        last = match.end()
        if word in _SMALL_WORDS:
            continue
        held = dict(known.places.get(word, ()))
        open_at = {at: one for at, one in open_at.items() if at in held}
        for at, own in held.items():
            start, seen = open_at.get(at, (match.start(), set[str]()))
            if own in seen:
                start, seen = match.start(), set[str]()
            open_at[at] = start, {*seen, own}
            if known.needed[at] <= open_at[at][1]:
                found[at, start] = Mention(start, last, Named(entities={known.keys[at]}))
    new = [
        one
        for one in found.values()
        if all(one.start <= m.start and m.end <= one.end for m in mentions if _meet(one, m))
        and not any(_meet(one, o) and o.end - o.start > one.end - one.start for o in found.values())
        and not any(m.start == one.start and m.end == one.end for m in mentions)
    ]
    kept = [m for m in mentions if not any(_meet(m, one) for one in new)]
    return sorted([*kept, *new], key=lambda one: one.start)


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(_POSSESSIVES) else word


def _meet(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


_FIRST = re.compile(r"[^\W\d_]{3,}")
_WORD_BEHIND = re.compile(r" [^\W\d_]+")
_MOST_BEHIND = 2
_HAN = re.compile("[\u3400-\u9fff]")
_LONGEST_KIND = 40
_MOST_THINGS = 200
_THAT = "[这那][张个份]"
_PRONOUNS_BEHIND = r"one(?![a-z])"
_PRONOUNS_BEFORE = r"that|those|the one|die|der|das|diejenige|derjenige|dasjenige"
# A figure of its own behind a word.
_VALUED = re.compile(
    r"(?:\s?[(（:：]|的?则?[为是]约?|(?: (?:comes|ranks|is|follows|kommt|folgt|liegt|ist|steht))?"
    r"(?: (?:in |an |auf )?(?:second|third|fourth|next|zweiter|dritter|dahinter|Platz \w+))?"
    r"(?: place| Stelle)?,? (?:(?:only )?has|is|with|at|hat|ist|mit|bei)"
    r"(?: (?:about|around|rund|etwa|only|nur))?)? ?[0-9]"
)
_CLAUSE_GOES_ON = re.compile(r" (?!and\b)[a-z]")
_FORMER = re.compile(
    r"(?P<former>\b(?:the former|erstere[rsnm]?)\b|前者)|\b(?:the latter|letztere[rsnm]?)\b|后者",
    re.IGNORECASE,
)
_JOINED = re.compile(r"['\"”“„ ]*(?:and|und|or|oder|[和与及])['\"”“„ ]*(?:the )?", re.IGNORECASE)
_PAIR = 2
_FAR = 80
_STOP = re.compile(r"[.!?]\s|[。！？\n]")
_PLURAL = r"(?:e?[ns]|e)?"
_JOINTS = r"of|from|for|in|von|aus|zu|für|in"


@dataclass(frozen=True, slots=True)
class PartialNames:
    """First words of the names of things, and what the records call such things.

    Attributes:
        things: the key of the one thing that the first words name, by these words, folded.
        words: finds a word; None where no first words are known.
        behind: finds what such things are called right behind a word.
        before: finds it right before a word, with "of" between.
        worded: the words of all names.
    """

    things: dict[str, str] = field(default_factory=dict[str, str])
    words: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    worded: WordedNames = field(default_factory=WordedNames)


def partial_names(records: Sequence[Record], facts: Facts) -> PartialNames:
    """Collect the first words that name one recorded thing alone: "Nagoya motorway"."""
    kinds = {kind for record in records for kind in _kinds(record)}
    labels = {
        fact.value.entity: min(fact.entities)
        for fact in facts.all
        if fact.value.entity and fact.entities and not fact.operands
    }
    if not kinds or len(labels) > _MOST_THINGS:
        return PartialNames()
    of: dict[str, set[str]] = {}
    for label, key in labels.items():
        first = _FIRST.match(label)
        if first is None:
            continue
        of.setdefault(key_of(label), set()).add(key)
        for form in forms_of_place(first[0]) if first.end() < len(label) else ():
            for end in [first.end(), *_ends_of_words(label, first.end())]:
                of.setdefault(key_of(form + label[first.end() : end]), set()).add(key)
    things = {form: min(keys) for form, keys in of.items() if len(keys) == 1}
    worded = worded_names(labels)
    if not things:
        return PartialNames(worded=worded)
    called = "|".join(re.escape(kind) for kind in sorted(kinds, key=len, reverse=True))
    called = rf"(?:{called}){_PLURAL}"
    behind = rf"[\s-]?(?:的|{_THAT})?{called}(?![a-z])|{_THAT}|\s{_PRONOUNS_BEHIND}"
    before = rf"(?:{called}|\b(?:{_PRONOUNS_BEFORE}))\s(?:{_JOINTS})\s(?:the\s)?$"
    return PartialNames(
        things,
        re.compile(r"[^\W\d_]+"),
        re.compile(behind, re.IGNORECASE),
        re.compile(before, re.IGNORECASE),
        worded,
    )


def _ends_of_words(text: str, start: int) -> Iterator[int]:
    """Yield where the words end that follow a place, no more than a name begins with."""
    for _ in range(_MOST_BEHIND):
        found = _WORD_BEHIND.match(text, start)
        if found is None:
            return
        yield (start := found.end())


def _kinds(record: Record) -> Iterable[str]:
    """The nouns by which sentences call things of a record: the head nouns of its kinds."""
    for one in record.draft.statements:
        if one.kind == "relation" and "type" in one.predicate:
            names = (name for names in one.objects for name in names)
        elif one.kind == "scope":
            names = iter(one.subject)
        else:
            continue
        for name in names:
            if len(name) > _LONGEST_KIND or "://" in name or not name[:1].isalpha():
                continue
            yield name
            yield name[-2:] if _HAN.search(name) else re.split(r"[\s-]", name)[-1]


def with_partial_names(
    text: str, mentions: Sequence[Mention], known: PartialNames
) -> list[Mention]:
    """Return the mentions of a text, with those of things that it names by their first word."""
    mentions = _with_former(text, with_worded_names(text, mentions, known.worded))
    if known.words is None or known.behind is None or known.before is None:
        return mentions
    found: list[Mention] = []
    spans: list[tuple[int, int, str]] = []
    things = frozenset(known.things.values())
    told = [mention.end for mention in mentions if mention.named.entities & things]
    for start, end, key in _words(text, known):
        behind = known.behind.match(text, end)
        before = known.before.search(text, max(0, start - _LONGEST_KIND), start)
        if behind or before or (_VALUED.match(text, end) and _goes_on(text, told, start)):
            spans.append((start, end, key))
            told.append(end)
    for start, end, key in spans:
        over = [m for m in mentions if m.start < end and start < m.end]
        if all(start <= m.start and m.end <= end and not m.named.entities for m in over):
            found.append(Mention(start, end, Named(entities={key})))
    kept = [m for m in mentions if not any(m.start < o.end and o.start < m.end for o in found)]
    return sorted([*kept, *found], key=lambda one: one.start)


def _with_former(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions, with those of "the former" and "the latter" of two things joined before."""
    told = list(mentions)
    for match in _FORMER.finditer(text):
        named = [m for m in mentions if m.named.entities and m.end <= match.start()][-_PAIR:]
        is_pair = len(named) == _PAIR and _JOINED.fullmatch(text, named[0].end, named[1].start)
        free = not any(m.start < match.end() and match.start() < m.end for m in mentions)
        if is_pair and free and match.start() - named[1].end <= _FAR:
            own = named[0 if match["former"] else 1]
            told.append(Mention(*match.span(), Named(entities=own.named.entities)))
    return sorted(told, key=lambda one: one.start)


def stands_for_thing(text: str, span: Span, things: Iterable[Anchor[str]]) -> bool:
    """Whether a word is the pronoun behind what a thing is called: "the Lyon one has"."""
    named = (one.start for one in things if one.end + 1 == span[0])
    goes_on = _CLAUSE_GOES_ON.match(text, span[1])
    return goes_on is not None and any(text[:at].lower().endswith("the ") for at in named)


def _goes_on(text: str, told: Iterable[int], start: int) -> bool:
    """Whether a sentence has named a thing before a place in it."""
    last = max((end for end in told if end <= start), default=None)
    return last is not None and _STOP.search(text, last, start) is None


def _words(text: str, known: PartialNames) -> Iterator[tuple[int, int, str]]:
    """The words of a text that name one thing, as many as do; Chinese ones within their run."""
    assert known.words is not None
    begins = {key[:1] for key in known.things}
    for match in known.words.finditer(text):
        if match[0].isascii() and match[0][0].lower() not in begins:
            continue
        start, end = match.span()
        ends = (end, *_ends_of_words(text, end))
        named = [
            (e, known.things[key]) for e in ends if (key := key_of(text[start:e])) in known.things
        ]
        if named:
            yield start, *named[-1]
        elif not match[0].isascii() and _HAN.search(match[0]):
            for form, thing in known.things.items():
                at = match[0].find(form) if _HAN.search(form) else -1
                if at >= 0:
                    yield match.start() + at, match.start() + at + len(form), thing
