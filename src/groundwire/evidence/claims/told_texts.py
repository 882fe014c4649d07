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
from dataclasses import dataclass, replace
from functools import cached_property

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.options import ordinal_of
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.recorded_texts import (
    FEWEST_WORDS,
    IS_PROSE,
    TITLE,
    RecordedSentence,
    TextWord,
    behind_lead,
    by_form,
    forms_of_word,
    is_order_cue,
    sentences_in,
    words_that_count,
)
from groundwire.evidence.claims.retelling import told_at
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.evidence.claims.step_clauses import clauses_of, tells_clauses
from groundwire.evidence.claims.words import cue_tables, key_of
from groundwire.language import Sentence
from groundwire.language import Span as Word

_ENDS = ",.;:!\n，。；："
_QUOTES = frozenset("`\"'„“”‚‘’「」『』")
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{2,4} $")
_COLONS = frozenset(":：–—-")
_MOST_WORDS, _LONGEST_LEAD = 60, 40
_BOUNDARY = re.compile(r"[,;:()（），；：。、—–]|\.(?=\s)")
_NUMBER = re.compile(r"[0-9]{1,3}")
_CONNECTIVES: Mapping[str, str] = {
    word: sense for sense, words in cue_tables()["connectives"].items() for word in words
}


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause of the draft that tells a recorded sentence.

    Attributes:
        start, end: where it stands.
        words: its words that carry meaning.
        sentence: the recorded sentence.
        cues: words before it or in it that say when it comes.
        first, last: between which places of what is recorded it tells: member of an order,
            number of the sentence, word.
        same: words that rightly say when it comes, as the text does.
    """

    start: int
    end: int
    words: Sequence[TextWord]
    sentence: RecordedSentence
    cues: Sequence[Word]
    first: tuple[int, int, int]
    last: tuple[int, int, int]
    same: Sequence[Word] = ()


class TextReader:
    """Reads one draft against the texts that records hold."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft

    def read(self, context: PassageContext, found: Found) -> None:
        """Take the clauses of a passage that tell recorded sentences."""
        start, end = context.passage.start, context.passage.end
        told = [one for one in self._told if start <= one.start < end]
        texts = [m for m in context.mentions if any(map(_is_text, m.named.values))]
        for one in texts:
            of = frozenset(key for fact in one.named.values for key in fact.entities)
            if _is_of_another(one.start, of, context):
                found.foreign.append((one.start, one.end))
        for one in told:
            fact = one.sentence.fact
            if fact is not None and _is_of_another(one.start, fact.entities, context):
                continue
            found.taken += [(word.start, word.end) for word in one.words]
            found.taken += [(cue.start, cue.end) for cue in (*one.cues, *one.same)]
            found.runs.append((one.start, one.end))
            if fact is not None:  # its other words prove nothing
                found.facts.append(replace(fact, value=replace(fact.value, value="")))
            text = self._draft.text[one.start : one.end]
            evidence_id, start, end = one.sentence.evidence_id, one.start, one.end
            detail = "told in the words of a recorded text"
            found.claims.append(
                Claim(text, "statement", "supported", evidence_id, detail, start, end)
            )
        if found.runs and not context.quantities:
            found.foreign += self._beside(context.words, found.runs)

    def _beside(self, words: Sequence[Word], runs: Sequence[Span]) -> Iterator[Span]:
        """Yield a text's nouns of sets beside what repeats it: "a table stands where a block"."""
        forms = self._draft.known.once(by_form)
        for word in words:
            is_set = word.role is not None and word.role.role == "set_noun"
            is_known = any(token.lemma in forms for token in word.tokens)
            if is_set and is_known and not any(a <= word.start < b for a, b in runs):
                yield word.start, word.end

    @cached_property
    def _sentences(self) -> Sequence[RecordedSentence]:
        """The sentences of all recorded texts, those of steps with their order."""
        return self._draft.known.once(sentences_in)

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
        for title in self._sentences:
            is_title = title.place == TITLE and title.order is not None
            if is_title and "step" in known.statements[title.order or 0].statement.predicate:
                found.setdefault(title.evidence_id, set()).update(self._named_by(title))
        return {key: frozenset(spans) for key, spans in found.items()}

    def _named_by(self, title: RecordedSentence) -> Iterator[Span]:
        """Yield where the draft names what the steps of a title are about: "in VS Code"."""
        names = [
            word for word in title.words if word.tag != "verb" and "=connect" not in word.forms
        ]
        text = self._draft.text
        for sentence in self._draft.annotated.sentences:
            spans = self._draft.annotated.within(sentence.start, sentence.end)
            words = words_that_count(spans, text)
            for at in range(len(words) - len(names) + 1 if names else 0):
                run = words[at : at + len(names)]
                if all(one.forms & own.forms for one, own in zip(run, names, strict=True)):
                    code = _CODE.search(text, 0, run[0].start)  # the VS of VS Code
                    yield code.start() if code else run[0].start, run[-1].end

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
            for one in _connected(self._of_sentence(sentence.body or sentence.start, sentence.end))
            if self._has_its_number(sentence, one)
        ]
        wrong: set[int] = set()
        last: dict[int, tuple[int, int, int]] = {}
        titled: int | None = None
        for one in every:
            order, place = one.sentence.order, one.sentence.place
            if order is None:
                continue
            if place == TITLE:
                titled = order
                continue
            before = last.get(order)
            kept = titled in (None, order) and (before is None or before <= one.first)
            if not kept or not all(
                self._is_placed(cue, order, place, before[0] if before else None)
                for cue in one.cues
            ):
                wrong.add(order)
            last[order] = one.first
        return [one for one in _going_on(every) if _is_in_order(one, wrong)]

    def _has_its_number(self, sentence: Sentence, one: _Told) -> bool:
        """Whether the number of a list's item, if it has one, is that of the step it tells."""
        number = _NUMBER.search(self._draft.text, sentence.start, sentence.body or sentence.start)
        is_step = one.sentence.order is not None and one.sentence.place != TITLE
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

    def _of_sentence(self, start: int, end: int) -> list[_Told]:
        """Return the clauses of a sentence that tell recorded sentences, the longest first.

        A clause ends at a comma, at a word that joins clauses, or before "then".
        """
        spans = self._draft.annotated.within(start, end)
        words = words_that_count(spans, self._draft.text)[:_MOST_WORDS]
        known = self._draft.known.once(by_form).keys()
        if sum(bool(one.operator) or not known.isdisjoint(one.forms) for one in words) < (
            FEWEST_WORDS
        ):
            return []
        apart = [one for one in words if one.start not in self._aside]
        readings = [apart, words] if len(apart) < len(words) else [words]
        told = (self._clauses(start, end, spans, own) for own in readings)
        return max(told, key=lambda clauses: sum(len(one.words) for one in clauses))

    def _clauses(
        self, start: int, end: int, spans: Sequence[Word], words: Sequence[TextWord]
    ) -> list[_Told]:
        """Return the clauses of a sentence from a place to another that tell recorded texts."""
        cues = [span for span in spans if span.role is not None and is_order_cue(span)]
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
                fitting = self._fitting(words[at:stop], before)
                if fitting is not None:
                    sentence, number, places = fitting
                    left = words[at - 1].end if at else start
                    until = words[stop].start if stop < len(words) else end
                    here = [cue for cue in cues if left <= cue.start < until]
                    same = [cue for cue in here if sentence.has_cue(cue)]
                    own = [
                        cue
                        for cue in here
                        if (cue.start < words[at].start) != self._trails(cue)
                        or words[at].start < cue.start < words[stop - 1].end
                        if cue not in same
                    ]
                    begun = _with_light(spans, words[at].start, sentence)
                    led = [a for a, b in self._every_subject if a <= words[at].start < b]
                    begun = min((begun, *led)) if self._lead(words[at:stop], sentence) else begun
                    first = (sentence.place, number, min(places))
                    last = (sentence.place, number, max(places))
                    told = words[at:stop]
                    ended = _until_light(spans, told[-1].end, sentence)
                    before.append(_Told(begun, ended, told, sentence, own, first, last, same))
                    at = stop
                    break
            else:
                at = min(edge for edge in edges if edge > at)
        return before

    def _trails(self, cue: Word) -> bool:
        """Whether a word of order stands behind what it puts in order: "run it first, then"."""
        text = self._draft.text
        before, behind = text[: cue.start].rstrip(), text[cue.end :].lstrip()
        return bool(before) and before[-1] not in _ENDS and behind[:1] in ("", *_ENDS)

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

    def _fitting(
        self, words: Sequence[TextWord], before: Sequence[_Told]
    ) -> tuple[RecordedSentence, int, Sequence[int]] | None:
        """Return a recorded sentence that some words of the draft tell, or None.

        With it come its number and the places of the words in it.
        """
        having = self._having(words)
        if not having or self._is_figure(words):
            return None
        if sum(word.tag != "number" for word in words) < FEWEST_WORDS:
            return None
        for number in having:
            sentence = self._sentences[number]
            earlier = [word for one in before if one.sentence is sentence for word in one.words]
            lead = self._lead(words, sentence)
            for skipped in dict.fromkeys((0, lead)):
                spans = self._draft.annotated.within(words[0].start, words[-1].end)
                places = self._places(behind_lead(words, skipped, spans), sentence, earlier)
                if places is not None:
                    return sentence, number, places
        return None

    def _places(
        self, words: Sequence[TextWord], sentence: RecordedSentence, earlier: Sequence[TextWord]
    ) -> Sequence[int] | None:
        """Return at which places words tell a sentence, a step also in other words, or None."""
        if len(words) < FEWEST_WORDS:
            return None
        places = told_at(words, sentence, earlier)
        if sentence.order is None or sentence.place == TITLE:
            return places
        if places is not None:
            return places if self._tells_step(words, sentence, silent=True) else None
        light = sentence.light_meanings  # "add" where the text says "put"; "paste" is a noun, too
        orders = [w for at, w in enumerate(words) if not at or w.tag == "verb"]
        rest = [w for w in words if w not in orders or not w.forms & light]
        places = (
            told_at(rest, sentence, earlier, is_cut=True) if len(rest) >= FEWEST_WORDS else None
        )
        return places if places is not None and self._tells_step(words, sentence) else None

    def _tells_step(
        self, words: Sequence[TextWord], sentence: RecordedSentence, *, silent: bool = False
    ) -> bool:
        """Whether words of a draft tell one to do what a step does, or its silent words do."""
        spans = self._draft.annotated.within(words[0].start, words[-1].end)
        before = self._draft.annotated.within(
            max(0, words[0].start - _LONGEST_LEAD), words[0].start
        )
        while before and not (self._ends_clause(before[-1]) or _is_joint(before[-1])):
            if any(a <= before[-1].start < b for a, b in self._every_subject):
                break  # "in VS Code the block belongs in ..."
            spans, before = [before[-1], *spans], before[:-1]
        told = clauses_of(spans, lambda t: forms_of_word(t.key, t.lemma, t.text))
        return tells_clauses(told, sentence.clauses, silent=silent)

    def _ends_clause(self, word: Word) -> bool:
        """Whether a clause ends with a sign, which is not one within a name: mcp.json."""
        return word.text in _ENDS and self._draft.text[word.end : word.end + 1].strip() == ""

    def _reach(self, words: Sequence[TextWord], at: int) -> int:
        """Up to which word those from a place on stand together in some recorded sentence."""
        return next((place for place, held in self._holding(words, at) if not held), len(words))

    def _holding(
        self, words: Sequence[TextWord], at: int
    ) -> Iterator[tuple[int, frozenset[int] | set[int]]]:
        """Yield each word that counts, with the sentences that have it and those before it."""
        led = max((end for s, end in self._every_subject if s <= words[at].start < end), default=0)
        numbers = self._draft.known.once(by_form)
        held: frozenset[int] | set[int] | None = None
        for place in range(at, len(words)):
            word = words[place]
            if word.operator or word.end <= led:
                continue
            own = set[int]().union(*[numbers[form] for form in word.forms if form in numbers])
            held = own if held is None else held & own
            yield place, held
            if not held:
                return

    def _having(self, words: Sequence[TextWord]) -> Sequence[int]:
        """The numbers of the sentences that may be told: they have each word behind a subject."""
        every = [held for _, held in self._holding(words, 0)]
        return sorted(every[-1]) if every else range(len(self._sentences))

    def _is_figure(self, words: Sequence[TextWord]) -> bool:
        """Whether words are a figure with its unit and no more."""
        spans = self._draft.annotated.within(words[0].start, words[-1].end)
        return all(s.quantity is not None or s.is_silent for s in spans)

    def _lead(self, words: Sequence[TextWord], sentence: RecordedSentence) -> int:
        """Return how many words at the beginning name what a text is about."""
        for start, end in self._subjects.get(sentence.evidence_id, ()):
            if start <= words[0].start < end and self._may_be_of(start, end, sentence):
                return sum(word.end <= end for word in words)
        return 0

    def _may_be_of(self, start: int, end: int, sentence: RecordedSentence) -> bool:
        """Whether a name may be that of what a text describes, if the text says of what it is."""
        of = sentence.fact.entities if sentence.fact is not None else frozenset[str]()
        hits = self._draft.within(start, end) if of else ()
        return not of or any(of & self._draft.of_name(_subject_keys, hit) for hit in hits)


