"""Sentences about recorded sets of a catalogue: their members, groups and conditions.

"Six of them combine motorway with rural roads, the other seven are pure motorway maps" is made of
words of a short list, of figures and of values that the records name. Such a sentence is judged as
a whole: it is supported where the recorded members and counts are just as it tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partial
from itertools import pairwise, takewhile

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.group_sentences import (
    MARKS,
    SHARES,
    Before,
    GroupSentences,
    groups_in,
    told_before,
)
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import END, Names, Word, names_of, vocabulary, words_in
from groundwire.evidence.claims.measured_members import measured_words, with_properties
from groundwire.evidence.claims.member_sentences import MemberSentences
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.recorded_sets import (
    Id,
    RecordedSet,
    kinds_of_sets,
    names_shared,
    recorded_sets,
)
from groundwire.evidence.claims.segments import Passage
from groundwire.evidence.claims.set_words import AMOUNTS, BARE, TIMES, ConditionSentences
from groundwire.evidence.claims.told_properties import tells_of_language
from groundwire.evidence.claims.told_sets import told_further
from groundwire.evidence.claims.words import begins_word
from groundwire.language.glossary import verbs_of
from groundwire.language.places import tells_language
from groundwire.quantities import find_quantities

# "of the 13", "diese 13", "这13": such a number counts what was told before.
_REFERS = re.compile(
    r"(?:\b(?:the|these|those|all of the|die|der|den|diese[rn]?|allen)[ ]|这|这些"
    r"|\b[0-9a-zäöü]{1,12} (?:of|von) )$",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"[张个条份种][\u4e00-\u9fff]{0,8}?中(?!心)")
_ONE_OF = re.compile(r"(?:one|eine[rsn]?|einer) |其中一", re.IGNORECASE)
_LONGEST_ARTICLE = 12
_JOINING = frozenset(("conjunction", "particle", "auxiliary"))
_APART_BY = 2
# Shorter ends of compounds are no kinds: "art", "typ".
_SHORTEST_HEAD = 3
_APART = re.compile(r"[\w,;:，；、：]")
_ITEM = re.compile(r"\s*\n[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+[^\n]*")
_POSSESSIVE = ("'s ", "’s ")
_SIGN = re.compile(r"[,;:，；、：]")
_OF_GROUPS = (BARE | MARKS | SHARES.keys()).union(
    ("value", "number", "single", "each", "tie", "other", "not", "reach", "prop", "all"),
    ("nearly", "about", "except", "show", "country", "ref", "most", "than", "more", "fewer"),
    ("and", "contrast", "sum", "or", *TIMES),
)
_ONLY_GROUPS = BARE.union(
    ("only", "value", "number", "single", "over", "under", "each"),
    ("reach", "than", "more", "fewer", "country", "prop", "and", "contrast"),
)
_OF_MEMBERS = (AMOUNTS | BARE).union(
    ("value", "each", "only", "not", "other", "shown", "few", "show"),
    ("example", "near", "prop", "any", "ref", "and", "contrast"),
)
# Words that speak of what was told, or found, before.
_REFERRING = frozenset(("ref", "match", "them", "those"))
_NEEDED = BARE | {"and", "need", "advise", "value", "example", "or", "show"}
_COUNTED = frozenset(
    ("number", "ref", "value", "not", "prop", "kind", "match", "have", "show", "example", "and")
) | {"them", "thing", "pronoun"}
_RESTING = BARE | {"other", "number", "not", "value", "prop", "show"}
# A denial reaches as far as its clause, and says nothing of each of two things.
_ABSENT = BARE - {"stop"} | {"not", "empty", "value", "show", "any", "prop"}
_UNRECORDED = BARE - {"stop"} | {"not", "told", "prop", "value", "single"}
_DROPPED = BARE | {"not", "drop", "remain", "value", "number", "ref", "all", "prop"}


class SetSentenceReader:
    """Reads the sentences of one draft about recorded sets of assets."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._known = draft.known.once(recorded_sets)
        self._names = draft.known.once(_names)
        self._shared = draft.known.once(names_shared)
        self._said: dict[Id, Sequence[str]] = {}

    @cached_property
    def _figured(self) -> frozenset[str]:
        """The properties of which members of recorded sets have figures."""
        return frozenset(name for one in self._known.sets for own in one.measures for name in own)

    @cached_property
    def _kinds(self) -> Collection[str]:
        """The kinds of recorded sets that the draft names."""
        return [one for one in self._draft.known.once(kinds_of_sets) if one in self._draft.small]

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Support a passage whose every word is known, where the recorded sets are so."""
        passage, text = context.passage, self._draft.text
        if not self._known.sets:
            return
        if passage.kind == "cell":
            context = context.contexts.of(_row(passage, text))
        words = self._words(context, found)
        kinds = {word.kind for word in words}
        if "number" in kinds and "value" not in kinds:
            words += self._listed_below(passage)
        kinds = {word.kind for word in words}
        if not words or (passage.kind == "cell" and not {"each", "other"} <= kinds):
            return
        counted = [b.kind for a, b in pairwise(words) if a.kind == "number"]
        if "value" in kinds and (counted == ["country"] or "prop" in counted):
            words = _as_only_groups(words)
            kinds |= {w.kind for w in words}
            kinds &= {w.kind for w in words}
            if not words:
                return  # "28 formats are in MCAP" says nothing of 28 traces
        words = [w for w in words if w.kind not in ("and", "contrast")]
        words = [w for w, limits in zip(words, _limits(words), strict=True) if not limits]
        kinds -= {"only"} - {w.kind for w in words}
        words = [*_examples([*_placed(words, text)], text)]
        for said, added in told_further(words, text):
            of = kinds - {"other"} if added else kinds
            for one, reads in self._readings(of, passage, told_before(context)):
                if reads(said):
                    detail = "the recorded sets have just what it tells"
                    found.judge_whole(passage, text, claims, True, one, detail)
                    found.besides += added
                    return
        for one in self._known.sets:
            described = MemberSentences(one, self._known)
            if not one.conditions and one.is_whole and described.denies(words):
                detail = "the records have it the other way round"
                found.judge_whole(passage, text, claims, False, one.evidence_id, detail)
                return

    def _words(self, context: PassageContext, found: Found) -> list[Word]:
        """Return the words of a passage; none where one is not known, or tells something else."""
        text = self._draft.text
        if text[: context.passage.end].rstrip().endswith(("?", "？")):
            return []
        given = [*measured_words(context)] if self._figured else []
        words, others = words_in(context, "set_sentences", self._names, bounds=True, given=given)
        words = with_properties(words, self._known.properties, self._figured)
        unknown = others and any(not _joins(context, at) for at in others)
        words = [_counted(word, context.contexts.reading.small) for word in words]
        lead = next((w for w in words if w.kind != "only"), END)
        words = [part for word in words for part in self._parts_of(word, word is lead)]
        words = [
            replace(word, kind="prop")
            if (before.kind, word.kind) == ("value", "value")
            and word.start - before.end < _APART_BY
            and word.names[0] in self._known.properties
            else word
            for before, word in pairwise([END, *words])
        ]
        if words and words[-1].kind == "near" and text[words[-1].start].isascii():
            words.pop()  # the particle of a German verb: "steuern sechs Karten bei"
        shown = [w for w in words if w.kind == "shown"]
        # "are displayed" tells what is on display, and not what is listed
        foreign = any(a < w.end and w.start < b for w in shown for a, b in found.foreign)
        other = unknown or foreign or any(self._tells_language(word) for word in words)
        return [] if other else words

    def _parts_of(self, word: Word, is_first: bool) -> Iterator[Word]:
        """Yield a word, and behind a German compound the kind that it ends in: Nebelszenarien.

        "One of them" is a number where it leads a sentence, and elsewhere gives an example.
        """
        if word.kind == "single" and self._draft.small.startswith("je", word.start):
            yield Word("each", word.start, word.end)  # "jeweils eine"
        if word.kind == "example" and is_first and _ONE_OF.match(self._draft.text, word.start):
            yield Word("number", word.start, word.end, Decimal(1))
            word = replace(word, kind="them")
        yield word
        name = word.names[0] if word.kind == "value" else ""
        heads = [k for k in self._kinds if len(k) > _SHORTEST_HEAD and name.endswith(k)]
        if heads and name.isalpha() and name not in heads:
            yield Word("kind", word.end, word.end, names=(max(heads, key=len),))

    def _listed_below(self, lead: Passage) -> Iterator[Word]:
        """Yield what each item of the list under a lead begins with: "three of the 13:"."""
        text, at = self._draft.text, lead.end
        if not text[lead.start : at].rstrip(" *_").endswith((":", "：")):
            return
        while (item := _ITEM.match(text, at)) is not None:
            at = item.end()
            hits = self._draft.within(item.start(), at)
            names = (self._draft.small[hit.start : hit.end] for hit in hits)
            yield Word(
                "value", at, at, names=tuple(n for n in names if n in self._known.values)[:1]
            )

    def _tells_language(self, word: Word) -> bool:
        """Whether a name is told as a language that none of its own properties of languages has."""
        properties = {name for one in word.names for name, _ in self._known.values.get(one, ())}
        told = tells_language(self._draft.text, word.start, word.end)
        return told and not all(tells_of_language(name) for name in properties if name)

    def _is_narrowed(self, whole: RecordedSet, start: int, end: int) -> bool:
        """Whether a range of a draft says what all members of a set have in common.

        Three of the scenarios in fog are not three of all.
        """
        said = self._draft.small[start:end]
        return all(
            any(begins_word(name, said, len(said)) for name in self._named(one))
            for one in whole.conditions or ()
        )

    def _earlier(self, one: RecordedSet, kinds: set[str], passage: Passage) -> frozenset[Id]:
        """Return the conditions of a set that a draft has told before it speaks of "those 28"."""
        told = one.conditions or () if kinds & {"ref", "them"} else ()
        return frozenset(
            own
            for own in told
            if self._is_narrowed(replace(one, conditions=frozenset((own,))), 0, passage.start)
        )

    def _named(self, value: Id) -> Sequence[str]:
        """Return the names of a value that all members of a set have and that the draft holds."""
        if value not in self._said:
            names = self._shared.get(value, ())
            self._said[value] = [name for name in names if name in self._draft.small]
        return self._said[value]

    def _readings(
        self, kinds: set[str], passage: Passage, before: Before
    ) -> Iterator[tuple[str, Callable[[Sequence[Word]], bool]]]:
        """Yield how a sentence of some kinds of words may be read, with the record it tells of.

        Args:
            kinds: the kinds of its words.
            passage: where it stands.
            before: what the draft tells before it.
        """
        end = passage.end
        lead = next((one.span for one in passage.scopes if one.hard and not one.earlier), (0, 0))
        of_groups = kinds <= _OF_GROUPS or {"only", "kind"} <= kinds <= _ONLY_GROUPS
        told = {kind for kind in self._kinds if begins_word(kind, self._draft.small, end)}
        for one in self._known.sets:
            of, members = ConditionSentences(one, self._known), MemberSentences(one, self._known)
            if kinds <= _ABSENT and kinds & {"not", "empty"} and one.count == 0:
                yield one.evidence_id, of.is_absent
            left_out = "drop" in kinds or {"not", "remain"} <= kinds
            if kinds <= _UNRECORDED and {"not", "told"} <= kinds:
                yield one.evidence_id, members.lacks_record
            if kinds <= _DROPPED and left_out and one.count == 0:
                yield one.evidence_id, of.drops
            if kinds <= _OF_MEMBERS and one.members:
                # "Four of the five" are of what was found; "13 maps of motorways" are not the 13
                # of Germany.
                narrowed = bool(kinds & _REFERRING) or self._is_narrowed(one, 0, end)
                whole = None if narrowed or "value" not in kinds else one.count
                yield one.evidence_id, partial(_tells_without, whole, members.tells)
                if passage.kind == "item" and one.conditions and self._is_narrowed(one, *lead):
                    yield one.evidence_id, members.is_item
                if one.conditions and self._is_narrowed(one, 0, end):
                    yield one.evidence_id, members.are_listed
            if kinds <= _NEEDED and {"need", "advise"} <= kinds and one.members:
                yield one.evidence_id, of.advises
            if kinds <= _COUNTED and "number" in kinds and one.conditions:
                yield (
                    one.evidence_id,
                    partial(
                        of.is_counted, set() < told <= one.kinds, self._earlier(one, kinds, passage)
                    ),
                )
            rests = kinds <= _RESTING and kinds & {"other", "not"}
            if rests and "number" in kinds and one.conditions is not None:
                yield one.evidence_id, of.rests
            groups = groups_in(one, self._known.sets) if of_groups else {}
            if groups and ("ref" in kinds or self._is_narrowed(one, 0, end)):
                yield from _of_groups(GroupSentences(of, groups, before), kinds, self._draft.small)


def _of_groups(
    groups: GroupSentences, kinds: set[str], text: str
) -> Iterator[tuple[str, Callable[[Sequence[Word]], bool]]]:
    """Yield how a sentence of some kinds of words may be read of the groups of a set."""
    if {"only", "kind"} <= kinds <= _ONLY_GROUPS:
        yield groups.of.set.evidence_id, lambda words: groups.tells_only(words, text)
    if kinds <= _OF_GROUPS:
        yield groups.of.set.evidence_id, groups.tells


def _as_only_groups(words: Sequence[Word]) -> list[Word]:
    """Return words with so many groups that they list as the only ones: "three countries: A"."""
    at = next(i for i, (a, b) in enumerate(pairwise(words))
              if a.kind == "number" and b.kind in ("country", "prop"))  # fmt: skip
    named = [w for w in words if w.kind == "value"]
    is_list = len(named) > 1 and words[at].number == len(named) and named[0].start > words[at].end
    plain = [w for w in words if w.kind != "only" and w not in words[at : at + 2]]
    return [replace(words[at], kind="only"), *plain] if is_list else []


def _limits(words: Sequence[Word]) -> Iterator[bool]:
    """Yield for each word whether it only calls small what its figure tells: "with only 6"."""
    told = False
    for word, behind in pairwise([*words, END]):
        yield told and (word.kind, behind.kind) == ("only", "number")
        told |= word.kind == "value"


def _joins(context: PassageContext, at: int) -> bool:
    """Whether the word at a place only joins clauses or belongs to the verb beside it."""
    spans = context.words
    word = next((one for one in spans if one.start <= at < one.end), None)
    return (
        word is not None
        and word.role is not None
        and (word.role.role == "function" and word.role.sense in _JOINING)
    )


def _row(cell: Passage, text: str) -> Passage:
    """Return the row of a cell as one passage."""
    spans = [scope.span for scope in cell.scopes if scope.hard and not scope.earlier]
    row = [(a, b) for a, b in spans if "\n" not in text[min(a, cell.start) : max(b, cell.end)]]
    ends = [(cell.start, cell.end), *row]
    return replace(cell, start=min(a for a, _ in ends), end=max(b for _, b in ends))


def _only_first(words: Sequence[Word], text: str) -> list[Word]:
    """Return words, "only" before what it limits: "have motorways only, the others ..."."""
    words = list(words)
    for at, (one, only) in enumerate(pairwise(words[:])):
        behind = words[at + 2 : at + 3]
        ends = not behind or _SIGN.search(text, only.end, behind[0].start) is not None
        if (one.kind, only.kind) == ("value", "only") and ends:
            words[at : at + 2] = only, one
    return words


def _placed(words: Sequence[Word], text: str) -> Iterator[Word]:
    """Yield words, those for how many where they are read: "the only job is", "bronze only"."""
    words = _only_first(words, text)
    kinds = [w.kind for w in words]
    denial: Word | None = None
    if kinds[:1] == ["not"] and kinds[1:2] in (["ref"], ["them"]) and len(kinds) > 2:
        denial, words[0] = words[0], replace(words[0], kind="all")  # "none of these three is"
    for at, word in enumerate(words):
        before, behind = kinds[:at], kinds[at + 1 :]
        pair = behind[:1] in (["value"], ["number"]) and text[word.end :].count(" and ")
        if word.kind == "both" and (pair or before == ["value"] * 2):
            continue  # "both bronze and gold", "A and B are both of gold"
        if word.kind == "all" and len(before) > 1 and set(before) == {"value"}:
            continue  # "A、B都是"
        last = words[at - 1] if at else word
        apart = _SIGN.search(text, last.end, word.start) is not None
        if word.kind == "all" and last.kind in ("kind", "thing", "number") and apart:
            word = replace(word, kind="each")  # "13 maps, all of Germany" counts all there are
        if word.kind == "only" and text.endswith(("the ", "The "), 0, word.start):
            until = behind.index("kind") if "kind" in behind else 0
            if until and set(behind[:until]) <= {"value", "prop"}:
                word = replace(word, kind="sole")
        if word.kind == "each" and text[word.start : word.end] == "都是" and "number" not in behind:
            word = replace(word, kind="all")
        if word.kind == "example" and behind[:1] == ["number"]:
            word = replace(word, kind="them")  # "among them five tunnels"
        if denial is not None and word.kind in ("value", "prop"):
            yield denial
        yield word


def _examples(words: Sequence[Word], text: str) -> Iterator[Word]:
    """Yield words; names of one thing are one: "city centre's north", 例如慕尼黑环路."""
    held: Word | None = None
    example = False
    for word in words:
        example |= word.kind == "example"
        between = text[held.end : word.start] if held is not None else ""
        joined = between in _POSSESSIVE or (example and not _APART.search(between))
        if held is not None and word.kind == "value" and joined:
            held = Word("value", held.start, word.end, names=(*held.names, *word.names))
            continue
        if held is not None:
            yield held
        held = word if word.kind == "value" else None
        if held is None:
            yield word
    if held is not None:
        yield held


def _tells_without(
    whole: int | None, tells: Callable[[Sequence[Word]], bool], words: Sequence[Word]
) -> bool:
    """Whether words tell of members; before a value none of them is the size of the whole set.

    Behind "for example" a value is one of them.
    """
    told = list(takewhile(lambda word: word.kind != "example", words))
    is_all = any(w.kind == "value" for w in told) and any(
        w.kind == "number" and w.number == whole for w in told
    )
    return not is_all and tells(words)


def _counted(word: Word, text: str) -> Word:
    """Return a word for the first few with how many these are, and a number that points back."""
    refers = _REFERS.search(text, max(0, word.start - _LONGEST_ARTICLE), word.start)
    if word.kind == "number" and (refers or _WITHIN.match(text, word.end)):
        return replace(word, kind="ref")
    if word.kind == "number":
        known, said = vocabulary("set_sentences"), text[word.start : word.end]
        kind = next((one for one in TIMES if known[one].fullmatch(said)), "number")
        return replace(word, kind=kind)
    if word.kind == "ordinal" and not word.number:  # "Platz zwei"
        found = find_quantities(text[word.start : word.end].split()[-1])
        return replace(word, number=found[0].value if found else Decimal(-1))
    if word.kind != "few":
        return word
    said = text[word.start : word.end].split()[-1]
    found = find_quantities(f"{said[1:]}个" if said.startswith("前") else said)
    return Word("few", word.start, word.end, found[0].value if found else Decimal(-1))


def _of_any_set(kind: str) -> bool:
    """Whether a kind is what members of any set are called: results, 资产."""
    known = vocabulary("set_sentences")
    return any(known[one].fullmatch(kind) for one in ("thing", "match"))


def _names(known: Knowledge) -> Sequence[Names]:
    """Return the names of values, kinds and properties of recorded sets, and verbs of these."""
    sets = known.once(recorded_sets)
    kinds = {kind for one in sets.sets for kind in one.kinds}
    verbs = {form for one in sets.properties for form in verbs_of(one)}
    own = {name for name, ids in sets.values.items() if any(of for of, _ in ids)}
    return (
        names_of("glue", verbs - sets.values.keys()),
        names_of("kind", [one for one in kinds if not _of_any_set(one)]),
        names_of("prop", sets.properties.keys() - verbs - own),
        names_of("value", [name for name in sets.values if len(name) > 1 or not name.isascii()]),
        names_of("prop", sets.properties.keys() - verbs),
    )
