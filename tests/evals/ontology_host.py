"""A host that sends slots and, when it is asked, repairs them mechanically and sends them again.

It knows nothing but what the answer says: it puts the first suggestion of each gap in the place
that the gap names, or makes the move that the suggestion spells out. Where a line tells how a
condition is to be written, it writes it so.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.plan import Plan
from groundwire.ontology.resolve import Resolver
from groundwire.ontology.results import Correction, GapItem
from groundwire.ontology.slots import Slots
from groundwire.ontology.suggestions import Sent, offer
from tests.evals.ontology_meaning import Meaning, of_plan
from tests.evals.ontology_worlds import World

_MOVE = re.compile(r"^(filters|ranges|domains|references)(?:\.([^=]+?))?\s*=\s*(.+)$", re.DOTALL)


@dataclass
class Reply:
    """What came back: a plan's meaning, or gaps, or the line of an error."""

    meaning: Meaning = None
    gaps: Sequence[GapItem] = ()
    corrections: Sequence[Correction] = ()
    error: str = ""
    slots: dict[str, Any] = field(default_factory=dict)
    plan: Plan | None = None


async def send(
    world: World,
    sent: dict[str, Any],
    sort: str = "",
    count_by: str = "",
    lexicon: Lexicon | None = None,
) -> Reply:
    """One call: the arguments are read and resolved as the server does it."""
    try:
        slots = Slots.model_validate(sent)
    except ValidationError as error:
        return Reply(error=error.errors()[0]["msg"], slots=sent)
    lexicon = lexicon or world.lexicon
    assets = tuple(
        lexicon.index.domains[domain.name]
        for domain in world.assets
        if domain.name in lexicon.index.domains
    )
    resolver = Resolver(lexicon, world.state.graph, assets)
    plan = await resolver.plan(slots, sort, count_by)
    findings = resolver.findings
    gaps = findings.gaps
    if plan is None:
        gaps = await offer(Sent(slots, sort, count_by), gaps, resolver)
    return Reply(
        plan and of_plan(plan, world.empty_paths),
        gaps,
        findings.corrections,
        slots=sent,
        plan=plan,
    )


def repaired(sent: dict[str, Any], gaps: Sequence[GapItem], choice: int = 0) -> dict[str, Any]:
    """The slots with a suggestion of each gap in its place: its first one, or a later one.

    A gap that has none is left as it is.
    """
    slots = plain(copy.deepcopy(sent))
    for gap in gaps:
        if len(gap.suggestions) > choice and gap.slot:
            _apply(slots, gap, gap.suggestions[choice])
    return slots


def plain(value: Any) -> Any:
    """JSON that was sent as text is the same JSON."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return plain(json.loads(value))
        except ValueError:
            return value
    if isinstance(value, dict):
        return {key: plain(content) for key, content in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def _apply(slots: dict[str, Any], gap: GapItem, suggestion: str) -> None:
    holder, kind, key = located(slots, gap.slot or "")
    move = _MOVE.match(suggestion)
    if move:
        _move(slots, holder, kind, key, move)
    elif kind in ("filters", "ranges"):
        conditions = holder[kind]
        if gap.term == key:
            conditions[suggestion] = conditions.pop(key)
        else:
            conditions[key] = _replaced(conditions[key], gap.term, suggestion)
    elif kind == "domain":
        holder["domain"] = suggestion
    elif kind == "domains":
        names = holder["domains"]
        names = names if isinstance(names, list) else [names]
        holder["domains"] = [suggestion if name == gap.term else name for name in names]


def located(slots: dict[str, Any], slot: str) -> tuple[dict[str, Any], str, str]:
    """The object that a slot lies in, its kind, and the key of a condition."""
    holder = slots
    while match := re.match(r"references\[(\d+)\]\.?", slot):
        inner = holder["references"]
        holder = inner[int(match[1])] if isinstance(inner, list) else inner
        slot = slot[match.end() :]
    kind, _, key = slot.partition(".")
    return holder, kind.partition("[")[0], key


def _move(
    slots: dict[str, Any], holder: dict[str, Any], kind: str, key: str, move: re.Match[str]
) -> None:
    """A suggestion that names a slot: the condition goes there, or the slot is set."""
    target, name, text = move[1], move[2], move[3]
    value = plain(text) if text[:1] in "{[" else json.loads(text) if text[:1] == '"' else text
    if target == "domains":
        slots["domains"] = value
    elif target == "references":
        condition = holder.get(kind, {}).pop(key, None)
        reference = value if isinstance(value, dict) else {"domain": value}
        if condition is not None and not ({"filters", "ranges"} & set(reference)):
            reference[kind] = {key: condition}
        sent = holder.get("references") or []
        sent = sent if isinstance(sent, list) else [sent]
        same = [
            each
            for each in sent
            if isinstance(each, dict) and each.get("domain") == reference["domain"]
        ]
        if same:
            for part in ("filters", "ranges"):
                same[0].setdefault(part, {}).update(reference.get(part, {}))
            holder["references"] = sent
        else:
            holder["references"] = [*sent, reference]
    else:
        if kind in ("filters", "ranges"):
            holder.get(kind, {}).pop(key, None)
        holder.setdefault(target, {})[name] = value


def _replaced(value: Any, term: str, suggestion: str) -> Any:
    """A condition with one of its values replaced."""
    if isinstance(value, dict):
        return {key: _replaced(content, term, suggestion) for key, content in value.items()}
    if isinstance(value, list):
        return [_replaced(item, term, suggestion) for item in value]
    return suggestion if str(value).strip().lower() == term.lower() else value
