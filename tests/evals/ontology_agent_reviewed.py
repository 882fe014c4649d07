"""Wordings that the rules of the ontology agent were once held to, before they were looked at.

Two rounds of them, each written before any rule was tried. Since what went wrong with them was
read, and rules were mended by it, they count as wordings of the development. At first sight 92.7 %
of the first round were read exactly and 1.9 % silently wrong, of the second 63.7 % and 6.6 %.
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


def reviewed() -> list[Wording]:
    """All wordings of this module."""
    english = {
        "value": [
            value("I am looking for {D} where the {P} equals {V}."),
            value("Do we have any {D} that feature {V}?", alone=True),
            value("Could you pull up the {D} that have {V} as their {P}?"),
            value("{V} {D}", alone=True),
            value("I want to see {D} where {P} = {V}"),
        ],
        "any of": [
            value("Give me {D} with either {V} or {W} as {P}, please", count=2),
            value("{D} whose {P} is one of {V}, {W}", count=2),
            value("Which of the {D} come with {V} and/or {W}?", count=2, alone=True),
        ],
        "none of": [
            value("Every {S} except those with {V}", how="none", alone=True),
            value("{D} that do not have {V}", how="none", alone=True),
            value("all {D} but not those whose {P} is {V}", how="none"),
        ],
        "exists": [
            exists("Are there {D} which lack a {P}?", False),
            exists("Which {D} have no {P} at all?", False),
        ],
        "boolean": [
            truth_of("{D} with {P} set to no", False),
            truth_of("Are there {D} whose {P} is yes?", True),
        ],
        "bound": [
            bound("Which {D} have a {P} that exceeds {N}{U}?", "gt"),
            bound("{D} having a {P} of no more than {N}{U}", "max"),
            between("{D}, {P} from {N} to {M}{U}"),
            bound("{D} whose {P} is under {N}{U}", "lt"),
            bound("Which {D} have {N}{U} of {P} or more?", "min"),
            bound("{D} with a maximum {P} of {N}{U}", "max"),
            between("Anything among the {D} with {N} to {M}{U} {P}?"),
        ],
        "date": [
            dated("Any {D} with a {P} date before {T}?", "before"),
            dated("{D} with a {P} in {Y}", "year"),
            dated("{D} where the {P} is later than {T}", "after"),
        ],
        "count": [
            counted("Number of {D} grouped by {P}"),
            counted("Break the {D} down by {P}"),
        ],
        "sort": [
            sorted_by("Top 5 {D} by {P}", descending=True),
            sorted_by("The {D} with the highest {P} first", descending=True),
        ],
        "reference": [
            referring("I need {D} which refer to {RS} whose {P} is {V}"),
            referring("{D} based on a {R} whose {P} is at least {N}{U}", bounded=True),
        ],
        "two": [
            two("Are there any {D} with {Q} >= {N}{U} where {P} is {V}?"),
            two("{D} with a {Q} of {N}{U} or more and {P} {V}"),
        ],
        "all of": [
            value("{D} having {V} as well as {W}", how="all", count=2, alone=True),
        ],
    }
    german = {
        "value": [
            value("Gibt es {D}, bei denen {P} gleich {V} ist?"),
            value("Habt ihr {D} mit dem Wert {V} für {P}?"),
            value("Mich interessieren {D}, in denen {V} vorkommt", alone=True),
        ],
        "any of": [
            value("Ich brauche {D} mit entweder {V} oder {W}", count=2, alone=True),
            value("{D}, bei denen {P} {V} oder {W} ist", count=2),
        ],
        "none of": [
            value("Welche {D} haben weder {V} noch {W}?", how="none", count=2, alone=True),
            value("Alle {D} außer denen mit {P} {V}", how="none"),
        ],
        "exists": [
            exists("{D}, für die es {P} gibt", True),
            exists("{D}, denen {P} fehlt", False),
        ],
        "bound": [
            bound("Ich suche {D} mit höchstens {N}{U} {P}", "max"),
            bound("{D}, deren {P} über {N}{U} liegt", "gt"),
            bound("{D} mit weniger als {N}{U} {P}", "lt"),
            bound("{D}, deren {P} {N}{U} nicht überschreitet", "max"),
        ],
        "count": [
            counted("Anzahl der {D} je {P}"),
        ],
        "reference": [
            referring("{D}, die auf eine {R} mit {P} {V} verweisen"),
            referring("Welche {D} nutzen {RS}, deren {P} {V} ist?"),
        ],
        "two": [
            two("{D} ohne {P} {V}, aber mit mindestens {N}{U} {Q}", negated=True),
            two("{D} mit {Q} ab {N}{U}, deren {P} {V} lautet"),
        ],
        "boolean": [
            truth_of("Welche {D} haben {P} gleich nein?", False),
        ],
        "date": [
            dated("{D}, deren {P} vor dem {T} liegt", "before"),
        ],
        "sort": [
            sorted_by("Die {D} mit der größten {P}", descending=True),
        ],
    }
    return [
        Wording(kind, f"{language} {kind} reviewed {number}", language, make)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
