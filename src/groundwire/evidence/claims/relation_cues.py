"""Words by which a passage names a recorded relation, and pairs that it names in one order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.needed import (
    NEEDED,
    is_beforehand,
    is_needed_for,
    is_turned_need,
    tells_need,
)
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit, Named
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.words import Learned, cue_tables, words_of
from groundwire.evidence.records import Names
from groundwire.language import Entry, lexicon
from groundwire.language import Span as Word
from groundwire.language.glossary import is_act_of, is_called

# Comparatives that records call a relation by, which are no such words in a sentence.
_ALSO = {"wider": "broader", "weiter": "oberbegriff"}
_APPOSED = re.compile(r"[”“»*]*\s*[-:–—(,：（，、]\s*(?:(?:the|die|das) )?=\s?[:：]?\s?[“„«*]*")
_TURNS = frozenset(("of", "than", "von"))
INVERSE = {
    "broader": "narrower", "narrower": "broader", "part_of": "has_part", "has_part": "part_of",
    "related": "related", "same_as": "same_as", "adjacent": "adjacent",
    "prerequisite": "dependent", "dependent": "prerequisite",
}  # fmt: skip
# What "A comes before B" says where a relation tells what must be learned first.
_LEARNED = {"before": Entry("relation", "prerequisite"), "after": Entry("relation", "dependent")}
ATTRIBUTE = Entry("relation", "property")
"""The role of a noun that names a property which no lexicon has: currency, language."""

# Behind the name of a relation: what follows is the object.
IS = re.compile(
    r"(?<!\s)\s*+(?:(?:is|are|was|were|ist|sind|war|heißt|heißen|lautet|lauten)\b|[:：是为]|名为|叫)"
)
_AS = re.compile(r"\s*(?:(?:as|als)\s+(?:(?:its|their|the|sein\w*|ihr\w*|d\w\w)\s+)?|为)", re.I)
MARKS = "\"“”„»«'`"
"""Marks around a name that is quoted."""
_WITH = re.compile(r"\b(?:with|mit)\s+(?:(?:the|its|der|dem|als)\s+)?$", re.IGNORECASE)
# Predicates that call a thing or tell its kind, and roles of nouns that may name a property.
_CALLING = frozenset(("type", "label", "name", "stored value"))
# The noun "rating" alone does not name the field "rating by the model".
_BY = re.compile(r"\b(?:by|per|von|durch)\b")
# What begins a clause about the name before it.
RELATIVE = re.compile(
    r"(?<!\s)\)?,?\s++(?:which|whose|where|who|dessen|deren|wo|in (?:which|dem|der|denen))\b",
    re.IGNORECASE,
)
# Between two names that are listed, what stands behind them is said of each.
_AND = r"(?:(?:and|or|und|oder|sowie)\b|和|以及)"
JOINED = re.compile(_AND)
LISTED = re.compile(
    rf"(?<![\s{MARKS}])[{MARKS}]*+\s*+(?:[,、][\s,、]*+{_AND}?|{_AND})\s*(?:(?:the|der|die|das)\s+)?[{MARKS}]*+"
)
_THAT = re.compile(r"\s+(?:that|this|dem)\b", re.IGNORECASE)
_BEFORE_THAT = frozenset(("davor", "zuvor", "beforehand", "此前", "在此之前"))
_SIGNS = frozenset(".,;:!?()[]\"'…|*–—%-/")
_NOUNS = frozenset(("set_noun", "unit_noun", "having", "counting"))
_IN_PLACE = frozenset[str](cue_tables()["in_place"])


def cues_for(names: Names, words: Sequence[Word], forms: frozenset[str] | None) -> list[Word]:
    """Return the words that may speak of a relation: those of relations, and its own name.

    A word for an attribute ("capital") speaks only of the one that it names.

    Args:
        names: the names of the relation.
        words: some words.
        forms: their forms, where they are known.
    """
    is_learned = "prerequisite" in senses_of(names)
    ordered = [w for w in words if is_learned and w.role and w.role.role == "order"]
    needs = [w for w in words if is_learned and tells_need(w)]
    pointed = {w.end for w in words if w.text in ("这一", "该", "此", "这个", "这种")}
    pointed |= {w.end for w in words if w.start in pointed}  # 这一上位类 names no relation
    words = [w for w in words if w.start not in pointed]
    found = [w for w in words if w.role is not None and w.role.role == "relation"]
    words = words if forms is None or _kin(names).among(forms) else found[:]
    found += [
        word._replace(role=_LEARNED[word.role.sense])
        for word in ordered
        if word.role and word.role.sense in _LEARNED and not (needs and is_beforehand(word))
    ]
    found += [word._replace(role=NEEDED) for word in needs]
    found = [w for w in found if w.role and (w.role.sense != "property" or _names(names, w))]
    if not senses_of(names) and names[0] not in _CALLING and not _BY.search(names[0]):
        found += [
            word._replace(role=ATTRIBUTE)
            for word in words
            if (word.role is None or word.role.role in _NOUNS) and _names(names, word)
        ]
    return sorted(found, key=lambda word: word.start)


def _names(names: Names, word: Word) -> bool:
    return any(
        _is_kin(names, token.key, token.lemma)
        for token in word.tokens
        if token.tag not in ("function", "sign", "number")
    )


@lru_cache(maxsize=4_096)
def recorded_senses(names: Names) -> frozenset[str]:
    """Return the senses of a predicate; of one that no lexicon has, that of an attribute."""
    return senses_of(names) or frozenset(() if names[0] in _CALLING else (ATTRIBUTE.sense,))


@lru_cache(maxsize=4_096)
def senses_of(names: Names) -> frozenset[str]:
    """The relation that the object has to the subject, by the names of a predicate.

    "broader term" says what the object is of the subject; a name that ends in "of", "than" or
    "von", or begins with 的, says what the subject is of the object.
    """
    found: set[str] = set()
    for name in names:
        local = name.rsplit(":", 1)[-1]
        words = re.findall(r"[A-Z]?[a-zäöüß]+|[\u3400-\u9fff]+", local)
        turned = local.startswith("的") or (len(words) > 1 and words[-1].lower() in _TURNS)
        for key in (" ".join(words).lower(), "".join(words).lower().removesuffix("of")):
            for language in ("en", "de", "zh"):
                entry = lexicon(language).entries.get(_ALSO.get(key, key).removeprefix("的"))
                if entry is not None and entry.role == "relation":
                    found.add(INVERSE.get(entry.sense, entry.sense) if turned else entry.sense)
    return frozenset(found)


def cues_of(label: Names, words: Sequence[Word], forms: frozenset[str] | None = None) -> list[Span]:
    """Return where words name a relation, by its name, by their sense or by their kin.

    Args:
        label: the names of the relation.
        words: some words.
        forms: their forms, where they are known.
    """
    if forms is not None and not _kin(label).among(forms):
        words = [w for w in words if w.role is not None and w.role.role == "relation"]
    senses = senses_of(label)
    return [(word.start, word.end) for word in words if _is_cue(label, senses, word)]


def completes_other(
    known: Knowledge, things: Collection[str], own: Names, words: Sequence[Word], hit: Hit
) -> bool:
    """Whether a name behind "in" completes what is said by another property of things.

    "Launched in 2020 in Port Merrow" is not proven by the home port.
    """
    before = [word for word in words if word.end <= hit.start and word.kind != "sign"]
    if not before or before[-1].text.casefold() not in _IN_PLACE:
        return False
    properties = known.once(_properties)
    others = {one for key in things for one in properties.get(key, ())}
    others -= {one for name in own for one in words_of(name)}
    for word in before[-2::-1]:
        if word.role is not None and word.role.role in ("being", "having", "relation"):
            return False
        if word.quantity is not None or word.kind == "time" or others & set(words_of(word.text)):
            return True
    return False


def _properties(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return the words for the properties that each thing has a value of."""
    found: dict[str, set[str]] = {}
    for fact in known.facts.all:
        for key in fact.entities:
            found.setdefault(key, set()).update(words_of(fact.value.name))
    return {key: frozenset(words) for key, words in found.items()}


