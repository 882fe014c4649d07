"""Every word of a question is accounted for: used, only grammar, or told as not used.

The walk over a question may pass over a name that it has no place for. What a step read without
any trace in the reading is noted here, and told unless it only repeats what was said.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.agents.ontology_search_agent.arranging import Arranging
from groundwire.agents.ontology_search_agent.function_words import PREPOSITIONS
from groundwire.agents.ontology_search_agent.marking import Item

_POLITE = frozenset({"please", "bitte", "thanks", "danke"})


class Account:
    """The items that the steps of a reading left unused."""

    def __init__(self, reading: Arranging) -> None:
        """Begin."""
        self._reading = reading
        self._passed: list[int] = []

    def state(self) -> tuple[object, ...]:
        """All that a step can leave its trace in."""
        of = self._reading
        chooser = of.chooser
        arranged = (of.sort_key, of.order, of.count_by, of.limit, of.counting, of.top, of.aggregate)
        return (repr(of.main.sent()), len(chooser.gaps), chooser.verb, *arranged)

    def pass_over(self, start: int, behind: int) -> None:
        """Note the items of a step that changed nothing."""
        self._passed += range(start, behind)

    def unused(self) -> Iterator[str]:
        """Names and figures that were passed over and say what nothing else says."""
        said = {token.stem for at in self._used() for token in self._reading.items[at].tokens}
        for at in self._passed:
            item = self._reading.items[at]
            repeated = {token.stem for token in item.tokens} <= said
            leads = self._reading.leads_to_kind(at) and not item.named.values
            if self._has_content(item) and not (repeated or leads):
                yield item.text

    def _used(self) -> Iterator[int]:
        passed = set(self._passed)
        yield from (at for at in range(len(self._reading.items)) if at not in passed)

    def _has_content(self, item: Item) -> bool:
        """Whether an item is more than grammar; a kind of asset only says what is spoken of."""
        if item.functions or self._reading.domains_of(item):
            return False
        if self._reading.chooser.verb in item.named.properties:
            # It says which date is meant.
            return False
        return bool(item.named or item.number or item.days)


def left_at_end(reading: Arranging) -> Iterator[str]:
    """A code at either end of a question of names only: "maps mit" may ask for the MIT licence."""
    items = [item for item in reading.items if item.text.lower() not in _POLITE]
    if len(items) > 1 and items[-1].functions and _expects(items[-2], items[-1]):
        # "with rain or at", "maps with at": what is joined was no small word.
        yield items[-1].text
        return
    names = [item for item in items if item.named and not item.functions]
    if len(items) != len(names) + 1:
        return
    for item in (items[0], items[-1]):
        if item.functions and item.text.lower() in PREPOSITIONS:
            yield item.text


def _expects(before: Item, last: Item) -> bool:
    """Whether the word before the last one wants a name behind it, not a small word."""
    prepositions = {one.text.lower() for one in (before, last)} <= PREPOSITIONS
    return prepositions or before.does("or", "and") is not None
