"""The pieces of expressions of time in a text: clocks, days, parts of a day, durations, cues.

A piece is found by its form and says what it means before any clock: "half past five" is half past
an hour that nobody has placed in the day yet. What has the form of a time and cannot be one (25:00,
31 February) is a piece that says so, with the nearest that can.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.journeys.times.clocks import CLOCK_RULES, LONE_RULES, PART_RULES
from groundwire.journeys.times.days import DAY_RULES, FROM_NOW_RULES, NEAR_RULES
from groundwire.journeys.times.pieces import Cue, Mark, Meaning, Rule, any_of
from groundwire.journeys.times.words import CUES
from groundwire.quantities import plain


def _cue(match: re.Match[str]) -> Meaning:
    return Cue(" ".join(match[0].lower().split()))


# In the order in which forms that begin at one place are tried.
_RULES: tuple[Rule, ...] = (
    *DAY_RULES,
    *CLOCK_RULES,
    *NEAR_RULES,
    *PART_RULES,
    *FROM_NOW_RULES,
    Rule("cue", any_of(CUES), _cue),
    *LONE_RULES,
)
_ISH = re.compile(r"(?<=[\dmnetrx])-?ish\b", re.IGNORECASE)
_GROUP = re.compile(r"\(\?P<[a-z]+>")
_BEFORE = r"(?<![0-9A-Za-z_])(?<![0-9][.:/-])(?<!')"
_AFTER = r"(?![0-9A-Za-z_])(?![:/][0-9])(?!\.[0-9])"


@cache
def _patterns() -> tuple[re.Pattern[str], dict[str, tuple[re.Pattern[str], Rule]]]:
    """One pattern that finds every piece by name, and each one's own that tells its groups."""
    flags = re.IGNORECASE | re.ASCII
    anywhere = "|".join(
        f"(?P<{rule.name}>{_GROUP.sub('(?:', rule.pattern).replace('(?P=sep)', '[/.-]')})"
        for rule in _RULES
    )
    own = {rule.name: (re.compile(f"(?:{rule.pattern}){_AFTER}", flags), rule) for rule in _RULES}
    # What begins no piece is passed over at once.
    return re.compile(f"(?=[0-9a-z]){_BEFORE}(?:{anywhere}){_AFTER}", flags), own


def find_marks(text: str) -> list[Mark]:
    """The pieces of a text, in order and without overlap."""
    folded = plain(text).replace("\uff1a", ":")
    # "4ish", "noon-ish": about then.
    folded = _ISH.sub(lambda match: " " * len(match[0]), folded)
    pattern, own = _patterns()
    found: list[Mark] = []
    for match in pattern.finditer(folded):
        form, rule = own[str(match.lastgroup)]
        again = form.match(folded, match.start())
        meaning = rule.build(again) if again is not None else None
        if again is not None and meaning is not None:
            ish = _ISH.match(text, again.end())
            found.append(Mark(again.start(), ish.end() if ish else again.end(), meaning))
    return found
