"""Clauses of a draft that say what a recorded text says, in its words and in no others.

"To connect it, quit Claude Desktop and start it again" tells a recorded step. A clause does so if
one recorded sentence has all of its words in the same order, where verbs may stand elsewhere, as
they do in German; where what the sentence says in between only narrows a word that is told; and
where no negation, quantifier, bound or condition of the sentence is missing. A description may
begin with the name of what it describes. Steps must come in their recorded order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.options import ordinal_of
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.segments import Passage
from groundwire.evidence.claims.words import fold_word
from groundwire.language import Sentence, annotate
from groundwire.language import Span as Word
from groundwire.language.glossary import meanings

# Words of these roles change what a sentence says: who drops one says something else.
_OPERATORS = frozenset(("negation", "quantifier", "bound", "forecast", "hedge", "cause"))
_NOUNS = frozenset(("noun", "name", "other"))
_MODIFIERS = frozenset(("adjective", "adverb"))
_LONGEST_TEXT = 2_000
_MOST_TEXTS = 400
_MOST_WORDS = 60
_FEWEST_WORDS = 2
_FEWEST_OF_TEXT = 4
# A name has no sign that ends a sentence.
_IS_PROSE = re.compile(r"[.!?;:](?=\s|$)|[。！？；：]")
_SENTENCE_END = re.compile(r"[.!?;:](?=\s)|[。！？；：\n]")
_BOUNDARY = re.compile(r"[,;:()（），；：。、—–]|\.(?=\s)")
_NUMBER = re.compile(r"[0-9]{1,3}")
# The place of the title of what has steps.
_TITLE = -1


class _Said(NamedTuple):
    """A word that carries meaning, of a draft or of a recorded text.

    Attributes:
        start, end: where it stands.
        forms: what it is compared by: as written, its lemma, what the glossary says that it means.
        tag: its part of speech.
        operator: its role and sense where it changes what is said, else "".
        is_joined: whether the next word follows with nothing between, as in a compound.
    """

    start: int
    end: int
    forms: frozenset[str]
    tag: str
    operator: str
    is_joined: bool = False


@dataclass(frozen=True)
class _Sentence:
    """A recorded sentence.

    Attributes:
        evidence_id: its record.
        words: its words that carry meaning.
        fact: the value whose text it is part of, or None.
        order: the number of the statement of an order that it is a member of, or None.
        place: its place in that order, from 0.
    """

    evidence_id: str
    words: Sequence[_Said]
    fact: Fact | None = None
    order: int | None = None
    place: int = 0

    @cached_property
    def forms(self) -> frozenset[str]:
        """Every form of its words."""
        return frozenset(form for word in self.words for form in word.forms)


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause of the draft that tells a recorded sentence."""

    start: int
    end: int
    words: Sequence[_Said]
    sentence: _Sentence
    cues: Sequence[Word]