def acts_of(label: Names, words: Sequence[Word], own: Sequence[Named], here: Here) -> list[Span]:
    """Return where verbs say what a relation tells of: lies in of a continent, uses of a currency.

    They lead to its object, or follow on its name: "the currency used in Botswana".

    Args:
        label: the names of the relation.
        words: the words of a passage.
        own: where it names anything of the relation.
        here: everything that it names.
    """
    called = frozenset(word for name in label for word in words_of(name))
    objects = {hit.start for hit, term in own if term.slot == "object"}
    named = min((hit.end for hit, term in own if term.slot == "predicate"), default=None)
    found: list[Span] = []
    for word in words:
        forms = (" ".join(token.lemma for token in word.tokens), word.text.casefold())
        if any(is_act_of(form, called) for form in forms):
            behind = next((hit.start for hit in here.hits if hit.start >= word.end), None)
            if behind in (None, *objects) or (named is not None and named <= word.start):
                found.append((word.start, word.end))
    return found


def of_another(draft: DraftStatements, here: Here) -> list[Span]:
    """Return what is told in a relative clause of what stands before it, and is not recorded so.

    "Botswana borders Namibia, whose currency is the pula" is not proven by that of Botswana.
    """
    if not any(RELATIVE.match(draft.text, hit.end) for hit in here.hits):
        return []
    things = [
        hit
        for hit in here.hits
        if _relates(draft, hit) and any(term.slot in ("subject", "object") for term in hit.terms)
    ]
    found: list[Span] = []
    for owner, first in pairwise(things):
        if not RELATIVE.match(draft.text, owner.end):
            continue
        listed = [first]
        for hit in things:
            if hit.start > first.start and LISTED.fullmatch(draft.text, listed[-1].end, hit.start):
                listed.append(hit)
        found += [(hit.start, hit.end) for hit in listed if not _labels(draft, owner, hit)]
    return found


