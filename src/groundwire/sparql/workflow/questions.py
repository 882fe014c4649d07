"""Questions of prompts: whether one is a name, what something is, or how something is done.

Only a wording that is known from its first word to its last is read. Of anything else the whole
sentence counts: an entity that is called so, or a question that the graph holds in these words,
answers it, and nothing less does.

Whether what was asked was bound: whether an entity's own text answers a question of the prompt. An
entity whose label holds words of the prompt is an entity, and no answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from groundwire.language.plain_speech import plain_speech
from groundwire.sparql.label_queries import search_terms
from groundwire.sparql.workflow.model import Hit, Row
from groundwire.sparql.workflow.queries import HOW_TOS
from groundwire.textindex.index import ENGLISH
from groundwire.vocabulary.fold import CJK_RUN, fold, split_words

QuestionKind = Literal["name", "sentence", "definition", "description", "how"]
_DEFINING: tuple[QuestionKind, ...] = ("definition", "description")

# A longer sentence is a text, and is not taken apart.
_LONGEST = 300
_MOST_SENTENCES = 8
_MOST_PREFIXES = 6
_SENTENCE_END = re.compile(
    r"(?<=[?!？！。])|(?<=\.)\s|\n|,?\s(?=and\s(?:what|who|how)\b)", re.IGNORECASE
)
_MARKS = " \t\r\n?!.。？！…,，;；:：\"“”„«»'‘’"
_VERB_ENDING = re.compile(r"(?<=[a-z]{3})(?:ied|ed|e|s)$")
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)


class Question(NamedTuple):
    """One thing that a prompt asks.

    Attributes:
        kind: what is asked about the subject; of what no wording of the rules fits, `sentence` is a
            question and `name` is none.
        subject: what it is about, without an article; the sentence where nothing was read.
        text: the sentence.
    """

    kind: QuestionKind
    subject: str
    text: str


class _Wordings(NamedTuple):
    before: tuple[re.Pattern[str], ...]
    after: tuple[re.Pattern[str], ...]
    nothing: tuple[re.Pattern[str], ...]
    asks: re.Pattern[str]
    asking: tuple[tuple[QuestionKind, re.Pattern[str]], ...]
    how_small: frozenset[str]


def read_questions(prompt: str) -> tuple[tuple[Question, ...], ...]:
    """The ways to read a prompt: as one question, and where it has several sentences, as several.

    To answer a prompt is to answer every question of one of its readings.
    """
    whole = read_question(prompt)
    readings: list[tuple[Question, ...]] = [(whole,)] if whole.subject else []
    parts = [one for one in _SENTENCE_END.split(prompt[: 10 * _LONGEST]) if one.strip(_MARKS)]
    asked = [one for one in parts if not _asks_nothing(one)]
    if 0 < len(asked) <= _MOST_SENTENCES and len(prompt) <= 10 * _LONGEST and len(parts) > 1:
        readings.append(tuple(map(read_question, asked)))
    return tuple(dict.fromkeys(readings))


@lru_cache(maxsize=4_096)
def read_question(sentence: str) -> Question:
    """Return the question of one sentence, if its wording is known from beginning to end."""
    text = " ".join(sentence.split()).strip(_MARKS)
    if len(text) <= _LONGEST:
        rest = plain_speech(text).strip(_MARKS)
        for _ in range(_MOST_PREFIXES):
            for kind, pattern in _wordings().asking:
                if found := pattern.match(rest):
                    return Question(kind, _without_article(found["x"].strip(_MARKS)), text)
            shorter = _without_courtesies(rest)
            if shorter == rest:
                break
            rest = shorter
    asks = _wordings().asks.search(sentence[:_LONGEST]) is not None
    return Question("sentence" if asks else "name", text, text)


def is_called(name: str, subject: str) -> bool:
    """Whether a name is the name of a subject: the same but for spelling and a leading article.

    A subject of small words alone ("it") has to be written as the name is ("IT").
    """
    name, subject = _without_article(name.strip(_MARKS)), _without_article(subject.strip(_MARKS))
    if not name or not subject:
        return False
    if all(word in ENGLISH for word in split_words(subject).plain):
        return name == subject
    return fold(name) == fold(subject)


def asks_the_same(title: str, question: Question) -> bool:
    """Whether the title of a question or a how-to asks what a prompt asks."""
    if is_called(title, question.text):
        return True
    if question.kind == "how" and _how_words(title) == _how_words(question.text):
        return True
    read = read_question(title)
    if read.kind not in (*_DEFINING, "how"):
        return False
    # The title of a how-to may be asked for by what it does: "connect Claude Desktop".
    both_define = question.kind in _DEFINING and read.kind in _DEFINING
    same = (
        question.kind == read.kind or both_define or (question.kind, read.kind) == ("name", "how")
    )
    return same and is_called(read.subject, question.subject)


def _how_words(text: str) -> frozenset[str]:
    """Return the words of a question for a way, its verb without ending: "how is X verified"."""
    words = split_words(text).plain
    if not words or words[0] != "how":
        return frozenset([text])
    return frozenset(
        _VERB_ENDING.sub(lambda found: "y" if found[0] == "ied" else "", word)
        for word in words
        if word not in _wordings().how_small
    )


def _asks_nothing(sentence: str) -> bool:
    text = " ".join(sentence.split()).strip(_MARKS)
    return len(text) <= _LONGEST and any(one.match(text) for one in _wordings().nothing)


def _without_courtesies(text: str) -> str:
    for pattern in _wordings().before:
        if found := pattern.match(text):
            return text[found.end() :].strip(_MARKS)
    for pattern in _wordings().after:
        if found := pattern.search(text):
            return text[: found.start()].strip(_MARKS)
    return text


def _without_article(text: str) -> str:
    return _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text


@lru_cache(maxsize=1)
def _wordings() -> _Wordings:
    data = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))

    def compiled(name: str, begin: str = r"\A", end: str = r"\Z") -> tuple[re.Pattern[str], ...]:
        subject = f"(?P<x>.{{1,{_LONGEST}}})"
        return tuple(
            re.compile(f"{begin}(?:{one.replace('{x}', subject)}){end}", re.IGNORECASE)
            for one in data[name]
        )

    kinds: tuple[QuestionKind, ...] = ("description", "definition", "how")
    asking: list[tuple[QuestionKind, re.Pattern[str]]] = [
        (kind, pattern) for kind in kinds for pattern in compiled(kind)
    ]
    return _Wordings(
        before=compiled("before", end=""),
        after=compiled("after", begin=""),
        nothing=compiled("nothing"),
        asks=re.compile(data["asks"], re.IGNORECASE),
        asking=tuple(asking),
        how_small=frozenset(data["how_small"]),
    )


Readings = Sequence[Sequence[Question]]


def may_answer(hit: Hit, readings: Readings) -> bool:
    """Whether an entity is called what a prompt asks about, so that its texts have to be read."""
    return hit.is_name and any(
        asks_the_same(hit.value, question) or is_called(hit.value, question.subject)
        for reading in readings
        for question in reading
    )


def is_how_to(row: Row, types: Sequence[str] = ()) -> bool:
    """Whether a row is a how-to, by its type or by its title."""
    if row.kind == "how_to" or not HOW_TOS.isdisjoint(types):
        return True
    return not row.kind and row.source != "answer" and read_question(row.label).kind == "how"


def answering(rows: Sequence[Row], readings: Readings) -> tuple[list[Row], bool]:
    """The rows that answer a question of a prompt, and whether all of it is answered by them."""
    best: list[Row] = []
    for reading in readings:
        found = [[row for row in rows if answers(row, question)] for question in reading]
        if all(found):
            return _unique(found), True
        if len(_unique(found)) > len(best):
            best = _unique(found)
    return best, False


def answers(row: Row, question: Question) -> bool:
    """Whether the text of a row is what a question asks for.

    The steps of a how-to with the title that is asked, the answer of the question that is asked,
    or the definition of the very thing that is asked about. A name alone asks nothing of it.
    """
    titled = any(asks_the_same(name, question) for name in row.names)
    called = any(is_called(name, question.subject) for name in row.names)
    if row.steps is not None:
        return bool(row.steps.texts) and (titled or (called and question.kind == "how"))
    if row.source == "answer":
        return titled
    # The text of a question is the question at length, and that about a how-to is no step of it.
    if row.source != "text" or row.kind or is_how_to(row):
        return False
    if question.kind in _DEFINING:
        return titled or called
    return titled and question.kind == "sentence"


def _unique(found: Sequence[Sequence[Row]]) -> list[Row]:
    return list({(row.endpoint.name, row.iri): row for rows in found for row in rows}.values())


def is_only_named(prompt: str, rows: Sequence[Row]) -> bool:
    """Whether a prompt is a name of what was found, and no question."""
    if read_question(prompt).kind != "name":
        return False
    return any(is_called(name, prompt) for row in rows for name in row.names)


def is_reworded(text: str, prompt: str) -> bool:
    """Whether a text has words that say something and are not the prompt's."""
    return bool(other_words(text, prompt))


def other_words(text: str, prompt: str) -> tuple[str, ...]:
    """The words of a text that say something and are not the prompt's."""
    known = set(split_words(prompt).singular)
    written = "".join(prompt.casefold().split())

    def is_known(word: str) -> bool:
        return word in known or bool(CJK_RUN.fullmatch(word) and word in written)

    return tuple(
        term
        for term in search_terms(text)
        if not all(is_known(word) for word in split_words(term).singular)
    )
