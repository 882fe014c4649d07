"""Runs of Chinese characters that are no term, cut into the longest known words."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import derivations
from groundwire.metrics.intent.roles import Explained, Role
from groundwire.metrics.intent.unit_words import unit_after


def explain_runs(explained: Explained, units: frozenset[str]) -> None:
    """Explain the runs of characters that are no term and no period.

    Args:
        explained: the question; the tokens of what is known get its role.
        units: units of the metrics that are asked for.
    """
    tokens = explained.tokens
    at = 0
    while at < len(tokens):
        if tokens[at].kind != "cjk" or explained.roles[at] not in ("loose", "time"):
            at += 1
            continue
        end = at + 1
        while (
            end < len(tokens)
            and tokens[end].kind == "cjk"
            and not tokens[end].broken
            and explained.roles[end] in ("loose", "time")
        ):
            end += 1
        _explain_run(explained, at, end, units)
        at = end


def _explain_run(explained: Explained, first: int, last: int, units: frozenset[str]) -> None:
    run = chinese.simplified("".join(token.text for token in explained.tokens[first:last]))
    at = 0
    single = False
    while at < len(run):
        word, role = _chinese_word(run, at)
        place = first + at
        if role == "function" and not _allowed(explained, place, word, single):
            role = "loose"
            if len(word) == 1 and single:
                explained.roles[place - 1] = "loose"
        if role == "function" and word.endswith("多少"):
            word += unit_after(run[at + len(word) :], units)
        if role != "loose":
            explained.give(place, place + len(word), role)
        if role == "derivation":
            explained.operations.append((derivations.CHINESE[word], place, place + len(word)))
        single = len(word) == 1 and role == "function" and word not in chinese.SOFT_SINGLES
        at += len(word)
    for place in range(first + 1, last - 1):
        _cue_in_name(explained, place, last)


def _cue_in_name(explained: Explained, first: int, end: int) -> None:
    """A cue between unexplained characters is a part of what they name (受影响地区)."""
    last = first
    while last < end and explained.roles[last] == "cue":
        last += 1
    if first < last < end and explained.roles[first - 1] == explained.roles[last] == "loose":
        explained.give(first, last, "loose")


def _chinese_word(run: str, at: int) -> tuple[str, Role]:
    """The longest known word at a place in a run of characters, with its role."""
    best, role = run[at], "loose"
    for known, named in _CHINESE:
        for word in known:
            if len(word) >= len(best) + (role != "loose") and run.startswith(word, at):
                best, role = word, named
                break
    return best, role


_CHINESE: tuple[tuple[Sequence[str], Role], ...] = (
    (chinese.NARRATIVE, "cue"),
    (sorted(derivations.CHINESE, key=len, reverse=True), "derivation"),
    (chinese.QUALIFIERS, "qualifier"),
    (chinese.GRAMMAR, "function"),
    (chinese.YEARLY, "time"),
    (chinese.MOVEMENTS, "movement"),
)


def _allowed(explained: Explained, place: int, word: str, single: bool) -> bool:
    """Whether a word of grammar can be one here, rather than a part of a name."""
    if word == "总":
        # It says nothing before a metric; after one it may be a part of a name that is misspelt.
        following = explained.tokens[place + 1].text if place + 1 < len(explained.tokens) else ""
        return following == "的" or explained.role(place + 1) == "term"
    if word == "集团" and place and explained.roles[place - 1] == "term":
        return False
    return not (len(word) == 1 and single and word not in chinese.SOFT_SINGLES)
