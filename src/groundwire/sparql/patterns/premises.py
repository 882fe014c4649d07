"""Premises of a question: names that a graph does not hold, and a fact to explain.

Neither keeps the rest from being answered: "Is Lagos the capital of Nigeria?" is answered by the
capital that is held, "Why does Spain not border Portugal?" by what is held of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.safe_text import safe_name
from groundwire.sparql.patterns.answers import PatternAnswer
from groundwire.sparql.patterns.phrasing import sentences
from groundwire.sparql.patterns.reading import Reading, Span
from groundwire.sparql.patterns.words import data, plain


@dataclass(frozen=True, slots=True)
class Premise:
    """A question without what it takes for granted.

    Attributes:
        reading: what is left of it.
        names: names that the graph does not hold.
        denied: a fact that is to be explained is said not to hold.
    """

    reading: Reading
    names: tuple[str, ...] = ()
    denied: bool = False

    def told(self, answer: PatternAnswer) -> PatternAnswer:
        """Return an answer that also says what was taken for granted."""
        said = sentences()[self.reading.language]
        told = answer.sentence
        if self.names:
            shown = ", ".join(f"“{safe_name(one)}”" for one in self.names)
            return replace(answer, sentence=f"{told} {said['not_held'].format(v=shown)}")
        if told.startswith(said["is_so"]):
            told = told.removeprefix(said["is_so"]).lstrip()
            told = said["after_all"].format(v=told) if self.denied else told
        return replace(answer, sentence=f"{told} {said['no_reason']}")


def premise_of(reading: Reading) -> Premise | None:
    """Return a question without its premises; None where something else is not understood."""
    if _asks_why(reading):
        denied = reading.has("not") is not None
        cues = tuple(one for one in reading.cues if one.cue != "not")
        return Premise(replace(reading, left=(), cues=cues, is_ask=True), denied=denied)
    if not reading.is_ask or len(reading.relations) != 1 or reading.numbers:
        return None
    names = _names_in_chinese(reading) if reading.language == "zh" else _names(reading)
    others = [one for one in reading.cues if one.cue != "or" and not _within(one, names)]
    if not names or others or len(reading.entities) not in (1, 2):
        return None
    either = len(reading.entities) == 2
    if either and reading.has("or") is None:
        return None
    kept = replace(reading, left=(), cues=(), is_ask=either)
    return Premise(kept, tuple(one.text for one in names))


def _asks_why(reading: Reading) -> bool:
    """Whether a reason is asked for, and all else is understood."""
    why = data()["why"][reading.language]
    if reading.language == "zh":
        return not reading.left and any(one in reading.prompt for one in why)
    return bool(reading.left) and all(plain(one.text) in why for one in reading.left)


def _within(one: Span, names: Sequence[Span]) -> bool:
    return any(name.first <= one.first and one.last <= name.last for name in names)


def _names(reading: Reading) -> list[Span]:
    """Return what is left over where all of it is written as names."""
    is_name = all(
        one.first > 0
        and all(word.text[:1].isupper() for word in reading.words[one.first : one.last])
        for one in reading.left
    )
    return list(reading.left) if is_name else []


def _names_in_chinese(reading: Reading) -> list[Span]:
    """Return what stands between 是 and 吗, where nothing of it is held."""
    texts = reading.texts()
    if "是" not in texts or texts[-1] != "吗":
        return []
    first, last = texts.index("是") + 1, len(texts) - 1
    name = Span(first, last, "".join(texts[first:last]))
    held = (*reading.entities, *reading.relations)
    is_whole = all(_within(one, [name]) for one in reading.left)
    return [name] if is_whole and not any(one.last > first for one in held) else []
