"""The agent's knowledge before its first round: the vocabulary, and for models the shapes.

Both are read from the server through resources. The vocabulary is read once and asked for by its
digest afterwards; the shapes of a domain are kept as long as that digest holds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.agents.ontology_search_agent.marking import mark
from groundwire.agents.ontology_search_agent.rephrasing import rephrased
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import AgentContext, AgentInput
from groundwire.agents.runtime.definition import Briefing
from groundwire.agents.runtime.errors import ToolExecutionFailure
from groundwire.ontology.terms import CatalogueTerms

BUDGET = 130_000
"""Characters of Turtle that a prompt may hold, about 40,000 tokens."""

_MOST_KEPT = 4
_MOST_OTHERS = 300


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
