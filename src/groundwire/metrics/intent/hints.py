"""Words that may mean a metric, and are asked about; those of what is done with it say no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.metrics.intent.chinese_words import simplified
from groundwire.metrics.intent.roles import Explained
from groundwire.metrics.intent.tokens import clean, tokenize
from groundwire.metrics.profile import Metric, Profile
from groundwire.vocabulary.fold import CJK_RUN


def explain_verbs(explained: Explained, metrics: Iterable[Metric]) -> None:
    """Explain what is said to be done with the metrics that are asked for: "staff that we employ".

    Right before a term it may qualify it: "the earned profit".

    Args:
        explained: the question.
        metrics: the metrics that it names.
    """
    own = [set(one.verbs) for one in metrics]
    verbs = set[str].intersection(*own) if own else set[str]()
    if not verbs:
        return
    for first, last in _stretches(explained):
        written = simplified("".join(token.plain for token in explained.tokens[first:last]))
        if written in verbs and explained.role(last) != "term":
            explained.give(first, last, "function")


def hinted(profile: Profile, text: str) -> list[Metric]:
    """The metrics that a part of a question may mean, in the order of the profile.

    Args:
        profile: says which words may mean which metric.
        text: what nothing else explains.
    """
    words = {token.plain for token in tokenize(clean(text).text)}
    written = simplified(text)
    return [
        one
        for one in profile.metrics
        if any(
            hint in written if CJK_RUN.search(hint) else hint in words
            for hint in (*one.hinted_by, *one.verbs)
        )
    ]


def hints_at_a_metric(explained: Explained, profile: Profile) -> bool:
    """Whether what is left over may mean a metric, and says little else."""
    left = [
        "".join(token.text for token in explained.tokens[first:last])
        for first, last in _stretches(explained)
    ]
    hints = {hint for one in profile.metrics for hint in (*one.hinted_by, *one.verbs)}
    found = [text for text in left if any(_is_hint(text, hint) for hint in hints)]
    return bool(found) and 2 * len(found) >= len(left)


def _is_hint(text: str, hint: str) -> bool:
    """Whether a text is a hint, or a run of characters with at most one more (多富)."""
    written = simplified(text).casefold()
    if CJK_RUN.search(hint):
        return hint in written and len(written) <= len(hint) + 1
    return written == hint


def _stretches(explained: Explained) -> Sequence[tuple[int, int]]:
    """Return the leftovers: each word by itself, and runs of characters."""
    found: list[tuple[int, int]] = []
    for at, token in enumerate(explained.tokens):
        if explained.roles[at] != "loose":
            continue
        if found and token.kind == "cjk" and token.glued and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found
