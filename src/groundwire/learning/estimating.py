"""`query_mastery` and `query_calibration`: a number with method, count and interval, or none."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence

from groundwire.evidence.answers import ResolvedItem
from groundwire.evidence.records import Condition, Draft
from groundwire.learning.knowing.answers import Answered, shares
from groundwire.learning.knowing.calibration import Z_95, Calibration, Judged, calibration
from groundwire.learning.knowing.mastery import LEVEL, Estimate, NotEnough, mastery
from groundwire.learning.learner import Learner
from groundwire.learning.proof import Proof, decimals, percent, probability, rounded
from groundwire.learning.results import (
    BinItem,
    BrierItem,
    CalibrationResult,
    CandidateItem,
    GroupItem,
    IntervalItem,
    MasteryResult,
    SharesItem,
)
from groundwire.learning.schedule.policy import Policy, day_of, local_text, read_policy
from groundwire.learning.subjects import (
    EVERYTHING,
    NotRead,
    Subject,
    read_subject,
    shortened,
)
from groundwire.learning.terms import LEAST_PAIRS, ForecastSource, Group
from groundwire.quantities import find_dates

_METHODS = {"fsrs-6": "FSRS-6", "bkt": "Bayesian knowledge tracing"}
_MOST_GROUPS = 24
# Decimals of a score.
_SCORE = 3
# A mean of forecasts that is off by less leans slightly one way.
_SLIGHT_BIAS = 0.02
# Half of the day until which a day that is named counts, since days are told by their middle.
_HALF_DAY_MS = 43_200_000


def query_mastery(learner: Learner, of: str, as_of: str = "") -> tuple[MasteryResult, Draft]:
    """Return what is known of a card, a concept or a deck.

    Args:
        learner: whose memory it is.
        of: the card, concept or deck, by its id or name.
        as_of: a day; what was known at its end. "" is now.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with learner.reading() as connection:
        policy = read_policy(connection, learner.owner)
        subject = read_subject(connection, learner.owner, of)
        if isinstance(subject, NotRead):
            return _mastery_refused(subject)
        at_ms = _moment(policy, as_of, learner.clock())
        if at_ms is None:
            return _bad_day(as_of)
        found = mastery(connection, learner.owner, policy, subject, at_ms)
    day = day_of(policy, at_ms).date.isoformat()
    resolved = [ResolvedItem(param="of", raw=of, resolved=_full(subject), how=subject.how)]
    if isinstance(found, NotEnough):
        return _too_little(subject, found, policy, day, resolved, now=not as_of.strip())
    return _estimated(subject, found, day, resolved, now=not as_of.strip())


def _full(subject: Subject) -> str:
    return f"{subject.kind}: {subject.name}" if subject.id else subject.name


def _moment(policy: Policy, as_of: str, now: int) -> int | None:
    """Return the end of a named day, now where none is named, None where a text names no past."""
    if not as_of.strip():
        return now
    found = find_dates(as_of)
    if len(found) != 1 or found[0].start != found[0].end:
        return None
    named: dt.date = found[0].start
    today = day_of(policy, now)
    if named >= today.date:
        return now if named == today.date else None
    noon = dt.datetime.combine(named, dt.time(12), tzinfo=dt.UTC)
    guess = round(noon.timestamp()) * 1000
    for shift in (0, -_HALF_DAY_MS, _HALF_DAY_MS):
        day = day_of(policy, guess + shift)
        if day.date == named:
            return day.end_ms - 1
    return None


def _bad_day(as_of: str) -> tuple[MasteryResult, Draft]:
    raw = shortened(as_of)
    said = f'"{raw}" is no day up to today: send a day such as 2026-03-01, or leave as_of out.'
    result = MasteryResult(
        answer=said,
        status="unrecognized_param",
        param="as_of",
        raw=as_of,
        reason="unsupported",
        candidates=[],
    )
    proof = Proof()
    proof.absence((raw,), "as_of")
    return result, proof.draft()


def _mastery_refused(refusal: NotRead) -> tuple[MasteryResult, Draft]:
    result = MasteryResult(
        answer=refusal.said,
        status="unrecognized_param",
        param="of",
        raw=refusal.raw,
        reason=refusal.reason,
        candidates=[CandidateItem(value=value, label=label) for value, label in refusal.candidates],
    )
    return result, Proof().not_read(refusal)


