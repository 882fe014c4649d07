"""A question for a change since a year, read as one from that year to the newest with a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.language.asking import asked_in
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.standing import newest_period
from groundwire.metrics.terms import TOTAL

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_SPANS = {"en": "from {} to {}", "de": "von {} bis {}", "zh": "{}年到{}年"}


def until_newest(state: State, question: str, intent: ParsedIntent, since: re.Pattern[str]) -> str:
    """Return a question with both ends of its time, or as it is where the newest is not known.

    Args:
        state: the fact base.
        question: the question.
        intent: how it is read as it stands.
        since: finds the words of the earlier end, with its year as a group.
    """
    found = since.search(question)
    entity = intent.entity or next(iter(intent.entities), "")
    if found is None or not intent.metrics or not entity:
        return question
    newest = newest_period(state, intent.metrics[0], entity, intent.channel or TOTAL)
    year = next(filter(None, found.groups()), "")
    if newest is None or not newest.label.isdigit() or not year < newest.label:
        return question
    span = _SPANS[asked_in(question)].format(year, newest.label)
    return f"{question[: found.start()]}{span}{question[found.end() :]}"
