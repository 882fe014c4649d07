"""The role of each word of a question: what it is there for.

Words of derivations ask for something computed from several values, which a question may list.
Words that may mean a metric are asked about; those of what is done with it say no more.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal

from groundwire.metrics.intent.chinese_words import simplified
from groundwire.metrics.intent.tokens import Token, clean, tokenize
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.terms import DerivedBy
from groundwire.vocabulary.fold import CJK_RUN

Operation = DerivedBy

_TABLES = tomllib.loads((files(__package__ or "") / "derivations.toml").read_text("utf-8"))
# Words and phrases, by their folded words.
SPACED: dict[tuple[str, ...], Operation] = {
    tuple(phrase.split()): operation
    for language in ("en", "de")
    for operation, said in _TABLES[language].items()
    for phrase in said
}
CHINESE: dict[str, Operation] = {
    word: operation for operation, said in _TABLES["zh"].items() for word in said
}

# Words for all that there is and for what is left out of it, by language.
WHOLES: Mapping[str, Mapping[str, Sequence[str]]] = _TABLES["wholes"]

Listed = Literal["metric", "entity", "period", "channel"]


def is_listed(operation: Operation, counts: dict[Listed, int]) -> bool:
    """Whether a question lists the operands of an operation.

    Args:
        operation: what is asked for.
        counts: how many values of each dimension the question lists.
    """
    several = [(dimension, count) for dimension, count in counts.items() if count > 1]
    if len(several) != 1:
        return False
    dimension, count = several[0]
    if operation == "percent_change":
        return dimension == "period"
    if operation == "delta":
        return dimension != "metric"
    if operation == "ratio":
        return count == 2
    if operation == "share":
        return dimension in ("entity", "channel")
    return dimension != "metric"


def longest_phrase(words: Sequence[str]) -> tuple[Operation, int] | None:
    """The operation whose phrase begins a sequence of folded words, and how many words it has."""
    for length in (3, 2, 1):
        operation = SPACED.get(tuple(words[:length])) if len(words) >= length else None
        if operation is not None:
            return operation, length
    return None


Role = Literal[
    "term",
    "period",
    "function",
    "listing",
    "own",
    "cue",
    "movement",
    "derivation",
    "qualifier",
    "time",
    "loose",
]


@dataclass(slots=True)
class Explained:
    """The tokens of a question with what each is there for.

    Attributes:
        tokens: the tokens.
        roles: the role of each.
        terms: for each token the numbers of the mentions that it is part of.
        operations: derivations that are asked for, as (operation, first token, token after).
    """

    tokens: Sequence[Token]
    roles: list[Role]
    terms: list[tuple[int, ...]]
    operations: list[tuple[Operation, int, int]] = field(
        default_factory=list[tuple[Operation, int, int]]
    )

    def give(self, first: int, last: int, role: Role) -> None:
        """Give tokens a role."""
        for at in range(first, last):
            self.roles[at] = role

    def has(self, role: Role) -> bool:
        """Whether any token has a role."""
        return role in self.roles

    def role(self, at: int) -> Role | None:
        """The role of a token; None outside of the text."""
        return self.roles[at] if 0 <= at < len(self.roles) else None


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