def _is_cue(label: Names, senses: frozenset[str], word: Word) -> bool:
    if word.role is not None:
        role, sense = word.role.role, word.role.sense
        if role not in ("relation", "saying"):
            return False
        if role == "relation" and sense != "property" and sense in senses:
            return True
    return any(
        _is_kin(label, token.key, token.lemma)
        for token in word.tokens
        if token.tag not in ("function", "sign")
    )


@lru_cache(maxsize=16_384)
def _is_kin(label: Names, key: str, lemma: str) -> bool:
    """Whether a word names a relation, or the glossary says that it means it."""
    return bool(_kin(label).among(frozenset((key, lemma))))


@lru_cache(maxsize=4_096)
def _kin(label: Names) -> Learned:
    """Return the words that name a relation."""
    called = frozenset(word for name in label for word in words_of(name))

    def is_kin(form: str) -> bool:
        if not form or form in _SIGNS:
            return False
        return called.issuperset(words_of(form)) or is_called(form, called)

    return Learned(is_kin)


_IN_ORDER = frozenset[str](cue_tables()["in_order"])


def pair_in_order(draft: DraftStatements, here: Here, words: Sequence[Word], found: Found) -> None:
    """Support "respectively" where the names before it are related pair by pair.

    Args:
        draft: the draft.
        here: the names of statements that stand in the passage.
        words: its words.
        found: what statements say of it, to which this adds.
    """
    pairing = [word for word in words if word.text.casefold() in _IN_ORDER]
    if len(pairing) != 1:
        return
    hits = [hit for hit in here.hits if any(t.slot in ("subject", "object") for t in hit.terms)]
    hits = [hit for hit in hits if _relates(draft, hit)]
    if len(hits) < 4 or len(hits) % 2:
        return
    half = len(hits) // 2
    labels = [
        _labels(draft, one, other) for one, other in zip(hits[:half], hits[half:], strict=True)
    ]
    common = set(labels[0]).intersection(*labels[1:])
    for label in sorted(common):
        number = labels[0][label]
        stated = draft.known.statements[number]
        senses = recorded_senses(stated.statement.predicate)
        cues = [
            cue
            for cue in cues_for(stated.statement.predicate, words, None)
            if cue.role is not None and cue.role.sense in senses
        ]
        if not cues:
            continue
        spans = [(hit.start, hit.end) for hit in hits]
        found.taken += [*spans, *((cue.start, cue.end) for cue in cues)]
        found.taken.append((pairing[0].start, pairing[0].end))
        found.foreign = [span for span in found.foreign if span not in spans]
        start, end = spans[0][0], spans[-1][1]
        detail = f"the record has {label} of each, in this order"
        text, evidence_id = draft.text[start:end], stated.evidence_id
        found.claims.append(Claim(text, "statement", "supported", evidence_id, detail, start, end))
        return


