"""Which candidates are alike enough to be suggested."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.vocabulary import Candidate

# A value of so few letters is a code, which does not show why it is suggested.
_LONGEST_CODE = 3
_LEAST_OF_CODE = 0.6
# By another name of a code: Holandia is 0.5 alike Atlantis, Dania 0.73 alike Narnia.
_LEAST_OF_NAME = 0.75


def likely(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates without the codes that share some letters with what was sent, and no more.

    A person sees that "motorway" was suggested for "motor road"; that NL was, because one of its
    names is a little alike, looks like an answer.
    """
    return [one for one in candidates if one.score >= _least(one)]


def _least(candidate: Candidate) -> float:
    label = candidate.term.label
    if len(label) > _LONGEST_CODE:
        return 0.0
    return _LEAST_OF_CODE if candidate.label_matched == label else _LEAST_OF_NAME
