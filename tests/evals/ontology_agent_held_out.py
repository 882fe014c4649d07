"""Wordings that the rules of the ontology agent were not written against.

A third of all, the fourth round. They were written before any rule was tried. At first sight 79.6 %
of them were read exactly and 3.5 % silently wrong; rules were mended by that once, so a change of
the rules that is to be judged afresh needs a round of its own.
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
            value("Which {V} {D} do you know of?", alone=True),
            value("{D} carrying the {P} {V}, if any"),
            value("Get hold of every {S} whose {P} happens to be {V}"),
            value("Do {D} with {V} exist?", alone=True),
            value("anything {V} among the {D}?", alone=True),
            value("I only care about {D} where {P} reads {V}"),
        ],
        "any of": [
            value("{D} with a {P} of {V} or {W}, whichever", count=2),
            value("{D} in {V} or possibly {W}", count=2, alone=True),
            value("Search for {D} that offer {V} or offer {W}", count=2, alone=True),
            value("{P} {V} or {W}: list the {D}", count=2),
        ],
        "all of": [
            value("{D} which contain {V} plus {W}", how="all", count=2, alone=True),
            value("Are there {D} with {V}, and with {W} too?", how="all", count=2, alone=True),
        ],
        "none of": [
            value("{D} lacking {V}", how="none", alone=True),
            value("{D} whose {P} isn't {V}", how="none"),
            value("Leave out {V} and give me the other {D}", how="none", alone=True),
            value("{D} that are not {V}", how="none", alone=True),
            value("{D} with neither {V} nor {W} as {P}", how="none", count=2),
        ],
        "exists": [
            exists("{D} that come with a {P}", True),
            exists("Which {D} don't have a {P}?", False),
            exists("{D} for which no {P} is known", False),
            exists("{D} whose {P} has been filled in", True),
        ],
        "boolean": [
            truth_of("Show the {D} for which {P} holds true", True),
            truth_of("{D} whose {P} is set to false", False),
        ],
        "bound": [
            bound("{D} with over {N}{U} of {P}", "gt"),
            bound("{D} of which the {P} stays below {N}{U}", "lt"),
            bound("{D}: {P} >= {N}{U}", "min"),
            bound("Do you have {D} whose {P} is {N}{U} at most?", "max"),
            bound("{D} where {P} comes to more than {N}{U}", "gt"),
            bound("{D} having {P} of {N}{U} and more", "min"),
            between("{D} with {P} anywhere from {N} to {M}{U}"),
            between("Find {D}: {P} between {N}{U} and {M}{U}"),
        ],
        "date": [
            dated("{D} whose {P} falls after {T}", "after"),
            dated("{D} with {P} on or after {T}", "since"),
            dated("which {D} had a {P} before {T}", "before"),
        ],
        "count": [
            counted("What is the number of {D} for each {P}?"),
            counted("Give me {D} counts by {P}"),
        ],
        "sort": [
            sorted_by("Rank the {D} by {P}, highest first", descending=True),
            sorted_by("{D} in ascending order of {P}", descending=False),
        ],
        "reference": [
            referring("{D} built on {RS} with {P} {V}"),
            referring("Which {D} go with a {R} whose {P} exceeds or equals {N}{U}?", bounded=True),
            referring("{D} where the {R} has {P} {V}"),
        ],
        "two": [
            two("{D} with {P} {V}, {Q} at least {N}{U}"),
            two("{D} with {Q} no less than {N}{U} but not with {P} {V}", negated=True),
        ],
    }
    german = {
        "value": [
            value("Zeig mal die {D}, bei denen als {P} {V} angegeben ist"),
            value("Sind {D} mit {V} dabei?", alone=True),
            value("{D} mit {P} = {V} bitte"),
            value("Ich interessiere mich für {D} aus {V}", alone=True),
        ],
        "any of": [
            value("{D} mit {V} oder mit {W}", count=2, alone=True),
            value("{D}, deren {P} entweder {V} oder {W} lautet", count=2),
        ],
        "all of": [value("{D}, die {V} und {W} zugleich haben", how="all", count=2, alone=True)],
        "none of": [
            value("Alle {D}, die nicht {V} haben", how="none", alone=True),
            value("{D} mit einer anderen {P} als {V}", how="none"),
            value("{D}, bei denen {P} weder {V} noch {W} ist", how="none", count=2),
        ],
        "exists": [
            exists("{D}, bei denen {P} fehlt", False),
            exists("Gibt es {D} mit {P}?", True),
            exists("{D} ohne jede {P}", False),
        ],
        "boolean": [
            truth_of("{D}, für die {P} zutrifft", True),
            truth_of("{D}, bei denen {P} falsch ist", False),
        ],
        "bound": [
            bound("{D} mit {N}{U} {P} oder mehr", "min"),
            bound("{D}, deren {P} kleiner als {N}{U} ist", "lt"),
            bound("{D} mit maximal {N}{U} {P}", "max"),
            bound("Welche {D} liegen bei {P} über {N}{U}?", "gt"),
            between("{D}, bei denen {P} zwischen {N} und {M}{U} liegt"),
        ],
        "date": [
            dated("{D}, deren {P} nach dem {T} liegt", "after"),
            dated("{D} mit {P} von {Y} bis {Z}", "years"),
        ],
        "count": [
            counted("Zähle die {D} für jede {P}"),
            counted("Wie viele {D} hat jede {P}?"),
        ],
        "sort": [sorted_by("Die {D} mit der kleinsten {P} zuerst", descending=False)],
        "reference": [
            referring("{D}, die zu {RS} mit {P} {V} gehören"),
            referring("{D} auf einer {R} mit mindestens {N}{U} {P}", bounded=True),
        ],
        "two": [two("{D} mit {P} {V}, aber nur ab {N}{U} {Q}")],
    }
    return [
        Wording(kind, f"{language} {kind} held out {number}", language, make, held_out=True)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
