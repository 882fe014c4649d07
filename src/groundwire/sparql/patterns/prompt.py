"""A prompt, or the meaning that was given for it, read and answered by a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundwire.language.asking import asked_in
from groundwire.language.plain_speech import plain_adjectives, plain_numbers, plain_speech
from groundwire.safe_text import safe_name
from groundwire.sparql.patterns.answering import Answering
from groundwire.sparql.patterns.answers import PatternAnswer
from groundwire.sparql.patterns.asking import Asking, NotAskedError
from groundwire.sparql.patterns.binding import UnansweredError
from groundwire.sparql.patterns.phrasing import sentences
from groundwire.sparql.patterns.reading import Reading, Span, read
from groundwire.sparql.patterns.schema import Schema, with_plain_names
from groundwire.sparql.patterns.selections import SIGNS
from groundwire.sparql.patterns.several import Several
from groundwire.sparql.patterns.words import data, may_relate, plain, tokens
from groundwire.sparql.workflow.model import Triple
from groundwire.sparql.workflow.trail import Trail

# Properties that are looked at for the one that joins two things, the most used first.
_MOST_JOINING = 60
_NARROWING = frozenset(("most", "least", "more", "less", "not", "except", "or", "between", *SIGNS))


class Fit(NamedTuple):
    """How well the names of a graph cover a prompt; less sorts first.

    Attributes:
        left: how many words the graph has no name for.
        is_unrelated: none of its properties is named.
    """

    left: int
    is_unrelated: bool

    @property
    def is_whole(self) -> bool:
        """Whether the graph has a name for every word, and a property among them."""
        return not self.left and not self.is_unrelated


async def fit_of(asking: Asking, prompt: str) -> Fit | None:
    """Return how well a graph covers a prompt; None where only a query of the prompt could tell."""
    if not asking.is_indexed:
        return None
    try:
        found = await _read(asking, await _plain(asking, prompt))
    except NotAskedError:
        return None
    if found is None:
        return None
    reading = found[1]
    left = sum(span.last - span.first for span in reading.left)
    return Fit(left, not any(one.properties for one in reading.relations))


async def answer_by_pattern(
    asking: Asking, prompt: str, limit: int, trail: Trail, triples: Sequence[Triple] = ()
) -> PatternAnswer | None:
    """Answer a prompt by a pattern, or say what is in doubt; None where it is of no pattern.

    Args:
        asking: the graph.
        prompt: the whole prompt.
        limit: most rows.
        trail: steps of the run.
        triples: the meaning of the prompt. It is read where the prompt itself is of no pattern, and
            only if it has every word of the prompt that was not understood, bounds or denies.
    """
    found, left = await _read_and_answer(asking, prompt, limit, trail)
    if found is not None and found.ending != "unread":
        return found
    if len(triples) == 1 and (said := _said_of(triples[0])):
        stated = {plain(word.text) for part in triples[0] for word in tokens(part)}
        if left <= stated:
            other, _ = await _read_and_answer(asking, said, limit, trail)
            # What is not understood is told in the words of the prompt.
            found = other if other is not None and other.ending != "unread" else found
    return found


async def described(
    asking: Asking, prompt: str, subject: str, limit: int, trail: Trail
) -> PatternAnswer | None:
    """Tell what a graph states of the one entity that is called so; None where that is nothing."""
    try:
        named = await asking.entities(subject)
        options = {one.iri: one for one in named.get(subject, ())}
        found = await _read(asking, prompt) if len(options) == 1 else None
        if found is None:
            return None
        return await Several(asking, *found, limit, trail).describe(*options.values())
    except (NotAskedError, UnansweredError):
        return None


def _said_of(triple: Triple) -> str:
    """Return a statement as a phrase, where it asks for its object."""
    asks = not triple.object.strip() or triple.object.strip().startswith("?")
    is_plain = triple.subject.strip() and not triple.subject.strip().startswith("?")
    return f"{triple.predicate} of {triple.subject}" if asks and is_plain else ""


async def _read_and_answer(
    asking: Asking, prompt: str, limit: int, trail: Trail
) -> tuple[PatternAnswer | None, set[str]]:
    """Return the answer to one text, and its words that no other wording of it may leave out.

    Those are what was not understood, numbers, and words that bound, order or deny.
    """
    left: set[str] = set()
    note = ""
    try:
        prompt, is_tagged = _without_tag(await _plain(asking, prompt))
        found = await _read(asking, prompt)
        if found is None:
            return None, left
        schema, reading = found
        reading, note = await _respelt(asking, schema, reading)
        reading = replace(reading, is_ask=reading.is_ask or is_tagged)
        reading = await _joined(asking, schema, reading)
        kept = (one for one in reading.cues if one.cue in _NARROWING)
        left = {
            plain(word.text)
            for span in (*reading.left, *reading.numbers, *kept)
            for word in tokens(span.text)
        }
        told = await _answer(asking, schema, reading, limit, trail)
        if told is not None and not schema.is_whole:
            # A property of the same name may be among those that are not known.
            told = replace(told, confidence="medium")
        return _noted(told, note), left
    except NotAskedError:
        return None, left
    except UnansweredError as error:
        return _noted(error.answer, note), left


def _noted(told: PatternAnswer | None, note: str) -> PatternAnswer | None:
    """Return an answer that begins with what was read in place of a misspelt word."""
    if told is None or not note:
        return told
    return replace(told, sentence=f"{note} {told.sentence}", confidence="medium")


async def _plain(asking: Asking, prompt: str) -> str:
    """Return a prompt in plain words; an adjective in the name of a thing stays as it is.

    "African countries" are those of Africa, and "West African CFA franc" is a name.
    """
    said = plain_numbers(plain_speech(prompt))
    bare = plain_adjectives(said)
    if bare == said or not asking.is_indexed:
        return bare
    names = [one for one in await asking.entities(said) if plain_adjectives(one) != one]
    return said if any(len(tokens(one)) > 1 for one in names) else bare


async def _respelt(asking: Asking, schema: Schema, reading: Reading) -> tuple[Reading, str]:
    """Return a reading with misspelt names of properties corrected, and the note that says so."""
    changes = schema.respelt(one.text for one in reading.left) if asking.is_indexed else {}
    if not changes:
        return reading, ""
    prompt = reading.prompt
    for one in sorted(reading.left, key=lambda span: -span.first):
        first, last = reading.words[one.first].start, reading.words[one.last - 1].end
        if one.text in changes:
            prompt = prompt[:first] + changes[one.text] + prompt[last:]
    fuller = read(prompt, schema, await asking.entities(prompt))
    if len(fuller.left) >= len(reading.left):
        return reading, ""
    form = sentences()[reading.language]["spelt"]
    notes = (form.format(raw=safe_name(raw), read=used) for raw, used in changes.items())
    return fuller, " ".join(notes)


async def _answer(
    asking: Asking, schema: Schema, reading: Reading, limit: int, trail: Trail
) -> PatternAnswer | None:
    """Answer a prompt; where only a premise of it is not held, answer the rest of it.

    Raises:
        UnansweredError: what keeps it from being answered.
    """
    premise = premise_of(reading)
    if premise is None:
        return await Answering(asking, schema, reading, limit, trail).answer()
    try:
        told = await Answering(asking, schema, premise.reading, limit, trail).answer()
    except UnansweredError as error:
        told = error.answer
    return None if told is None else premise.told(told)


async def _read(asking: Asking, prompt: str) -> tuple[Schema, Reading] | None:
    """Return a prompt as a graph reads it; None where it names nothing and asks for nothing.

    Raises:
        NotAskedError: the names of the graph could not be asked.
    """
    if not tokens(prompt) or not (asking.is_indexed or may_relate(prompt)):
        return None
    held = await asking.entities(prompt)
    if not held and not _may_ask(prompt):
        return None
    schema = await asking.schema()
    if not schema.is_whole:
        await asking.add_named(schema, held)
    prompt = with_plain_names(prompt, schema.properties.values())
    reading = read(prompt, schema, held)
    if reading.left and asking.is_indexed:
        stated = await asking.stated(prompt, schema, reading.left)
        if stated:
            return schema, read(prompt, schema, {**stated, **held})
    return schema, reading


async def _joined(asking: Asking, schema: Schema, reading: Reading) -> Reading:
    """Return "is Egypt in Africa" with the one property that joins such a thing to such another.

    Raises:
        NotAskedError: how the properties are used could not be asked.
    """
    either = reading.has("or") is not None
    entities = list(reading.entities)
    is_open = reading.relations or reading.left or len(entities) < 2
    if is_open or not (reading.is_ask or either):
        return reading
    of, others = entities[0], entities[1:]
    stating = {one.property for each in entities for one in each.options if one.property}
    if len(entities) == 2 and len(stating) == 1 and not either and not reading.cues:
        # "Is Moonwhite a black tea": the value names its property.
        joint = Span(of.last, of.last, "", properties=tuple(stating))
        return replace(reading, relations=(joint,))
    words = reading.words[of.last : others[0].first]
    inside = [plain(one.text) for one in words]
    if len(words) != 1 or inside[0] not in data()["inside"]["words"]:
        return reading
    names = [one.iri for one in schema.properties.values()]
    uses = await asking.uses(
        sorted(names, key=lambda one: -schema.properties[one].count)[:_MOST_JOINING]
    )
    here = {kind for one in of.options for kind in one.types}
    there = [{kind for one in each.options for kind in one.types} for each in others]
    fit = [
        name
        for name, use in uses.items()
        if not use.domain.isdisjoint(here) and all(not use.range.isdisjoint(one) for one in there)
    ]
    if len(fit) != 1:
        return reading
    joint = Span(of.last, of.last + 1, words[0].text, properties=(fit[0],))
    if either:
        # Which of them it is in answers.
        cues = tuple(one for one in reading.cues if one.cue != "or")
        return replace(reading, entities=(of,), relations=(joint,), cues=cues, is_ask=False)
    return replace(reading, relations=(joint,))


def _may_ask(prompt: str) -> bool:
    """Whether a prompt without a known name may still be of a pattern: a count, the most."""
    return len(tokens(prompt)) >= 3 or asked_in(prompt) == "zh"


@dataclass(frozen=True, slots=True)
class Premise:
    """A question without what it takes for granted.

    Attributes:
        reading: what is left of it.
        names: names that the graph does not hold.
        denied: a fact that is to be explained is said not to hold.
        is_why: a reason is asked for.
    """

    reading: Reading
    names: tuple[str, ...] = ()
    denied: bool = False
    is_why: bool = False

    def told(self, answer: PatternAnswer) -> PatternAnswer:
        """Return an answer that also says what was taken for granted."""
        said = sentences()[self.reading.language]
        told = answer.sentence
        if self.names:
            shown = ", ".join(f"“{safe_name(one)}”" for one in self.names)
            reason = f" {said['no_reason']}" if self.is_why else ""
            return replace(answer, sentence=f"{told} {said['not_held'].format(v=shown)}{reason}")
        if told.startswith(said["is_so"]):
            told = told.removeprefix(said["is_so"]).lstrip()
            told = said["after_all"].format(v=told) if self.denied else told
        return replace(answer, sentence=f"{told} {said['no_reason']}")


def premise_of(reading: Reading) -> Premise | None:
    """Return a question without its premises; None where something else is not understood."""
    if _asks_why(reading):
        denied = reading.has("not") is not None
        cues = tuple(one for one in reading.cues if one.cue != "not")
        return Premise(replace(reading, left=(), cues=cues, is_ask=True), denied=denied)
    is_why, reading = _without_why(reading)
    if not (reading.is_ask or is_why) or len(reading.relations) != 1 or reading.numbers:
        return None
    names = _names_in_chinese(reading) if reading.language == "zh" else _names(reading)
    others = [
        one
        for one in reading.cues
        if one.cue != "or" and not _within(one, names) and not _is_rhetorical(one, reading)
    ]
    if not names or others or len(reading.entities) not in (1, 2):
        return None
    either = len(reading.entities) == 2
    if either and reading.has("or") is None:
        return None
    kept = replace(reading, left=(), cues=(), is_ask=either)
    return Premise(kept, tuple(one.text for one in names), is_why=is_why)


def _without_why(reading: Reading) -> tuple[bool, Reading]:
    """Whether a reason is asked for, and the reading without the word that asks for it."""
    why = data()["why"][reading.language]
    if reading.language == "zh":
        return False, reading
    left: list[Span] = []
    for one in reading.left:
        first = one.first + (plain(one.text.split()[0]) in why)
        if first < one.last:
            text = one.text if first == one.first else one.text.split(maxsplit=1)[1]
            left.append(Span(first, one.last, text))
    asked = any(plain(one.text.split()[0]) in why for one in reading.left)
    return asked, replace(reading, left=tuple(left)) if asked else reading


def _asks_why(reading: Reading) -> bool:
    """Whether a reason is asked for, and all else is understood."""
    why = data()["why"][reading.language]
    if reading.language == "zh":
        return not reading.left and any(one in reading.prompt for one in why)
    return bool(reading.left) and all(plain(one.text) in why for one in reading.left)


def _is_rhetorical(one: Span, reading: Reading) -> bool:
    """Whether a "not" only asks for assent: "is not X the capital?", 首都不是X吗."""
    if one.cue != "not":
        return False
    return one.text in ("不是", "不") if reading.language == "zh" else one.first == 1


def _within(one: Span, names: Sequence[Span]) -> bool:
    return any(name.first <= one.first and one.last <= name.last for name in names)


def _names(reading: Reading) -> list[Span]:
    """Return what is left over where all of it is written as names."""
    starts = {plain(one) for one in data()["ask"]["start"][reading.language]}
    is_statement = reading.is_ask and reading.texts()[0] not in starts
    is_name = all(
        (one.first > 0 or is_statement)
        and all(word.text[:1].isupper() for word in reading.words[one.first : one.last])
        for one in reading.left
    )
    return list(reading.left) if is_name else []


def _names_in_chinese(reading: Reading) -> list[Span]:
    """Return what stands on one side of 是, where nothing of it is held.

    "首都是悉尼吗" and "悉尼是首都吗" take the same for granted.
    """
    texts = reading.texts()
    if "是" not in texts:
        return []
    at, end = texts.index("是"), len(texts) - (texts[-1] in data()["ask"]["end"])
    held = (*reading.entities, *reading.relations)
    for first, last in ((at + 1, end), (0, at)):
        name = Span(first, last, "".join(texts[first:last]))
        is_whole = bool(reading.left) and all(_within(one, [name]) for one in reading.left)
        apart = not any(one.first < last and first < one.last for one in held)
        if first < last and is_whole and apart:
            return [name]
    return []


def _without_tag(prompt: str) -> tuple[str, bool]:
    """Return a prompt without the words at its end that ask for assent, and whether there are any.

    "Berne is the capital, isn't it?" asks whether that is so.
    """
    text = prompt.rstrip(" ?？!.。！")
    for language, tags in data()["ask"]["tags"].items():
        for tag in sorted(tags, key=len, reverse=True):
            head = text[: -len(tag)]
            mark = "，," if language == "zh" else ","
            if plain(text[-len(tag) :]) == plain(tag) and head.rstrip().endswith(tuple(mark)):
                return head.rstrip(" ,，"), True
            if language == "zh" and text.endswith(tag) and "是" in head:
                return head, True
    return prompt, False
