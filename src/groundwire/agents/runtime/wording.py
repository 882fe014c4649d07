"""English sentences of tools and agents in the language of the request.

Sentences and phrases are rules of an agent's `wording_LANGUAGE.toml`: a pattern of an English
sentence and the sentence that says the same, with its names, numbers and times carried over. A
sentence that no rule knows is quoted, and said to be English. What stands in quotes are words of
the request: where they were read as plain English, they are told as they stand there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from groundwire.language.lexicon import Language

# Parts that are names of places, and stay as they are.
_PLACES = frozenset({"a", "b"})
_QUOTED = re.compile(r"(?<=“)[^“”\n]{1,120}(?=”)|(?<!\w')(?<=')[^'\n]{1,120}(?='(?!\w))")
_CLOCK = re.compile(r"(\d\d):(\d\d)")
_END = re.compile(r"[.?!:](?=\s|$)")
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|has|have|not|no|of|and|or|from|with|which|by|at|to|on|it|its|as|for|a|send|"
    r"cannot|must|there)\b"
)
# The full stop of "St. Pancras" ends no sentence: a sign that stands in no text stands for it.
_SAINT = re.compile(r"\bSt\.(?=\s[A-Z])")
_MASKED = "\ue000"
# Chinese sentences stand without blanks.
_AFTER_MARK = re.compile(r"(?<=[。！？]) +")
_NO_PROSE = re.compile(r"“[^“”\n]*”|'[^'\n]*'|/\S+")


class _Words(NamedTuple):
    """The rules of a language.

    Attributes:
        sentences: patterns of English sentences, and what says the same.
        phrases: what is changed within the parts that a sentence carries over.
        quoted: what words of the plain English are in a request of this language.
        unknown: how a text is told that no rule knows, with the text in the place of {x}.
    """

    sentences: Sequence[tuple[re.Pattern[str], str]]
    phrases: Sequence[tuple[re.Pattern[str], str]]
    quoted: Sequence[tuple[re.Pattern[str], str]]
    unknown: str


def worded(answer: str, language: Language, folder: Path, request: str = "") -> str:
    """Return an answer in a language, sentence by sentence as far as the rules know them.

    Args:
        answer: what is told, in English.
        language: that of the request.
        folder: where the rules stand, one file a language other than English.
        request: the words of the user, of which what is quoted is a part.
    """
    words = None if language in ("en", "") else _words(folder, language)
    if request:
        answer = _QUOTED.sub(lambda match: _own_words(match[0], request, words), answer)
    if words is None:
        return answer
    masked = _SAINT.sub(f"St{_MASKED}", answer)
    said = "\n".join(_line(line, words) for line in masked.split("\n")).replace(_MASKED, ".")
    return _AFTER_MARK.sub("", said) if language == "zh" else said


def _own_words(quoted: str, request: str, words: _Words | None) -> str:
    """Return quoted words as they stand in the request, or unchanged where they do not."""
    if quoted in request:
        return quoted
    own = quoted
    for pattern, said in words.quoted if words else ():
        own = pattern.sub(said, own)
    # Words that say nothing were left out between: "till term" is "till the end of term".
    pieces = map(re.escape, own.split())
    found = re.search(r"(?:\s+\S{1,12}){0,3}?\s*".join(pieces), request, re.IGNORECASE)
    if found is not None:
        return found[0]
    clock = _CLOCK.search(quoted)
    spoken = rf"{int(clock[1])}\s*[点时:.]\s*{clock[2]}" if clock else "(?!)"
    if (found := re.search(spoken, request)) is not None:
        return found[0]
    # Chinese words stand without spaces, so that those before them may have moved.
    held = [one for one in quoted.split() if not one.isascii() and one in request]
    return own if own in request else " … ".join(held) or own


def _line(line: str, words: _Words) -> str:
    at, said, left = 0, "", ""
    while at < len(line):
        if line[at] == " ":
            left += " "
            at += 1
            continue
        for pattern, translation in words.sentences:
            match = pattern.match(line, at)
            if match is not None and match.end() > at:
                said += _untold(left, words) + _filled(translation, match, words)
                left, at = "", match.end()
                break
        else:
            end = _END.search(line, at)
            stop = end.end() if end is not None else len(line)
            left += line[at:stop]
            at = stop
    return said + _untold(left, words)


def _untold(text: str, words: _Words) -> str:
    """Return a text that no rule knows: quoted, and named as English, where it is English."""
    if not _ENGLISH.search(_NO_PROSE.sub("", text)):
        return text
    inner = text.strip()
    return text.replace(
        inner, words.unknown.replace("{x}", inner.replace("“", "‘").replace("”", "’"))
    )


def _filled(translation: str, match: re.Match[str], words: _Words) -> str:
    def part(found: re.Match[str]) -> str:
        name, optional = found["name"], found["text"]
        value = match.groupdict().get(name)
        if translation[: found.start()].endswith(("“", "„")):
            return value or ""
        if value and name in _PLACES and value[0].isupper() and " with" not in value:
            return optional.replace("#", value) if optional is not None else value
        if optional is not None:
            return optional.replace("#", _phrased(value, words)) if value else ""
        return _phrased(value, words) if value else ""

    return re.sub(r"\{(?P<name>\w+)(?:\|(?P<text>[^{}]*))?\}", part, translation)


def _phrased(value: str, words: _Words) -> str:
    """A part of a sentence with its phrases in the language; what is quoted stays."""
    pieces = re.split(r"(“[^“”]*”|\"[^\"]*\"|'[^']*'(?!\w))", value)
    for index in range(0, len(pieces), 2):
        for pattern, said in words.phrases:
            pieces[index] = pattern.sub(said, pieces[index])
    return "".join(pieces)


@cache
def _words(folder: Path, language: Language) -> _Words:
    tree = tomllib.loads((folder / f"wording_{language}.toml").read_text("utf-8"))
    return _Words(
        [(re.compile(one), said) for one, said in tree["sentences"]],
        [(re.compile(one), said) for one, said in tree["phrases"]],
        [(re.compile(one, re.IGNORECASE), said) for one, said in tree["quoted"]],
        tree["unknown"],
    )
