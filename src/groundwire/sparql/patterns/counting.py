"""Which of two entities has more objects of a property: "does Chile have more neighbours?"."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import UnansweredError
from groundwire.sparql.patterns.compiling import Way, path_query
from groundwire.sparql.patterns.fitting import is_cut_short, may_order
from groundwire.sparql.patterns.reading import Option, Span
from groundwire.sparql.patterns.telling import Telling
from groundwire.sparql.schema.names import NUMERIC, Use


async def compare_counts(
    asking: Asking, told: Telling, way: Span, pair: Sequence[Option]
) -> PatternAnswer | None:
    """Count the objects of a property of two entities and compare the numbers.

    Args:
        asking: the graph.
        told: how answers are worded, with the reading of the prompt.
        way: the word that compares, of the cue "more" or "less".
        pair: the entities.

    Returns:
        the answer, or None where the prompt names no such property or its values are compared.

    Raises:
        UnansweredError: nothing is stated of one of them.
    """
    reading = told.reading
    spans = [one for one in reading.relations if one.properties]
    is_of_number = may_order(way, Use(datatypes=NUMERIC))
    if len(reading.relations) != 1 or len(spans) != 1 or reading.numbers or not is_of_number:
        return None
    uses = await asking.uses(spans[0].properties)
    fit = [p for p in spans[0].properties if uses[p].range and not uses[p].datatypes]
    if len(fit) != 1:
        return None
    sides: list[tuple[Option, list[Proof]]] = []
    for entity in pair:
        query = path_query(entity.iri, ((Way(fit[0], inverse=False),),), ((),))
        outcome = await asking.select(query, "the objects to count")
        found = {key_of(row["n1"]): row["n1"] for row in cells_of(outcome)}
        if not found or is_cut_short(outcome):
            raise UnansweredError(
                told.none("unstated", [entity], e=entity.label, p=told.name(fit[0]))
            )
        start = Term("iri", entity.iri)
        sides.append((entity, [Proof(start, Term("iri", fit[0]), one) for one in found.values()]))
    return await told.compared_counts(
        asking, fit[0], way.cue == "more", sides,
        is_yes_no=reading.is_ask and not reading.has("or"),
    )  # fmt: skip
