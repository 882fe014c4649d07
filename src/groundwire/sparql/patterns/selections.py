"""Types of a selection, and the parts of a question that are read without looking anything up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import key_of
from groundwire.sparql.patterns.compiling import Bound, Link, Step
from groundwire.sparql.patterns.fitting import is_true
from groundwire.sparql.patterns.reading import SCALES, Option, Reading, Span
from groundwire.sparql.patterns.words import data, plain, tokens
from groundwire.sparql.schema.names import Use

SIGNS = {"above": ">", "below": "<", "least_bound": ">=", "most_bound": "<="}
OF = frozenset(("of", "von", "des", "vom"))


@dataclass(slots=True)
class Meant:
    """An entity with the link that it belongs to, if one was named."""

    span: Span
    option: Option
    link: Span | None
    step: Step
    is_denied: bool = False


@dataclass(slots=True)
class Selection:
    """A selection as a question asks for it.

    Attributes:
        of: the words that say what is selected.
        classes: of which it is; nothing where a link alone says it.
        links: conditions, each with the entities as they were named.
        value: the property of its bounds or order, with its use; None for neither.
        bounds: of that value.
        way: the superlative, or None.
        projected: a link of the one that is selected, which is asked for; None for none.
    """

    of: Span
    classes: tuple[str, ...]
    links: list[tuple[Link, tuple[Option, ...]]] = field(
        default_factory=list[tuple[Link, tuple[Option, ...]]]
    )
    value: tuple[str, Use] | None = None
    bounds: tuple[Bound, ...] = ()
    way: Span | None = None
    projected: Step | None = None

    def add(self, link: Link, meant: Sequence[Meant]) -> None:
        """Add a condition that some entities meet."""
        options = tuple(one.option for one in meant)
        self.links.append((link._replace(entities=tuple(one.iri for one in options)), options))

    @property
    def plain_links(self) -> list[Link]:
        """The links without names."""
        return [link for link, _ in self.links]

    def without_denied(self, rows: Sequence[Mapping[str, Cell]]) -> list[Mapping[str, Cell]]:
        """Leave out the entities that are denied: nobody asks whether Brazil borders Brazil."""
        own = {e for link in self.plain_links if link.kind == "not" for e in link.entities}
        return [row for row in rows if key_of(row["x"]) not in own]

    def silent(self, rows: Sequence[Mapping[str, Cell]]) -> list[Cell]:
        """Return those that state nothing at all by a relation that is denied of an entity."""
        denied = [at for at, link in enumerate(self.plain_links) if link.kind == "not"]
        if len(denied) != 1:
            return []
        silent = (row["x"] for row in rows if not is_true(row[f"s{denied[0]}"]))
        return list({key_of(cell): cell for cell in silent}.values())


def is_coordinated(reading: Reading, spans: Sequence[Span]) -> bool:
    """Whether spans stand in a list: "and" or a comma between any two, and no "of"."""
    joints = {plain(one) for one in data()["and"]["words"]}
    for one, other in pairwise(spans):
        between = set(reading.between(one, other))
        text = reading.prompt[reading.words[one.last - 1].end : reading.words[other.first].start]
        if between & OF or not (between & joints or any(mark in text for mark in ",、，")):
            return False
    return True


def values_asked(reading: Reading, uses: Mapping[str, Use]) -> tuple[list[Span], list[Span]] | None:
    """Return the entities and the properties of "capital and area of X", or None."""
    named: dict[tuple[str, ...], Span] = {}
    for one in reading.relations:
        named.setdefault(one.properties, one)
    spans = [one for one in reading.relations if one.properties]
    distinct = list(named.values())
    numeric = all(uses[p].is_number for one in spans for p in one.properties)
    cues = [one for one in reading.cues if one.cue not in ("each", "and")]
    is_counted = len(cues) == 1 and cues[0].cue == "count" and numeric
    if (
        len(spans) != len(reading.relations)
        or not spans
        or not reading.entities
        or reading.numbers
        or (cues and not is_counted)
        or len(distinct) + len(reading.entities) < 3
    ):
        return None
    ends = [one.first for one in reading.entities]
    is_apart = all(one.last <= min(ends) or one.first > max(ends) for one in spans)
    if len(distinct) > 1 and not (is_apart and is_coordinated(reading, spans)):
        return None
    is_listed = is_coordinated(reading, reading.entities)
    if not is_listed and len(spans) != len(reading.entities):
        return None
    return list(reading.entities), distinct


def bounds_of(reading: Reading, signs: Sequence[Span], use: Use) -> tuple[Bound, ...] | None:
    """Return each number with the cue before it, or two with "between"; None if they do not fit."""
    numbers = [one.number for one in reading.numbers]
    if any(one.cue == "between" for one in signs):
        if len(signs) != 1 or len(numbers) != 2:
            return None
        low, high = (float(one) for one in numbers)
        scale = _scale_of(reading.numbers[1])
        if scale > 1 and _scale_of(reading.numbers[0]) == 1 and low < high / scale + 1:
            # "Between 10 and 12 million" says the scale once.
            low *= scale
        if low > high:
            return None
        found = [(">=", f"{low:.15g}"), ("<=", f"{high:.15g}")]
    else:
        if len(signs) != len(numbers):
            return None
        found = [(SIGNS[one.cue], n) for one, n in zip(signs, numbers, strict=True)]
    if use.is_date and not all(number.isdigit() and len(number) == 4 for _, number in found):
        return None
    return tuple(Bound(sign, number, use.is_date) for sign, number in found)


def _scale_of(number: Span) -> float:
    """Return the scale that is said with a number: million, 万; 1 for none."""
    said = [word.text for word in tokens(number.text)]
    return SCALES.get(plain(said[-1]), 1) if len(said) > 1 else 1
