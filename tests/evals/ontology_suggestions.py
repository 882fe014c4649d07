"""Suggestions mean what they say: each is accepted as it stands, and is no wider than was asked.

    python -m tests.evals.ontology_suggestions
    python -m tests.evals.ontology_suggestions --half seen --show 2

Wrong requests are drawn: typing mistakes, unknown names, units that do not fit, kinds that are not
there, several conditions, references. Every suggestion of every gap, every correction and every
nearest value of an explained zero is sent in place of what was refused or read otherwise, and
nothing else is changed. It must be accepted in this one step, keep every other condition, and find
no asset that the most generous right reading of the request leaves out.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.ontology_asking import (  # noqa: E402
    Asked,
    Field,
    Tally,
    drawn_worlds,
    options_of,
    served_text,
)
from tests.evals.ontology_disagreements import World  # noqa: E402
from tests.evals.ontology_host import repaired  # noqa: E402
from tests.evals.ontology_wrong_requests import FACTORS, Drawing, Wrong  # noqa: E402

WORLDS_A_FIELD = 9
ASKED_A_WORLD = 36
OUTCOMES = (
    "kept", "refused_again", "condition_lost", "unit_lost", "wider", "no_place", "error",
    "answered_wider", "nothing_offered", "answered",
)  # fmt: skip
FAULTS = (
    "refused_again",
    "condition_lost",
    "unit_lost",
    "wider",
    "no_place",
    "answered_wider",
    "error",
)
_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Zµ°%/]+)$")

# Sending what is offered.


@dataclass
class Offer:
    """Something that an answer offers in place of what was sent."""

    how: str
    slot: str
    term: str
    text: str


def offers(told: Mapping[str, Any]) -> Iterator[Offer]:
    """Return every suggestion, correction and nearest value of an answer."""
    for gap in told.get("gaps", ()):
        for text in gap.get("suggestions", ()):
            yield Offer("suggestion", gap.get("slot") or "", gap.get("term", ""), text)
    for one in told.get("corrections", ()):
        if one.get("raw") is not None and one.get("resolved") is not None:
            yield Offer("correction", one.get("slot") or "", str(one["raw"]), str(one["resolved"]))
        for text in one.get("suggestions", ()):
            yield Offer("suggestion", one.get("slot") or "", str(one["raw"]), text)
    for one in told.get("explanation_of_empty", ()):
        for text in one.get("suggestions", ()):
            yield Offer("suggestion", one.get("slot") or "", "", text)
        for text in one.get("nearest", ()):
            yield Offer("nearest", one.get("slot") or "", "", str(text))


def with_offer(arguments: Mapping[str, Any], offer: Offer) -> dict[str, Any] | None:
    """Return arguments with an offer in its place; None where it names no place."""
    sent = copy.deepcopy(dict(arguments))
    if not offer.slot:
        return None
    if offer.slot in ("sort", "count_by"):
        sign = "-" if sent[offer.slot].startswith("-") and offer.text[:1] != "-" else ""
        sent[offer.slot] = sign + offer.text
        return sent
    if offer.how == "nearest":
        return _with_nearest(sent, offer)
    gap = SimpleNamespace(term=offer.term, slot=offer.slot, suggestions=[offer.text])
    sent["slots"] = repaired(sent["slots"], [gap])  # type: ignore[list-item]
    return None if sent == arguments else sent


def _with_nearest(sent: dict[str, Any], offer: Offer) -> dict[str, Any] | None:
    """Put a nearest value in place of a condition."""
    match = re.fullmatch(r"((?:references\[\d+\]\.)*)(filters|ranges)\.(.+)", offer.slot)
    if match is None:
        return None
    holder = sent["slots"]
    for number in re.findall(r"\d+", match[1]):
        holder = holder["references"][int(number)]
    if match[3] not in holder.get(match[2], {}):
        return None
    holder[match[2]][match[3]] = offer.text
    return sent


def conditions(slots: Mapping[str, Any]) -> int:
    """Return how many conditions slots have, those of references too."""
    references = slots.get("references") or []
    references = references if isinstance(references, list) else [references]
    own = sum(len(slots.get(part) or {}) for part in ("filters", "ranges"))
    return own + sum(conditions(one) for one in references if isinstance(one, Mapping))


def texts_of(value: Any) -> list[str]:
    """Return every text and number in slots, names left out."""
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in texts_of(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner)]
    return [str(value)]


async def judge(
    asked: Asked, drawing: Drawing, wrong: Wrong, offer: Offer, first: Mapping[str, Any]
) -> tuple[str, str]:
    """Return the outcome of one offer, and what went wrong."""
    sent = with_offer(wrong.arguments, offer)
    if sent is None:
        # A correction may tell bounds in words of its own; a suggestion must name its place.
        if offer.how == "correction":
            return "kept", ""
        return "no_place", f"{offer} of {wrong.arguments}"
    told = await asked.call("submit_slots", limit=100, **sent)
    said = (
        f"{offer.how} {offer.slot}: {offer.term!r} -> {offer.text!r}\n  sent {wrong.arguments}\n"
        f"  then {sent}\n  {told.get('answer') or told.get('error')}"
    )
    status = told.get("status", "error")
    if status == "error":
        return "error", said
    if status == "rejected":
        # By their terms alone, since another name of a property is another slot. A correction may
        # leave open what was open before, under the name that it reads.
        before = {gap["term"] for gap in first.get("gaps", ())}
        if offer.how == "correction":
            before |= {offer.text} if offer.term in before else set()
        else:
            before.discard(offer.term)
        left = {gap["term"] for gap in told["gaps"]} <= before
        return ("kept", "") if left else ("refused_again", said)
    slots, kept = wrong.arguments["slots"], told.get("applied", {})
    if conditions(kept) < conditions(slots):
        return "condition_lost", said
    if offer.how != "nearest" and not _keeps_units(slots, sent["slots"]):
        return "unit_lost", said
    put = [text for text in texts_of(sent) if text not in texts_of(wrong.arguments)]
    beyond = _beyond(drawing, wrong, offer, put, told)
    return ("wider", f"{said}\n  beyond what was asked: {beyond}") if beyond else ("kept", "")


def _keeps_units(before: Any, after: Any) -> bool:
    """Whether every figure with a unit is still there, in that unit or in one of its dimension."""
    kept = [match for text in texts_of(after) if (match := _UNIT.search(text))]
    return all(
        any(_measure(match) == _measure(one) for one in kept)
        for text in texts_of(before)
        if (match := _UNIT.search(text))
    )


def _measure(match: re.Match[str]) -> tuple[str, float]:
    """Return the unit of a dimension, and a figure in it to nine digits."""
    name, factor = FACTORS.get(match[2], (match[2], 1))
    return name, float(f"{float(match[1]) * factor:.9g}")


def _beyond(
    drawing: Drawing, wrong: Wrong, offer: Offer, put: list[str], told: Mapping[str, Any]
) -> list[str]:
    """Return the assets of an answer that the most generous right reading leaves out.

    Args:
        drawing: of the world.
        wrong: the request.
        offer: that was sent in its place, if one was.
        put: texts that the offer put in.
        told: the answer; what it says that it read a text as is put in too.
    """
    corrected = [str(one.get("resolved")) for one in told.get("corrections", ())]
    space = drawing.world.about["ns"]
    found = [one["iri"].removeprefix(space) for one in told.get("results", ())]
    return [one for one in found if not _admits(drawing, wrong, one, offer, put + corrected)]


def _admits(drawing: Drawing, wrong: Wrong, asset: str, offer: Offer, put: list[str]) -> bool:
    """Whether the most generous right reading of a request finds an asset.

    A nearest value stands in place of a condition that nothing meets, which is then not demanded.
    """
    world = drawing.world
    kinds = world.types.get(asset) or ([world.third] if asset in world.links else [world.other])
    if wrong.kind and wrong.kind not in kinds and world.sub not in kinds:
        return False
    if not wrong.kind:
        asset = world.links.get(asset, asset)
    nearest = offer.how == "nearest"
    return (nearest or wrong.loose(asset, put)) and all(
        demand(asset)
        for name, demand in wrong.right
        if not (nearest and offer.slot.endswith("." + name))
    )


async def run_all(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Ask every world of every field its wrong requests."""
    chance = random.Random(f"suggestions {options.seed}")
    only = set(filter(None, options.only.split(";")))
    for half, about, number in drawn_worlds(options, chance, WORLDS_A_FIELD):
        await _world(about, number, half, tally, folder, only)


