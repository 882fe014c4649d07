"""The guard of an agent that brings none: the answer is what its tools said, and nothing more.

It is made of the quotable sentences of the tools' answers; where there are none, it is an honest
no. Of a draft nothing is repeated.

The check of a model's own words: the claim check of the evidence floor, for every agent alike. Code
composes the answer of an agent, and no sentence of a model is repeated. A final answer that the
model wrote itself is held against the records of the run: it stands only if every claim of it is
supported or derived and no word of it is left over. Otherwise the run is flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from groundwire.agents.runtime.contract import Evidence, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.prompts import compact
from groundwire.errors import NotFoundError, UnavailableError
from groundwire.evidence.records import Draft, Record
from groundwire.serving.tools import current_owner

if TYPE_CHECKING:
    from groundwire.evidence import Ledger


LEFT_OUT = "what the model said in its own words was left out"
_LONGEST_CHECKED = 8_000
"""Characters of a draft that are checked; a longer one is not read, so it is not proven."""

NOTHING_KNOWN = "The tools have no answer to this, so none is given."
_MOST_SENTENCES = 12


class EvidenceGuard:
    """Answers with the sentences of the tools."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Compose the answer; the draft changes nothing of it."""
        said = [one for one in evidence.answers if not one.is_error]
        sentences = [text for one in said if (text := _sentence(one.data))]
        told = " ".join(dict.fromkeys(sentences[-_MOST_SENTENCES:])) or NOTHING_KNOWN
        return Verdict({"answer": told})


def _sentence(data: Mapping[str, JsonValue]) -> str:
    said = data.get("answer")
    return said.strip() if isinstance(said, str) else ""


def is_proven(
    draft: JsonValue, composed: JsonValue, evidence: Evidence, ledger: Ledger | None
) -> bool:
    """Return whether a draft says nothing but what the evidence proves and code composed.

    Args:
        draft: the final answer of a model: a text, or an object if it wrote one.
        composed: the answer that code made of the tools' answers; its sentences may be repeated.
        evidence: what the tools of the run answered.
        ledger: where these answers are recorded, or None.
    """
    text = draft_text(draft)
    if _lines(text) <= _lines(composed):
        return True
    if len(text) > _LONGEST_CHECKED:
        return False
    from groundwire.evidence.claims.check import check

    records = [*_recorded(evidence, ledger), *_told(evidence), _sentences(composed)]
    checked = check(text, records)
    if checked.verdict == "nothing_to_judge":
        return not checked.claims and not checked.not_judged
    return checked.verdict == "supported" and not checked.not_judged


def draft_text(draft: JsonValue) -> str:
    """Return all the words of a draft; of an object they are its values, one on each line."""
    return "\n".join(_leaves(draft))


def _leaves(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    elif value is not None:
        text = value.strip() if isinstance(value, str) else compact(value)
        if text:
            yield text


def _lines(text: JsonValue) -> set[str]:
    """Return the lines of a text that hold anything, with single blanks."""
    lines = text.splitlines() if isinstance(text, str) else []
    return {" ".join(line.split()) for line in lines if line.strip()}


def _recorded(evidence: Evidence, ledger: Ledger | None) -> Iterator[Record]:
    """Yield the records of the run's answers that can be read."""
    if ledger is None:
        return
    owner = current_owner()
    for evidence_id in evidence.ids:
        try:
            yield ledger.get(evidence_id, owner)
        except (NotFoundError, UnavailableError):
            continue


def _told(evidence: Evidence) -> Iterator[Record]:
    """Yield the sentences in which the tools answered, lists that are no evidence among them."""
    for one in evidence.answers:
        if not one.is_error:
            yield _sentences(_answer_of(one), one.tool, one.evidence_id or "")


def _answer_of(answer: ToolAnswer) -> JsonValue:
    """Return the answer of a tool; of an agent it is its result, and nothing that it thought."""
    result = answer.data.get("result")
    data: Mapping[str, JsonValue] = result if isinstance(result, dict) else answer.data
    return data.get("answer")


def _sentences(answer: JsonValue, tool: str = "", evidence_id: str = "") -> Record:
    """Return a record that proves sentences word for word, and no figure or name in others."""
    said = answer if isinstance(answer, str) else ""
    draft = Draft(answer=said)
    return Record(evidence_id, 0, "", tool, {}, "", draft, None, None, False, "", "")
