"""German compounds: "Autobahnkarten" are "Autobahn" and "Karten", where both are known words.

A compound is split only if no name has it as a word, and only where there is one way to split it
into two names of the catalogue. Letters that only join ("Verkehr-s-karten") belong to neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.agents.ontology_search_agent.function_words import PARTS
from groundwire.agents.ontology_search_agent.tokens import Token, tokenize
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary

_LEAST = 3
_LEAST_HEAD = 4
_LINKS = ("", "s", "es", "n", "en", "er", "e")


def split_compounds(tokens: Sequence[Token], vocabulary: QuestionVocabulary) -> tuple[Token, ...]:
    """The tokens of a question, each compound of two known words as these."""
    found: list[Token] = []
    for token in tokens:
        ways = list(_ways(token, vocabulary)) if _may_be_split(token, vocabulary) else []
        found += ways[0] if len(ways) == 1 else [token]
    return tuple(found)


def _may_be_split(token: Token, vocabulary: QuestionVocabulary) -> bool:
    return (
        token.kind == "word"
        and len(token.plain) >= _LEAST + _LEAST_HEAD
        and token.text.isalpha()
        and not vocabulary.has_word(token)
        and not vocabulary.head(token)
    )


def _ways(token: Token, vocabulary: QuestionVocabulary) -> Iterator[tuple[Token, Token]]:
    """Each way to read a word as two: what it ends in names a kind, a property or a value."""
    written = token.text
    for at in range(_LEAST, len(written) - _LEAST_HEAD + 1):
        head = _part(written[at:], token.start + at)
        if not (vocabulary.head_of(head) or vocabulary.is_name(head)):
            continue
        for link in _LINKS:
            first = written[: at - len(link)]
            if len(first) < _LEAST or not written[:at].lower().endswith(link):
                continue
            part = _part(first, token.start)
            if vocabulary.is_name(part) or part.text.lower() in PARTS:
                yield part, head
                break


def _part(text: str, start: int) -> Token:
    (token,) = tokenize(text)
    return token._replace(start=start, end=start + len(text), split=True)
