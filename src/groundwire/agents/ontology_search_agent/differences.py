"""In what a search is not the one that was asked for, in the language of the question.

What the question asks for is in the words of the catalogue. Of what a model sent, only the words of
the catalogue and of the question are told; a value or figure of its own is not repeated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from groundwire.agents.ontology_search_agent.binding import Difference, untold
from groundwire.agents.ontology_search_agent.language import Sentences
from groundwire.agents.ontology_search_agent.looking import FIRST, OPEN
from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import number_word, tokenize
from groundwire.agents.runtime.contract import Turn
from groundwire.agents.runtime.requests import ASIDE
from groundwire.quantities import find_quantities
from groundwire.vocabulary import fold

Data = Mapping[str, Any]
_KIND = "kind of asset "
_ROLES = (
    _KIND,
    "connected with no ",
    "connected with ",
    "counted by ",
    "sorted by ",
    "summarised by ",
)
_ARRANGING = ("counted by ", "sorted by ", "summarised by ", _KIND)
_SIGN = re.compile(r"(?:(?P<sign>=|is not|contains) )?(?P<values>.*)", re.DOTALL)
_STATE = frozenset({"exists", "is absent"})
_TRUTHS = frozenset({"true", "false"})


def differences_of(
    data: Data, sent: Data, question: str, turns: Sequence[Turn]
) -> tuple[Difference, ...]:
    """In what a search is not the one that a question asks for, as far as rules can read it.

    Args:
        data: the answer of the search.
        sent: its arguments.
        question: what was asked.
        turns: of the conversation so far, which the question may go on from.
    """
    vocabulary = CURRENT.get()
    if vocabulary is None or data.get("status") == "rejected":
        return ()
    found = untold(question, vocabulary, sent, data, known_slots(turns))
    return tuple(one for one in found if not _is_ambiguous(one, question, vocabulary))


def known_slots(turns: Sequence[Turn]) -> dict[str, Any] | None:
    """The slots of the conversation so far."""
    return next(filter(None, (slots_of(turn.result) for turn in reversed(turns))), None)


def slots_of(result: Data) -> dict[str, Any] | None:
    """Return the slots that the next turn goes on from; only the kind where it stands beside."""
    slots = result.get("slots")
    if not isinstance(slots, Mapping):
        return None
    held = dict(cast("Data", slots))
    held |= {name: said for name in (OPEN, FIRST) if (said := result.get(name))}
    return {"domains": held.get("domains", [])} if result.get(ASIDE) else held


def unread_gaps(gaps: Sequence[Data], question: str, turns: Sequence[Turn]) -> Sequence[Data]:
    """Return the gaps whose term the rules cannot read either: others may be what was searched."""
    vocabulary = CURRENT.get()
    if vocabulary is None or not gaps:
        return gaps
    unread = [
        fold(gap.term) for gap in read_question(question, vocabulary, known_slots(turns)).gaps
    ]
    return [
        gap
        for gap in gaps
        if any(fold(str(gap["term"])) in term or term in fold(str(gap["term"])) for term in unread)
    ]


def is_of_other_kind(one: Difference) -> bool:
    """Whether a search was of kinds of asset among which those of the question are not."""
    if one.how != "swapped" or not one.said.startswith(_KIND):
        return False
    return not set(_kinds(one.said)) <= set(_kinds(one.searched))


def lost_conditions(
    data: Data, differences: Sequence[Difference], question: str, turns: Sequence[Turn]
) -> list[str]:
    """Return the parts of a question that a search of a whole kind of asset does not ask for.

    Such a search would answer with every asset of the kind, which nobody asked for.
    """
    applied = data.get("applied")
    vocabulary = CURRENT.get()
    if vocabulary is None or not isinstance(applied, Mapping):
        return []
    if any(cast("Data", applied).get(part) for part in ("filters", "ranges", "references")):
        return []
    reading = read_question(question, vocabulary, known_slots(turns))
    arranged = {gap.term for gap in reading.gaps if gap.arranges}
    return [
        one.said
        for one in differences
        if one.how == "dropped" and not one.said.startswith(_ARRANGING) and one.said not in arranged
    ]


def all_of_kind(data: Data, lost: Sequence[str], sentences: Sentences, question: str) -> str:
    """That nothing is told, since a whole kind of asset was searched instead."""
    shown = _Shown(sentences, question)
    terms = ", ".join(dict.fromkeys(shown.asked(one) for one in lost))
    kinds = sentences.kinds(cast("Data", data.get("applied") or {}))
    return sentences.say("widened", kinds=kinds, said=terms)


def _is_ambiguous(one: Difference, question: str, vocabulary: QuestionVocabulary) -> bool:
    """Whether both sides have one value, of properties of which the question names neither.

    "Maps of Berlin" may mean the city as well as the region.
    """
    (said, _, wanted), (searched, _, found) = one.said.partition(" "), one.searched.partition(" ")
    if one.how != "swapped" or wanted != found or not wanted.startswith("= "):
        return False
    keys = {said.rpartition(".")[2], searched.rpartition(".")[2]}
    names = [
        name.text
        for meant, term in vocabulary.properties.items()
        if meant.key in keys
        for name in term.names
    ]
    return not any(is_said(name, question) for name in names)


def other_kind(differences: Sequence[Difference], sentences: Sentences) -> str:
    """That nothing is told, since assets of another kind were searched."""
    one = next(one for one in differences if is_of_other_kind(one))
    asked = sentences.say("or").join(_kinds(one.said))
    return sentences.say("other_kind", asked=asked)


def as_sentences(
    differences: Sequence[Difference], sentences: Sentences, question: str
) -> Iterator[str]:
    """Return the conditions that only the question or only the search has."""
    shown = _Shown(sentences, question)
    for how in ("dropped", "swapped", "read", "added"):
        of = [one for one in differences if one.how == how]
        if how in ("dropped", "added") and of:
            said = dict.fromkeys(shown.asked(one.said) for one in of)
            searched = dict.fromkeys(shown.condition(one.searched) for one in of)
            yield sentences.say(how, said=", ".join(said), searched=", ".join(searched))
            continue
        for one in of:
            said = (
                sentences.say("quoted", term=one.said) if how == "read" else shown.asked(one.said)
            )
            yield sentences.say(how, said=said, searched=shown.condition(one.searched))


def _kinds(said: str) -> list[str]:
    return said.removeprefix(_KIND).split(" or ")


class _Shown:
    """Shows conditions: those of a question, and those that a model sent."""

    def __init__(self, sentences: Sentences, question: str) -> None:
        self._sentences = sentences
        self._question = question
        vocabulary = CURRENT.get()
        self._names = frozenset(_names(vocabulary)) if vocabulary is not None else frozenset[str]()
        self._labels = frozenset(_labels(vocabulary)) if vocabulary is not None else self._names

    def asked(self, text: str) -> str:
        """A condition of the question, with the question's own name of its value; or its words."""
        if fold(text) in fold(self._question):
            return self._sentences.say("quoted", term=text)
        labels = {fold(one) for one in _values(text.partition(" ")[2])}
        told = self._sentences.named(text)
        for words in self._words_of(labels):
            return f"{told} ({self._sentences.say('quoted', term=words)})"
        return told

    def _words_of(self, labels: Collection[str]) -> Iterator[str]:
        """Words of the question that name one of some values otherwise than the catalogue does."""
        vocabulary = CURRENT.get()
        tokens = tokenize(self._question) if vocabulary is not None else ()
        for start, first in enumerate(tokens):
            assert vocabulary is not None
            for length, named in vocabulary.find(tokens, start):
                words = self._question[first.start : tokens[start + length - 1].end]
                meant = {fold(value.label) for value in named.values}
                if meant & {*labels} and fold(words) not in labels:
                    yield words

    def condition(self, text: str) -> str:
        """A condition as far as it is made of words of the catalogue and of the question."""
        unnamed = self._sentences.say("unnamed")
        for role in _ROLES:
            if text.startswith(role):
                named = text.removeprefix(role).removesuffix(", descending").split(" or ")
                named = [one.rpartition(" ")[2] for one in named]
                known = all(fold(one) in self._names for one in named)
                return self._sentences.named(text) if known else unnamed
        key, _, said = text.partition(" ")
        parts = key.removeprefix("no ").split(".", 1)
        if not all(fold(part) in self._names for part in parts):
            return unnamed
        known = said in _STATE or all(map(self._is_known, _values(said)))
        return self._sentences.named(text) if known else key

    def _is_known(self, value: str) -> bool:
        return fold(value) in self._labels or is_said(value, self._question)


