"""Counting, sorting and limits that a question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.agents.ontology_search_agent.bounds import read_bound
from groundwire.agents.ontology_search_agent.choosing import Scope
from groundwire.agents.ontology_search_agent.clauses import Clauses
from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.vocabulary import Meant, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import (
    ARTICLES,
    DATING,
    HOW,
    INTERROGATIVES,
    PREPOSITIONS,
    TOGETHER,
    Function,
    functions_in,
    measured_by,
    says_age,
    says_degree,
)
from groundwire.quantities.units import resolve_unit

_MOST_LISTED = 100


class Arranging(Clauses):
    """Reads counting, sorting and limits beside the conditions.

    Attributes:
        counting: whether numbers of assets are asked for.
        sorting: whether the assets are to be sorted.
        top: whether the first of them are asked for.
        order: "-" to descend, "+" to ascend, empty where nothing is said.
        sort_key: the property to sort by.
        count_by: the property to count by.
        limit: how many assets are wanted.
        aggregate: a property and the function of its values that is asked for, or None.
        narrows: whether the question goes on from another, so that it is about assets.
    """

    narrows = False

    def __init__(
        self, question: str, items: Sequence[Item], vocabulary: QuestionVocabulary
    ) -> None:
        """Begin."""
        super().__init__(question, items, vocabulary)
        # Both words may come behind their property: "Karten nach Länge sortiert".
        self.counting = any(item.does("count") for item in items)
        self._distributes = any(Function("count") in item.functions for item in items)
        self.sorting = any(item.does("sort", "order", "most") for item in items)
        self.top = False
        self.order = ""
        self.sort_key = ""
        self.count_by = ""
        self.limit: int | None = None
        self.aggregate: tuple[str, str] | None = None
        # A function of which no property was said yet: "on average, how long are maps?".
        self._function: Item | None = None
        self._words: list[str] = []
        self._has_key = False

    @property
    def sort(self) -> str:
        """The property to sort by, "-" before it to descend."""
        if not self.sort_key:
            return ""
        descending = self.order == "-" or (self.top and self.order != "+")
        return f"{'-' * descending}{self.sort_key}"

    def arranged(self, at: int) -> int | None:
        """Counting, sorting and how many are wanted; None where the item says none of it."""
        before = len(self.chooser.gaps)
        behind = self._arranged(at)
        item = self.items[at]
        if not (item.does("near", "aggregate", "only") or self._has_figure(at, behind)):
            self.chooser.arranging(before)
        return behind

    def _has_figure(self, at: int, behind: int | None) -> bool:
        """Whether a superlative is a bound: "a maximum length of 5 km"."""
        of = self.items[at:behind]
        return bool(self.items[at].does("most")) and any(one.number for one in of)

    def _arranged(self, at: int) -> int | None:
        item = self.items[at]
        if counted := item.does("count"):
            self.counting = True
            return self._counted(at, counted.value)
        if item.does("order", "sort", "top"):
            self._words.append(item.text)
        if ordering := item.does("order"):
            self.order = ordering.value
            if item.text.lower().endswith((" of", " by")):
                # "in ascending order of length" says what to sort by as well.
                self.sorting = True
                return self._keyed(at + 1, sorts=True) or at + 1
            return at + 1
        if item.does("sort"):
            return self._keyed(at + 1, sorts=True) or at + 1
        if item.does("near") and not item.named:
            self.chooser.gap(item.text, "unsupported")
            return at + 1
        if (said := item.does("aggregate")) and not item.named:
            return self._aggregated(at, said.value)
        all_of = item.does("filler") is not None and not self.counting
        if item.does("per") and not all_of and (behind := self._keyed(at + 1)):
            return behind
        if top := item.does("top"):
            return self._top(at, top.value)
        if item.does("only"):
            self._only(at)
            return at + 1
        if self._distributes and not self.count_by and (behind := self._distributed(at)):
            return behind
        most = item.does("most")
        return self._most(at, most.value) if most else None

    def _distributed(self, at: int) -> int | None:
        """Read the property to distribute by: "how maps are distributed over countries"."""
        led = self.items[at].does("bound", "in", "from") and at + 1 < len(self.items)
        key = at + 1 if led else at
        return self._keyed(key) if key and not self._is_no_key(key) else None

    def name_date(self) -> None:
        """Choose the date that "by" or a verb names, as in "built after 2010"."""
        dates = set(self.vocabulary.of_domain((*self.main.domains, "")[0], ("date",)))
        for at, item in enumerate(self.items[:-1]):
            following = self.items[at + 1]
            named = following.named.properties & dates
            compares = following.days or following.does("after", "before", "since", "until", "in")
            if compares and item.does("filler") and item.text.lower() not in PREPOSITIONS:
                named = {one for one in dates if self.vocabulary.is_part(one, item.tokens)}
                if len(named) == 1:
                    (self.chooser.verb,) = named
            elif item.does("per") and len(named) == 1:
                (self.chooser.verb,) = named

    def _only(self, at: int) -> None:
        """Every map may be "only maps"; "only motorways" cannot be asked for.

        What has one value at most has only that one, and "only the green ones" narrows a search.
        """
        place = self.past_small(at + 1)
        following = self.domains_of(self.items[place]) if place < len(self.items) else set[str]()
        of = self.vocabulary.properties
        named = [one.named for one in self.items[at + 1 : place + 1]]
        values = [of[meant._replace(label="")] for one in named for meant in one.values]
        several = any(one.properties for one in named) or not all(one.single for one in values)
        if several and not (following or self.narrows):
            self.chooser.gap(self.items[at].text, "unsupported")

    def _keyed(self, at: int, *, sorts: bool = False) -> int | None:
        """The property to count or sort by."""
        first, at = at, self.past_small(at)
        properties = self.items[at].named.properties if at < len(self.items) else ()
        if not properties:
            return self._keyed_by_date(first)
        self._has_key = self._has_key or self.sorting or self.top
        date = self.chooser.verb if self.chooser.verb in properties else None
        if date is not None and (date.key in self.main.ranges or self.sort_key == date.key):
            # "maps from 2024 by recording date"
            return at + 1
        groups = self.counting or self._summarises()
        if not (groups or self.sorting or self.top):
            self.chooser.gap(self.span(at - 1, at + 1), "ambiguous")
            return at + 1
        found = self.chooser.property(properties, self.items[at].text)
        if found is not None:
            scope, meant = found
            if scope is not self.main:
                self.chooser.gap(self.items[at].text, "limitation")
            elif groups and not self.count_by and not sorts:
                self.count_by = meant.key
            elif self.sort_key and self.sort_key != meant.key:
                self.chooser.gap(self.items[at].text, "limitation")
            else:
                self.sort_key = meant.key
        return self._second_key(at + 1)

    def _keyed_by_date(self, at: int) -> int | None:
        """Read "by date", which sorts by the one date of the assets; which of several is asked."""
        said = self.items[at].text.lower() if at < len(self.items) else ""
        if said not in DATING or self.counting:
            return None
        found = self.chooser.dated(self.span(at - 1, at + 1))
        self._has_key = True
        if found is not None:
            self.sort_key, self.order = found[1].key, self.order or "+"
        return at + 1

    def _summarises(self) -> bool:
        """Whether a figure of all assets is asked for, which may be one for each group of them."""
        said = any(one.value for item in self.items if (one := item.does("aggregate")))
        return self.aggregate is not None or said

    def _second_key(self, at: int) -> int:
        """Past another property to count or sort by, which one search does not take."""
        place = at
        while place < len(self.items) and self.items[place].does("and", "comma", "per", "filler"):
            place += 1
        joined = any(self.items[one].does("and", "comma") for one in range(at, place))
        if not joined or place >= len(self.items) or self._is_no_key(place):
            return at
        self.chooser.gap(self.items[place].text, "limitation")
        return place + 1

    def _is_no_key(self, at: int) -> bool:
        """Whether an item is not a property, or something is said of it behind it."""
        item = self.items[at]
        said = self.leads_on(at + 1) or self.items[at - 1].does("relative") is not None
        return not item.named.properties or bool(item.named.values or item.functions) or said

    def tell_unarranged(self) -> None:
        """Words that order assets by nothing that is named: by their date, or told."""
        before = len(self.chooser.gaps)
        self._tell_unarranged()
        self.chooser.arranging(before)

    def _tell_unarranged(self) -> None:
        if self.sort_key or self._has_key:
            by_date = any(
                meant.key == self.sort_key
                for domain in self.main.domains
                for meant in self.vocabulary.of_domain(domain, ("date",))
            )
            for text in () if by_date else filter(says_age, self._words):
                self.chooser.gap(text, "limitation")
            return
        self.chooser.current = self.main
        for text in () if self.limit else self._words:
            nouns = measured_by(text)
            if not nouns and says_degree(text) and (key := self.chooser.bounded()):
                # "Below 0.5, lowest first" is ordered by the one figure that it bounds.
                self.sort_key = key
            elif not nouns and not says_age(text):
                self.chooser.gap(text, "ambiguous")
            elif found := self.chooser.measured_or_dated(nouns, text):
                self.sort_key = found[1].key

    def _top(self, at: int, order: str) -> int:
        following = at + 1
        if following < len(self.items) and self.items[following].number:
            self._limited(self.items[following])
            following += 1
        self.top = True
        self.order = order or self.order
        return following

    def _limited(self, item: Item) -> None:
        if item.number.isdigit() and 0 < int(item.number) <= _MOST_LISTED:
            self.limit = int(item.number)
        else:
            before = len(self.chooser.gaps)
            self.chooser.gap(item.text, "limitation")
            self.chooser.arranging(before)

    def _most(self, at: int, value: str) -> int | None:
        """A superlative: with the property behind it, or the one that it measures."""
        order, _, nouns = value.partition(" ")
        if (behind := self._extreme(at, order)) is not None:
            return behind
        place = self.past_small(at + 1)
        following = self.items[place] if place < len(self.items) else None
        # "The deepest berth" is one of the berths, though vessels state a berth too.
        is_kind = following is not None and self.domains_of(following) & set(self.main.domains)
        if following is not None and following.named.properties and not (nouns and is_kind):
            found = self.chooser.property(following.named.properties, following.text)
            behind = place + 1
            if (limited := self._limit_of(at, behind, found)) is not None:
                return limited
        elif nouns:
            found = self.chooser.measured(nouns, "", self.items[at].text)
            behind = at + 1
        elif says_age(self.items[at].text):
            found = self.chooser.dated(self.items[at].text)
            behind = at + 1
        else:
            behind = self._most_by(at, order)
            return self.chooser.any_figure(self.items[at], at) if is_kind and not behind else behind
        if found is not None and (self.sort_key or found[0] is not self.main):
            self.chooser.gap(self.items[at].text, "limitation")
        elif found is not None:
            self.sort_key, self.order = found[1].key, order
            plural = self.items[at].text.endswith("en") and self.items[at - 1].text == "die"
            if self._is_single(behind) and not plural:
                self.limit = self.limit or 1
        return behind

    def _most_by(self, at: int, order: str) -> int | None:
        """A superlative whose property follows its noun: "the largest maps by area"; or None."""
        places = [at for at in range(at + 1, len(self.items) - 1) if self.items[at].does("per")]
        keys = [self.past_small(place + 1) for place in places]
        if not any(place < len(self.items) and self._figures(place) for place in keys):
            return None
        self.top, self.order = True, order
        if self._is_single(at + 1):
            self.limit = self.limit or 1
        return at + 1

    def _is_single(self, at: int) -> bool:
        """Whether the kind of asset at an item is named in the singular: "the longest map"."""
        return at < len(self.items) and self.vocabulary.is_singular(self.items[at].tokens)

    def _extreme(self, at: int, order: str) -> int | None:
        """The highest or lowest figure of all assets: "the highest speed limit of maps"; or None.

        Said behind the kind of asset it says which assets are wanted: "maps of the highest speed".
        """
        place = self._figured(at + 1)
        if place is None or any(self.domains_of(one) for one in self.items[:at]):
            return None
        behind = place + 1
        following = self.items[behind] if behind < len(self.items) else None
        if following is None or not following.functions or following.does("and", "or", "comma"):
            return None
        bound = read_bound(self.items, behind, dates=False, figures=True)
        if bound is not None or not any(self.domains_of(one) for one in self.items[behind:]):
            return None
        found = self.chooser.property(self._figures(place), self.items[place].text)
        if found is not None:
            self.summarise("min" if order == "+" else "max", *found, self.span(at, behind))
        return behind

    def _limit_of(self, at: int, behind: int, found: tuple[Scope, Meant] | None) -> int | None:
        """A superlative with a figure is a bound: "a maximum length of 5 km"."""
        bound = read_bound(self.items, behind, dates=False, figures=True)
        if bound is None or not bound[0].bare:
            return None
        said = self.items[at].does("bound")
        if said is None or found is None:
            self.chooser.gap(self.span(at, bound[1]), "ambiguous")
            return bound[1]
        kept = replace(bound[0], sides={said.value: bound[0].sides["min"]}, bare=False, rough=False)
        self._bounded(*found, kept, self.negated is not None, self.span(at, bound[1]))
        self.negated = None
        return bound[1]

    def _aggregated(self, at: int, function: str) -> int:
        """A mean or a sum, with what it is of; a function that nobody computes is told."""
        place = self._figured(at + 1)
        if place is None:
            named = self.past_small(at + 1)
            known = named < len(self.items) and bool(self.items[named].named.properties)
            if function and not known:
                used = self.aggregate is not None and self.aggregate[1] == function
                self._function = None if used else self.items[at]
                return at + 1
            behind = named + 1 if known else at + 1
            self.chooser.gap(self.span(at, behind), "unsupported")
            return behind
        bound = read_bound(self.items, place + 1, dates=False, figures=True)
        if not function or bound is not None:
            # "Maps with a mean length above 5 km": no map has a mean of its own.
            behind = place + 1 if bound is None else bound[1]
            self.chooser.gap(self.span(at, behind), "unsupported")
            return behind
        found = self.chooser.property(self._figures(place), self.items[place].text)
        if found is not None:
            self.summarise(function, *found, self.span(at, place + 1))
        return place + 1

    def _figured(self, at: int) -> int | None:
        """The position of a numeric property, small words and "the number of" passed over."""
        place = self.past_small(at)
        if place < len(self.items) and self.items[place].does("count"):
            place = self.past_small(place + 1)
        return place if place < len(self.items) and self._figures(place) else None

    def _figures(self, at: int) -> set[Meant]:
        """The numeric properties that an item names."""
        of = self.vocabulary.properties
        return {one for one in self.items[at].named.properties if of[one].kind == "number"}

    def function_of(self, at: int) -> str:
        """The function of many values that is asked of the property at an item, or empty.

        It is said before, as in "on average, how long", with all that is asked, as in "how long
        together", or in the name of the property itself, as in "total length".
        """
        if self._function is not None:
            said = self._function.does("aggregate")
            self._function = None
            return said.value if said else ""
        item = self.items[at]
        inside = [one for one in functions_in(item.tokens) if one.role == "aggregate" and one.value]
        before_kind = not any(self.domains_of(one) for one in self.items[:at])
        if inside and before_kind:
            return inside[0].value
        behind = self.items[at + 1] if at + 1 < len(self.items) else None
        if behind is not None and before_kind and behind.text.lower() in TOGETHER:
            return "sum"
        if not at or self.items[at - 1].text.lower() not in HOW:
            return ""
        # "How long are maps on average": the function is said last.
        said = [one.does("aggregate") for one in self.items[at + 1 :] if not one.named]
        together = any(one.text.lower() in TOGETHER for one in self.items)
        return next((one.value for one in said if one), "sum" if together else "")

    def _counted(self, at: int, value: str) -> int:
        """Read what is counted: assets, or a figure that each has, which is then added up."""
        place = self.past_small(at + 1)
        kinds = [any(map(self.domains_of, part)) for part in (self.items[:at], self.items[at:])]
        counted = self._figures(place) if place < len(self.items) and value and not kinds[0] else ()
        following = read_bound(self.items, place + 1, dates=False, figures=True)
        if kinds[1] and value and not counted and self._is_unit(place):
            # "How many kilometres of maps" are their length in all.
            text = self.items[place].text
            if (found := self.chooser.measured("", text, self.span(at, place + 1))) is not None:
                self.summarise("sum", *found, self.span(at, place + 1))
            return place + 1
        if not counted or self.domains_of(self.items[place]) or following is not None:
            if value == "amount" and any(map(self._figures, range(at + 1, len(self.items)))):
                self.counting = False  # "how much do they cost": what each of them says
            elif value == "amount" and not any(kinds):
                self.chooser.gap(self.items[at].text, "unmapped")
            return at + 1
        found = self.chooser.property(counted, self.items[place].text)
        if found is not None:
            self.summarise("sum", *found, self.span(at, place + 1))
        return place + 1

    def _is_unit(self, at: int) -> bool:
        """Whether a word is nothing but a unit."""
        item = self.items[at]
        return item.unknown and not item.named and resolve_unit(item.text) is not None

    def measured_in_all(self, at: int) -> bool:
        """Whether a measure is asked of all assets: "on average, how long are maps?"."""
        measure = self.items[at].does("measure")
        asked = at > 0 and self.items[at - 1].text.lower() in HOW
        if measure and asked and self._names_figure(at + 1):
            # "How high is the average price?": the figure itself says what is measured.
            return True
        function = self.function_of(at) if measure else ""
        if measure is None or not function:
            return False
        found = self.chooser.measured(measure.value, "", self.items[at].text)
        if found is not None:
            self.summarise(function, *found, self.items[at].text)
        return True

    def _names_figure(self, at: int) -> bool:
        """Whether a verb comes next, and behind it a function of a property that is named."""
        if at >= len(self.items) or not self.items[at].does("copula"):
            return False
        place = self.past_small(at + 1)
        while place < len(self.items) and self.items[place].text.lower() in ARTICLES:
            place += 1
        if place >= len(self.items) or not self.items[place].does("aggregate", "most"):
            return False
        return self._figured(place + 1) is not None

    def is_summarised(self, meant: Meant) -> bool:
        """Whether one figure of a property is asked for."""
        return self.aggregate is not None and self.aggregate[0] == meant.key

    def summarise(self, function: str, scope: Scope, meant: Meant, text: str) -> None:
        """Ask for one figure of all assets; of assets that are referred to it cannot be asked."""
        self.counting = False
        asked = (meant.key, function)
        if scope is not self.main or (self.aggregate or asked) != asked:
            self.chooser.gap(text, "limitation")
        else:
            self.aggregate = (meant.key, function)
            held = scope.filters.get(meant.key)
            if held is not None and held.says_only_exists:
                # "How long do they last on average" says the property twice.
                del scope.filters[meant.key]
            if not self.main.domains:
                holders = [one for one in self.vocabulary.properties if one.key == meant.key]
                self.main.domains = [one.domain for one in holders] if len(holders) == 1 else []

    def tell_unused_function(self) -> None:
        """Tell a function of which no property was said, and what a second question asks."""
        for at in range(2, len(self.items)) if self.aggregate is not None else ():
            joined = self.items[at - 1].does("and") is not None
            if joined and self.items[at].text.lower() in INTERROGATIVES:
                # "What is their mean length, and which are German?" asks for more than a mean.
                self.chooser.gap(self.span(at, len(self.items)), "limitation")
        if self._function is not None:
            self.chooser.gap(self._function.text, "unsupported")

    def limits(self, at: int) -> bool:
        """Whether a bare figure before a kind of asset says how many are wanted."""
        place = self.past_small(at)
        if place < len(self.items) and self.items[place].does("most"):
            return True
        following = self.domains_of(self.items[place]) if place < len(self.items) else set[str]()
        return bool(following & set(self.main.domains))

    def take_limit(self, item: Item) -> None:
        """Take a figure as the number of assets that are wanted."""
        self._limited(item)