class TextReader:
    """Reads one draft against the texts that records hold."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft

    def read(self, passage: Passage, found: Found) -> None:
        """Take the clauses of a passage that tell recorded sentences."""
        told = [one for one in self._told if passage.start <= one.start < passage.end]
        for one in told:
            found.taken += [(word.start, word.end) for word in one.words]
            found.taken += [(cue.start, cue.end) for cue in one.cues]
            found.runs.append((one.start, one.end))
            found.facts += [one.sentence.fact] if one.sentence.fact is not None else []
            text = self._draft.text[one.start : one.end]
            evidence_id, start, end = one.sentence.evidence_id, one.start, one.end
            detail = "told in the words of a recorded text"
            found.claims.append(
                Claim(text, "statement", "supported", evidence_id, detail, start, end)
            )

    @cached_property
    def _sentences(self) -> Sequence[_Sentence]:
        """The sentences of all recorded texts, those of steps with their order."""
        return self._draft.known.once(_sentences_in)

    @cached_property
    def _subjects(self) -> Mapping[str, frozenset[tuple[int, int]]]:
        """Where the draft names what the statements of each record are about."""
        known = self._draft.known
        found: dict[str, set[tuple[int, int]]] = {}
        for hit in self._draft.hits:
            for term in hit.terms:
                stated = known.statements[term.stated]
                if term.slot == "subject" and stated.statement.kind in ("relation", "order"):
                    found.setdefault(stated.evidence_id, set()).add((hit.start, hit.end))
        return {key: frozenset(spans) for key, spans in found.items()}

    @cached_property
    def _every_subject(self) -> frozenset[tuple[int, int]]:
        """Where the draft names what any statement is about."""
        return frozenset[tuple[int, int]]().union(*self._subjects.values())

    @cached_property
    def _told(self) -> Sequence[_Told]:
        """Every clause that tells a recorded sentence; of steps only where their order is kept."""
        if not self._sentences:
            return ()
        every = [
            one
            for sentence in self._draft.annotated.sentences
            for one in self._of_sentence(sentence.body or sentence.start, sentence.end)
            if self._has_its_number(sentence, one)
        ]
        wrong: set[int] = set()
        last: dict[int, int] = {}
        titled: int | None = None
        for one in every:
            order, place = one.sentence.order, one.sentence.place
            if order is None:
                continue
            if place == _TITLE:
                titled = order
                continue
            kept = titled in (None, order) and last.get(order, place) <= place
            if not kept or not all(
                self._is_placed(cue, order, place, last.get(order)) for cue in one.cues
            ):
                wrong.add(order)
            last[order] = place
        return [
            one
            for one in every
            if (one.sentence.order not in wrong if one.sentence.order is not None else not one.cues)
        ]

    def _has_its_number(self, sentence: Sentence, one: _Told) -> bool:
        """Whether the number of a list's item, if it has one, is that of the step it tells."""
        number = _NUMBER.search(self._draft.text, sentence.start, sentence.body or sentence.start)
        is_step = one.sentence.order is not None and one.sentence.place != _TITLE
        return number is None or not is_step or int(number[0]) == one.sentence.place + 1

    def _is_placed(self, cue: Word, order: int, place: int, before: int | None) -> bool:
        """Whether a step stands where "first", "then" or "finally" says."""
        sense = cue.role.sense if cue.role else ""
        ordinal = ordinal_of(cue.text)
        if ordinal:
            return place == ordinal - 1
        if sense == "first":
            return place == 0
        if sense == "last":
            return place == len(self._draft.known.statements[order].statement.objects) - 1
        return sense == "then" and (before is None or place >= before)

    def _of_sentence(self, start: int, end: int) -> Iterator[_Told]:
        """The clauses of a sentence of the draft that tell recorded sentences, the longest first.

        A clause ends at a comma, at a word that joins clauses, or before "then".
        """
        spans = self._draft.annotated.within(start, end)
        words = _content(spans, self._draft.text)[:_MOST_WORDS]
        words = [one for one in words if one.start not in self._aside]
        cues = [span for span in spans if span.role is not None and _is_cue(span)]
        joints = [s.start for s in spans if s.role is not None and s.role.sense == "conjunction"]
        cuts = sorted([*joints, *(cue.start for cue in cues)])
        edges = [
            place
            for place in range(1, len(words))
            if _BOUNDARY.search(self._draft.text, words[place - 1].end, words[place].start)
            or any(words[place - 1].end <= cut < words[place].end for cut in cuts)
        ]
        edges.append(len(words))
        at = 0
        before: list[_Told] = []
        while at < len(words):
            reach = self._reach(words, at)
            for stop in sorted((edge for edge in edges if at < edge <= reach), reverse=True):
                sentence = self._fitting(words[at:stop], before)
                if sentence is not None:
                    left = words[at - 1].end if at else start
                    own = [cue for cue in cues if left <= cue.start < words[stop - 1].end]
                    told = words[at:stop]
                    one = _Told(told[0].start, told[-1].end, told, sentence, own)
                    before.append(one)
                    yield one
                    at = stop
                    break
            else:
                at = min(edge for edge in edges if edge > at)

    @cached_property
    def _aside(self) -> frozenset[int]:
        """Places at which names of recorded sources stand, or what members of orders are called."""
        statements = self._draft.known.statements
        return frozenset(
            place
            for hit in self._draft.hits
            for term in hit.terms
            if (kind := statements[term.stated].statement.kind) == "source"
            or (kind == "order" and term.slot == "predicate")
            for place in range(hit.start, hit.end)
        )

    def _fitting(self, words: Sequence[_Said], before: Sequence[_Told]) -> _Sentence | None:
        """Return a recorded sentence that some words of the draft tell, or None."""
        having = self._having(words)
        if not having or self._is_figure(words):
            return None
        if sum(word.tag != "number" for word in words) < _FEWEST_WORDS:
            return None
        for number in having:
            sentence = self._sentences[number]
            earlier = [word for one in before if one.sentence is sentence for word in one.words]
            if _tells(words, sentence, earlier):
                return sentence
            lead = self._lead(words, sentence.evidence_id)
            rest = words[lead:]
            if lead and len(rest) >= _FEWEST_WORDS and _tells(rest, sentence, earlier):
                return sentence
        return None

    def _reach(self, words: Sequence[_Said], at: int) -> int:
        """Up to which word those from a place on stand together in some recorded sentence."""
        return next((place for place, held in self._holding(words, at) if not held), len(words))

    def _holding(
        self, words: Sequence[_Said], at: int
    ) -> Iterator[tuple[int, frozenset[int] | set[int]]]:
        """Yield each word that counts, with the sentences that have it and those before it."""
        led = max((end for s, end in self._every_subject if s <= words[at].start < end), default=0)
        by_form = self._draft.known.once(_by_form)
        held: frozenset[int] | set[int] | None = None
        for place in range(at, len(words)):
            word = words[place]
            if word.operator or word.end <= led:
                continue
            own = set[int]().union(*[by_form[form] for form in word.forms if form in by_form])
            held = own if held is None else held & own
            yield place, held
            if not held:
                return

    def _having(self, words: Sequence[_Said]) -> Sequence[int]:
        """The numbers of the sentences that may be told: they have each word behind a subject."""
        held: frozenset[int] | set[int] | None = None
        for _, held in self._holding(words, 0):  # noqa: B007 - the last one counts
            pass
        return sorted(held) if held is not None else range(len(self._sentences))

    def _is_figure(self, words: Sequence[_Said]) -> bool:
        """Whether words are a figure with its unit and no more."""
        spans = self._draft.annotated.within(words[0].start, words[-1].end)
        return all(s.quantity is not None or s.is_silent for s in spans)

    def _lead(self, words: Sequence[_Said], evidence_id: str) -> int:
        """How many words at the beginning name what the statements of a record are about."""
        for start, end in self._subjects.get(evidence_id, ()):
            if start <= words[0].start < end:
                return sum(word.end <= end for word in words)
        return 0


