"""Statements of a request that hold for good, in German and in Chinese.

The words are patterns in `settings_languages.toml`, read with the first request of such a text. A
sentence that is not wholly clear changes nothing: a question, a trip of today, a habit denied.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import Settings
from groundwire.agents.journey_requests.words import any_of, lines_pattern

_FILE = Path(__file__).with_suffix(".toml")
_LONGEST = 300
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_GERMAN = re.compile(
    r"[äöüß]|\b(?:ich|mein\w*|wir|und|nicht|ist|der|die|das|bitte|merke?|vergiss|lösche?|setze?|ab|"
    r"immer|nie|nur|mit|ohne|keine?n?|alle[sr]?)\b",
    re.IGNORECASE,
)
# A refusal ends where the next part of a sentence begins.
_CLAUSE = re.compile(r"[,;，；]|\bund\b")
_LISTED = frozenset({"avoid_modes", "avoid_lines", "mode", "accessibility_preference"})
OF_TRAVELLER = frozenset({"walking_speed", "accessibility_preference", "max_walking_minutes"})
"""Said of oneself rather than of a trip, so that no word has to say that it is kept."""


def said_elsewhere(sentence: str) -> Settings:
    """The settings that a German or Chinese sentence states; none for any other.

    Args:
        sentence: one sentence, with the mark that ends it.
    """
    language = "zh" if _CHINESE.search(sentence) else "de" if _GERMAN.search(sentence) else ""
    if not language or len(sentence) > _LONGEST:
        return Settings()
    words = _patterns(language)
    if words["asks"].search(sentence) and not words["asks_for_change"].search(sentence):
        return Settings()
    forget = tuple(dict.fromkeys(_forgotten(words, sentence)))
    if forget:
        return Settings(forget=forget)
    return Settings(dict(_places(words, sentence)), dict(_options(words, sentence)))


def _forgotten(words: Mapping[str, Any], sentence: str) -> Iterator[str]:
    match = words["forgets"].match(sentence)
    what = next((part for part in match.groups() if part), "") if match else ""
    if not what or words["not_forgotten"].search(sentence):
        return
    found = [name for name, pattern in words["names"].items() if pattern.search(what)]
    found += [name for name, pattern in words["options"].items() if pattern.search(what)]
    found += [
        name
        for name, values in words["values"].items()
        if any(v.search(what) for v in values.values())
    ]
    yield from found
    if not found and words["everything"].search(what):
        yield "all"


def _places(words: Mapping[str, Any], sentence: str) -> Iterator[tuple[str, str]]:
    for name, pattern in words["places"]:
        match = pattern.search(sentence)
        if match is not None:
            yield name, match["value"].strip()


def _options(words: Mapping[str, Any], sentence: str) -> Iterator[tuple[str, JsonValue]]:
    kept = words["keeps"].search(sentence) is not None
    of_user = words["of_user"].search(sentence) is not None
    if words["of_a_trip"].search(sentence) and not kept:
        return
    for name, values in words["values"].items():
        for value, pattern in values.items():
            match = pattern.search(sentence)
            clause = _CLAUSE.split(sentence[: match.start()])[-1] if match is not None else ""
            if match is None or words["refused"].search(clause):
                continue
            if kept or (of_user and name in OF_TRAVELLER):
                yield name, [value] if name in _LISTED else value
    avoids = words["options"]["avoid_modes"].search(sentence) is not None
    for name, pattern in words["options"].items():
        match = pattern.search(sentence) if name != "mode" or not avoids else None
        if match is not None and (kept or (of_user and name in OF_TRAVELLER)):
            yield name, _value(words, name, match)


def _value(words: Mapping[str, Any], name: str, match: re.Match[str]) -> JsonValue:
    said = next(part for part in match.groups() if part)
    if name.startswith("max_"):
        return int(said)
    if name == "avoid_lines":
        return [said]
    return [mode for mode, pattern in words["modes"].items() if pattern.fullmatch(said)]


@cache
def _patterns(language: str) -> dict[str, Any]:
    """The patterns of a language, by what they are for."""
    known = tomllib.loads(_FILE.read_text("utf-8"))[language]
    every_mode = any_of(name for names in known["modes"].values() for name in names)
    parts = {
        "{value}": f"(?P<value>{known['value']})",
        "{mode}": f"({every_mode})",
        "{line}": f"({lines_pattern()})",
        "{number}": r"(\d{1,3})",
    }

    def made(pattern: str, name: str = "") -> re.Pattern[str]:
        for mark, part in {**parts, "{name}": name}.items():
            pattern = pattern.replace(mark, part)
        return re.compile(f"(?i){pattern}")

    names = {name: any_of(words) for name, words in known["names"].items()}
    said = [(name, made(one, f"(?:{names[name]})")) for one in known["places"] for name in names]
    said += [("home", made(one)) for one in known["lives"]]
    said += [("work", made(one)) for one in known["works"]]
    bounded = r"(?<!\w)(?:{})(?!\w)" if language == "de" else "(?:{})"
    return {
        **{key: made(known[key]) for key in known if isinstance(known[key], str)},
        "places": said,
        "names": {name: made(bounded.format(pattern)) for name, pattern in names.items()},
        "modes": {mode: made(any_of(words)) for mode, words in known["modes"].items()},
        "options": {name: made(pattern) for name, pattern in known["options"].items()},
        "values": {
            name: {value: made(pattern) for value, pattern in values.items()}
            for name, values in known["values"].items()
        },
    }
