"""Cards that agents draft from passages: searched, sent to be proven, and told as accepted.

A model may draft its own cards. They are sent only if each has a quote, goes to the deck that was
asked for, and is kept only where the task says so; what the server accepts is proven by its quote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import (
    Answers,
    Call,
    Result,
    Row,
    picked,
    result,
    rows,
    sentences,
    text,
)
from groundwire.agents.learning_agents.sentences import (
    Definition,
    card,
    clozes,
    definitions,
    names,
    topic_words,
)
from groundwire.agents.learning_agents.task import Task
from groundwire.safe_text import safe_name

SEARCH, SUBMIT = "search_sources", "submit_cards"
NO_DECK = "Drafts"
"""The deck that a dry run names where the task names none."""

_OF_CARD = ("card_id", "type", "front", "back", "state", "proof", "source", "locator", "passage_id")
_UNQUOTED = "Only cards with a quote are sent: quote a passage of search_sources, letter by letter."
_OTHER_DECK = "Cards go to the deck that was asked for and to no other."
_PROVEN = "Only cards that their quotes prove are kept: send proven_only true."
_TOO_MANY = "More cards than were asked for are not sent."
_DRY = "No deck was asked for, so cards are only checked: send dry_run true."


def keeps(task: Task) -> bool:
    """Whether accepted cards are kept: a deck is named, and no dry run was asked for."""
    return bool(task.deck) and not task.flag("dry_run")


def search(task: Task, limit: int) -> Call:
    """Return the search for a task's topic, else for the words of its question."""
    sent: dict[str, JsonValue] = {"query": task.topic or task.question, "limit": limit}
    if source := task.text("source"):
        sent["source"] = source
    return SEARCH, sent


def submit(task: Task, answers: Answers, card_type: str, count: int) -> list[Call]:
    """Return the call that has cards of the passages proven; none where none can be drafted."""
    passages = rows(answers.data(SEARCH), "passages")
    drafted = [card(one, card_type) for one in _about(task, list(definitions(passages)))]
    defined = [one["quote"] for one in drafted]
    drafted += [one for one in clozes(passages, task.topic) if one["quote"] not in defined]
    drafted = drafted[:count]
    if not drafted:
        return []
    sent: dict[str, JsonValue] = {
        "deck": task.deck or NO_DECK,
        "cards": list(drafted),
        "proven_only": True,
    }
    return [(SUBMIT, sent if keeps(task) else sent | {"dry_run": True})]


def _about(task: Task, found: Sequence[Definition]) -> Sequence[Definition]:
    """The definitions that have every word of a topic, else those that have one; all without it."""
    words = topic_words(task.topic)
    shared = [sum(names(one.sentence, word) for word in words) for one in found]
    least = len(words) if len(words) in shared else min(1, len(words))
    return [one for one, count in zip(found, shared, strict=True) if count >= least]


def permit(task: Task, sent: Mapping[str, JsonValue], count: int) -> str | None:
    """Return why a model's own cards are not sent, or None where they may be."""
    cards = rows(sent, "cards")
    if not cards or not all(text(one, "quote") for one in cards):
        return _UNQUOTED
    if len(cards) > count:
        return _TOO_MANY
    if sent.get("proven_only") is not True:
        return _PROVEN
    if sent.get("deck") != (task.deck or NO_DECK):
        return _OTHER_DECK
    return None if keeps(task) or sent.get("dry_run") is True else _DRY


def accepted(answers: Answers) -> list[Row]:
    """The cards that were accepted with their quote."""
    found = [one for answer in answers.of(SUBMIT) for one in rows(answer.data, "accepted")]
    return [one for one in found if text(one, "proof") == "quoted"]


def tell_cards(task: Task, answers: Answers, **more: object) -> Result:
    """Tell the accepted cards with their sources, and how many were not taken and why."""
    cards = accepted(answers)
    lines = sentences(task, answers, SUBMIT)
    lines += [f"- {text(one, 'front')} → {text(one, 'back')}" for one in cards]
    passages = rows(answers.data(SEARCH), "passages")
    if not answers.of(SUBMIT):
        if passages:
            key = "no_sentence_about" if task.topic else "no_sentence"
            lines.append(task.say(key, topic=task.topic))
        else:
            known = task.topic and answers.data(SEARCH).get("status") == "empty"
            lines += (
                [task.say("no_passage", topic=safe_name(task.topic, 80))]
                if known
                else sentences(task, answers, SEARCH)
            )
        if not (task.topic or passages):
            lines.append(task.say("name_topic"))
    elif len(cards) < task.count:
        lines.append(task.say("fewer", count=task.count))
    if answers.of(SUBMIT) and not keeps(task):
        lines.append(task.say("not_kept"))
    gaps = [one for answer in answers.of(SUBMIT) for one in rows(answer.data, "gaps")]
    twins = [one for answer in answers.of(SUBMIT) for one in rows(answer.data, "duplicates")]
    kept: JsonValue = keeps(task) and bool(cards)
    return result(
        task,
        lines,
        answers,
        cards=[picked(one, *_OF_CARD) for one in cards],
        kept=kept,
        not_taken=[picked(one, "card", "reason") for one in gaps],
        duplicates=[picked(one, "card", "of", "how") for one in twins],
        sources=_sources(passages),
        **more,
    )


def _sources(passages: Sequence[Row]) -> list[Row]:
    return [picked(one, "source", "locator") for one in passages]