def _too_little(
    subject: Subject,
    found: NotEnough,
    policy: Policy,
    day: str,
    resolved: list[ResolvedItem],
    *,
    now: bool,
) -> tuple[MasteryResult, Draft]:
    heard = [one for one in found.reviews if one.heard]
    count = len(heard)
    last = local_text(policy, heard[-1].at_ms) if heard else None
    held = f"{_reviews(count)} of it, the last on {last[:10]}" if last else "no review of it"
    said = (
        f"Nothing can be said yet of how well {_called(subject)} is known: there is {held}, and it "
        f"takes {found.needed}."
    )
    if count > 1:
        said = said.replace("there is", "there are", 1)
    by = shares(found.reviews)
    result = MasteryResult(
        answer=said,
        status="not_enough",
        n_reviews=count,
        last_review=last,
        needed=found.needed,
        rated_by=by,
        as_of=day,
        resolved=resolved,
    )
    proof = Proof(momentary=now, day=day)
    _counted(proof, subject, found.reviews, by)
    if subject.kind != "everything":
        proof.kind(subject.name, subject.kind)
    proof.absence((subject.name,), "estimate")
    if not count:
        proof.absence((subject.name,), "review")
    if found.least is not None:
        proof.value("needed", str(found.least), of=subject.name)
        proof.value("there", str(found.there), of=subject.name)
    if last:
        proof.value("last_review", last[:10], "date")
    proof.name(found.needed)
    return result, proof.draft()


def _called(subject: Subject) -> str:
    return f'the {subject.kind} "{subject.name}"'


def _reviews(count: int) -> str:
    return f"{count:,} review{'' if count == 1 else 's'}"


def _estimated(
    subject: Subject, found: Estimate, day: str, resolved: list[ResolvedItem], *, now: bool
) -> tuple[MasteryResult, Draft]:
    value, low, high = percent(found.value), percent(found.low), percent(found.high)
    method = _METHODS[found.method]
    what = {
        "card": f'The card "{subject.name}" is recalled with a probability of',
        "deck": f'A card of the deck "{subject.name}" is recalled with a mean probability of',
        "concept": f'The concept "{subject.name}" is known with a probability of',
    }[subject.kind]
    by = shares(found.reviews)
    heard = len(found.reviews) - by.host
    cards = "" if found.cards is None else f", {found.cards} card{'' if found.cards == 1 else 's'}"
    said = (
        f"{what} {value} % (from {low} % to {high} %), by {method} from "
        f"{_reviews(heard)}{cards}, as of {day}.{_reported(by)}"
    )
    result = MasteryResult(
        answer=said,
        status="estimated",
        value=probability(found.value),
        value_text=f"{value} %",
        kind="recall" if found.kind == "recall" else "known",
        method=found.method,
        parameters_id=found.parameters_id,
        n_reviews=heard,
        n_cards=found.cards,
        interval=IntervalItem(
            low=probability(found.low), high=probability(found.high), level=LEVEL, basis=found.basis
        ),
        rated_by=by,
        as_of=day,
        resolved=resolved,
    )
    proof = Proof(
        momentary=now,
        parameters_id=found.parameters_id,
        method=found.method,
        day=day,
        level=LEVEL,
    )
    of = proof.subject(subject)
    as_of = Condition(proof.said("as_of"), "is", ((day,),))
    by_method = Condition(proof.said("method"), "is", (proof.said(f"method_{found.method}"),))
    if of is not None:
        proof.kind(of, subject.kind)
    is_mean = found.kind == "recall" and subject.kind != "card"
    position = proof.share("mean_recall" if is_mean else found.kind, found.value, of=of)
    proof.scope(found.kind, *proof.about(subject), by_method, as_of, value=position)
    proof.share("interval", found.low, of=of)
    proof.share("interval", found.high, of=of)
    if found.cards is not None:
        proof.value("cards_reviewed", str(found.cards), of=of)
    proof.value("behind", str(found.behind), of=of)
    proof.value("as_of", day, "date")
    _counted(proof, subject, found.reviews, by)
    return result, proof.draft()


def _reported(by: SharesItem) -> str:
    """Return a sentence about answers that the model reported, or ""."""
    count = by.reported_by_host
    if not count:
        return ""
    were = "answer was" if count == 1 else "answers were"
    return f" {count:,} {were} reported by the host; nobody asked the learner here."


