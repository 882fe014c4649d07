"""The options of a journey with the values that each may have, and the reader of one option.

Words become allowed values, numbers, and yes or no in any of their spellings.

Source of names and values: the OpenAPI of `/Journey/JourneyResults/{from}/to/{to}`; everyday words
for them are ours. Ids of modes are those of `Line/Meta/Modes`: the names of the first API
(`public-bus`, `train`, `river`, `cablecar`) and of what has been renamed since (TfL Rail,
Crossrail) are aliases.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Literal, cast

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON, Options
from groundwire.journeys.lines.choice import choose_lines
from groundwire.quantities import parse_quantity
from groundwire.vocabulary import Policy, Resolution, Term, Vocabulary

Kind = Literal["choice", "choices", "modes", "lines", "names", "minutes", "flag", "number", "text"]

# fmt: off
OPTION_KINDS: dict[str, Kind] = {
    "journey_preference": "choice",
    "mode": "modes",
    "accessibility_preference": "choices",
    "max_transfer_minutes": "minutes",
    "max_walking_minutes": "minutes",
    "walking_speed": "choice",
    "cycle_preference": "choice",
    "bike_proficiency": "choices",
    "adjustment": "choice",
    "avoid_modes": "modes",
    "avoid_lines": "lines",
    "only_lines": "lines",
    "avoid_stops": "names",
    "avoid_changes": "names",
    "national_search": "flag",
    "alternative_cycle": "flag",
    "alternative_walking": "flag",
    "use_multi_modal_call": "flag",
    "walking_optimization": "flag",
    "taxi_only_trip": "flag",
    "route_between_entrances": "flag",
    "use_real_time_live_arrivals": "flag",
    "calc_one_direction": "flag",
    "include_alternative_routes": "flag",
    "combine_transfer_legs": "flag",
    "apply_html_markup": "flag",
    "override_multi_modal_scenario": "number",
    "from_name": "text",
    "to_name": "text",
    "via_name": "text",
}
# fmt: on
"""The options by name, but for those that say when."""
TIME_NAMES = ("date", "time", "time_is")
STOPS_AVOIDED = frozenset({"avoid_stops", "avoid_changes"})
OF_A_TRIP = frozenset(
    (*TIME_NAMES, *STOPS_AVOIDED, "only_lines", "from_name", "to_name", "via_name")
)
"""Wishes that hold for one trip only: no default keeps them."""

MINUTES = (1, 240)
"""Bounds of the options that are minutes; longer walks are no limit any more."""
LARGEST_NUMBER = 2**31 - 1  # int32, as the API declares it
LONGEST_TEXT = 100

_TABLES = tomllib.loads((files(__package__ or "") / "values.toml").read_text("utf-8"))
# Each value in the API's spelling, with the words that people have for it.
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    option: {value: tuple(said) for value, said in values.items()}
    for option, values in _TABLES["choices"].items()
}


@cache
def choice_vocabulary(option: str) -> Vocabulary:
    """The values of an option, by every name."""
    return Vocabulary(Term(value, value, names) for value, names in CHOICES[option].items())


@cache
def name_vocabulary() -> Vocabulary:
    """The names of all options, also in the API's spelling (`maxWalkingMinutes`)."""
    aliases = {"mode": ("modes",), "accessibility_preference": ("accessibility",)}
    return Vocabulary(
        Term(name, name, aliases.get(name, ())) for name in (*TIME_NAMES, *OPTION_KINDS)
    )


_NAMES: dict[str, tuple[str, ...]] = {mode: tuple(said) for mode, said in _TABLES["modes"].items()}
# Words for several modes at once.
GROUPS: dict[str, tuple[str, ...]] = {
    said: tuple(modes) for said, modes in _TABLES["groups"].items()
}

MODES: tuple[str, ...] = tuple(_NAMES)
"""Ids of all modes, in the order of the alphabet."""


@cache
def mode_vocabulary() -> Vocabulary:
    """All modes, by id and by every name."""
    return Vocabulary(Term(mode, mode, names) for mode, names in _NAMES.items())


