"""The scopes of a question, and which property, value or kind of asset a name in them stands for.

A name is read in the innermost kind of asset that has it, then in those around it, then in one that
is connected. What several things are called is never chosen among: it is a gap that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.vocabulary import (
    Meant,
    QuestionVocabulary,
)
from groundwire.agents.ontology_search_agent.words import PRICES
from groundwire.quantities import resolve_unit

Slots = dict[str, Any]

_SIDES = {"min": "low", "gt": "low", "max": "high", "lt": "high"}


@dataclass(slots=True)
class Conditions:
    """Conditions on one property."""

    any_of: list[str | bool] = field(default_factory=list[str | bool])
    all_of: list[str | bool] = field(default_factory=list[str | bool])
    none_of: list[str | bool] = field(default_factory=list[str | bool])
    contains: list[str | bool] = field(default_factory=list[str | bool])
    exists: bool | None = None

    @property
    def says_only_exists(self) -> bool:
        """Whether nothing is demanded but that there is a value, as any bound does too."""
        said = self.any_of or self.all_of or self.none_of or self.contains
        return self.exists is True and not said

    def sent(self) -> JsonValue:
        """The condition as `submit_slots` takes it."""
        parts: dict[str, Any] = {
            name: values
            for name in ("any_of", "all_of", "none_of", "contains")
            if (values := list(getattr(self, name)))
        }
        demanded = self.any_of or self.all_of or self.contains
        if self.exists is not None and not (self.exists and demanded):
            # An asset that has one of some values also has a value.
            parts["exists"] = self.exists
        if set(parts) == {"any_of"}:
            values = parts["any_of"]
            return values[0] if len(values) == 1 else values
        return parts


@dataclass(slots=True)
class Scope:
    """Assets of one kind.

    Attributes:
        domains: the kind; several for assets of any of them; none where the question names none.
        parent: the assets that refer to these, or None.
        implied: nothing but a condition that is read in them speaks of these assets.
        left_out: conditions are read and not sent, since the reference itself cannot be.
        none: no such assets must be connected.
    """

    domains: list[str] = field(default_factory=list[str])
    parent: Scope | None = None
    left_out: bool = False
    implied: bool = False
    none: bool = False
    filters: dict[str, Conditions] = field(default_factory=dict[str, Conditions])
    ranges: dict[str, dict[str, Any]] = field(default_factory=dict[str, "dict[str, Any]"])
    references: list[Scope] = field(default_factory=list["Scope"])

    @property
    def is_void(self) -> bool:
        """Whether nothing is asked of these assets."""
        said = self.filters or self.ranges or self.references
        return self.left_out or (self.implied and not said)

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def add_values(self, key: str, values: Sequence[str | bool], how: str) -> None:
        """Demand values of a property: any_of, all_of or none_of, or a text that it contains."""
        held = self.filters.setdefault(key, Conditions())
        before = len(held.any_of) == 1 or (held.all_of and not held.any_of)
        if how == "any_of" and before and len(values) == 1:
            # Two conditions on one property hold together.
            held.all_of += [*held.any_of, *values]
            held.any_of = []
            return
        getattr(held, how).extend(value for value in values if value not in getattr(held, how))

    def add_exists(self, key: str, said: bool) -> None:
        """Demand that a property has a value, or none."""
        self.filters.setdefault(key, Conditions()).exists = said

    def add_range(self, key: str, bounds: Mapping[str, Any]) -> bool:
        """Demand bounds of a property; False where another one of the same side is demanded."""
        held = self.ranges.setdefault(key, {})
        taken = {_SIDES[side] for side, value in held.items() if bounds.get(side) != value}
        if taken & {_SIDES[side] for side in bounds}:
            return False
        held.update(bounds)
        return True

    def sent(self) -> Slots:
        """Slots of `submit_slots`; of a reference, what stands in its place."""
        slots: Slots = {}
        if self.parent is not None:
            slots["domain"] = self.domains[0]
            if self.none:
                slots["none"] = True
        elif self.domains:
            slots["domains"] = list(self.domains)
        filters = {
            key: held.sent()
            for key, held in self.filters.items()
            if not (held.says_only_exists and key in self.ranges)
        }
        if filters:
            slots["filters"] = filters
        if self.ranges:
            slots["ranges"] = {key: dict(bounds) for key, bounds in self.ranges.items()}
        references = [one.sent() for one in self.references if not one.is_void]
        if references:
            slots["references"] = references
        return slots


Reason = Literal["unmapped", "ambiguous", "unsupported", "limitation"]


# They speak of several assets.
_MANY = frozenset(("they", "their", "those", "these", "all", "alle", "deren", "diese"))
# Properties that hold what an asset is called, the surest first.
NAMING = ("name", "title", "label")


@dataclass(frozen=True, slots=True)
class Gap:
    """A term that was not placed; `arranges`: it says how assets are listed, and not which."""

    term: str
    reason: Reason
    suggestions: tuple[str, ...] = ()
    arranges: bool = False


_ANGLES = ("°", "deg")


@dataclass(slots=True)
class Chooser:
    """Chooses among what names may mean.

    Attributes:
        vocabulary: of the catalogue.
        main: the assets that are searched.
        current: the innermost assets that were spoken of.
        gaps: what was not placed.
        verb: a date of the assets that was only said as a verb, or None.
    """

    vocabulary: QuestionVocabulary
    main: Scope = field(default_factory=Scope)
    current: Scope = field(default_factory=Scope)
    gaps: list[Gap] = field(default_factory=list[Gap])
    verb: Meant | None = None

    def gap(self, term: str, reason: Reason, suggestions: Iterable[str] = ()) -> None:
        """Report a term, once."""
        made = Gap(term[:200], reason, tuple(dict.fromkeys(suggestions))[:8])
        if made not in self.gaps:
            self.gaps.append(made)

    def arranging(self, since: int) -> None:
        """Note that the gaps from a position on say how assets are listed."""
        self.gaps[since:] = [replace(gap, arranges=True) for gap in self.gaps[since:]]

    def property(
        self,
        candidates: Collection[Meant],
        term: str,
        fits: Callable[[Meant], bool] | None = None,
    ) -> tuple[Scope, Meant] | None:
        """The property that a name stands for, with the assets that have it; None after a gap."""
        found = self._placed(candidates, fits)
        if found is None:
            self.gap(term, "unmapped", (f"{meant.domain}.{meant.key}" for meant in candidates))
            return None
        scope, held = found
        if len(held) > 1:
            self.gap(term, "ambiguous", (meant.key for meant in held))
            return None
        return scope, held[0]

    def values(
        self, candidates: Collection[Meant], term: str, written: Collection[Meant] = ()
    ) -> tuple[Scope, Meant] | None:
        """The property that has a value, given the properties that may; None after a gap.

        Of several the one counts that the shapes enumerate, then the one that spells it as it is
        `written`, then the name of an asset, whatever else of it repeats the name.
        """
        found = self._placed(candidates, None, listed=True)
        if found is None:
            # Nothing that is spoken of has it; what does is named.
            self.gap(term, "unmapped", (f"{meant.domain}.{meant.key}" for meant in candidates))
            return None
        scope, held = found
        listed = [meant for meant in held if self.vocabulary.properties[meant].listed]
        names = [meant for key in NAMING for meant in held if meant.key == key]
        named = names[:1] if len(names) == len(held) else []
        for better in (listed, [meant for meant in held if meant in written], named):
            held = better if len(held) > 1 and len(better) == 1 else held
        if len(held) > 1:
            self.gap(term, "ambiguous", (f'{meant.key}="{term}"' for meant in held))
            return None
        return scope, held[0]

    def measured(self, nouns: str, unit: str, term: str) -> tuple[Scope, Meant] | None:
        """The numeric property that an adjective or a unit measures; None after a gap."""
        wanted = [noun for noun in nouns.split("|") if noun]
        for scope in self.current.chain():
            if not scope.domains:
                continue
            figures = list(self.vocabulary.of_domain(scope.domains[0], ("number",)))
            held = [meant for meant in figures if not wanted or self._called(meant, wanted)]
            held = [meant for meant in held if self._is_called(meant, wanted)] or held
            # Longitude is a geografische Länge, and nothing is long by it.
            held = [one for one in held if any(map(one.key.lower().__contains__, wanted))] or held
            if unit and not held:
                # "Shorter than 30 minutes" of what is called "minutes".
                held = [meant for meant in figures if self._is_called_by_unit(meant)]
            priced = self._priced(figures, unit) if unit and not wanted else []
            if unit:
                held = [meant for meant in held if self._measures(meant, unit)]
                held = [meant for meant in held if self._is_coarsest(meant, unit, held)] or held
            if not held and len(priced) == 1:
                self.gap(unit, "unmapped")
                return scope, priced[0]
            if len(held) == 1:
                return scope, held[0]
            if held:
                self.gap(term, "ambiguous", (meant.key for meant in held))
                return None
        self.gap(term, "unmapped")
        return None

    def measured_or_dated(self, nouns: str, term: str) -> tuple[Scope, Meant] | None:
        """The property of an order that names none: "longest first" by length, or by the date."""
        return self.measured(nouns, "", term) if nouns else self.dated(term)

    def any_figure(self, item: Item, at: int) -> int:
        """Note a superlative that is said of no property: "the largest maps" may be by each."""
        domains = self.current.domains
        held = self.vocabulary.of_domain((*domains, "")[0], ("number",))
        keys = {one.key for one in held if self.vocabulary.properties[one].unit not in _ANGLES}
        self.gap(item.text, "ambiguous", sorted(keys))
        return at + 1

    def _priced(self, figures: Sequence[Meant], unit: str) -> list[Meant]:
        """Return the prices of which no currency is known, for an amount in a currency."""
        money = resolve_unit(unit)
        if money is None or not money.dimension.startswith("currency"):
            return []
        units = self.vocabulary.properties
        return [one for one in figures if not units[one].unit and self._called(one, PRICES)]

    def dated(self, term: str) -> tuple[Scope, Meant] | None:
        """The one date of the assets; None after a gap where they have several."""
        domains = self.current.domains
        held = list(self.vocabulary.of_domain(domains[0], ("date",))) if domains else []
        # In "traces recorded with lidar in 2023" the verb says which date is meant.
        held = [meant for meant in held if meant == self.verb] or held
        if len(held) == 1:
            return self.current, held[0]
        self.gap(term, "ambiguous" if held else "unmapped", (meant.key for meant in held))
        return None

    def bounded(self) -> str:
        """The one figure that a condition bounds, or empty."""
        figures = {
            meant.key
            for domain in self.current.domains
            for meant in self.vocabulary.of_domain(domain, ("number",))
            if meant.key in self.current.ranges
        }
        return figures.pop() if len(figures) == 1 else ""

    def refer(
        self, domains: Collection[str], term: str, *, beside: bool, again: bool = False
    ) -> Scope | None:
        """A scope of assets that those spoken of refer to; None after a gap.

        Args:
            domains: the kinds that the name may mean.
            term: as it is written.
            again: the name may speak of assets that were referred to before: "the map".
            beside: the reference was joined by "and", so that it is the searched assets' own.
        """
        if again:
            for scope in (self.current, *self.main.references):
                if scope is not self.main and set(scope.domains) & set(domains):
                    self.current = scope
                    return scope
        chain = [self.main] if beside else list(self.current.chain())
        for scope in chain:
            if not scope.domains:
                continue
            ways = self.vocabulary.connected(scope.domains[0])
            held = [name for name in ways if name in domains]
            if len(held) == 1:
                made = Scope([held[0]], scope, left_out=scope.left_out)
                if scope.left_out:
                    self.gap(term, "limitation", held)
                scope.references.append(made)
                self.current = made
                return made
            if held:
                self.gap(term, "ambiguous", held)
                return None
        self.gap(term, "limitation", sorted(domains))
        return None

    def left_out(self, domains: Collection[str]) -> None:
        """Open a scope whose conditions are read and not sent."""
        made = Scope([sorted(domains)[0]], self.current, left_out=True)
        self.current.references.append(made)
        self.current = made

    def _placed(
        self,
        candidates: Collection[Meant],
        fits: Callable[[Meant], bool] | None,
        *,
        listed: bool = False,
    ) -> tuple[Scope, Sequence[Meant]] | None:
        """Where candidates have their place; `listed`: elsewhere only values that shapes list."""
        for scope in self.current.chain():
            held = [meant for meant in candidates if scope.domains[:1] == [meant.domain]]
            fitting = [meant for meant in held if fits is None or fits(meant)]
            if held := sorted(fitting or held):
                return scope, held
        if not self.main.domains:
            # Without a kind of asset the server completes it from the property.
            keys = {meant.key for meant in candidates}
            return (self.main, [sorted(candidates)[0]]) if len(keys) == 1 else None
        if listed:
            candidates = [one for one in candidates if self.vocabulary.properties[one].listed]
        return self._in_connected(candidates)

    def _in_connected(self, candidates: Collection[Meant]) -> tuple[Scope, Sequence[Meant]] | None:
        """One connected kind of asset that alone has the property."""
        ways = self.vocabulary.connected(self.main.domains[0])
        domains = {meant.domain for meant in candidates if meant.domain in ways}
        if len(domains) != 1 or len(self.main.domains) > 1:
            return None
        (domain,) = domains
        held = sorted(meant for meant in candidates if meant.domain == domain)
        known = [one for one in self.main.references if one.domains == [domain]]
        if known:
            return known[0], held
        if len(held) > 1:
            return self.main, held
        made = Scope([domain], self.main, implied=True)
        self.main.references.append(made)
        return made, held

    def _called(self, meant: Meant, nouns: Sequence[str]) -> bool:
        names = [name.text.lower() for name in self.vocabulary.properties[meant].names]
        return any(noun in name for noun in nouns for name in names)

    def _is_called(self, meant: Meant, nouns: Sequence[str]) -> bool:
        return any(name.text.lower() in nouns for name in self.vocabulary.properties[meant].names)

    def _is_called_by_unit(self, meant: Meant) -> bool:
        prop = self.vocabulary.properties[meant]
        return any(resolve_unit(name.text) is resolve_unit(prop.unit or "") for name in prop.names)

    def _measures(self, meant: Meant, unit: str) -> bool:
        return _same_dimension(self.vocabulary.properties[meant].unit, unit)

    def _is_coarsest(self, meant: Meant, unit: str, held: Collection[Meant]) -> bool:
        """Whether a property has this very unit, and all others smaller ones.

        Nobody says a precision, which is in metres, in kilometres: "maps over 50 km" are long.
        """
        units = self.vocabulary.properties
        said, own = resolve_unit(unit), resolve_unit(units[meant].unit or "")
        others = [resolve_unit(units[one].unit or "") for one in held if one != meant]
        smaller = said is not None and all(one and one.factor < said.factor for one in others)
        return own == said and smaller


def kinds_of_asset(item: Item) -> set[str]:
    """The kinds of asset that have one of the name at an item."""
    return {meant.domain for meant in item.named.values if meant.key in NAMING}


def speaks_of_many(items: Sequence[Item]) -> bool:
    """Whether a question is about several assets that were told: "their", "those"."""
    return any(one.text.lower() in _MANY for one in items)


def kinds_with(filters: Collection[str], vocabulary: QuestionVocabulary) -> list[str]:
    """Return every kind of asset that has some properties: all that have a city; none of none."""
    has = vocabulary.properties
    kinds = vocabulary.domains if filters else ()
    return [one for one in kinds if all(Meant(one, key) in has for key in filters)]


def kinds_of_values(items: Sequence[Item]) -> list[str]:
    """Return the kinds of asset that have every value that is named."""
    held = [{meant.domain for meant in item.named.values} for item in items if item.named.values]
    return sorted(held[0].intersection(*held[1:])) if held else []


def _same_dimension(unit: str | None, other: str | None) -> bool:
    """Whether two units measure the same."""
    if not unit or not other:
        return False
    one, two = resolve_unit(unit), resolve_unit(other)
    return one is not None and two is not None and one.dimension == two.dimension
