"""What a step tells one to do with what: the verb of each of its clauses and the nouns beside it.

"Open Settings and put the block into the file" does not tell one to open the block. Words that
carry no fact elsewhere, such as server or put, count here: they are what is done, and with what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from groundwire.language import Span as Word
from groundwire.language import Token

_APART = frozenset(",;:，；：。")
_THINGS = frozenset(("noun", "name", "adjective", "other"))
_PRONOUNS = frozenset(("it", "them", "es", "ihn", "sie", "its", "它"))
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
    """Return the clauses of a step, each from one verb to the next."""
    found = [Clause()]
    begins = True
    for span in spans:
        is_joint = span.role is not None and span.role.sense == "conjunction"
        if is_joint or span.text in _APART:
            begins = True
            continue
        for token in span.tokens:
            forms = forms_of(token)
            actions = {form for form in forms if form[0] == _ACTION and " " not in form}
            if actions and (token.tag == "verb" or begins):
                found += [Clause()] if found[-1].actions and begins else []
                found[-1].actions |= actions
            elif token.text.casefold() in _PRONOUNS:
                found[-1].points = True
            elif token.tag in _THINGS and not (forms & _AGAIN or _orders(span)):
                own = actions if span.is_silent else forms  # "server" is not "servers"
                found[-1].things.append(frozenset((*own, f"'{token.text.casefold()}")))
            begins = begins and token.tag in ("function", "sign")
    return found


def _orders(span: Word) -> bool:
    return span.role is not None and span.role.role == "order"


def tells_clauses(told: Sequence[Clause], recorded: Sequence[Clause]) -> bool:
    """Whether each clause of a draft has its verb and its things in one clause of a step."""
    every = [one for clause in recorded for one in clause.things]
    known = frozenset[str]().union(*every)
    for clause in told:
        own = [one for one in clause.things if one & known]
        if len(own) < sum(not _is_chinese(one) for one in clause.things):
            return False
        if clause.actions and not any(
            clause.actions & one.actions and _has(own, recorded, at)
            for at, one in enumerate(recorded)
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
