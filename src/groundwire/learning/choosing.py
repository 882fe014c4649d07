"""`set_learning_policy`: what a learner chooses, with the work that is expected of it."""

from __future__ import annotations

from dataclasses import replace

from groundwire.evidence.records import Draft
from groundwire.learning.learner import Learner
from groundwire.learning.proof import Proof, decimals, percent, rounded
from groundwire.learning.results import AlternativeItem, PolicyItem, PolicyResult, WorkloadItem
from groundwire.learning.reviews.store import move_due_dates
from groundwire.learning.schedule.policy import (
    Change,
    Policy,
    changed,
    loadouts,
    read_policy,
    write_policy,
)
from groundwire.learning.schedule.simulate import Alternative, Workload, simulate, what_if

_FIELDS = ("loadout", "desired_retention", "new_per_day", "day_ends", "zone")
_MACHINE = "of this machine"
_POLICY = "policy"


def set_policy(learner: Learner, change: Change) -> tuple[PolicyResult, Draft]:
    """Change a learner's policy and move the due dates of their cards; without a change, tell it.

    Raises:
        InputError: a value is none that can be chosen.
        UnavailableError: the file cannot be written.
    """
    now = learner.clock()
    moved = None
    with learner.reading() as connection:
        before = read_policy(connection, learner.owner)
        after = changed(before, change)
        compared = (after,) if change.is_empty else (after, before)
        works = [simulate(connection, learner.owner, one, now) for one in compared]
        others = what_if(connection, learner.owner, after, now) if change.is_empty else []
    # One figure for one thing: the policy in force as it is compared with the others.
    works[0] = next(
        (replace(works[0], reviews=one.reviews) for one in others if one.in_force), works[0]
    )
    if not change.is_empty:
        with learner.writing() as connection:
            # Another process may have changed something else meanwhile.
            after = changed(read_policy(connection, learner.owner), change)
            write_policy(connection, learner.owner, after, now)
            moved = move_due_dates(connection, learner.owner)
    fields = [name for name in _FIELDS if getattr(before, name) != getattr(after, name)]
    result = PolicyResult(
        answer=_answer(after, fields, works, change.is_empty),
        policy=_item(after),
        changed=fields,
        workload=_work(works[0]),
        workload_before=_work(works[1]) if len(works) > 1 else None,
        moved_cards=moved,
        alternatives=[_alternative(one) for one in others] or None,
        loadouts={name: one["label"] for name, one in loadouts().items()},
    )
    return result, _draft(after, works, moved, others)


def _answer(after: Policy, fields: list[str], works: list[Workload], asked: bool) -> str:
    work = works[0]
    chosen = (
        f"{'In force' if asked else 'From now on'}: a desired retention of "
        f"{percent(after.desired_retention)} %, {after.new_per_day} new cards a day, and the day "
        f"ends at {after.day_ends}{f' ({after.zone})' if after.zone else ''}"
    )
    expected = f"{work.reviews:,} reviews are expected in {work.days} days"
    if len(works) > 1 and fields:
        expected += f", and {works[1].reviews:,} without the change"
    return f"{chosen}; {expected}."


def _item(policy: Policy) -> PolicyItem:
    return PolicyItem(
        loadout=policy.loadout or "own",
        desired_retention=policy.desired_retention,
        new_per_day=policy.new_per_day,
        day_ends=policy.day_ends,
        zone=policy.zone or _MACHINE,
        parameters_id=policy.parameters_id,
    )


def _alternative(one: Alternative) -> AlternativeItem:
    return AlternativeItem(
        loadout=one.loadout,
        in_force=one.in_force,
        reviews=one.reviews,
        remembered=round(one.remembered),
        regret=round(one.regret),
        better=one.better if round(one.regret) else None,
    )


def _work(work: Workload) -> WorkloadItem:
    return WorkloadItem(
        days=work.days,
        reviews=work.reviews,
        reviews_per_day=work.reviews_per_day,
        new_cards=work.begun,
        recalled_at_end=None if work.recall is None else rounded(work.recall),
    )


def _draft(
    policy: Policy, works: list[Workload], moved: int | None, others: list[Alternative]
) -> Draft:
    proof = Proof(parameters_id=policy.parameters_id, moved=moved, sampled=works[0].sampled)
    of = policy.loadout or _POLICY
    proof.share("retention", policy.desired_retention, of=of)
    proof.value("new_per_day", str(policy.new_per_day), of=of)
    proof.value("day_ends", policy.day_ends, "time")
    proof.value("reviews_ahead", str(works[0].reviews))
    proof.value("reviews_a_day", decimals(works[0].reviews_per_day))
    proof.value("days", str(works[0].days), unit="d")
    if works[0].recall is not None:
        proof.share("recall_ahead", works[0].recall)
    for one in works[1:]:
        proof.value("reviews_before", str(one.reviews))
    for one in others:
        proof.value("reviews_ahead", str(one.reviews), of=one.loadout)
        proof.value("remembered", str(round(one.remembered)), of=one.loadout)
        proof.value("regret", str(round(one.regret)), of=one.loadout)
    if policy.loadout:
        proof.name(policy.loadout)
        proof.relation(proof.said("policy"), "loadout", (policy.loadout,))
    return proof.draft()
