"""The ninth round of wordings: never read for mending, measured when all mending was done."""

from __future__ import annotations

from tests.evals.ontology_agent_drawing import Wording
from tests.evals.ontology_agent_forms import both, linked, lower, newest, ranked
from tests.evals.ontology_agent_templates import (
    between,
    bound,
    counted,
    dated,
    exists,
    referring,
    sorted_by,
    truth_of,
    two,
    value,
)


def ninth() -> list[Wording]:
    """All wordings of this module."""
    english = {
        "value": [
            lower(value("got any {D} with {V}", alone=True)),
            value("What do you have by way of {D} with {P} {V}?"),
            value("{D}: {V} only", alone=True),
            both("{P} {V}, {Q} {W}: which {D} fit?"),
        ],
        "any of": [value("Either {V} or {W} would be fine, show {D}", count=2, alone=True)],
        "all of": [value("{D} which have {V} and, on top, {W}", how="all", count=2, alone=True)],
        "none of": [
            value("No {V} please, just {D} without it", how="none", alone=True),
            value("{D} where {P} is anything but {V}", how="none"),
        ],
        "exists": [exists("{D} that do not have any {P}", False)],
        "boolean": [truth_of("show {D} with {P} false", False)],
        "bound": [
            bound("{D} with {P} of {N}{U} or above", "min"),
            bound("The {P} of the {D} has to be lower than {N}{U}", "lt"),
            between("{D} with {N} to {M}{U} of {P}"),
        ],
        "date": [dated("{D} that have a {P} later than {T}", "after")],
        "count": [counted("What's the breakdown of {D} by {P}?")],
        "sort": [
            newest("List {D} starting with the newest {P}"),
            ranked("{D} with {P} {V}, highest {Q} on top", descending=True),
        ],
        "reference": [referring("Find me {D}, but only if they use a {R} with {P} {V}")],
        "two": [two("{D} having {P} {V} plus {Q} of {N}{U} upwards")],
    }
    german = {
        "value": [
            value("Hättet ihr {D} mit {V} für mich?", alone=True),
            value("{D}, und zwar mit {P} {V}"),
            lower(value("welche {D} sind {V}", alone=True)),
        ],
        "any of": [value("Egal ob {V} oder {W}, Hauptsache {D}", count=2, alone=True)],
        "none of": [value("{D}, jedoch nicht mit {V}", how="none", alone=True)],
        "exists": [exists("{D}, bei denen es keine {P} gibt", False)],
        "bound": [
            bound("Die {P} der {D} soll mindestens {N}{U} betragen", "min"),
            bound("{D} mit weniger als {N}{U} {P}", "lt"),
        ],
        "date": [dated("{D} mit {P} vor dem {T}", "before")],
        "count": [counted("Bitte die Anzahl der {D} pro {P}")],
        "sort": [sorted_by("Sortiere die {D} absteigend nach {P}", descending=True)],
        "reference": [linked("{D}, zu denen es eine {R} gibt")],
        "two": [two("{D} mit {P} {V}, wobei {Q} mindestens {N}{U} beträgt")],
    }
    return [
        Wording(kind, f"{language} {kind} ninth {number}", language, make, True, unread=True)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
