"""Sentences about due cards, mastery, calibration and policy, true and false, in two languages.

Learners are drawn, the tools are asked, and each sentence of `learning_claims.toml` (and of
`learning_claims_held_out.toml`, as a class of its own) is said once with the recorded values and
once with others. A true one is to be supported, a false one contradicted (a number about what is
too little known: at least not supported); `false supported` counts false ones that pass.

Run: python tests/evals/learning_claims.py [--fraction 0.1] [--seed 7] [--show 5] [--held-out 1]
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests"))

from learning_worlds import World  # noqa: E402

from groundwire.evidence.claims.check import check  # noqa: E402
from groundwire.evidence.records import Draft, Record  # noqa: E402
from groundwire.learning.choosing import set_policy  # noqa: E402
from groundwire.learning.estimating import query_calibration, query_mastery  # noqa: E402
from groundwire.learning.listing import ListRequest, list_cards  # noqa: E402
from groundwire.learning.reviewing import record_review  # noqa: E402
from groundwire.learning.reviews.recording import Sent  # noqa: E402
from groundwire.learning.schedule.policy import Change  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

LEARNERS = 24
DECKS = ("Spanish", "Geology", "Anatomy", "Chess openings", "Sailing")
CONCEPTS = ("past tense", "plate tectonics", "cranial nerves", "Sicilian Defence", "knots")
FRONTS = ("hablar", "basalt", "vagus nerve", "Najdorf", "bowline", "ser", "schist", "ulna")
FILES = {"seen": "learning_claims.toml", "held out": "learning_claims_held_out.toml"}
Values = dict[str, str]
Asked = dict[str, tuple[Values, Draft]]


def studied(world: World, chance: random.Random) -> tuple[str, str, str, str]:
    """A learner after some weeks; deck, concept, a card of them, and a card without a review."""
    set_policy(world.learner, Change(day_ends="00:00 UTC"))
    deck, concept = chance.choice(DECKS), chance.choice(CONCEPTS)
    fronts = chance.sample(FRONTS, 6)
    for front in fronts:
        world.card(f"card_{front.replace(' ', '_')}", front, deck=deck, concepts=[concept])
    for _ in range(chance.randint(8, 14)):
        for front in fronts[:5]:
            if chance.random() < 0.8:
                right = chance.random() < 0.8
                sure = round(chance.uniform(0.4, 1), 2)
                card = f"card_{front.replace(' ', '_')}"
                world.review(card, "answer" if right else "no idea", confidence=sure)
        world.wait(days=chance.uniform(1, 5))
    for number in range(chance.randint(0, 40)):
        card = world.card(f"more{number}", f"more {number}", deck=deck)
        world.review(card, None, rating="easy")
    world.wait(days=chance.uniform(20, 40))
    return deck, concept, fronts[0], fronts[5]


def asked(world: World, chance: random.Random) -> Asked | None:
    """The answers of every tool about a learner, with what their sentences need."""
    deck, concept, front, unknown = studied(world, chance)
    listed, list_draft = list_cards(world.learner, ListRequest(deck=deck, limit=50))
    mastery, mastery_draft = query_mastery(world.learner, f"card: {front}")
    known, known_draft = query_mastery(world.learner, f"concept: {concept}")
    judged, judged_draft = query_calibration(world.learner)
    nothing, nothing_draft = query_mastery(world.learner, unknown)
    if mastery.status != "estimated" or known.status != "estimated" or judged.brier is None:
        return None
    assert nothing.status == "not_enough" and mastery.interval and known.interval
    card = next((one for one in listed.cards if one.due and one.due[:10] != "2026"), None)
    card_id = f"card_{front.replace(' ', '_')}"
    done, done_draft = record_review(world.learner, Sent(card_id, "answer"))
    policy, policy_draft = set_policy(world.learner, Change(loadout="light"))
    assert done_draft is not None and done.after is not None and card is not None
    return {
        "list_cards": (
            {
                "due": str(listed.due_count), "new": str(listed.new_today), "deck": deck,
                "card": card.front, "card_due": str(card.due)[:10],
            },
            list_draft,
        ),
        "query_mastery": (
            {
                "subject": front, "value": _percent(mastery.value_text),
                "low": _one(mastery.interval.low), "high": _one(mastery.interval.high),
                "reviews": str(mastery.n_reviews),
            },
            mastery_draft,
        ),
        "query_concept": (
            {"subject": concept, "value": _percent(known.value_text)},
            known_draft,
        ),
        "query_calibration": (
            {
                "brier": f"{judged.brier.score:g}", "ece": f"{judged.ece:g}",
                "pairs": str(judged.n), "reliability": f"{judged.brier.reliability:g}",
                "uncertainty": f"{judged.brier.uncertainty:g}",
            },
            judged_draft,
        ),
        "record_review": ({"subject": front, "card_due": done.after.due[:10]}, done_draft),
        "set_learning_policy": (
            {
                "retention": _one(policy.policy.desired_retention),
                "reviews_ahead": str(policy.workload.reviews),
                "new_per_day": str(policy.policy.new_per_day),
            },
            policy_draft,
        ),
        "not_enough": ({"subject": unknown}, nothing_draft),
    }  # fmt: skip


def _percent(text: str | None) -> str:
    return (text or "").removesuffix(" %")


def _one(share: float) -> str:
    return f"{share * 100:.1f}"


def wrong(name: str, value: str, chance: random.Random) -> str:
    """Another value of the same sort, far enough to be no rounding."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        day = int(value[8:])
        return f"{value[:8]}{(day + chance.randint(2, 9)) % 28 + 1:02}"
    if name in ("deck", "card", "subject"):
        return value
    if "." in value:
        number = float(value)
        if name in ("value", "low", "high", "retention"):
            return f"{(number + chance.uniform(8, 60)) % 99:.1f}"
        return f"{number + chance.uniform(0.1, 0.5):.4f}"
    return str(int(value) + chance.randint(3, 30))


