"""Judge clauses that say something is not known, not held or not there.

The judge is what was looked for and not found.
An absence of knowledge ("no fares are known") is not one in the world ("there are no fares"): a
sentence about it must have a word of knowing, holding or telling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.absent_periods import (
    concluded,
    is_of_all,
    is_whole_gap,
    metric_before,
    periods_named,
)
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.compared_plans import is_wished
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.denials import (
    FAILING,
    denied_bare,
    denied_in_part,
    denying_in,
    is_denied,
    is_holding,
    is_knowing,
    leading_on,
    relates_all,
    told_apart_from,
    told_to_be_there,
)
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.narrowing import (
    about_conditions,
    callers_of,
    calling,
    has_values,
    means_kind,
    metric_called,
    must_be_said,
)
from groundwire.evidence.claims.passage_statements import (
    POINTS_BACK,
    DraftStatements,
    Found,
    Here,
    Hit,
    Named,
)
from groundwire.evidence.claims.proof import negations_in, sense_of
from groundwire.evidence.claims.relation_cues import INVERSE, cues_of, senses_of
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.evidence.records import Statement
from groundwire.language import Span as Word
from groundwire.quantities import DateMention, Quantity

NOT_HELD = "looked for and not held"
"""How the detail of a claim begins that something is absent from the records."""

_OF_ANY_KIND = re.compile(r"assets?|资产", re.IGNORECASE)
_PLAN = re.compile(r"plan (\d{1,3})")
_EITHER = re.compile(r"\beither(?= ?[.,;!]|$)", re.IGNORECASE)
_LISTED = re.compile(
    r"\s*(?:[,、/]|\b(?:and|or|nor|und|oder|noch)\b|[和与或及])\s*(?:(?:the|die|der|das)\s)?\s*",
    re.IGNORECASE,
)
# Begins another clause behind one that says something by itself.
_GOES_ON = re.compile(r"[,;]\s*(?:and|but|yet|und|aber|doch)\b|[，；](?:但|而|并|且)")
# Leads to what is named as a witness: "no delays, as the list shows", 据数据.
_ATTESTS = re.compile(
    r"\b(?P<behind>as|wie)\b|\b(?:according to|judging by|laut|gemäß|nach)\b|据|根据|按照",
    re.IGNORECASE,
)
_COMMAS = (",", ";", "，", "；")
_CONCLUDES = frozenset(cue_tables()["concludes"])
# What an unknown name is the name of, and words that call it so.
_KIND_WORDS = frozenset[str]((*cue_tables()["named_kinds"], *cue_tables()["called"]))
# Names of a predicate by which knowledge is absent, and not a thing in the world.
_LIVE = frozenset(("live status", "live arrivals"))
_OF_STATUS = frozenset(("live data", "live status"))
_OF_KNOWLEDGE = frozenset(("statement", "fact", "metric", "live data", *_LIVE, "estimate", "cause"))
# What an estimate is of, and what it tells.
_ESTIMATED = frozenset(word for one in cue_tables()["of_estimates"] for word in words_of(one))
_ENOUGH = FAILING | {word for one in cue_tables()["enough"] for word in words_of(one)}
_NOTHING = frozenset(("nothing", "none", "nichts", "Nothing", "None", "Nichts"))
# What the sources without live data are called.
_OFFLINE = frozenset(("offline", "live", "离", "线", "离线"))


class AbsenceReader:
    """Reads one draft against what records say was looked for and not found."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._absent_ones = frozenset(draft.known.by_kind.get("absence", ()))

    def read(
        self,
        context: PassageContext,
        here: Here,
        facts: Sequence[Fact],
        found: Found,
    ) -> None:
        """Support what a passage says is absent, where a record says so of all that it names.

        Args:
            context: the passage.
            here: the names of statements that stand in it.
            facts: the values that it speaks of.
            found: what statements say of it, to which this adds.
        """
        passage, words = context.passage, context.words
        negations = list(negations_in(words)) if context.denies else []
        negations = [word for word in negations if sense_of(word) != "without"]
        zeros = [q for q in found.quantities if q.value == 0]
        dates = self._draft.dates_within(passage.start, passage.end)
        if negations or zeros or not self._absent_ones.isdisjoint(here.terms):
            self._absent(context, here, facts, found, (negations, zeros, dates))

    def _absent(
        self,
        context: PassageContext,
        here: Here,
        facts: Sequence[Fact],
        found: Found,
        denials: tuple[Sequence[Word], Sequence[Quantity], Sequence[DateMention]],
    ) -> None:
        """Support what a passage with a negation or a zero says is absent."""
        passage, words, others = context.passage, context.words, bool(context.entities)
        negations, zeros, dates = denials
        options = {o for f in facts if f.value.item for o in f.value.item.options}
        before, forms, known = len(found.claims), context.forms, self._draft.known
        for number in known.by_kind.get("absence", ()):
            stated = known.statements[number]
            one = stated.statement
            own = [
                (h, t)
                for h, t in here.terms.get(number, ())
                if not self._is_another(h, t, one)
                and (t.slot == "subject" or not _tells_figure(h.start, context, negations, zeros))
            ]
            parts = [*enumerate(one.conditions)]
            dated = {place: at for place, c in parts if (at := periods_named(c, dates))}
            called_so = {
                place: at
                for place, c in parts
                if (at := metric_called(c, words))
                and not all(_tells_figure(a, context, negations, zeros) for a, _ in at)
            }
            callers = callers_of(one.subject, forms)
            subject = calling(one.subject, words, known) if callers else []
            named = any(term.slot == "subject" for _, term in own) or bool(subject)
            things = frozenset(map(key_of, one.subject) if named else ())
            gap = any(is_whole_gap(one.conditions[place], known, things) for place in dated)
            gap = gap and (named or (not others and is_of_all(one, known)))
            if not own and not called_so and not subject and not gap:
                continue
            if self._is_denied_apart(own, words, negations) or self._is_of_any_kind(
                own, context, negations
            ):
                continue
            said = {term.place for _, term in own if term.slot == "condition"}
            said |= {*dated, *called_so}
            if any(t.slot == "predicate" and not self._is_held(h.start, words) for h, t in own):
                said |= {p for p, c in enumerate(one.conditions) if "metric" in c.predicate}
            needed = {place for place, c in enumerate(one.conditions) if must_be_said(c)}
            if gap or (dated and metric_before(one, passage, self._draft.text, known)):
                said |= {p for p, c in enumerate(one.conditions) if "metric" in c.predicate}
            is_named = not one.subject or any(term.slot == "subject" for _, term in own)
            is_named = is_named or gap or bool(subject) or means_kind(one, negations, known)
            is_named = is_named or self._is_source(one, own, stated.evidence_id)
            called = any(term.slot == "predicate" for _, term in own)
            # "The DLR line" names no line that was to be avoided.
            is_cued = bool(one.predicate) and not called and not is_wished(one)
            related = cues_of(one.predicate, words) if is_cued else []
            is_pair = any("object" in c.predicate for c in one.conditions)
            is_named = is_named or (is_pair and _goes_on_about(one, context))
            called = called or bool(related) or (bool(needed) and not is_pair)
            if _OF_KNOWLEDGE & set(one.predicate):
                related = self._held(words, negations, own)
                # An endpoint that answers tells of no answer.
                names = one.predicate if "statement" in one.predicate else ()
                telling = frozenset(map(key_of, names))
                related = [(a, b) for a, b in related if self._key(a, b) not in telling]
                related = related or [(w.start, w.end) for w in negations if w.text in _NOTHING]
                # "You do not know tides" tells an estimate, and not that there is none.
                knows = "estimate" in one.predicate and all(
                    is_knowing(w) for w in words if is_holding(w)
                )
                is_cause = "cause" in one.predicate
                causes = [(h.start, h.end) for h, t in own if is_cause and t.slot == "predicate"]
                # "Why answers fail" has their name within it.
                is_named, related = called if is_cause else is_named, related or causes[1:]
                called = (called or not is_cause) and len(related) > (1 if knows else 0)
            if _is_unknown(one) and not others:  # of what is not known at all, no figure is held
                related = self._held(words, negations)
                called = bool(related)
                related += self._asked_of_unknown(words)
            beside = not _is_of_status(one) or (
                self._denied_beside(own, context, negations)
                and not denied_bare(own, context, negations)
            )
            if not is_named or not called or not beside or not needed <= said:
                continue
            plan = _PLAN.fullmatch(one.subject[0]) if one.subject else None
            if plan and options and int(plan[1]) not in options:
                continue
            told_apart = told_apart_from(context, negations)
            taken = [(h.start, h.end) for h, t in own if t.slot != "subject" or not told_apart(h)]
            taken += [span for spans in (*dated.values(), *called_so.values()) for span in spans]
            spoken = _ENOUGH if "cause" in one.predicate else frozenset[str]()
            denying = denying_in(negations, (*one.predicate, *spoken))
            related += leading_on(self._draft.text, denying) if spoken else []
            if not is_denied([*taken, *subject, *related], context, denying, zeros):
                cued = [w for w in words if (w.start, w.end) in related]
                had = self._is_had_by_other(one, here) or relates_all(here, cued, known)
                told = own if _calls_what_lacks(one, own) else ()
                found.foreign += (
                    () if had else told_to_be_there(told, related, things, context, found)
                )
                continue
            found.met |= set(taken)
            # "Its neighbours are not A and B" is not proven by C, which is none of them.
            told = [(h, t) for h, t in own if t.slot != "subject"] if is_pair else own
            taken += denied_in_part(negations, told or own, here, words) + related + subject
            taken += [(w.start, w.end) for w in words if is_pair and sense_of(w) == "between"]
            taken += [q.span for q in zeros]
            found.taken += taken
            found.words |= frozenset(w for name in one.predicate for w in words_of(name))
            found.words |= _OFFLINE if "live data" in one.predicate else frozenset()
            found.words |= spoken
            found.words |= _ESTIMATED if "estimate" in one.predicate else frozenset()
            start, end = min(taken)[0], max(end for _, end in taken)
            detail = f"{NOT_HELD}: {about_conditions(one.subject, one.conditions)}"
            found.claims.append(
                Claim(
                    self._draft.text[start:end],
                    "statement",
                    "supported",
                    stated.evidence_id,
                    detail,
                    start,
                    end,
                )
            )

        if len(found.claims) > before:
            self._listed(passage, here, found)
            first = min(claim.start for claim in found.claims[before:])
            found.taken += concluded(context, first)

    def _is_had_by_other(self, one: Statement, here: Here) -> bool:
        """Whether a passage names what has none beside what it is related to in such a way.

        "A is a prerequisite of B" tells of no prerequisites of A, which has none.
        """
        senses = senses_of(one.predicate)
        senses |= {INVERSE[sense] for sense in senses if sense in INVERSE}
        named = ((self._draft.known.statements[n].statement, own) for n, own in here.terms.items())
        return any(
            other.kind == "relation"
            and {"subject", "object"} <= {term.slot for _, term in own}
            and not senses.isdisjoint(senses_of(other.predicate))
            and any(
                not set(one.subject).isdisjoint(names) for names in (other.subject, *other.objects)
            )
            for other, own in named
        )

    def _is_of_any_kind(
        self, own: Sequence[Named], context: PassageContext, negations: Sequence[Word]
    ) -> bool:
        """Whether a passage speaks of assets of any kind, where those of one kind were looked for.

        "There are no Italian assets" is not proven by a search for models; "no such asset" is.
        "No assets, so no models" speaks of both.
        """
        text = self._draft.text
        kinds = [h for h, t in own if t.slot == "subject"]
        wide = [h for h in kinds if _OF_ANY_KIND.fullmatch(text[h.start : h.end])]
        if len(negations) > 1 and len(wide) < len(kinds):
            return any(not POINTS_BACK.search(text, *context.clause(h.start)) for h in wide)
        points = POINTS_BACK.search(text, context.passage.start, context.passage.end)
        return bool(kinds) and not points and len(wide) == len(kinds)

    def _held(
        self, words: Sequence[Word], negations: Sequence[Word], named: Sequence[Named] = ()
    ) -> list[Span]:
        """Return the words of holding that a negation may speak of.

        "I found it, and nothing is missing" says that it was found; "no delays, as the list shows"
        that there are none.
        """
        text = self._draft.text
        return [
            (word.start, word.end)
            for word in words
            if is_holding(word)
            and not any(h.start <= word.start < h.end for h, t in named if t.slot == "subject")
            and not (
                negations
                and word.end <= negations[0].start
                and _GOES_ON.search(text, word.end, negations[0].start)
            )
            and not self._attests(word, words, negations)
        ]

    def _denied_beside(
        self, own: Sequence[Named], context: PassageContext, negations: Sequence[Word]
    ) -> bool:
        """Whether a denial stands in the clause that names whose status is not known.

        "How A, B and C run cannot be told" denies it of the first of a list.
        """
        named = sorted(hit.start for hit, term in own if term.slot in ("subject", "object"))
        clauses = [context.clause(self._first_listed(start)) for start in named]
        return all(any(a <= one.start < b for one in negations) for a, b in clauses)

    def _first_listed(self, start: int) -> int:
        """Return where the first of the things begins that are listed with the one at a place."""
        text = self._draft.text
        for hit in reversed([hit for hit in self._draft.hits if hit.end <= start]):
            if not _LISTED.fullmatch(text, hit.end, start):
                break
            start = hit.start
        return start

    def _attests(self, word: Word, words: Sequence[Word], negations: Sequence[Word]) -> bool:
        """Whether a word of holding stands behind what leads to a witness, and is not denied."""
        start = words[0].start
        for match in _ATTESTS.finditer(self._draft.text, start, word.start):
            denied = any(match.start() <= one.start < word.end for one in negations)
            before = any(one.start < match.start() for one in negations)
            if not denied and (before or not match["behind"]):
                return True
        return False

    def _is_denied_apart(
        self, own: Sequence[Named], words: Sequence[Word], negations: Sequence[Word]
    ) -> bool:
        """Whether what a record lacks is named in a clause before the one that denies something.

        "I found the concept, and nothing is required before it" does not say that it is unknown.
        """
        if not own or not negations:
            return False
        end, start = max(hit.end for hit, _ in own), negations[0].start
        holds = any(is_holding(word) for word in words if word.start >= start)
        between = self._draft.text[end : max(end, start)]
        apart = between.rstrip().endswith(_COMMAS)  # "it borders Egypt, not Chad"
        return not holds and (apart or _GOES_ON.search(between) is not None)

    def _listed(self, passage: Passage, here: Here, found: Found) -> None:
        """Read what is listed with what is absent: it is absent as well, or left over."""
        text, statements = self._draft.text, self._draft.known.statements
        absent: list[Span] = []
        others: list[Span] = []
        for hit in here.hits:
            kinds = {(statements[t.stated].statement.kind, t.slot) for t in hit.terms}
            is_absent = not kinds.isdisjoint((("absence", "subject"), ("absence", "condition")))
            (absent if is_absent else others).append((hit.start, hit.end))
        for start, end in others:
            for first, last in absent:
                gap = (last, start) if last <= start else (end, first)
                if gap[0] < gap[1] and _LISTED.fullmatch(text, *gap):
                    found.foreign.append((start, end))
        for match in _EITHER.finditer(text, passage.start, passage.end):
            begin = max(text.rfind(",", passage.start, match.start()), passage.start)
            if any(begin <= start < match.start() for start, _ in absent):
                found.taken.append(match.span())

    def _asked_of_unknown(self, words: Sequence[Word]) -> list[Span]:
        """Return where a passage says what it did not find: a metric, "any", "so"."""
        known = self._draft.known
        names = known.names.by_key
        absent = (
            known.statements[n].statement.conditions for n in known.by_kind.get("absence", ())
        )
        metrics = [c for some in absent for c in some if "metric" in c.predicate]
        asked = {span for c in metrics for span in metric_called(c, words)}
        return [
            (word.start, word.end)
            for word in words
            for named in (names.get(key_of(word.text)),)
            if (named is not None and not named.entities and (named.names or named.controlled))
            or (word.start, word.end) in asked
            or any({token.key, token.lemma} & _KIND_WORDS for token in word.tokens)
            or word.text.casefold() in _CONCLUDES
            or (
                word.role is not None and (word.role.role, word.role.sense) == ("quantifier", "any")
            )
        ]

    def _is_another(self, hit: Hit, term: Term, one: Statement) -> bool:
        """Whether a name of what is absent calls another property, which has values."""
        said = self._draft.text[hit.start : hit.end]
        is_called = key_of(said) in map(key_of, one.subject)
        return term.slot == "subject" and not is_called and has_values(said, self._draft.known)

    def _is_held(self, start: int, words: Sequence[Word]) -> bool:
        """Whether a word of holding begins at an offset."""
        return any(word.start == start and is_holding(word) for word in words)

    def _key(self, start: int, end: int) -> str:
        return key_of(self._draft.text[start:end])

    def _is_source(self, one: Statement, own: Sequence[Named], evidence_id: str) -> bool:
        """Whether an absence is of the source itself, and something that it lacks is named."""
        if not one.subject:
            return False
        known = self._draft.known
        sources = (known.statements[n] for n in known.by_kind.get("source", ()))
        return any(term.slot == "object" for _, term in own) and any(
            stated.evidence_id == evidence_id and one.subject[0] in stated.statement.subject
            for stated in sources
        )


