"""Which of several alike things a claim is about: trip 2 does not take the minutes of trip 1.

Items are called by phrases ("Brixton to Bank", "first trip") that hold other names, so they are
looked for apart from these. A claim goes with the item that its own clause names, else with the
last one that its passage named before it, else with what must be read with the passage: its row,
heading or lead. Where a name that only other items have stands in between, the sentence has moved
on, and theirs may be meant as well. What names no item may be about any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.entity_linking import Mention, Names, find_mentions
from groundwire.evidence.claims.extraction import Ordered, Reading
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.options import ANY, Option, Options
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import key_of

_NOUNS = frozenset(("trip", "journey"))
_TO_END = ("to {}", "to the {}", "nach {}", "zum {}", "zur {}", "到{}", "至{}", "去{}")
_ANY: frozenset[str] = frozenset()
# What stands between two places, in the form that names are written with.
_ARROWS = str.maketrans(dict.fromkeys("→➔➜⇒–—", "-"))


class Items:
    """Where a draft names the items of the records."""

    def __init__(self, reading: Reading, known: Knowledge) -> None:
        names = known.once(_names_of_items)
        text = reading.text.translate(_ARROWS)
        found = find_mentions(text, reading.words, names, ()) if names.by_key else []
        self._anchors = Ordered(
            (one.start, Anchor(one.start, one.end, frozenset(one.named.names))) for one in found
        )

    def within(self, span: Span) -> list[Anchor[str]]:
        """Items that are named in a span."""
        return self._anchors.within(span)


def _names_of_items(known: Knowledge) -> Names:
    """Return every name by which a draft may call an item."""
    names = Names()
    called = [(name, name) for name in known.items]
    for name, key in (*called, *_worded(known.items)):
        if (named := names.add(name)) is not None:
            named.names.add(key_of(key))
    turned = ((name, frozenset((key_of(name),))) for name in _turned(known.items))
    for name, keys in (*_by_end(known), *turned):
        named = names.add(name)
        if named is not None and not named.names:
            named.names |= keys  # those of a turned name are a way that no item goes
    return names


def _worded(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Ways in the words of other languages: "von Brixton nach Bank", 从Brixton到Bank."""
    for name in names:
        start, _, end = name.partition(" to ")
        if end and key_of(start) not in _NOUNS:
            yield f"{start} nach {end}", name
            yield f"{start}到{end}", name
            yield f"{start}至{end}", name


def _by_end(known: Knowledge) -> Iterator[tuple[str, frozenset[str]]]:
    """Ways by where they end: "to Bank" is the one of several journeys that ends at Bank."""
    items = {fact.value.item.names for fact in known.facts.all if fact.value.item is not None}
    ends: dict[str, set[tuple[str, ...]]] = {}
    for names in items:
        for name in names:
            _, joint, end = name.partition(" to ")
            if joint:
                ends.setdefault(end, set()).add(names)
    for end, ways in ends.items():
        if len(ways) == 1 and len(items) > 1:
            keys = frozenset(key_of(name) for names in ways for name in names)
            for form in _TO_END:
                yield form.format(end), keys


def _turned(names: Iterable[str]) -> Iterator[str]:
    """Ways in the other direction: "Bank to Brixton" of "Brixton to Bank"."""
    for name in names:
        for joint in (" to ", " - "):
            start, _, end = name.partition(joint)
            if end and key_of(start) not in _NOUNS:
                yield f"{end}{joint}{start}"


def meant(
    items: Items,
    passage: Passage,
    claim: int,
    clause: Span,
    claims: Sequence[int],
    mentions: Sequence[Mention],
) -> frozenset[str]:
    """Names of the items that a claim may be about; none where nothing says.

    Args:
        items: where the draft names items.
        passage: the passage of the claim.
        claim: where the claim begins.
        clause: the clause that it stands in.
        claims: where the claims of its sort begin in the passage.
        mentions: other known names in the passage.
    """
    named = items.within((passage.start, passage.end))
    if not named:
        return _above(items, passage)
    if len(named) > 1 and claims and named[-1].start < claims[0]:
        # "A to B and B to C take 20 and 15 minutes": which is whose, only their order says.
        return frozenset[str]().union(*(one.keys for one in named))
    own = [one for one in named if clause[0] <= one.start < clause[1]]
    before = [one for one in own or named if one.start <= claim]
    if before:
        last = before[-1]
        return last.keys | _moved_on(last, claim, mentions)
    return own[0].keys if own else _above(items, passage)


def since(items: Items, passage: Passage, claim: int) -> int:
    """Where a passage began to speak of the item that it speaks of at a claim."""
    named = items.within((passage.start, claim))
    several = len({one.keys for one in named}) > 1
    return named[-1].end if several else passage.start


def names_item(fact: Fact) -> bool:
    """Whether a value is a part of what its item is called, such as an end of a trip."""
    item = fact.value.item
    return item is None or any(key_of(fact.value.value) in key_of(name) for name in item.names)


def allows(names: frozenset[str], fact: Fact) -> bool:
    """Whether a fact may be meant by a claim about items of these names."""
    item = fact.value.item
    if item is None or not names:
        return True
    return any(key_of(name) in names for name in (*item.names, *item.pieces))


def _above(items: Items, passage: Passage) -> frozenset[str]:
    """The items that are named over a passage which must be read with it."""
    for scope in passage.scopes:
        if scope.hard and (named := items.within(scope.span)):
            return frozenset[str]().union(*(one.keys for one in named))
    return _ANY


def _moved_on(last: Anchor[str], claim: int, mentions: Sequence[Mention]) -> frozenset[str]:
    """Items that names between an item and a claim belong to, where the item has no such name."""
    more: set[str] = set()
    for mention in mentions:
        if last.end <= mention.start < claim:
            # A line that only another item has says nothing: it may be the very mistake.
            items = [fact.value.item for fact in mention.named.values if names_item(fact)]
            keys = {key_of(name) for item in items if item for name in item.names}
            if keys and None not in items and not keys & last.keys:
                more |= keys
    return frozenset(more)


@dataclass(frozen=True, slots=True)
class Meant:
    """The items that a claim may be about, and which option of them.

    Attributes:
        names: names of the items; none where nothing says.
        option: what is said of the option.
        options: the options of the records.
    """

    names: frozenset[str]
    option: Option
    options: Options

    def allows(self, fact: Fact) -> bool:
        """Whether a fact may be meant."""
        return allows(self.names, fact) and (
            self.option == ANY or self.options.allows(self.option, fact)
        )
