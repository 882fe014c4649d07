"""The refusal of an argument of a table query, raised where it is read."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.metrics.results import CandidateItem, Reason


class RefusedError(Exception):
    """An argument that is not used; it becomes an `unrecognized_param`.

    Attributes:
        answer: one sentence that says what is wrong and what to send.
        param: name of the argument, with the key of `where` ("where.entity").
        raw: what was sent.
        reason: why it is not used.
        candidates: what can be sent in its place.
    """

    def __init__(
        self,
        answer: str,
        param: str,
        raw: str,
        reason: Reason,
        candidates: Iterable[CandidateItem] = (),
    ) -> None:
        """Refuse an argument."""
        super().__init__(answer)
        self.answer = answer
        self.param = param
        self.raw = raw
        self.reason: Reason = reason
        self.candidates = list(candidates)


def offered(*terms: tuple[str, str]) -> list[CandidateItem]:
    """Return candidates of a value and its label each."""
    return [CandidateItem(value=value, label=label) for value, label in terms]
