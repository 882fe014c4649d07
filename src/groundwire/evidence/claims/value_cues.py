"""Words that compare recorded values: rises and falls, more and less, first and last places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from groundwire.evidence.claims.change_spans import is_led_to, is_told_at_start
from groundwire.evidence.claims.counterparts import (
    agrees_with_figure,
    changes_by_thing,
    compared_told,
    judge_gap,
    outpaced,
    quotient_changes,
    speaks_of_gap,
    speaks_of_share,
)
from groundwire.evidence.claims.fact_index import Fact, distinct, is_fineness
from groundwire.evidence.claims.operators import factor_of, is_multiple, operator, pace_of
from groundwire.evidence.claims.passage_statements import COUNT_OF_GROUPS
from groundwire.evidence.claims.proof import Outcome, Proof, limit_before, sense_of
from groundwire.evidence.claims.qualities import AREA, quality_of, quality_told
from groundwire.evidence.claims.series import (
    is_brought_about,
    judge_course,
    judge_crossing,
    judge_opposed,
    judge_sign,
    judge_turn,
    stated_in_clause,
)
from groundwire.evidence.claims.stated_values import (
    alike,
    compared_values,
    computed_sides,
    of_named,
    sides_of,
    stated_facts,
)
from groundwire.evidence.claims.value_rows import by_kind, keys_named, time_of
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_CHANGES = ("percent_change", "difference")
_PLACES = frozenset(("superlative", "order"))
# A change as small as this may be called none.
_NO_CHANGE = Decimal("0.01")
_SMALL_CHANGE = Decimal("0.025")
_SLIGHT_CHANGE = Decimal("0.05")
_SHARP_CHANGE = Decimal("0.05")  # a change below this is none that soars or plunges
# From a rise or fall to what compares it: "grew by far more than", in words.
_NEAR_VERB = 3
_BETTER = frozenset[str](cue_tables()["better"])
_NEARLY_FLAT = frozenset[str](cue_tables()["nearly_flat"])
# Values that lie no farther apart than this share of the greater one are similar.
_SIMILAR_BY = Decimal("0.1")
_SIMILAR = frozenset[str](cue_tables()["similar"])
_OVERTAKES = frozenset[str](cue_tables()["overtakes"])
_TURNS = {"upturn": 1, "downturn": -1}
_SIGNED = {"profit": 1, "loss": -1}
_CROSSINGS = {"to_profit": 1, "to_loss": -1}
_BELOW_ZERO = frozenset(["negative", "negativ", "负"])


def judge_direction(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Rises and falls: by a recorded change, or by two values of one thing at two times."""
    sense = sense_of(words[place])
    if speaks_of_gap(proof, words[place]):
        return judge_gap(proof, words[place])
    if sense in _TURNS:
        return judge_turn(proof, words[place], _TURNS[sense])
    if sense in _SIGNED:
        return judge_sign(proof, words[place], _SIGNED[sense])
    if sense in _CROSSINGS:
        return judge_crossing(proof, words[place], _CROSSINGS[sense])
    if operator("lost").search(words[place].text):
        held = judge_sign(proof, words[place], -1)
        if held is not None:
            return held  # of a result it is no mere fall
    if sense == "opposed" or (sense == "change" and _speaks_of(words, "opposed")):
        return judge_opposed(proof)
    if sense == "flat" and (kept := _kept_way(words, place)):
        return judge_course(proof, words[place], kept)
    if sense == "flat" and _tells_place(proof, words, place):
        return None
    return _judge_change(proof, words, place)


