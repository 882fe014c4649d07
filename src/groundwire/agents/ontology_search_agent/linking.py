"""The words between a property and its condition: "whose length is not above 5 km"."""

from __future__ import annotations

from groundwire.agents.ontology_search_agent.function_words import (
    ARTICLES,
    PRONOUNS,
    UNIVERSAL,
)
from groundwire.agents.ontology_search_agent.listing import Listing

_DENIALS = frozenset({"nicht", "nicht zutrifft", "nicht stimmt"})


class Linking(Listing):
    """Reads the small words behind a property."""

    def introduced(self, at: int) -> tuple[int, bool]:
        """Past what stands between a property and what is said of it; whether it negates."""
        negated = False
        while at < len(self.items):
            item = self.items[at]
            if item.does("not") and not item.does("false") and self.leads_on(at + 1):
                negated = not negated
            elif item.does("not") and self.is_stated(at + 1):
                # "whose licence is not given"
                return at + 2, not negated
            elif item.does("or") and self.opens_list(at):
                pass
            elif self.is_stated(at) and at + 1 < len(self.items) and self.items[at + 1].does("as"):
                # "whose version is given as 1.0"
                pass
            elif item.does("lacks") and self._ends(at + 1):
                # "denen eine Lizenz fehlt": what is lacked stands before.
                negated = not negated
            elif self._begins_clause(at) or item.does("named"):
                # "a licence called MIT" speaks of the licence.
                pass
            elif not self.is_small(item) or item.does("bound", "between", "from"):
                break
            at += 1
        return at, negated

    def takes_away(self, at: int) -> bool:
        """Whether a "but" takes a value away from all: "everything but rain"."""
        item = self.items[at]
        behind = at + 1
        while behind < len(self.items) and self.items[behind].text.lower() in ARTICLES:
            behind += 1
        if item.text.lower() != "but" or behind >= len(self.items):
            return False
        following = self.items[behind]
        all_of = any(one.text.lower() in UNIVERSAL for one in self.items[:at])
        said = any(
            one.number or (one.named.values and not (one.functions or one.named.domains))
            for one in self.items[:at]
        )
        return all_of and not said and bool(following.named.values and not following.functions)

    def is_denied(self, at: int) -> bool:
        """Whether a German "nicht" denies what stands before it: "die Regen nicht enthalten"."""
        if at >= len(self.items) or self.items[at].text.lower() not in _DENIALS:
            return False
        behind = at + 1
        while behind < len(self.items) and self.items[behind].does("filler", "copula", "stated"):
            behind += 1
        ends = behind >= len(self.items) or self.items[behind].does("comma", "and", "but")
        # "nicht" alone needs its verb behind it, "nicht zutrifft" has it.
        return bool(ends) and (behind > at + 1 or len(self.items[at].tokens) > 1)

    def is_stated(self, at: int) -> bool:
        """Whether a word says only that there is a value."""
        return at < len(self.items) and self.items[at].does("stated") is not None

    def _ends(self, at: int) -> bool:
        """Whether nothing follows of which a word could speak instead."""
        at = self.past_small(at)
        return at >= len(self.items) or not (
            self.items[at].named or self.items[at].unknown or self.items[at].number
        )

    def _begins_clause(self, at: int) -> bool:
        """Whether a pronoun begins what is said of a property: "a length that exceeds 5 km"."""
        if self.items[at].does("comma"):
            at += 1
        if at >= len(self.items) or self.items[at].text.lower() not in PRONOUNS:
            return False
        place = self.past_small(at + 1)
        if place >= len(self.items) or any(
            self.items[one].named.properties for one in range(at + 1, place + 1)
        ):
            return False
        compares = ("bound", "between", "after", "before", "since", "until")
        return self.items[place].does(*compares) is not None or bool(self.items[place].number)

    def leads_on(self, at: int) -> bool:
        """Whether a value or figure comes next, which "not" then negates."""
        at = self.past_small(at)
        if at >= len(self.items):
            return False
        item = self.items[at]
        return bool(
            item.named.values or item.number or item.quoted or item.unknown
            or item.does("bound", "between", "true", "false")
        )  # fmt: skip