def _relates(draft: DraftStatements, hit: Hit) -> bool:
    return any(draft.known.statements[t.stated].statement.kind == "relation" for t in hit.terms)


def _labels(draft: DraftStatements, one: Hit, other: Hit) -> dict[str, int]:
    """Return the relations that two names stand in, each with the number of its statement."""
    found: dict[str, int] = {}
    slots = {(term.stated, term.slot) for term in other.terms}
    for term in one.terms:
        turned = {"subject": "object", "object": "subject"}.get(term.slot, "")
        statement = draft.known.statements[term.stated].statement
        if (term.stated, turned) in slots and statement.kind == "relation":
            found[statement.predicate[0]] = term.stated
    return found


def cues_near(
    own: Sequence[Named], subject: Hit, target: Hit, cues: Sequence[Word], rivals: Sequence[int]
) -> list[Word]:
    """Return the cues that may relate two names: no rival stands between, no name is repeated."""
    first, second = sorted((subject, target), key=lambda hit: hit.start)
    near = [
        cue
        for cue in cues
        if not stands_within(rivals, cue.end, first.start)
        and not stands_within(rivals, second.end, cue.start)
        and not _is_nearer(own, first, range(first.end, cue.start))
        and not _is_nearer(own, second, range(cue.end, second.start))
        and not (_is_learned(cue) and _is_of_others(cue, first, second, rivals))
    ]
    # "A builds on B, which builds on C" relates B and C by the second verb.
    between = [cue for cue in near if first.end <= cue.start < second.start]
    if any(cue.role is NEEDED for cue in between):  # "before A you need B"
        between += [cue for cue in near if cue.end <= first.start and _is_learned(cue)]
    return between or near


def _is_learned(cue: Word) -> bool:
    """Whether a word tells an order, and is not itself the noun "prerequisite"."""
    return any(cue.role is one for one in _LEARNED.values())


def _is_of_others(cue: Word, first: Hit, second: Hit, rivals: Sequence[int]) -> bool:
    """Whether "before" stands behind two names, or in front of them and behind a third."""
    leads = cue.start < first.start
    return cue.start >= second.end or (leads and stands_within(rivals, 0, cue.start))


def _is_nearer(own: Sequence[Named], one: Hit, gap: range) -> bool:
    """Whether a thing is named again in between it and a cue: "tides: tides are a part of"."""
    called = {term for hit, term in own if hit is one}
    return any(hit.start in gap and term in called for hit, term in own)


def stands_within(starts: Sequence[int], start: int, end: int) -> bool:
    """Return whether one of some places, in order, lies in a range."""
    return bisect_left(starts, start) < bisect_left(starts, end)


def listed_behind(text: str, first: Hit, hits: Sequence[Hit]) -> list[Hit]:
    """Return a name and those that are listed behind it."""
    found = [first]
    for hit in hits:
        between = text[found[-1].end : hit.start].strip(MARKS)
        if hit.start > found[-1].end and LISTED.fullmatch(between):
            found.append(hit)
    return found


def overlaps(hit: Hit, spans: Sequence[Span]) -> bool:
    """Return whether a name shares a character with one of some ranges."""
    return any(low < hit.end and hit.start < high for low, high in spans)


def is_proven_at(target: Hit, found: Found) -> bool:
    """Whether a relation of a name is proven already."""
    return any(c.status == "supported" and c.start <= target.start < c.end for c in found.claims)


def reads_forward(text: str, first: Hit, second: Hit, cue: Word, words: Sequence[Word]) -> bool:
    """Whether the words say `first cue second` of the relation that the cue names.

    "A, and before that B" says it the other way round from "A before B".
    """
    between = first.end <= cue.start and cue.end <= second.start
    told = cue.text.casefold() in _BEFORE_THAT or _THAT.match(text, cue.end) is not None
    return _reads_forward(text, first, second, cue, words) != (between and told)


