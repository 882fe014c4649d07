"""Who may decide what about the KG workflow, and the settings of users, kept for later prompts.

What a user set by /kg-on, /kg-off and /limit holds for this and later prompts, in every process
of one state folder (seed 003, "The Control Panel").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from groundwire.errors import InputError
from groundwire.sparql.endpoint import MAX_LIMIT, Endpoint
from groundwire.sparql.registry import Mode, Registry
from groundwire.state import Connection, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

_TABLES = (
    """CREATE TABLE policies (
        owner TEXT PRIMARY KEY,
        mode TEXT NOT NULL CHECK (mode IN ('off', 'classes', 'strict')),
        result_limit INTEGER
    ) STRICT, WITHOUT ROWID""",
)
_BUSY_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class KgPolicy:
    """The settings of one user.

    Attributes:
        mode: `strict` after /kg-on, else `off`.
        limit: results by default, or None where /limit was never used.
    """

    mode: Mode = "off"
    limit: int | None = None


class KgPolicies(Kept[Store]):
    """The settings of users at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace) -> None:
        """Take the file or the database; it is laid out when something is first set."""
        layout = Layout(
            "kg_policies",
            "file of KG policies",
            application=0x47574B47,  # "GWKG"
            version=1,
            tables=_TABLES,
            busy_seconds=_BUSY_SECONDS,
        )
        self._state = opened(place, layout)

    def stored(self, owner: str) -> KgPolicy:
        """Return what a user set; of one who set nothing, the policy that demands nothing.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self._state.reading() as connection:
            return KgPolicy() if connection is None else _read(connection, owner)

    def change(
        self,
        owner: str,
        *,
        mode: Mode | None = None,
        limit: int | None = None,
        reset: bool = False,
    ) -> KgPolicy:
        """Change what a user set; what is None stays as it was, or with `reset` as at first.

        Raises:
            UnavailableError: the file cannot be written; nothing is changed.
        """
        with self._state.writing() as connection:
            before = KgPolicy() if reset else _read(connection, owner)
            after = replace(
                before,
                mode=before.mode if mode is None else mode,
                limit=before.limit if limit is None else limit,
            )
            connection.execute(
                "INSERT INTO policies (owner, mode, result_limit) VALUES (?, ?, ?) "
                "ON CONFLICT (owner) DO UPDATE SET mode = excluded.mode, "
                "result_limit = excluded.result_limit",
                (owner, after.mode, after.limit),
            )
            return after


def _read(connection: Connection, owner: str) -> KgPolicy:
    row = connection.execute(
        "SELECT mode, result_limit FROM policies WHERE owner = ?", (owner,)
    ).fetchone()
    return KgPolicy() if row is None else KgPolicy(*row)


_STRICTNESS: dict[Mode, int] = {"off": 0, "classes": 1, "strict": 2}
_IN_WORDS: dict[Mode, str] = {
    "off": "not demanded",
    "classes": "mandatory for some classes of prompts",
    "strict": "mandatory for every prompt",
}


@dataclass(frozen=True, slots=True)
class InForce:
    """The policy in force for one user.

    Attributes:
        mode: for which prompts the workflow is mandatory.
        limit: results of a query that names no limit, at an endpoint that has none of its own.
        demanded: what the registry demands of everyone; `mode` is never less.
        classes: classes of prompts that `classes` is about.
        answer: all of it in one or two sentences, with what could not be done.
    """

    mode: Mode
    limit: int
    demanded: Mode
    classes: tuple[str, ...]
    answer: str


def effective(registry: Registry, stored: KgPolicy, enforce: Mode | None = None) -> Mode:
    """The strictest of what the registry demands, the user set and a call asks for."""
    asked = (registry.enforcement.mode, stored.mode, enforce or "off")
    return max(asked, key=_STRICTNESS.__getitem__)


def result_limit(
    registry: Registry, endpoint: Endpoint, stored: KgPolicy, asked: int | None = None
) -> int:
    """How many results: as the call asks, else the user's /limit, the endpoint's, the registry's.

    Raises:
        InputError: the call asks for fewer than 1 or more than 1,000.
    """
    if asked is not None:
        return _checked(asked)
    return stored.limit or registry.limit(endpoint)


def set_kg_policy(
    policies: KgPolicies,
    registry: Registry,
    owner: str,
    *,
    kg: Literal["on", "off"] | None = None,
    limit: int | None = None,
    reset: bool = False,
) -> InForce:
    """Change what holds for this and later prompts of one user; without a change, show it.

    Args:
        policies: where it is kept.
        registry: what is demanded of everyone; it is never weakened.
        owner: whose policy it is.
        kg: `on` makes the workflow mandatory for every prompt, `off` takes that back.
        limit: results by default from now on, 1 to 1,000.
        reset: forget what was set before; what this call sets is set.

    Raises:
        InputError: the limit is out of bounds; nothing is changed.
        UnavailableError: the policy cannot be kept or read.
    """
    if limit is not None:
        _checked(limit)
    if kg is None and limit is None and not reset:
        stored = policies.stored(owner)
    else:
        stored = policies.change(
            owner, mode=None if kg is None else _mode(kg), limit=limit, reset=reset
        )
    return in_force(registry, stored, lifting=kg == "off" or (reset and kg is None))


def in_force(registry: Registry, stored: KgPolicy, *, lifting: bool = False) -> InForce:
    """The policy that results from the registry and what a user set.

    Args:
        registry: what is demanded of everyone.
        stored: what the user set.
        lifting: the user has just asked for less, so the answer says what they cannot lift.
    """
    mode = effective(registry, stored)
    demanded = registry.enforcement.mode
    classes = registry.enforcement.classes
    limit = stored.limit or registry.limits.result_limit_default
    said = f"The KG workflow is {_IN_WORDS[mode]}"
    if mode == "classes":
        said += f" ({', '.join(classes)})"
    if demanded == mode != "off":
        said += ", as the registry demands"
        said += ": only its administrator can lift that" if lifting else ""
    said += f". Results are limited to {limit}."
    return InForce(mode=mode, limit=limit, demanded=demanded, classes=classes, answer=said)


def _mode(kg: Literal["on", "off"]) -> Mode:
    return "strict" if kg == "on" else "off"


def _checked(limit: int) -> int:
    """The limit, if it is one.

    Raises:
        InputError: it is out of bounds.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise InputError(
            f"A result limit is from 1 to {MAX_LIMIT:,}, not {limit:,}: send such one."
        )
    return limit
