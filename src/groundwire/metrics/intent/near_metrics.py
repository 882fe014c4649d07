"""A question with an entity, a period and nearly the name of a metric wants a number.

Which metric is meant is asked, with the candidates; that no passage of a document answers the
question would be true, and of no use.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.metrics.intent.roles import Explained, Role
from groundwire.vocabulary import Vocabulary

# Two letters in ten, or one character of four, may be wrong; one of three in a run of Chinese.
_ALIKE = 0.8
_ALIKE_CHINESE = 0.75
_ALIKE_SHORT = 0.65
_SHORT_CHINESE = 3
_SHORTEST = {"cjk": 3, "word": 4}
_LONGEST = 24
_MOST_STARTS = 4
_MOST_TRIED = 12
_NAMED: tuple[Role, ...] = ("term", "period", "cue", "own")


def near_metric(explained: Explained, metrics: Vocabulary) -> tuple[int, int] | None:
    """The tokens that are nearly the name of a metric, as (first, token after); else None.

    Args:
        explained: the question, in which no metric was found.
        metrics: the vocabulary of metrics.
    """
    for tried, (first, last) in enumerate(_stretches(explained)):
        if tried == _MOST_TRIED:
            return None
        tokens = explained.tokens[first:last]
        separator = "" if all(token.kind == "cjk" for token in tokens) else " "
        written = separator.join(token.text for token in tokens)
        if len(written) < _SHORTEST["word" if separator else "cjk"]:
            continue
        near = metrics.suggest(written, 1)
        if near and near[0].score >= _least(written, bool(separator)):
            return first, last
    return None


def _least(written: str, words: bool) -> float:
    if words or written.isascii():
        return _ALIKE
    return _ALIKE_SHORT if len(written) <= _SHORT_CHINESE else _ALIKE_CHINESE


def _stretches(explained: Explained) -> Iterator[tuple[int, int]]:
    """Return the words between the terms and periods, without words of grammar at its ends.

    The first words may still belong to the request, so that some later starts are given too.
    """
    roles = explained.roles
    at = 0
    while at < len(roles):
        last = at
        while last < len(roles) and roles[last] not in _NAMED:
            last += 1
        first, end = at, last
        while first < end and roles[first] == "function":
            first += 1
        while first < end and roles[end - 1] == "function":
            end -= 1
        for start in range(first, min(end, first + _MOST_STARTS)):
            if roles[start] != "function" and end - start <= _LONGEST:
                yield start, end
        at = last + 1
