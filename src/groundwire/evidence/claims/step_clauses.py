"""The acts that a step tells one to do: the verb of each of its clauses and the nouns beside it.

"Open Settings and put the block into the file" does not tell one to open the block. Words that
carry no fact elsewhere, such as server or put, count here: they are what is done, and with what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from groundwire.language import Span as Word
from groundwire.language import Token

_APART = frozenset((*",;:，；：。", "before", "bevor", "after", "nachdem", "once"))
_THINGS = frozenset(("noun", "name", "adjective", "other"))
_PRONOUNS = frozenset(("it", "them", "es", "ihn", "its", "它"))
_ACTION = "="
_AGAIN = frozenset(("=again", "again"))
_Forms = Callable[[Token], frozenset[str]]


@dataclass(slots=True)
class Clause:
    """A clause of a step.

    Attributes:
        actions: what its verbs mean.
        things: the forms of each other word that names something.
        points: whether a pronoun stands for something told before.
    """

    actions: set[str] = field(default_factory=set[str])
    things: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    points: bool = False


def clauses_of(spans: Sequence[Word], forms_of: _Forms) -> list[Clause]:
    """Return the clauses of a step, each with its verb; what has none goes on with the last."""
    found = [Clause()]
    is_pronoun = False
    for span in spans:
        is_joint = span.role is not None and span.role.sense == "conjunction"
        if is_joint or span.text.casefold() in _APART:
            found.append(Clause())
            continue
        for token in span.tokens:
            clause, forms = found[-1], forms_of(token)
            actions = {form for form in forms if form[0] == _ACTION and " " not in form}
            begins = not (clause.actions or clause.things)
            if actions and (token.tag == "verb" or begins or is_pronoun):
                clause.actions |= set[str]() if is_pronoun else actions  # "the block it prints"
            elif token.text.casefold() in _PRONOUNS:
                clause.points = True
            elif token.tag in _THINGS and not (forms & _AGAIN or _orders(span)):
                own = actions if span.is_silent else forms  # "server" is not "servers"
                clause.things.append(frozenset((*own, f"'{token.text.casefold()}")))
            is_pronoun = token.text.casefold() in _PRONOUNS
    told = found[:1]
    for clause in found[1:]:
        if clause.actions and told[-1].actions:
            told.append(clause)
        else:  # ", under servers"
            told[-1].actions |= clause.actions
            told[-1].things += clause.things
            told[-1].points |= clause.points
    return told


def _orders(span: Word) -> bool:
    return span.role is not None and span.role.role == "order"


def tells_clauses(told: Sequence[Clause], recorded: Sequence[Clause], *, silent: bool) -> bool:
    """Whether each clause of a draft has its verb and its things in one clause of a step.

    Args:
        told: the clauses of the draft.
        recorded: those of the step.
        silent: whether just the things count that carry no fact elsewhere.
    """
    every = [one for clause in recorded for one in clause.things]
    known = frozenset[str]().union(*every)
    for clause in told:
        things = [one for one in clause.things if not silent or all(f[0] in "'=" for f in one)]
        own = [one for one in things if one & known]
        if len(own) < sum(not _is_chinese(one) for one in things):
            return False
        if (
            clause.actions
            and (own or not silent)
            and not any(
                clause.actions & one.actions and _has(own, recorded, at)
                for at, one in enumerate(recorded)
            )
        ):
            return False
    return True


def _has(own: Sequence[frozenset[str]], recorded: Sequence[Clause], at: int) -> bool:
    """Whether a clause has some things, of which a pronoun of it may stand for those before."""
    before = recorded[at - 1].things if at and recorded[at].points else []
    own_things = frozenset[str]().union(*recorded[at].things, *before)
    return all(one & own_things for one in own)


def _is_chinese(forms: frozenset[str]) -> bool:
    return any(form[:1] >= "\u2e80" for form in forms)
