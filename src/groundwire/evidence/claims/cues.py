"""Words with a meaning of their own, held against the records: is it so, is it not, is it open?

"Rose", "more than", "the largest of the three", "both", "since 2015" state something beside the
figures of their passage. Each is proven by recorded values, contradicted by them, or left over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from groundwire.evidence.claims.absences import NOT_HELD
from groundwire.evidence.claims.answer_figures import (
    calls_count_amount,
    currency_named,
    judge_all_figures,
)
from groundwire.evidence.claims.change_spans import change_ends
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.counts import group_sizes, values_told
from groundwire.evidence.claims.degrees import (
    hardly,
    is_slightly_wrong,
    judge_first,
    judge_rounding,
    judge_size,
    limits_of_fractions,
    sums_compared,
)
from groundwire.evidence.claims.direction import compares_once, names_measure
from groundwire.evidence.claims.figures_beside import lasts, only_compares
from groundwire.evidence.claims.journey_cues import of_later_plan
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.period_ends import is_end_of_period
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.quantifiers import judge_bound, judge_quantifier, only_predicates
from groundwire.evidence.claims.rank_claims import is_best_match
from groundwire.evidence.claims.rankings import ranks_kind
from groundwire.evidence.claims.restatements import judge_restated
from groundwire.evidence.claims.ride_stops import is_after_ride
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.series import denies_result, is_result, tells_again
from groundwire.evidence.claims.set_cues import has_place, judge_listing, judge_sequence
from groundwire.evidence.claims.stated_values import compared_values, stated_facts
from groundwire.evidence.claims.time_cues import (
    in_time,
    is_still,
    judge_dates,
    judge_still,
    judge_time_word,
)
from groundwire.evidence.claims.value_cues import (
    changes_little,
    compares_as,
    judge_comparison,
    judge_direction,
)
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Entry
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called

_WORDS = cue_tables()
_OTHER_NAMES = frozenset(("altlabel", "alternatename"))
_ANY_SOURCE = frozenset[str](_WORDS["any_source"])
_PERSON = frozenset[str](_WORDS["person"])
_LEADS_TO = frozenset[str](_WORDS["leads_to"])
_CONCLUDES = frozenset[str](_WORDS["concludes"])
_CONTRIBUTES = frozenset[str](_WORDS["contributes"])
_LASTS = frozenset[str](_WORDS["lasts"])
_NEEDS = frozenset[str](_WORDS["needs"])
_LOCATES = frozenset[str](_WORDS["locates"])
_INSTEAD = frozenset[str](_WORDS["instead"])
_FIGURES = frozenset[str](_WORDS["figures"])
_OTHER_KINDS = frozenset[str](_WORDS["kinds_of_things"])
_MEANS: Mapping[str, Sequence[str]] = _WORDS["means"]
_DERIVED_WORDS = frozenset(word for words in _MEANS.values() for word in words) | {"median", "rate"}
# In the detail of a claim that computes something, and does not count alone.
_OPERATES = re.compile(r"[÷+−]|recorded")
_NEXT_WORD = 8  # from "only" to its figure, an approximation between them
_AHEAD = frozenset(("vorn", "vorne", "ahead"))


def proven_cues(
    proof: Proof, words: Sequence[Word], is_free: Callable[[int, int], bool]
) -> tuple[list[Claim], list[Span]]:
    """Judge every cue of a passage that nothing has taken.

    Args:
        proof: the passage.
        words: its words, in order.
        is_free: whether nothing has taken a range yet.

    Returns:
        Claims that the records contradict, and the ranges of the cues that they prove.
    """
    contradicted: list[Claim] = []
    taken: list[Span] = []
    for place, word in enumerate(words):
        if word.role is None or word.is_silent or not is_free(word.start, word.end):
            continue
        judge = _JUDGES.get(word.role.role)
        used = len(proof.used)
        outcome = judge(proof, words, place) if judge is not None else None
        if not outcome:
            del proof.used[used:]
        denial = _denial(words, place)
        if outcome and is_slightly_wrong(proof, words, place):
            outcome = None
        little = hardly(words, place)
        if little is not None:
            outcome = True if changes_little(proof, word) else None
            taken += [(little.start, little.end)] if outcome else []
        elif denial is not None and outcome is not None:
            outcome = not outcome
            taken += [(denial.start, denial.end)] if outcome else []
        if outcome is None or (outcome is False and not _is_certain(proof, words, word)):
            continue
        denies = not outcome and bool(proof.plain) and not proof.found.claims
        if outcome or denies:
            taken.append((word.start, word.end))
        if denies:
            contradicted.append(_contradiction(proof, word))
    sums = sums_compared(proof, words, taken)
    return contradicted, [*taken, *limits_of_fractions(words, taken), *sums]


def _denial(words: Sequence[Word], place: int) -> Word | None:
    """Return the negation right before a rise or fall, as in "did not fall"; None elsewhere."""
    before = words[place - 1] if place else None
    role = words[place].role
    if before is None or before.role is None or role is None or role.role != "direction":
        return None
    return before if before.role.role == "negation" else None


def _is_certain(proof: Proof, words: Sequence[Word], word: Word) -> bool:
    """Whether a cue speaks of the recorded values themselves, and of all that it seems to.

    Beside changes and shares it may compare these; after "after" and "except" something is left
    out; of several things a change may be one of their difference.
    """
    role = word.role.role if word.role else ""
    if not _is_of_proven(proof, word) or not compares_once(proof.context):
        return False
    if any(claim.status == "derived" or claim.kind == "percent" for claim in proof.claims):
        return False
    compares = role in ("bound", "comparison")
    if compares and not names_measure(proof.context, proof.known, proof.context.clause(word.start)):
        return False
    if role == "direction":
        return len({key for fact in proof.plain for key in fact.entities}) < 2
    senses = {(w.role.role, w.role.sense) for w in words if w.role is not None}
    return not senses & {("order", "after"), ("order", "then"), ("quantifier", "other")}


def _is_of_proven(proof: Proof, word: Word) -> bool:
    """Whether the clause of a word names nothing and tells no figure but what is proven."""
    start, end = proof.context.clause(word.start)
    proven = {key for fact in proof.plain for key in fact.entities}
    here = [anchor for anchor in proof.context.entities if start <= anchor.start < end]
    return all(not proven or anchor.keys & proven for anchor in here) and all(
        claim.status in ("supported", "derived")
        for claim in proof.claims
        if start <= claim.start < end and claim.kind in ("number", "percent")
    )


def _contradiction(proof: Proof, word: Word) -> Claim:
    facts = [fact for fact in proof.plain if fact.number is not None][:3]
    has = "; ".join(f"{fact.about} {fact.said}" for fact in facts)
    evidence_id = facts[0].evidence_id if facts else None
    detail = f"the record has {has}"
    return Claim(
        word.text,
        "statement",
        "contradicted",
        evidence_id,
        detail,
        word.start,
        word.end,
        tuple(facts),
    )


def _quantifier(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """All, both: of the figures of the answer, or of what the passage speaks of."""
    if only_predicates(proof, words[place]):
        return None
    if sense_of(words[place]) in ("all", "both") and judge_all_figures(proof, words, place):
        return True
    return judge_quantifier(proof, words, place)


def _unit_noun(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """People, dollars, percent: what a proven figure is measured in."""
    sense = sense_of(words[place])
    figured = any(claim.kind in ("number", "percent") for claim in proof.claims)
    if not figured and (unit := currency_named(words[place])) is not None:
        held = [fact for fact in values_told(proof.known) if fact.unit == unit]
        proof.used.extend(held)
        return True if held else None
    for fact in (*proof.facts, *proof.used):
        dimension = fact.unit.dimension if fact.unit else ""
        if sense == "person" and not dimension and _PERSON & proof.known.words_about(fact):
            return True
        if sense == "percent" and fact.value.unit == "%":
            return True
        if sense == "currency" and dimension.startswith("currency"):
            return True
        if sense == "measure" and dimension:
            return True
    return None


def _set_noun(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Results, countries, figures: what an answer lists or counts."""
    word = words[place]
    lemmas = {token.lemma for token in word.tokens}
    dated = (c for c in proof.claims if c.kind == "date" and c.status == "supported")
    if any(0 < word.start - claim.end <= 1 for claim in dated):
        return True  # "the 2020 value"
    if lemmas & _DERIVED_WORDS:
        means = [one for one, names in _MEANS.items() if lemmas & set(names)]
        derived = [claim for claim in proof.claims if claim.status == "derived"]
        changes = [claim for claim in derived if change_ends(claim) is not None]
        counts = [claim for claim in derived if not _OPERATES.search(claim.detail)]
        return True if means and len(derived) > len(changes) + len(counts) else None
    if calls_count_amount(lemmas, proof) or tells_again(proof, words, place):
        return None
    sense = sense_of(word)
    before = words[place - 1] if place else None
    of_all = before is not None and sense_of(before) in ("both", "all")
    if before is not None and before.quantity is not None and not proof.known.totals:
        of_all = before.quantity.value in group_sizes(proof.context, proof.known)
    if sense == "whole" or of_all:
        return True  # "in both countries", "of the four countries"
    ranked = [one for one in words[max(0, place - 2) : place] if one.text != "的"][-1:]
    of_them = lemmas & _FIGURES or ranks_kind(proof.known, lemmas)
    if of_them and ranked and ranked[0].kind == "superlative":
        return True  # "der niedrigste Wert", "das größte Land"
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.facts]
    if lemmas & _FIGURES and len(figures) > 1:
        return True  # "Die Werte für Finnland lauten 5,2 und 5,4 Millionen"
    if any(sense_of(one) == "from" for one in words[max(0, place - 2) : place]):
        return None  # "maps from rural areas" says where they are from
    told = proof.context.listed or proof.context.entities
    several = len({key for anchor in told for key in anchor.keys}) > 1
    several = several or len({key for fact in stated_facts(proof) for key in fact.entities}) > 1
    counts = [fact for fact in proof.facts if not (fact.periods or fact.unit)]
    if lemmas & _OTHER_KINDS and _is_counted(words, place) and any(f.number for f in counts):
        return None  # thirteen countries are not thirteen maps
    return True if several or counts or proof.found.facts else None