def _sentences_in(known: Knowledge) -> Sequence[_Sentence]:
    """The sentences of all recorded texts, those of steps with their order."""
    found: dict[tuple[str, str], _Sentence] = {}
    for number in known.by_kind.get("order", ()):
        stated = known.statements[number]
        for place, names in enumerate(stated.statement.objects):
            for name in names:
                for words in _sentences_of(name):
                    key = (stated.evidence_id, _key(words))
                    one = _Sentence(stated.evidence_id, words, None, number, place)
                    found.setdefault(key, one)
        for name in stated.statement.subject:
            for words in _sentences_of(name) if "://" not in name else ():
                one = _Sentence(stated.evidence_id, words, None, number, _TITLE)
                found.setdefault((stated.evidence_id, _key(words)), one)
    for fact in known.facts.all:
        text = fact.value.value if fact.value.kind in ("text", "name") else ""
        is_told = not fact.operands and _IS_PROSE.search(text) and "://" not in text
        if not is_told or len(text) > _LONGEST_TEXT:
            continue
        sentences = _sentences_of(text)
        if sum(map(len, sentences)) < _FEWEST_OF_TEXT:
            continue  # a name
        for words in sentences:
            key = (fact.evidence_id, _key(words))
            found.setdefault(key, _Sentence(fact.evidence_id, words, fact))
        if len(found) > _MOST_TEXTS:
            break
    return [one for one in found.values() if len(one.words) >= _FEWEST_WORDS]


def _by_form(known: Knowledge) -> Mapping[str, frozenset[int]]:
    """The numbers of the recorded sentences that have a form of a word."""
    found: dict[str, set[int]] = {}
    for number, sentence in enumerate(known.once(_sentences_in)):
        for form in sentence.forms:
            found.setdefault(form, set()).add(number)
    return {form: frozenset(numbers) for form, numbers in found.items()}


