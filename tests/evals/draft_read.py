"""Drafts as models write them, over what the servers recorded, judged by what stands around them.

`draft_records.json` holds what calls of the servers recorded, `draft_read.toml` the drafts: in
English, German and Chinese, with tables, lists and prose. They were written before the rules of the
check were read, and their first figures were: of 118 false statements 78 caught, 32 accepted, 8 not
judged; of 417 claims that are true 54 flagged.

`draft_read_later.toml` was written when those were mended, again before the rules were read, over
other records, with other kinds of falsehood. Its first figures: of 137 false statements 82 caught,
28 accepted, 27 not judged; of 508 claims that are true 97 flagged.

`draft_read_held_out.toml` was written when those were mended, by who knew the rules, and run once;
no rule was chosen by it. Its figures: of 32 false statements 31 caught, 1 accepted; of 109 claims
that are true 5 flagged.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.evidence.claims.check import check
from groundwire.evidence.claims.claim import Check, Claim
from groundwire.evidence.records import Derivation, Draft, Item, Record, Value

HERE = Path(__file__).parent
FILES = {
    "as read": ("draft_read.toml", "draft_records.json"),
    "as read later": ("draft_read_later.toml", "draft_records_later.json"),
    "as read, held out": ("draft_read_held_out.toml", "draft_records_later.json"),
}
FALSE, TRUE, NO_CLAIM = "-", "+", "~"
_MARKED = re.compile(r"\{([-+~])(.*?)\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Seen:
    """One draft with its marks taken out.

    Attributes:
        world: whose records it is about.
        sort: what it tries.
        text: the draft.
        spans: what is marked, with its mark.
    """

    world: str
    sort: str
    text: str
    spans: tuple[tuple[str, int, int], ...]


def drafts(file: str) -> Iterator[Seen]:
    """Every draft of a file."""
    for one in tomllib.loads((HERE / file).read_text("utf-8"))["draft"]:
        text, position = "", 0
        spans: list[tuple[str, int, int]] = []
        for match in _MARKED.finditer(one["text"]):
            text += one["text"][position : match.start()]
            spans.append((match[1], len(text), len(text) + len(match[2])))
            text += match[2]
            position = match.end()
        yield Seen(one["world"], one["sort"], text + one["text"][position:], tuple(spans))


def records(file: str) -> dict[str, list[Record]]:
    """The records of every world of a file."""
    held = json.loads((HERE / file).read_text("utf-8"))
    return {
        world: [_record(f"ev_{world}{number}", one) for number, one in enumerate(some)]
        for world, some in held.items()
    }


def _record(evidence_id: str, held: dict[str, Any]) -> Record:
    draft = Draft(
        tuple(_value(*entry) for entry in held["values"]),
        tuple(Derivation(op, tuple(at), *rest) for op, at, *rest in held["derivations"]),
        vocabulary=tuple(held["vocabulary"]),
    )
    made = held["created"]
    return Record(
        evidence_id, 1, "local", held["tool"], held["arguments"], made, draft,
        None, None, False, "", "",
    )  # fmt: skip


def _value(*entry: Any) -> Value:
    name, value, kind, unit, entity, iri, labels, period, source, *more = entry
    item = Item(*map(tuple, more[0])) if more else None
    return Value(name, value, kind, unit, entity, iri, tuple(labels), period, source, item)


def is_flagged(claim: Claim) -> bool:
    """Whether a claim is to be corrected."""
    return claim.status in ("contradicted", "unsupported")


def is_held(claim: Claim) -> bool:
    """Whether a claim passes as right."""
    return claim.status in ("supported", "derived")


def judged(seen: Seen, result: Check) -> Iterator[tuple[str, str, bool]]:
    """What became of the marked statements and of the claims that are true.

    Yields:
        What was judged ("false statements accepted", ...), its text, and whether it is so.
    """
    for mark, start, end in seen.spans:
        said = seen.text[start:end]
        over = [c for c in result.claims if c.start < end and start < c.end]
        caught = any(map(is_flagged, over))
        passes = all(map(is_held, over)) and (bool(over) or result.verdict == "supported")
        if mark == FALSE:
            yield "false statements not judged", said, not caught and not passes
            yield "false statements accepted", said, not caught and passes
        elif mark == TRUE:
            yield "true statements not judged", said, not caught and not passes
        else:
            yield "no statements, and judged", said, bool(over)
    false = [(start, end) for mark, start, end in seen.spans if mark == FALSE]
    for claim in result.claims:
        if not any(claim.start < end and start < claim.end for start, end in false):
            yield "true claims flagged", claim.text, is_flagged(claim)


def figures(show: int = 0, classes: Iterable[str] = tuple(FILES)) -> dict[str, list[int]]:
    """Wrong outcomes of every class, and of how many; prints up to `show` of each sort."""
    return {
        f"{name}: {what}": numbers
        for name in classes
        for what, numbers in sorted(_of_class(*FILES[name], show).items())
    }


def _of_class(texts: str, recorded: str, show: int) -> dict[str, list[int]]:
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    held = records(recorded)
    for seen in drafts(texts):
        result = check(seen.text, held[seen.world])
        for what, said, is_so in judged(seen, result):
            total[what] += 1
            wrong[what] += is_so
            if is_so and wrong[what] <= show:
                print(f"--- {what}: {said!r} in {seen.text.strip()[:300]!r}")
    return {what: [wrong[what], total[what]] for what in total}