def _values(said: str) -> list[str]:
    found = _SIGN.fullmatch(said)
    return found["values"].split(" or ") if found else [said]


def _names(vocabulary: QuestionVocabulary) -> Iterator[str]:
    for meant in vocabulary.properties:
        yield fold(meant.key)
    for name in vocabulary.domains:
        yield fold(name)


def _labels(vocabulary: QuestionVocabulary) -> Iterator[str]:
    yield from _TRUTHS
    for values in vocabulary.terms.values:
        for value in values:
            yield fold(value.label)


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def is_said(term: str, question: str) -> bool:
    """Whether the question has a term, or every figure and word of it."""
    if fold(term) and fold(term) in fold(question):
        return True
    asked = {fold(word) for word in re.findall(r"\w+", question)}
    words = [fold(word) for word in re.findall(r"\w+", term)]
    return bool(words) and all(word in asked for word in words)


def is_own(slots: Data, question: str) -> bool:
    """Whether every figure and every text that is searched as it stands is the question's."""
    asked = _figures(question)
    for key, value in _scalars(slots):
        text = str(value)
        if key == "contains" and not is_said(text, question):
            return False
        if key in ("min", "max", "gt", "lt", "gte", "lte"):
            figures = re.findall(r"\d{4}(?=-\d\d)|\d+(?:[.,]\d+)*", text)
            if figures and _plain(figures[0]) not in asked and text not in question:
                return False
    return True


def _figures(question: str) -> set[str]:
    """The figures of a question, and those that its words say: "three", "1.5 million", "no"."""
    # An answer may say 0 of an absent thing and 1 of a present one, whatever was asked.
    asked = {"0", "1"} | {_plain(figure) for figure in _FIGURE.findall(question)}
    asked |= {said for token in tokenize(question) if (said := number_word(token.text))}
    asked |= {_plain(f"{one.value:f}") for one in find_quantities(question)}
    return asked


def _scalars(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, below in cast("Mapping[str, Any]", value).items():
            yield from _scalars(below, name)
    elif isinstance(value, list):
        for below in cast("list[Any]", value):
            yield from _scalars(below, key)
    else:
        yield key, value


def _plain(figure: str) -> str:
    text = figure.replace(",", ".")
    return text.rstrip("0").rstrip(".") if "." in text else text.lstrip("0") or "0"
