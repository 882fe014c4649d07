"""Whether the things of a card have in it the part that they have in its quote.

"The pump moves water from the cellar to the roof" has all words of "from the roof". What these
rules find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.language import Reading
from groundwire.learning.cards.arguments import (
    BARE,
    THINGS,
    Argument,
    Window,
    arguments,
    doubt,
    known_words,
    leads_of,
    part_of,
    tables,
    weak,
)
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.types import Gap

_NOMINAL = (*THINGS, "number", "adjective")
_CASES = frozenset("ngda")
# In the passive the object of the active is the subject.
_RAISED = str.maketrans("a", "n")
# Prepositions whose thing may take part in an act as the thing beside it does.
_BESIDE = frozenset(("with", "through", "above", "below", "until", "since", "from", "to", "after"))
# Other rules judge things without a preposition and things of an owner.
_OWNED = frozenset(("", "of"))
_PASSIVE = frozenset(("werden", "be"))
_MEASURES = frozenset(("measure", "to", "from"))
# Leads behind which no answer to a bare "what" stands.
_APART = frozenset(("against", "without", "than"))
# Leads that have an opposite, so that no other word says the same.
_POLAR = frozenset(("above", "below", "before", "without", "against", "until", "since"))
_AS = frozenset(("as",))
_COMPARING = frozenset(("as", "than"))


def argument_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of a card in which a thing has another part than in its quote, or None.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    held = arguments(window.spans)
    near = _beside(held, window)
    mine = list(_things(asked))
    own = arguments(said.spans)
    card = known_words(asked) | known_words(said)
    return (
        _part_gap(mine, near, held, window)
        or _part_gap([one for one in own if one.leads != BARE], near, held, window)
        or _swap_gap((*mine, *own), held, window)
        or _zone_gap(mine, near, held, window)
        or _doer_gap(own, held, window)
        or _owner_gap(mine, near, card, window)
        or _other_owner_gap((*mine, *own), near, window)
        or _subject_gap(asked, mine, near, card, window)
        or _asked_gap(asked, own, held, window)
        or _order_gap(own, held, window)
        or _agent_gap(asked, own, held, window)
    )


def _beside(held: Sequence[Argument], window: Window) -> list[Argument]:
    """The arguments that no comma parts from the answer."""
    low, high = part_of(window)
    start, end = window.spans[low].start, window.spans[high - 1].end
    return [one for one in held if start <= one.token.start < end]


def _things(asked: Reading) -> Iterator[Argument]:
    """The arguments of a question, without the kind of thing that it asks for."""
    kinds = {
        token.start
        for n, span in enumerate(asked.spans)
        if names_kind(asked.spans, n) or asks(span)
        for token in span.tokens
    }
    yield from (one for one in arguments(asked.spans) if one.token.start not in kinds)


def _same(one: Argument, held: Sequence[Argument]) -> list[Argument]:
    found = [other for other in held if one.keys & other.keys]
    # "The grey squirrel" is not the red one.
    return [other for other in found if one.modifiers & other.modifiers] or found


def _part_gap(
    card: Sequence[Argument],
    near: Sequence[Argument],
    held: Sequence[Argument],
    window: Window,
) -> Gap | None:
    """The gap of a thing behind another lead, or in another case, than in the quote."""
    for one in card:
        # The tagger takes some nouns behind "than" for verbs.
        governed = one.token.tag == "verb" and not one.leads & {"", "to"}
        if one.is_figure or not (governed or one.token.tag in THINGS):
            continue
        same = [other for other in _same(one, near) if not _owns_next(other, near)]
        agents = [other for other in same if _is_agent(other.leads)]
        if agents == same != [] and one.leads == BARE and _is_no_doer(one, agents, held):
            return doubt(window, one.token.text)
        strong = one.leads - weak() - BARE
        polar = bool(strong) and strong <= _POLAR
        if strong and not polar and not any(strong & other.leads for other in held):
            # Another word may say the same there: what is "from the soil" is "in the soil".
            continue
        # "Carry it from the heart" is not "to the heart", whatever another clause has.
        against = same and strong and not any(other.leads & (weak() | BARE) for other in same)
        where = same if against else _same(one, held)
        passive = any(other.token.lemma in _PASSIVE for other in (*card, *held))
        if same and not any(_agrees(one, other, passive=passive) for other in where):
            return doubt(window, one.token.text)
    return None


def _is_no_doer(one: Argument, agents: Sequence[Argument], held: Sequence[Argument]) -> bool:
    """Whether a thing is what is acted on, or the thing behind "by" does not act in the quote.

    "What cools the currents" turns "cooled by the currents" round; in "liable for damage by guests"
    the guests are not liable.
    """
    return one.is_acted_on or not any(_is_done(other, held) for other in agents)


def _is_done(agent: Argument, held: Sequence[Argument]) -> bool:
    """Whether a word that may be a participle stands before the phrase behind "by"."""
    before = [other.token for other in held if other.place < agent.place]
    return any(
        (one.tag == "verb" and one.lemma not in ("be", "have", "sein", "haben"))
        or (one.tag == "adjective" and one.text.endswith(("ed", "en", "n", "t")))
        for one in before
    )


def _owns_next(one: Argument, held: Sequence[Argument]) -> bool:
    """Whether what is told of a thing follows it: "than its year of 225 days"."""
    return any("of" in other.leads for other in held if other.place == one.place + 2)


def _agrees(one: Argument, other: Argument, *, passive: bool) -> bool:
    if one.leads & other.leads:
        bare = one.leads == other.leads == BARE
        return not bare or _cases_agree(one.cases, other.cases, passive=passive)
    if "to" in one.leads and other.is_object:
        # "Gave Britain the island", "give to Britain"; "what does it do to the skin".
        return True
    # "By A" is the subject of the active.
    if BARE in (one.leads, other.leads) and _is_agent(one.leads | other.leads):
        return True
    free = weak() | BARE
    if one.leads == BARE and other.leads & _BESIDE:
        return True
    return bool(one.leads & free) and bool(other.leads & free)


def _is_agent(leads: frozenset[str]) -> bool:
    """Whether the word before a thing says nothing but who did it, or by how much."""
    return "by" in leads and leads - BARE <= {"by", "measure"}


def _cases_agree(one: frozenset[str], other: frozenset[str], *, passive: bool) -> bool:
    """Whether two articles may show one case; a passive makes the subject of an object."""
    genders = {each[0] for each in one} & {each[0] for each in other}
    if not genders:
        return True
    raised = _RAISED if passive else {}
    own, held = (
        {each.translate(raised) for each in some if each[0] in genders} for some in (one, other)
    )
    return bool(own & held)


def _asked_gap(
    asked: Reading, own: Sequence[Argument], held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of an answer with another lead, or in another case, than its question asks for."""
    wanted = _wanted(asked)
    things = [one for one in own if one.token.tag in _NOMINAL]
    answers = [other for one in things for other in _same(one, held)]
    if any(one.is_figure for one in things) and asked.tokens[0].language != "zh":
        return _measure_gap(things, answers, wanted, window)
    if not answers:
        return None
    if wanted <= _CASES and all(one.leads <= _COMPARING for one in answers):
        return doubt(window, answers[0].token.text)
    if not wanted:
        return _bare_gap(asked, own, answers, window)
    passive = any(one.token.lemma in _PASSIVE for one in held)
    doer = frozenset(("", "by")) if passive else BARE
    if wanted <= _CASES and not any(one.leads & doer for one in answers):
        return doubt(window, answers[0].token.text)
    if wanted <= _CASES:
        shown = [one.cases for one in answers if one.leads == BARE and one.cases]
        raised = {each.translate(_RAISED) for each in wanted}
        if shown and not any(
            each[1].translate(_RAISED) in raised for some in shown for each in some
        ):
            return doubt(window, answers[0].token.text)
        return None
    if any(one.leads & wanted for one in answers):
        return _graded_gap(asked, answers, held, window) if "than" in wanted else None
    free = weak() | BARE
    strong = any(not one.leads & free for one in answers) or wanted - free
    agents = any("by" in one.leads and "" not in one.leads for one in held)
    bare_agent = "by" in wanted and not agents and any("" in one.leads for one in answers)
    return doubt(window, answers[0].token.text) if strong and not bare_agent else None


