"""The guard: the answer is composed of what the search returned, and of nothing else.

No sentence of a model's draft is passed on; a draft that states a figure, an IRI or a quoted name
that no tool had answered is flagged. What a model sent and the server only repeats - a term that it
could not place, a bound that matched nothing - is told where the question has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.looking import TOOLS, is_searchless, look_told
from groundwire.agents.ontology_search_agent.sentences import Sentences, language_of
from groundwire.agents.ontology_search_agent.telling import told
from groundwire.agents.runtime.evidence_guard import unsupported
from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.guards import Evidence, ToolAnswer, Verdict
from groundwire.agents.runtime.output import ReasoningStep
from groundwire.vocabulary import fold

SEARCH = "submit_slots"
NOTHING = Sentences("en").say("nothing")
_SKIPPED = "Call submit_slots with what the question says, and put what cannot be placed into gaps."
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,100})[\"“”»]")


class SearchGuard:
    """Composes the answer of a search."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft: it is replaced by what was found."""
        draft = answer.strip() if isinstance(answer, str) else compact(answer) if answer else ""
        invented = bool(draft) and _invents(draft, evidence)
        notes = ("the draft stated what no tool had answered and was left out",) if invented else ()
        search = chosen(evidence)
        if search is not None:
            result = told(search.data, search.arguments, evidence.question, evidence.turns)
            return Verdict(result, fabrication=invented, notes=notes)
        looked = [one for one in evidence.of(*TOOLS) if isinstance(one.data.get("answer"), str)]
        sentences = Sentences(language_of(evidence.question))
        lines = list(dict.fromkeys(look_told(one, sentences) for one in looked))
        opening = [sentences.say("nothing")] if is_searchless(looked) else []
        told_of = " ".join([*opening, *lines])
        return Verdict(
            {"answer": told_of, "status": "not_searched"},
            fabrication=invented,
            notes=notes,
            ask_again="" if looked else _SKIPPED,
        )


def chosen(evidence: Evidence) -> ToolAnswer | None:
    """The search that counts: the last that found assets, else the last that was made at all."""
    made = evidence.of(SEARCH)
    for status in ("results", "empty", "rejected"):
        # A dry run is empty without having counted.
        held = [one for one in made if one.data.get("status") == status and _searched(one, status)]
        if held:
            return held[-1]
    return None


def _searched(search: ToolAnswer, status: str) -> bool:
    return status == "rejected" or not search.arguments.get("dry_run")


def _invents(draft: str, evidence: Evidence) -> bool:
    """Whether a draft states a figure, an IRI or a quoted name that no tool had answered."""
    answers = [one for one in evidence.answers if not one.is_error]
    if unsupported(draft, answers):
        return True
    known = fold(" ".join((evidence.question, *(compact(dict(one.data)) for one in answers))))
    return any(fold(name) not in known for name in _QUOTED.findall(draft))


def build_guard() -> SearchGuard:
    """The guard of this agent."""
    return SearchGuard()
