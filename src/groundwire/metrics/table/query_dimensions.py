"""The dimensions that a table query may name, and what is said where it names none of them."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.metrics.reading import candidates, quoted
from groundwire.metrics.table.axes import PERIOD
from groundwire.metrics.table.query import Dimension, TableMetric
from groundwire.metrics.table.refusing import RefusedError, offered
from groundwire.metrics.table.words import term_of
from groundwire.metrics.wording import listed
from groundwire.vocabulary import Policy, Term, Vocabulary


class QueryDimensions:
    """The dimensions that the metrics of one query have."""

    def __init__(self, dimensions: Sequence[Dimension], metrics: Sequence[TableMetric]) -> None:
        """Take the dimensions of a store that all the metrics have."""
        self.has_time = all(one.grains for one in metrics)
        every = list(dimensions)
        if self.has_time and all(one.code != PERIOD for one in every):
            every.append(Dimension(PERIOD, "Period", "time"))
        self.by_code = {one.code: one for one in every}
        self._vocabulary = Vocabulary(
            Term(one.code, one.label, (one.code.rpartition(".")[2], *one.aliases)) for one in every
        )

    def find(self, raw: str) -> tuple[str, str]:
        """The code of the dimension that a text names, and how it was read; else twice ""."""
        found = self._vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found.term.id, found.how
        if found.how == "unknown" and self.has_time and term_of("period", raw):
            return PERIOD, "alias"
        return "", ""

    def refuse(self, param: str, raw: str, metrics: Sequence[TableMetric] = ()) -> None:
        """Refuse a text that names no dimension of the metrics.

        Raises:
            RefusedError: always.
        """
        found = self._vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        if found.how == "unknown" and "." in raw:
            # A field of a table that is reached in several ways has one name for each of them.
            last = self._vocabulary.resolve(raw.rpartition(".")[2], Policy.CANDIDATES_ONLY)
            found = last if last.how == "ambiguous" else found
        near = candidates(found.candidates) or offered(
            *((one.code, one.label) for one in self.by_code.values())
        )
        near += offered(*((one.code, one.label) for one in metrics)) if param == "where" else []
        names = listed([one.value for one in near], 12)
        what = "may be any of"
        if found.how != "ambiguous":
            what = "is no dimension of this metric: there is"
        raise RefusedError(
            f"{quoted(raw)} {what} {names}.",
            param,
            raw,
            "ambiguous" if found.how == "ambiguous" else "unknown",
            near[:12],
        )