def _bare_gap(
    asked: Reading, own: Sequence[Argument], answers: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of "what did it give" that is answered with what it was given against."""
    first = asked.spans[0].role if asked.spans and asks(asked.spans[0]) else None
    if first is None or first.sense not in ("what", "who") or any(one.leads != BARE for one in own):
        return None
    if all(one.leads & _APART and "" not in one.leads for one in answers):
        return doubt(window, answers[0].token.text)
    return None


def _measure_gap(
    own: Sequence[Argument], answers: Sequence[Argument], wanted: frozenset[str], window: Window
) -> Gap | None:
    """The gap of "by how much" that is answered with what it fell to."""
    for one in answers:
        same = [other for other in own if other.token.key == one.token.key]
        if one.token.tag != "number" or not same:
            continue
        # "A rise of 5 percent" tells by how much.
        held = (one.leads | {"measure"} if "of" in one.leads else one.leads) & _MEASURES
        if "place" in wanted:
            # "In which year" asks where something is in time, and not by how much it changed.
            wanted = frozenset[str]()
        said = {lead for other in same for lead in other.leads}
        for leads in (wanted & _MEASURES, said & _MEASURES):
            if held and leads and not held & leads:
                return doubt(window, one.token.text)
    return None


def _graded_gap(
    asked: Reading, answers: Sequence[Argument], held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of "than which is it softer" where the answer is what it is heavier than."""
    known = known_words(asked)
    for one in answers:
        before = [other for other in held if other.place < one.place][-1:]
        if before and not before[0].keys & known:
            return doubt(window, before[0].token.text)
    return None


def _swap_gap(card: Sequence[Argument], held: Sequence[Argument], window: Window) -> Gap | None:
    """The gap of "urea into ammonia" where the quote has "ammonia into urea"."""
    things = [one for one in card if one.token.tag in THINGS and not one.is_figure]
    for one in things:
        same = _same(one, held)
        if one.leads & _OWNED or not same or any(other.leads & one.leads for other in same):
            continue
        for rival in things:
            there = _same(rival, held) if not rival.keys & one.keys else []
            if there and not rival.leads & one.leads and all(a.leads & one.leads for a in there):
                return doubt(window, one.token.text)
    return None


def _zone_gap(
    mine: Sequence[Argument], near: Sequence[Argument], held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of "flows into A" where A stands in another clause, and B is what this one has."""
    for one in mine:
        if (
            one.token.tag not in THINGS
            or one.leads & _OWNED
            or _same(one, near)
            or not _same(one, held)
        ):
            continue
        rivals = [
            o for o in near if o.leads & one.leads and "" not in o.leads and o.token.tag in THINGS
        ]
        rivals = [o for o in rivals if not any(o.keys & a.keys for a in mine)]
        if rivals and any(o.leads & one.leads for o in _same(one, held)):
            return doubt(window, rivals[0].token.text)
    return None


def _doer_gap(own: Sequence[Argument], held: Sequence[Argument], window: Window) -> Gap | None:
    """The gap of "the reader returns it" where the quote has "is returned to the reader"."""
    verb = next((n for n, one in enumerate(own) if one.token.tag == "verb"), 0)
    for one in own[:verb]:
        same = _same(one, held) if one.leads == BARE and one.token.tag in THINGS else []
        free = weak() | {"", "by"}
        if same and not any(other.leads & free for other in same):
            return doubt(window, one.token.text)
    return None


def _owner_gap(
    mine: Sequence[Argument], held: Sequence[Argument], card: frozenset[str], window: Window
) -> Gap | None:
    """The gap of "whom did Henry marry" where the daughter of Henry did."""
    pairs = {one: thing for one, thing in _owners(held).items() if "" not in one.leads}
    for one in mine:
        same = _same(one, held) if one.leads == BARE and one.token.tag in THINGS else []
        owned = [pairs[other] for other in same if other in pairs]
        if same and len(owned) == len(same) and not any(other.keys & card for other in owned):
            return doubt(window, owned[0].token.text)
    return None


def _other_owner_gap(
    card: Sequence[Argument], held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of "the death of Smith" where it is Brown who died."""
    pairs = _owners(held)
    for owner, owned in _owners(card).items():
        rivals = [other for other, thing in pairs.items() if thing.keys & owned.keys]
        rivals = [other for other in rivals if not other.is_figure and other.token.tag in THINGS]
        if rivals and _same(owner, held) and not _same(owner, rivals):
            return doubt(window, rivals[0].token.text)
    return None


def _owners(found: Sequence[Argument]) -> dict[Argument, Argument]:
    """Return the things that are owners, each with what it owns."""
    return {
        one: before
        for before, one in pairwise(found)
        if "of" in one.leads and before.token.tag in THINGS
    }


def _subject_gap(
    asked: Reading,
    mine: Sequence[Argument],
    held: Sequence[Argument],
    card: frozenset[str],
    window: Window,
) -> Gap | None:
    """The gap of a German question whose subject is not the one of its sentence.

    Behind "what", "whom", "when" and the verb the subject stands first, unless its article shows
    another case. In the sentence it stands before the other bare things of the card.
    """
    tokens = asked.tokens
    if len(tokens) < 3 or tokens[0].language != "de" or tokens[1].tag != "verb":
        return None
    if not asks(asked.spans[0]) or tokens[0].key == "wer" or len(asked.spans[0].tokens) > 1:
        return None
    bare = [one for one in mine if one.leads == BARE and one.token.tag in THINGS]
    if not bare or bare[0].is_figure or not _may_be_subject(bare[0]):
        return None
    things = [one for one in held if "" in one.leads and one.token.tag in THINGS]
    things = [one for one in things if one.keys & card and _may_be_subject(one)]
    first = things[0] if things else None
    if first is None or first.keys & bare[0].keys or not _same(bare[0], held):
        return None
    if tokens[0].key == "was" and not first.keys & known_words(asked):
        # "What" may ask for the subject, and the thing behind the verb be its object.
        return None if _may_be(bare[0], "a") else doubt(window, first.token.text)
    return doubt(window, first.token.text)


def _may_be_subject(one: Argument) -> bool:
    return _may_be(one, "n")


def _may_be(one: Argument, case: str) -> bool:
    return not one.cases or any(each[1] == case for each in one.cases)


def _wanted(asked: Reading) -> frozenset[str]:
    """The leads, or the cases, that a question asks for: "from where", "who ... by", "wem"."""
    at = next((n for n, span in enumerate(asked.spans) if asks(span)), None)
    tokens = [token for token in asked.tokens if token.tag != "sign"]
    if not tokens:
        return frozenset()
    table: dict[str, list[str]] = tables()["asking"]
    if tokens[0].language == "de" and tokens[0].key in table:
        return frozenset(table[tokens[0].key])
    if at is None:
        return frozenset()
    span = asked.spans[at]
    role = span.role
    if role is None or role.sense not in ("what", "who", "where", "how_many", "how"):
        return frozenset()
    leads = leads_of(tokens[0].language or "en")
    before = [*(asked.spans[at - 1].tokens if at else ()), *span.tokens[:-1]]
    last = tokens[-1:] if tokens[0].language == "en" and len(tokens) > 2 else []
    for token in (*reversed(before), *last):
        found = leads.get(token.lemma)
        asks_how = found == _AS and token.language == "de"
        if found is not None and not asks_how and token.tag in ("function", "verb"):
            return found
    return frozenset()


def _order_gap(own: Sequence[Argument], held: Sequence[Argument], window: Window) -> Gap | None:
    """The gap of an answer that has its things in another order than its quote."""
    places: list[tuple[Argument, Argument]] = []
    for one in own:
        if one.token.tag not in THINGS:
            continue
        same = _same(one, held)
        if len(same) == 1:
            places.append((one, same[0]))
    verb = any(one.token.tag == "verb" for one in own)
    for (one, first), (other, last) in pairwise(places):
        if first.place <= last.place or one.keys & other.keys:
            continue
        between = other.place - one.place
        if verb and between > 0:
            return doubt(window, last.token.text)
    return None


def _agent_gap(
    asked: Reading, own: Sequence[Argument], held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of "who relieved it" answered with the one "by" whom it was besieged."""
    known = known_words(asked)
    for one in own:
        for other in _same(one, held):
            if not _is_agent(other.leads) or other.token.language != "en":
                continue
            before = [a for a in held if a.place < other.place and a.leads != other.leads]
            done = before[-1] if before else None
            if done is None or done.keys & known:
                continue
            if any(a.keys & known and a.token.text.endswith("ed") for a in held if a != done):
                return doubt(window, done.token.text)
    return None
