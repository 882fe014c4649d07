"""`diagnose_reviews`: why answers fail, told by thresholds, or that it cannot be told."""

from __future__ import annotations

import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.errors import InputError, NotFoundError
from groundwire.evidence.answers import other_names, predicate_names, words_of_telling
from groundwire.evidence.records import Draft, Statement, Value
from groundwire.learning.concepts.graph import SHARED, StoredGraph
from groundwire.learning.concepts.names import resolve_concept
from groundwire.learning.diagnosis.families import Finding, diagnosed
from groundwire.learning.diagnosis.features import (
    MOST_GROUPS,
    Answer,
    Sorted,
    Trace,
    meaning_of,
    read_misconceptions,
    read_trace,
    sort_wrong,
)
from groundwire.learning.diagnosis.results import (
    Diagnosis,
    FamilyItem,
    PatchItem,
    WrongAnswers,
    WrongItem,
)
from groundwire.learning.diagnosis.thresholds import Thresholds
from groundwire.safe_text import safe_line, safe_name
from groundwire.statefile import StateFile
from groundwire.vocabulary.fold import fold

_MOST_NAMED = 5
_MOST_PAIRS = 10

_PACKAGE = "groundwire.learning.diagnosis"
_MOST_REVIEWS = 20
_MOST_OF = 10
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class DiagnosisRequest:
    """A question about failures.

    Attributes:
        of: a card's handle, or the name of a deck or a concept; empty for everything.
        since: a day or a moment (ISO 8601, UTC) from which answers count, or empty.
    """

    of: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class _Scope:
    """The subject that answers are narrowed to.

    Attributes:
        said: how the answer calls it; empty for everything.
        cards: the cards, or None for all.
    """

    said: str
    cards: frozenset[str] | None


def diagnose_reviews(
    state: StateFile, thresholds: Thresholds, owner: str, request: DiagnosisRequest
) -> tuple[Diagnosis, Draft]:
    """Tell which families of failure the answers of a learner show.

    Answers that only a host rated are left out. Too few answers, or too few failures, are
    `not_enough` and tell no family; enough of them that fit none are `undetermined`.

    Args:
        state: the file of learning.
        thresholds: when a family is told.
        owner: whose answers.
        request: what is asked.

    Returns:
        the families with their reviews and the steps that help, and what is recorded.

    Raises:
        InputError: `since` cannot be read as a day.
        NotFoundError: `of` names none of the cards, decks and concepts of the owner.
        UnavailableError: the file cannot be read.
    """
    since = _moment(request.since)
    with state.reading() as connection:
        if connection is None:
            if request.of.strip():
                raise NotFoundError(_unknown(request.of, ()))
            return _nothing(request, thresholds)
        scope = _scope(connection, owner, request.of)
        trace = read_trace(connection, (owner, SHARED), thresholds)
        called = _names(connection, owner)
        misconceptions = read_misconceptions(connection, (owner, SHARED))
    answers = [one for one in trace.answers if one.at_ms >= since]
    if scope.cards is not None:
        answers = [one for one in answers if one.card_id in scope.cards]
    wrong = _wrong(sort_wrong(answers, trace, misconceptions), called)
    tests = trace.tests(thresholds.apart_hours)
    tests = [one for one in tests if one.at_ms >= since]
    if scope.cards is not None:
        tests = [one for one in tests if one.card_id in scope.cards]
    failures = sum(one.failed for one in tests)
    enough = len(tests) >= thresholds.least_answers and failures >= thresholds.least_failures
    found = diagnosed(trace, tests, thresholds) if enough else []
    result = Diagnosis(
        answer=_sentence(found, tests, failures, scope, thresholds, enough=enough)
        + (_wrong_said(wrong) if wrong else ""),
        status="found" if found else "undetermined" if enough else "not_enough",
        of=scope.said or None,
        since=request.since.strip() or None,
        n_reviews=len(tests),
        failures=failures,
        rated_by=_raters(trace, scope, since),
        families=[_family(one, thresholds, called) for one in found],
        patches=[_patch(one, trace, thresholds, called) for one in found],
        wrong_answers=wrong,
        needs=None if enough else _needs(thresholds),
    )
    return result, _draft(result, trace, thresholds)


