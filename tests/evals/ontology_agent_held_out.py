"""Wordings that the rules of the ontology agent were not written against.

A third of all. They were written before any rule was tried; nothing is tuned by their figures.
"""

from __future__ import annotations

from tests.evals.ontology_agent_drawing import Wording
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


def held_out() -> list[Wording]:
    """All wordings of this module."""
    english = {
        "value": [
            value("I am looking for {D} where the {P} equals {V}."),
            value("Do we have any {D} that feature {V}?", alone=True),
        ],
        "any of": [value("Give me {D} with either {V} or {W} as {P}, please", count=2)],
        "none of": [value("Every {S} except those with {V}", how="none", alone=True)],
        "exists": [exists("Are there {D} which lack a {P}?", False)],
        "boolean": [truth_of("{D} with {P} set to no", False)],
        "bound": [
            bound("Which {D} have a {P} that exceeds {N}{U}?", "gt"),
            bound("{D} having a {P} of no more than {N}{U}", "max"),
            between("{D}, {P} from {N} to {M}{U}"),
        ],
        "date": [dated("Any {D} with a {P} date before {T}?", "before")],
        "count": [counted("Number of {D} grouped by {P}")],
        "sort": [sorted_by("Top 5 {D} by {P}", descending=True)],
        "reference": [referring("I need {D} which refer to {RS} whose {P} is {V}")],
        "two": [two("Are there any {D} with {Q} >= {N}{U} where {P} is {V}?")],
    }
    german = {
        "value": [value("Gibt es {D}, bei denen {P} gleich {V} ist?")],
        "any of": [value("Ich brauche {D} mit entweder {V} oder {W}", count=2, alone=True)],
        "none of": [value("Welche {D} haben weder {V} noch {W}?", how="none", count=2, alone=True)],
        "exists": [exists("{D}, für die es {P} gibt", True)],
        "bound": [
            bound("Ich suche {D} mit höchstens {N}{U} {P}", "max"),
            bound("{D}, deren {P} über {N}{U} liegt", "gt"),
        ],
        "count": [counted("Anzahl der {D} je {P}")],
        "reference": [referring("{D}, die auf eine {R} mit {P} {V} verweisen")],
        "two": [two("{D} ohne {P} {V}, aber mit mindestens {N}{U} {Q}", negated=True)],
    }
    return [
        Wording(kind, f"{language} {kind} held out {number}", language, make, held_out=True)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
