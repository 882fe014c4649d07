"""Questions of prompts: what each is about, and what it asks of that.

By rules, a prompt is broken down into statements where the host's model gives none. Source: seed
003, "Part 1: Semantic Breakdown". A question may be a name, ask what something is, or how something
is done.

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
from groundwire.sparql.workflow.model import Hit, Row, Triple
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


_MOST_TRIPLES = 4
ASKING = ("how", "definition")
"""Predicates of the rules, which no text says."""
_ASKS = re.compile(
    r"[?？]|\b(?:what|who|which|when|where|why|how)\b|什么|谁|为何|吗", re.IGNORECASE
)
_SCHEMES = ("http://schema.org/", "https://schema.org/")
_HOW_TO = frozenset(f"{scheme}HowTo" for scheme in _SCHEMES)
_QUESTION = frozenset(f"{scheme}Question" for scheme in _SCHEMES)
_TERM = frozenset(
    (
        *(f"{scheme}DefinedTerm" for scheme in _SCHEMES),
        "http://www.w3.org/2004/02/skos/core#Concept",
    )
)
_SENTENCES = re.compile(r"[?!？！。\n]")
_MAYBE_ARTICLE = r"(?:the\s+|an?\s+)?"
_BE = r"(?:\s+is|\s+are|\s+was|\s+were|['\u2019]s)"
_END = r"(?=\s*(?:[?!;\n]|\.(?:\s|$)|$))"
_SUBJECT = rf"(?P<subject>\S[^?!;\n]{{0,119}}?){_END}"
_ENGLISH: tuple[tuple[str, str], ...] = (
    # "what is the capital of France", "who was the founder of Acme"
    (
        rf"\b(?:what|which|who|where|when){_BE}\s+{_MAYBE_ARTICLE}(?P<predicate>[\w -]{{2,60}}?)"
        rf"\s+of\s+{_MAYBE_ARTICLE}{_SUBJECT}",
        "",
    ),
    # "when was Acme founded", "where is Rome located"
    (
        r"\b(?:when|where)\s+(?:is|are|was|were|did|does|do)\s+(?:the\s+)?"
        rf"(?P<subject>\S[^?!;\n]{{0,100}}?)\s+(?P<predicate>[a-z]{{3,30}}){_END}",
        "",
    ),
    # "who founded Acme"
    (rf"\bwho\s+(?!is\b|are\b|was\b|were\b)(?P<predicate>[a-z]{{3,30}})\s+{_SUBJECT}", ""),
    (rf"\bhow\s+(?:do|does|can|to|should|would)\b\s*(?:i|we|you|one)?\s+{_SUBJECT}", "how"),
    (rf"\b(?:define|explain|describe)\s+{_MAYBE_ARTICLE}{_SUBJECT}", "definition"),
    (
        rf"\bwhat\s+(?:does|do)\s+{_MAYBE_ARTICLE}(?P<subject>\S[^?!;\n]{{0,100}}?)\s+mean\b",
        "definition",
    ),
    (rf"\b(?:what|who){_BE}\s+{_MAYBE_ARTICLE}{_SUBJECT}", "definition"),
)
_WHAT = "(?:什么|谁|哪里|哪个|多少|何时)"
_CHINESE: tuple[tuple[str, str], ...] = (
    (
        rf"(?P<subject>[^\s？?，。的]{{1,40}})的(?P<predicate>[^\s？?，。是]{{1,20}})(?:是|有){_WHAT}",
        "",
    ),
    (r"(?:如何|怎么|怎样)(?P<subject>[^？?，。]{2,60})", "how"),
    (r"(?:什么是|何谓|解释一下|解释)\s*(?P<subject>[^？?，。]{1,40})", "definition"),
    (rf"(?P<subject>[^\s？?，。][^？?，。]{{0,39}}?)\s{{0,9}}(?:是|指){_WHAT}", "definition"),
)
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), predicate) for pattern, predicate in (*_ENGLISH, *_CHINESE)
)


def break_down(prompt: str) -> tuple[Triple, ...]:
    """Split a prompt into statements with an empty part for what it asks for.

    A sentence that no rule reads is what it is about, and nothing else.
    """
    found: list[Triple] = []
    taken: list[tuple[int, int]] = []
    for pattern, predicate in _PATTERNS:
        for match in pattern.finditer(prompt):
            if any(match.start() < end and begin < match.end() for begin, end in taken):
                continue
            parts = match.groupdict()
            subject = _plain(parts["subject"])
            said = _plain(parts.get("predicate") or predicate)
            if subject:
                found.append(Triple(subject, said, ""))
                taken.append(match.span())
    if not found:
        terms = search_terms(prompt)
        if terms:
            found.append(Triple(" ".join(terms), "", ""))
    return tuple(dict.fromkeys(found))[:_MOST_TRIPLES]


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" \"'“”.,:，。：")


def terms_of(triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """The words of some statements that say what they are about."""
    text = " ".join(part for triple in triples for part in triple if part and part not in ASKING)
    return search_terms(text) if text else ()


def names_of(triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """Return names of the types that some statements are about: their parts, word by word."""
    parts = [part for triple in triples for part in triple if part and part not in ASKING]
    words = [word for part in parts for word in search_terms(part)]
    return tuple(dict.fromkeys(one.casefold() for one in (*parts, *words)))


def variants_of(prompt: str) -> tuple[str, ...]:
    """Other ways to say a prompt, where the caller gives none: what it is about, best first."""
    triples = break_down(prompt)
    said = [triple.subject for triple in triples]
    if all(not one.predicate or one.predicate in ASKING for one in triples):
        said[:0] = subjects_of(prompt)
    said.append(" ".join(search_terms(prompt)))
    plain = prompt.strip().rstrip("?？!！.。").casefold()
    return tuple(dict.fromkeys(one for one in said if one and one.casefold() != plain))


def subjects_of(prompt: str) -> tuple[str, ...]:
    """Return what the questions of a prompt are about, where their wording is known.

    Those of its sentences come before that of the prompt read as one.
    """
    read = [one for reading in reversed(read_questions(prompt)) for one in reading]
    found = (one.subject for one in read if one.kind in ASKING)
    return tuple(dict.fromkeys(one for one in found if not _SENTENCES.search(one)))


def wordings(
    prompt: str, variants: Sequence[str], most: int, *, longer: bool
) -> tuple[list[str], list[str]]:
    """The texts to match labels with, and the variants that the limit leaves out.

    Args:
        prompt: the prompt, which is the first of them; what it is about comes next.
        variants: other ways to say it that were given; without any, those of the rules.
        most: how many variants are tried.
        longer: a run that goes on: those of the rules too, and twice as many.
    """
    said = list(variants or variants_of(prompt))
    if longer:
        said = list(dict.fromkeys((*said, *variants_of(prompt))))
        most *= 2
    own = subjects_of(prompt)[:1] if variants else ()
    return list(dict.fromkeys((prompt, *own, *said[:most]))), said[most:]


def best_types(prompt: str) -> frozenset[str]:
    """IRIs of the types that fit a prompt best: how-tos, questions, or terms and concepts."""
    said = [triple.predicate for triple in break_down(prompt)]
    if "how" in said:
        return _HOW_TO
    return _QUESTION if _ASKS.search(prompt) else _TERM