def _raters(trace: Trace, scope: _Scope, since: int) -> dict[str, int]:
    """Count the answers of a scope by who rated them, those that are left out included."""
    return Counter(
        "imported" if rater == "import" else rater
        for card, at, rater in trace.rated
        if at >= since and (scope.cards is None or card in scope.cards)
    )


def _wrong(found: Sorted, called: Callable[[str], str]) -> WrongAnswers | None:
    """Return wrong answers as they are told, or None where none was typed."""
    if not found.typed and not found.gave_up:
        return None
    told = found.groups[:MOST_GROUPS]
    return WrongAnswers(
        typed=found.typed,
        unsorted=found.unsorted,
        gave_up=found.gave_up,
        groups=[
            WrongItem(
                card=called(one.card_id).strip('"'),
                typed=safe_name(one.typed, _SHOWN),
                sort=one.sort,
                means=meaning_of(one.sort),
                times=len(one.reviews),
                reviews=list(one.reviews[-_MOST_OF:]),
                of=called(one.of).strip('"') if one.of else None,
            )
            for one in told
        ],
        left_out=len(found.groups) - len(told) or None,
    )


def _wrong_said(wrong: WrongAnswers) -> str:
    """Say how many of the wrong answers rules could sort."""
    if not wrong.typed:
        return ""
    known = wrong.typed - wrong.unsorted
    return f" Of {wrong.typed} wrong answers that were typed, rules could sort {known}."


def _nothing(request: DiagnosisRequest, thresholds: Thresholds) -> tuple[Diagnosis, Draft]:
    trace = Trace([], {}, {}, 0.0, {}, None)
    said = _sentence([], [], 0, _Scope("", None), thresholds, enough=False)
    result = Diagnosis(
        answer=said,
        status="not_enough",
        since=request.since.strip() or None,
        n_reviews=0,
        failures=0,
        rated_by={},
        needs=_needs(thresholds),
    )
    return result, _draft(result, trace, thresholds)


def _moment(text: str) -> int:
    """Return a day or a moment in milliseconds since 1970; 0 where none is sent."""
    sent = text.strip()
    if not sent:
        return 0
    try:
        if len(sent) == len("2026-01-31"):
            read = datetime.combine(date.fromisoformat(sent), time(), UTC)
        else:
            read = datetime.fromisoformat(sent)
    except ValueError:
        shown = safe_name(sent, 40)
        raise InputError(f'since "{shown}" is no day: send one such as 2026-01-31.') from None
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return int(read.timestamp() * 1000)


def _scope(connection: sqlite3.Connection, owner: str, raw: str) -> _Scope:
    """Return the cards that a card's handle, or the name of a deck or a concept, stands for."""
    sent = safe_line(raw)
    if not raw.strip():
        return _Scope("", None)
    if len(sent) <= 400:
        card = connection.execute(
            "SELECT front FROM cards WHERE owner = ? AND card_id = ?", (owner, sent)
        ).fetchone()
        if card:
            return _Scope(f'card "{safe_name(card[0], _SHOWN)}"', frozenset((sent,)))
        deck = connection.execute(
            "SELECT deck_id, name FROM decks WHERE owner = ? AND (deck_id = ? OR folded = ?)",
            (owner, sent, fold(sent)),
        ).fetchone()
        if deck:
            rows = connection.execute(
                "SELECT card_id FROM cards WHERE owner = ? AND deck_id = ?", (owner, deck[0])
            )
            return _Scope(f'deck "{safe_name(deck[1], _SHOWN)}"', frozenset(c for (c,) in rows))
    near: list[str] = []
    for graph_owner in (owner, SHARED):
        found = resolve_concept(StoredGraph(connection, graph_owner), sent)
        if found.node is not None:
            rows = connection.execute(
                "SELECT card_id FROM card_concepts WHERE owner = ? AND node_id = ?",
                (owner, found.node.node_id),
            )
            name = safe_name(found.node.name, _SHOWN)
            return _Scope(f'concept "{name}"', frozenset(c for (c,) in rows))
        near += [safe_name(one.name, _SHOWN) for one in found.candidates]
    raise NotFoundError(_unknown(sent, near))


