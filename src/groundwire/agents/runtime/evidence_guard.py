"""The guard of an agent that brings none: the answer is what its tools said, and nothing more.

It is made of the quotable sentences of the tools' answers; where there are none, it is an honest
no. Of a draft nothing is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.runtime.guards import Evidence, Verdict
from groundwire.agents.runtime.output import ReasoningStep

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
