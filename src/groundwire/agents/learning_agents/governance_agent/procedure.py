"""Quality of what is held: cards without proof, cards that fail again and again, who rated."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import Answers, Call, Procedure, Result
from groundwire.agents.learning_agents.task import Task
from groundwire.agents.learning_agents.telling import picked, result, rows, text

LIST, CALIBRATION, CONCEPTS = "list_cards", "query_calibration", "query_concepts"
_STATES = {"draft": "no quote proves it", "leech": "it is forgotten again and again"}
_LISTED = 100


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """List drafts and leeches, and ask who rated and how the concept graph is covered."""
    deck: dict[str, JsonValue] = {"deck": task.deck} if task.deck else {}
    of: dict[str, JsonValue] = {"of": task.deck} if task.deck else {}
    listed: list[Call] = [(LIST, {**deck, "state": one, "limit": _LISTED}) for one in _STATES]
    return [*listed, (CALIBRATION, {**of, "source": "schedule"}), (CONCEPTS, {})]


def tell(task: Task, answers: Answers) -> Result:
    """Tell each flag with its cards, and what blocks a card from being due."""
    flags: list[JsonValue] = []
    lines: list[str] = []
    for one in answers.of(LIST):
        state = text(one.arguments, "state")
        cards = rows(one.data, "cards")
        if one.data.get("status") == "found":
            flags.append(
                {
                    "flag": state,
                    "why": _STATES[state],
                    "blocks": state == "draft",
                    "cards": [picked(card, "card_id", "front", "lapses") for card in cards],
                }
            )
        more = " or more" if one.data.get("next_cursor") else ""
        if one.data.get("status") in ("found", "empty"):
            lines.append(f"Cards flagged {state} ({_STATES[state]}): {len(cards)}{more}.")
        else:
            lines.append(text(one.data, "answer"))
    shares = answers.data(CALIBRATION).get("rated_by")
    if isinstance(shares, dict) and shares.get("host"):
        flags.append({"flag": "rated_by_host", "why": "no learner rated these", **shares})
        lines.append(f"Reviews that only a model rated: {shares['host']}; no estimate counts them.")
    if concepts := text(answers.data(CONCEPTS), "answer"):
        lines.append(concepts)
    return result(
        lines,
        answers,
        flags=flags,
        rated_by=dict(shares) if isinstance(shares, dict) else None,
        graph=list(rows(answers.data(CONCEPTS), "metrics")),
    )


PROCEDURE = Procedure(plan, tell)
