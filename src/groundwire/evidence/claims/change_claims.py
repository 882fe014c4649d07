"""Changes that a passage tells: from which line to which, how often, and which lines are avoided.

"From the Victoria line to the Northern line", in Stockwell steigt man einmal um, 由Victoria线换乘
Northern线: the lines must follow each other in a recorded plan, and the plan must have so many
changes. A line is avoided where no recorded plan of the passage's record goes by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Hit
from groundwire.evidence.claims.words import Learned, key_of
from groundwire.language import Span as Word
from groundwire.language import lexicon
from groundwire.language.glossary import is_called

_CHANGING = Learned(partial(is_called, names=frozenset(("interchange",))))
_ARTICLE = r"\s*(?:(?:the|der|die|das|dem|den)\s+)?"
_OFF = re.compile(rf"(?:\b(?:from|von|aus)\b|从|由|自){_ARTICLE}$", re.IGNORECASE)
_ONTO = re.compile(
    rf"(?:\b(?:to|onto|for|into|in|auf|nach|zur|zum)\b|[换轉转改]乘?|到){_ARTICLE}$", re.IGNORECASE
)
_PLAN = re.compile(r"plan (\d{1,3})")
_FIRST_PLAN = "plan 1"
_FIRST = 1
_ENDS = ("start of the journey", "end of the journey")
_BEFORE = 14
_NEAR = 24
_BESIDE = 12  # "without taking the"; in "without changing on the Circle line" none is avoided
_WITHOUT = ("negation", "without")


def judge_changes(
    draft: DraftStatements,
    context: PassageContext,
    hits: Sequence[Hit],
    words: Sequence[Word],
    found: Found,
) -> None:
    """Judge what a passage says of changes; what is proven is taken, what is not so contradicted.

    Args:
        draft: the draft with the statements of the records.
        context: the passage with its names and figures.
        hits: the names of statements that stand in it.
        words: its words.
        found: what statements say of it, to which this adds.
    """
    lines = draft.known.once(_orders_of_lines)
    if not lines:
        return
    _avoided(draft, context, words, lines, found)
    if not _CHANGING.among(context.forms):
        return
    cues = [word for word in words if _tells_change(word)]
    _lines_changed(draft, hits, lines, found)
    _how_often(draft, context, hits, words, cues, found)


def _orders_of_lines(known: Knowledge) -> frozenset[int]:
    """The numbers of the statements that have the lines of a plan in their order."""
    return frozenset(
        number
        for number in known.by_kind.get("order", ())
        if "line" in known.statements[number].statement.predicate
    )


def _tells_change(word: Word) -> bool:
    forms = frozenset(form for token in word.tokens for form in (token.key, token.lemma))
    return bool(_CHANGING.among(forms))


def _lines_changed(
    draft: DraftStatements, hits: Sequence[Hit], lines: frozenset[int], found: Found
) -> None:
    """Judge "from A to B" of two lines: B must follow A in a recorded plan."""

    def led(by: re.Pattern[str]) -> list[Hit]:
        return [h for h in named if by.search(draft.text, max(0, h.start - _BEFORE), h.start)]

    named = [hit for hit in hits if _places(hit, lines)]
    off = led(_OFF)
    onto = [hit for hit in led(_ONTO) if hit not in off]
    if len(off) != 1 or len(onto) != 1:
        return
    before, behind = _places(off[0], lines), _places(onto[0], lines)
    if any((number, place + 1) in behind for number, place in before):
        return
    start = min(off[0].start, onto[0].start)
    end = max(off[0].end, onto[0].end)
    stated = draft.known.statements[min(before)[0]]
    has = ", ".join(names[0] for names in stated.statement.objects)
    detail = f"the record has the lines in the order {has}"
    found.refuse(draft.text, (start, end), stated.evidence_id, detail)


def _places(hit: Hit, lines: frozenset[int]) -> set[tuple[int, int]]:
    """Return the places of a name in the orders of lines."""
    return {(t.stated, t.place) for t in hit.terms if t.slot == "object" and t.stated in lines}


def _how_often(
    draft: DraftStatements,
    context: PassageContext,
    hits: Sequence[Hit],
    words: Sequence[Word],
    cues: Sequence[Word],
    found: Found,
) -> None:
    """Judge "once" and "twice" beside a change by the number of changes of the plan."""
    for place, word in enumerate(words):
        is_article = _is_one(words, place)  # "einen Umstieg", which is no wrong count
        times = 1 if is_article else _times(word)
        if not times or min(abs(cue.start - word.start) for cue in cues) > _NEAR:
            continue
        plans = {number for hit in hits for number in _plans_changed_at(draft, hit)}
        counts = [
            fact
            for fact in _counts(draft, context, word.start)
            if not plans or not plans.isdisjoint(_plans_of(fact))
        ]
        if not plans and not _binds_plan(found):
            counts = [fact for fact in counts if _FIRST in _plans_of(fact)] or counts
        held = [fact for fact in counts if fact.number == times]
        if held or (counts and not is_article):
            facts = tuple(held or counts)
            said = f"{facts[0].about}: {facts[0].said}"
            found.claims.append(
                Claim(
                    word.text,
                    "number" if held else "statement",
                    "supported" if held else "contradicted",
                    facts[0].evidence_id,
                    said if held else f"the record has {said}",
                    word.start,
                    word.end,
                    facts,
                )
            )


def _plans_of(fact: Fact) -> Sequence[int]:
    """The numbers of the plans that a value is recorded of."""
    return fact.value.item.options if fact.value.item else ()


def _binds_plan(found: Found) -> bool:
    """Whether a passage tells anything else by which one plan may be meant."""
    facts = (fact for claim in found.counted for fact in claim.facts)
    return any(_plans_of(fact) and fact.value.name not in _ENDS for fact in facts)


def _plans_changed_at(draft: DraftStatements, hit: Hit) -> Iterator[int]:
    """The numbers of the plans in which a named place is one of change."""
    for term in hit.terms:
        one = draft.known.statements[term.stated].statement
        plan = _PLAN.fullmatch(one.subject[0]) if one.subject else None
        if plan is not None and term.slot == "object" and "change" in one.predicate:
            yield int(plan[1])


def _times(word: Word) -> int:
    """How often a word says that something happens; 0 for any other word."""
    said = word.text.casefold()
    for language in {token.language for token in word.tokens}:
        repeated = lexicon(language).rules.repeated if language else ()
        if said in repeated:
            return repeated.index(said) + 1
    return 0


def _is_one(words: Sequence[Word], place: int) -> bool:
    """Whether an article stands right before a noun that tells a change."""
    behind = words[place + 1 : place + 2]
    is_noun = any(_tells_change(one) and one.tokens[-1].tag == "noun" for one in behind)
    return is_noun and words[place].tokens[0].lemma == "ein"


def _counts(draft: DraftStatements, context: PassageContext, position: int) -> Iterator[Fact]:
    """The numbers of changes of the plans that a place of a passage may speak of."""
    items = context.items(position, (), figure=False)
    for fact in draft.known.facts.numbers():
        if key_of(fact.value.name) == "interchange" and fact.value.item and items.allows(fact):
            yield fact


def _avoided(
    draft: DraftStatements,
    context: PassageContext,
    words: Sequence[Word],
    lines: frozenset[int],
    found: Found,
) -> None:
    """Take a line that is avoided, with the word that says so, where no plan goes by it."""
    cues = [w for w in words if w.role is not None and (w.role.role, w.role.sense) == _WITHOUT]
    if not cues:
        return
    every = [draft.known.statements[number].statement for number in sorted(lines)]
    orders = [one for one in every if one.complete == "all_listed"]
    if not any(one.subject[0] == _FIRST_PLAN for one in orders):
        return
    used = {key_of(name) for one in orders for names in one.objects for name in names}
    for word in cues:
        for mention in context.mentions:
            near = 0 <= mention.start - word.end <= _BESIDE
            named = key_of(draft.text[mention.start : mention.end])
            if near and mention.named.controlled and named not in used:
                found.taken += [(word.start, word.end), (mention.start, mention.end)]
                found.met.add((mention.start, mention.end))
                break
