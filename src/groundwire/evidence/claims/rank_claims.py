"""Places in a recorded ranking: the second largest, ranked third, the top five.

A record lists the members of a ranking in their order, from the first on. A place that a sentence
gives to one of them is held against it: proven where a ranking of what the sentence names says so,
contradicted where each of them says otherwise, and left alone where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from groundwire.evidence.claims.attachment import Anchor, is_before_it
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.rankings import (
    Ranking,
    fitting,
    is_measured,
    is_value_of,
    lies_close,
    ranked_values,
    scope_names,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.value_rows import rows
from groundwire.evidence.claims.value_words import spans_of
from groundwire.language import Span as Word
from groundwire.language.ordinals import place_at
from groundwire.quantities import parse_number

_MOST = (
    "largest|highest|biggest|greatest|most populous|strongest|größte[nrs]?|höchste[nrs]?|[大高多强]"
)
_LEAST = "smallest|lowest|fewest|weakest|kleinste[nrs]?|niedrigste[nrs]?|[小低少弱]"
_COUNTS = (
    "[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten"
    "|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn"
)
_RANK = re.compile(  # of small letters, as are those of the first few
    r"(?:\b(?:a (?P<near>close|distant) )?"
    r"(?:(?:rank(?:s|ed|ing)?|c[ao]mes?|placed|places|stood|stands|liegt|lag|steht|stand"
    r"|takes?|took|holds?|held|belegte?)"
    r"(?: at| in| an| auf)?(?: the)? )?"
    r"(?:(?<!\ba )(?<!\bone )(?<!\bein )"
    r"(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    r"|[0-9]{1,3}(?:st|nd|rd|th)"
    r"|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt)(?:e[nr]?)?)"
    rf"(?:[ -]?(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|place|rank|position|stelle|platz|rang))?"
    rf"|(?:no\. ?|number |rank |place |platz |rang |nummer )(?P<digits>[0-9]{{1,3}}|{_COUNTS}))\b"
    r"|(?:排名|排在|排行|位居|位列|名列|居|排)?第(?P<han>[一二三四五六七八九十]|[0-9]{1,3})"
    r"(?:(?P<han_most>[大高多强])|(?P<han_least>[小低少弱])|[名位])?)",
)
# "First quarter", "second half", "a third of", "the first time" give no place.
_NO_PLACE = re.compile(
    r"\s*(?:quarter|half|third|time|year|month|day|week|of\b|nine|six|three|Quartal|Halbjahr|Mal"
    r"|季度|季|财季|次|年|天|个)",
    re.IGNORECASE,
)
_TOP = re.compile(
    r"\b(?:the )?(?:top|(?P<bottom>bottom)) (?P<count>[0-9]{1,3}|two|three|four|five|six|seven"
    r"|eight|nine|ten)\b|前(?P<han>[两二三四五六七八九十]|[0-9]{1,3})(?:名|大|位|个)?",
)


# "The four largest", "the five shops with the most visitors", 最大的三个.
_FIRST_FEW = re.compile(
    rf"\b(?P<count>{_COUNTS}) (?:\w+ (?:with|that have|mit) (?:the|den|der|dem) )?"
    rf"(?:(?P<most>(?:{_MOST}|busiest|longest|most|größten|höchsten|meisten|längsten|bevölkerungsreichsten)\b)"
    rf"|(?P<bottom>(?:{_LEAST}|least|shortest|kleinsten|wenigsten|kürzesten)\b))"
    r"|最(?:(?P<han_most>[大高多长])|(?P<han_least>[小低少短]))的?(?P<han>[两二三四五六七八九十]|[0-9]{1,2})[个大张份条家座种款部位项]",
)
_THAT_ORDER = re.compile(
    r"\bin (?:that|this|the same|exactly that|just that) order\b"
    r"|\bin (?:dieser|genau dieser|der genannten) Reihenfolge\b|[按依](?:此|这个|上述)?顺序",
    re.IGNORECASE,
)
# Words of which each such phrase has one.
_BEST = frozenset(("best", "beste", "besten", "gut", "最佳", "最好", "最匹配", "最符合"))
_ORDERS = ("order", "reihenfolge", "顺序")


def judge_ranks(
    context: PassageContext, known: Knowledge, rankings: Sequence[Ranking], found: Found
) -> None:
    """Judge the places that a passage gives to what it names.

    Args:
        context: the passage.
        known: what the records hold.
        rankings: their orders.
        found: what statements say of it, to which this adds.
    """
    held = fitting(rankings, context, known) if rankings else []
    text, small = context.contexts.reading.text, context.contexts.reading.small
    span = context.passage.start, context.passage.end
    claims, taken = found.claims, found.taken
    for cue in _FIRST_FEW.finditer(small, *span):
        few = _of_first(cue, context, held)
        found.few.append((*cue.span(), few is not None))
        if few is not None:
            taken += [cue.span(), *spans_of({one.lower() for one in scope_names(few)}, context)]
            taken += [(a.start, a.end) for a in context.entities if few.place_of(a.keys)]
    is_ordered = any(word in small[slice(*span)] for word in _ORDERS)
    for said in _THAT_ORDER.finditer(text, *span) if is_ordered else ():
        places = (_places(one, context.entities) for one in held)
        if found.ordered or any(own == _row(own) for own in places if len(own) > 1):
            taken.append(said.span())
        else:
            found.foreign.append(said.span())  # no record has them so
    _judge_places(context, known, held, found)
    if not held:
        return
    for cue in _TOP.finditer(small, *span):
        outcome = _are_top(cue, context, held)
        found.few.append((*cue.span(), bool(outcome)))
        if outcome:
            taken.append(cue.span())
        elif outcome is False:
            ranking = held[0]
            detail = "the record has others first"
            said, id_ = text[slice(*cue.span())], ranking.evidence_id
            claims.append(Claim(said, "statement", "contradicted", id_, detail, *cue.span()))


def _judge_places(
    context: PassageContext, known: Knowledge, held: Sequence[Ranking], found: Found
) -> None:
    """Judge the places that a passage gives to things, by orders that fit it."""
    text = context.contexts.reading.text
    span = context.passage.start, context.passage.end
    for cue in _RANK.finditer(context.contexts.reading.small, *span):
        anchor = _subject(context, cue)
        if _NO_PLACE.match(text, cue.end()) or anchor is None or _enumerates(text, cue, span[0]):
            continue
        outcome = _is_placed(cue, anchor, held)
        open_ = not outcome and not _is_of_kind(cue)
        among = _of_answers(context, known, anchor) if open_ else list[Ranking]()
        if outcome is None and {one.place_of(anchor.keys) for one in among} == {_place(cue)}:
            outcome = True
        ahead = [one.keys for one in _ahead(context, cue)]
        own = [one for one in (*held, *among) if one.place_of(anchor.keys) == _place(cue)]
        if any(one.place_of(keys) != _place(cue) - 1 for keys in ahead[-1:] for one in own):
            outcome = None
        if outcome and _is_as_near(cue, anchor, [*held, *among], known):
            found.taken.append(cue.span())
        elif outcome is False and all(is_measured(one, context, known) for one in held):
            found.claims.append(_wrong(text, cue.span(), anchor, held))


def _places(ranking: Ranking, anchors: Sequence[Anchor[str]]) -> list[int]:
    """Return the places in an order of some things, as they are named, each once."""
    return list(dict.fromkeys(at for a in anchors if (at := ranking.place_of(a.keys))))


def _row(places: Sequence[int]) -> list[int]:
    """Return as many places as there are, one behind the other from the first of them."""
    return list(range(places[0], places[0] + len(places)))


def _of_first(
    cue: re.Match[str], context: PassageContext, held: Sequence[Ranking]
) -> Ranking | None:
    """Return an order of which a passage, or what stands under it, names just so many first."""
    raw = (cue["count"] or cue["han"]).casefold()
    count = _number(raw)
    anchors = context.listed or context.entities
    is_least = bool(cue["bottom"] or cue["han_least"])
    for one in held:
        measured = is_measured(one, context, context.contexts.known)
        if one.descending == is_least or count > len(one.members) or not measured:
            continue
        if _places(one, anchors) == [*range(1, count + 1)]:
            return one
    return None


# The number of an item ends within so many characters before it.
_MARKER = 8
_NUMBER_OF_ITEM = re.compile(r"[0-9][.)、）]\s{0,4}$")


def told_in_another_order(context: PassageContext) -> Iterator[Span]:
    """Yield "the four largest" where no recorded property has what is named in that order.

    So is the first item of a list that numbers nothing but names, and says no more.
    """
    small, passage = context.contexts.reading.small, context.passage
    for cue in _FIRST_FEW.finditer(small, passage.start, passage.end):
        named = context.listed or [one for one in context.entities if one.start >= cue.end()]
        things = [*dict.fromkeys(one.keys for one in named or context.entities)]
        if len(things) != _number((cue["count"] or cue["han"]).casefold()):
            continue
        if _in_no_order(context, things):
            low, high = cue.span()
            yield from ((w.start, w.end) for w in context.words if low <= w.start < high)
    items = context.contexts.reading.passages
    before = (small[max(0, one.start - _MARKER) : one.start] for one in items)
    if passage is items[0] and len(items) > 1 and all(map(_NUMBER_OF_ITEM.search, before)):
        told = [context.contexts.of(one) for one in items]
        bare = all(len(one.entities) == 1 and not one.quantities for one in told)
        if bare and _in_no_order(context, [one.entities[0].keys for one in told]):
            yield passage.start, passage.end


def _in_no_order(context: PassageContext, things: Sequence[frozenset[str]]) -> bool:
    """Whether some properties are recorded of all of some things, and none has them in order."""
    orders: dict[object, dict[int, Decimal]] = {}
    for fact in rows(context.contexts.known, things=frozenset[str]().union(*things)):
        at = next((at for at, keys in enumerate(things) if fact.entities & keys), -1)
        own = orders.setdefault((fact.names, fact.value.unit, fact.periods), {})
        own[at] = max(fact.number or Decimal(0), own.get(at, Decimal(0)))
    turns = [[own[at] for at in sorted(own)] for own in orders.values()]
    whole = [turn for turn in turns if len(turn) == len(things)]
    return bool(whole) and not any(turn in (sorted(turn), sorted(turn)[::-1]) for turn in whole)


def _subject(context: PassageContext, cue: re.Match[str]) -> Anchor[str] | None:
    """The thing that a place is given to: the last one named before it, else the next one."""
    start, end = context.clause(cue.start())
    led = _ahead(context, cue)
    named = [one for one in context.entities if one not in led]
    before = [one for one in named if start <= one.start and one.end <= cue.start()]
    behind = [one for one in named if cue.end() <= one.start < end]
    return before[-1] if before else behind[0] if behind else None


def _ahead(context: PassageContext, cue: re.Match[str]) -> list[Anchor[str]]:
    """Return the things that a clause says to have the place before: "after China"."""
    start, end = context.clause(cue.start())
    text = context.contexts.reading.text
    return [
        one
        for one in context.entities
        if start <= one.start < end and is_before_it(text, one.start)
    ]


def _of_answers(context: PassageContext, known: Knowledge, anchor: Anchor[str]) -> list[Ranking]:
    """The orders within answers that a passage may speak of: by what it names, else its figure."""
    orders = [*known.rankings, *known.once(ranked_values)]
    fit = fitting(orders, context, known)
    held = [one for one in fit if one.place_of(anchor.keys)]
    if any(other.keys & one.names for one in held for other in context.names):
        return held
    told = [quantity.value for quantity in context.quantities]
    return [one for one in held if any(is_value_of(known, one, anchor.keys, n) for n in told)]


def _enumerates(text: str, cue: re.Match[str], start: int) -> bool:
    """Whether a word opens a sentence and tells of no place: "Second, it is larger"."""
    return not text[start : cue.start()].strip() and text.startswith(",", cue.end())


def _is_of_kind(cue: re.Match[str]) -> bool:
    """Whether a place is one among all of a kind: "the second largest"."""
    return any(cue[one] for one in ("most", "least", "han_most", "han_least"))


def _is_as_near(
    cue: re.Match[str], anchor: Anchor[str], held: Sequence[Ranking], known: Knowledge
) -> bool:
    """Whether a close second is close to the first, and a distant one is not."""
    if not cue["near"]:
        return True
    place = _place(cue)
    own = [one for one in held if one.place_of(anchor.keys) == place]
    near = [lies_close(known, one, place) for one in own]
    return bool(near) and all(one is (cue["near"] == "close") for one in near)


def _number(raw: str) -> int:
    """Return the number that an ordinal or a number says, or 0."""
    return place_at(raw) or int(parse_number(raw) or 0)


def _place(cue: re.Match[str]) -> int:
    raw = (cue["word"] or cue["digits"] or cue["han"]).casefold()
    digits = re.match(r"[0-9]+", raw)
    return int(digits[0]) if digits else _number(raw)


def _is_placed(cue: re.Match[str], anchor: Anchor[str], held: Sequence[Ranking]) -> bool | None:
    place = _place(cue)
    keys = anchor.keys
    most, least = cue["most"] or cue["han_most"], cue["least"] or cue["han_least"]
    outcomes: list[bool] = []
    for ranking in held:
        own = ranking.place_of(keys)
        if own is None or (most and not ranking.descending) or (least and ranking.descending):
            continue
        outcomes.append(own == place)
    if not place or not outcomes:
        return None
    return any(outcomes)


def _are_top(cue: re.Match[str], context: PassageContext, held: Sequence[Ranking]) -> bool | None:
    """Whether a passage names just the first members of a ranking."""
    raw = (cue["count"] or cue["han"]).casefold()
    count = _number(raw)
    listed = context.listed
    outcomes: list[bool] = []
    for ranking in held:
        if ranking.descending == bool(cue.groupdict().get("bottom")):
            continue
        places = _places(ranking, listed or context.entities)
        if len(places) == count <= len(ranking.members):
            outcomes.append((places if listed else sorted(places)) == list(range(1, count + 1)))
    return any(outcomes) if outcomes else None


def _wrong(text: str, span: Span, anchor: Anchor[str], held: Sequence[Ranking]) -> Claim:
    keys = anchor.keys
    ranking = next(one for one in held if one.place_of(keys) is not None)
    detail = f"the record has it in place {ranking.place_of(keys)}"
    shown = text[slice(*span)].strip()
    return Claim(shown, "statement", "contradicted", ranking.evidence_id, detail, *span)


def is_best_match(proof: Proof, word: Word) -> bool:
    """Whether "best" is said of what a search for a label found first, and of no other it found."""
    if not any({token.key, token.lemma} & _BEST for token in word.tokens):
        return False
    text = proof.text[slice(*proof.context.clause(word.start))].casefold()
    passage = proof.context.passage
    whole = proof.text[passage.start : passage.end].casefold()
    for number in proof.known.by_kind.get("order", ()):
        one = proof.known.statements[number].statement
        called = [[name.casefold() for name in names] for names in (one.predicate, *one.objects)]
        if "match" not in one.predicate:
            continue
        is_match = any(_names(name, whole) for name in called[0])
        # "The best of the three matches for SHACL is SHACL" names one that is found within others.
        others = [
            name
            for names in called[2:]
            for name in names
            if _names(name, text) and not any(name in first for first in called[1])
        ]
        return is_match and any(_names(name, text) for name in called[1]) and not others
    return False


def _names(name: str, text: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(name)}(?:s|es)?(?![a-z])", text) is not None
