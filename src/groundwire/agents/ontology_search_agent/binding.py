"""Whether a search is the one that the question asks for.

A model may leave a condition of the question out, put another in its place, or add one of its own.
The question is read by rules and compared with the call, condition by condition, in the
vocabulary of the catalogue: a value counts under any of its names, a figure in any of its units.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from pydantic import ValidationError

from groundwire.agents.ontology_search_agent.looking import Look, Reading
from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.vocabulary import Meant, QuestionVocabulary
from groundwire.ontology.conditions import Condition, Filter, Range, Scalar, read_boolean
from groundwire.ontology.readings import Unreadable, bounds_of
from groundwire.ontology.resolve import read_sort
from groundwire.ontology.slots import Reference, Slots
from groundwire.vocabulary import fold

Data = Mapping[str, Any]
# Endings of English words that stand for each other beside a condition; the longest first.
_ENDINGS = ("ation", "ing", "ion", "ed", "es", "e", "s")
_SHORTEST_STEM = 5
_KIND, _CONNECTED, _COUNT, _SORT = "kind of asset", "connected with", "counted by", "sorted by"
_UNCONNECTED, _AGGREGATE = "connected with no", "summarised by"
_ROLES = frozenset({_KIND, _CONNECTED, _UNCONNECTED, _COUNT, _SORT, _AGGREGATE})
# An asset that has the highest figure is found by sorting, and the figure by its function.
_EXTREMES = {"max": ", descending", "min": ""}
_NAME_OF_RESPELLED = frozenset({"corrected", "alias", "folded"})
_TRUE = frozenset({"true"})
# That there are some of what is counted is said in three ways.
_SOME = frozenset({"exists", "> 0", ">= 1"})


class Difference(NamedTuple):
    """One thing in which a search is not what the question asks for.

    Attributes:
        how: "dropped": the question says it and the search does not; "swapped": the search says
            something else in its place; "added": only the search says it; "read": the search
            says it where the question has words that the rules cannot read.
        said: what the question asks for, as a condition in words; empty for "added".
        searched: what was searched instead; empty for "dropped".
    """

    how: Literal["dropped", "swapped", "added", "read"]
    said: str
    searched: str


class Fact(NamedTuple):
    """One condition in a form that can be compared.

    Attributes:
        place: the kind of asset that it is asked of.
        key: the property, or what else is said: the kind itself, the order, the count.
        how: "is", "not", "contains", "exists", or "bound".
        values: alternatives, in the words of the catalogue; a bound in the property's own unit.
    """

    place: str
    key: str
    how: str
    values: frozenset[str]

    def said(self, kinds: Collection[str]) -> str:
        """The condition in words; `kinds`: those that are searched, which go without saying."""
        named = self.key if not self.place or self.place in kinds else f"{self.place}.{self.key}"
        listed = " or ".join(sorted(self.values))
        if self.how == "exists":
            return f"{named} {'exists' if self.values == _TRUE else 'is absent'}"
        signs = {"is": "= ", "not": "is not ", "bound": ""}
        if self.key in _ROLES:
            signs["is"] = ""
        return f"{named} {signs.get(self.how, f'{self.how} ')}{listed}"


def untold(
    question: str,
    vocabulary: QuestionVocabulary,
    arguments: Data,
    answer: Data | None = None,
    known: dict[str, Any] | None = None,
) -> list[Difference]:
    """In what a call of `submit_slots` is not the search that a question asks for.

    Args:
        question: as it was asked, in English or German.
        vocabulary: of the catalogue.
        arguments: of the call.
        answer: of the call, which says how terms were corrected and which kinds were searched.
        known: slots of the conversation so far, as for `read_question`.

    Returns:
        The differences, those of the kind of asset first; none where the call says what the rules
        find in the question, and tells as gaps what they cannot place.
    """
    reading = read_question(question, vocabulary, known)
    answer = answer or {}
    try:
        sent = Slots.model_validate(arguments.get("slots") or {})
    except ValidationError:
        return []
    asked = facts_of(reading.arguments(), vocabulary)
    made = facts_of({**arguments, "slots": sent}, vocabulary, answer)
    if not any(fact.key == _KIND for fact in asked):
        # The kinds that have what is asked for go without saying.
        able = _able(asked, vocabulary)
        free = not sent.domains
        made = [
            one for one in made if one.key != _KIND or not (free or (able and one.values >= able))
        ]
    met = {fact.key for fact in asked if any(_meets(one, fact) for one in made)}
    names = [
        name.text
        for meant, known in vocabulary.properties.items()
        if meant.key in met
        for name in known.names
    ]
    left_over = [
        term
        for term in _left_over(reading, arguments)
        if not any(_is_form_of(term, name) for name in names)
    ]
    if reading.look is not None:
        left_over += _looked_for(reading.look, made)
    kinds = [kind for fact in made if fact.key == _KIND for kind in fact.values]
    return list(_compared(asked, made, left_over, kinds))


def _looked_for(look: Look, made: Sequence[Fact]) -> list[str]:
    """Return what a question asks of the catalogue itself and a search does not tell."""
    wanted = (look.arguments or {}).get("property") or (look.arguments or {}).get("search")
    counted = any(fact.key == _COUNT and wanted in fact.values for fact in made)
    return [wanted] if wanted and not counted else []


def _able(asked: Sequence[Fact], vocabulary: QuestionVocabulary) -> frozenset[str]:
    """The kinds that have every property that a question asks for."""
    keys = {fact.key for fact in asked if fact.place == ""}
    return frozenset(
        name
        for name in vocabulary.domains
        if keys and keys <= {meant.key for meant in vocabulary.of_domain(name)}
    )


def _compared(
    asked: Sequence[Fact], made: Sequence[Fact], left_over: Sequence[str], kinds: Collection[str]
) -> Iterator[Difference]:
    missing = [fact for fact in asked if not any(_meets(one, fact) for one in made)]
    extra = [fact for fact in made if not any(_meets(one, fact) for one in asked)]
    for fact in missing:
        instead = next((one for one in extra if _is_instead(one, fact)), None)
        if instead is not None:
            extra.remove(instead)
            yield Difference("swapped", fact.said(kinds), instead.said(kinds))
        else:
            yield Difference("dropped", fact.said(kinds), "")
    for fact in extra:
        if left_over:
            yield Difference("read", ", ".join(left_over), fact.said(kinds))
        else:
            yield Difference("added", "", fact.said(kinds))
    for term in left_over if not extra else ():
        yield Difference("dropped", term, "")


def _meets(one: Fact, fact: Fact) -> bool:
    """Whether a condition says at least what another one does."""
    if fact.key in (_CONNECTED, _UNCONNECTED):
        return one == fact or (one.place in fact.values and fact.key == _CONNECTED)
    if {one.key, fact.key} == {_AGGREGATE, _SORT}:
        return bool(_sorted_as(one) & _sorted_as(fact))
    same = one.key == fact.key and (not one.place or not fact.place or one.place == fact.place)
    if not same:
        return False
    if fact.how == "exists" and fact.values == _TRUE:
        return one.how not in ("not", "exists") or one.values == _TRUE
    return one.how == fact.how and one.values == fact.values


def _sorted_as(fact: Fact) -> frozenset[str]:
    """The orders in which the first asset has what is asked for."""
    if fact.key == _SORT:
        return fact.values
    said = [value.rpartition(" ") for value in fact.values]
    return frozenset(
        f"{key}{_EXTREMES[function]}" for function, _, key in said if function in _EXTREMES
    )


def _is_instead(one: Fact, fact: Fact) -> bool:
    """Whether a condition stands where another one is asked for."""
    if one.key == fact.key:
        return True
    return one.how == fact.how and one.values == fact.values and one.key != _KIND


def _is_form_of(term: str, name: str) -> bool:
    """Whether a word is another form of a name: "compressed" of "compression"."""
    words = fold(term), fold(name)
    if not all(word.isalpha() for word in words):
        return False
    one, other = (_stem(word) for word in words)
    return one == other and len(one) >= _SHORTEST_STEM


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one)), "")
    return word.removesuffix(ending)


def _left_over(reading: Reading, arguments: Data) -> list[str]:
    """Words of a question that the rules cannot place and the call does not tell as a gap."""
    told = [
        fold(str(cast("Data", gap).get("term", "") if isinstance(gap, Mapping) else gap))
        for gap in cast("Sequence[object]", arguments.get("gaps") or ())
    ]
    return [
        gap.term
        for gap in reading.gaps
        if not any(fold(gap.term) in one or (one and one in fold(gap.term)) for one in told)
    ]


def facts_of(
    arguments: Data, vocabulary: QuestionVocabulary, answer: Data | None = None
) -> list[Fact]:
    """The conditions of a call of `submit_slots`, each once, in the words of the catalogue.

    Args:
        arguments: of the call; the slots as they are sent or parsed.
        vocabulary: of the catalogue.
        answer: of the call, where it was made.

    Raises:
        ValidationError: the slots cannot be parsed.
    """
    answer = answer or {}
    raw: object = arguments.get("slots") or {}
    slots = raw if isinstance(raw, Slots) else Slots.model_validate(raw)
    reader = _FactReader(vocabulary, answer)
    facts = list(reader.slots(slots))
    kinds = list(reader.kinds)
    if count_by := str(arguments.get("count_by") or "").strip():
        facts.append(Fact("", _COUNT, "is", frozenset({reader.key(kinds, count_by)[1]})))
    if sort := str(arguments.get("sort") or "").strip():
        key, descending = read_sort(sort)
        said = f"{reader.key(kinds, key)[1]}{', descending' if descending else ''}"
        facts.append(Fact("", _SORT, "is", frozenset({said})))
    if isinstance(folded := arguments.get("aggregate"), Mapping):
        held = cast("Data", folded)
        key = reader.key(kinds, str(held.get("property") or ""))[1]
        facts.append(Fact("", _AGGREGATE, "is", frozenset({f"{held.get('function')} {key}"})))
    return list(dict.fromkeys(facts))


class _FactReader:
    """Reads slots as facts."""

    def __init__(self, vocabulary: QuestionVocabulary, answer: Data) -> None:
        self._vocabulary = vocabulary
        applied = answer.get("applied")
        self._applied: Data = cast("Data", applied) if isinstance(applied, Mapping) else {}
        self._respelled = {
            fold(str(one.get("raw"))): str(one.get("resolved"))
            for one in cast("Sequence[Data]", answer.get("corrections") or ())
            if one.get("how") in _NAME_OF_RESPELLED
        }
        self.kinds: tuple[str, ...] = ()

    def slots(self, slots: Slots) -> Iterator[Fact]:
        searched = cast("Sequence[object]", self._applied.get("domains") or slots.domains)
        self.kinds = tuple(self._kind(str(name)) for name in searched)
        if self.kinds:
            yield Fact("", _KIND, "is", frozenset(self.kinds))
        yield from self._asset(self.kinds, slots.filters, slots.ranges, slots.references)

    def _asset(
        self,
        kinds: Sequence[str],
        filters: Mapping[str, Condition],
        ranges: Mapping[str, Range],
        references: Sequence[Reference],
    ) -> Iterator[Fact]:
        for name, condition in filters.items():
            yield from self._condition(*self.key(kinds, name), condition)
        for name, bounds in ranges.items():
            yield from self._condition(*self.key(kinds, name), Condition(range=bounds))
        for reference in references:
            kind = self._kind(reference.domain)
            role = _UNCONNECTED if reference.none else _CONNECTED
            yield Fact("", role, "is", frozenset({kind}))
            below = self._asset((kind,), reference.filters, reference.ranges, reference.references)
            # Conditions inside `none` hold for the assets that must be absent.
            yield from (
                fact._replace(place=f"no {fact.place}") if reference.none else fact
                for fact in below
            )

    def key(self, kinds: Sequence[str], raw: str) -> tuple[str, str]:
        """The kind that has a property, and the property's key; the kind is empty if unknown."""
        known = self._vocabulary.properties
        around = [near for kind in kinds for near in self._vocabulary.connected(kind)]
        local = raw.rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1]
        for wanted in dict.fromkeys((raw, self._respelled.get(fold(raw), raw), local)):
            for kind in (*kinds, *around) or self._vocabulary.domains:
                if Meant(kind, wanted) in known:
                    return kind if kinds else "", wanted
                for meant in self._vocabulary.of_domain(kind):
                    if any(fold(name.text) == fold(wanted) for name in known[meant].names):
                        return kind if kinds else "", meant.key
        return "", raw

    def _kind(self, raw: str) -> str:
        raw = self._respelled.get(fold(raw), raw)
        for name, domain in self._vocabulary.domains.items():
            if fold(raw) in {fold(name), *(fold(one.text) for one in domain.names)}:
                return name
        return raw

    def _condition(self, place: str, key: str, condition: Condition) -> Iterator[Fact]:
        term = self._vocabulary.properties.get(Meant(place or self._holder(key), key))
        kind = term.kind if term is not None else "term"
        bounds, wanted = condition.range, condition.filter
        if bounds is not None and (wanted is None or kind in ("number", "date")):
            yield from self._bounds(place, key, bounds)
            return
        wanted = wanted or Filter()
        for how, groups in (
            ("is", [wanted.any_of] if wanted.any_of else []),
            ("is", [(value,) for value in wanted.all_of]),
            ("not", [(value,) for value in wanted.none_of]),
        ):
            for values in groups:
                if kind in ("number", "date") and len(values) == 1 and how == "is":
                    yield from self._bounds(place, key, Range(lower=values[0], upper=values[0]))
                else:
                    named = frozenset(self._value(place, key, kind, value) for value in values)
                    yield Fact(place, key, how, named)
        for text in wanted.contains:
            yield Fact(place, key, "contains", frozenset({fold(text)}))
        if wanted.exists is not None:
            yield self._some(place, key, "exists", str(wanted.exists).lower())

    def _bounds(self, place: str, key: str, bounds: Range) -> Iterator[Fact]:
        """Each bound for itself, in the property's own unit."""
        term = self._vocabulary.properties.get(Meant(place or self._holder(key), key))
        kind = term.kind if term is not None else "number"
        unit = term.unit if term is not None else None
        read = bounds_of(bounds, "date" if kind == "date" else "number", unit)
        if isinstance(read, Unreadable):
            sides = ((">=", bounds.lower), ("<=", bounds.upper))
            said = [f"{sign} {fold(str(bound))}" for sign, bound in sides if bound is not None]
        else:
            equal = read.lower == read.upper and not (read.lower_open or read.upper_open)
            halves = [read._replace(upper=None), read._replace(lower=None)]
            said = [str(one) for one in ([read] if equal else halves) if one.lower or one.upper]
        for one in said:
            counts = unit is None and kind == "number"
            yield (
                self._some(place, key, "bound", one)
                if counts
                else Fact(place, key, "bound", frozenset({one}))
            )

    def _some(self, place: str, key: str, how: str, said: str) -> Fact:
        """That there are some of what is counted, in one form: "has traffic lights"."""
        term = self._vocabulary.properties.get(Meant(place or self._holder(key), key))
        counts = term is not None and term.kind == "number" and term.unit is None
        some = "exists" if (how, said) == ("exists", "true") else said
        if counts and some in _SOME:
            return Fact(place, key, "exists", _TRUE)
        return Fact(place, key, how, frozenset({said}))

    def _value(self, place: str, key: str, kind: str, raw: Scalar) -> str:
        if kind == "boolean" or isinstance(raw, bool):
            said = read_boolean(raw)
            return str(raw) if said is None else str(said).lower()
        text = self._respelled.get(fold(str(raw)), str(raw))
        return self._vocabulary.label_of(Meant(place or self._holder(key), key), text)

    def _holder(self, key: str) -> str:
        """A kind that has the property, where none was named."""
        return next((meant.domain for meant in self._vocabulary.properties if meant.key == key), "")