@cache
def group_vocabulary() -> Vocabulary:
    """Words for several modes at once, as `GROUPS` has them."""
    return Vocabulary(Term(name, name) for name in GROUPS)


def usable_modes(mode: tuple[str, ...], avoid_modes: tuple[str, ...]) -> tuple[str, ...]:
    """The modes that are left: those that may be used, or all, without those to avoid."""
    return tuple(one for one in MODES if one in (mode or MODES) and one not in avoid_modes)


# These are said by other parameters, or not known to the API.
_OTHERWISE = frozenset(
    ("when", "time_is", "mode", "avoid_modes", "avoid_lines", "only_lines", *STOPS_AVOIDED)
)
_WORD = re.compile(r"_([a-z])")


def to_tfl_parameters(options: Options) -> dict[str, str]:
    """The query parameters of `/Journey/JourneyResults/{from}/to/{to}`.

    The date is yyyyMMdd and the time HHmm of London's clocks, lists are separated by commas, and
    what was not asked for is not sent. The API has no way to avoid a mode, so that all others are
    listed; nor to avoid a line or a stop, which is left to whoever reads its answer.
    """
    sent: dict[str, str] = {}
    if options.when is not None:
        when = options.when.astimezone(LONDON)
        sent["date"] = f"{when:%Y%m%d}"
        sent["time"] = f"{when:%H%M}"
        sent["timeIs"] = options.time_is.capitalize()
    if options.mode or options.avoid_modes:
        sent["mode"] = ",".join(usable_modes(options.mode, options.avoid_modes))
    for field in fields(options):
        value: str | int | tuple[str, ...] | None = getattr(options, field.name)
        if field.name in _OTHERWISE or value is None or value in ("", ()):
            continue
        name = _WORD.sub(lambda found: found[1].upper(), field.name)
        if isinstance(value, bool):
            sent[name] = "true" if value else "false"
        else:
            sent[name] = ",".join(value) if isinstance(value, tuple) else str(value)
    return sent


Value = str | int | bool | tuple[str, ...]

_LISTED = re.compile(r"(?<!\s)\s*[,;|\n]\s*(?:(?:and|or)\s+)?", re.IGNORECASE)
_JOINED = re.compile(r"(?<!\s)\s+(?:and|or)\s+|(?<!\s)\s*[&+/]\s*", re.IGNORECASE)
_LEADING = re.compile(r"(?:(?:only|just|by|on|the|an?|my|use|using|take|taking|any|via)\s+)+", re.I)
_TRAILING = re.compile(r"(?<!\s)(?:\s+(?:only|please|services?|if possible)){1,9}$", re.IGNORECASE)
_NOT = re.compile(r"(?:no|not|without|except|avoid|avoiding|but not)\s+", re.IGNORECASE)
_TRUE = frozenset({"true", "yes", "y", "on", "1"})
_FALSE = frozenset({"false", "no", "n", "off", "0"})
_DURATIONS = {
    "half an hour": 30,
    "an hour": 60,
    "quarter of an hour": 15,
    "a quarter of an hour": 15,
}
_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Correction:
    """A word in whose place another was used.

    Attributes:
        param: the option.
        raw: what was sent.
        used: what was used.
        how: `alias` for another name of it, `corrected` for a misspelling.
    """

    param: str
    raw: str
    used: str
    how: str


