"""Whether the noun behind a figure names what its fact counts, and not something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import COUNTED
from groundwire.evidence.claims.derivation import SUM
from groundwire.evidence.claims.explained_words import all_one, enclosed
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.head_nouns import calling_words, kind_of
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language.glossary import is_act_of, is_called, is_field
from groundwire.language.places import is_demonym
from groundwire.quantities import CLASSIFIER, Quantity

# Properties whose numbers number a thing, and count nothing: zone 2 is not two zones.
_NUMBERED = frozenset(("platform", "version", "zone"))
# Where a sentence goes on with something else than a part of what it just counted.
_ON = ("and", "but", "so", "while", "und", "aber", "doch", "es gibt", *cue_tables()["needs"])
_PART = re.compile(rf"[;；:：]|,\s(?=(?:{'|'.join(_ON)})\b)|，(?!其中)")
# Verbs of one sign that may be written in one word with 了: 学了4张.
_LEARNS = frozenset("学背答做记")
_STOPS_BEHIND = re.compile(" ?个?(?:站(?!台)|次)")
_CUES = {
    table: frozenset[str](cue_tables()[table])
    for table in ("beside_counts", "complete", "answers", "encloses", "needs", "begins", "may")
}
# Kinds of things that also name fields.
_KINDS = frozenset(("scenario", "road", "map", "city", "region"))
_NOUN_ROLES = frozenset(("set_noun", "unit_noun"))


def counts_other_things(
    fact: Fact,
    quantity: Quantity,
    noun: frozenset[str],
    passage: PassageContext,
    named: Collection[str] | None = None,
) -> bool:
    """Return whether a number counts what a value does not: "five weeks", "two zones".

    Args:
        fact: the value that agrees with the number.
        quantity: the number.
        noun: the folded words behind it.
        passage: its passage.
        named: keys of what the number is said of, where that is known; none says of nothing.
    """
    known = passage.contexts.known
    own = known.words_about(fact)
    end = quantity.span[1]
    text = passage.contexts.reading.text
    if fact.unit is not None:
        return _STOPS_BEHIND.match(text, end) is not None  # "15站" and "3次" are no minutes
    if not noun:
        return False
    untold = named is not None and fact.entities.isdisjoint(named)
    if untold and fact.entities and _is_one_of_several(fact, known):
        return True  # "four answers" are not those about a card that nothing names
    classifier = CLASSIFIER.match(text, end)
    behind = passage.contexts.annotated.at(classifier.end() if classifier else end + 1)
    role = behind.role if behind else None
    if behind is not None and role is not None and (role.role, role.sense) == ("time", "period"):
        return own.isdisjoint(words_of(behind.text))
    return bool(noun & own & _NUMBERED) and fact.value.kind == "text"


def _is_one_of_several(fact: Fact, known: Knowledge) -> bool:
    """Whether other things have other counts of the same property, as cards of reviews."""
    return fact.value.unit is None and any(
        other.names == fact.names and other.number != fact.number
        for other in known.facts.numbers()
        if other.entities and other.unit is None and not fact.periods
        if other.entities.isdisjoint(fact.entities)
    )


def is_in_untold_state(fact: Fact, position: int, passage: PassageContext) -> bool:
    """Whether a clause does not say in which state things are that are counted by their states.

    "You answered four cards" and "four new cards are due" are told by no count of the cards that
    are due, nor of those that are new.

    Args:
        fact: the value that agrees with a number.
        position: where the number begins.
        passage: its passage.
    """
    of = passage.contexts.known.once(_states).get(id(fact))
    if of is None:
        return False
    own, others = of
    start, end = passage.clause(position)
    text = passage.contexts.reading.text
    alone = sum(start <= quantity.span[0] < end for quantity in passage.quantities) < 2
    spans = [(start, end), *(scope.span for scope in passage.passage.scopes)]
    told = any(_calls_state(text[slice(*span)], own) for span in spans)
    return not told or (alone and _calls_state(text[start:end], others))


def told_need(fact: Fact, position: int, passage: PassageContext) -> bool | None:
    """Return whether a clause says of a number that so many are needed, as its fact has it.

    Args:
        fact: the value that agrees with the number.
        position: where the number begins.
        passage: its passage.

    Returns:
        None where the fact is of nothing of which a number is needed.
    """
    needs = passage.contexts.known.once(_needed)
    is_need = fact.names <= needs.keys()
    if not is_need and not any(fact.names & held for held in needs.values()):
        return None
    start, end = passage.passage.start, passage.passage.end
    cuts = [cut.end() for cut in _PART.finditer(passage.contexts.reading.text, start, end)]
    start = max((cut for cut in cuts if cut <= position), default=start)
    end = min((cut for cut in cuts if cut > position), default=end)
    words = passage.contexts.annotated.within(start, end)
    said = any(_has(word, "needs") for word in words)
    most = any(q.span[0] == position and q.bound == "under" for q in passage.quantities)
    return (said and not most) if is_need else (False if said else None)


def _needed(known: Knowledge) -> dict[str, frozenset[str]]:
    """Return the names of what says how many of something are needed, with the names of these."""
    names = {
        name: words_of(fact.value.name) for fact in known.facts.numbers() for name in fact.names
    }
    return {
        name: frozenset(held for held, own in names.items() if set(own) < set(words))
        for name, words in names.items()
        if "needed" in words[1:]
    }


def is_of_that_state(fact: Fact, names: frozenset[str], known: Knowledge) -> bool:
    """Whether a fact counts things in a state that a name calls as well: new, and new today."""
    states = known.once(_states)
    own = states.get(id(fact), (frozenset[str](), frozenset[str]()))[0]
    held = (one for one in known.facts.numbers() if one.names & names and id(one) in states)
    return any(not own.isdisjoint(states[id(one)][0]) for one in held)


def begun(
    words: Sequence[Word], claims: Sequence[Claim], context: PassageContext
) -> tuple[list[Span], list[Span]]:
    """Return the verbs by which new cards may be begun, and those by which they have been.

    "You can start four" tells how many may be begun, and "you started four" does not.
    """
    states = context.contexts.known.once(_states)
    may: list[Span] = []
    done: list[Span] = []
    for claim in claims:
        held = (fact for fact in claim.facts if id(fact) in states)
        if not any("begin" in _own_of(fact, states) for fact in held):
            continue
        start, end = context.clause(claim.start)
        clause = [word for word in words if start <= word.start < end]
        can = any(_has(word, "may") for word in clause)
        for before, word in pairwise(clause):
            if _has(word, "begins") or word.text[0] in _LEARNS:
                is_open = can or before.text.casefold() in ("to", "zu")
                (may if is_open else done).append((word.start, word.end))
    return may, done


def _own_of(fact: Fact, states: dict[int, tuple[frozenset[str], frozenset[str]]]) -> frozenset[str]:
    """Return the words for the states that go with the one which a fact counts."""
    own = states[id(fact)][0]
    return frozenset[str]().union(*(one for one, _ in states.values() if not one.isdisjoint(own)))


def _calls_state(text: str, names: frozenset[str]) -> bool:
    folded = text.casefold()
    words = set(re.findall("[a-zà-ÿ]+", folded))
    return any(
        name in words or ((not name.isalpha() or not name.isascii()) and name in folded)
        for name in names
    )


def _states(known: Knowledge) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
    """Return, by the counts of things in one state, the words for it and for the other states."""
    kinds: dict[tuple[object, ...], list[Fact]] = {}
    for fact in known.facts.numbers():
        labels = fact.value.labels
        is_count = fact.value.unit is None and not fact.periods and fact.value.item is None
        if labels and is_count and labels[0] not in fact.value.name:
            kinds.setdefault((fact.evidence_id, fact.entities, labels[0]), []).append(fact)
    found: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
    for ones in (some for some in kinds.values() if len(some) > 1):
        names = [frozenset(map(str.casefold, (f.value.name, *f.value.labels))) for f in ones]
        states = [one - names[0].intersection(*names) for one in names]
        for fact, own in zip(ones, states, strict=True):
            others = (other for other in states if own.isdisjoint(other))
            found[id(fact)] = own, frozenset[str]().union(*others)
    return found


def is_one_of_several(fact: Fact, passage: PassageContext) -> bool:
    """Whether a sum of money may be of several recorded metrics, of which no word says one.

    Args:
        fact: the value that agrees with the sum.
        passage: its passage, which names no metric.
    """
    if fact.unit is None or not fact.unit.dimension.startswith("currency") or fact.operands:
        return False
    known = passage.contexts.known
    if len(known.rivals.get(kind_of(fact), {})) < 2:
        return False
    names = (fact.value.name.replace("_", " "), *fact.value.labels)
    thing = calling_words(fact.value.entity or "")
    labels = [one.casefold() for one in names if not calling_words(one) <= thing]
    labels = [one for one in labels if key_of(one) not in fact.entities]
    measured = frozenset(words_of(fact.value.name))
    others = (one for one in known.facts.numbers() if one.entities == fact.entities)
    others = [one for one in others if measured.isdisjoint(words_of(one.value.name))]
    of_thing = {label.casefold() for one in others for label in one.value.labels}
    labels = [one for one in labels if one not in of_thing]
    own = frozenset(word for label in labels for word in calling_words(label)) - thing
    own_span = (passage.passage.start, passage.passage.end)
    spans = [own_span, *(scope.span for scope in passage.passage.scopes)]
    texts = [passage.contexts.reading.text[slice(*span)].casefold() for span in spans]
    heads = [slice(*one.span) for one in passage.passage.scopes if passage.passage.kind == "cell"]
    over = any(SUM.search(passage.contexts.reading.text[head]) for head in heads)
    if over and known.whole_of(fact) is None:
        return False  # the total of a table is no part of it
    if SUM.search(texts[0]) or any(label in text for text in texts for label in labels):
        return False  # "in total that is 4,856.3 million" sums up what stands before
    return not any(
        form in own or is_called(form, own) or is_act_of(form, own)
        for span in spans
        for word in passage.contexts.annotated.within(*span)
        for token in word.tokens
        for form in (token.key, token.lemma)
    )


def miscounted(
    words: Sequence[Word], claims: Sequence[Claim], context: PassageContext
) -> Iterator[Span]:
    """Yield the nouns behind a count of assets, or a figure of a thing, that name something else.

    "There are 13 road types" is not proven by 13 maps that have road types, nor "386,506 islands"
    by a figure of Iceland, which is called Island.
    """
    known = context.contexts.known
    counts = {
        claim.start: claim.facts[0]
        for claim in claims
        if claim.kind == "number" and claim.status == "supported" and claim.facts
        if claim.facts[0].unit is None
    }
    for place, word in enumerate(words if counts else ()):
        fact = counts.get(word.start)
        if word.quantity is None or fact is None:
            continue
        if not fact.entities and fact.value.unit == ASSETS:
            yield from _told_per(words[place + 1 :])
        counted = (t for t in known.totals if t.evidence_id == fact.evidence_id)
        ends = frozenset(k for t in counted if t.value.unit == ASSETS for k in _kinds(t))
        nouns = list(_counted_nouns(words[place + 1 :], ends))
        own = [one for one in nouns if _names_the_thing(one, fact, context)]
        if fact.value.unit != ASSETS:
            called = known.words_about(fact)
            if id(fact) in known.once(_states):
                called = frozenset(word for label in fact.value.labels for word in words_of(label))
                yield from ((n.start, n.end) for n in nouns[-1:] if not _means_one_of(n, called))
            heads = [n for n in nouns[-1:] if n.text.islower() and _names_thing(n, context)]
            heads = [n for n in heads if called.isdisjoint(words_of(n.text))]
            if not (fact.entities or fact.operands or fact.value.unit or fact.periods):
                heads += [n for n in nouns[-1:] if _counts_others(n, fact, called)]
            yield from ((one.start, one.end) for one in heads)
            continue
        is_chinese = bool(nouns) and nouns[-1].tokens[-1].language == "zh"
        kinds = COUNTED | ends
        for total in known.totals if is_chinese else ():
            if total.value.unit == ASSETS and total.evidence_id == fact.evidence_id:
                kinds |= known.words_about(total)
        heads = nouns if is_chinese else nouns[-1:]
        # "34 countries" are not 34 maps of one country.
        grouping = words_of(fact.value.name)[-1:] if fact.entities else ()
        is_grouping = bool(nouns) and any(t.lemma in grouping for t in nouns[0].tokens)
        if is_grouping or not any(head in own or _means_one_of(head, kinds) for head in heads):
            yield from ((head.start, head.end) for head in nouns[-1:])


def untold_of_counts(
    words: Sequence[Word], claims: Sequence[Claim], context: PassageContext
) -> Iterator[Span]:
    """Yield what a sentence says beside a count, or of two things, that no record tells.

    "The catalogue needs 13 maps", "the 13 maps are complete", "13 maps show one motorway", "China's
    9 include Japan's 7" and "Paraguay surrounds Argentina" have the right names and figures.
    """
    counts = {
        claim.start: claim.facts[0]
        for claim in claims
        if claim.kind == "number" and claim.facts and claim.status in ("supported", "derived")
        if not (claim.facts[0].value.item or claim.facts[0].unit)
    }
    known, forms = context.contexts.known, context.forms
    cues = {table for table in _CUES if not _CUES[table].isdisjoint(forms)}
    if "encloses" in cues:
        yield from enclosed(words, context)
    if not counts:
        return
    of_sets = [at for at, fact in counts.items() if fact.value.unit == ASSETS]
    tells_whole = of_sets and "complete" in cues and "answers" not in cues
    for at, fact in counts.items():
        yield from _in_other_state(fact, context)
        if _is_of_listed(at, fact, context):
            yield at, at + 1
    for place, word in enumerate(words):
        before, behind = words[:place], words[place + 1 :]
        ahead = [at for at in counts if at > word.end]
        is_beside = "beside_counts" in cues and _has(word, "beside_counts")
        if is_beside and ahead and len(ahead) == len(counts):
            yield word.start, word.end
        if tells_whole and _has(word, "complete"):
            yield word.start, word.end
        if before and _is_filler_counted(word, counts.get(before[-1].start), known):
            yield word.start, word.end  # "four notes are due"
        is_one = word.text.casefold() == "one" and word.start not in counts
        is_one = is_one and (word.quantity is None or word.quantity.bound is None)
        is_one = is_one and not (before and before[-1].text.casefold() == "least")
        if is_one and any(at < word.start for at in of_sets):
            yield from _numbered(word, behind)
        if of_sets and before and is_demonym(before[-1].text) and _is_field(word):
            yield word.start, word.end  # "seven maps have Japanese labels"
        yield from all_one(word, before, context, [at for at in of_sets if counts[at].number != 1])
        if word.role is not None and word.role.role == "having" and before and behind:
            yield from _held_by_another(word, before, behind, context, of_sets)


def _in_other_state(fact: Fact, context: PassageContext) -> Iterator[Span]:
    """Yield the things beside a count of those in one state that are recorded in no such state."""
    known = context.contexts.known
    if id(fact) not in known.once(_states):
        return
    dated = frozenset(key for one in known.facts.dates for key in one.entities)
    told: dict[str, set[str]] = {}
    for number in known.by_kind.get("relation", ()):
        one = known.statements[number].statement
        if one.predicate[0] == "state" and one.subject:
            told.setdefault(key_of(one.subject[0]), set()).update(o[0] for o in one.objects)
    for anchor in context.entities:
        states = set[str]().union(*(told.get(key, set()) for key in anchor.keys))
        is_one = bool(states) or not dated.isdisjoint(anchor.keys)
        if is_one and not anchor.keys & fact.entities and fact.value.name not in states:
            yield anchor.start, anchor.end


def _is_of_listed(at: int, fact: Fact, context: PassageContext) -> bool:
    """Whether a count is of a thing that stands only in the list behind it, beside a subject.

    "Tides has two prerequisites: navigation and chart datum" is not proven by those of navigation.
    """
    own = [a for a in context.entities if a.keys & fact.entities]
    text = context.contexts.reading.text
    led = own and all(a.start > at and ":" in text[at : a.start].replace("：", ":") for a in own)
    others = (m for m in context.mentions if m.named.entities or m.named.values)
    return bool(led) and any(m.end <= at for m in others)


def _is_filler_counted(word: Word, fact: Fact | None, known: Knowledge) -> bool:
    """Whether a noun that elsewhere speaks of the text stands for what a figure counts."""
    is_noun = word.role is not None and word.role.sense == "structure"
    if fact is None or not is_noun or fact.operands or word.tokens[0].tag != "noun":
        return False
    return not _means_one_of(word, known.words_about(fact))


def _has(word: Word, table: str) -> bool:
    return any(token.lemma in _CUES[table] or token.key in _CUES[table] for token in word.tokens)


def _is_field(noun: Word) -> bool:
    """Whether a noun names a field of things, and no kind of things: label, licence."""
    token = noun.tokens[-1]
    return token.tag == "noun" and is_field(token.lemma) and token.lemma not in _KINDS


def _numbered(one: Word, behind: Sequence[Word]) -> Iterator[Span]:
    """Yield "one" where it counts what stands behind it: one motorway."""
    if behind and behind[0].text.casefold() != "of" and behind[0].kind != "sign":
        yield one.start, one.end


def _held_by_another(
    verb: Word,
    before: Sequence[Word],
    behind: Sequence[Word],
    context: PassageContext,
    counts: Sequence[int],
) -> Iterator[Span]:
    """Yield a verb by which the count of one group is said to hold that of another."""
    named = {anchor.start for anchor in context.entities}
    plain = [word for word in behind if word.role is None or word.role.role != "function"]
    figures = before[-1].start in counts and any(word.start in named for word in before)
    if figures and plain and plain[0].start in named and any(at > verb.end for at in counts):
        yield verb.start, verb.end


def _counts_others(noun: Word, fact: Fact, called: frozenset[str]) -> bool:
    """Whether a noun is not what a bare count of an answer is called: "157 queries" of terms."""
    of = words_of(fact.value.name)
    is_plural = len(of) == 1 and fact.value.name.islower() and fact.value.name.endswith("s")
    return is_plural and noun.text.islower() and not _means_one_of(noun, called | COUNTED)


def _told_per(behind: Sequence[Word]) -> Iterator[Span]:
    """Yield what a count of a whole answer is told to be for each of: "13 maps per motorway"."""
    clause = list(takewhile(lambda word: word.kind != "sign" and word.quantity is None, behind))
    for before, word in pairwise(clause):
        role = before.role
        if role is not None and (role.role, role.sense) == ("function", "per"):
            yield word.start, word.end


def _kinds(fact: Fact) -> frozenset[str]:
    """Return the last words of the names of what a fact counts: of "road map" it is map."""
    ends = (words_of(text)[-1:] for text in (*fact.value.labels, fact.value.name))
    return frozenset(word for end in ends for word in end)


def _names_the_thing(noun: Word, fact: Fact, context: PassageContext) -> bool:
    """Whether a noun is the name of what a fact is of: "16 lane changes"."""
    return any(
        anchor.keys & fact.entities and anchor.start <= noun.start < anchor.end
        for anchor in context.entities
    )


def _names_thing(noun: Word, context: PassageContext) -> bool:
    """Whether a noun is the name of a thing: "157 endpoints"."""
    return any(anchor.start == noun.start for anchor in context.entities)


def _means_one_of(noun: Word, kinds: frozenset[str]) -> bool:
    if noun.role is not None and noun.role.role in _NOUN_ROLES:
        return True
    return any(
        not kinds.isdisjoint((*words_of(token.text), *words_of(token.lemma)))
        or is_called(token.lemma, kinds)
        for token in noun.tokens
    )


def is_of_answer(claims: Sequence[Claim], word: Word, context: PassageContext) -> bool:
    """Whether "in total" is said of a bare figure that is of nothing but the whole answer."""
    if vocabulary("journey_cues")["in_all"].fullmatch(word.text.lower()) is None:
        return False
    nouns = {q.span[0]: frozenset(words_of(q.noun)) for q in context.quantities}
    figures = [c for c in claims if c.kind == "number" and c.status == "supported" and c.facts]
    return bool(figures) and all(
        not (fact.entities or fact.unit or fact.value.item)
        and any(word in kinds or is_called(word, kinds) for word in nouns.get(claim.start, ()))
        for claim in figures
        for fact in claim.facts
        for kinds in [context.contexts.known.words_about(fact)]
    )


def _counted_nouns(behind: Sequence[Word], kinds: frozenset[str]) -> Iterator[Word]:
    """Yield the nouns of the phrase behind a figure; in German the first, which is its head.

    Args:
        behind: the words behind the figure.
        kinds: words for what is counted, which end the phrase: "two crime books".
    """
    for word in behind:
        token = word.tokens[-1]
        if token.tag == "noun" and not kinds.isdisjoint((token.key, token.lemma)):
            yield word
            return
        if word.role is not None and word.text != "的" and not CLASSIFIER.fullmatch(word.text):
            if word.role.role in _NOUN_ROLES | {"source"}:
                yield word
            return
        if word.kind == "sign" or word.quantity is not None or token.tag == "verb":
            return
        if token.tag == "noun":
            yield word
            if token.language == "de" or (token.language == "en" and token.key != token.lemma):
                return  # a plural ends the phrase: "13 motorways match"
