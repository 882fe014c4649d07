"""A question read into slots: one walk over its items.

The first kind of asset that is named is searched. Then each condition is read where it begins: with
a property ("length of at least 5 km"), a figure ("at least 3 lanes") or a value ("rain or fog").
Whatever cannot be placed is a gap.

Every word of a question is accounted for: used, only grammar, or told as not used. The walk over a
question may pass over a name that it has no place for. What a step read without any trace in the
reading is noted here, and told unless it only repeats what was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from groundwire.agents.ontology_search_agent.arranging import Arranging
from groundwire.agents.ontology_search_agent.bounds import read_bound
from groundwire.agents.ontology_search_agent.choosing import (
    NAMING,
    Gap,
    Reason,
    Slots,
    kinds_of_asset,
    kinds_of_values,
    kinds_with,
    speaks_of_many,
)
from groundwire.agents.ontology_search_agent.language import goes_on
from groundwire.agents.ontology_search_agent.looking import (
    FIRST,
    OPEN,
    Account,
    Asking,
    Reading,
    narrowed,
)
from groundwire.agents.ontology_search_agent.marking import Item, mark
from groundwire.agents.ontology_search_agent.vocabulary import Meant, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import (
    DEFINITE,
    EACH_KIND,
    HOW,
    INDEFINITE,
    INTERROGATIVES,
    LACKING,
    PERSONAL,
    PREPOSITIONS,
    PRICES,
    PRONOUNS,
    RATES,
    SINGLE,
)

_POLITE = frozenset({"please", "bitte", "thanks", "danke"})

# Roles that say something of the search; alone they are terms that were not understood.
_LOUD = frozenset(
    {
        "bound", "between", "more", "less", "after", "before", "since", "until", "most",
        "measure", "true", "false", "sort", "order", "top", "verb", "rough", "aggregate", "wish",
    }
)  # fmt: skip


def read_question(
    question: str, vocabulary: QuestionVocabulary, known: Slots | None = None
) -> Reading:
    """Read a question.

    Args:
        question: in English or German.
        vocabulary: of the catalogue.
        known: slots of the conversation so far, which a question without a kind of asset narrows.
    """
    reading = _read_question(question, vocabulary, known)
    if reading.slots.get("domains") or not EACH_KIND.search(question):
        return reading
    kinds = kinds_with(reading.slots.get("filters", {}), vocabulary)
    return replace(reading, slots={**reading.slots, "domains": kinds}) if kinds else reading


def _read_question(question: str, vocabulary: QuestionVocabulary, known: Slots | None) -> Reading:
    reader = _Reader(question, mark(question, vocabulary), vocabulary)
    reading = reader.read()
    if not known and reading.gaps and not reading.slots.get("domains"):
        # "Cheapest tree" is of the one kind that has trees.
        kinds = kinds_of_values(reader.items)
        again = _Reader(question, mark(question, vocabulary), vocabulary, kinds[:1]).read()
        if len(kinds) == 1 and len(again.gaps) < len(reading.gaps):
            return again
    said = question.lower()
    left = [one for one in (known or {}).get(OPEN, ()) if one.lower() not in said]
    open_gaps = tuple(Gap(one, "unmapped") for one in left)
    if known and list(reading.slots) == ["domains"] and not reading.gaps and goes_on(question):
        return replace(reading, slots=narrowed(known, {}) | reading.slots, gaps=open_gaps)
    if known and not (reader.names_kind() and reading.slots.get("domains")):
        domains, items = known.get("domains"), mark(question, vocabulary)

        def asked(text: str) -> Reading:
            return _Reader(text, mark(text, vocabulary), vocabulary, domains).read()

        again = asked(question)
        if len(left) == 1:
            # "Better than 5 cm" may be of several properties; "precision" says of which.
            answered = asked(f"{question} {left[0]}")
            again, open_gaps = (again, open_gaps) if answered.gaps else (answered, ())
        if again.asks_more and (first := known.get(FIRST)) and not speaks_of_many(items):
            # "And what is its weather?" is asked of the asset that was first.
            held = {one.key for one in vocabulary.properties if one.domain in (domains or ())}
            name = next((one for one in NAMING if one in held), NAMING[0])
            again.slots["filters"][name] = str(first)
            known = {"domains": domains}
        return Reading(
            narrowed(known, again.slots),
            (*open_gaps, *again.gaps),
            again.sort,
            again.count_by,
            again.limit,
            aggregate=again.aggregate,
        )
    return reading


class _Reader(Asking):
    """One walk over the items of a question."""

    def __init__(
        self,
        question: str,
        items: Sequence[Item],
        vocabulary: QuestionVocabulary,
        domains: Sequence[str] | None = None,
    ) -> None:
        super().__init__(question, items, vocabulary)
        self._unknown: list[Item] = []
        self._nouns: set[int] = set()
        self._spoken = False
        self._denied: Item | None = None
        self.narrows = bool(domains)
        if domains:
            self.main.domains = list(domains)

    def read(self) -> Reading:
        self._find_main()
        self.name_date()
        account = Account(self)
        at = 0
        while at < len(self.items):
            before = account.state()
            behind = self._step(at)
            if account.state() == before:
                account.pass_over(at, behind)
            taken = self._names_next(at) or self._asks_price(at) or self._is_rate(at)
            if self.items[at].unknown and behind == at + 1 and not taken:
                self._unknown.append(self.items[at])
            else:
                self._tell_unknown()
            at = behind
        self._tell_unknown()
        if self.negated is not None:
            self.chooser.gap(self.negated.text, "unsupported")
        self.tell_unarranged()
        self.tell_unused_function()
        for text in (*account.unused(), *_left_at_end(self)):
            self.chooser.gap(text, "ambiguous")
        if self._asks_who():
            self.chooser.gap(self.span(0, min(2, len(self.items))), "unmapped")
        look, gaps = self.look(), tuple(self.chooser.gaps)
        return Reading(
            self.main.sent(), gaps, self.sort, self.count_by, self.limit, look, self.aggregate
        )

    def names_kind(self) -> bool:
        """Whether the question names a kind of asset, or an asset."""
        return any(map(self.domains_of, self.items)) or bool(self._kind_of_named())

    def _names_next(self, at: int) -> bool:
        """Whether a word is one of the property that the value behind it has: "Format Lanelet2"."""
        following = self.items[at + 1] if at + 1 < len(self.items) else None
        return following is not None and any(
            self.vocabulary.is_part(Meant(value.domain, value.key), self.items[at].tokens)
            for value in following.named.values
        )

    def _find_main(self) -> None:
        """The first kind of asset that is named is the one that is searched."""
        if self.main.domains:
            return
        asked_for = [item for at, item in enumerate(self.items) if self._is_asked_for(at)]
        if not any(map(self.domains_of, self.items)):
            self.main.domains = self._kind_of_named()
        for item in (*asked_for, *self.items):
            domains = self.domains_of(item)
            if len(domains) == 1:
                self.main.domains = list(domains)
                return
            if domains:
                self.chooser.gap(item.text, "ambiguous", sorted(domains))
                return

    def _kind_of_named(self) -> list[str]:
        """The kind of the one asset that a question names, where it names no kind; else none."""
        named = [domains for item in self.items if (domains := kinds_of_asset(item))]
        return sorted(named[0]) if len(named) == 1 and len(named[0]) == 1 else []

    def _is_asked_for(self, at: int) -> bool:
        """Whether a word that begins a question asks for a kind: "rain: which maps"."""
        before = self.items[at - 1] if at else None
        if before is None or not self.domains_of(self.items[at]):
            return False
        first = at < 2 or self.items[at - 2].does("comma", "copula") is not None
        return first and before.text.lower() in INTERROGATIVES

    def _step(self, at: int) -> int:
        """Read what begins at an item; the position behind it."""
        item = self.items[at]
        if at in self._nouns:
            return at + 1
        if self.domains_of(item):
            return self._domain(at, at)
        noun = self._noun_of(at)
        if noun is not None:
            self._nouns.add(noun)
            self._domain(noun, at)
        if self._asks_price(at):
            found = self.chooser.measured("|".join(PRICES), "", item.text)
            if found is not None:
                found[0].add_exists(found[1].key, said=True)
            return at + 1
        if self._is_rate(at):
            return at + 1
        behind = self.arranged(at)
        return self._conditioned(at) if behind is None else behind

    def _is_rate(self, at: int) -> bool:
        """Whether a word only repeats what a named price is for: the "day" of a daily fee."""
        said = self.items[at].text.lower()
        keys = " ".join(self.main.sent().get("filters", {})).lower()
        return any(said in rate and any(one in keys for one in rate) for rate in RATES)

    def _asks_price(self, at: int) -> bool:
        """Whether what something costs is asked: "how much is A"."""
        said = self.items[at].does("count")
        if said is None or said.value != "amount" or not self._names_some():
            return False
        return at + 1 < len(self.items) and self.items[at + 1].does("copula") is not None

    def _conditioned(self, at: int) -> int:
        """Conditions, and the words that negate or join them."""
        item = self.items[at]
        if item.does("self") and not item.named:
            self.chooser.current = self.main
            return at + 1
        if self.takes_away(at):
            self.negated = item
            return at + 1
        if item.does("not") and at + 1 < len(self.items) and self.items[at + 1].does("only"):
            # "not only with rain" is with rain.
            return at + 2
        if item.does("not", "lacks"):
            self.negated = None if self.negated is not None else item
            return at + 1
        if item.does("both"):
            self.both = True
            return at + 1
        if item.does("or") and self.opens_list(at):
            return at + 1
        if (item.does("or")) and at and self.conditions:
            # Either of two conditions on different properties cannot be asked for.
            self.muted = True
            return at + 1
        behind = self._condition(at)
        if behind is None:
            return at + 1
        if item.unknown:
            return behind
        if self.muted:
            self.chooser.gap(self.span(at, behind), "unsupported")
            self.muted = False
        self.conditions += 1
        self.negated = None
        self.both = False
        return behind

    def _condition(self, at: int) -> int | None:
        item = self.items[at]
        if (behind := self.name_clause(at)) is not None:
            return behind
        if item.named.values and (self.is_value_of_next(at) or self._is_rather_value(item)):
            return self.value_clause(at)
        if item.named.properties and self._is_other(at):
            self.chooser.gap(self.span(max(0, at - 2), at + 1), "unsupported")
            return at + 1
        if item.named.properties and not self._says_more(item) and not self._is_verb(item):
            # "not used by a scenario" denies the scenario.
            return None if self.leads_to_kind(at) else self.property_clause(at)
        found = read_bound(self.items, at, dates=True, figures=True)
        if found is not None and (item.functions or item.number or item.days):
            bound, behind = found
            if bound.bare and (following := self.figure_as(behind - 1)) is not None:
                return following
            if not bound.bare or not item.named.values:
                return self.bound_clause(at, bound, behind)
        if (item.named.values and not (item.functions and item.text in PERSONAL)) or item.quoted:
            return self.value_clause(at)
        if self.measured_in_all(at) or self._measured_in_named(at) or self.compares_level(at):
            return at + 1
        if (behind := self._some_of_kind(at)) is not None:
            return behind
        if item.functions and all(one.role in _LOUD for one in item.functions):
            # A comparison or measure of nothing is not passed over in silence.
            self.chooser.gap(item.text, "unsupported" if item.does("wish") else "unmapped")
        return at + 1 if item.unknown else None

    def _names_some(self) -> bool:
        """Whether assets are named, by a kind or by a value."""
        return any(one.named.values or self.domains_of(one) for one in self.items)

    def _is_other(self, at: int) -> bool:
        """Whether a property is not what is asked: "out of stock", or a day in "who donated it"."""
        before = [one.text.lower() for one in self.items[:at]]
        kinds = {self.vocabulary.properties[one].kind for one in self.items[at].named.properties}
        asks_else = before[:1] in (["who"], ["wer"], ["where"], ["wo"])
        return before[-2:] == ["out", "of"] or (asks_else and kinds == {"date"})

    def _asks_who(self) -> bool:
        """Whether a question asks who did something to a kind, and no property says it."""
        asks = self.items[0].text.lower() in ("who", "wer") if self.items else False
        asks = asks and any(map(self.domains_of, self.items))
        told = {"exists": True} in self.main.sent().get("filters", {}).values()
        return asks and not (told or self.count_by or self.chooser.gaps)

    def _measured_in_named(self, at: int) -> bool:
        """Whether a figure of what is named is asked for: "how long is ...?"."""
        said = self.items[at].does("measure")
        asked = said is not None and at and self.items[at - 1].text.lower() in HOW
        if said is None or not asked or not (self._names_some() or self.narrows):
            return False
        found = self.chooser.measured(said.value, "", self.items[at].text)
        if found is not None:
            found[0].add_exists(found[1].key, said=True)
        return True

    def _some_of_kind(self, at: int) -> int | None:
        """Past "at least one" before a kind of asset, which is what a reference says anyway."""
        said = self.items[at].does("bound")
        behind = at + 2
        if said is None or said.value != "min" or behind >= len(self.items):
            return None
        one = self.items[at + 1].text.lower() in SINGLE
        return behind if one and self.domains_of(self.items[behind]) else None

    def _says_more(self, item: Item) -> bool:
        """Whether an item is a small word first, such as "by", and a name only by chance."""
        return any(one.role not in ("filler", "measure", "count") for one in item.functions)

    def _is_verb(self, item: Item) -> bool:
        """Whether an item is a small word here, since no assets spoken of have it as a property."""
        return bool(item.functions and self._spoken_of()) and not self._has(item.named.properties)

    def _is_rather_value(self, item: Item) -> bool:
        """Whether assets spoken of have a name as a value, and only others as a property."""
        named = item.named
        return (
            bool(named.properties) and self._has(named.values) and not self._has(named.properties)
        )

    def _has(self, candidates: Collection[Meant]) -> bool:
        """Whether assets spoken of have one of some properties or values."""
        spoken = self._spoken_of()
        return any(meant.domain in spoken for meant in candidates)

    def _spoken_of(self) -> set[str]:
        return {name for scope in self.chooser.current.chain() for name in scope.domains}

    def _noun_of(self, at: int) -> int | None:
        """The kind of asset before which a value stands, alone or in a list: "French maps"."""
        if not self._stands_before(at):
            return None
        place = at + 1
        while place < len(self.items):
            item = self.items[place]
            domains = self.domains_of(item)
            if domains and place not in self._nouns:
                has = {meant.domain for meant in self.items[at].named.values}
                return place if domains & has else None
            joins = item.does("or", "and", "comma") and self._stands_before(place + 1)
            if not (joins or self._stands_before(place)):
                return None
            place += 1
        return None

    def _stands_before(self, at: int) -> bool:
        """Whether a value is here that may describe what stands behind it."""
        if at >= len(self.items):
            return False
        item = self.items[at]
        return bool(item.named.values) and not (item.functions or item.named.domains or item.number)

    def _domain(self, at: int, start: int) -> int:
        """A kind of asset; `start`: where what describes it begins."""
        item = self.items[at]
        domains = self.domains_of(item)
        if domains & set(self.main.domains):
            if self._spoken and at and self.items[at - 1].text.lower() in INDEFINITE:
                # Another one of the same kind: "traces that use a trace".
                self.chooser.gap(self.span(at - 1, at + 1), "limitation")
            self._spoken = True
            self.chooser.current = self.main
            return at + 1
        if len(domains) > 1 and not self.main.domains:
            return at + 1
        joined = self._joined(start)
        if joined and self._after_main(start):
            self.main.domains.append(sorted(domains)[0])
            return at + 1
        none = self._is_denied_reference(start, item, joined=joined)
        again = at > 0 and self.items[at - 1].text.lower() in DEFINITE
        again = again and not none
        self.negated = None
        made = self.chooser.refer(domains, item.text, beside=joined, again=again)
        if made is None:
            self.chooser.left_out(domains)
        elif none:
            made.none = True
        return at + 1

    def _is_denied_reference(self, start: int, item: Item, *, joined: bool) -> bool:
        """Whether no asset of a kind may be connected: "that no scenario uses".

        "Neither a scenario nor a trace" denies both; what an "and" joins may be both at once, and
        what an "or" joins to a kind that is wanted cannot be asked for.
        """
        if self.negated is not None:
            self._denied = self.negated
            return True
        before = self.before(start)
        if not joined or before is None or not self.main.references:
            return False
        denied = self._denied if self.main.references[-1].none else None
        if denied is None:
            if before.does("or"):
                self.chooser.gap(item.text, "unsupported")
            return False
        if before.does("and") and denied.text.lower() not in LACKING:
            self.chooser.gap(item.text, "ambiguous")
        return True

    def _joined(self, at: int) -> bool:
        """Whether a name is joined to what stands before by "and", "or" or a comma.

        A pronoun between begins a clause about it instead: "Szenarien, die eine Karte haben".
        """
        before = self.before(at)
        if before is None or before.does("or", "and", "comma") is None:
            return False
        if before.text.lower().endswith((" with", " mit")):
            # "maps together with a scenario" are maps that have one.
            return False
        place = at - 1
        while self.items[place] is not before:
            if self.items[place].text.lower() in PRONOUNS:
                return False
            place -= 1
        return True

    def _after_main(self, at: int) -> bool:
        """Whether the searched kind stands right before a word that joins another one."""
        place = at - 1
        while place >= 0 and self.items[place].does("or", "and", "comma", "filler"):
            place -= 1
        return place >= 0 and bool(self.domains_of(self.items[place]) & set(self.main.domains))

    def _tell_unknown(self) -> None:
        if self._unknown:
            words, self._unknown = self.text(self._unknown), []
            reason: Reason = "unmapped"
            self.chooser.gap(words, reason)


def _left_at_end(reading: Arranging) -> Iterator[str]:
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