class Reading:
    """The reading of one request: the corrections, and the modes that `mode` says to avoid."""

    def __init__(self) -> None:
        self.corrections: list[Correction] = []
        self.avoided: list[str] = []

    def choice(self, param: str, sent: object) -> str:
        """One allowed value.

        Raises:
            InputError: it is none; the line names the nearest and all.
        """
        words = _words(param, sent)
        if len(words) != 1:
            raise InputError(
                f"{param} is one value, not {len(words)}: send one of "
                f"{_either([term.id for term in choice_vocabulary(param)])}."
            )
        return self._term(param, words[0], choice_vocabulary(param))

    def choices(self, param: str, sent: object) -> tuple[str, ...]:
        """Allowed values, each once.

        Raises:
            InputError: one is none.
        """
        vocabulary = choice_vocabulary(param)
        found = [
            self._term(param, word, vocabulary)
            for word in _split(param, sent, lambda word: _resolve(word, vocabulary) is not None)
        ]
        return tuple(dict.fromkeys(found))

    def modes(self, param: str, sent: object) -> tuple[str, ...]:
        """Ids of modes; "no bus" among the modes to use is one to avoid.

        Raises:
            InputError: a word is not a mode.
        """
        found: list[str] = []
        for word in _split(param, sent, _is_mode):
            denied = _NOT.match(word)
            plain = word[denied.end() :] if denied else word
            group = group_vocabulary().resolve(_bare(plain), Policy.CANDIDATES_ONLY)
            if group.term is not None:
                members = GROUPS[group.term.id]
                self._note(param, word, ", ".join(members) or "all modes", "alias")
                (self.avoided if denied and param == "mode" else found).extend(members)
                continue
            mode = self._term(param, plain, mode_vocabulary(), raw=word)
            if denied and param == "mode":
                self._note(param, word, f"avoid_modes: {mode}", "alias")
                self.avoided.append(mode)
            else:
                found.append(mode)
        return tuple(dict.fromkeys(found))

    def lines(self, param: str, sent: object) -> tuple[str, ...]:
        """Ids of lines; a whole mode among them, such as buses, is a mode to avoid.

        Raises:
            InputError: a word is not a line.
        """
        found: list[str] = []
        for word in _split(param, sent, _is_line):
            denied = _NOT.match(word)
            (read,) = choose_lines([word[denied.end() :] if denied else word]).words
            if read.how in ("alias", "corrected"):
                self._note(param, word, read.used, read.how)
            if read.mode:
                self.avoided.append(read.mode)
            found += [line.id for line in read.lines]
        return tuple(dict.fromkeys(found))

    def names(self, param: str, sent: object) -> tuple[str, ...]:
        """Names of places, which whoever knows the places reads.

        Raises:
            InputError: one is not a text.
        """
        return tuple(dict.fromkeys(self.text(param, word) for word in _words(param, sent)))

    def minutes(self, param: str, sent: object) -> int:
        """Whole minutes within their bounds; parts of a minute are left out, and that is told.

        Raises:
            InputError: the value is not such a number.
        """
        least, most = MINUTES
        number = _minutes(sent)
        if number is None:
            raise InputError(
                f"{param} {_quoted(sent)} is no number of minutes: send a whole number from "
                f"{least} to {most}."
            )
        if not least <= number <= most:
            raise InputError(
                f"{param} is from {least} to {most} minutes, not {_quoted(sent)}: send "
                f"{least if number < least else most}, or leave it out for no limit."
            )
        if number != int(number):
            self._note(param, str(sent), str(int(number)), "corrected")
        return int(number)

    def flag(self, param: str, sent: object) -> bool:
        """Yes or no.

        Raises:
            InputError: it is neither.
        """
        word = str(sent).strip().lower()
        if word in _TRUE | _FALSE:
            return word in _TRUE
        raise InputError(f"{param} {_quoted(sent)} is neither true nor false: send one of them.")

    def number(self, param: str, sent: object) -> int:
        """A whole number from 0 on.

        Raises:
            InputError: it is none.
        """
        text = str(sent).strip()
        if not isinstance(sent, bool) and text.isdecimal() and text.isascii() and len(text) < 12:
            number = int(text)
            if number <= LARGEST_NUMBER:
                return number
        raise InputError(
            f"{param} {_quoted(sent)} is no whole number from 0 to {LARGEST_NUMBER:,}: send one."
        )

    def text(self, param: str, sent: object) -> str:
        """A name in one line.

        Raises:
            InputError: the value is not text, or is too long.
        """
        if not isinstance(sent, str) or len(sent) > LONGEST_TEXT:
            raise InputError(f"{param} is a name of at most {LONGEST_TEXT} characters: send one.")
        return " ".join("".join(c if c.isprintable() else " " for c in sent).split())

    def _term(self, param: str, word: str, vocabulary: Vocabulary, raw: str = "") -> str:
        """The id of the term that a word stands for."""
        found = _resolve(word, vocabulary)
        if found is None or found.term is None:
            raise InputError(_refusal(param, raw or word, word, vocabulary))
        if found.how in ("alias", "corrected"):
            self._note(param, raw or word, found.term.id, found.how)
        return found.term.id

    def _note(self, param: str, raw: str, used: str, how: str) -> None:
        self.corrections.append(Correction(param, raw, used, how))


