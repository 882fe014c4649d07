"""The guard of an agent that brings none: a draft may say what its tools said, and nothing more.

Figures and IRIs of the draft have to stand in what the tools answered; what an answer that found
nothing merely repeats of the call does not count, or a model could make its evidence itself. A
draft that states another one is replaced by the quotable sentences of the answers themselves; where
there are none, by an honest no. What a sentence means is not judged here: agents whose answers are
figures compose them from the answers instead.
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
_FIGURE = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
_IRI = re.compile(r"(?:https?://|urn:)[^\s<>\"')\]}]+")
_SEPARATORS = re.compile(r"[,' \u00a0\u202f]")
_MOST_SENTENCES = 12


class EvidenceGuard:
    """Lets a draft pass if every figure and IRI in it was answered by a tool."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        said = [one for one in evidence.answers if not one.is_error]
        draft = _text(answer)
        if draft and not unsupported(draft, said):
            result = dict(answer) if isinstance(answer, dict) else {}
            return Verdict({**result, "answer": draft})
        sentences = [text for one in said if (text := _sentence(one.data))]
        if not sentences:
            return Verdict({"answer": NOTHING_KNOWN}, fabrication=bool(draft))
        told = " ".join(dict.fromkeys(sentences[-_MOST_SENTENCES:]))
        note = ("the draft stated what no tool had answered and was left out",) if draft else ()
        return Verdict({"answer": told}, fabrication=bool(draft), notes=note)


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
    """What of an answer may be repeated: not what an agent that was called thought or sent."""
    if "reasoning" in answer.data:
        return compact(answer.data.get("result"))
    return f"{answer.text}\n{compact(dict(answer.data))}"


def _is_proof(answer: ToolAnswer) -> bool:
    """Whether an answer found something, so that what it repeats of the call holds as well."""
    return answer.evidence_id is not None and status_of(answer.data) in GOOD | PARTLY


def _text(answer: JsonValue) -> str:
    """The words of a draft: all of them, since each may be shown."""
    if isinstance(answer, dict):
        said = answer.get("answer")
        beside = {key: value for key, value in answer.items() if key != "answer"}
        spoken = said if isinstance(said, str) else ""
        return f"{spoken} {compact(beside)}".strip() if beside else spoken.strip()
    if isinstance(answer, str):
        return answer.strip()
    return "" if answer is None else compact(answer)


def _sentence(data: Mapping[str, JsonValue]) -> str:
    said = data.get("answer")
    return said.strip() if isinstance(said, str) else ""


def _plain(figure: str) -> str:
    return _SEPARATORS.sub("", figure).lstrip("0") or "0"


def _bare(iri: str) -> str:
    return iri.rstrip(".,;:")