def _unknown(sent: str, near: list[str] | tuple[str, ...]) -> str:
    said = f'No card, deck or concept is called "{safe_name(sent, _SHOWN)}"'
    return said + (f": did you mean {', '.join(near[:3])}?" if near else ".")


def _names(connection: sqlite3.Connection, owner: str) -> Callable[[str], str]:
    """Return what cards and concepts are called, by their handles."""
    cards = dict(
        connection.execute("SELECT card_id, front FROM cards WHERE owner = ?", (owner,)).fetchall()
    )
    nodes = dict(
        connection.execute(
            "SELECT node_id, name FROM nodes WHERE owner IN (?, ?)", (owner, SHARED)
        ).fetchall()
    )

    def called(handle: str) -> str:
        name = cards.get(handle) or nodes.get(handle)
        return f'"{safe_name(name, _SHOWN)}"' if name else handle

    return called


def _family(one: Finding, thresholds: Thresholds, called: Callable[[str], str]) -> FamilyItem:
    compared = one.contrast
    said, came = one.facts.get("said"), one.facts.get("came")
    return FamilyItem(
        family=one.family,
        means=meaning(one.family),
        support=len(one.reviews),
        reviews=list(one.reviews[-_MOST_REVIEWS:]),
        of=[called(handle).strip('"') for handle in one.of[:_MOST_OF]] or None,
        ratio_text=f"{compared.ratio:.1f}" if compared else None,
        at_least=f"{compared.lower(thresholds.z):.1f}" if compared else None,
        marked=compared.marked if compared else None,
        rest=compared.rest if compared else None,
        said=f"{said:.2f}" if said is not None else None,
        came=f"{came:.2f}" if came is not None else None,
    )


def _needs(thresholds: Thresholds) -> str:
    return (
        f"at least {thresholds.least_answers} answers that test memory, given by the learner, and "
        f"{thresholds.least_failures} failures among them"
    )


def _sentence(
    found: list[Finding],
    tests: list[Answer],
    failures: int,
    scope: _Scope,
    thresholds: Thresholds,
    *,
    enough: bool,
) -> str:
    where = f" of {scope.said}" if scope.said else ""
    counts = f"{failures} failures in {len(tests)} answers{where} that test memory"
    if not enough:
        needed = f"needed are {_needs(thresholds)}"
        return f"There is not enough to tell why answers fail: {counts}; {needed}."
    if not found:
        return f"{counts} show no pattern that is told apart from chance."
    told = ", ".join(f"{one.family} ({len(one.reviews)})" for one in found)
    return f"{counts} show: {told}."


def _draft(result: Diagnosis, trace: Trace, thresholds: Thresholds) -> Draft:
    names, families = predicate_names(_PACKAGE), other_names(_PACKAGE, "families")
    values = [
        _value("answers", str(result.n_reviews)),
        _value("failures", str(result.failures)),
    ]
    if wrong := result.wrong_answers:
        values += [
            _value("typed", str(wrong.typed)),
            _value("sorted", str(wrong.typed - wrong.unsorted)),
            _value("unsorted", str(wrong.unsorted)),
        ]
    if result.needs:
        called = other_names(_PACKAGE, "values")
        telling = words_of_telling(_PACKAGE, "values")
        least = (("answers", thresholds.least_answers), ("failures", thresholds.least_failures))
        values += [
            Value(
                f"{what} that are needed",
                str(count),
                labels=(
                    f"{what} needed",
                    f"{what} are needed",
                    f"{what} are",
                    *called["needed"],
                    *called[what],
                    *telling["needed"],
                    *telling[what],
                ),
            )
            for what, count in least
        ]
    for one in result.families:
        values.append(Value("family", one.family, "name", labels=families.get(one.family, ())))
        values += [
            _value(name, text, one.family)
            for name, text in (
                ("support", str(one.support)),
                ("ratio", one.ratio_text),
                ("at_least", one.at_least),
                ("said", one.said),
                ("came", one.came),
            )
            if text is not None
        ]
        values += [Value("about", name, "name", entity=one.family) for name in (one.of or ())[:20]]
    causes = tuple(families.get(one.family, (one.family,)) for one in result.families)
    kind = "relation" if causes else "absence"
    return Draft(
        values=tuple(values),
        audit={
            "status": result.status,
            "rated_by": result.rated_by,
            "families": {one.family: one.support for one in result.families},
        },
        statements=(
            Statement(kind, names["failures"], names["cause" if causes else "untold"], causes),
        ),
        answer=result.answer,
    )


