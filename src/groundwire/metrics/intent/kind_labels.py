"""The label of a kind beside an entity of it: "the north region", "the country Germany".

It says which of the entities of that name is meant. Where the metrics that are asked for are of
this kind, that is nothing more; else it has to be asked about: the revenue of "the country HK" is
none of a company's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.roles import Explained, Role

Labels = Mapping[str, Sequence[Sequence[str]]]
"""Of each kind of entity the words that it is called by, in lower case."""


_FREE = frozenset(["loose", "qualifier", "function", "own"])


def explain_kinds(explained: Explained, mentions: Sequence[Mention], labels: Labels) -> None:
    """Explain labels of kinds beside entities; those of other kinds than asked of qualify them."""
    asked = {kind for one in mentions if one.kind == "metric" for _, kind in one.candidates}
    for number, mention in enumerate(mentions):
        places = [at for at, terms in enumerate(explained.terms) if number in terms]
        if mention.kind != "entity" or not places:
            continue
        first, last = places[0], places[-1] + 1
        own = asked & {kind for _, kind in mention.candidates}
        for kind, names in labels.items():
            role: Role = "function" if kind in own else "qualifier"
            for words in names if asked else ():
                for start, joint in ((last, last), (first - len(words), first)):
                    if _stands(explained, start, words, joint):
                        explained.give(start, start + len(words), role)


def _stands(explained: Explained, start: int, words: Sequence[str], joint: int) -> bool:
    """Whether the words of a label stand at a place, with no mark between them and the name.

    With capitals they may be a part of a longer name: "Georgia Country Club".
    """
    tokens, end = explained.tokens, start + len(words)
    if start < 0 or [token.text for token in tokens[start:end]] != list(words):
        return False
    joined = [*tokens[start + 1 : end], tokens[joint]]
    spoken = not any(token.broken or token.hyphenated or token.glued for token in joined)
    return spoken and all(role in _FREE for role in explained.roles[start:end])