def localized(sentence: str, values: Values) -> str:
    """The sentence with its values, numbers as its language writes them."""
    german = re.search(r"[äöüß]|\b(?:ist|sind|von|beträgt|liegt|gibt|Der|Die)\b", sentence)
    shown = {
        name: value.replace(".", ",") if german and re.fullmatch(r"\d+\.\d+", value) else value
        for name, value in values.items()
    }
    return sentence.format(**shown)


def verdict(text: str, draft: Draft) -> str:
    record = Record(
        "ev_1", 1, "local", "learning", {}, "2027-03-02T09:00:00.000Z", draft, None, None, False,
        "", "",
    )  # fmt: skip
    return check(text, [record]).verdict


def main() -> int:
    options = arguments(
        __doc__, show=(0, "sentences to print"), **{"held-out": (0, "1: the held-out ones, too")}
    )
    chance = random.Random(options.seed)
    classes = list(FILES) if options.held_out or options.update else ["seen"]
    templates: dict[str, dict[str, Any]] = {
        one: tomllib.loads((Path(__file__).parent / FILES[one]).read_text("utf-8"))
        for one in classes
    }
    counted: dict[str, Counter[str]] = {one: Counter() for one in classes}
    for number in range(max(3, round(LEARNERS * options.fraction))):
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder))
            answers = asked(world, random.Random(options.seed * 1000 + number))
            world.base.close()
        if answers is None:
            continue
        for kind in classes:
            for tool, (values, draft) in answers.items():
                for truth, text in _said(templates[kind][tool], values, chance):
                    found = verdict(text, draft)
                    right = found == ("supported" if truth else "contradicted")
                    # Of what nothing is recorded no record says otherwise.
                    right |= tool == "not_enough" and not truth and found == "unsupported"
                    counted[kind][f"{'true' if truth else 'false'}"] += 1
                    counted[kind][f"{'true' if truth else 'false'} right"] += right
                    passed = not truth and found in ("supported", "supported_in_part")
                    counted[kind]["false supported"] += passed
                    if not right and options.show > 0:
                        print(f"{tool}: {'true' if truth else 'false'} is {found}: {text}")
                        options.show -= 1
    figures, rows = {}, []
    for kind, some in counted.items():
        supported = 100 * some["true right"] / max(1, some["true"])
        against = 100 * some["false right"] / max(1, some["false"])
        figures[kind] = {
            "true supported percent": round(supported, 1),
            "false contradicted percent": round(against, 1),
            "false supported": some["false supported"],
        }
        sentences = some["true"] + some["false"]
        rows.append((kind, sentences, supported, against, some["false supported"]))
    print(table(("sentences", "n", "true supp. %", "false contr. %", "false supp."), rows))
    if "held out" not in classes:
        options.fraction = min(options.fraction, 0.999)
    return Ratchet(__file__, lower={"false supported"}).settle(figures, options)


def _said(one: dict[str, Any], values: Values, chance: random.Random) -> list[tuple[bool, str]]:
    found: list[tuple[bool, str]] = []
    for sentence in one.get("sentences", ()):
        found.append((True, localized(sentence, values)))
        names = re.findall(r"\{(\w+)\}", sentence)
        others = {name: wrong(name, value, chance) for name, value in values.items()}
        if any(others[name] != values[name] for name in names):
            found.append((False, localized(sentence, others)))
    found += [(True, localized(sentence, values)) for sentence in one.get("true", ())]
    found += [(False, localized(sentence, values)) for sentence in one.get("false", ())]
    return found


if __name__ == "__main__":
    sys.exit(main())
