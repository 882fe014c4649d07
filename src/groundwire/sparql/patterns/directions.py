"""Which way the words of a prompt ask for a property: for its object, or for its subject.

"Subsidiaries of X" are the subjects of "subsidiary of" with X as object; "the capital of X" is the
object of "capital". Only where both ends of a property may be such an entity do the words decide.
"""

from __future__ import annotations

from groundwire.language.verbs import is_object
from groundwire.sparql.patterns.reading import Reading, Span
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.patterns.words import data, phrase, plain
from groundwire.sparql.schema.names import local

_BEING = frozenset(("is", "are", "was", "were", "ist", "sind", "war", "waren"))
_SUBJECTS = frozenset(("who", "which", "what", "wer", "welche", "welcher", "welches"))
_OF = frozenset(("of", "von", "der", "des"))


def direction_of(
    reading: Reading,
    span: Span,
    of: Span,
    name: str,
    schema: Schema,
    *,
    is_first: bool = True,
) -> bool | None:
    """Return whether a step goes against its property; None where the words do not say it.

    Args:
        reading: the prompt.
        span: the words that name the property.
        of: the words that name the entity.
        name: the property.
        schema: of the graph.
        is_first: the step begins at that entity.
    """
    role = schema.roles.get(name, {}).get(phrase(span.text), "") if is_first else ""
    if role:
        by_subject = role.startswith("subject")
        # "Who taught X" asks who did it to X, and "who did X teach" to whom X did it.
        does = role.endswith("verbs") and of.first < span.first
        return by_subject != does
    if is_first and reading.language != "zh" and (verbs := schema.verbs.get(name, ())):
        return is_object(verbs, reading.texts(), _before(reading, of), (span.first, span.last))
    own = local(name).split()
    names_subject = own[-1:] == ["of"]
    is_verb = (
        not names_subject and len(own[0]) > 3 and own[0].endswith("s") and not own[0].endswith("ss")
    )
    if not is_first:
        return names_subject
    texts = reading.texts()
    if reading.language == "zh":
        held = schema.by_phrase.get(phrase(span.text), {})
        if is_first and not held.get(name, True):
            # A verb that only a part of the name is: 出生于成都, 由河边出版社出版.
            led = texts[_before(reading, of)] if _before(reading, of) >= 0 else ""
            return of.first > span.first or led in data()["led"]["words"]
        # "A是B的下位词": what stands between an entity and the property is what it is one of.
        is_farther = any(
            of.last <= one.first < span.first for one in reading.entities if one is not of
        )
        return names_subject != is_farther
    # "The stops of X" are no verb, whatever they are called.
    if is_verb and texts[span.last : span.last + 1] not in (["of"], ["von"]):
        if of.first < span.first:
            return False
        return True if any(word in _SUBJECTS for word in texts[: span.first]) else None
    return names_subject != _is_turned(texts, span, of)


def _before(reading: Reading, of: Span) -> int:
    """Return the place of the last word before an entity that does not only lead to it.

    Articles, classes and what is joined with it in a list lead to it: "on the systems A and B".
    """
    texts = reading.texts()
    leading = {*data()["articles"]["words"], *data()["and"]["words"]}
    spans = [*reading.entities, *(one for one in reading.relations if not one.properties)]
    spans += [one for one in reading.cues if one.cue in ("both", "or", "not")]
    at = of.first
    while at > 0:
        beside = next((one for one in spans if one.last == at), None)
        if beside is not None:
            at = beside.first
        elif texts[at - 1] in leading:
            at -= 1
        else:
            break
    return at - 1


def _is_turned(texts: list[str], span: Span, of: Span) -> bool:
    """Whether a prompt asks of what the entity is that: "which company is X a subsidiary of?"."""
    if of.first > span.first:
        return False
    between = texts[of.last : span.first]
    after = texts[span.last : span.last + 1]
    asked_before = any(plain(word) in _BEING for word in texts[: of.first])
    is_of = any(word in _OF for word in after) or "of" in texts[max(0, span.last - 1) : span.last]
    noun_before = any(word in ("a", "an", "the", "ein", "eine") for word in between)
    return (asked_before or any(word in _BEING for word in between)) and (is_of or noun_before)


def is_located(reading: Reading) -> bool:
    """Whether a prompt says that something is in something: "in", or "countries of Asia"."""
    if not set(data()["joining"]["words"]).isdisjoint(reading.texts()):
        return True
    return any(
        reading.texts()[of.last : entity.first] in (["of"], ["von"])
        for of in reading.relations
        for entity in reading.entities
        if of.classes and of.last < entity.first
    )


def leading_word(reading: Reading) -> str | None:
    """Return what leads from a class to an entity: "films by X"; "" for "X's films"."""
    for of in (one for one in reading.relations if one.classes):
        for entity in reading.entities:
            between = reading.texts()[of.last : entity.first]
            if of.last < entity.first and len(between) == 1:
                return between[0] if between[0] in data()["leading"]["words"] else None
            if entity.last == of.first and entity.text.endswith(("'s", "’s")):
                return ""
    return None
