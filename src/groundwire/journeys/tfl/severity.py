"""TfL's codes for how well a line runs, and which of them is worse.

The codes and their descriptions are what `Line/Meta/Severity` lists (schema `StatusSeverity` of
the saved OpenAPI: mode, level, description). The numbers are no order: up to 10, "Good Service",
they fall from bad to good, yet 0 is a special service, and the later ones (11 to 20) were added
at the end, so that a closed service is 20. The order here is by what a traveller can still do.
Descriptions differ by mode (code 3 of the cable car is "No Service"), and where code and
description disagree people have read the description, so it decides.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Literal

# How a line or one of its statuses stands.
# good: it runs. notice: it runs, with something to know. disrupted: something happened.
# planned: works or a closure that were announced. closed: it does not run at this hour.
# unknown: TfL says nothing.
Standing = Literal["good", "notice", "disrupted", "planned", "closed", "unknown"]

_TABLES = tomllib.loads((files(__package__ or "") / "severity.toml").read_text("utf-8"))
DESCRIPTIONS: dict[int, str] = dict(enumerate[str](_TABLES["descriptions"]))
# From the worst to the best.
_WORST_FIRST: tuple[str, ...] = tuple(_TABLES["worst_first"])
_RANK = {description: rank for rank, description in enumerate(_WORST_FIRST)}
# What nobody has described yet is neither hidden below the delays nor put before a closure.
_UNKNOWN_RANK = _RANK["severe delays"]
_STANDING: dict[str, Standing] = _TABLES["standing"]
_PLANNED_BY_NAME = "part closure"
PLANNED_WORK = "PlannedWork"
# Categories of TfL's messages (`category` of the schema `Disruption`, but for `Undefined`), and
# those of them that hinder nobody by themselves.
_INFORMING = frozenset({"Information", "Crowding", "Event"})
_CATEGORIES = _INFORMING | {"RealTime", PLANNED_WORK, "StatusAlert"}
# A code that TfL does not list.
_UNLISTED = -1
_CODE = {description.casefold(): code for code, description in DESCRIPTIONS.items()}


def _meaning(severity: int, description: str) -> str:
    said = " ".join(description.casefold().split())
    return said if said in _RANK else DESCRIPTIONS.get(severity, "").casefold()


def code_of(description: str) -> int | None:
    """TfL's code for a description, or None for one that it does not list."""
    return _CODE.get(" ".join(description.casefold().split()))


def closure_description(closure: str) -> str:
    """`minorDelays`, as `closureText` has it, as "Minor Delays"."""
    return "".join(f" {char}" if char.isupper() else char for char in closure).strip().title()


def category_of(description: str, category: str) -> str:
    """The category of a message: the description of it, where that is a category.

    TfL files some information as `RealTime` and describes it as `Information`.

    Args:
        description: `categoryDescription` of the schema `Disruption`, or empty.
        category: its `category`, or empty.
    """
    return description if description in _CATEGORIES else category or description


def rank(severity: int, description: str = "", category: str = "") -> int:
    """Where a status stands in the order from worst (0) to best.

    Args:
        severity: TfL's code.
        description: TfL's description of it, which decides where it is known.
        category: the category of the disruption, which decides where neither is known.
    """
    unknown = _RANK["information"] if category in _INFORMING else _UNKNOWN_RANK
    return _RANK.get(_meaning(severity, description), unknown)


def standing(severity: int, description: str, category: str, now: bool | None) -> Standing:
    """Return what a status says of the line.

    Args:
        severity: TfL's code.
        description: TfL's description of it.
        category: the category of the disruption (`RealTime`, `PlannedWork`, ...), else empty; it
            decides where code and description are unknown.
        now: `isNow` of its validity: a live status rather than a planned one; None if not given.
    """
    meaning = _meaning(severity, description)
    known = _STANDING.get(meaning)
    if known in ("good", "closed", "planned"):
        return known
    if category == PLANNED_WORK:
        return "planned"
    if category != "RealTime" and meaning == _PLANNED_BY_NAME and not now:
        return "planned"
    if not meaning:
        return "notice" if category in _INFORMING else "disrupted"
    return known or "disrupted"


def standing_of_message(closure: str, category: str) -> Standing:
    """Return what a message about a leg or a stop says, where no status of a line has its words.

    Args:
        closure: `closureText` of the schema `Disruption`, a description of `Line/Meta/Severity`
            in camel case (`minorDelays`), else empty.
        category: the category of the message.
    """
    description = closure_description(closure)
    code = code_of(description)
    if code is None:
        return standing(_UNLISTED, "", category, None)
    return standing(code, description, category, None)