def _resolve(word: str, vocabulary: Vocabulary) -> Resolution | None:
    """The term of a word, as it stands or without the small words around it."""
    for tried in dict.fromkeys((word, _bare(word))):
        found = vocabulary.resolve(tried, Policy.WORDWISE)
        if found.term is not None:
            return found
    return None


def _bare(word: str) -> str:
    """A word without articles and the like: "by the tube only" is "tube"."""
    leading = _LEADING.match(word)
    inner = word[leading.end() :] if leading else word
    return _TRAILING.sub("", inner) or word


def _is_mode(word: str) -> bool:
    denied = _NOT.match(word)
    plain = word[denied.end() :] if denied else word
    return _resolve(plain, mode_vocabulary()) is not None or plain.lower() in GROUPS


def _is_line(word: str) -> bool:
    try:
        choose_lines([word])
    except InputError:
        return False
    return True


def _words(param: str, sent: object) -> list[str]:
    """The words of a list, sent as one or as a text."""
    if isinstance(sent, str) and sent.strip().startswith("["):
        try:
            sent = json.loads(sent)
        except ValueError as error:
            raise InputError(
                f"{param} begins as a JSON array and is none: send an array of strings."
            ) from error
    listed = cast("Iterable[object]", sent) if isinstance(sent, list | tuple | set) else [sent]
    words: list[str] = []
    for one in listed:
        if isinstance(one, bool) or not isinstance(one, str | int):
            raise InputError(f"{param} takes words, not {_quoted(one)}: send strings.")
        words += [word for word in _LISTED.split(str(one)) if word.strip()]
    return [" ".join(word.split()) for word in words]


def _split(param: str, sent: object, is_one: Callable[[str], bool]) -> list[str]:
    """The words of a list; "tube and bus" are two, "Hammersmith & City" is one."""
    found: list[str] = []
    for word in _words(param, sent):
        parts = [part for part in _JOINED.split(word) if part]
        found += [word] if len(parts) < 2 or is_one(word) else parts
    return found


def _minutes(sent: object) -> float | None:
    if isinstance(sent, bool) or not isinstance(sent, str | int | float):
        return None
    text = " ".join(str(sent).lower().split())
    if text in _DURATIONS:
        return _DURATIONS[text]
    quantity = parse_quantity(text) if len(text) <= _LONGEST_QUOTE else None
    if quantity is None or quantity.noun or quantity.unit not in (None, "min", "h"):
        return None
    return float(quantity.value) * (60 if quantity.unit == "h" else 1)


def _refusal(param: str, raw: str, word: str, vocabulary: Vocabulary) -> str:
    """One line that names the nearest allowed values, and all."""
    found = vocabulary.resolve(_bare(word), Policy.WORDWISE, limit=3)
    near = [candidate.term.id for candidate in found.candidates]
    allowed = ", ".join(MODES if vocabulary is mode_vocabulary() else (t.id for t in vocabulary))
    if found.how == "ambiguous":
        return f"{param} {_quoted(raw)} may be {_either(near)}: send one of {allowed}."
    nearest = f" The nearest is {_either(near)}." if near else ""
    return f"There is no {param} {_quoted(raw)}.{nearest} Send one of {allowed}."


def _either(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _quoted(sent: object) -> str:
    text = " ".join(str(sent).split())
    return repr(text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}...")
