"""The guard: the answer is composed of what the search returned, and of nothing else.

No sentence of a model's draft is passed on. What a model sent and the server only repeats - a term
that it could not place, a bound that matched nothing - is told where the question has it.

A search that is not the one that the question asks for is told as such, first of all and with low
confidence; one of another kind of asset is refused, and so is one of a whole kind where the
question has conditions of which none was searched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.binding import Difference
from groundwire.agents.ontology_search_agent.differences import (
    all_of_kind,
    differences_of,
    is_of_other_kind,
    known_slots,
    lost_conditions,
    other_kind,
)
from groundwire.agents.ontology_search_agent.looking import TOOLS, is_searchless, look_told
from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.rephrasing import rephrased
from groundwire.agents.ontology_search_agent.scopes import Slots
from groundwire.agents.ontology_search_agent.sentences import Labels, Sentences, language_in
from groundwire.agents.ontology_search_agent.telling import told
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT
from groundwire.agents.runtime.contract import Evidence, ReasoningStep, ToolAnswer, Verdict
from groundwire.language.requests import is_aside, requests_of
from groundwire.safe_text import safe_name

SEARCH = "submit_slots"
NOTHING = Sentences("en").say("nothing")
_SKIPPED = "Call submit_slots with what the question says, and put what cannot be placed into gaps."
_MOST_UNKNOWN = 4
_STATUS = ("results", "empty", "rejected")


class SearchGuard:
    """Composes the answer of a search."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft: it is replaced by what was found."""
        language = language_in(evidence.question, evidence.turns)
        sentences = Sentences(language, Labels(CURRENT.get(), language))
        found = chosen(evidence)
        if found is not None:
            return _searched(found, sentences, evidence)
        looked = [one for one in evidence.of(*TOOLS) if isinstance(one.data.get("answer"), str)]
        lines = list(dict.fromkeys(look_told(one, sentences) for one in looked))
        opening = [sentences.say("nothing")] if is_searchless(looked) else []
        if opening and (terms := _unknown(evidence.question)):
            shown = ", ".join(f'"{safe_name(one)}"' for one in terms)
            opening.append(sentences.say("unknown", terms=shown))
        told_of = " ".join([*opening, *lines])
        return Verdict(
            {"answer": told_of, "status": "not_searched"},
            ask_again="" if looked else _SKIPPED,
        )


def _unknown(question: str) -> tuple[str, ...]:
    """Return the words of a question that are nothing in the catalogue."""
    vocabulary = CURRENT.get()
    if vocabulary is None:
        return ()
    gaps = read_question(rephrased(question).text, vocabulary).gaps
    return tuple(one.term for one in gaps)[:_MOST_UNKNOWN]


class Found(NamedTuple):
    """A search, and in what it is not the one that the question asks for."""

    search: ToolAnswer
    differences: tuple[Difference, ...]


def chosen(evidence: Evidence) -> Found | None:
    """The search that counts: nearest to the question, with assets rather than none, the last."""
    asked = rephrased(evidence.question).text
    # A dry run is empty without having counted.
    made = [
        Found(one, differences_of(one.data, one.arguments, asked, evidence.turns))
        for one in evidence.of(SEARCH)
        if one.data.get("status") in _STATUS
        and (one.data["status"] == "rejected" or not one.arguments.get("dry_run"))
    ]
    return min(
        reversed(made),
        key=lambda one: (
            one.search.data["status"] == "rejected",
            len(one.differences),
            _STATUS.index(str(one.search.data["status"])),
        ),
        default=None,
    )


def _searched(found: Found, sentences: Sentences, evidence: Evidence) -> Verdict:
    """The verdict on a search; what it does not share with the question comes first."""
    search, differences = found
    asked = rephrased(evidence.question)
    if asked.compares:
        differences = tuple(one for one in differences if "counted by" not in one.searched)
    if any(is_of_other_kind(one) for one in differences):
        refused: dict[str, JsonValue] = {
            "answer": other_kind(differences, sentences),
            "status": "not_searched",
            "confidence": "low",
        }
        return Verdict(refused, ask_again=_SKIPPED)
    lost = lost_conditions(search.data, differences, asked.text, evidence.turns)
    if lost:
        said = all_of_kind(search.data, lost, sentences, asked.text)
        widened: dict[str, JsonValue] = {
            "answer": said,
            "status": "not_searched",
            "confidence": "low",
        }
        return Verdict(widened, ask_again=_SKIPPED)
    result = told(search.data, search.arguments, asked, sentences, evidence.turns, differences)
    if counted := _of_each_kind(search, evidence, sentences):
        result["answer"] = f"{counted}\n{result['answer']}"
    return Verdict(result, leaves=_left_requests(evidence))


def _left_requests(evidence: Evidence) -> tuple[str, ...]:
    """Return the requests of a question where one search does not answer them together, else none.

    It does where each of them, read by itself, is about the same assets, and the search is arranged
    as each of them asks.
    """
    vocabulary, requests = CURRENT.get(), requests_of(evidence.question)
    if vocabulary is None or len(requests) < 2 or rephrased(evidence.question).compares:
        return ()
    known = known_slots(evidence.turns)
    whole = read_question(rephrased(evidence.question).text, vocabulary, known)
    if len(whole.slots.get("domains", [])) > 1:
        return ()
    if any(is_aside(one, before) for before, one in pairwise(requests)):
        return requests
    for request in requests:
        part = read_question(rephrased(request).text, vocabulary, known)
        arranged = (part.sort, whole.sort), (part.count_by, whole.count_by)
        aggregated = part.aggregate not in (None, whole.aggregate)
        if part.gaps and not whole.gaps:
            return requests
        if (
            _without_told(part.slots, whole.sort) != _without_told(whole.slots, whole.sort)
            or aggregated
            or any(a not in ("", b) for a, b in arranged)
        ):
            return requests
        known = part.slots
    return ()


def _without_told(slots: Slots, sort: str) -> Slots:
    """Return slots without the demand for a figure that is told anyway: "and how long is it?"."""
    filters = dict(slots.get("filters", {}))
    key = sort.removeprefix("-")
    if filters.get(key) != {"exists": True}:
        return slots
    del filters[key]
    kept = {name: held for name, held in slots.items() if name != "filters"}
    return kept | ({"filters": filters} if filters else {})


def _of_each_kind(search: ToolAnswer, evidence: Evidence, sentences: Sentences) -> str:
    """Return how many assets of each kind a search of several kinds has found, or empty."""
    slots = _slots(search)
    kinds = slots.get("domains")
    if not isinstance(kinds, list) or len(kinds) < 2:
        return ""
    found = {
        one: other.data
        for other in evidence.of(SEARCH)
        for one in kinds
        if _slots(other) == {**slots, "domains": [one]} and _slots(other) != slots
    }
    if len(found) < len(kinds) or search.data.get("status") != "results":
        return ""
    totals = [(one, data.get("total")) for one, data in found.items()]
    named = [
        sentences.say("kind_number", kind=sentences.kinds({"domains": [one]}), number=number)
        for one, total in totals
        if isinstance(total, int) and (number := sentences.number(total))
    ]
    return sentences.say("each_kind", listed="; ".join(named))


def _slots(search: ToolAnswer) -> dict[str, JsonValue]:
    held = search.arguments.get("slots")
    return dict(held) if isinstance(held, Mapping) else {}


def build_guard() -> SearchGuard:
    """The guard of this agent."""
    return SearchGuard()
