"""Words that recorded values explain: those of their names, in any form, and what means them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from groundwire.evidence.claims.called_names import place_of_branch
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, is_turned, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language import Token
from groundwire.language.glossary import fields_called, is_act_of, is_called
from groundwire.language.places import english_names
from groundwire.language.tagging import analyses
from groundwire.vocabulary.fold import fold_word

_SHORTEST_STEM = 5
_HAN = "\u2e80"
# Words that narrow what is measured, whatever signs of names they share.
_ENCLOSES = frozenset[str](cue_tables()["encloses"])
_INCLUDES = frozenset(("include", "umfassen", "包括", "包含"))
_NARROWING = frozenset[str](cue_tables()["narrowing"])
_PLACES = frozenset[str](cue_tables()["places"])
_IN_PLACE = frozenset[str](cue_tables()["in_place"])
_EACH = frozenset(("各", "几", "几个", "各个", "所有"))
# Words of these roles have a meaning of their own beside that of a field.
_NO_FIELDS = frozenset(
    (
        "negation",
        "quantifier",
        "bound",
        "comparison",
        "superlative",
        "direction",
        "cause",
        "forecast",
        "opinion",
        "time",
    )
)
STEADY = frozenset((("time", "recurrence"), ("time", "step")))
"""Words of time that say how often or how steadily something is so: only values can tell."""

# Verbs that say of one thing that it is, has or counts another; signs that begin another clause.
_EQUATING = frozenset(("being", "having", "counting"))
_HAVING = frozenset(("having", "saying"))
_GLUE = frozenset(("determiner", "pronoun", "preposition", "to", "auxiliary", "time"))
# Signs between a preposition and the name behind it.
_NEXT = 3
_PARTS = frozenset(",;:，；：、")
_OF_SOURCES = frozenset(("source", "determiner", "conjunction"))

# How names of properties shorten words.
_LONG_FORMS = {"min": "minimum", "max": "maximum", "avg": "average", "num": "number"}
# Values that a journey has as a whole.
_OF_JOURNEYS = frozenset(
    (
        "duration",
        "departure",
        "arrival",
        "interchanges",
        "stops ridden",
        "walking",
        "start of the journey",
        "end of the journey",
    )
)


class WordsOfFacts:
    """Folded words by which facts are called: their property, entity, unit and item."""

    def __init__(self, known: Knowledge) -> None:
        self._of = {id(fact): _words_of_fact(fact) for fact in known.facts.all}
        self._grouped_by = known.grouped_by

    def __call__(self, facts: Iterable[Fact]) -> frozenset[str]:
        """Return the words of some facts, of those too that the check made of others.

        A branch is not called by the name of the whole: "Nordwind" is not "Nordwind Hong Kong".
        """
        facts = list(facts)
        words = (self._of.get(id(fact)) or _words_of_fact(fact) for fact in facts)
        wider = (_of_wider(fact.value.entity) for fact in facts if fact.value.entity)
        kinds = (self._grouped_by.get(f.evidence_id, frozenset()) for f in facts if f.entities)
        return frozenset[str]().union(*words, *kinds).difference(*wider)


def _words_of_fact(fact: Fact) -> frozenset[str]:
    value = fact.value
    labels = (label for label in value.labels if not is_turned(label))
    texts = [value.name, value.unit or "", value.entity or "", *labels]
    if value.item is not None:
        texts += [*value.item.names, *value.item.pieces]
        texts += ["journey"] if value.name in _OF_JOURNEYS else []
    if fact.operation:
        texts.append(fact.operation.replace("_", " "))
    words = {word for text in texts for word in words_of(text)}
    # Signs of a Chinese name make other words as well: 春天 is not the shop 春天店.
    others = {word for text in texts if text != value.entity for word in words_of(text)}
    words -= {word for word in words_of(value.entity or "") if word[0] >= _HAN} - others
    words |= fields_of(fact)
    return frozenset(words | {_LONG_FORMS[word] for word in words & _LONG_FORMS.keys()})


def fields_of(fact: Fact) -> frozenset[str]:
    """Return the English names of what the property of a thing is a field of: price of `Preis`."""
    if fact.value.entity_iri is None:
        return frozenset()
    return frozenset[str]().union(*map(fields_called, (fact.value.name, *fact.value.labels)))


def _of_wider(entity: str) -> frozenset[str]:
    """Return the folded words of a name that ends in a place, without those of the place."""
    place = place_of_branch(entity)
    return frozenset(words_of(entity.removesuffix(place))) if place else frozenset()


def is_explained(word: Word, bag: frozenset[str]) -> bool:
    """Whether a word, or all words of a phrase, are among some folded words."""
    if word.kind in ("quantity", "time") and word.role is None:
        return False
    if (
        word.role is None
        and word.text[0] >= _HAN
        and (word.text in english_names() or word.text in _NARROWING)
    ):
        return False  # 中国 and 国内 are not explained by the signs of 中国内地
    if word.role is not None and (
        word.role.role == "superlative" or (word.role.role, word.role.sense) in STEADY
    ):  # "high definition" explains no "highest"
        return all(map(bag.__contains__, (token.key for token in word.tokens)))
    if word.role is not None and word.role.sense == "act":
        lemma = " ".join(token.lemma for token in word.tokens)
        if is_act_of(lemma, bag) or is_act_of(fold_word(word.text), bag):
            return True
    is_field = word.role is None or word.role.role not in _NO_FIELDS
    if is_field and len(word.tokens) > 1 and is_called(fold_word(word.text), bag):
        return True
    return all(
        bag.issuperset(words_of(token.text))
        or bag.issuperset(words_of(token.lemma))
        or (token.tag in ("verb", "adjective", "adverb") and _is_derived_from(token.key, bag))
        or (is_field and (is_called(token.lemma, bag) or is_called(token.key, bag)))
        or (is_field and _is_form_of(token, bag))
        for token in content_of(word)
    )


def others_meant(words: Sequence[Word], known: Knowledge) -> Iterator[Span]:
    """Yield where others are meant, and not the one thing that is called so: "other regions"."""
    for place, word in enumerate(words):
        if word.role is None or word.role.sense != "other":
            continue
        stem = key_of(word.tokens[0].lemma) or key_of(word.text)
        if not any(key.startswith(stem) and len(key) <= len(stem) + 2 for key in known.entities):
            continue
        behind = words[place + 1 :]
        while behind and (behind[0].text in _EACH or behind[0].quantity is not None):
            behind = behind[1:]
        # "Other accounts for a third" is of the one.
        counts = bool(behind) and behind[0].role is not None and behind[0].role.role == "counting"
        noun = behind[0].tokens[0] if behind and not counts else None
        is_plural = noun is not None and (
            noun.text[0] == "各"
            or (noun.tag == "noun" and (noun.text[0] >= _HAN or noun.lemma != noun.text.lower()))
        )
        if is_plural or (word.text.islower() and word.text.isascii()):
            yield word.start, word.end


def merely_origins(
    words: Sequence[Word], context: PassageContext, known: Knowledge
) -> Iterator[Span]:
    """Yield places in which something is told that is recorded by the place of something else.

    What was sold by the country of its supplier, France, was not sold "in France".
    """
    said = {one for word in words for one in words_of(word.text)}
    for anchor in context.entities:
        before = [word for word in words if word.end <= anchor.start]
        if not before or before[-1].text.casefold() not in _IN_PLACE:
            continue
        asked = (f.evidence_id for f in known.facts.numbers() if f.entities & anchor.keys)
        groupings = {known.grouped_by.get(one, frozenset[str]()) for one in asked}
        if groupings and all(g & _PLACES and g - _PLACES and not g & said for g in groupings):
            yield anchor.start, anchor.end


def is_kind(word: Word, kinds: frozenset[str]) -> bool:
    """Whether a word that the lexicon does not have names the kind of the recorded things."""
    return word.role is None and all(
        kinds.issuperset(words_of(token.text)) or kinds.issuperset(words_of(token.lemma))
        for token in content_of(word)
    )


def without_parts_of_names(context: PassageContext) -> Sequence[Word]:
    """Return the words of a passage, those within a longer name of a property without meaning.

    The "stay" of "average stay" tells of nothing that stays so.
    """
    changes = context.contexts.known.changes
    names = [a for a in context.names if not a.keys & changes]
    return [
        word._replace(role=None)
        if word.role is not None
        and word.role.role in ("direction", "set_noun")
        and any(
            a.start <= word.start and word.end <= a.end and a.end - a.start > word.end - word.start
            for a in names
        )
        else word
        for word in context.words
    ]


def kinds_named(
    words: Iterable[Word], claims: Iterable[Claim], context: PassageContext, known: Knowledge
) -> Iterator[Span]:
    """Yield the words for what the things are: "by ward", "the cardiology ward".

    "The ward" of a figure does not say which.
    """
    if context.entities or not any(c.kind in ("number", "percent") for c in claims):
        yield from ((word.start, word.end) for word in words if is_kind(word, known.kinds))


def content_of(word: Word) -> Sequence[Token]:
    """The tokens of a word that carry its meaning; all of them where none does by itself."""
    if len(word.tokens) == 1:
        return word.tokens
    return [t for t in word.tokens if t.tag not in ("function", "sign")] or word.tokens


def _is_derived_from(word: str, bag: frozenset[str]) -> bool:
    """Whether a verb or adjective is formed from a word: licensed from license, urban no."""
    if len(word) <= _SHORTEST_STEM:
        return False
    stem = word[: max(_SHORTEST_STEM, len(word) - 3)]
    return any(other.startswith(stem) and len(other) - len(stem) <= 3 for other in bag)


def _is_form_of(token: Token, bag: frozenset[str]) -> bool:
    """Whether a noun or verb has the dictionary form of one of some words: damage of damaged."""
    if token.tag not in ("noun", "verb") or len(token.lemma) <= _SHORTEST_STEM:
        return False
    head, language = token.lemma[:_SHORTEST_STEM], token.language
    return any(
        word.startswith(head)
        and any(one.lemma == token.lemma for one in analyses(word, language, False))
        for word in bag
    )


def unbound(
    context: PassageContext,
    words: Sequence[Word],
    claims: Sequence[Claim],
    found: Found,
    known: Knowledge,
) -> Iterable[Span]:
    """Where a sentence names two things that nothing recorded binds: "A is defined by B".

    That the records know both says nothing of what the sentence tells of them.
    """
    proven = any(c.kind != "name" or c.status != "supported" for c in claims)
    valued = any(fact.entities for c in claims if c.kind == "name" for fact in c.facts)
    things = list(dict.fromkeys(anchor.keys for anchor in context.entities))
    if foreign := [*_of_other_sets(context, claims, known), *_called_source(context, words, found)]:
        return foreign
    if not found.claims and (had := list(_merely_had(context, words))):
        return had
    if not found.claims and (doer := _doer(words, claims)):
        return doer
    bound = found.ordered is not None or found.runs or found.conditions or found.met
    if bound or len(things) < 2:
        return _included(context, words, found)
    if proven or valued:
        return () if found.claims else _equated(context, words, known)
    of_first = {key_of(f.value.value) for f in known.facts.all if f.entities & things[0]}
    others = (one for one in context.entities if one.keys != things[0])
    return [(one.start, one.end) for one in others if not one.keys & of_first]


def _called_source(context: PassageContext, words: Sequence[Word], found: Found) -> Iterator[Span]:
    """Yield what a thing is said to be that sources are called: "an endpoint is a graph"."""
    before: Word | None = None
    for word in words:
        if sense_of(word) == "document" and before is not None and _role(before) == "being":
            is_told = any(start <= word.start < end for start, end in found.runs)
            if not is_told and any(one.end <= before.start for one in context.entities):
                yield word.start, word.end
        if not {_role(word), sense_of(word)} & _OF_SOURCES:
            before = word


def _included(context: PassageContext, words: Sequence[Word], found: Found) -> Iterable[Span]:
    """Yield what something is said to include, where nothing tells what: "that includes Chad"."""
    for word in words:
        if any(token.lemma in _INCLUDES for token in word.tokens):
            for anchor in context.entities:
                span = (anchor.start, anchor.end)
                if anchor.start >= word.end and span not in found.taken and span not in found.runs:
                    yield span


def _of_other_sets(
    context: PassageContext, claims: Sequence[Claim], known: Knowledge
) -> Iterator[Span]:
    """Yield values that only a search for other things was narrowed by: "X is from Italy"."""
    sets = {
        number
        for anchor in context.entities
        for key in anchor.keys
        for number in known.scopes_of_member.get(key, ())
    }
    values = {
        key_of(name)
        for number in sets
        for condition in known.statements[number].statement.conditions
        for names in condition.objects
        for name in names
    }
    for claim in claims if sets else ():
        own = {key_of(claim.text), *(key_of(fact.value.value) for fact in claim.facts)}
        of_none = not any(fact.entities or fact.operands for fact in claim.facts)
        if claim.kind == "name" and claim.facts and of_none and not own & values:
            yield claim.start, claim.end


def merely_known(
    context: PassageContext, claims: Sequence[Claim], found: Found, used: Sequence[Fact]
) -> Iterable[Span]:
    """Where a name stands behind a count of other things, and nothing says that it is one of them.

    "It borders five countries, including Slovenia": that Slovenia is recorded proves nothing.
    """
    counts = [
        claim
        for claim in claims
        if claim.kind == "number" and claim.status in ("supported", "derived")
        if not any(fact.entities or fact.value.item or fact.operands for fact in claim.facts)
    ]
    if not counts:
        return
    held = [(c.start, c.end) for c in claims if c.kind == "statement" and c.status == "supported"]
    # What meets a condition is of a set with that count, and not of a count of relations.
    held += [*found.taken, *found.runs, *(found.met if all(c.facts for c in counts) else ())]
    told = [fact for c in claims if c.kind in ("number", "percent") for fact in c.facts]
    ids = {fact.evidence_id for c in counts for fact in c.facts}
    entities = {key for fact in (*used, *told) for key in fact.entities}
    # What the answer that counts them tells more of is one of them.
    told = context.contexts.known.facts.all if ids else ()
    entities |= {key for fact in told if fact.evidence_id in ids for key in fact.entities}
    for anchor in context.entities:
        if (
            anchor.start > counts[0].end
            and not anchor.keys & entities
            and not any(start <= anchor.start and anchor.end <= end for start, end in held)
        ):
            yield anchor.start, anchor.end


def _doer(words: Sequence[Word], claims: Sequence[Claim]) -> Sequence[Span]:
    """Return the name of what did something with another name: "A is defined by B"."""
    named = [(c.start, c.end) for c in claims if c.kind in ("name", "quotation")]
    return [
        span
        for word in words
        if _role(word) == "by" and any(end <= word.start for _, end in named)
        for span in named
        if 0 < span[0] - word.end <= _NEXT
    ]


def _merely_had(context: PassageContext, words: Sequence[Word]) -> Iterable[Span]:
    """Yield a thing that another only has: "Paraguay contains Argentina"."""
    for first, second in pairwise(context.entities):
        between = [w for w in words if first.end <= w.start < second.start]
        verbs = [w for w in between if w.tokens[0].tag == "verb"]
        plain = all(_role(w) in _HAVING | _GLUE or w in verbs for w in between)
        light = all(_role(w) in _HAVING or sense_of(w) in _GLUE for w in verbs)
        light = light and not any(sense_of(w) == "act" for w in verbs)
        if first.keys != second.keys and plain and verbs and light:
            yield second.start, second.end


def _role(word: Word) -> str:
    role = word.role
    return "" if role is None else role.sense if role.role == "function" else role.role


def _equated(context: PassageContext, words: Sequence[Word], known: Knowledge) -> Iterable[Span]:
    """Yield a thing whose value another is said to have: "Austria's population is Germany's"."""
    names = known.once(_by_entity)
    for first, second in pairwise(context.entities):
        of_both = [
            {n for key in one.keys for n in names[key][0]}
            for one in (first, second)
            if one.keys <= names.keys()
        ]
        between = [w for w in words if first.end <= w.start < second.start]
        roles = {
            w.role.sense if w.role.role == "function" else w.role.role for w in between if w.role
        }
        alike = len(of_both) == 2 and of_both[0] & of_both[1] and first.keys != second.keys
        plain = roles <= _GLUE | _EQUATING and not any(w.text in _PARTS for w in between)
        if alike and plain and roles & _EQUATING:
            yield second.start, second.end


def named_spans(
    context: PassageContext,
    facts: Sequence[Fact],
    known: Knowledge,
    cues: Sequence[Word],
    *,
    figured: bool,
) -> Iterable[Span]:
    """Where a passage names what its facts are about: entities, properties and periods.

    A passage without figures says nothing by naming a thing; by naming a property or a period it
    speaks of the values that the things named beside it have. The name of a relation is read with
    what it relates, and not here.
    """
    if not (context.mentions or context.periods):
        return
    entities = {key for fact in facts for key in fact.entities}
    names = {key for fact in facts for key in fact.names}
    periods = {key for fact in facts for key in fact.periods}
    if not figured:
        here = {key for m in context.mentions for key in m.named.entities}
        entities |= here
        for entity, (own_names, own_periods) in known.once(_by_entity).items():
            if not here or not entity or entity in here:
                names |= own_names
                periods |= own_periods
    relations = {cue.start for cue in cues if cue.role and cue.role.role == "relation"}
    adjectives = set[int]()
    if not figured:  # "is due", "is a new card" tell how a thing is, and do not only name a value
        adjectives = {cue.start for cue in cues if all(t.tag == "adjective" for t in cue.tokens)}
    for mention in context.mentions:
        named = mention.named
        related = mention.start in relations or mention.start in adjectives
        if (
            named.entities & entities
            or named.periods & periods
            or (named.names & names and not related)
        ):
            yield mention.start, mention.end
    told = {key for anchor in context.periods for key in anchor.keys & periods}
    for anchor in context.periods:
        parts: set[PeriodKey] = set()
        if not anchor.keys & periods:
            parts = set(parts_of(anchor.keys, known.periods))
        if anchor.keys & periods or (parts and (parts <= periods or told & parts)):
            yield anchor.start, anchor.end


def _by_entity(known: Knowledge) -> Mapping[str, tuple[set[str], set[PeriodKey]]]:
    """Return the properties and periods of the values of each entity; "" stands for none."""
    found: dict[str, tuple[set[str], set[PeriodKey]]] = {}
    for fact in known.facts.all:
        for entity in fact.entities or ("",):
            names, periods = found.setdefault(entity, (set(), set()))
            names |= fact.names
            periods |= fact.periods
    return found


def all_one(
    word: Word, before: Sequence[Word], context: PassageContext, of_several: Sequence[int]
) -> Iterator[Span]:
    """Yield the one thing that all of several are said to be: "all four maps are Lyon's map"."""
    is_being = word.role is not None and word.role.role == "being"
    if not is_being or not any(at < word.start for at in of_several):
        return
    named = [one for one in context.entities if one.start >= word.end]
    every = any(w.role is not None and w.role.sense == "all" for w in before)
    if every and len(named) == 1 and named[0].start - word.end < _NEXT:
        yield named[0].start, named[0].end


def enclosed(words: Sequence[Word], context: PassageContext) -> Iterator[Span]:
    """Yield the verbs by which one thing is said to enclose another."""
    for word in words:
        encloses = {token.key for token in word.tokens} & _ENCLOSES
        if encloses and sum(a.end <= word.start for a in context.entities) < 2:
            yield word.start, word.end