def _reads_forward(text: str, first: Hit, second: Hit, cue: Word, words: Sequence[Word]) -> bool:
    """Whether the words say `first cue second` of the relation that the cue names.

    "The broader term of A is B" and "A has the broader term B" do; "A is a broader term of B"
    and "A is broader than B" say it of B.
    """
    sense = cue.role.sense if cue.role else ""
    if cue.role is NEEDED:
        return not is_needed_for(text, cue, first) and is_needed_for(text, cue, second)
    if _is_learned(cue):
        return cue.start < first.start
    if cue.start < first.start:
        return sense != "kind_of"  # "kinds of A: B" says that B is one
    if is_turned_need(text, first, second, cue):
        return True
    if cue.start >= second.end:  # "A has B as its capital"; "A是B的一种" says that A is one
        is_kind = sense == "kind_of" and text.startswith("的", second.end)
        return is_kind or _AS.fullmatch(text, second.end, cue.start) is not None
    if sense == "kind_of":
        return True
    if IS.match(text, cue.end):
        return True  # "A, whose capital is B"
    if _APPOSED.fullmatch(f"{text[first.end : cue.start]}={text[cue.end : second.start]}"):
        return True  # "A (capital B)", but not "B, capital of A"
    between = [w for w in words if first.end <= w.start < cue.start]
    has = any(w.role is not None and w.role.role == "having" for w in between)
    has = has or _WITH.search(text, first.end, cue.start) is not None
    glue = text[first.end : first.end + 3].lstrip('“”„»«"')
    return has or glue.startswith(("'s", "’s", "的"))


def told_with_need(
    text: str, first: Hit, second: Hit, cue: Word, cues: Sequence[Word], words: Sequence[Word]
) -> list[Span]:
    """Return the words that say the order of two names as the need between them does.

    "Before A you need B", "for A one needs B first".
    """
    if cue.role is not NEEDED:
        return []
    later = not reads_forward(text, first, second, cue, words)
    found = [
        one
        for one in cues
        if one.role is not None and _is_learned(one)
        if (reads_forward(text, first, second, one, words) == (one.role.sense == "prerequisite"))
        == later
    ]
    low, high = min(cue.start, first.start), second.end
    gaps = ((one, text[one.end : low], text[high : one.start].strip(MARKS)) for one in words)
    found += [
        one
        for one, before, behind in gaps
        if is_beforehand(one) and not (before.strip() or behind.strip())
    ]
    return [(one.start, one.end) for one in found]


def listed_in_vain(
    draft: DraftStatements, here: Here, relations: Sequence[tuple[int, Stated]]
) -> Iterator[Span]:
    """Yield where a thing is listed with one that a relation holds of, and has another object.

    "A and B are by C" is not proven by what B is by, where A is by D.

    Args:
        draft: the draft.
        here: everything that a passage names.
        relations: the recorded relations of which it names anything, with their numbers.
    """
    ends: dict[str, list[tuple[Hit, Hit]]] = {}
    for number, stated in relations:
        own = here.terms[number]
        subjects, objects = ([h for h, t in own if t.slot == one] for one in ("subject", "object"))
        ends.setdefault(stated.statement.predicate[0], []).extend(product(subjects, objects))
    statements = draft.known.statements
    for label, pairs in ends.items():
        met = {subject.start for subject, _ in pairs}
        for (subject, target), other in product(pairs, here.hits):
            first, second = sorted((subject, other), key=lambda hit: hit.start)
            if other.start in met or not LISTED.fullmatch(draft.text, first.end, second.start):
                continue
            alike = [
                term
                for term in other.terms
                if term.slot == "subject"
                and statements[term.stated].statement.predicate[:1] == (label,)
            ]
            if alike and target.start not in (subject.start, other.start):
                yield other.start, other.end


def numbers_by_label(known: Knowledge, terms: Sequence[Term]) -> Mapping[Names, frozenset[int]]:
    """Return the labels of the relations that a name is an end of, with all that it stands in."""
    ends = {term.stated for term in terms if term.slot in ("subject", "object")}
    relations = [
        one for number in ends if (one := known.statements[number].statement).kind == "relation"
    ]
    numbers = frozenset(term.stated for term in terms)
    return {one.predicate[:1]: numbers for one in relations}
