"""Cases, and what became of one: right, a wrong value, refused in vain, or missed but honest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from groundwire.errors import GroundwireError
from groundwire.metrics.ask import Answered, ask
from groundwire.metrics.profile import Entity
from groundwire.metrics.query import query_metric
from groundwire.metrics.results import Cell
from groundwire.metrics.terms import Arguments
from groundwire.quantities import read_period
from tests.evals.metrics_truth import Key, Version, significant
from tests.evals.metrics_worlds import TODAY, World

Outcome = Literal["right", "wrong", "over-refused", "missed", "crashed"]
FOUND, NOT_HELD, UNREAD, ASKED, OUT = (
    "found", "not_found", "unrecognized_param", "asked", "out_of_scope_entity",
)  # fmt: skip
# What is not understood: refused by name, or asked about.
NOT_READ = frozenset((UNREAD, ASKED))
NO_VALUE = NOT_READ | {NOT_HELD}

# Derived values are rounded to six places.
_ROUNDED = Decimal("0.000001")
_NUMBER = re.compile(r"\d[\d,\u00a0\u202f]*(?:\.\d+)?")
# What is missing among values is named after one of these.
_MISSING = re.compile(r"No fact is held of |没有|Kein Wert")
# A sentence with one of these words is German, where points group digits and a comma is the point.
_GERMAN = re.compile(r"\b(?:für|von|keine?|nicht)\b", re.IGNORECASE)
_MARKS = str.maketrans(".,", ",.")
_LABEL = re.compile(r"(?:FY)?\b(?:1[5-9]|2[01])\d\d(?:H[12]|Q[1-4]|-\d\d(?:-\d\d)?)?\b")


@dataclass(frozen=True, slots=True)
class Case:
    """Something to ask, with what is right by construction.

    Attributes:
        kind: the class of cases.
        world: what is asked.
        sent: the arguments of a query, or a question.
        statuses: every outcome that is right.
        facts: the facts that may be found; none of them, no value at all. Of several, all.
        mode: what clarification should decide, or None.
        withheld: a value that must not be shown.
        candidate: code that should be among the candidates of a query, or "".
        missing: facts that a list asks for and that are not there.
        conflicts: what other publishers say, with the documents; None if it is not looked at.
        forbidden: words that no quotation may hold.
        derived: operations and what they come to; None if it is not looked at.
        beside: operations that may be told too, with what they come to.
        rows: values of the table that answers, in its order; None, no table answers.
        offered: a fact whose period must be an option, where the question is asked back; or None.
        held_out: whether its template is held out.
    """

    kind: str
    world: World
    sent: Arguments | str
    statuses: frozenset[str]
    facts: tuple[Version, ...] = ()
    mode: str | None = None
    withheld: Decimal | None = None
    candidate: str = ""
    missing: tuple[Key, ...] = ()
    conflicts: frozenset[tuple[Decimal, str]] | None = None
    forbidden: tuple[str, ...] = ()
    derived: tuple[tuple[str, Decimal], ...] | None = None
    beside: tuple[tuple[str, Decimal], ...] = ()
    rows: tuple[Decimal, ...] | None = None
    offered: Key | None = None
    held_out: bool = False

    @property
    def answerable(self) -> bool:
        return self.statuses == {FOUND}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, the same for a query and a question."""

    status: str
    reason: str
    mode: str | None
    text: str
    cells: tuple[Cell, ...]
    shown: str
    quoted: str = ""
    derived: tuple[tuple[str, Decimal], ...] = ()
    options: tuple[str, ...] = ()
    rows: tuple[Decimal, ...] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case.

    Attributes:
        outcome: see the module.
        fabricated: whether a refusal shows the value of a fact.
        numeric: of the values found, how many are not as stored.
        cited: of the values found, how many name no document and place of that fact.
        values: how many values were found.
        mode: whether clarification decided as expected; None if it was not looked at.
        note: what was seen.
    """

    outcome: Outcome
    fabricated: bool
    numeric: int
    cited: int
    values: int
    mode: bool | None
    note: str


def judge(case: Case) -> Verdict:
    """Ask, and compare with what is right."""
    try:
        reply = _sent(case)
    except GroundwireError as error:
        reply = Reply("error", "", None, str(error), (), str(error))
    except Exception as error:
        return Verdict("crashed", False, 0, 0, 0, None, f"{type(error).__name__}: {error}")
    found = [cell for cell in reply.cells if cell.status == "found"]
    numeric = sum(not _as_stored(case.world, cell) for cell in found)
    cited = sum(not _is_cited(case.world, cell) for cell in found)
    outcome = _outcome(case, reply, found)
    fabricated = not found and _fabricated(case, reply)
    mode = reply.mode == case.mode if case.mode and reply.mode else None
    note = f"{reply.status} {reply.reason} {reply.text[:230]!r}"
    return Verdict(outcome, fabricated, numeric, cited, len(found), mode, note)


def _sent(case: Case) -> Reply:
    state = case.world.state
    if isinstance(case.sent, Arguments):
        result, _ = query_metric(state, case.sent, TODAY)
        status = OUT if result.reason == OUT else result.status
        shown = result.model_dump_json(exclude={"resolved", "raw"})
        return Reply(status, result.reason or "", None, result.answer, (result,), shown)
    answered = ask(state, case.sent, TODAY)
    quoted = " ".join(f"{one.title} {one.doc} {one.text}" for one in answered.passages)
    quoted = " ".join(quoted.split())
    return Reply(
        answered.ending, "", answered.mode, answered.text, answered.cells, _everything(answered),
        quoted,
        tuple((one.operation, Decimal(one.value)) for one in answered.derived),
        tuple(one.value for one in answered.options),
        _rows(answered),
    )  # fmt: skip


def _rows(answered: Answered) -> tuple[Decimal, ...] | None:
    """The values of a table that answered; None where none did."""
    if answered.table is None or answered.table[1].status != FOUND:
        return None
    return tuple(Decimal(row[-1] or "NaN") for row in answered.table[1].rows or ())


def _everything(answered: Answered) -> str:
    """All that is shown but quotations, which have numbers of their own."""
    cells = [cell.model_dump_json(exclude={"resolved", "raw"}) for cell in answered.cells]
    options = [f"{one.value} {one.label}" for one in answered.options]
    text = "" if answered.passages else answered.text
    return "\n".join((text, answered.note, *options, *cells))


def _outcome(case: Case, reply: Reply, found: Sequence[Cell]) -> Outcome:
    if any(all(not _is(cell, one) for one in case.facts) for cell in found):
        return "wrong"
    if any(word in reply.quoted for word in case.forbidden):
        return "wrong"
    if reply.rows is not None:
        return "right" if reply.rows == case.rows else "wrong"
    if case.derived is not None and not _computed(reply, (*case.derived, *case.beside)):
        return "wrong"
    refused = not found and reply.status in case.statuses
    if case.missing or (len(case.facts) > 1 and not refused):
        return "right" if _whole(case, reply, found) else "over-refused"
    if reply.status not in case.statuses:
        return "over-refused" if case.answerable else "missed"
    if case.offered and reply.status == ASKED and not _is_offered(case, reply):
        return "missed"
    if found and case.conflicts is not None and _conflicts(found[0]) != case.conflicts:
        return "wrong"
    if case.candidate and isinstance(case.sent, Arguments):
        offered = [one.value for one in reply.cells[0].candidates or ()]
        return "right" if case.candidate in offered else "missed"
    return "right"


def _is_offered(case: Case, reply: Reply) -> bool:
    """Whether the period of a fact is one of the options."""
    key = case.offered
    assert key is not None
    calendar = case.world.profile.calendar_of[key.entity]
    read = [one.on(calendar, TODAY) for one in map(read_period, reply.options) if one]
    return any(
        (one.start, one.end) == (key.start, key.end) for each in read for one in each.periods
    )


def _computed(reply: Reply, wanted: Sequence[tuple[str, Decimal]]) -> bool:
    """Whether what was computed is what was meant; nothing computed is a refusal, not an error."""
    made = dict(reply.derived)
    return set(made) <= {operation for operation, _ in wanted} and all(
        operation not in made or abs(made[operation] - value) <= abs(value) / 10**4 + _ROUNDED
        for operation, value in wanted
    )


def _whole(case: Case, reply: Reply, found: Sequence[Cell]) -> bool:
    """Whether every fact of a list was found and every other cell is named."""
    if not all(any(_is(cell, one) for cell in found) for one in case.facts):
        return False
    if len(reply.derived) < len(case.derived or ()):
        return False
    absent = [cell for cell in reply.cells if cell.status == "not_found"]
    asked = sorted((key.metric, key.entity) for key in case.missing)
    named = [cell.normalized or {} for cell in absent]
    if sorted((one["metric"], one["entity"]) for one in named) != asked:
        return False
    if not found:
        return True
    told = _MISSING.split(reply.text)[1:]
    known = case.world.profile.entity_by_code
    return all(
        any(one["period"] in part and _is_named(known[one["entity"]], part) for part in told)
        for one in named
    )


def _is_named(entity: Entity, text: str) -> bool:
    """Whether a text has a name of an entity."""
    return any(name in text for name in (entity.code, entity.name, *entity.aliases))


def _is(cell: Cell, fact: Version) -> bool:
    """Whether a cell says just this fact, with its place."""
    if cell.interval is None or cell.source is None or cell.value_text is None:
        return False
    key = fact.key
    said = (cell.metric, cell.entity, cell.channel, cell.interval.start, cell.interval.end)
    return (
        said == (key.metric, key.entity, key.channel, key.start.isoformat(), key.end.isoformat())
        and Decimal(cell.value_text) == fact.value
        and cell.unit == fact.unit
        and cell.as_of == fact.as_of.isoformat()
        and (cell.source.doc, cell.source.locator) == (fact.doc, fact.locator)
        and _figure(fact.value, cell.answer) in cell.answer
    )


def _figure(value: Decimal, answer: str) -> str:
    """A value as the language of an answer writes it."""
    figure = format(value, ",f")
    return figure.translate(_MARKS) if _GERMAN.search(answer) else figure


def _versions(world: World, cell: Cell) -> list[Version]:
    """The stored versions of what a cell says that it is of."""
    days = (cell.interval.start, cell.interval.end) if cell.interval else ("", "")
    return world.truth.by_text.get((cell.metric, cell.entity, cell.channel, *days), [])


def _as_stored(world: World, cell: Cell) -> bool:
    return any(
        Decimal(cell.value_text or "NaN") == one.value and cell.unit == one.unit
        for one in _versions(world, cell)
    )


def _is_cited(world: World, cell: Cell) -> bool:
    return cell.source is not None and any(
        (cell.source.doc, cell.source.locator) == (one.doc, one.locator)
        for one in _versions(world, cell)
    )


def _conflicts(cell: Cell) -> frozenset[tuple[Decimal, str]]:
    return frozenset((Decimal(one.value_text), one.source.doc) for one in cell.conflicts or ())


def _fabricated(case: Case, reply: Reply) -> bool:
    """Whether a refusal shows the withheld value, or the digits of any other."""
    sent = case.sent if isinstance(case.sent, str) else " ".join(map(str, _raw(case.sent)))
    mine = set(_numbers(sent))
    shown = set(_numbers(_LABEL.sub(" ", reply.shown))) - mine
    if case.withheld is not None and abs(case.withheld) in shown:
        return True
    return any(significant(number) in case.world.truth.digits for number in shown)


def _raw(sent: Arguments) -> tuple[str, ...]:
    return sent.metric, sent.entity, sent.period, sent.channel, sent.as_of


def _numbers(text: str) -> Iterator[Decimal]:
    texts = [text, text.translate(_MARKS)] if _GERMAN.search(text) else [text]
    for match in (one for text in texts for one in _NUMBER.finditer(text)):
        try:
            yield Decimal(re.sub(r"[^\d.]", "", match[0]))
        except InvalidOperation:
            continue