def _tells(words: Sequence[_Said], sentence: _Sentence, earlier: Sequence[_Said]) -> bool:
    """Whether words of a draft tell a recorded sentence, or go on with what was told of it.

    Args:
        words: the words.
        sentence: the recorded sentence.
        earlier: words of the same sentence of the draft that have told it already.
    """
    if not all(word.operator or word.forms & sentence.forms for word in words):
        return False
    places = _places(words, sentence.words)
    if places is None:
        return False
    known = {*places, *(_places(earlier, sentence.words) or ())} if earlier else set(places)
    if any(one.operator and at not in known for at, one in enumerate(sentence.words)):
        return False
    first, last = min(places), max(places)
    is_step = sentence.order is not None
    if not is_step and any(at not in known for at in range(first)):
        return False  # what it is said of is left out
    return all(at in known or _only_narrows(sentence.words, at) for at in range(first + 1, last))


def _places(words: Sequence[_Said], recorded: Sequence[_Said]) -> list[int] | None:
    """Return the place of each word in a recorded sentence; None where one is not there in order.

    Verbs may stand anywhere, other words only behind those that stand before them.
    """
    found: list[int] = []
    reached = -1
    for word in words:
        options = [at for at, one in enumerate(recorded) if _alike(word, one) and at not in found]
        behind = next((at for at in options if at > reached), None)
        if behind is not None and not (word.tag == "verb" and recorded[behind].tag == "verb"):
            reached = behind
        elif behind is None:
            behind = next((at for at in options if "verb" in (word.tag, recorded[at].tag)), None)
        if behind is None:
            return None
        found.append(behind)
    return found


def _alike(word: _Said, recorded: _Said) -> bool:
    if word.operator or recorded.operator:
        return word.operator == recorded.operator
    return not word.forms.isdisjoint(recorded.forms)


def _only_narrows(words: Sequence[_Said], at: int) -> bool:
    """Whether a word narrows the next noun, so that who leaves it out says no more than it."""
    word = words[at]
    if word.operator:
        return False
    if word.tag in _MODIFIERS:
        return True
    return word.tag in _NOUNS and word.is_joined and words[at + 1].tag in _NOUNS


def _key(words: Sequence[_Said]) -> str:
    return " ".join(min(word.forms) for word in words)


def _content(spans: Sequence[Word], text: str) -> list[_Said]:
    """Return the words of spans that carry meaning; those that order clauses are none of them."""
    found: list[_Said] = []
    tokens = [
        (span, token, operator)
        for span in spans
        if (operator := _operator(span) if span.role is not None else "")
        or not (span.kind == "sign" or (span.role and (span.is_silent or _is_cue(span))))
        for token in span.tokens
        if operator or token.tag not in ("function", "sign")
    ]
    for place, (span, token, operator) in enumerate(tokens):
        if operator and found and found[-1].end > span.start:
            continue  # a phrase is one operator
        following = tokens[place + 1][1].start if place + 1 < len(tokens) else -1
        joined = following >= 0 and text[token.end : following] in (" ", "-", "")
        end = span.end if operator else token.end
        # The segmenter often leaves open whether a Chinese word is a verb.
        is_verb = token.language == "zh" and token.tag in ("other", "adverb")
        tag = "verb" if is_verb else token.tag
        forms = _forms(token.key, token.lemma, token.text)
        found.append(_Said(token.start, end, forms, tag, operator, joined))
    return found


def _is_cue(span: Word) -> bool:
    """Whether a word puts a clause in order: "first", and not the verb "start"."""
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


@lru_cache(maxsize=16_384)
def _forms(key: str, lemma: str, text: str) -> frozenset[str]:
    """Return the forms by which a word is compared."""
    means = (f"={' '.join(sorted(one))}" for form in (key, lemma) for one in meanings(form))
    return frozenset((key, lemma, fold_word(text), *means))


@lru_cache(maxsize=512)
def _sentences_of(text: str) -> tuple[tuple[_Said, ...], ...]:
    """Return the words of each sentence of a recorded text."""
    reading = annotate(text)
    words = _content(reading.spans, text)
    found: list[list[_Said]] = [[]]
    for word in words:
        if found[-1] and _SENTENCE_END.search(text, found[-1][-1].end, word.start):
            found.append([])
        found[-1].append(word)
    return tuple(tuple(one) for one in found if one)
