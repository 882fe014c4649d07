"""The content of the record of an answer, so that a sentence about it can be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from groundwire.evidence.answers import RecordNames, other_names, words_of_telling
from groundwire.evidence.records import (
    Completeness,
    Condition,
    Draft,
    Names,
    Statement,
    Value,
    ValueKind,
)
from groundwire.learning.results import SharesItem
from groundwire.learning.subjects import NotRead, Subject, shortened

PACKAGE = "groundwire.learning"
LOG = "review log"

_PLACES = 4
_STEPS = tuple(Decimal(1).scaleb(-places) for places in range(_PLACES + 1))
_RATERS = ("server", "learner", "host", "import")


class Proof:
    """Collects values and statements of one answer."""

    def __init__(self, *, momentary: bool = True, stale: Iterable[str] = (), **audit: Any) -> None:
        """Begin a record.

        Args:
            momentary: whether it tells how things are now, so that a later answer replaces it.
            stale: keys of values of earlier answers that it makes out of date.
            audit: what the answer was made with: parameters, policy, counts of the log.
        """
        self._names = RecordNames(PACKAGE)
        self._labels = other_names(PACKAGE, "values")
        self._telling = words_of_telling(PACKAGE, "values")
        self._stale = tuple(self._labels[key][0] for key in stale) if momentary else None
        self._audit: Mapping[str, Any] = audit
        self._values: list[Value] = []
        self._statements: list[Statement] = []

    def said(self, key: str) -> Names:
        """Return the names of a predicate."""
        return self._names.predicate(key)

    def value(
        self,
        key: str,
        text: str,
        kind: ValueKind = "number",
        *,
        unit: str | None = None,
        of: str | None = None,
        labels: Iterable[str] = (),
    ) -> int:
        """Add a value, and return its position.

        Args:
            key: the key of its names.
            text: its exact text.
            kind: how the text is to be read.
            unit: canonical unit, or None.
            of: what the value is about, or None for the answer as a whole.
            labels: other names of what it is about.
        """
        known = self._labels[key]
        names = (*dict.fromkeys((*known[1:], *labels)), *self._telling.get(key, ()))
        self._values.append(Value(known[0], text, kind, unit, of, None, names, None, LOG))
        return len(self._values) - 1

    def share(self, key: str, value: float, *, of: str | None = None, fine: bool = False) -> int:
        """Add a probability, in percent and as a share, and return the position of the first.

        Answers show percents to one decimal, and probabilities alone (`fine`) to four.
        """
        exact = probability(value)
        text = decimals(exact * 100, 2) if fine else percent(value)
        position = self.value(key, text, unit="%", of=of)
        self.value(key, decimals(exact), of=of)
        return position

    def name(self, name: str) -> None:
        """Add a name that the answer has, so that it can be repeated."""
        self._values.append(Value("name", name, "name"))

    def scope(
        self,
        subject: str,
        *conditions: Condition,
        value: int | None = None,
        objects: Iterable[Names] = (),
        complete: Completeness = "",
    ) -> None:
        """State a set: what its members are, the conditions that they meet, and their count."""
        self._statements.append(
            Statement(
                "scope",
                self.said(subject),
                (),
                tuple(objects),
                conditions,
                value=value,
                complete=complete,
            )
        )

    def relation(
        self, subject: Names, predicate: str, *objects: Names, complete: Completeness = ""
    ) -> None:
        """State how a thing is related to others."""
        names = self.said(predicate)
        self._statements.append(
            Statement("relation", subject, names, tuple(objects), complete=complete)
        )

    def kind(self, name: str, kind: str) -> None:
        """State of what kind a thing is: a card, a deck, a concept."""
        self.relation((name,), "type", self.said(kind))

    def absence(self, subject: Names, predicate: str, *conditions: Condition) -> None:
        """State that something was looked for and is not there."""
        names = self.said(predicate)
        self._statements.append(Statement("absence", subject, names, conditions=conditions))

    def about(self, subject: Subject) -> tuple[Condition, ...]:
        """Return the condition that something is of a subject; none for everything."""
        if subject.kind == "everything":
            return ()
        return (Condition(self.said(subject.kind), "is", ((subject.name,),)),)

    def exists(self, key: str) -> Condition:
        """Return the condition that something is of a kind: due, new."""
        return Condition(self.said(key), "exists")

    def subject(self, subject: Subject) -> str | None:
        """Return what values are about: the name of a subject, or None for everything."""
        return None if subject.kind == "everything" else subject.name

    def dated(self, key: str, day: str, card: str) -> None:
        """Add a day that is of a card, and state so."""
        position = self.value(key, day, "date", of=card)
        of_card = Condition(self.said("card"), "is", ((card,),))
        self.scope("due", of_card, value=position)

    def shares(self, shares: SharesItem, of: str | None, *about: Condition) -> None:
        """State how many reviews of a subject each rated; who rated none is stated too."""
        counts = (shares.server, shares.learner, shares.host, shares.imported)
        for rater, count in zip(_RATERS, counts, strict=True):
            position = self.value(f"rated_{rater}", str(count), of=of)
            rated = Condition(self.said("rated_by"), "is", (self.said(f"by_{rater}"),))
            self.scope("review", *about, rated, value=position)

        if shares.reported_by_host:
            position = self.value("rated_reported", str(shares.reported_by_host), of=of)
            told = Condition(self.said("reported_by"), "is", (self.said("by_host"),))
            self.scope("review", told, value=position)

    def not_read(self, refusal: NotRead) -> Draft:
        """Return the record of a name that stands for nothing here."""
        objects = tuple(tuple(dict.fromkeys((label, value))) for value, label in refusal.candidates)
        kind = refusal.param if refusal.param in ("deck", "concept") else "card"
        subject = (shortened(refusal.raw),)
        self._statements.append(Statement("absence", subject, self.said(kind), objects))
        return self.draft()

    def draft(self) -> Draft:
        """Return the record."""
        self._statements.append(Statement("source", self.said("source")))
        return Draft(
            values=tuple(self._values),
            audit=self._audit,
            statements=tuple(self._statements),
            stale=self._stale,
        )


def percent(share: float) -> str:
    """Return a probability as percent to one decimal: 92.3.

    What is not certain never reads as 0 or 100.
    """
    text = _rounded(Decimal(repr(share)) * 100, 1)
    if text == "100.0" and share < 1:
        return "99.9"
    return "0.1" if text == "0.0" and share > 0 else text


def decimals(value: float, places: int = _PLACES) -> str:
    """Return a number to some decimals, without zeros at its end: 0.9231."""
    text = _rounded(Decimal(repr(value)), places)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def rounded(value: float, places: int = _PLACES) -> float:
    """Return a number as answers show it."""
    return float(decimals(value, places))


def probability(value: float) -> float:
    """Return a probability as answers show it: what is not certain never reads as 0 or 1."""
    least = 10**-_PLACES
    return value if value in (0, 1) else rounded(min(max(value, least), 1 - least))


def _rounded(value: Decimal, places: int) -> str:
    return format(value.quantize(_STEPS[places], ROUND_HALF_EVEN), "f")