def _subject_keys(known: Knowledge, terms: Sequence[Term]) -> frozenset[str]:
    """Return the keys of the subjects that a name stands for."""
    subjects = (known.statements[one.stated].statement.subject for one in terms
                if one.slot == "subject")  # fmt: skip
    return frozenset(key_of(name) for names in subjects for name in names)


def _is_text(fact: Fact) -> bool:
    return fact.value.kind == "text" and IS_PROSE.search(fact.value.value) is not None


def _is_of_another(start: int, of: frozenset[str], context: PassageContext) -> bool:
    """Whether a place says what a text describes of another thing: "Neap tides are the ..."."""
    before = [m for m in context.mentions if m.end <= start]
    if not of or not before:
        return False
    subject = before[-1]
    text = context.contexts.reading.text
    if subject.named.entities & of or key_of(text[subject.start : subject.end]) in of:
        return False
    between = [word for word in context.words if subject.end <= word.start < start]
    links = any(w.text in _COLONS or (w.role and w.role.role == "being") for w in between)
    return links and all(w.kind == "sign" or (w.role and w.is_silent) for w in between)


def _is_in_order(one: _Told, wrong: set[int]) -> bool:
    """Whether a clause tells its step where it comes, or has no word of order but its text's."""
    return not one.cues if one.sentence.order is None else one.sentence.order not in wrong


