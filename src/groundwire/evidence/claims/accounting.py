"""Every word of a draft is accounted for: what no recorded fact or statement explains is left over.

A claim may agree with a record and still say more than the record: "East Germany had 83.2
million", "83.2 million in the first quarter", "83.2 million according to Eurostat". So each word of
a passage is taken by what proves the passage: by a claim, by a name of the fact that supports it,
by a statement of the same record, or by a word of the lexicon that adds no fact. Words that have a
meaning of their own (a negation, a comparison, a direction, an order) are taken only where the
records show that it holds. All others are left over, and keep the claims of their passage from
being supported.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from groundwire.evidence.claims.accounts import Account, not_of_all, with_all_under
from groundwire.evidence.claims.bound_names import without_unbound, without_unproven_signs
from groundwire.evidence.claims.change_spans import untold_ends, without_values
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.counted_nouns import begun, miscounted, untold_of_counts
from groundwire.evidence.claims.counts import told_groups
from groundwire.evidence.claims.cues import proven_cues
from groundwire.evidence.claims.derivation import BY
from groundwire.evidence.claims.explained_words import (
    WordsOfFacts,
    is_explained,
    kinds_named,
    merely_known,
    merely_origins,
    named_spans,
    others_meant,
    unbound,
    without_parts_of_names,
)
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.figures_beside import said_of_computed
from groundwire.evidence.claims.frames import end_of_question, frames, is_framing
from groundwire.evidence.claims.journey_cues import journey_words
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.merging import foreign_ends, not_merged, of_one_option
from groundwire.evidence.claims.misbound import without_misbound
from groundwire.evidence.claims.misplaced import misplaced, told_of_another
from groundwire.evidence.claims.needed import needed_in_vain
from groundwire.evidence.claims.offers import (
    addresses_reader,
    is_wish,
    offered_from,
    stated_words,
    taken_for_granted,
)
from groundwire.evidence.claims.period_ends import (
    divided_times,
    ends_of_flows,
    ends_of_years,
    lengths_ahead,
)
from groundwire.evidence.claims.place_labels import without_mislabelled
from groundwire.evidence.claims.proof import Proof, Taken
from groundwire.evidence.claims.rank_claims import told_in_another_order
from groundwire.evidence.claims.restatements import foreign_reports, retold_words
from groundwire.evidence.claims.ride_stops import of_named_rides
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.series import losses_of_profits
from groundwire.evidence.claims.set_cues import denied_values, distributed
from groundwire.evidence.claims.shares import told_as_parts
from groundwire.evidence.claims.silent_words import (
    defines,
    is_open_bound,
    is_particle,
    is_silent,
    is_silent_rest,
    is_thing,
    meaning_parts,
    merely_pointed,
    narrowing_sources,
    narrows_noun,
    points_at_page,
    tells_of_page,
    told_beyond,
)
from groundwire.evidence.claims.statements import Found, StatementReader
from groundwire.evidence.claims.table_heads import (
    heads_column,
    told_by_head,
    unit_of_head,
    untold_cell,
)
from groundwire.evidence.claims.time_cues import day_of_asking, named_days, other_events
from groundwire.evidence.claims.told_properties import (
    languages_told,
    named_after_others,
    without_untold,
)
from groundwire.evidence.claims.told_sets import counted_besides, counted_of_others, counts_of_sets
from groundwire.evidence.claims.untold_bearers import unnamed_things, without_unnamed
from groundwire.evidence.claims.words import key_of
from groundwire.language import Span as Word
from groundwire.quantities import CLASSIFIER

# Roles of words that bind what they stand between, where the records prove them.
_BINDING = frozenset(("bound", "comparison", "superlative", "order", "direction", "relation"))
_MOST_WORDS, _SNIPPET = 8, 80


class Accountant:
    """Reads a draft once and accounts for the words of its passages."""

    def __init__(self, contexts: Contexts, known: Knowledge) -> None:
        self._contexts, self._known = contexts, known
        self._text = contexts.reading.text
        self._statements = StatementReader(contexts.annotated, known, contexts.reading)
        self._answers = known.answers
        self._words_of, self._counts = known.once(WordsOfFacts), list[Claim]()

    def account(
        self,
        passages: Sequence[tuple[Passage, list[Claim]]],
        ranges: Sequence[Span] | None = None,
    ) -> list[Claim]:
        """Return the claims of all passages, the words left over held against them.

        Headers, headings and leads are explained by the facts of what stands under them.

        Args:
            passages: the passages of the draft, in order, with their claims.
            ranges: where the claims stand that are wanted; all claims by default.
        """
        under = self._under(passages)
        self._counts = [*counts_of_sets([c for _, own in passages for c in own], self._text)]
        wanted = [
            place
            for place, (passage, _) in enumerate(passages)
            if ranges is None or any(a <= passage.start < b for a, b in ranges)
        ]
        over: dict[int, list[int]] = {}
        for place, ones in under.items():
            for one in ones:
                over.setdefault(one, []).append(place)
        above_them = {place for one in wanted for place in over.get(one, ())}
        needed = with_all_under({*wanted, *above_them}, under)
        accounts: dict[int, Account] = {}
        ordered = [place for place in range(len(passages)) if place not in under]
        for place in (*ordered, *sorted(under, reverse=True)):
            passage, claims = passages[place]
            if place not in needed:
                self._statements.pass_by(self._contexts.of(passage))
                continue
            below = [accounts[one] for one in under.get(place, ()) if one in accounts]
            facts = _unique(fact for one in below for fact in one.facts)
            above = [span for one in below for span in one.above]
            own = self._of(passage, claims, facts, above)
            apart = not_of_all(own, below, self._contexts)
            accounts[place] = replace(own, leftover=(*own.leftover, *apart))
        judged: list[Claim] = []
        for place in wanted:
            account = accounts[place]
            inherited = [
                word
                for one in over.get(place, ())
                for word in accounts[one].leftover
                if account.claims and not is_explained(word, account.words)
            ]
            judged += self._held_against(account, inherited, place in under)
        return judged

    def _under(self, passages: Sequence[tuple[Passage, list[Claim]]]) -> dict[int, list[int]]:
        """By the place of each passage that others must be read with, the places of these."""
        starts = [passage.start for passage, _ in passages]
        under: dict[int, list[int]] = {}
        for place, (passage, claims) in enumerate(passages):
            for scope in passage.scopes:
                over = self._text[slice(*scope.span)].rstrip(" *_")
                if scope.earlier or not claims or not (scope.hard or over.endswith((":", "："))):
                    continue
                low, high = (bisect_left(starts, at) for at in scope.span)
                if passage.kind == "sentence" != passages[min(high, place)][0].kind:
                    continue  # it stands behind the list of a lead
                for one in range(low, high):
                    other, own = passages[one]
                    is_row = passage.kind == "cell" and any(scope.hard for scope in other.scopes)
                    if one != place and not (own and is_row):
                        under.setdefault(one, []).append(place)
        return under

    def _of(
        self,
        passage: Passage,
        claims: list[Claim],
        below: Sequence[Fact],
        proven: Sequence[Span],
    ) -> Account:
        said = key_of(said_here := self._text[passage.start : passage.end])
        if passage.kind != "cell" and not said.isnumeric() and said in self._answers:
            found = self._statements.read(passage, self._contexts.of(passage), (), claims)
            wrong = (c for c in found.claims if c.status == "contradicted" and "order" in c.detail)
            steps = wrong if said in self._known.steps else ()
            return Account(passage, (*self._repeated(passage, claims, said), *steps), ())
        context = self._contexts.of(passage)
        facts = _unique([*_supporting(claims), *below])
        against = _unique([*facts, *_excluding(claims)])
        found = self._statements.read(passage, context, against, claims)
        claims = [*found.corrected(claims), *found.claims]
        words = without_parts_of_names(context)
        shared, each = distributed(claims, context, words, self._known)
        figures = [c.start for c in claims if c.kind in ("number", "time")]
        zeros, denied = denied_values(context, words, self._known, figures)
        facts = _unique([*facts, *found.facts, *shared, *zeros])
        spoken = _unique([*facts, *against])
        figured = bool(below) or any(
            claim.kind in ("number", "percent") and (claim.facts or claim.status != "derived")
            for claim in claims
        )
        bag = self._words_of(_but_values(spoken, claims, found)) | found.words
        bag |= self._known.words_of_parts(spoken)
        taken = Taken(passage.start, passage.end)
        taken.add((*each, *denied, *found.taken, *proven))
        taken.add(_of_claims(claims, found, figured=figured))
        taken.add(told_groups(context, words, claims, self._known))
        taken.add(named_days(words, claims, spoken, context, self._known))
        taken.add(self._pointers(context))
        taken.add(named_spans(context, spoken, self._known, words, figured=figured))
        taken.add((*divided_times(context.periods, below), *lengths_ahead(words, claims)))
        taken.add(ends_of_years(claims))
        claims = not_merged(context, of_one_option(without_untold(context, words, claims), context))
        claims = of_named_rides(without_values(words, claims), context, self._known)
        claims = without_unbound(context, without_unnamed(context, claims))
        claims = without_mislabelled(context, without_misbound(context, claims))
        claims = without_unproven_signs(context, claims)
        if passage.kind == "cell" or any(f.value.item and f.value.item.options for f in facts):
            taken.add(self._contexts.options.named_within((passage.start, passage.end)))
        taken.add(said_of_computed(self._text, passage, claims))
        may_be, has_been = begun(words, claims, context)
        taken.add(may_be)
        taken.add(day_of_asking(claims, context, facts, self._known))
        proof = Proof(self._text, context, tuple(claims), tuple(facts), found, self._known)
        taken.add((*journey_words(proof), *retold_words(proof)))
        contradicted, proven = proven_cues(proof, words, taken.leaves)
        taken.add(proven)
        if proven:
            taken.add(named_spans(context, proof.used, self._known, words, figured=True))
        bag |= self._words_of(proof.used) | self._known.words_of_parts(proof.used)
        strange = {*unnamed_things(words, claims, context, self._known)}
        taken.add(
            (w.start, w.end)
            for w in taken.free(words)
            if w.start not in strange and is_explained(w, bag)
        )
        taken.add(found.runs)
        taken.add(kinds_named(taken.free(words), claims, context, self._known))
        besides = {*counted_besides(words, self._counts, self._text, self._known)}
        taken.add(besides)
        taken.leave(span for span in found.besides if span not in besides)
        if len({fact.periods for fact in facts if fact.periods}) > 1:
            taken.add((t.start, t.end) for w in words for t in w.tokens if is_open_bound(t))
        taken.leave((*foreign_ends(context, claims), *found.foreign))
        taken.leave((*untold_ends(context, claims, words), *miscounted(words, claims, context)))
        taken.leave(
            (*foreign_reports(claims, context), *told_as_parts(self._text, context, claims))
        )
        others = frozenset(other_events(claims, words, context, self._known))
        others |= {*untold_of_counts(words, claims, context), *others_meant(words, self._known)}
        others |= {*merely_origins(words, context, self._known), *has_been}
        others |= {
            *counted_of_others(words, claims, proof.used, self._counts, context, found.judged_by)
        }
        whole = (passage.start, passage.end) in found.runs  # it was judged as one
        others |= {*languages_told(context, claims, self._text), *told_in_another_order(context)}
        others |= {*told_beyond(context, claims, whole=whole)}
        apart = misplaced(context, claims)  # of a whole, no name may stand twice
        values = {m.start for m in context.mentions if whole and self._text[m.start].islower()}
        others |= {one for one in apart if one[0] not in values}
        taken.leave(others)
        taken.leave(_unmet([c for c in claims if c.facts], found))
        taken.leave(merely_known(context, claims, found, proof.used))
        taken.leave(ends_of_flows(context.dates, facts, self._known))
        taken.leave(told_of_another(context, found.runs))
        taken.leave(losses_of_profits(words, claims, context, facts, self._known))
        taken.leave((*merely_pointed(context, words, claims), *narrowing_sources(words)))
        taken.leave(named_after_others(claims, words, self._known))
        if any(c.kind == "iri" and tells_of_page(c) for c in claims):
            taken.add((w.start, w.end) for w in words if points_at_page(w))
        if any(c.kind == "quotation" and c.status == "supported" for c in claims):
            taken.add((w.start, w.end) for w in words if defines(w))
        binding = (
            w.start for w in words if w.role and (w.role.role in _BINDING or w.role.sense == "half")
        )
        binds = not {start for start, _ in proven}.isdisjoint(binding)
        if not (figured or binds or shared or whole) and passage.kind == "sentence":
            taken.leave(unbound(context, words, claims, found, self._known))
        taken.leave(() if found.claims or figured else needed_in_vain(context, claims))
        if passage.kind == "cell" or below:
            taken.add(unit_of_head(self._text, passage, below, self._known))
        taken.add(told_by_head(self._text, passage, words))
        taken.add(frames(self._contexts.reading, words))
        leftover: tuple[Word, ...] = ()
        if claims or not (addresses_reader(words) or is_wish(said_here)):
            is_head = passage.kind == "cell" and all(c.kind == "name" for c in claims)
            named = min((c.end for c in claims), default=passage.end)
            heads = (w for w in words if is_head and heads_column(w, self._known, w.start > named))
            taken.add((w.start, w.end) for w in heads if (w.start, w.end) not in others)
            leftover = self._left(passage, words, taken, others)
            leftover = leftover if claims or leftover else (*untold_cell(context),)
        offered = offered_from(said_here, words) if leftover else None
        if offered and all(c.kind == "name" for c in claims if c.start >= offered[0]):
            # What it offers is no claim; what no record knows may still be taken for granted.
            granted = taken_for_granted([w for w in words if w.start >= offered[1]], self._known)
            leftover = tuple(w for w in leftover if w.start < offered[0] or w.start in granted)
        elif not figured and (asked := end_of_question(said_here)):
            asked += passage.start
            leftover = tuple(w for w in leftover if w.start > asked or not self._is_asked(w))
        claims += contradicted
        return Account(passage, tuple(claims), leftover, bag, tuple(facts), tuple(found.above))

    def _is_asked(self, word: Word) -> bool:
        """Whether a word may stand in a question told again: one of a record, or of no fact."""
        return is_framing(word) or is_explained(word, self._known.words | self._known.numeric_words)

    def _pointers(self, context: PassageContext) -> Iterable[Span]:
        """Numbers that point or number, and "one" where it is a pronoun or an article."""
        yield from (pointer.span for pointer in context.pointers)
        for quantity in context.quantities:
            is_gap = BY.search(self._text, context.passage.start, quantity.span[0])
            if quantity.words and quantity.value == 1 and not is_gap:
                classifier = CLASSIFIER.match(self._text, quantity.span[1])
                yield quantity.span[0], classifier.end() if classifier else quantity.span[1]

    def _left(
        self,
        passage: Passage,
        words: Sequence[Word],
        taken: Taken,
        telling: Collection[Span],
    ) -> tuple[Word, ...]:
        """The words that carry meaning and that nothing has taken; none of a question.

        Those that tell of another event carry meaning here.
        """
        words = stated_words(self._text[passage.start : passage.end], words)
        free = {word.start for word in taken.free(words)}
        return tuple(
            word
            for place, word in enumerate(words if free else ())
            if word.end <= passage.end
            and word.start in free
            and (
                not is_silent(word)
                or is_thing(words, place)
                or narrows_noun(words, place)
                or (word.start, word.end) in telling
            )
            and not is_particle(words, place)
            and any(taken.leaves(*one) for one in meaning_parts(word))
            and not is_silent_rest(word, taken.rest(word))
        )

    def _repeated(self, passage: Passage, claims: Sequence[Claim], key: str) -> list[Claim]:
        """The claims of a sentence that a tool answered with, word for word."""
        evidence_id = self._answers[key]
        start, end = passage.start, passage.end
        text = self._text[start:end].strip()
        whole = Claim(text, "statement", "supported", evidence_id, "as answered", start, end)
        return [
            replace(claim, status="supported", evidence_id=evidence_id, detail="as answered")
            if claim.status not in ("supported", "derived")
            else claim
            for claim in claims or [whole]
        ]

    def _held_against(
        self, account: Account, inherited: Sequence[Word], stands_over: bool
    ) -> list[Claim]:
        leftover = [*account.leftover, *inherited]
        if not leftover:
            return list(account.claims)
        words = list(dict.fromkeys(word.text for word in leftover))
        listed = ", ".join(repr(word) for word in words[:_MOST_WORDS])
        more = f" and {len(words) - _MOST_WORDS} more" if len(words) > _MOST_WORDS else ""
        judged: list[Claim] = []
        named = any(_changes_subject(word) for word in leftover)
        unread = any(word.role is None for word in leftover)
        for claim in account.claims:
            if claim.status in ("supported", "derived"):
                detail = f"{claim.detail}; not understood or not proven: {listed}{more}"
                claim = replace(claim, status="not_judged", detail=detail)
            elif claim.status == "contradicted" and (named or unread):
                # A word that was not read may bind the figure to something else.
                detail = f"{claim.detail}; but the text also says {listed}{more}"
                status: Status = "not_judged" if named else "unsupported"
                claim = replace(claim, status=status, detail=detail)
            elif claim.status == "unsupported" and named and _is_open(claim):
                detail = f"{claim.detail}; but the text also says {listed}{more}"
                claim = replace(claim, status="not_judged", detail=detail)
            judged.append(claim)
        told_below = stands_over and not account.claims
        if account.leftover and not told_below and not any(c.status != "supported" for c in judged):
            start, end = account.leftover[0].start, account.leftover[-1].end
            text = self._text[account.passage.start : account.passage.end].strip(" \t*_#>|-")
            text = text if len(text) <= _SNIPPET else text[: _SNIPPET - 1].rstrip() + "…"
            detail = f"not understood or not proven: {listed}{more}"
            judged.append(Claim(text, "statement", "not_judged", None, detail, start, end))
        return judged


def _supporting(claims: Iterable[Claim]) -> list[Fact]:
    """The facts that speak for the claims of a passage, each once.

    Where a passage has figures, its figures and dates decide which facts it speaks of: a name may
    be recorded of something else.
    """
    held = [c for c in claims if c.status in ("supported", "derived") and c.facts]
    figures = [c for c in held if c.kind in ("number", "percent", "time", "date")]
    entities = {key for c in figures for fact in c.facts for key in fact.entities}
    names = [
        fact
        for c in held
        if c.kind not in ("number", "percent", "time", "date")
        for fact in c.facts
        if not entities or not fact.entities or fact.entities & entities
    ]
    return _unique([*(fact for c in figures for fact in c.facts), *names])


def _but_values(facts: Sequence[Fact], claims: Sequence[Claim], found: Found) -> list[Fact]:
    """Return the facts by whose words a passage may go on.

    Beside a count of a whole set it may not go on with the names of those of which a value of
    the passage is recorded: "all 90 are in fog" is not proven by "Cut-in in fog near Munich". Nor
    may it with what another answer was asked for: "four maps, one of a motorway".
    """
    counts = [f for c in claims if c.kind == "number" for f in c.facts]
    if not counts or any(f.entities or f.value.item or f.operands for f in counts):
        return list(facts)
    met = {*found.met, *found.taken}
    names = [c for c in claims if c.kind == "name"]
    values = {id(f) for c in names for f in c.facts if f.entities or (c.start, c.end) not in met}
    return [fact for fact in facts if id(fact) not in values]


def _excluding(claims: Iterable[Claim]) -> Iterable[Fact]:
    """The facts that are recorded in place of what a passage claims, which prove nothing."""
    for claim in claims:
        if claim.status in ("contradicted", "unsupported"):
            yield from claim.facts


def _unique(facts: Iterable[Fact]) -> list[Fact]:
    return list({id(fact): fact for fact in facts}.values())


def _of_claims(claims: Sequence[Claim], found: Found, *, figured: bool) -> Iterable[Span]:
    """Where the claims of a passage stand, as far as they prove their own words.

    Beside a figure a name or a date is proven only by a value of its own; beside a count of a
    whole set ("all 90 are foggy") only as a condition of the set, since others may bear it.
    """
    unmet = set(_unmet(claims, found))
    for claim in claims:
        span = (claim.start, claim.end)
        if span in unmet:
            continue
        if claim.kind == "statement" and claim.status == "supported":
            continue  # a statement explains the words that it names, not all between them
        if claim.facts or not figured or claim.kind not in ("name", "date"):
            yield span


def _unmet(claims: Sequence[Claim], found: Found) -> Iterable[Span]:
    """Where values stand beside a count of a whole set that no condition of the set has."""
    met = {*found.met, *found.taken}
    figures = [c for c in claims if c.kind in ("number", "percent") and c.facts]
    counts_only = any(c.kind == "number" for c in figures) and not any(
        fact.entities or fact.value.item for c in figures for fact in c.facts
    )
    spans = ((c.start, c.end) for c in claims if c.kind == "name")
    return [span for span in spans if span not in met] if counts_only else []


def _is_open(claim: Claim) -> bool:
    """Whether the records have values for what a figure is said of, which do not exclude it.

    The value of another thing or time in their place is another claim.
    """
    if claim.kind not in ("number", "percent") or not claim.facts:
        return False
    first, *others = claim.facts
    swapped = any(one.names == first.names for one in others)
    return not (swapped and " is recorded as " in claim.detail)


def _changes_subject(word: Word) -> bool:
    """Whether a word may make a claim one about something else: a noun, a name, an adjective."""
    return word.role is None and any(
        token.tag in ("noun", "name", "adjective", "other") for token in word.tokens
    )
