"""The conditions of a question: clauses that begin with a property, a figure or a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection

from groundwire.agents.ontology_search_agent.bounds import read_bound
from groundwire.agents.ontology_search_agent.choosing import NAMING, Scope
from groundwire.agents.ontology_search_agent.listing import Figures, ValueList
from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.vocabulary import Meant
from groundwire.agents.ontology_search_agent.words import (
    CONTAINING,
    HAVING,
    PERSONAL,
    PREPOSITIONS,
    RELATIVES,
)


class Clauses(Figures, ABC):
    """Reads conditions into the scopes of a chooser."""

    def name_clause(self, at: int) -> int | None:
        """Read a condition on the name of assets ("maps named Berlin"), or return None.

        A name is searched by a part of it.
        """
        item = self.items[at]
        leads = item.does("named") is not None
        start = at + 1 if leads else at
        behind = self._text_end(start)
        if behind == start:
            if leads and not item.named:
                self.chooser.gap(item.text, "ambiguous")
            return at + 1 if leads and not item.named else None
        if not leads:
            closes = behind < len(self.items) and self.items[behind].does("in_name")
            if not closes:
                return None
        scope = next((one for one in self.chooser.current.chain() if one.domains), self.main)
        words = self.text(self.items[start:behind])
        said_not = self.negated is not None
        if said_not:
            self.chooser.gap(self.span(at, behind), "unsupported")
        elif not self.muted:
            held = {
                meant.key
                for meant in self.chooser.vocabulary.properties
                if not scope.domains or meant.domain in scope.domains
            }
            key = next((one for one in NAMING if one in held), NAMING[0])
            scope.add_values(key, [words], "contains")
        return behind if leads else behind + 1

    def _text_end(self, at: int) -> int:
        """The position behind a text: one in quotes, or the words before the next small word."""
        if at < len(self.items) and self.items[at].quoted:
            return at + 1
        while at < len(self.items) and not self.items[at].functions and not self.items[at].quoted:
            at += 1
        return at

    def leads_to_kind(self, at: int) -> bool:
        """Whether a property only leads to a kind of asset: "used by a rainy scenario"."""
        place = at + 1
        back = place < len(self.items) and self.items[place].text.lower() in PERSONAL
        if back and at and self.domains_of(self.items[at - 1]) - set(self.main.domains):
            # "a trace recorded on them"
            return True
        while place < len(self.items):
            item = self.items[place]
            if self.domains_of(item):
                return self._refers(place)
            describes = item.unknown or (item.named.values and not item.named.properties)
            if not (describes or item.does("filler", "not", "from", "in", "as")):
                return False
            place += 1
        return False

    def property_clause(self, at: int) -> int:
        """A property with what is said of it, behind it."""
        item = self.items[at]
        place, negated = self.introduced(at + 1)
        candidates = item.named.properties
        kinds = {self.vocabulary.properties[meant].kind for meant in candidates}
        listed = self.value_list(place, candidates)
        found = self.chooser.property(
            candidates, item.text, (lambda meant: meant in listed.labels) if listed else None
        )
        if found is None:
            bound = read_bound(self.items, place, dates="date" in kinds, figures=True)
            behind = (bound[1] if bound else at + 1, listed.behind if listed else at + 1)
            return max(behind)
        scope, meant = found
        kind = self.vocabulary.properties[meant].kind
        said_not = (self.negated is not None) != negated
        is_level = meant in self.vocabulary.levels
        bound = read_bound(
            self.items, place, dates=kind == "date", figures=kind == "number" or is_level
        )
        bound = self.bound_of_level(bound) if is_level else bound
        if bound is not None:
            self._bounded(scope, meant, bound[0], said_not, self.span(at, bound[1]))
            return bound[1]
        if listed and meant in listed.labels:
            self._add(scope, meant, listed, said_not, self.span(at, listed.behind))
            return listed.behind
        if kind == "boolean":
            return self._truth(at, place, scope, meant, said_not)
        if self._summarised(at, scope, meant, said_not=said_not):
            return at + 1
        behind = self._raw(at, place, scope, meant, said_not) if kind == "term" else None
        if behind is not None:
            return behind
        if not said_not and self._refers(place):
            return place
        self._existing(at, scope, meant, said_not)
        return place if negated else at + 1

    def _existing(self, at: int, scope: Scope, meant: Meant, said_not: bool) -> None:
        """A property of which nothing is said is there, or is not."""
        owned = at > 1 and self.items[at - 1].text.lower() in ("their", "its", "ihre", "ihren")
        before = self.items[at - 1 - owned].text.lower() if at else ""
        kind = self.vocabulary.properties[meant].kind
        # In "traces recorded with lidar", "maps that feature rain" the property is only a verb.
        verb = kind == "date" or bool(self.items[at].functions)
        near = self.items[at - 1].text.lower() if at else ""
        if self.is_summarised(meant) and not said_not:
            return
        demanded = said_not or before in HAVING or self._is_demanded(at)
        if self.muted or (verb and not demanded and near not in RELATIVES):
            self.chooser.verb = meant if kind == "date" else self.chooser.verb
            return
        if not (
            demanded or (self.past_small(at + 1) >= len(self.items) and self._is_behind_kind(at))
        ):
            # A mention is no demand: what is wanted of it was not understood.
            self.chooser.gap(self.items[at].text, "ambiguous")
            return
        if self.vocabulary.is_count(meant, self.items[at].tokens):
            # "no traffic lights" are none of them, however that is stored.
            scope.add_range(meant.key, {"max": 0} if said_not else {"min": 1})
        else:
            scope.add_exists(meant.key, not said_not)

    def _is_demanded(self, at: int) -> bool:
        """Whether what stands around a property says that it is to be there.

        Before any kind of asset it may be what is asked for: "which licences are there?".
        """
        behind = at + 1
        if at and self.is_stated(at - 1):
            return True
        while behind < len(self.items) and self.items[behind].does("copula", "filler"):
            if self.is_stated(behind):
                return True
            behind += 1
        if self.is_stated(behind):
            return True
        following = self.items[at + 1 : at + 2]
        if self.items[at].tokens[-1].split and any(map(self.domains_of, following)):
            # A part of a compound, as in "Stadtkarten", describes the kind in some other way.
            return False
        before = self.before(at)
        joined = before is not None and before.does("and", "or") is not None
        return joined or not any(self.domains_of(item) for item in self.items[:at])

    def _is_behind_kind(self, at: int) -> bool:
        """Whether a kind of asset, with values at most, stands before: "Aachen maps provider"."""
        while at and not self.domains_of(self.items[at - 1]):
            at -= 1
            if not (self.items[at].named.values or self.items[at].does("filler")):
                return False
        return at > 0

    def _refers(self, at: int) -> bool:
        """Whether a property only leads to the assets behind it: "maps used by scenarios"."""
        if at >= len(self.items):
            return False
        ways = self.vocabulary.connected(self.main.domains[0]) if self.main.domains else ()
        return bool(self.domains_of(self.items[at]) & set(ways))

    def _truth(self, at: int, place: int, scope: Scope, meant: Meant, said_not: bool) -> int:
        item = self.items[place] if place < len(self.items) else None
        said = item.does("true", "false") if item is not None else None
        if said is None:
            self._valued(scope, meant, [not said_not], "any_of")
            return at + 1
        if said_not:
            self.chooser.gap(self.span(at, place + 1), "ambiguous")
            return place + 1
        self._valued(scope, meant, [said.role == "true"], "any_of")
        return place + 1

    def _raw(self, at: int, place: int, scope: Scope, meant: Meant, said_not: bool) -> int | None:
        """A value that the vocabulary does not know: the server corrects it, or asks."""
        text = self._text_of(place, meant)
        if text is not None:
            start, behind, ends = text
            words = self.text(self.items[start:behind])
            if said_not:
                self.chooser.gap(self.span(at, behind), "unsupported")
            else:
                self._valued(scope, meant, [words], "contains")
            return ends
        behind = place
        while behind < len(self.items) and (
            self.items[behind].unknown or self.items[behind].quoted
            or _is_code(self.items[behind])
            or (behind > place and self.items[behind].number)
        ):  # fmt: skip
            behind += 1
        if behind == place and place < len(self.items):
            item = self.items[place]
            following = self.items[place + 1] if place + 1 < len(self.items) else None
            loose = following is None or not (following.named or following.does("more", "less"))
            if item.number and not item.unit and loose:
                behind = place + 1
        if behind == place:
            return None
        words = self.text(self.items[place:behind])
        self._valued(scope, meant, [words], "none_of" if said_not else "any_of")
        return behind

    def _text_of(self, at: int, meant: Meant) -> tuple[int, int, int] | None:
        """A text that a free property contains: "whose name contains Berlin".

        Returns:
            Where the text begins, the position behind it, and behind the verb; or None.
        """
        if self.vocabulary.properties[meant].listed:
            return None
        leads = at < len(self.items) and self.items[at].text.lower() in CONTAINING
        start = at + 1 if leads else at
        behind = self._text_end(start)
        if behind == start:
            return None
        if leads:
            return start, behind, behind
        closes = behind < len(self.items) and self.items[behind].text.lower() in CONTAINING
        return (start, behind, behind + 1) if closes else None

    def _summarised(self, at: int, scope: Scope, meant: Meant, *, said_not: bool) -> bool:
        """Whether one figure of all assets is asked of a property: "the total length of maps"."""
        function = self.function_of(at)
        numeric = self.vocabulary.properties[meant].kind == "number"
        if not function or not numeric or said_not or self.muted:
            return False
        self.summarise(function, scope, meant, self.items[at].text)
        return True

    @abstractmethod
    def function_of(self, at: int) -> str:
        """The function of many values that is asked of the property at an item, or empty."""

    @abstractmethod
    def is_summarised(self, meant: Meant) -> bool:
        """Whether one figure of a property is asked for."""

    @abstractmethod
    def summarise(self, function: str, scope: Scope, meant: Meant, text: str) -> None:
        """Ask for one figure of all assets."""

    def value_clause(self, at: int) -> int:
        """Values, each of the one property that has it."""
        item = self.items[at]
        listed = self.value_list(at, None)
        if listed is None:
            self.chooser.gap(item.text, "unmapped")
            return at + 1
        if self._describes(at, listed):
            return at + 1
        text = self.span(at, listed.behind)
        behind, candidates = self._as_property(listed)
        written = {meant for meant in candidates if listed.labels[meant] == [text]}
        found = self.chooser.values(candidates, text, written)
        if found is None:
            return behind
        denied = behind == listed.behind and self.is_denied(behind)
        behind += denied
        self._add(*found, listed, (self.negated is not None) != denied, text)
        following = self.items[behind] if behind < len(self.items) else None
        if following is not None and not following.named.properties:
            # "HOV lanes": the noun says again which property has the value.
            behind += self.vocabulary.is_part(found[1], following.tokens)
        return behind

    def _describes(self, at: int, listed: ValueList) -> bool:
        """Whether a value is rather a word for the next one's property: "weather rain"."""
        if listed.behind != at + 1 or listed.behind >= len(self.items):
            return False
        following = self.items[listed.behind]
        return not following.functions and any(
            self.vocabulary.is_part(Meant(value.domain, value.key), self.items[at].tokens)
            for value in following.named.values
            if [value.domain] == self.chooser.current.domains[:1]
        )

    def _as_property(self, listed: ValueList) -> tuple[int, Collection[Meant]]:
        """Values may be followed by their property: "rain or fog as weather"."""
        place = self.past_small(listed.behind)
        while place < len(self.items) and self.items[place].text.lower() in PREPOSITIONS:
            # "with the value MIT for the licence"
            place = self.past_small(place + 1)
        if place < len(self.items):
            named = self.items[place].named.properties
            held = {meant for meant in listed.labels if meant in named}
            following = place + 1
            free = following >= len(self.items) or not self.leads_on(following)
            if held and free:
                return following, held
        return listed.behind, set(listed.labels)

    def is_value_of_next(self, at: int) -> bool:
        """Whether a name is rather the value of the property behind it: "Tag als Tageszeit"."""
        listed = self.value_list(at, None)
        return listed is not None and self._as_property(listed)[0] > listed.behind

    def _add(
        self, scope: Scope, meant: Meant, listed: ValueList, said_not: bool, text: str
    ) -> None:
        if listed.mixed or (said_not and self.both):
            # "rain and fog or snow", "not both rain and fog": which of them is said in no slot.
            self.chooser.gap(text, "ambiguous" if listed.mixed else "unsupported")
            return
        self._valued(scope, meant, listed.labels[meant], "none_of" if said_not else listed.how)


def _is_code(item: Item) -> bool:
    """Whether a small word is written as a code, as the licence MIT differs from German "mit"."""
    said = bool(item.functions) and all(one.role == "filler" for one in item.functions)
    return said and len(item.text) > 1 and item.text.isupper()