def _going_on(told: Sequence[_Told]) -> Iterator[_Told]:
    """Yield clauses, one that goes on with another sentence only behind a clause that tells that.

    "Neap tides have the smallest range; they come at the half moons" proves nothing of others.
    """
    last: RecordedSentence | None = None
    for one in told:
        if not one.sentence.before or (
            last is not None and (one.sentence.before == last.key or one.sentence is last)
        ):
            last = one.sentence
            yield one


def _connected(told: list[_Told]) -> list[_Told]:
    """Return the clauses of a sentence in the order of events where "once" or "before" tells it."""
    for at, one in enumerate(told):
        cue = next((cue for cue in one.cues if cue.text.casefold() in _CONNECTIVES), None)
        if cue is None or one.sentence.order is None:
            continue
        led, main = ([one], told[1:]) if at == 0 else (told[at:], told[:at])
        is_after = _CONNECTIVES[cue.text.casefold()] == "after"
        earlier, later = (led, main) if is_after else (main, led)
        if main and max(x.last for x in earlier) < min(x.first for x in later):
            kept = [other for other in one.cues if other is not cue]
            told[at] = replace(one, cues=kept, same=[*one.same, cue])
            return sorted(told, key=lambda x: x.first)
    return told


def _is_joint(word: Word) -> bool:
    return word.role is not None and word.role.sense == "conjunction"


def _with_light(spans: Sequence[Word], start: int, sentence: RecordedSentence) -> int:
    """Return where a clause begins with the words before it that a text has and that say little."""
    for span in reversed([span for span in spans if span.end <= start]):
        if (is_order_cue(span) and span.text[:1].islower()) or span.text in _QUOTES:
            continue  # "führen Sie zuerst"
        if span.role is None or not span.is_silent:
            break
        if _is_in(span, sentence):
            start = span.start
        elif span.role.role != "function":
            break
    return start


def _until_light(spans: Sequence[Word], end: int, sentence: RecordedSentence) -> int:
    """Return where a clause ends with a verb behind it that a text has: "... ausführen"."""
    for span in spans:
        if span.start >= end and span.text not in _QUOTES:
            is_verb = any(token.tag == "verb" for token in span.tokens)
            return span.end if is_verb and span.is_silent and _is_in(span, sentence) else end
    return end


def _is_in(span: Word, sentence: RecordedSentence) -> bool:
    """Whether a recorded sentence has a word that says little, or one that means the same."""
    own = sentence.light | sentence.light_meanings
    forms = (forms_of_word(token.key, token.lemma, token.text) for token in span.tokens)
    return any(one & own for one in forms)