def _value(key: str, text: str, family: str | None = None) -> Value:
    """Return a value with the names that sentences have for it and for its family."""
    name, *labels = other_names(_PACKAGE, "values")[key]
    labels += words_of_telling(_PACKAGE, "values").get(key, ())
    if family is not None:
        labels += other_names(_PACKAGE, "families").get(family, ())
    return Value(name, text, entity=family, labels=tuple(labels))


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    text = files("groundwire.learning.diagnosis").joinpath("patches.toml").read_text("utf-8")
    return tomllib.loads(text)


def meaning(family: str) -> str:
    """Return what a family of failure is, in a sentence."""
    return _texts()[family]["means"]


def _patch(
    finding: Finding, trace: Trace, thresholds: Thresholds, name: Callable[[str], str]
) -> PatchItem:
    """Return the step that helps against a finding.

    Args:
        finding: a family that is told.
        trace: the answers that it was told from.
        thresholds: what a sitting's usual length is multiplied by.
        name: what a card or a concept is called, by its handle.
    """
    text = _texts()[finding.family]
    shown = ", ".join(name(one) for one in finding.of[:_MOST_NAMED])
    more = len(finding.of) - _MOST_NAMED
    shown += f" and {more} more" if more > 0 else ""
    said = text["says"].format(
        cards=shown,
        concepts=shown,
        number=_number(finding, trace, thresholds),
        seconds=_usual(trace),
    )
    return PatchItem(
        family=finding.family,
        action=text["action"],
        says=said,
        tool=text.get("tool"),
        arguments=_arguments(finding, trace),
    )


def _number(finding: Finding, trace: Trace, thresholds: Thresholds) -> int:
    """Return the number that a step names: a length of sittings, or how many notes."""
    if finding.family == "overlong_sitting":
        return max(10, round(thresholds.marks.sitting_multiple * trace.usual_sitting))
    return len({trace.cards[one].note_id for one in finding.of if one in trace.cards})


def _usual(trace: Trace) -> int:
    return round((trace.usual_duration or 0) / 1000)


def _arguments(finding: Finding, trace: Trace) -> dict[str, Any] | None:
    """Return what the tool of a step is called with, where code can say it."""
    if finding.family == "long_gap":
        return {"new_per_day": 0}
    if finding.family == "missing_prerequisite":
        return {"concept": finding.of[0]}
    if finding.family == "confusion":
        operations = _edges(finding, trace)
        why = "answered with each other's back"
        return {"operations": operations, "rationale": why} if operations else None
    return None


def _edges(finding: Finding, trace: Trace) -> list[dict[str, str]]:
    """Return the edges that say which concepts are easily confused."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for at in range(0, len(finding.of) - 1, 2):
        a, b = (trace.cards.get(card) for card in finding.of[at : at + 2])
        if a is None or b is None or len(a.concepts) != 1 or len(b.concepts) != 1:
            continue
        source, target = sorted((*a.concepts, *b.concepts))
        if source != target:
            found[source, target] = {
                "op": "add_edge",
                "source": source,
                "relation": "confusable_with",
                "target": target,
            }
    return list(found.values())[:_MOST_PAIRS]
