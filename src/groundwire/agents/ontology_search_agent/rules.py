"""The agent's rules, its briefing and its guard: a question, read into one call of submit_slots.

The guard composes the answer of what the search returned, and of nothing else. No sentence of a
model's draft is passed on. What a model sent and the server only repeats - a term that it could not
place, a bound that matched nothing - is told where the question has it.

A search that is not the one that the question asks for is told as such, first of all and with low
confidence; one of another kind of asset is refused, and so is one of a whole kind where the
question has conditions of which none was searched.

The vocabulary and, for models, the shapes are read from the server before the first round. The
vocabulary is asked for by its digest afterwards; the shapes are kept as long as that digest holds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.binding import Difference
from groundwire.agents.ontology_search_agent.choosing import Slots
from groundwire.agents.ontology_search_agent.differences import (
    all_of_kind,
    differences_of,
    is_of_other_kind,
    known_slots,
    lost_conditions,
    other_kind,
    slots_of,
)
from groundwire.agents.ontology_search_agent.language import (
    Labels,
    Sentences,
    counts_kinds,
    language_in,
    rephrased,
)
from groundwire.agents.ontology_search_agent.looking import TOOLS, is_searchless, look_told
from groundwire.agents.ontology_search_agent.marking import mark
from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.telling import told
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import EACH_KIND
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import (
    AgentContext,
    AgentInput,
    Evidence,
    ReasoningStep,
    ToolAnswer,
    Verdict,
)
from groundwire.agents.runtime.definition import Briefing
from groundwire.agents.runtime.errors import ToolExecutionFailure
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)
from groundwire.language.requests import is_aside, requests_of
from groundwire.ontology.terms import CatalogueTerms
from groundwire.safe_text import safe_name

# Kinds of asset that are counted one by one.
_MOST_COUNTED = 6
SEARCH = "submit_slots"
NOTHING = Sentences("en").say("nothing")
_SKIPPED = "Call submit_slots with what the question says, and put what cannot be placed into gaps."
_MOST_UNKNOWN = 4
_STATUS = ("results", "empty", "rejected")
BUDGET = 130_000
"""Characters of Turtle that a prompt may hold, about 40,000 tokens."""
_MOST_KEPT = 4
_MOST_OTHERS = 300


def build_rules() -> RulesModel:
    """The model that searches without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Submit what the question says, once; a question of nothing known lists what there is."""
    if any(isinstance(part, ToolResultPart) for part in messages[-1].parts):
        return saying("The tools have answered.")
    vocabulary = CURRENT.get()
    offered = {tool.name for tool in tools}
    if vocabulary is None or "submit_slots" not in offered:
        return saying("The catalogue cannot be searched.")
    asked = rephrased(_question(messages))
    reading = read_question(asked.text, vocabulary, _known(messages))
    kinds = reading.slots.get("domains", [])
    if asked.compares and not reading.count_by and len(kinds) < 2:
        # Which of two has more is told by counting both.
        filters = reading.slots.get("filters", {})
        several = [key for key, value in filters.items() if _has_several(value)] or [*filters]
        reading = replace(reading, count_by=several[0] if len(several) == 1 else "")
    if asked.place > 1 and reading.sort:
        reading = replace(reading, limit=asked.place)
    if reading.look is not None and reading.look.tool in offered:
        sent = cast("Mapping[str, JsonValue]", reading.look.arguments or {})
        looks = [(reading.look.tool, sent)]
        if "search" in sent:
            # What there is instead is told with it.
            looks.append((reading.look.tool, {}))
        return calling(*looks, thought="Looks up what the catalogue has.")
    if reading.slots:
        sure = reading.unconditioned() if reading.lacks_condition else reading
        arguments = cast("Mapping[str, JsonValue]", sure.arguments())
        sent = {**arguments, "interpretation": _interpretation(reading)}
        calls: list[tuple[str, Mapping[str, JsonValue]]] = [("submit_slots", sent)]
        counts = counts_kinds(asked.text) or EACH_KIND.search(asked.text)
        if 1 < len(kinds) <= _MOST_COUNTED and counts and not sure.gaps:
            # The number of each kind is told beside that of all.
            slots = cast("Mapping[str, JsonValue]", sure.slots)
            of_kinds = [cast("JsonValue", {**slots, "domains": [one]}) for one in kinds]
            calls += [("submit_slots", {"slots": one}) for one in of_kinds]
        return calling(*calls, thought="Reads the question into slots.")
    if "discover_domains" in offered:
        return calling(
            ("discover_domains", {}), thought="The question names nothing that is known."
        )
    return saying("The question names nothing that is known.")


def _has_several(value: object) -> bool:
    """Whether a filter takes any of several values."""
    if isinstance(value, Mapping):
        value = cast("Mapping[str, object]", value).get("any_of")
    return isinstance(value, list) and len(cast("list[object]", value)) > 1


def _question(messages: Sequence[Message]) -> str:
    for message in reversed(messages):
        for part in message.parts:
            if message.role == "user" and isinstance(part, TextPart) and part.data:
                said = part.data.get("question")
                if isinstance(said, str):
                    return said
    return ""


def _known(messages: Sequence[Message]) -> Slots | None:
    """The slots of the last turn of a conversation."""
    for message in reversed(messages):
        for part in message.parts:
            if message.role == "assistant" and isinstance(part, TextPart) and part.data:
                return slots_of(part.data)
    return None


def _interpretation(reading: Reading) -> str:
    """One sentence that says what was understood."""
    words = _asset(reading.slots, " or ".join(reading.slots.get("domains", [])) or "any asset")
    if reading.count_by:
        words += f", counted by {reading.count_by}"
    if reading.sort:
        down = reading.sort.startswith("-")
        words += f", sorted by {reading.sort.lstrip('-')}{', descending' if down else ''}"
    return words[:1].upper() + words[1:1000]


def _asset(slots: Slots, name: str) -> str:
    parts: list[str] = []
    for key, value in {**slots.get("filters", {}), **slots.get("ranges", {})}.items():
        parts.append(f"{key}: {_condition(value)}")
    for reference in slots.get("references", []):
        parts.append(f"a connected {_asset(reference, reference['domain'])}")
    return f"{name} with {'; '.join(parts)}" if parts else name


def _condition(value: Any) -> str:
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return ", ".join(f"{name} {_condition(held)}" for name, held in entries.items())
    if isinstance(value, list):
        return " or ".join(map(str, cast("list[Any]", value)))
    return str(value)


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


class CatalogueBriefing:
    """Makes briefings, and keeps what it has read of the last few catalogues."""

    def __init__(self, budget: int = BUDGET) -> None:
        """Keep nothing yet.

        Args:
            budget: characters of Turtle in a prompt.
        """
        self._budget = budget
        self._known: OrderedDict[str, QuestionVocabulary] = OrderedDict()
        self._shapes: dict[tuple[str, str], str] = {}
        self._last = "none"

    async def __call__(self, asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
        """Read what is needed for one question."""
        try:
            vocabulary = await self._vocabulary(tools)
        except ToolExecutionFailure as failure:
            CURRENT.set(None)
            return Briefing(values=_values({}, (), (), ()), notes=(str(failure),))
        CURRENT.set(vocabulary)
        question = tools.dated(asked.question)
        if not tools.model_reads_prompt:
            # Rules read the vocabulary; nobody reads the prompt.
            return Briefing(values=_values({}, (), (), ()), question=question)
        return Briefing(await self._shown(question, vocabulary, tools), question=question)

    async def _vocabulary(self, tools: Toolbox) -> QuestionVocabulary:
        terms = CatalogueTerms.model_validate_json(await tools.read(f"vocabulary://{self._last}"))
        known = self._known.get(terms.digest)
        if known is None:
            if not terms.domains:
                # Known to the server under this digest, but not here any more.
                terms = CatalogueTerms.model_validate_json(await tools.read("vocabulary://none"))
            known = self._known[terms.digest] = QuestionVocabulary(terms)
            while len(self._known) > _MOST_KEPT:
                gone, _ = self._known.popitem(last=False)
                self._shapes = {key: text for key, text in self._shapes.items() if key[0] != gone}
        self._last = terms.digest
        return known

    async def _shown(
        self, question: str, vocabulary: QuestionVocabulary, tools: Toolbox
    ) -> Mapping[str, Any]:
        """The shapes: all of them where they fit, else those that the question names first."""
        names = list(vocabulary.domains)
        texts: dict[str, str] = {}
        left = self._budget
        for name in _by_relevance(question, vocabulary):
            text = await self._turtle(vocabulary.terms.digest, name, tools)
            if len(text) <= left:
                texts[name] = text
                left -= len(text)
        ordered = {name: texts[name] for name in names if name in texts}
        return _values(
            ordered,
            names,
            [name for name in names if name not in texts],
            vocabulary.terms.others[:_MOST_OTHERS],
        )

    async def _turtle(self, digest: str, domain: str, tools: Toolbox) -> str:
        key = (digest, domain)
        if key not in self._shapes:
            self._shapes[key] = await tools.read(f"shapes://{domain}")
        return self._shapes[key]


def _by_relevance(question: str, vocabulary: QuestionVocabulary) -> list[str]:
    """Domains by how much of a question they have: their own name first, then their terms."""
    score = dict.fromkeys(vocabulary.domains, 0.0)
    for item in mark(rephrased(question).text, vocabulary):
        for name in item.named.domains:
            score[name] = score.get(name, 0.0) + 10
        meant = {one.domain for one in (*item.named.properties, *item.named.values)}
        for name in meant:
            score[name] += 1 / len(meant)
    return sorted(score, key=lambda name: -score[name])


def _values(
    shapes: Mapping[str, str],
    domains: Sequence[str],
    left_out: Sequence[str],
    others: Sequence[str],
) -> Mapping[str, Any]:
    text = "\n".join(f"## {name}\n\n```turtle\n{turtle}```\n" for name, turtle in shapes.items())
    return {
        "shapes": text,
        "shown": list(shapes),
        "domains": list(domains),
        "left_out": list(left_out),
        "others": list(others),
    }


def build_briefing() -> CatalogueBriefing:
    """The briefing of this agent."""
    return CatalogueBriefing()
