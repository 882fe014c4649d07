"""Recorded texts as sentences of words that carry meaning, ready to be compared with a draft.

A sentence has groups: its clauses, and within them units, each opened by a preposition. Who tells a
text again may put units of a group elsewhere, and never those of one group into another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.step_clauses import Clause, clauses_of
from groundwire.evidence.claims.words import cue_tables, fold_word, key_of
from groundwire.language import Span as Word
from groundwire.language import Token, annotate
from groundwire.language.detection import small_words
from groundwire.language.glossary import meanings

# Words of these roles change what a sentence says: who drops one says something else.
_OPERATORS = frozenset(("negation", "quantifier", "bound", "forecast", "hedge", "cause"))
FEWEST_WORDS = 2
"""A sentence of fewer words that carry meaning is not compared."""

# Predicates of orders whose members are names of lines or modes, and no sentences.
_OF_NAMES = frozenset(("line", "mode"))
_LONGEST_TEXT = 2_000
_MOST_TEXTS = 400
_FEWEST_OF_TEXT = 4
IS_PROSE = re.compile(r"[.!?;:](?=\s|$)|[。！？；：]")
"""A sign that ends a sentence, which no name has."""

_SENTENCE_END = re.compile(r"[.!?;:](?=\s)|[。！？；：\n]")
_IN_BRACKETS = re.compile(r"\([^()]+\)")
_OPENERS: Mapping[str, str] = {
    word: kind for kind, words in cue_tables()["openers"].items() for word in words
}
_JOINING: Mapping[str, str] = {
    word: kind for kind, words in cue_tables()["joining"].items() for word in words
}
_GOES_ON = frozenset[str](cue_tables()["goes_on"])
_AGAIN = frozenset[str](cue_tables()["once_more"])
_CONNECTIVES = frozenset[str](word for own in cue_tables()["connectives"].values() for word in own)
TITLE = -1
"""The place of the title of what has steps."""


class TextWord(NamedTuple):
    """A word that carries meaning, of a draft or of a recorded text.

    Attributes:
        start, end: where it stands.
        forms: what it is compared by: as written, its lemma, what the glossary says that it means.
        tag: its part of speech.
        operator: its role and sense where it changes what is said, else "".
        is_joined: whether the next word follows with nothing between, as in a compound.
        group: the number of its clause.
        opener: the preposition that opens its part of the clause, else "".
        joint: "and" or "or", where it is joined so to the word before.
        is_meant_again: whether a pronoun behind it may stand for something told before.
    """

    start: int
    end: int
    forms: frozenset[str]
    tag: str
    operator: str
    is_joined: bool = False
    group: int = 0
    opener: str = ""
    joint: str = ""
    is_meant_again: bool = False


@dataclass(frozen=True)
class RecordedSentence:
    """A recorded sentence.

    Attributes:
        evidence_id: its record.
        words: its words that carry meaning.
        fact: the value whose text it is part of, or None.
        order: the number of the statement of an order that it is a member of, or None.
        place: its place in that order, from 0.
        light: forms of its words that carry none by themselves: print, put.
        cues: the lemmas of its words that order events: before.
        before: what tells the sentence before it, if it begins with a pronoun, else "".
        clauses: what it tells one to do with what, where it is a step.
    """

    evidence_id: str
    words: Sequence[TextWord]
    fact: Fact | None = None
    order: int | None = None
    place: int = 0
    light: frozenset[str] = frozenset()
    cues: frozenset[str] = frozenset()
    before: str = ""
    clauses: Sequence[Clause] = ()

    @property
    def key(self) -> str:
        """The text that tells it from other sentences."""
        return _key(self.words)

    @cached_property
    def forms(self) -> frozenset[str]:
        """Every form of its words."""
        return frozenset(form for word in self.words for form in word.forms)

    @cached_property
    def light_meanings(self) -> frozenset[str]:
        """Meanings of its words that carry none by themselves, where steps tell one to do it."""
        every = frozenset[str]().union(*(forms_of_word(form, form, form) for form in self.light))
        return frozenset(form for form in every if form[0] == "=")

    def has_cue(self, word: Word) -> bool:
        """Whether the sentence orders events by a word, too."""
        return any(token.lemma in self.cues for token in word.tokens)


class _Text(NamedTuple):
    """The words of a sentence of a text, with its light words and the lemmas of its cues.

    A part in brackets is a sentence aside, which has no place in an order. What begins with a
    pronoun goes on with the sentence before.
    """

    words: tuple[TextWord, ...]
    light: frozenset[str]
    cues: frozenset[str]
    is_aside: bool = False
    before: str = ""
    clauses: Sequence[Clause] = ()


def sentences_in(known: Knowledge) -> Sequence[RecordedSentence]:
    """Return the sentences of all recorded texts, those of steps with their order."""
    found: dict[tuple[str, str], RecordedSentence] = {}

    def add(
        evidence_id: str, text: _Text, fact: Fact | None, order: int | None, place: int
    ) -> None:
        order = None if text.is_aside else order
        one = RecordedSentence(
            evidence_id, text.words, fact, order, place, text.light, text.cues, text.before,
            text.clauses,
        )  # fmt: skip
        found.setdefault((evidence_id, _key(text.words)), one)

    for number in known.by_kind.get("order", ()):
        stated = known.statements[number]
        if not _OF_NAMES.isdisjoint(stated.statement.predicate):
            continue  # rides are judged by what is told of them, and not by their words
        for place, names in enumerate(stated.statement.objects):
            for name in names:
                for text in _sentences_of(name):
                    add(stated.evidence_id, text, None, number, place)
        for name in stated.statement.subject:
            for text in _sentences_of(name) if "://" not in name else ():
                add(stated.evidence_id, text, None, number, TITLE)
    for fact in known.facts.all:
        for text in _prose_of(fact):
            add(fact.evidence_id, text, fact, None, 0)
        if len(found) > _MOST_TEXTS:
            break
    return [one for one in found.values() if len(one.words) >= FEWEST_WORDS]


def _prose_of(fact: Fact) -> Sequence[_Text]:
    """Return the sentences of a value that is a text and no name."""
    text = fact.value.value if fact.value.kind in ("text", "name") else ""
    is_told = not fact.operands and IS_PROSE.search(text) and "://" not in text
    sentences = _sentences_of(text) if is_told and len(text) <= _LONGEST_TEXT else ()
    return sentences if sum(len(one.words) for one in sentences) >= _FEWEST_OF_TEXT else ()


def by_form(known: Knowledge) -> Mapping[str, frozenset[int]]:
    """Return the numbers of the recorded sentences that have a form of a word."""
    found: dict[str, set[int]] = {}
    for number, sentence in enumerate(known.once(sentences_in)):
        for form in sentence.forms | sentence.light_meanings:
            found.setdefault(form, set()).add(number)
    return {form: frozenset(numbers) for form, numbers in found.items()}


def words_that_count(spans: Sequence[Word], text: str) -> list[TextWord]:
    """Return the words of spans that carry meaning; those that order clauses are none of them."""
    found: list[TextWord] = []
    group, opener, joint, opens = 0, "", "", False
    for span, behind in zip(spans, (*spans[1:], None), strict=False):
        for token in span.tokens or ():
            operator = _operator(span)
            if found and token.text == "one" and text[token.start - 4 : token.start] == "the ":
                found[-1] = found[-1]._replace(is_meant_again=True)  # "the one before it"
                continue
            plain = operator or not _is_light(span) or _narrows(span, behind)
            if not plain or not (operator or token.tag not in ("function", "sign")):
                small = token.text.casefold()
                joint = _JOINING.get(small, joint)
                if small in _OPENERS:
                    opener = _OPENERS[small]
                    opens = not opener
                elif found and small in _PRONOUNS:
                    found[-1] = found[-1]._replace(is_meant_again=True)
                continue
            if operator and found and found[-1].end > span.start:
                continue  # a phrase is one operator
            opener = _OPENERS.get(span.text.casefold(), opener) if operator else opener
            group += opens and not opener
            opens = False
            end = span.end if operator else token.end
            if found and text[found[-1].end : token.start] in (" ", "-", ""):
                found[-1] = found[-1]._replace(is_joined=True)
            # The segmenter often leaves open whether a Chinese word is a verb.
            is_verb = token.language == "zh" and token.tag in ("other", "adverb")
            tag = "verb" if is_verb else token.tag
            forms = forms_of_word(token.key, token.lemma, token.text)
            found.append(
                TextWord(token.start, end, forms, tag, operator, False, group, opener, joint)
            )
            joint = ""
    return found


def behind_lead(words: Sequence[TextWord], lead: int, spans: Sequence[Word]) -> list[TextWord]:
    """Return the words behind those that lead them, which the preposition of these opens not.

    Args:
        words: the words of a clause.
        lead: how many of them lead the others: "in VS Code".
        spans: everything that stands in the clause.
    """
    if not lead:
        return [*words]
    start = words[lead - 1].end
    opens = (s.start for s in spans if s.start >= start and _OPENERS.get(s.text.casefold()))
    first = next(opens, words[-1].end)
    return [w._replace(opener="") if w.start < first else w for w in words[lead:]]


_PRONOUNS = frozenset[str](cue_tables()["stands_for"])


def _is_light(span: Word) -> bool:
    """Whether a word is a sign, adds no fact or orders clauses."""
    return span.kind == "sign" or (span.role is not None and (span.is_silent or is_order_cue(span)))


def _narrows(span: Word, behind: Word | None) -> bool:
    """Whether a noun that adds no fact says of what kind the one behind is: "a query language"."""
    is_noun = behind is not None and behind.role is None and behind.tokens[0].tag == "noun"
    return is_noun and span.is_silent and span.tokens[-1].tag == "noun"


def is_order_cue(span: Word) -> bool:
    """Whether a word puts a clause in order: "first", "once", and not the verb "start"."""
    if span.text.casefold() in _CONNECTIVES:
        return True
    return (
        span.role is not None
        and span.role.role == "order"
        and not any(token.tag == "verb" for token in span.tokens)
    )


def _operator(span: Word) -> str:
    """Return the role and sense of a word that changes what is said, or ""."""
    if span.role is None or span.role.role not in _OPERATORS:
        return ""
    written = any(token.tag != "sign" for token in span.tokens)
    return f"{span.role.role} {span.role.sense}" if written else ""


def _key(words: Sequence[TextWord]) -> str:
    return " ".join(min(word.forms) for word in words)


@lru_cache(maxsize=16_384)
def forms_of_word(key: str, lemma: str, text: str) -> frozenset[str]:
    """Return the forms by which a word is compared."""
    means = (f"={' '.join(sorted(one))}" for form in (key, lemma) for one in meanings(form))
    return frozenset((key, lemma, fold_word(text), *means))


def light_forms(spans: Sequence[Word]) -> frozenset[str]:
    """Return the forms of words that carry no meaning by themselves, but for function words."""
    return frozenset(
        form
        for span in spans
        if span.role is not None and span.is_silent and span.role.role != "function"
        for token in span.tokens
        for form in (token.key, token.lemma)
    )


@lru_cache(maxsize=512)
def _sentences_of(text: str) -> tuple[_Text, ...]:
    """Return the words of each sentence of a recorded text."""
    spans = annotate(text).spans
    clauses = [
        one.span()
        for one in _IN_BRACKETS.finditer(text)
        if any(
            s.role and s.role.role == "being" for s in spans if one.start() < s.start < one.end()
        )
    ]
    found: list[list[TextWord]] = [[]]
    apart: dict[tuple[int, int], list[TextWord]] = {span: [] for span in clauses}
    for word in words_that_count(spans, text):
        within = next((own for (a, b), own in apart.items() if a < word.start < b), None)
        if within is not None:
            within.append(word)
            continue
        if found[-1] and _SENTENCE_END.search(text, found[-1][-1].end, word.start):
            found.append([])
        found[-1].append(word)
    told, meant = list[_Text](), list[TextWord]()
    for words in filter(None, (*found, *apart.values())):
        start = max((t.words[-1].end for t in told if t.words[-1].end < words[0].start), default=0)
        own = [span for span in spans if start <= span.start < words[-1].end]
        cues = frozenset(t.lemma for s in own if is_order_cue(s) for t in s.tokens)
        is_aside = any(words is one for one in apart.values())
        ends = [end.end() for end in _SENTENCE_END.finditer(text, start, words[0].start)]
        first = next((s for s in own if s.kind != "sign" and s.start >= max(ends, default=0)), None)
        goes_on = bool(told) and first is not None and first.text.casefold() in _GOES_ON
        before = _key(told[-1].words) if goes_on else ""
        again = tuple(_done_again(words))
        steps = clauses_of(own, lambda t: forms_of_word(t.key, t.lemma, t.text))
        one = _Text(again, light_forms(own), cues, is_aside, before, steps)
        if meant and first is not None and first.text.casefold() in ("it", "它"):
            subject = (word._replace(group=words[0].group, opener="") for word in meant)
            told.append(one._replace(words=(*subject, *again), before=""))
        told.append(one)
        verbs = [s.start for s in own if s.role and s.role.role == "being"]
        meant = [word for word in words if not is_aside and word.end <= min(verbs, default=0)]
    return tuple(told)


def _done_again(words: Sequence[TextWord]) -> list[TextWord]:
    """Return words, a verb before "again" with what says both in one: restart."""
    again = next((at for at, word in enumerate(words) if word.forms & _AGAIN), len(words))
    verbs = [at for at in range(min(again, len(words))) if words[at].tag == "verb"]
    told = list(words)
    if again < len(words) and verbs:
        verb = told[verbs[-1]]
        told[verbs[-1]] = verb._replace(forms=verb.forms | {f"re{form}" for form in verb.forms})
    return told


def is_cut(key: str, run: str, first: Token) -> bool:
    """Whether a run of words leaves out what narrows its first noun: the "retail" of revenue."""
    before = key[: key.find(run)]
    small = tuple(small_words(first.language)) if first.language in ("en", "de") else ("",)
    return first.tag == "noun" and bool(before) and not before.endswith(small)


def keys_of_texts(known: Knowledge) -> str:
    """Return the keys of all recorded texts of several words, apart from each other."""
    return "\n".join(key for _, key in known.long_texts)


def keys_of_sentences(known: Knowledge) -> list[tuple[Fact, list[str]]]:
    """Return the recorded texts of several words with the keys of their sentences."""
    return [
        (fact, [key_of(one) for one in _SENTENCE_END.split(fact.value.value) if one])
        for fact, _ in known.long_texts
    ]


def things_told_of(known: Knowledge) -> frozenset[str]:
    """Return the things that recorded texts of several words are about."""
    return frozenset[str]().union(*(fact.entities for fact, _ in known.long_texts))