def _counted(proof: Proof, subject: Subject, reviews: Sequence[Answered], by: SharesItem) -> None:
    of = proof.subject(subject)
    position = proof.value("reviews", str(len(reviews) - by.host), of=of)
    proof.scope("review", *proof.about(subject), value=position)
    if by.host:
        proof.value("reviews", str(len(reviews)), of=of, labels=("in the log", "im Protokoll"))
    proof.shares(by, of, *proof.about(subject))


def query_calibration(
    learner: Learner, of: str = "", by: Group = "", source: ForecastSource = "confidence"
) -> tuple[CalibrationResult, Draft]:
    """Return how well forecasts were met.

    Args:
        learner: whose they are.
        of: a card, concept or deck, or "" for everything.
        by: what to split by, or "".
        source: the learner's own confidence, or the schedule's probabilities.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with learner.reading() as connection:
        policy = read_policy(connection, learner.owner)
        subject = read_subject(connection, learner.owner, of) if of.strip() else EVERYTHING
        if isinstance(subject, NotRead):
            refusal = subject
            result = CalibrationResult(
                answer=refusal.said,
                status="unrecognized_param",
                param="of",
                raw=refusal.raw,
                reason=refusal.reason,
                candidates=[
                    CandidateItem(value=value, label=label) for value, label in refusal.candidates
                ],
            )
            return result, Proof().not_read(refusal)
        judged = calibration(connection, learner.owner, policy, subject, source, by)
    resolved = (
        [ResolvedItem(param="of", raw=of, resolved=_full(subject), how=subject.how)] if of else None
    )
    if judged.whole is None:
        return _uncalibrated(subject, judged, source, resolved)
    return _calibrated(subject, judged, judged.whole, source, resolved)


def _whose(source: ForecastSource) -> str:
    return (
        "confidence that the learner gave" if source == "confidence" else "forecast for later days"
    )


def _uncalibrated(
    subject: Subject,
    judged: Judged,
    source: ForecastSource,
    resolved: list[ResolvedItem] | None,
) -> tuple[CalibrationResult, Draft]:
    needed = f"{LEAST_PAIRS} pairs of a {_whose(source)} and what came"
    about = "" if subject.kind == "everything" else f" about {_called(subject)}"
    there = "is 1" if judged.pairs == 1 else f"are {judged.pairs}"
    by = shares(judged.reviews)
    result = CalibrationResult(
        answer=(
            f"Nothing can be said yet of the calibration{about}: it takes {needed}, and there "
            f"{there}.{_left_out(judged)}"
        ),
        status="not_enough",
        source=source,
        n=judged.pairs,
        needed=needed,
        reported_left_out=judged.left_out or None,
        rated_by=by,
        resolved=resolved,
    )
    proof = Proof(source=source, reported_left_out=judged.left_out)
    proof.value("pairs", str(judged.pairs), of=proof.subject(subject))
    proof.value("pairs", str(LEAST_PAIRS), labels=("takes", "needed", "nötig"))
    proof.value("needed", str(LEAST_PAIRS))
    proof.absence((subject.name,), "calibration")
    proof.shares(by, proof.subject(subject))
    return result, proof.draft()


def _left_out(judged: Judged) -> str:
    """Return a sentence about pairs that are not counted since a model reported them, or ""."""
    count = judged.left_out
    if not count:
        return ""
    were = "pair is" if count == 1 else "pairs are"
    return (
        f" {count:,} {were} left out: the host reported them, and nobody asked the learner here; "
        "`groundwire learning policy --count-reported` counts them."
    )


def _calibrated(
    subject: Subject,
    judged: Judged,
    whole: Calibration,
    source: ForecastSource,
    resolved: list[ResolvedItem] | None,
) -> tuple[CalibrationResult, Draft]:
    by = shares(judged.reviews)
    about = "" if subject.kind == "everything" else f" about {_called(subject)}"
    result = CalibrationResult(
        answer=_calibration_said(whole, source, about) + _left_out(judged),
        status="estimated",
        source=source,
        n=whole.pairs,
        brier=BrierItem(
            score=rounded(whole.brier.score, _SCORE),
            reliability=rounded(whole.brier.reliability, _SCORE),
            resolution=rounded(whole.brier.resolution, _SCORE),
            uncertainty=rounded(whole.brier.uncertainty, _SCORE),
            within=rounded(whole.brier.within, _SCORE),
        ),
        ece=rounded(whole.ece, _SCORE),
        auc=None if whole.auc is None else rounded(whole.auc, _SCORE),
        bias=rounded(whole.bias, _SCORE),
        bins=[
            BinItem(
                said=rounded(one.said),
                came=rounded(one.came),
                n=one.n,
                low=rounded(one.interval[0]),
                high=rounded(one.interval[1]),
            )
            for one in whole.bins
        ],
        bins_left_out=whole.left_out or None,
        reported_left_out=judged.left_out or None,
        groups=[_group(*one) for one in judged.groups[:_MOST_GROUPS]] or None,
        rated_by=by,
        resolved=resolved,
    )
    return result, _calibration_draft(subject, judged, whole, source, by)


def _may_be_chance(whole: Calibration) -> bool:
    """Return whether chance alone may make forecasts lean so far one way."""
    # The error of a mean of as many differences, whose mean square is the Brier score.
    chance = Z_95 * math.sqrt(whole.brier.score / max(1, whole.pairs))
    return percent(abs(whole.bias)) != "0.0" and abs(whole.bias) <= chance


def _calibration_said(whole: Calibration, source: ForecastSource, about: str) -> str:
    who = "The learner" if source == "confidence" else "The schedule"
    points = percent(abs(whole.bias))
    may = ", which may be chance" if _may_be_chance(whole) else ""
    way = "too confident" if whole.bias > 0 else "not confident enough"
    lean = f"{who} was {way} by {points} percentage points on average" if points != "0.0" else (
        f"{who} was right on average"
    )  # fmt: skip
    score, error = decimals(whole.brier.score, _SCORE), decimals(whole.ece, _SCORE)
    return (
        f"{lean}{about}{may}: of {whole.pairs:,} forecasts the Brier score is {score} and the "
        f"expected calibration error {error}."
    )


def _group(name: str, pairs: int, found: Calibration | None) -> GroupItem:
    if found is None:
        return GroupItem(name=name, n=pairs)
    return GroupItem(
        name=name,
        n=pairs,
        brier=rounded(found.brier.score, _SCORE),
        ece=rounded(found.ece, _SCORE),
        bias=rounded(found.bias, _SCORE),
    )


def _calibration_draft(
    subject: Subject,
    judged: Judged,
    whole: Calibration,
    source: ForecastSource,
    by: SharesItem,
) -> Draft:
    proof = Proof(
        source=source,
        bins=len(whole.bins),
        left_out=whole.left_out,
        reported_left_out=judged.left_out,
    )
    of = proof.subject(subject)
    # The schedule made this forecast; the learner did not.
    whose = proof.said("schedule") if source == "schedule" else ()
    if whose:
        of = " ".join(filter(None, (whose[0], of)))
        proof.kind(of, "schedule")
    proof.value("brier", decimals(whole.brier.score, _SCORE), of=of, labels=whose)
    for key, value in (
        ("reliability", whole.brier.reliability),
        ("resolution", whole.brier.resolution),
        ("uncertainty", whole.brier.uncertainty),
        ("ece", whole.ece),
    ):
        proof.value(key, decimals(value, _SCORE), of=of, labels=whose)
    if whole.auc is not None:
        proof.value("auc", decimals(whole.auc, _SCORE), of=of)
    key = "bias_over" if whole.bias > 0 else "bias_under"
    chance = proof.said("may_be_chance") if _may_be_chance(whole) else ()
    slight = proof.said("slight") if abs(whole.bias) < _SLIGHT_BIAS else ()
    names = (*chance, *slight, *whose)
    proof.value(key, percent(abs(whole.bias)), unit="pp", of=of, labels=names)
    proof.value("pairs", str(whole.pairs), of=of, labels=whose)
    for one in whole.bins:
        name = f"{percent(one.low)} to {percent(one.high)} %"
        name = f"{of} {name}" if whose else name
        proof.share("said", one.said, of=name)
        proof.share("came", one.came, of=name)
        proof.value("pairs", str(one.n), of=name)
    for name, pairs, found in judged.groups[:_MOST_GROUPS]:
        proof.value("pairs", str(pairs), of=name)
        if found is not None:
            proof.value("brier", decimals(found.brier.score, _SCORE), of=name)
            proof.value("ece", decimals(found.ece, _SCORE), of=name)
    proof.shares(by, of)
    return proof.draft()
