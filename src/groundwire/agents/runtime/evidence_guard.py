"""The guard of an agent that brings none: the answer is what its tools said, and nothing more.

It is made of the quotable sentences of the tools' answers; where there are none, it is an honest
no. Of a draft nothing is repeated. One that states a figure or an IRI that no tool answered is
flagged; what an answer that found nothing merely repeats of the call does not count as answered, or
a model could make its evidence itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.guards import Evidence, ToolAnswer, Verdict
from groundwire.agents.runtime.hints import GOOD, PARTLY, status_of
from groundwire.agents.runtime.output import ReasoningStep

NOTHING_KNOWN = "The tools have no answer to this, so none is given."
LEFT_OUT = "the draft stated what no tool had answered and was left out"
_FIGURE = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
_IRI = re.compile(r"(?:https?://|urn:)[^\s<>\"')\]}]+")
_SEPARATORS = re.compile(r"[,' \u00a0\u202f]")
_MOST_SENTENCES = 12


class EvidenceGuard:
    """Answers with the sentences of the tools; a draft that made something up is flagged."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        said = [one for one in evidence.answers if not one.is_error]
        made_up = bool(unsupported(draft_text(answer), said))
        sentences = [text for one in said if (text := _sentence(one.data))]
        told = " ".join(dict.fromkeys(sentences[-_MOST_SENTENCES:])) or NOTHING_KNOWN
        return Verdict({"answer": told}, fabrication=made_up, notes=(LEFT_OUT,) * made_up)


def unsupported(draft: str, answers: Sequence[ToolAnswer]) -> tuple[str, ...]:
    """Figures and IRIs of a draft that stand in none of the answers, in order."""
    known: set[str] = set()
    iris: set[str] = set()
    for one in answers:
        text = _grounds(one)
        sent = compact(dict(one.arguments))
        echoed = set[str]() if _is_proof(one) else {_plain(at) for at in _FIGURE.findall(sent)}
        known |= {_plain(found) for found in _FIGURE.findall(text)} - echoed
        iris |= {
            _bare(found) for found in _IRI.findall(text) if echoed == set() or found not in sent
        }
    wrong = [found for found in map(_bare, _IRI.findall(draft)) if found not in iris]
    rest = _IRI.sub(" ", draft)
    wrong += [found for found in _FIGURE.findall(rest) if _plain(found) not in known]
    return tuple(dict.fromkeys(wrong))


def _grounds(answer: ToolAnswer) -> str:
    """Return what of an answer may be repeated: not what a called agent thought or sent."""
    if "reasoning" in answer.data:
        return compact(answer.data.get("result"))
    return f"{answer.text}\n{compact(dict(answer.data))}"


def _is_proof(answer: ToolAnswer) -> bool:
    """Whether an answer found something, so that what it repeats of the call holds as well."""
    return answer.evidence_id is not None and status_of(answer.data) in GOOD | PARTLY


def draft_text(answer: JsonValue) -> str:
    """All the words of a draft, for a guard that flags what was made up."""
    if isinstance(answer, str):
        return answer.strip()
    return compact(answer) if answer else ""


def _sentence(data: Mapping[str, JsonValue]) -> str:
    said = data.get("answer")
    return said.strip() if isinstance(said, str) else ""


def _plain(figure: str) -> str:
    return _SEPARATORS.sub("", figure).lstrip("0") or "0"


def _bare(iri: str) -> str:
    return iri.rstrip(".,;:")
