"""Which of two names a verb is said of: "Billing depends on Ledger", not the other way round."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit, Named
from groundwire.evidence.claims.relation_cues import is_proven_at
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.records import Names
from groundwire.language.verbs import Verb, is_agent, is_auxiliary, leads_to_name, plain, verb_of

# An apposition stands between commas: "Vienna, capital of Austria, borders ...". The first pattern
# matches it up to its name, the second the comma that closes it.
_APPOSED = re.compile(
    r"\W?[,，] ?(?!(?:like|unlike|and|or|as|with|wie|und|oder|mit|ebenso)\b)[^,，.;:。；]{1,60}",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"\W?[,，] ?(?!(?:and|or|but|while|which|who|whose|und|oder|aber|während|de[rsmn]|die)\b)"
    r"(?=[a-zäöü])"
)
_OF_HAN = re.compile("的(?![^，。]*[是为有包在叫])[\u4e00-\u9fff]{1,4}")
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"([^\W_]+)[^\w.;:!?]*$")
_WHO = re.compile(r" ?(?:, ?(?:who|which|that|die|der|das) )?")
_NEXT_WORD = re.compile(r"\s+([^\W_]+)")
# How far from two names the verb may stand, and how far back a list of names may reach.
_NEAR = 40
_FAR = 300


@lru_cache(maxsize=4_096)
def _verbs(names: Names) -> tuple[Verb, ...]:
    return tuple(dict.fromkeys(found for name in names if (found := verb_of(name, ""))))


class Said(NamedTuple):
    """Two names as a verb relates them.

    Attributes:
        spans: where the verb stands.
        is_right: the names are the recorded subject and object; None where the words do not tell.
    """

    spans: list[Span]
    is_right: bool | None


def said_by_verb(
    names: Names, text: str, subject: Hit, target: Hit, hits: Sequence[Hit]
) -> Said | None:
    """Return what the verb of a relation says of two names; None where it is not spoken.

    Args:
        names: what the relation is called.
        text: the whole draft.
        subject: the recorded subject of the relation.
        target: its recorded object.
        hits: all names of the passage.
    """
    verbs = _verbs(names)
    if not verbs:
        return None
    first, second = sorted((subject, target), key=lambda hit: hit.start)
    low, high = max(0, first.start - _NEAR), min(second.end + _NEAR, len(text))
    said = [
        found
        for found in _WORD.finditer(text, low, high)
        if any(verb.is_said_by(plain(found[0])) for verb in verbs)
    ]
    if not said:
        return None
    spans = [found.span() for found in said]
    prepositions = {verb.preposition for verb in verbs}
    forms = {form for verb in verbs for form in verb.forms()}
    between = [
        found for found in said if first.end <= found.start() and found.end() <= second.start
    ]
    if len(between) == 1 and (
        _is_active(verbs, plain(between[0][0]), forms)
        or _is_past(verbs, text, first, between[0], second)
    ):
        return Said(spans, second is subject)
    if _word_before(text, target, hits) in prepositions:
        return Said(spans, True)
    following = _NEXT_WORD.match(text, subject.end)
    after = plain(following[1]) if following else ""
    leads = is_auxiliary(after) or any(verb.is_said_by(after) for verb in verbs)
    leads = leads and not any(verb.is_passive for verb in verbs)  # "von A (wird B) betrieben"
    if not leads and _word_before(text, subject, hits) in prepositions:
        return Said(spans, False)
    return Said(spans, None)


def judge_verb(
    draft: DraftStatements,
    stated: Stated,
    pair: tuple[Hit, Hit],
    hits: Sequence[Hit],
    found: Found,
) -> bool:
    """Support a relation whose verb says it; False where the verb says it the other way round.

    Args:
        draft: the draft.
        stated: the recorded relation.
        pair: its subject and its object, as the passage names them.
        hits: all names of the passage.
        found: what statements say of it, to which this adds.
    """
    first = min(pair, key=lambda hit: hit.start)
    if _is_apposed(draft.text, first, hits) or _is_owner(draft.text, first, pair, hits):
        found.foreign.append((first.start, first.end))
        return False
    said = said_by_verb(stated.statement.predicate, draft.text, *pair, _things(hits))
    if said is None or said.is_right is None:
        return True
    subject, target = ((hit.start, hit.end) for hit in pair)
    if not said.is_right:
        found.foreign += [*said.spans, target]
        return False
    spans = [subject, target, *said.spans]
    start, end = min(spans)[0], max(high for _, high in spans)
    one = stated.statement
    detail = f"the record has {one.subject[0]} {one.predicate[0]} {draft.text[slice(*target)]}"
    text, of = draft.text[start:end], stated.evidence_id
    found.claims.append(Claim(text, "statement", "supported", of, detail, start, end))
    found.taken += spans
    return True


def _is_apposed(text: str, name: Hit, hits: Sequence[Hit]) -> bool:
    """Whether a name only tells what another one is: "Vienna, capital of Austria, borders ...".

    What follows is said of the other one.
    """
    if _CLOSES.match(text, name.end) is None:
        return False
    heads = (hit.end for hit in hits if hit.end < name.start)
    return any(_APPOSED.fullmatch(text, end, name.start) for end in heads)


def _is_owner(text: str, name: Hit, pair: Sequence[Hit], hits: Sequence[Hit]) -> bool:
    """Whether a name only says whose the thing behind it is: 奥地利的首都维也纳."""
    others = (hit for hit in hits if hit.start > name.end and hit not in pair)
    return any(_OF_HAN.fullmatch(text, name.end, hit.start) for hit in others)


def is_turned(
    draft: DraftStatements, stated: Stated, own: Sequence[Named], hits: Sequence[Hit]
) -> bool:
    """Whether a verb says a relation the other way round than it is recorded."""
    subjects, objects = ([h for h, t in own if t.slot == one] for one in ("subject", "object"))
    names, things = stated.statement.predicate, _things(hits)
    for subject, target in product(subjects, objects):
        said = said_by_verb(names, draft.text, subject, target, things)
        if said is not None and said.is_right is False:
            return True
    return False


def is_said_nearer(
    text: str, pair: Sequence[Hit], hits: Sequence[Hit], ties: Sequence[int]
) -> bool:
    """Whether one of two names stands between them once more, and leads to no tie itself.

    Args:
        text: the draft.
        pair: the two names.
        hits: the names of both ends of their relation.
        ties: where words of the relation stand.
    """
    low, high = sorted(one.start for one in pair)
    said = {hit: text[hit.start : hit.end].casefold() for hit in (*pair, *hits)}
    return any(
        said[one] == said[far] and not any(first < at < last for at in ties)
        for one, far in product((hit for hit in hits if low < hit.start < high), pair)
        for first, last in [sorted((one.start, far.start))]
    )


def wrongly_attached(
    draft: DraftStatements, here: Here, relations: Sequence[tuple[int, Stated]], found: Found
) -> Iterator[Span]:
    """Yield the names that a verb of a relation leads to, and that nothing recorded relates so.

    "Shell is supplied by North Steel" is not proven by another supplier of Shell.

    Args:
        draft: the draft.
        here: everything that a passage names.
        relations: the recorded relations of which it names anything, with their numbers.
        found: what was proven of it; a name within that needs no more.
    """
    leading: dict[Names, frozenset[str]] = {}
    of_graph = draft.known.once(_of_graph)
    for number, stated in relations:
        one = stated.statement
        # An album is "von" its band; a column or a step of a way may be called so too.
        if number in of_graph and (is_agent(one.predicate[0]) or _verbs(one.predicate)):
            leading[one.predicate] = _leading(one.predicate)
    if not leading:
        return
    things = _things(here.hits)
    related: dict[str, set[int]] = {}
    for number, stated in relations:
        own = here.terms[number]
        ends = [[h.start for h, t in own if t.slot == one] for one in ("subject", "object")]
        if all(ends):
            related.setdefault(stated.statement.predicate[0], set()).update(*ends)
    said = {plain(found[0]) for found in _WORD.finditer(draft.text, *_range_of(things))}
    before = {hit.start: _word_before(draft.text, hit, things) for hit in things}
    for names, led in leading.items():
        verbs = _verbs(names)
        fit = related.get(names[0], set()) if verbs else set[int]().union(*related.values())
        if not verbs or any(verb.is_said_by(word) for verb in verbs for word in said):
            for hit in things:
                is_open = hit.start not in fit and not is_proven_at(hit, found)
                if is_open and before[hit.start] in led:
                    yield hit.start, hit.end


@lru_cache(maxsize=4_096)
def _leading(names: Names) -> frozenset[str]:
    """Return the words that lead to an end of a relation: its prepositions and active verbs."""
    found = {names[0]} if is_agent(names[0]) else set[str]()
    for verb in _verbs(names):
        found |= {verb.preposition, *verb.active_forms()}
    return frozenset(found)


def _range_of(hits: Sequence[Hit]) -> Span:
    """Return where some names stand, with what is near."""
    return (
        max(0, min((hit.start for hit in hits), default=0) - _NEAR),
        max((hit.end for hit in hits), default=0) + _NEAR,
    )


def _of_graph(known: Knowledge) -> frozenset[int]:
    """Return the relations of things that a graph identifies."""
    numbers = known.by_kind.get("relation", ())
    subjects = ((number, known.statements[number].statement.subject) for number in numbers)
    return frozenset(number for number, names in subjects if any("://" in it for it in names))


def has_verb(stated: Stated) -> bool:
    """Whether a relation is called by a verb."""
    return bool(_verbs(stated.statement.predicate))


def _things(hits: Sequence[Hit]) -> list[Hit]:
    """Return the names that are of more than predicates."""
    return [hit for hit in hits if any(term.slot != "predicate" for term in hit.terms)]


def _is_active(verbs: Sequence[Verb], word: str, forms: Collection[str]) -> bool:
    return word not in forms and any(word in verb.active_forms() for verb in verbs)


def _is_past(
    verbs: Sequence[Verb], text: str, first: Hit, said: re.Match[str], second: Hit
) -> bool:
    """Whether a participle alone between two names is what the first did: "A trained B"."""
    word = plain(said[0])
    alone = _WHO.fullmatch(text[first.end : said.start()]) and _leads(
        text[said.end() : second.start]
    )
    return bool(alone) and any(verb.is_passive and word == verb.word for verb in verbs)


def _leads(between: str) -> bool:
    return all(map(leads_to_name, map(plain, _WORD.findall(between))))


def _word_before(text: str, name: Hit, hits: Sequence[Hit]) -> str:
    """Return the last word before a name that does not only lead to it, or ""."""
    ends = {hit.end: hit.start for hit in hits}
    at, low = name.start, max(0, name.start - _FAR)
    while found := _LAST_WORD.search(text, low, at):
        word = plain(found[1])
        if found.end(1) in ends and ends[found.end(1)] < at:
            at = ends[found.end(1)]
        elif leads_to_name(word):
            at = found.start()
        else:
            return word
    return ""
