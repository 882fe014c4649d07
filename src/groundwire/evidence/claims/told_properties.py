"""Words that a sentence needs beside the value of a property, by what the property is called.

A day says nothing until it is told what happened on it, a highest value does not bound from below,
and "in German" tells a language and no skill: each holds of the property that its name calls so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import fields_of, is_explained
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.qualities import quality_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.language import Span as Word
from groundwire.language.glossary import fields_called, is_act_of
from groundwire.language.glossary import fields_of as fields_meaning
from groundwire.language.places import is_demonym, tells_language
from groundwire.vocabulary.fold import fold_word

# So many letters of an adjective are the same in all its forms.
_STEM = 5


def without_untold(
    context: PassageContext, words: Sequence[Word], claims: Sequence[Claim]
) -> list[Claim]:
    """Return claims, a day or a bound not supported where no word says of which property it is."""
    bounds = {q.span[0]: q.bound for q in context.quantities}
    text = context.contexts.reading.text[context.passage.start : context.passage.end]
    return [
        replace(one, status="unsupported", detail=f"only recorded as {called(one.facts[0])}")
        if one.status == "supported"
        and one.facts
        and one.facts[0].value.entity_iri is not None
        and (
            _is_untold_day(one, context, words)
            or _is_wrong_end(one.facts[0], bounds.get(one.start), text)
            or _is_told_as_another(one, context, words)
        )
        else one
        for one in claims
    ]


def _is_told_as_another(claim: Claim, context: PassageContext, words: Sequence[Word]) -> bool:
    """Whether a passage calls a figure by another field of its thing: a format version the version.

    The whole name of that field is a part of the name of its own, of which nothing else is said.
    """
    if claim.kind not in ("number", "date"):
        return False
    own = frozenset(words_of(claim.facts[0].value.name))
    known = context.contexts.known
    fields = {frozenset(words_of(f.value.name)) for f in known.about(claim.facts[0].entities)}
    values = [fact for m in context.mentions for fact in m.named.values]
    said = frozenset(word for fact in values for word in words_of(fact.value.name))
    for field in fields:
        means = [word for word in words if field and field < own and field in _fields_meant(word)]
        meant = said.union(*(_words_meant(word) for word in words if word not in means))
        about = (one for one in fields if not one.isdisjoint(own - field))
        if means and meant.isdisjoint(frozenset[str]().union(*about) - field):
            return True
    return False


def _fields_meant(word: Word) -> frozenset[frozenset[str]]:
    """Return the names of fields that a word may stand for, each as its folded words."""
    own = (frozenset(words_of(word.text)), *fields_meaning(fold_word(word.text)))
    return frozenset((*own, *(frozenset(words_of(token.lemma)) for token in word.tokens)))


def _words_meant(word: Word) -> frozenset[str]:
    """Return the folded words that a word may stand for."""
    return frozenset[str]().union(*_fields_meant(word))


def languages_told(context: PassageContext, claims: Sequence[Claim], text: str) -> Iterator[Span]:
    """Yield what is told as a language and recorded as something else: "in German"."""
    facts = [fact for one in claims for fact in one.facts]
    for mention in context.mentions:
        if tells_language(text, mention.start, mention.end):
            own = [f for f in facts if f.entities & mention.named.entities]
            own += [f for f in mention.named.values if not own]
            if own and not any(tells_of_language(f.value.name, *f.value.labels) for f in own):
                yield mention.start, mention.end


def tells_of_language(*names: str) -> bool:
    """Whether a property with some names is one of languages: `inLanguage`, Sprache."""
    return any("language" in (*words_of(name), *fields_called(name)) for name in names)


def _is_untold_day(claim: Claim, context: PassageContext, words: Sequence[Word]) -> bool:
    fact = claim.facts[0]
    if claim.kind != "date" or context.passage.kind != "sentence":
        return False
    if fact.value.kind != "date" or context.above:
        return False
    if any(mention.named.names & fact.names for mention in context.mentions):
        return False
    texts = (fact.value.name, *fact.value.labels)
    bag = frozenset(one for text in texts for one in words_of(text)) | fields_of(fact)
    return not any(
        is_explained(word, bag)
        or fact.names & quality_of(word).names
        or any(is_act_of(token.lemma, bag) for token in word.tokens)
        for word in words
        if word.kind != "sign" and word.period is None
    )


def _is_wrong_end(fact: Fact, bound: str | None, text: str) -> bool:
    """Whether a highest or lowest value is told as if it were any, or the other one."""
    known = vocabulary("ends_of_ranges")
    labels = (fact.value.name, *fact.value.labels)
    for end, own in (("highest", "under"), ("lowest", "over")):
        if any(known[end].search(label.lower()) for label in labels):
            told = known[end].search(text.lower()) or known["range"].search(text.lower())
            return told is None and bound != own
    return False


def are_ends(low: Fact, high: Fact) -> bool:
    """Whether two values are the lowest and the highest one of the same property of a thing."""
    names = [words_of(fact.value.name) for fact in (low, high)]
    known, apart = vocabulary("ends_of_ranges"), frozenset(names[0]) ^ frozenset(names[1])
    return (
        low.entities == high.entities
        and len(apart) == len(names)
        and known["lowest"].search(" ".join(names[0])) is not None
        and known["highest"].search(" ".join(names[1])) is not None
    )


def called(fact: Fact) -> str:
    """Return what a property is called, by its first label where it has one."""
    return (fact.value.labels or (fact.value.name,))[0]


def named_after_others(
    claims: Sequence[Claim], words: Sequence[Word], known: Knowledge
) -> Iterator[Span]:
    """Yield adjectives of another country before a short name: "the Danish krone" of Iceland.

    The record has the krone as the Icelandic one; only that may be called so.
    """
    ends = {claim.end for claim in claims if claim.kind == "statement" and claim.facts == ()}
    for before, word in pairwise(words):
        if word.end not in ends or not is_demonym(before.text):
            continue
        stem, last = key_of(before.text)[:_STEM], key_of(word.text)
        objects = (names for one in known.statements for names in one.statement.objects)
        held = {key_of(name) for names in objects for name in names}
        called = [name for name in held if name.endswith(last) and name != last]
        if called and not any(name.startswith(stem) for name in called):
            yield before.start, before.end
