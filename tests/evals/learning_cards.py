"""Whether false cards are let through, and true ones refused: 5,000 made from `learning_cards/`.

A true card is as a person wrote it, or a cloze of the same quote. A false one has its number,
date, name, negation or unit changed, or quotes another passage; half of the changed values stand
in the passage themselves. The passages of `held_out.toml` were not looked at while the checks were
written; those of `third_hand*.toml` and `fresh*.toml` were written by somebody else, who had not
read the checks, and so were `paraphrased*.toml`, whose true cards are in other words than their
quotes. The failures of those of them that are held out are counted, never shown.
A card that its quote leaves open is kept as a draft, with the reason: such a false card is not let
through, and such a true one is counted apart from those refused. At first sight 20 % of the false
cards of `fresh.toml` and 33 % of the held-out ones passed; 22 % and 78 % of the true were refused.
Of `paraphrased*.toml` 27 % of the false cards passed in either half at first sight, and 73 and 60 %
of the true ones were not active. Of `reworded*.toml`, 90 cards by another hand, 15 and 10 % of the
false cards passed at first sight, 20 and 8 % of the true were refused, and 56 % were not active. Of
`varied*.toml`, 110 cards on sources of many kinds, 7.4 % of the false ones passed in either half at
first sight, 54 % of the true ones were not active, and 7 and 14 % were refused. Of
`restated*.toml`, 140 cards by classes of falseness (swapped roles, dropped conditions, other
degrees, causes, ...), 5 and 7.5 % of the false ones passed at first sight, 53 and 83 % of the true
were not active. Of four lists of 60 to 119 false cards, each written against the checks as they
then were, 17 to 30 % passed at first sight; they are tests now
(`tests/learning/cards/false_cards.toml`), but for 13 that still pass. Of six further lists of 39 to
146 false cards of relations, written one after the other, 24, 28, 25, 21, 9 and 5 % passed at first
sight; they are tests, too (`role_cards.toml`), but for 12. Of `studied*.toml`, 143 cards on texts
that people study, 2.6 % of the false ones passed in one half at first sight and none in the other;
31 and 28 % of the true ones were not active, 3 and 6 % refused. Of three lists of 115 and 116 false
cards on such texts, each written against the checks as they then were, 10, 9 and 13 % passed at
first sight; they are tests (`study_cards.toml`), but for 3 that still pass. Of four lists of 107,
77, 66 and 20 false cards on who acts in a passive and on which of two things an answer belongs to,
12, 26, 15 and 20 % passed at first sight; they are tests (`pair_cards.toml`), but for 8 that still
pass. The last was written after the two held-out cards that then passed, of `paraphrased` and of
`restated`, had been read, since no list had found their class; those two are held out no more.
Of `lessons*.toml`, 120 cards on lessons of many kinds, one false card passed in either half at
first sight (3.3 %), 53 and 43 % of the true ones were not active, none and one of 30 were refused.
Beside the checks two baselines are shown: none, and a search for the back in the quote.
Run: python tests/evals/learning_cards.py [--half seen|held_out|third_hand|third_hand_later|
    third_hand_last|fresh|fresh_held_out|paraphrased|paraphrased_held_out|reworded|
    reworded_held_out|varied|varied_held_out|restated|restated_held_out|studied|
    studied_held_out|lessons|lessons_held_out|all] [--show]
    [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.learning.cards.checks import check_card  # noqa: E402
from groundwire.learning.cards.types import CardDraft, Passage, leaves_open  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

CASES = Path(__file__).parent / "learning_cards"
# The choice of cases is fixed, so that a half held out stays held out; --seed draws a fraction.
SEED = 20261123
FALSE_CARDS = 5_000
_BY_HAND = (
    "third", "fresh", "paraphrased", "reworded", "varied", "restated", "studied", "lessons",
)  # fmt: skip
_NEVER_SHOWN = (
    "fresh_held_out",
    "paraphrased_held_out",
    "reworded_held_out",
    "varied_held_out",
    "restated_held_out",
    "studied_held_out",
    "lessons_held_out",
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+(?=[A-ZÄÖÜ])|(?=[\u4e00-\u9fff]))")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MONTHS = ("January", "March", "May", "August", "October", "November")
_UNITS = {
    "km/h": ("m/s", "mph"),
    "km": ("miles", "m", "Meilen"),
    "mm": ("cm", "inches"),
    "m": ("feet", "km", "cm"),
    "kg": ("g", "tonnes", "pounds"),
    "g": ("kg", "mg"),
    "tonnes": ("kg", "pounds"),
    "litres": ("millilitres", "gallons"),
    "°C": ("°F", "K"),
    "%": ("percentage points", "‰"),
    "hours": ("minutes", "days"),
    "days": ("hours", "weeks"),
    "weeks": ("months", "days"),
    "years": ("months", "decades"),
    "minutes": ("seconds", "hours"),
    "bytes": ("bits", "kilobytes"),
    "bits": ("bytes", "kilobytes"),
    "million": ("billion", "thousand"),
    "Millionen": ("Milliarden",),
    "公里": ("米", "英里"),
    "米": ("公里", "英尺"),
    "度": ("公里",),
}
_WORDS = {"Four": ("Three", "Two", "Six"), "six": ("five", "eight", "nine")}
_NEGATED = (
    (re.compile(r"^(?:No|Nein), .*"), "Yes"),
    (re.compile(r"\bno "), ""),
    (re.compile(r"\bnever (\w+)ed\b"), r"\1ed"),
    (re.compile(r"\bmust not be\b"), "must be"),
    (re.compile(r"\bdoes not\b"), "does"),
    (re.compile(r"\bcannot be\b"), "can be"),
    (re.compile(r"\bnicht "), ""),
    (re.compile(r"\bnicht\?"), "?"),
    (re.compile(r" not\b"), ""),
)
_ADDED = (
    (re.compile(r"\b(is|are|was|has|have|does|ist|wird|hat)\b(?! not| no)"), r"\1 not"),
    (re.compile(r"\b(may|must|can|should)\b(?! not)"), r"\1 not"),
)
# A name as it is written within a sentence.
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-zA-Z]{2,}(?: [A-Z][a-z]+)*")
_HAS_NEGATION = re.compile(r"\b(?:no|not|never|cannot|nicht|nein)\b|不", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Case:
    """A card with what is known of it."""

    kind: str
    card: CardDraft
    passage: Passage
    is_true: bool
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Known:
    """A true card with its passage and wrong answers of its kind."""

    card: CardDraft
    passage: Passage
    others: tuple[str, ...]
    language: str


def sentences(text: str) -> list[str]:
    """The sentences of a passage of these files, whose abbreviations hold no full stop."""
    return [one for one in _SENTENCE.split(text) if one]


def known_cards(half: str) -> list[Known]:
    """The true cards of one file."""
    tables: dict[str, Any] = tomllib.loads((CASES / f"{half}.toml").read_text("utf-8"))
    found: list[Known] = []
    for number, one in enumerate(tables["passages"]):
        text = one["text"]
        passage = Passage(f"{half}-{number}", text, one["title"], one["locator"])
        language = "zh" if text[0] > "\u3000" else "de" if "Abschnitt" in one["locator"] else "en"
        parts = sentences(text)
        for card in one["cards"]:
            quote = " ".join(parts[place - 1] for place in card["quote"])
            assert quote in text, quote
            draft = CardDraft(
                type=card.get("type", "atomic"),
                front=card["front"],
                back=card["back"],
                quote=quote,
                passage_id=passage.passage_id,
            )
            found.append(Known(draft, passage, tuple(card.get("others", ())), language))
    return found


def true_cases(known: Sequence[Known]) -> Iterator[Case]:
    """Each card as it was written, with a longer quote, and as a cloze of its quote."""
    for one in known:
        yield Case("as written", one.card, one.passage, True, one.language)
        parts = sentences(one.passage.text)
        place = parts.index(one.card.quote)
        for more in (parts[place : place + 2], parts[max(0, place - 1) : place + 1]):
            joint = "" if one.language == "zh" else " "
            longer = replace(one.card, quote=joint.join(more))
            if longer.quote != one.card.quote and longer.quote in one.passage.text:
                yield Case("longer quote", longer, one.passage, True, one.language)
        whole = replace(one.card, quote=one.passage.text)
        yield Case("whole passage quoted", whole, one.passage, True, one.language)
        back = one.card.back.rstrip(".")
        lowered = back[0].lower() + back[1:]
        for answer in (back, lowered):
            if one.card.type == "atomic" and one.card.quote.count(answer) == 1:
                front = one.card.quote.replace(answer, "{{c1::" + answer + "}}")
                cloze = replace(one.card, type="cloze", front=front, back=answer)
                yield Case("cloze", cloze, one.passage, True, one.language)
                break


def changed_numbers(one: Known, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Backs in which a number is another: of the passage, or near to the right one."""
    back = one.card.back
    for word, others in _WORDS.items():
        if re.search(rf"\b{word}\b", back):
            yield from (("number", back.replace(word, other)) for other in others)
    for found in _NUMBER.finditer(back):
        is_year = _YEAR.fullmatch(found[0]) is not None
        kind = "date" if is_year or re.search(r"[a-z] \d{4}$", back) else "number"
        others = {other for other in _NUMBER.findall(one.passage.text) if other != found[0]}
        same = {other for other in others if (_YEAR.fullmatch(other) is not None) == is_year}
        for other in sorted(same or others):
            yield f"{kind} of the passage", back[: found.start()] + other + back[found.end() :]
        for _ in range(60):
            digits = list(found[0])
            place = rng.choice([n for n, digit in enumerate(digits) if digit.isdigit()])
            digits[place] = rng.choice([d for d in "123456789" if d != digits[place]])
            yield kind, back[: found.start()] + "".join(digits) + back[found.end() :]
    for month in ("September", "July", "May"):
        if re.search(rf"\d {month} ", back):
            yield from (("date", back.replace(month, other)) for other in _MONTHS if other != month)


