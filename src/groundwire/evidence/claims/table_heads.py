"""Heads of columns: the name of a field, and the unit of the figures under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import COUNTED
from groundwire.evidence.claims.explained_words import is_kind
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.stated_number import UNIT_OF_HEADER, units_of_head
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language.glossary import is_field
from groundwire.quantities import Quantity, resolve_unit
from groundwire.vocabulary.fold import fold_word

# How far behind a lead the first two lines of its table may reach.
_HEAD_LENGTH = 2_000
_RULE = frozenset("|:- \t")
_BRACKETS = ("()", "（）")
# Operations of plain values: none at all, or the formula of their metric.
_LEVELS = frozenset(("", "formula"))
# A column of labels may be headed by words of these roles.
_HEADS = frozenset(("time", "order", "set_noun", "unit_noun"))
_FIELDS = frozenset[str](map(fold_word, cue_tables()["fields"]))


def heads_column(word: Word, known: Knowledge, is_named: bool = False) -> bool:
    """Whether a word may head a column of labels: it says what they are, and nothing of them.

    What any answer counts may do so where a recorded kind is called so: "map" of "hdmap".

    Args:
        word: the word.
        known: what the records hold.
        is_named: whether a name stands beside it, of which a field says more: "Portugal, area".
    """
    said = fold_word(word.text)
    if names_kind(word, known):
        return True
    role = word.role
    return (role is not None and (role.role in _HEADS or said in _FIELDS)) or (
        is_field(said) and not is_named
    )


def names_kind(word: Word, known: Knowledge) -> bool:
    """Whether a word says of what kind recorded things are: "map" of those of an "hdmap"."""
    said = fold_word(word.text)
    counted = said in COUNTED and any(said in one for one in known.once(_domains))
    return is_kind(word, known.kinds) or counted


def _domains(known: Knowledge) -> frozenset[str]:
    """Return the kinds of things that answers were asked for, and those in their IRIs."""
    conditions = (c for one in known.statements for c in one.statement.conditions)
    own = (c for c in conditions if "domain" in c.predicate)
    values = {f.value.entity_iri for f in known.facts.all if f.value.entity_iri is not None}
    paths = (iri.split("/")[-2] for iri in values if "/" in iri)
    named = (name for c in own for names in c.objects for name in names)
    return frozenset(map(key_of, (*paths, *named)))


def is_headed_by_unit(context: PassageContext) -> bool:
    """Whether the head of a cell's column is a unit alone, which calls no property."""
    text, known = context.contexts.reading.text, context.contexts.known
    heads = (
        text[slice(*scope.span)].strip(" *_") for scope in context.passage.scopes if scope.hard
    )
    return any(
        read.unit is not None
        for head in heads
        if (whole := UNIT_OF_HEADER.fullmatch(head)) and whole[1] == head
        for read in units_of_head(head, known)
    )


def unit_of_head(
    text: str, passage: Passage, below: Sequence[Fact], known: Knowledge
) -> Iterable[Span]:
    """Where a header has the unit or scale in which the figures under it were read."""
    for match in UNIT_OF_HEADER.finditer(text[passage.start : passage.end]):
        for read in units_of_head(match[1], known):
            unit = resolve_unit(read.unit) if read.unit else None
            is_read = read.unit is not None or read.value != 1
            if is_read and any(unit is None or unit == fact.unit for fact in below):
                yield passage.start + match.start(), passage.start + match.end()


def is_scale_of_head(quantity: Quantity, context: PassageContext) -> bool:
    """Whether number words in the brackets of a head tell its scale: "GDP（十亿美元）"."""
    text, (start, end) = context.contexts.reading.text, quantity.span
    if (
        context.passage.kind != "cell"
        or text[start - 1 : end + 1 : end - start + 1] not in _BRACKETS
    ):
        return False
    below = text[text.find("\n", end) + 1 :].split("\n", 1)[0]
    is_head = below.startswith("|") and not set(below) - _RULE
    return is_head and quantity.words and set(f"{quantity.value:f}"[1:]) == {"0"}


def told_by_head(text: str, passage: Passage, words: Sequence[Word]) -> Iterable[Span]:
    """Where the lead of a table says how a column is headed: "Their capitals are:"."""
    if not text[passage.start : passage.end].rstrip(" *_").endswith((":", "：")):
        return
    head, *behind = text[passage.end : passage.end + _HEAD_LENGTH].lstrip().split("\n", 2)
    if not head.startswith("|") or not behind or "|" not in behind[0] or set(behind[0]) - _RULE:
        return
    heads = {key_of(cell.strip(" *_`")) for cell in head.strip(" |").split("|")}
    for word in words:
        if {key_of(word.text), *(key_of(token.lemma) for token in word.tokens)} & heads:
            yield word.start, word.end


def untold_cell(context: PassageContext) -> list[Word]:
    """Return the words of a cell that has nothing else, and that no value of its row explains.

    A word that adds no fact to a sentence is all that such a cell tells: "left", "mine".
    """
    words = [word for word in context.words if word.kind != "sign"]
    if context.passage.corner is None or not words:
        return []
    text, contexts = context.contexts.reading.text, context.contexts
    spans = [scope.span for scope in context.passage.scopes if scope.hard]
    things = frozenset(key for span in spans for one in contexts.entities(span) for key in one.keys)
    heads = {key for span in spans for one in contexts.names(span) for key in one.keys}
    said = frozenset(words_of(text[context.passage.start : context.passage.end]))
    is_told = any(
        fact.value.kind == "name"
        and said <= frozenset(words_of(fact.value.value))
        and (not heads or fact.names & heads)
        for fact in contexts.known.about(things)
    )
    return [] if is_told else words


def numbers_rows(context: PassageContext) -> bool:
    """Whether the cells under a head are 1, 2, 3 of the things that have most of a headed value."""
    text, contexts, cell = context.contexts.reading.text, context.contexts, context.passage
    start, end = text.rfind("\n", 0, cell.start) + 1, text.find("\n\n", cell.end)
    column, things = text[start : cell.end].count("|"), list[frozenset[str]]()
    head, _, *rows = text[start : end if end >= 0 else len(text)].split("\n")
    at = text.find("\n", text.find("\n", cell.end) + 1) + 1
    for number, row in enumerate(rows, 1):
        named = contexts.entities((at, at + len(row)))
        cells = row.split("|")
        if len(cells) <= column or cells[column].strip(" *_.") != str(number) or not named:
            return False
        things.append(named[0].keys)
        at += len(row) + 1
    span = start, start + len(head)
    names = {key for one in contexts.names(span) for key in one.keys}
    times = {key for one in contexts.dated(span) for key in one.keys}
    orders: dict[object, dict[frozenset[str], Fact]] = {}
    for fact in contexts.known.facts.numbers():
        is_plain = fact.entities and fact.operation in _LEVELS and fact.number is not None
        if is_plain and fact.names & names and (not times or fact.periods & times):
            order = fact.names, fact.value.unit, fact.periods
            orders.setdefault(order, {})[fact.entities] = fact
    sorted_ = (sorted(own.values(), key=lambda one: -(one.number or 0)) for own in orders.values())
    return len(things) > 1 and any(
        len(facts) >= len(things)
        and all(one & fact.entities for one, fact in zip(things, facts, strict=False))
        for facts in sorted_
    )
