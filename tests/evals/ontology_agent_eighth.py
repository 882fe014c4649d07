"""The eighth round of wordings, held out.

It was written before the seventh round was looked at wording by wording, by someone who had read
the rules. At first sight 71.8 % of it were read exactly and 1.9 % silently wrong; rules were mended
by it once.
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


def eighth() -> list[Wording]:
    """All wordings of this module."""
    english = {
        "value": [
            lower(value("{D} {P} {V}")),
            value("Our team is evaluating {D} where {V} plays a role", alone=True),
            value("Please compile a list of the {D} classified as {V}", alone=True),
            value("Is {V} covered by any {D}?", alone=True),
            value("{V} - which {D} have that?", alone=True),
            value("My {D} should have {V} as their {P}"),
            value("Of all {D}, give me those with {V}", alone=True),
            lower(both("{D} {P} {V} {Q} {W}")),
            both("{D} in which {P} is {V} while {Q} is {W}"),
        ],
        "any of": [
            value("{D} with {V} or, failing that, {W}", count=2, alone=True),
            value("I can use {D} with {P} {V} or with {P} {W}", count=2),
        ],
        "all of": [
            value("{D} where {V} and {W} occur together", how="all", count=2, alone=True),
        ],
        "none of": [
            value("I don't want {V}, which {D} remain?", how="none", alone=True),
            value("{D} not having {V} as {P}", how="none"),
            lower(value("{D} no {V}", how="none", alone=True)),
        ],
        "exists": [
            exists("{D} whose {P} is known", True),
            exists("{D} that lack information on {P}", False),
        ],
        "boolean": [truth_of("{D} for which {P} is not false", True)],
        "bound": [
            bound("{D}, {N}{U} {P} minimum", "min"),
            bound("{D} whose {P} does not go beyond {N}{U}", "max"),
            lower(bound("{D} {P} more than {N}{U}", "gt")),
            between("{D} having somewhere between {N} and {M}{U} of {P}"),
        ],
        "date": [
            dated("{D} with a {P} on {T} or later", "since"),
            dated("{D} whose {P} is before {T}", "before"),
        ],
        "count": [
            counted("{D} per {P}, counts only"),
            counted("Show a tally of {D} by {P}"),
        ],
        "sort": [
            newest("{D} by {P}, most recent first"),
            sorted_by("Order the {D} by {P} from low to high", descending=False),
            ranked("{P} {V}: {D} by {Q}, biggest first", descending=True),
        ],
        "reference": [
            linked("Which {D} come with a {R}?"),
            referring("I want {D} with a {R}, the {R} must have {P} {V}"),
            referring_too("{D} having {P} {V} and linked to a {R} having {Q} {W}"),
        ],
        "two": [two("Only {D} with {P} {V}, and {Q} must not be under {N}{U}")],
    }
    german = {
        "value": [
            lower(value("{D} {P} {V}")),
            value("Ich bin auf der Suche nach {D} mit {V}", alone=True),
            value("Bitte stellen Sie mir {D} zusammen, die {V} abdecken", alone=True),
            value("Welche der {D} haben {V} als {P}?"),
            value("{V} als {P}: welche {D} gibt es da?"),
            both("{D}, deren {P} {V} und deren {Q} {W} ist"),
        ],
        "any of": [value("{D}, bei denen die {P} {V} oder aber {W} ist", count=2)],
        "all of": [
            value("{D}, in denen {V} und {W} gemeinsam vorkommen", how="all", count=2, alone=True)
        ],
        "none of": [
            value("{D}, auf die {V} nicht zutrifft", how="none", alone=True),
            lower(value("{D} nicht {V}", how="none", alone=True)),
        ],
        "exists": [
            exists("{D}, deren {P} bekannt ist", True),
            exists("{D} ganz ohne {P}", False),
        ],
        "boolean": [truth_of("{D}, deren {P} wahr ist", True)],
        "bound": [
            bound("{D}, {P} mindestens {N}{U}", "min"),
            bound("{D}, deren {P} über {N}{U} hinausgeht", "gt"),
            lower(bound("{D} {P} < {N}{U}", "lt")),
            between("{D}, {P} {N} - {M}{U}"),
        ],
        "date": [
            dated("{D}, deren {P} nach {T} ist", "after"),
            dated("{D} mit {P} bis spätestens {T}", "until"),
        ],
        "count": [counted("Wie viele {D} je {P}?")],
        "sort": [
            newest("{D} sortiert nach {P}, älteste zuerst", descending=False),
            ranked("{D} mit {P} {V}, nach {Q} aufsteigend", descending=False),
        ],
        "reference": [
            linked("Welche {D} haben eine {R}?"),
            referring("{D}, die auf {RS} mit {P} {V} aufbauen"),
        ],
        "two": [two("{D} mit {Q} ab {N}{U} und mit {V} als {P}")],
    }
    return [
        Wording(kind, f"{language} {kind} eighth {number}", language, make, held_out=True)
        for language, kinds in (("en", english), ("de", german))
        for kind, makers in kinds.items()
        for number, make in enumerate(makers, 1)
    ]
