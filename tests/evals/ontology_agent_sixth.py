"""The sixth round of wordings, written before the rules of the ontology agent were read.

As engineers and users of a catalogue type: keywords, whole polite sentences, subordinate clauses,
parts in another order, filler words, without capitals or marks.
At first sight 89.7 % of them were read exactly and 0.4 % silently wrong; rules were mended by them
since, so they belong to the development share.
"""

from __future__ import annotations

from tests.evals.ontology_agent_drawing import Wording
from tests.evals.ontology_agent_forms import (
    both,
    linked,
    lower,
    newest,
    ranked,
    referring_too,
)
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


def sixth() -> list[Wording]:
    """All wordings of this module."""
    english = {
        "value": [
            lower(value("{D} {V}", alone=True)),
            lower(value("{P} {V} {D}")),
            value("Hello, could you please tell me which {D} you have where the {P} is {V}?"),
            value("I'm looking for a {S} that has {V}", alone=True),
            value("how many {D} have {V}", alone=True),
            value("Anything in the way of {D} whose {P} would be {V}?"),
            both("{D} with {P} {V} and {Q} {W}"),
            lower(both("need {D} with {W} as {Q}, also {P} must be {V}")),
        ],
        "any of": [
            value("{D} where the {P} is one of {V}, {W}", count=2),
            value("{D} that are either {V} or {W}", count=2, alone=True),
        ],
        "all of": [value("{D} that feature {V} along with {W}", how="all", count=2, alone=True)],
        "none of": [
            value("all {D} except those with {V}", how="none", alone=True),
            value("{D}, but nothing where {P} is {V}", how="none"),
        ],
        "exists": [
            exists("only {D} for which the {P} is given", True),
            exists("{D} missing a {P}", False),
        ],
        "boolean": [truth_of("are there {D} where {P} = yes", True)],
        "bound": [
            lower(bound("{D} {P} > {N}{U}", "gt")),
            bound("I need {D} whose {P} is not less than {N}{U}", "min"),
            bound("{D} under {N}{U} {P}", "lt"),
            lower(between("{D} {P} {N}-{M}{U}")),
        ],
        "date": [
            dated("{D} with a {P} in {Y}", "year"),
            lower(dated("{D} {P} since {T}", "since")),
        ],
        "count": [counted("Could you break down the {D} by {P}?")],
        "sort": [
            newest("{D}, latest {P} first"),
            sorted_by("{D} with the highest {P} first, please", descending=True),
            ranked("{D} with {P} {V} ordered by {Q} ascending", descending=False),
        ],
        "reference": [
            linked("{D} that use {RS}"),
            referring("{RS} with {P} {V}: which {D} use them?"),
            referring_too("{D} with {P} {V} that use {RS} with {Q} {W}"),
        ],
        "two": [two("I want {D} where {Q} is {N}{U} or more and {P} is {V}")],
    }
    german = {
        "value": [
            lower(value("{D} {V}", alone=True)),
            lower(value("brauche {D} mit {V}", alone=True)),
            value("Könnten Sie mir bitte sagen, welche {D} es gibt, deren {P} {V} ist?"),
            value("gibt es {D} mit {V} als {P}"),
            value("Ich suche nach {D}, in denen {V} vorkommt", alone=True),
            value("Wie viele {D} haben {V}?", alone=True),
            both("{D} mit {P} {V} und {Q} {W}"),
        ],
        "any of": [value("Ich hätte gern {D} mit {V} beziehungsweise {W}", count=2, alone=True)],
        "all of": [value("{D}, die {V} sowie {W} enthalten", how="all", count=2, alone=True)],
        "none of": [
            value("alle {D} außer denen mit {V}", how="none", alone=True),
            value("{D}, aber bitte keine mit {P} {V}", how="none"),
        ],
        "exists": [
            exists("nur {D}, zu denen es eine {P} gibt", True),
            exists("{D}, die keine {P} haben", False),
        ],
        "boolean": [truth_of("gibt es {D} mit {P} = ja", True)],
        "bound": [
            lower(bound("{D} {P} über {N}{U}", "gt")),
            bound("Ich brauche {D}, deren {P} nicht unter {N}{U} liegt", "min"),
            bound("{D} mit höchstens {N}{U} {P}", "max"),
            lower(between("{D} {P} {N} bis {M}{U}")),
        ],
        "date": [
            dated("{D} mit {P} seit {T}", "since"),
            dated("{D} mit {P} im Jahr {Y}", "year"),
        ],
        "count": [counted("Wie verteilen sich die {D} auf die {P}?")],
        "sort": [
            newest("{D} nach {P}, neueste zuerst"),
            sorted_by("Welche {D} haben die größte {P}?", descending=True),
        ],
        "reference": [
            linked("{D}, die {RS} verwenden"),
            referring("{D}, bei denen die {R} als {P} {V} hat"),
        ],
        "two": [two("{D} mit mindestens {N}{U} {Q} und {P} {V}")],
    }
    return [
        Wording(kind, f"{language} {kind} sixth {number}", language, make)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