def _judge_change(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge a rise or fall by a recorded change, or by two values of one thing at two times."""
    sense = sense_of(words[place])
    start, end = proof.context.clause(words[place].start)
    if leads := proof.text[start:end].rstrip(" *_").endswith((":", "：")):
        end = proof.context.passage.end  # "Down: Japan −5.4 %, Türkiye −4.6 %"
    here = [
        fact
        for claim in proof.claims
        if start <= claim.start < end and claim.kind in ("number", "percent")
        if claim.status in ("supported", "derived")
        for fact in claim.facts
    ]
    is_end = is_led_to(proof.text, proof.claims, words, (start, end))
    is_end = is_end or (not here and is_told_at_start(proof.context, proof.known))
    if is_end or is_brought_about(proof, words, place):
        return None  # "fell to 17.5 %" tells no fall by 17.5 %
    is_share = speaks_of_share(proof, words[place])
    signed = [
        fact.number
        for fact in here or ([] if is_share else _of_things_in(proof, (start, end)))
        if fact.number and (fact.operation in _CHANGES or fact.names & proof.known.changes)
    ]
    if any(t.tag == "adjective" for t in words[place].tokens) and _is_attribute(words, place):
        below = any(token.lemma in _BELOW_ZERO for token in words[place].tokens)
        return all(change < 0 for change in signed) if below and signed else None
    stated = [] if is_share else stated_in_clause(proof, words[place])
    changes = signed or quotient_changes(proof, words[place]) or [
        *_changes_over_time(stated), *_recorded_changes(proof, stated)
    ]  # fmt: skip
    if not changes or (sense == "change" and not signed and not _is_over_time(proof)):
        return None
    compares = any(w.role is not None and w.role.role == "comparison" for w in words)
    if not compares and not any(c.kind in ("number", "percent") for c in proof.claims):
        start, end = proof.context.passage.start, proof.context.passage.end
    if not (here or is_share) and _names_more(proof, (start, end), [*stated, *proof.facts]):
        return None
    if sense == "flat":
        forms = {words[place].text.casefold(), *(t.lemma for t in words[place].tokens)}
        most = _NO_CHANGE if _NEARLY_FLAT.isdisjoint(forms) else _SMALL_CHANGE
        return all(abs(change) <= most for change in changes)
    rises = {change > 0 for change in changes if change}
    if sense not in ("up", "down", "up_sharply", "down_sharply"):
        return bool(rises) if sense == "change" else None
    if sense.endswith("sharply"):
        relative = [*_changes_over_time(stated), *_recorded_changes(proof, stated)]
        if any(abs(change) < _SHARP_CHANGE for change in relative):
            return None
    if len(rises) != 1:
        return (
            True if signed and rises and not leads else None
        )  # each was judged with the words beside it
    return rises.pop() == sense.startswith("up")


def _tells_place(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a clause goes on with a place among others: "remained the largest", "second"."""
    end = proof.context.clause(words[place].start)[1]
    roles = [w.role.role for w in words[place + 1 :] if w.role is not None and w.start < end]
    placed = [at for at, role in enumerate(roles) if role in _PLACES]
    return bool(placed) and "direction" not in roles[: placed[0]]


def _of_things_in(proof: Proof, clause: tuple[int, int]) -> list[Fact]:
    """Return the facts of a passage that are of what a clause without figures names, else all."""
    things = {k for a in proof.context.entities if clause[0] <= a.start < clause[1] for k in a.keys}
    return [fact for fact in proof.facts if not things or fact.entities & things]


def _names_more(proof: Proof, clause: tuple[int, int], facts: Sequence[Fact]) -> bool:
    """Whether a clause without figures names a thing of which no two times are recorded."""
    things = [a.keys for a in proof.context.entities if clause[0] <= a.start < clause[1]]
    names = keys_named(proof.context.names) & proof.known.numeric_names
    held = [f for fact in facts for f in (fact, *fact.operands) if not names or f.names & names]
    times = [{f.periods for f in held if f.periods and f.entities & keys} for keys in things]
    return len(things) > 1 and any(len(own) < 2 for own in times) and any(times)


def _speaks_of(words: Sequence[Word], sense: str) -> bool:
    return any(
        w.role is not None and (w.role.role, w.role.sense) == ("direction", sense) for w in words
    )


def _is_attribute(words: Sequence[Word], place: int) -> bool:
    """Whether an adjective may stand before what it tells of: no figure or end is behind it."""
    behind = words[place + 1] if place + 1 < len(words) else None
    ends = behind is None or behind.kind == "sign"
    return not (ends or (behind is not None and behind.kind == "quantity"))


def has_improved(proof: Proof, word: Word, way: int) -> Outcome:
    """Return whether results, of which more is better, got better (1) or worse (-1)."""
    facts = stated_in_clause(proof, word)
    better = all(_BETTER & proof.known.words_about(fact) for fact in facts)
    changes = list(_changes_over_time(facts)) if better else []
    return all(change * way > 0 for change in changes) if changes else None


def _kept_way(words: Sequence[Word], place: int) -> int:
    """Return which way a thing kept going where a word says so: "kept falling"; 0 elsewhere."""
    behind = words[place + 1] if place + 1 < len(words) else None
    role = behind.role if behind is not None else None
    if role is None or role.role != "direction":
        return 0
    return {"up": 1, "down": -1}.get(role.sense, 0)


def changes_little(proof: Proof, word: Word, most: Decimal = _SMALL_CHANGE) -> bool:
    """Whether every change of the values that a clause speaks of is small.

    Args:
        proof: the passage.
        word: what tells the change.
        most: the largest relative change that is small.
    """
    stated = [] if speaks_of_share(proof, word) else stated_in_clause(proof, word)
    changes = [*_changes_over_time(stated), *_recorded_changes(proof, stated)]
    changes = changes or quotient_changes(proof, word)
    return bool(changes) and all(abs(change) <= most for change in changes)


def is_slight(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a word such as "slightly" stands beside a change or difference that is small."""
    near = [*words[max(0, place - 2) : place], *words[place + 1 : place + 3]]
    cue = next((w for w in near if w.role is not None and w.role.role == "direction"), None)
    if cue is not None:
        return changes_little(proof, cue, _SLIGHT_CHANGE)
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is None or behind.role is None or behind.role.role not in ("comparison", "bound"):
        return False
    pairs = compared(proof, words, place + 1)
    return bool(pairs) and all(abs(a - b) <= _SLIGHT_CHANGE * max(a, b) for a, b in pairs)


def _is_over_time(proof: Proof) -> bool:
    return len({fact.periods for fact in proof.plain if fact.periods}) > 1


def _recorded_changes(proof: Proof, stated: Sequence[Fact]) -> Iterator[Decimal]:
    """Recorded changes of the values that a passage speaks of."""
    about = {(fact.names, fact.entities) for fact in stated}
    for fact in proof.known.facts.numbers():
        is_change = fact.operation == "percent_change" and (fact.names, fact.entities) in about
        if is_change and fact.number is not None:
            yield fact.number / 100


def _changes_over_time(facts: Sequence[Fact]) -> Iterator[Decimal]:
    """Relative changes from the first to the last value of one thing."""
    for held in by_kind(fact for fact in facts if fact.periods).values():
        ordered = sorted(held, key=time_of)
        first, last = ordered[0].number, ordered[-1].number
        if len({fact.periods for fact in held}) > 1 and first and last is not None:
            yield (last - first) / abs(first)


def judge_comparison(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """More, less and as much: by a derived figure, or by the values of the two things compared."""
    word = words[place]
    sense = sense_of(word)
    if sense == "times" and factor_of(word) is not None:
        return _judge_multiple(proof, words, place)
    computed = (claim for claim in proof.claims if claim.status == "derived")
    if any(not claim.detail.startswith(COUNT_OF_GROUPS) for claim in computed):
        return _judge_beside_computed(proof, words, place)
    if _compares_changes(words, place):
        pairs, way = compared(proof, words, place), pace_of(word) or sense
        if pairs and way in ("more", "less", "equal"):
            return all(compares_as(way, first, second) for first, second in pairs)
        return True if pairs and sense == "compare" else None
    behind = words[place + 1].text if place + 1 < len(words) else ""
    sets_beside = word.text.endswith("than") or behind in ("than", "als")
    if not sets_beside and any(
        q.unit and q.span[1] <= word.start and not proof.text[q.span[1] : word.start].strip(" *-")
        for q in proof.context.quantities
    ):
        return True  # "12 km long" says what is measured
    if sets_beside and any(word.start - q.span[1] == 1 for q in proof.context.quantities):
        return None  # "135 minutes longer than B" is no figure of A
    clocks = (c for c in proof.claims if c.kind == "time" and c.status == "supported")
    if sense == "compare" and any(0 <= c.start - word.end <= 2 for c in clocks):
        return True  # "gegen 8:34 Uhr"
    if sense == "times":
        return _judge_multiple(proof, words, place)
    return _judge_values(proof, words, place)


def _judge_beside_computed(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge a comparison in a passage with a computed figure: of that, or of values beside it."""
    word = words[place]
    sense = sense_of(word)
    if any(token.lemma in _OVERTAKES for token in word.tokens):
        return None  # by how much both grew does not show who was ahead
    if _compares_two_things(proof, words, word):
        return _judge_values(proof, words, place)
    way = pace_of(word) or sense
    quality = quality_of(word)
    if way == "quality" and quality.is_measured:
        way = "more" if quality.way == "most" else "less"
    pairs = _compared_changes(proof, words, place)
    if pairs and way in ("more", "less", "equal"):
        return all(compares_as(way, first, second) for first, second in pairs)
    if sense == "compare" or way not in ("more", "less"):
        return True
    if pairs is not None:
        return None
    agrees = agrees_with_figure(proof, words, place, way)
    return _judge_values(proof, words, place) if agrees is None else agrees


def _judge_values(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge a comparison by the recorded values on its two sides."""
    sense, quality = sense_of(words[place]), quality_told(proof, words[place])
    pairs = compared(proof, words, place)
    if any(token.lemma in _OVERTAKES for token in words[place].tokens):
        return None  # who overtakes was behind before, which one time does not show
    if sense == "compare":
        return True if pairs or len(stated_facts(proof)) > 1 else None
    if not pairs:
        return None
    if sense == "equal" and {t.lemma for t in words[place].tokens} & _SIMILAR:
        return True if all(abs(a - b) <= _SIMILAR_BY * max(a, b) for a, b in pairs) else None
    if sense == "quality" and not quality.is_measured:
        return None  # what is better need not be more
    if quality.is_measured:
        sense = "more" if quality.way == "most" else "less"
    elif sense == "quality":
        return None  # nobody says by which value one is safer than another
    return all(compares_as(sense, first, second) for first, second in pairs)


def compared(proof: Proof, words: Sequence[Word], place: int) -> list[tuple[Decimal, Decimal]]:
    """Return the values on the two sides of a comparison; none where it is not clear which.

    Computed figures come first. "Grew faster than" and "grew by less than" compare changes, and
    never what has changed.
    """
    word = words[place]
    if (changes := _compared_changes(proof, words, place)) is not None:
        return changes
    if not _compares_changes(words, place):
        quality = quality_told(proof, word)
        own = sides_of(proof, word, quality)
        if not own and AREA not in quality.names:
            own = list(compared_values(proof, word, _with_others(proof, word)))
        if not _is_finer(proof, words, place):
            return own
        # A "lower accuracy" may be a smaller figure as well as a coarser one.
        return [(b, a) for a, b in own] if sense_of(word) == "more" else []
    by_thing = changes_by_thing(proof)
    relative = list(compared_values(proof, word, [one for one, _ in by_thing]))
    absolute = list(compared_values(proof, word, [one for _, one in by_thing]))
    agree = [(a > b) == (c > d) for (a, b), (c, d) in zip(relative, absolute, strict=True)]
    is_pace = any(map(pace_of, words[max(0, place - _NEAR_VERB) : place + 1]))
    return relative if is_pace or all(agree) else []


def _is_finer(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "more" is said of what is more where a measure is smaller: "precise", "accuracy"."""
    near = words[max(0, place - 2) : place + 2]
    said = {w.text.casefold() for w in near if w.kind not in ("sign", "being")}
    return bool(proof.plain) and all(map(is_fineness, proof.plain)) and not said.isdisjoint(_FINER)


def _compared_changes(
    proof: Proof, words: Sequence[Word], place: int
) -> list[tuple[Decimal, Decimal]] | None:
    """Return the two changes or shares that a word compares; None where it compares values."""
    word = words[place]
    if not pace_of(word) and _compares_two_things(proof, words, word):
        return None
    pairs = computed_sides(proof, word) or compared_told(proof, words, place)
    moves = any(w.role is not None and w.role.role == "direction" for w in words)
    moves = moves and sense_of(word) in ("more", "less")
    if pairs or not (pace_of(word) or moves):
        return pairs
    return outpaced(proof, words, place, is_pace=bool(pace_of(word))) or pairs


def _compares_two_things(proof: Proof, words: Sequence[Word], word: Word) -> bool:
    """Whether a clause compares things as they are: it names both, or its time, and no change.

    "A fell by 2 %, B grew by 3 %, so B is larger than A" compares their values, and so does "B
    grew faster, and in 2020 it was the larger".
    """
    start, end = proof.context.clause(word.start)
    named = {a.keys for a in proof.context.entities if start <= a.start < end}
    changes = [w.start for w in words if w.role is not None and w.role.role == "direction"]
    computed = [c.start for c in proof.claims if c.status == "derived"]
    dated = any(start <= one.span[0] < end for one in proof.context.dates)
    alone = len(named) > 1 or (dated and not named)
    return alone and not any(start <= at < end for at in (*changes, *computed))


def _with_others(proof: Proof, word: Word) -> list[Fact]:
    """Return the values that a passage tells, with those of other things for the same time.

    "83.2 million, more than Austria" tells the value of one side only.
    """
    others = [one for fact in proof.plain for one in alike(proof.known, fact)]
    proof.used.extend(others)
    return of_named(proof, word, distinct([*proof.plain, *others]))


def _compares_changes(words: Sequence[Word], place: int) -> bool:
    """Whether a rise or fall stands right beside a comparison, with no figure between."""
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is not None and behind.role is not None and behind.role.role == "direction":
        return behind.role.sense in ("up", "down")  # "ist schneller gewachsen als"
    for near, before in enumerate(reversed(words[:place])):
        if before.kind == "quantity" or before.text in ",;，；":
            return False
        if near >= _NEAR_VERB and before.tokens[0].tag != "noun":
            continue  # "der Rückgang war in A größer als in B" compares falls
        if before.role is not None and before.role.role == "direction":
            return before.role.sense in ("up", "down")
    return False


def _judge_multiple(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Twice, tripled: by the values of two things, or of one thing at two times."""
    word = words[place]
    factor = factor_of(word)
    if factor is None:
        return None
    pairs = computed_sides(proof, word) or _multiplied(proof, words, place)
    if any(token.tag == "verb" for token in word.tokens):
        changes = _changes_over_time(stated_in_clause(proof, word))
        pairs = [(change + 1, Decimal(1)) for change in changes]
    proof.used.extend(stated_facts(proof))
    limit = limit_before(words, place)
    return all(is_multiple(a, b, factor, limit) for a, b in pairs) if pairs else None


def _multiplied(proof: Proof, words: Sequence[Word], place: int) -> list[tuple[Decimal, Decimal]]:
    """Return the two changes or values of which one is so many times the other.

    "Added twice as many people" tells of changes as they are, "grew twice as fast" does not.
    """
    word = words[place]
    if not _compares_changes(words, place):
        return sides_of(proof, word) or list(
            compared_values(proof, word, _with_others(proof, word))
        )
    is_pace = any(map(pace_of, words[place : place + _NEAR_VERB]))
    changes = changes_by_thing(proof)
    return list(compared_values(proof, word, [one[0 if is_pace else 1] for one in changes]))


def compares_as(sense: str, first: Decimal, second: Decimal) -> bool:
    """Whether two values compare as a word says."""
    larger = max(abs(first), abs(second))
    alike = first == second or abs(first - second) / larger <= _NO_CHANGE
    if sense == "different":
        return first != second
    if sense == "equal":
        return alike
    return first != second and (first > second) == (sense == "more")


_FINER = frozenset[str](cue_tables()["finer"])