async def _world(
    about: Field, number: int, half: str, tally: Tally, folder: Path, only: set[str]
) -> None:
    rng = random.Random(f"suggestions {about['name']} {number}")
    odd = ("undeclared", "other namespace", "IRI with label", "variant of an enumerated value")
    ways = ["declared"] * 6 + ["codes", "names and labels", rng.choice(odd), rng.choice(odd)]
    ways += ["undeclared"] * 2
    world = World(about, rng, ways)
    drawing = Drawing(world, rng)
    async with served_text(
        folder / f"{about['name']} {number}", world.shapes, world.turtle
    ) as asked:
        for wrong in drawing.cases(ASKED_A_WORLD):
            if only and wrong.name not in only:
                continue
            first = await asked.call("submit_slots", limit=100, **wrong.arguments)
            beyond = _beyond(drawing, wrong, Offer("answer", "", "", ""), [], first)
            if beyond:
                said = f"{wrong.arguments}\n  {first['answer']}\n  beyond: {beyond}"
                tally.add(wrong.name, half, "answered_wider", said)
            found = list(offers(first))
            if not found:
                rejected = first.get("status") == "rejected"
                tally.add(wrong.name, half, "nothing_offered" if rejected else "answered")
            for offer in found:
                outcome, failure = await judge(asked, drawing, wrong, offer, first)
                name = "corrections" if offer.how == "correction" else wrong.name
                tally.add(name, half, outcome, failure)


def main() -> int:
    """Run the eval; return its exit code."""
    options = options_of(__doc__)
    tally = Tally(options)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(run_all(options, tally, Path(temporary)))
    good = ("kept", "nothing_offered", "answered")
    return tally.settle(__file__, OUTCOMES, FAULTS, good, options, same_cases=False)


if __name__ == "__main__":
    sys.exit(main())
