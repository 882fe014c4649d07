"""The parts of a call that the question itself says: a model's own words are not repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from groundwire.agents.ontology_search_agent.function_words import number_word
from groundwire.agents.ontology_search_agent.tokens import tokenize
from groundwire.quantities import find_quantities
from groundwire.vocabulary import fold

Data = Mapping[str, Any]

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
    # What is not there is none of it, what is there is one at least.
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