def _is_of_status(one: Statement) -> bool:
    """Whether an absence says that things about its subject, such as delays, are not known."""
    return not _OF_STATUS.isdisjoint(one.predicate) and bool(one.objects)


def _calls_what_lacks(one: Statement, own: Sequence[Named]) -> bool:
    """Whether a text calls what a record lacks: a line without live data is there all the same."""
    return not _LIVE & set(one.predicate) or any(term.slot == "predicate" for _, term in own)


def _is_unknown(one: Statement) -> bool:
    """Whether an absence says that nothing is known of its subject, not even what it is."""
    return any("reason" in c.predicate and ("unknown",) in c.objects for c in one.conditions)


def _tells_figure(
    place: int, context: PassageContext, negations: Sequence[Word], zeros: Sequence[Quantity]
) -> bool:
    """Whether a place is in a clause behind all denials that tells a figure: "whereas 17 are"."""
    start, end = context.clause(place)
    denied = max((*(w.start for w in negations), *(q.span[0] for q in zeros)), default=end)
    return denied < start and any(start <= q.span[0] < end and q.value for q in context.quantities)


def _goes_on_about(one: Statement, context: PassageContext) -> bool:
    """Whether the sentence before tells first of what lacks something: "A border with B is not"."""
    before = next((scope.span for scope in context.passage.scopes if scope.earlier), None)
    named = context.contexts.entities(before)[:1] if before else []
    return any(not anchor.keys.isdisjoint(map(key_of, one.subject)) for anchor in named)