def _is_counted(words: Sequence[Word], place: int) -> bool:
    """Whether a figure stands before a noun, with no more than adjectives between."""
    for before in reversed(words[max(0, place - 3) : place]):
        if before.quantity is not None:
            return True
        if before.tokens[-1].tag != "adjective":
            return False
    return False


def _forecast(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A plan speaks of what will be: its times are recorded as such."""
    planned = proof.facts and all(fact.value.item is not None for fact in proof.facts)
    return True if planned else None


def _source(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Return whether the words after "according to" are left over: all but a recorded source.

    A kind of document ("census", "report") is a source of its own, unless a recorded one is named
    or it is what every record is: data, a graph, a catalogue.
    """
    word = words[place]
    behind = words[place + 1] if place + 1 < len(words) else None
    narrows = all(token.tag == "adjective" for token in word.tokens)
    if narrows and behind is not None and sense_of(behind) != "document":
        return None  # "the official language" is one of several
    if word.role is None or word.role.sense != "document" or proof.found.is_sourced:
        return True
    if any(
        w.role is not None and w.role.role == "relation" for w in words[max(0, place - 3) : place]
    ):
        return None  # "is related to evidence" speaks of the term
    return True if any(token.lemma in _ANY_SOURCE for token in word.tokens) else None


def _order(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """First, then, finally: by the recorded order of what the passage names."""
    sense = sense_of(words[place])
    is_later = sense == "first" and of_later_plan(proof)
    if is_later:
        return None
    if sense == "after" and is_after_ride(proof, words[place]):
        return True
    if sense in ("before", "after"):
        outcome = in_time(proof, words[place], sense)
        if outcome is None and (dated := judge_dates(proof, words[place], sense)) is not None:
            return dated or None
        pairs = (
            []
            if outcome is not None
            else list(compared_values(proof, words[place], stated_facts(proof)))
        )
        way = "more" if sense == "before" else "less"
        if pairs and all(compares_as(way, a, b) for a, b in pairs):
            return True  # "India was ahead of China"
        return outcome
    if sense in ("descending", "ascending", "sorted"):
        held = judge_listing(proof, sense)
        return judge_sequence(proof, words, place) if held is None and sense == "sorted" else held
    if sense == "then":
        if not has_place(proof, words, place):
            return None
        over = not proof.context.entities and judge_listing(proof, "sorted")  # 依次是, over a list
        return over or judge_sequence(proof, words, place) or in_time(proof, words[place], "before")
    if _is_how_long(proof, words[place]) or is_end_of_period(proof, words[place]):
        return True
    ends = sense != "last" or proof.found.reaches_end
    return proof.found.ordered if ends else None


def _is_how_long(proof: Proof, word: Word) -> bool:
    """Whether a verb says how long something takes: "lasts 31 minutes"."""
    return any(t.tag == "verb" and t.lemma in _LASTS for t in word.tokens) and any(
        claim.status == "supported" and 0 <= claim.start - word.end <= 10
        for claim in proof.claims
        if claim.kind == "number"
        and any(f.unit and f.unit.dimension == "time" for f in claim.facts)
    )


def _relation(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A relation of two names is read with its statement; elsewhere it must be named by a fact."""
    word = words[place]
    sense = sense_of(word)
    derived = (c for c in proof.claims if c.status == "derived" and c.kind == "percent")
    if sense == "part_of" and any("÷" in c.detail for c in derived):
        return True
    if sense == "part_of" and any(
        w.kind == "superlative" and w.start >= proof.context.clause(word.start)[0]
        for w in words[:place]
    ):
        return True  # "the highest friction belongs to X": who is first is judged by itself
    if sense == "part_of" and any({t.lemma, t.key} & _LOCATES for t in word.tokens):
        sense = "located"
    if sense == "same_as" and any(
        fact.names & _OTHER_NAMES for c in proof.claims if c.start > word.end for fact in c.facts
    ):
        return True  # "is also known as": another label that is recorded
    if sense == "same_as" and any(
        c.kind == "statement" and c.status == "supported" for c in proof.claims
    ):
        sense = "located"  # "the capital is called Gaborone"
    if any(t.lemma == "schreiben" for t in word.tokens):  # "schrieb einen Verlust von 12"
        own = [is_result(proof, f) for c in proof.claims if c.start > word.end for f in c.facts]
        return (bool(own) and all(own)) or None
    if sense in ("located", "has_part"):
        held = [c for c in proof.claims if c.status in ("supported", "derived")]
        kinds = ("name",) if sense == "located" else ("name", "number", "percent")
        told = [c.start for c in held if c.kind in kinds] + [at for at, _ in proof.found.taken]
        return True if any(start >= word.end for start in told) else None
    return None


def _question(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A journey needs a change, a plan needs 50 minutes: what is needed is the claim."""
    needs = any(t.lemma in _NEEDS or t.key in _NEEDS for t in words[place].tokens)
    return True if needs and proof.facts else None


def _cause(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A catalogue that "führt 13 Karten" holds them; "führt zu" is a cause.

    "So", "thus" before a figure that is computed from the others says that it follows from them.
    """
    word = words[place]
    if word.tokens[0].tag == "noun" and _is_asked_by(word, proof):
        return True  # "the reason with most returns" is what the figures are grouped by
    if word.text.casefold() in _CONCLUDES:
        if _opens(proof, word) and (proof.facts or proof.found.facts):
            return True  # "So Mong Kok had the most" sums up; what it says is proven by itself
        if any(c.status == "supported" and c.detail.startswith(NOT_HELD) for c in proof.claims):
            return True  # "it is new, so there is no estimate": what is not held is why
        figures = [c for c in proof.claims if c.kind in ("number", "percent", "time")]
        follows = [c for c in figures if c.start >= word.end]
        told = [c for c in figures if c.end <= word.start and c.status in ("supported", "derived")]
        if not follows and len(told) > 1:
            return only_compares(proof, words, place, told)
        return (
            True
            if follows and (follows[0].status == "derived" or lasts(follows[0], told))
            else None
        )
    absent = [c for c in proof.claims if c.status == "supported" and c.detail.startswith(NOT_HELD)]
    if len(absent) > 1 and len({claim.evidence_id for claim in absent}) == 1:
        return True  # "it is not known, as the service is not reached", both by one record
    if any(t.lemma in _CONTRIBUTES for t in word.tokens):
        return (
            True
            if any(c.status == "derived" and c.kind == "percent" for c in proof.claims)
            else None
        )
    if not any(t.lemma == "führen" for t in word.tokens):
        return None
    leads = any(w.text.casefold() in _LEADS_TO for w in words[place + 1 :])
    return True if proof.facts and not leads else None


def _is_of(words: Sequence[Word], place: int) -> bool:
    return place + 1 < len(words) and words[place + 1].text.casefold() in ("of", "von", "vor")


def _ahead(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Compares; who is ahead of nobody that is named is first of all."""
    word, context = words[place], proof.context
    older = operator("old").fullmatch(word.text)
    if older or operator("new").fullmatch(word.text):
        dated = judge_dates(proof, word, "before" if older else "after")
        return judge_comparison(proof, words, place) if dated is None else dated or None
    several = any(len({a.keys for a in some}) > 1 for some in (context.entities, context.periods))
    if several or word.text.casefold() not in _AHEAD or _is_of(words, place):
        return judge_comparison(proof, words, place)
    most = word._replace(role=Entry("superlative", "most"))
    return judge_first(proof, [*words[:place], most, *words[place + 1 :]], place) or None


def _is_asked_by(word: Word, proof: Proof) -> bool:
    asked = proof.known.words
    return any(is_called(one, asked) for one in (word.tokens[0].key, word.tokens[0].lemma))


def _negation(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Instead of: sets the figures of two things beside each other; no profit: a loss."""
    word = words[place]
    if sense_of(word) != "without":
        return denies_result(proof, words, place)
    if word.text.casefold() not in _INSTEAD:
        return None
    figures = [
        c for c in proof.claims if c.kind == "number" and c.status == "supported" and c.facts
    ]
    before = [c for c in figures if c.end <= word.start]
    behind = [c for c in figures if 0 <= c.start - word.end <= _NEXT_WORD]
    if not before or not behind:
        return None
    first, second = before[-1].facts[0].entities, behind[0].facts[0].entities
    named = [anchor.keys for anchor in proof.context.entities]
    both = all(any(one & keys for keys in named) for one in (first, second))
    return True if both and not first & second else None


def _opens(proof: Proof, word: Word) -> bool:
    """Whether a passage begins with a word."""
    return not proof.text[proof.context.passage.start : word.start].strip(" *_#>-")


def _direction(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Rises and falls; "remained larger" says that it was so before.

    Two values of one time are no change but a correction, told in its order.
    """
    restated = judge_restated(proof)
    if restated is False or sense_of(words[place]) == "restated":
        return restated
    if sense_of(words[place]) == "flat" and is_still(words[place]):
        held = judge_still(proof, words, place)
        return held if held is not None else judge_direction(proof, words, place)
    return judge_direction(proof, words, place)


def _superlative(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    return True if is_best_match(proof, words[place]) else judge_first(proof, words, place)


_JUDGES: dict[str, Callable[[Proof, Sequence[Word], int], Outcome]] = {
    "direction": _direction,
    "comparison": _ahead,
    "superlative": _superlative,
    "quantifier": _quantifier,
    "bound": judge_bound,
    "time": judge_time_word,
    "unit_noun": _unit_noun,
    "set_noun": _set_noun,
    "opinion": judge_size,
    "approximation": judge_rounding,
    "forecast": _forecast,
    "source": _source,
    "order": _order,
    "relation": _relation,
    "question": _question,
    "cause": _cause,
    "negation": _negation,
}
