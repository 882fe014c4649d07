"""Step 3: what the graph says of entities that were found, or finds and says in one query.

The steps of a how-to in order, or what keeps them from being whole. The order is that of
`schema:position`, of an RDF list, or of `schema:nextItem`; steps may stand in sections, lists and
list items, as literals too. Source: schema.org, HowTo, HowToStep, ItemList.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from groundwire.graph.terms import Term
from groundwire.language.asking import asked_in
from groundwire.sparql.outcome import Cell, Outcome, text_of
from groundwire.sparql.workflow.model import Hit, Match, Row, Source, Steps, Wanted
from groundwire.sparql.workflow.queries import (
    HOW_TOS,
    QUESTIONS,
    RDF_REST,
    STEP_PROPERTIES,
    meaning_query,
    steps_query,
    texts_query,
)
from groundwire.sparql.workflow.questions import is_called
from groundwire.sparql.workflow.sources import hits_by_terms

_RDF_NIL = RDF_REST.replace("rest", "nil")
_DEEPEST = 8
_MOST_STEPS = 500
_TEXTS = ("text", "description", "name")
_STEP_NAMES = tuple(dict.fromkeys(one.rpartition("/")[2] for one in STEP_PROPERTIES))
_STEP_TYPES = ("HowToStep", "HowToSection")
_DIGITS = re.compile(r"(\d{1,9})")
_NUMBER = re.compile(r"(?P<number>\d{1,6})(?:\.0{1,9})?")

_Node = dict[str, list[Term]]


class _Reader:
    """Walks through what stands in a how-to, each node once.

    Attributes:
        texts, numbers: of the steps.
        others: what each step says in other languages.
        missing: what keeps them from being whole.
        unordered: the graph does not say the order of some.
        sections: some stand in sections, each with numbers of its own.
    """

    def __init__(self, nodes: dict[str, _Node], language: str) -> None:
        self._nodes = nodes
        self._language = language
        self._seen: set[str] = set()
        self.texts: list[str] = []
        self.numbers: list[int] = []
        self.others: list[tuple[str, ...]] = []
        self.missing: list[str] = []
        self.unordered = False
        self.sections = False

    def read(self, key: str, heading: str, depth: int) -> None:
        """Add the steps that stand in a node, those of its sections among them."""
        if key in self._seen or depth > _DEEPEST:
            return
        self._seen.add(key)
        numbered = self._in_order(key)
        for number, item in numbered:
            if len(self.texts) >= _MOST_STEPS:
                self.missing.append(f"there are more than {_MOST_STEPS} steps")
                return
            item = self._unwrapped(item)
            if self._is_section(item):
                alone = len(numbered) == 1
                self.sections |= not alone
                named = self._text(self._nodes.get(_key(item), {}))
                self.read(_key(item), "" if alone else named or heading, depth + 1)
            else:
                self._add(number, item, heading)

    def _is_section(self, item: Term) -> bool:
        """Whether an item is a section or a list: what stands in it are the steps."""
        if item.kind == "literal" or not self._children(_key(item)):
            return False
        return not self._first(self._nodes.get(_key(item), {}), ("text", "description"))

    def _add(self, number: int, item: Term, heading: str) -> None:
        others: tuple[str, ...] = ()
        if item.kind == "literal":
            text = item.value
        else:
            inner = list(self._inner(_key(item)))
            own = self._nodes.get(_key(item), {})
            text = " ".join((self._text(own), *inner))
            others = () if inner else _translations(own, text)
        if not text.strip():
            where = f" of “{heading}”" if heading else ""
            self.missing.append(f"step {number}{where} has no text")
            return
        self.texts.append(f"{heading}: {text}" if heading else text)
        self.numbers.append(number)
        self.others.append(others)

    def _inner(self, key: str) -> Iterator[str]:
        """Yield the directions within one step."""
        for _, item in self._in_order(key):
            found = self._unwrapped(item)
            said = found.value if found.kind == "literal" else ""
            text = said or self._text(self._nodes.get(_key(found), {}))
            if text.strip():
                yield text

    def _in_order(self, key: str) -> list[tuple[int, Term]]:
        """Return what stands in a node, each with its number."""
        items = self._children(key)
        node = self._nodes.get(key, {})
        listed = [one for one in items if one.value == _RDF_NIL or self._is_list(one)]
        if listed and len(listed) == len(items) == 1:
            return list(enumerate(self._walked(listed[0]), 1))
        expected = _numbers(node.get("numberOfItems", ()))
        if expected and expected[0] > len(items):
            self.missing.append(f"{len(items)} of {expected[0]} steps are held")
        placed = [(number, one) for one in items for number in self._positions(one)]
        if items and len(placed) == len(items) == len({one for _, one in placed}):
            placed.sort(key=lambda pair: pair[0])
            self._check_numbers([number for number, _ in placed])
            return placed
        chained = items if len(items) < 2 else self._chained(items)
        if items and not chained:
            self.unordered = True
            self.missing.append("the graph does not say in which order its steps are")
        return list(enumerate(chained or sorted(items, key=_natural), 1))

    def _check_numbers(self, numbers: Sequence[int]) -> None:
        first = min(1, numbers[0])
        wanted = range(first, numbers[-1] + 1)
        absent = [number for number in wanted if number not in set(numbers)]
        self.missing += [f"step {number} is missing" for number in absent[:20]]
        if len(absent) > 20:
            self.missing.append(f"{len(absent) - 20} more steps are missing")
        twice = sorted({number for number in numbers if list(numbers).count(number) > 1})
        self.missing += [f"more than one step has the number {number}" for number in twice[:20]]

    def _walked(self, head: Term) -> list[Term]:
        """The members of an RDF list."""
        found: list[Term] = []
        seen: set[str] = set()
        at = head
        while at.value != _RDF_NIL:
            node = self._nodes.get(_key(at), {})
            firsts, rests = node.get("first", []), node.get("rest", [])
            if _key(at) in seen or len(firsts) != 1 or len(rests) != 1:
                found += firsts[:1] if _key(at) not in seen else []
                self.missing.append(f"the list of its steps breaks off after step {len(found)}")
                break
            seen.add(_key(at))
            found.append(firsts[0])
            at = rests[0]
        return found

    def _chained(self, items: Sequence[Term]) -> list[Term]:
        """Items in the order of `schema:nextItem`, where it joins all of them."""
        by_key = {_key(one): one for one in items if one.kind != "literal"}
        following: dict[str, str] = {}
        for key in by_key:
            node = self._nodes.get(key, {})
            for one in node.get("nextItem", ()):
                following[key] = _key(one)
            for one in node.get("previousItem", ()):
                following[_key(one)] = key
        firsts = [key for key in by_key if key not in following.values()]
        if len(by_key) != len(items) or len(firsts) != 1:
            return []
        found: list[Term] = []
        at: str | None = firsts[0]
        while at in by_key and by_key[at] not in found:
            found.append(by_key[at])
            at = following.get(at)
        return found if len(found) == len(items) else []

    def _children(self, key: str) -> list[Term]:
        node = self._nodes.get(key, {})
        found = [one for name in _STEP_NAMES for one in node.get(name, ())]
        if not found:
            parts = (one for one in node.get("hasPart", ()) if _key(one) != key)
            found = [one for one in parts if self._is_step(one)]
        literals = [one for one in found if one.kind == "literal"]
        if literals and len({one.language for one in literals}) > 1:
            best = self._of_language(literals)
            found = [one for one in found if one.kind != "literal" or one.language == best.language]
        return list(dict.fromkeys(found))

    def _is_step(self, item: Term) -> bool:
        types = self._nodes.get(_key(item), {}).get("type", ())
        return any(one.value.rpartition("/")[2] in _STEP_TYPES for one in types)

    def _is_list(self, item: Term) -> bool:
        return item.kind != "literal" and "first" in self._nodes.get(_key(item), {})

    def _positions(self, item: Term) -> tuple[int, ...]:
        if item.kind == "literal":
            return ()
        own = _numbers(self._nodes.get(_key(item), {}).get("position", ()))
        return own or _numbers(self._nodes.get(_key(self._unwrapped(item)), {}).get("position", ()))

    def _unwrapped(self, item: Term) -> Term:
        """Return what a list item is about."""
        if item.kind == "literal":
            return item
        inner = self._nodes.get(_key(item), {}).get("item", ())
        return inner[0] if len(inner) == 1 else item

    def _text(self, node: _Node) -> str:
        return self._first(node, _TEXTS)

    def _first(self, node: _Node, names: Sequence[str]) -> str:
        for name in names:
            said = [one for one in node.get(name, ()) if one.kind == "literal"]
            if said:
                return self._of_language(said).value
        return ""

    def _of_language(self, said: Sequence[Term]) -> Term:
        def rank(term: Term) -> tuple[int, int]:
            language = term.language.partition("-")[0].lower()
            place = 0 if language == self._language else 1 if language in ("", "en") else 2
            return place, -len(term.value)

        return min(said, key=rank)


_ROWS_EACH = 24
_MOST_ROWS = 400
_MOST_OF_STEPS = 2_000
_MOST_TEXT = 2_000
_MOST_ENTITIES = 50


async def read_texts(
    source: Source, hits: Sequence[Hit], prompt: str, timeout: float, *, looked_for: str = ""
) -> tuple[list[Row], Outcome]:
    """The entities with label and text, in the language of the prompt where there is one.

    An answer that was found by its own text stands under its question.
    """
    entities = [hit.iri for hit in hits[:_MOST_ENTITIES]]
    limit = _row_limit(len(entities))
    outcome = await source.select(texts_query(entities, limit), limit, timeout)
    return _rows(source, hits, outcome, prompt, looked_for), outcome


async def find_texts(
    source: Source, wanted: Wanted, prompt: str, timeout: float, inference: str = ""
) -> tuple[list[Row], Outcome]:
    """Entities that a text says terms of, with label, text and score: one query.

    Args:
        source: the endpoint.
        wanted: what is searched for.
        prompt: the prompt, for its language.
        timeout: seconds.
        inference: rule set for reasoning, or "".
    """
    limit = _row_limit(wanted.limit)
    query = meaning_query(source.matching(wanted), limit, inference)
    outcome = await source.select(query, limit, timeout)
    hits = _hits(source, outcome, wanted)
    rows = _rows(source, hits, outcome, prompt, ", ".join(wanted.terms), "text")
    return rows, outcome


async def find_steps(
    source: Source, how_to: str, prompt: str, timeout: float
) -> tuple[Steps, Outcome]:
    """The steps of a how-to, in order, or what keeps them from being whole."""
    query = steps_query(how_to, _MOST_OF_STEPS)
    outcome = await source.select(query, _MOST_OF_STEPS, timeout)
    return read_steps(how_to, outcome, asked_in(prompt)), outcome


async def like_texts(source: Source, wanted: Wanted, timeout: float) -> tuple[list[Hit], Outcome]:
    """Entities that a text says most of the terms of."""
    outcome = await source.select(source.matching(wanted), wanted.limit, timeout)
    return _hits(source, outcome, wanted), outcome


def _hits(source: Source, outcome: Outcome, wanted: Wanted) -> list[Hit]:
    stems = source.endpoint.text_search == "bif_contains"
    return hits_by_terms(outcome, wanted, stems=stems)


def _row_limit(entities: int) -> int:
    return max(entities, min(_MOST_ROWS, _ROWS_EACH * entities))


def _rows(
    source: Source,
    hits: Sequence[Hit],
    outcome: Outcome,
    prompt: str,
    looked_for: str,
    match: Match = "label",
) -> list[Row]:
    language = asked_in(prompt)
    said: dict[str, list[dict[str, Cell]]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        said.setdefault(text_of(cells.get("entity")), []).append(cells)
    rows: dict[str, Row] = {}
    for hit in hits:
        found = said.get(hit.iri, [])
        question = next((text_of(one.get("question")) for one in found if one.get("question")), "")
        called = [one.get("asked" if question else "label") for one in found]
        label = _best(called, language) or hit.label
        answer = _best([one.get("answer") for one in found], language)
        text = answer or _best([one.get("text") for one in found], language)
        text = text or _best([one.get("note") for one in found], language)
        kind = _kind({text_of(one.get("whole" if question else "kind")) for one in found})
        told = bool(answer or (question and kind == "question"))
        if question and not told:
            # One step of many, or a text of something that is no answer.
            text = ""
        names = dict.fromkeys(text_of(one) for one in called if one is not None)
        if hit.is_name and not question:
            names[hit.value] = None
        fits = hit.is_name and not question and is_called(hit.value, looked_for)
        row = Row(
            question or hit.iri,
            label,
            _cut(text or ("" if hit.value == label or kind == "how_to" else hit.value)),
            hit.score,
            source.endpoint,
            "name" if fits else match,
            looked_for,
            tuple(names),
            kind,
            "answer" if text and told else "text" if text and kind != "how_to" else "",
        )
        rows.setdefault(row.iri, row)
    return list(rows.values())


def _kind(types: set[str]) -> Literal["question", "how_to", ""]:
    return "how_to" if types & HOW_TOS else "question" if types & QUESTIONS else ""


def _cut(text: str) -> str:
    """A text as far as it is shown, with a mark where more follows."""
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT].rstrip()}..."


def _best(cells: Sequence[object], wanted: str) -> str:
    """The text in the language wanted, else in English or untagged, else any; the longest."""
    terms = [cell for cell in cells if isinstance(cell, Term) and cell.kind == "literal"]
    if not terms:
        return ""

    def rank(term: Term) -> tuple[int, int]:
        language = term.language.partition("-")[0].lower()
        place = 0 if language == wanted else 1 if language in ("", "en") else 2
        return (place, -len(term.value))

    return min(terms, key=rank).value


def read_steps(how_to: str, outcome: Outcome, language: str) -> Steps:
    """Put in order the steps that a query returned for a how-to.

    Args:
        how_to: its IRI.
        outcome: rows of node, property and value.
        language: language in which texts are preferred.
    """
    nodes: dict[str, _Node] = {}
    for row in outcome.rows:
        node, said, value = dict(zip(outcome.columns, row, strict=False)).values()
        if isinstance(node, Term) and isinstance(said, Term) and isinstance(value, Term):
            nodes.setdefault(_key(node), {}).setdefault(_local(said.value), []).append(value)
    reader = _Reader(nodes, language)
    reader.read(how_to, "", 0)
    missing = list(dict.fromkeys(reader.missing))
    if outcome.status not in ("complete", "empty"):
        why = f" ({outcome.reason})" if outcome.reason else ""
        missing.append(f"they could not all be read{why}")
    elif not reader.texts:
        missing.append("the graph holds no steps of it")
    numbers = () if reader.unordered else tuple(reader.numbers)
    if reader.sections:
        # Steps of sections are numbered through.
        numbers = tuple(range(1, len(numbers) + 1))
    others = tuple(reader.others) if any(reader.others) else ()
    return Steps(tuple(reader.texts), numbers, tuple(missing), others)


def _natural(term: Term) -> list[tuple[int, str]]:
    """A key that sorts step-2 before step-10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in _DIGITS.split(term.value)]


def _numbers(terms: Sequence[Term]) -> tuple[int, ...]:
    found = (_NUMBER.fullmatch(one.value.strip()) for one in terms if one.kind == "literal")
    return tuple(dict.fromkeys(int(one["number"]) for one in found if one))


def _key(term: Term) -> str:
    return term.value if term.kind == "iri" else f"_:{term.value}"


def _local(iri: str) -> str:
    return iri.replace("#", "/").rpartition("/")[2]


def _translations(node: _Node, text: str) -> tuple[str, ...]:
    """Return what a step says in other languages, where each language says it once."""
    said = next((node[name] for name in _TEXTS if node.get(name)), list[Term]())
    languages = [one.language for one in said]
    if len(set(languages)) < len(languages):
        return ()
    return tuple(one.value for one in said if one.language and one.value != text)