def changed_units(one: Known) -> Iterator[tuple[str, str]]:
    """Backs in which a unit or scale word is another."""
    for unit, others in _UNITS.items():
        found = re.search(rf"(?<=[\d ]){re.escape(unit)}(?![\w/])", one.card.back)
        if found is None and unit in "公里米度":
            found = re.search(rf"(?<=\d){unit}", one.card.back)
        if found is not None:
            back = one.card.back
            for other in others:
                yield "unit", back[: found.start()] + other + back[found.end() :]
            return


def changed_names(
    one: Known, pool: Sequence[Known], rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Backs that name another thing: of the passage, or of other cards of the language."""
    for other in one.others:
        inner = re.sub(r"^(?:The|In|From|To|Im|In die|In das|Die|Because it forms no) ", "", other)
        kind = "name of the passage" if inner in one.passage.text else "name"
        yield kind, other
    if one.others:
        backs = [
            other.card.back
            for other in pool
            if other.others
            and other.language == one.language
            and other.passage is not one.passage
            and not _NUMBER.search(other.card.back)
        ]
        yield from (("name", other) for other in rng.sample(backs, min(60, len(backs))))


def changed_negations(one: Known) -> Iterator[tuple[str, CardDraft]]:
    """Cards in which a negation is dropped from back or front, or put before the back."""
    card = one.card
    for pattern, into in _NEGATED:
        for field in ("back", "front"):
            text = getattr(card, field)
            without = pattern.sub(into, text, count=1)
            # Where the back has a negation of its own, one in the front changes nothing.
            own = field == "front" and _HAS_NEGATION.search(card.back) is not None
            if without != text and not own:
                yield "negation", replace(card, **{field: without})
    negated = any(
        word in f" {card.front} {card.back}".lower()
        for word in (" no ", " not ", " nicht ", "never")
    )
    if not negated and card.type == "atomic" and not card.back.startswith("It"):
        word = {"en": "Not ", "de": "Nicht ", "zh": "不是"}[one.language]
        back = card.back if one.language == "de" else card.back[0].lower() + card.back[1:]
        yield "negation", replace(card, back=word + back)


def changed_fronts(
    one: Known, pool: Sequence[Known], rng: random.Random
) -> Iterator[tuple[str, CardDraft]]:
    """Questions about another thing: a name of this passage, or of others, in place of theirs."""
    front = one.card.front
    if one.language != "en" or one.card.type != "atomic":
        return
    own = {name for name in _NAME.findall(one.passage.text) if name not in one.card.back}
    far = sorted({name for other in pool for name in _NAME.findall(other.passage.text)} - own)
    for found in _NAME.finditer(front, 1):
        near = sorted(name for name in own if name not in front)
        for kind, names in (("near", near), ("far", rng.sample(far, min(6, len(far))))):
            for name in names:
                if name not in front and name not in one.card.back:
                    changed = front[: found.start()] + name + front[found.end() :]
                    yield f"{kind} name in the front", replace(one.card, front=changed)


def changed_clozes(one: Known, rng: random.Random) -> Iterator[tuple[str, CardDraft]]:
    """Clozes of the quote whose sentence is changed outside of the hole: a figure, a negation."""
    quote = one.card.quote
    words = [w for w in re.findall(r"[A-ZÄÖÜa-zäöü]{4,}", quote) if quote.count(w) == 1]
    if not words:
        return
    word = rng.choice(words)

    def cloze(text: str) -> CardDraft:
        front = text.replace(word, "{{c1::" + word + "}}", 1)
        return replace(one.card, type="cloze", front=front, back="")

    for found in _NUMBER.finditer(quote):
        for _ in range(4):
            digit = rng.choice([d for d in "123456789" if d != found[0][-1]])
            changed = quote[: found.start()] + found[0][:-1] + digit + quote[found.end() :]
            yield "number of a cloze", cloze(changed)
    for pattern, into in (*_NEGATED[1:], *_ADDED):
        changed = pattern.sub(into, quote, count=1)
        if changed != quote and word in changed:
            yield "negation of a cloze", cloze(changed)


def false_cases(
    known: Sequence[Known], pool: Sequence[Known], rng: random.Random
) -> Iterator[Case]:
    """Every change of every card; what says the same as before is no case."""
    for one in known:
        changed: list[tuple[str, str]] = [
            *changed_numbers(one, rng),
            *changed_units(one),
            *changed_names(one, pool, rng),
        ]
        for kind, back in changed:
            if back == one.card.back:
                continue
            front = one.card.front.replace(f"::{one.card.back}}}", f"::{back}}}")
            card = replace(one.card, front=front, back=back)
            yield Case(kind, card, one.passage, False, one.language)
            if kind.endswith("of the passage"):
                card = replace(card, quote=one.passage.text)
                yield Case(f"{kind}, all quoted", card, one.passage, False, one.language)
        for kind, card in (
            *changed_negations(one),
            *changed_clozes(one, rng),
            *changed_fronts(one, pool, rng),
        ):
            yield Case(kind, card, one.passage, False, one.language)
        elsewhere = [
            (other.passage, quote)
            for other in {other.passage: other for other in pool}.values()
            if other.passage is not one.passage
            for quote in sentences(other.passage.text)
        ]
        for passage, quote in rng.sample(elsewhere, 26):
            card = replace(one.card, quote=quote, passage_id=passage.passage_id)
            yield Case("other passage", card, passage, False, one.language)


def cases(half: str) -> list[Case]:
    """All cases of a half, the false ones drawn to half of `FALSE_CARDS`, without repetition."""
    rng = random.Random(f"{SEED}{half}")
    known = known_cards(half)
    made = {
        (case.card.front, case.card.back, case.card.quote): case
        for case in false_cases(known, known, rng)
    }
    false = list(made.values())
    rng.shuffle(false)
    return [*true_cases(known), *false[: FALSE_CARDS // 2]]


def third_hand(name: str) -> list[Case]:
    """Cards written one by one by somebody who had not read the checks, true ones and false."""
    tables: dict[str, Any] = tomllib.loads((CASES / f"{name}.toml").read_text("utf-8"))
    found: list[Case] = []
    for number, one in enumerate(tables["passages"]):
        passage = Passage(f"{name}-{number}", one["text"], one["title"], one["locator"])
        for card in one["cards"]:
            draft = CardDraft(
                type=card.get("type", "atomic"),
                front=card["front"],
                back=card["back"],
                quote=card["quote"],
                passage_id=passage.passage_id,
            )
            kind = card.get("kind", "honest")
            found.append(Case(kind, draft, passage, card["holds"], one["language"]))
    return found


def fresh(name: str) -> list[Case]:
    """Cases of a file whose passages have names, and whose cards say what is wrong with them."""
    tables: dict[str, Any] = tomllib.loads((CASES / f"{name}.toml").read_text("utf-8"))
    passages = {
        key: Passage(f"{name}-{key}", one["text"], key, "")
        for key, one in tables["passages"].items()
    }
    return [
        Case(
            "honest" if one["honest"] else "false",
            CardDraft(
                type=one.get("type", "atomic"),
                front=one["front"],
                back=one["back"],
                quote=one["quote"],
                passage_id=f"{name}-{one['passage']}",
            ),
            passages[one["passage"]],
            one["honest"],
            one["language"],
        )
        for one in tables["card"]
    ]


def literally(case: Case) -> bool:
    """The baseline: a card passes whose back stands in its quote and whose quote is in the text."""
    back = case.card.back.casefold().rstrip(".")
    return back in case.card.quote.casefold() and case.card.quote in case.passage.text


def checked(case: Case) -> bool:
    """Whether the checks let a card through."""
    return not check_card(case.card, case.passage)


def is_offered(case: Case) -> bool:
    """Whether a card is proven, or what the checks offer instead of it is."""
    gaps = check_card(case.card, case.passage)
    offered = [one for gap in gaps for one in gap.suggestions if "{{c1::" in one]
    clozes = [replace(case.card, type="cloze", front=one, back="") for one in offered]
    return not gaps or any(not check_card(one, case.passage) for one in clozes)


def is_refused(case: Case) -> bool:
    """Whether a card is not kept even as a draft."""
    return not leaves_open(check_card(case.card, case.passage))


def main() -> int:
    """Run the cases of one half or both; the exit code."""
    halves = ("seen", "held_out", "third_hand", "third_hand_later", "third_hand_last")
    halves += ("fresh", "fresh_held_out", "paraphrased", "paraphrased_held_out")
    halves += ("reworded", "reworded_held_out", "varied", "varied_held_out")
    halves += ("restated", "restated_held_out", "studied", "studied_held_out")
    halves += ("lessons", "lessons_held_out")
    half = sys.argv[sys.argv.index("--half") + 1] if "--half" in sys.argv else "all"
    show = "--show" in sys.argv
    rest = [a for a in sys.argv[1:] if a not in ("--show", "--half", *halves, "all")]
    options = arguments(__doc__, rest)
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    for name in halves if half == "all" else (half,):
        by_hand = name.startswith(_BY_HAND)
        found = (
            fresh(name)
            if name.startswith("fresh")
            else third_hand(name)
            if by_hand
            else cases(name)
        )
        if options.fraction < 1 and not by_hand:
            # True cards are few, so that all of them are run.
            rng = random.Random(options.seed)
            false = [case for case in found if not case.is_true]
            drawn = rng.sample(false, round(len(false) * options.fraction))
            found = [*(case for case in found if case.is_true), *drawn]
        judge: dict[str, Callable[[Case], bool]] = {"checks": checked, "literal": literally}
        passed = {one: [run(case) for case in found] for one, run in judge.items()}
        for truth, label in ((False, "false let through"), (True, "true not active")):
            counts: Counter[str] = Counter()
            wrong: dict[str, Counter[str]] = {one: Counter() for one in judge}
            for place, case in enumerate(found):
                if case.is_true is not truth:
                    continue
                counts[case.kind] += 1
                for one in judge:
                    is_wrong = passed[one][place] is not truth
                    wrong[one][case.kind] += is_wrong
                    if is_wrong and show and name not in _NEVER_SHOWN and one == "checks":
                        why = check_card(case.card, case.passage)
                        print(
                            f"{name} {label} ({case.kind}): {case.card.front} | {case.card.back}"
                            f" | {case.card.quote} | {[(one.reason, one.detail) for one in why]}"
                        )
            for kind in sorted(counts):
                row = (counts[kind], wrong["checks"][kind], wrong["literal"][kind])
                rows.append((f"{name}: {label}: {kind}", *row))
            total = counts.total()
            share = 100 * wrong["checks"].total() / max(1, total)
            rows.append(
                (f"{name}: {label}: all", total, wrong["checks"].total(), wrong["literal"].total())
            )
            key = "false_let_through_percent" if not truth else "true_not_active_percent"
            figures.setdefault(name, {})[key] = round(share, 2)
        true = [case for case in found if case.is_true]
        refused = sum(map(is_refused, true))
        rows.append((f"{name}: true refused, not even a draft", len(true), refused, ""))
        offered = sum(map(is_offered, true))
        rows.append((f"{name}: true proven, or offered as a proven cloze", len(true), offered, ""))
        share = 100 * offered / max(1, len(true))
        figures[name]["true_proven_or_offered_percent"] = round(share, 2)
        figures[name]["true_refused_percent"] = round(100 * refused / max(1, len(true)), 2)
    print(table(("cases", "number", "checks wrong", "literal wrong"), rows))
    print(figures)
    lower = {"false_let_through_percent", "true_refused_percent", "true_not_active_percent"}
    return Ratchet(__file__, lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
