"""A task of a learner: what was asked, as fields of the input or in the words of a question.

The fields are those of the agent class specification.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import Field, JsonValue, model_validator

from groundwire.agents.runtime.contract import AgentInput, Frozen, Turn
from groundwire.agents.runtime.prompts import worded
from groundwire.language import annotate
from groundwire.language.lexicon import Language
from groundwire.language.sentences import Catalogue, read_catalogue

SessionMode = Literal["exploration", "goal-driven", "exam", "synthesis"]
CardType = Literal["atomic", "cloze", "image_occlusion"]

MOST_CARDS = 50
"""Cards that one task may ask for."""

_CONSTRAINTS = {"max_time": "max_time_ms", "max_cost": "max_cost_usd"}
_QUOTED = re.compile(r"[\"“„]([^\"“”„]{1,200})[\"”“]")
_WORD = re.compile(r"[\w'-]+")
# A shorter beginning of a word is many words'.
_SHORTEST_BEGINNING = 3
_ENDS = " ?!.,;:"
# What goes on without a mark of Chinese, and a number at the end of a text.
_HAN_WORDS = re.compile("[^，。？！；：、]{1,60}")
_AROUND_HAN = " 的是了吗呢啊我要想得在对和，。？?！、"
_BEFORE = re.compile(r"(?:\d{1,3}|[一两二三四五六七八九十])$")


class TaskFields(Frozen):
    """The inputs that the specification names, each of which a task may do without."""

    user_id: str = Field(default="", max_length=200)
    deck_id: str = Field(default="", max_length=400)
    session_mode: SessionMode | None = None
    topic: str = Field(default="", max_length=400)
    card_type: CardType | None = None
    count: int | None = Field(default=None, ge=1, le=MOST_CARDS)


class Asked(AgentInput, TaskFields):
    """The request to an agent of learning; fields may also stand in `context`, by the same names.

    `constraints` takes `max_time` (milliseconds) and `max_cost` (dollars) as the specification
    calls them. A `user_id` names the run; what is read and kept is always the caller's own.
    """

    @model_validator(mode="before")
    @classmethod
    def _lifted(cls, sent: object) -> object:
        """Take the inputs out of the context, and the limits by their other names."""
        if not isinstance(sent, dict):
            return sent
        tree = dict(cast("dict[str, Any]", sent))
        beside: object = tree.get("context")
        if isinstance(beside, dict):
            context = dict(cast("dict[str, Any]", beside))
            for name in (*TaskFields.model_fields, "constraints"):
                if name in context:
                    tree[name] = tree.get(name) or context.pop(name)
                    context.pop(name, None)
            tree["context"] = context
        limits: object = tree.get("constraints")
        if isinstance(limits, dict):
            named = cast("dict[str, Any]", limits)
            tree["constraints"] = {_CONSTRAINTS.get(key, key): one for key, one in named.items()}
        return tree


@dataclass(frozen=True, slots=True)
class Task:
    """A task.

    Attributes:
        question: in the user's own words.
        deck: name or id of a deck, or "".
        mode: the session's mode, or "" for the usual one.
        topic: what it is about, or "".
        card_type: atomic, cloze, image_occlusion, or "".
        count: how many are wanted, or 0.
        variables: everything else that came with it.
        turns: what was said before, oldest first.
        denied: a topic that the question leaves out, with the words that do so, or "".
        guessed: whether the topic is only what follows a word such as "about" in the question.
        language: that of the question, or of the last one before it that shows any.
    """

    question: str
    deck: str = ""
    mode: str = ""
    topic: str = ""
    card_type: str = ""
    count: int = 0
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    turns: tuple[Turn, ...] = ()
    guessed: bool = False
    denied: str = ""
    language: Language = "en"

    def say(self, key: str, **parts: object) -> str:
        """Return a sentence in the language of the question."""
        filled = {name: str(part) for name, part in parts.items()}
        return _sentences().say(key, self.language, **filled)

    def worded(self, said: str) -> str:
        """Return what a tool says in the language of the question."""
        return worded(said, self.language, Path(__file__).parent)

    def text(self, name: str) -> str:
        """Return a variable that is a text or a number, or ""."""
        value = self.variables.get(name)
        return str(value) if isinstance(value, str | int | float) else ""

    def flag(self, name: str) -> bool:
        """Whether a variable is true."""
        return self.variables.get(name) is True

    def before(self, name: str) -> JsonValue:
        """Return a field of the last result of this conversation that has it, or None."""
        return next((t.result[name] for t in reversed(self.turns) if name in t.result), None)


def task_from(question: str, variables: Mapping[str, JsonValue], turns: Sequence[Turn]) -> Task:
    """Read a task: its fields where they were sent, else what the question says."""
    words = [one.casefold() for one in _WORD.findall(question)]
    sent = _field(variables, "topic")
    if not sent and (quoted := _QUOTED.search(question)):
        sent = quoted.group(1).strip()
    topic = sent or _topic(question)
    denied = "" if sent else _denial(question, topic)
    return Task(
        question=question,
        deck=_field(variables, "deck_id"),
        mode=_field(variables, "session_mode") or _named(question, words, "modes"),
        topic="" if denied else topic,
        card_type=_field(variables, "card_type") or _named(question, words, "types"),
        count=_count(variables.get("count"), words, question),
        variables=dict(variables),
        turns=tuple(turns),
        guessed=not sent,
        denied=denied,
        language=_language_of([question, *(turn.question for turn in reversed(turns))]),
    )


def left_over(task: Task, known: str) -> tuple[str, ...]:
    """Return the words of a question that no agent of learning uses.

    Args:
        task: the task.
        known: a text that holds every name that was asked for or told.
    """
    spoken = [one for words in _words()["spoken"].values() for one in words]
    held = f"{known} {task.topic} {task.deck}".casefold()
    found = [task.denied] if task.denied else []
    days = "|".join(
        one if _is_chinese(one) else rf"(?<!\w){one}(?!\w)" for one in _words()["other_days"]
    )
    found += re.findall(days, task.question, re.IGNORECASE)
    for span in annotate(task.question).spans:
        word = span.text.casefold()
        if (
            span.kind != "leftover"
            or word in f"{held} {task.denied.casefold()}"
            or word.strip(_ENDS + '"“”„') == ""
        ):
            continue
        is_spoken = (
            any(one in word for one in spoken if not one.isascii() and not _is_subject(word, one))
            if _is_chinese(word)
            else word in spoken
            or word.startswith(tuple(one for one in spoken if len(one) >= _SHORTEST_BEGINNING))
            or word.rstrip("sen") in held
        )
        if not is_spoken:
            ends_before = task.question[: span.start].rstrip()
            if found and ends_before.endswith(found[-1]):
                found[-1] = task.question[ends_before.rindex(found[-1]) : span.end]
            else:
                found.append(span.text)
    return tuple(dict.fromkeys(found))


def _is_subject(word: str, part: str) -> bool:
    """Whether the end of a word makes it the name of a subject: 数学 is not 学."""
    return part == "学" and len(word) > 1 and word.endswith(part)


def _denial(question: str, topic: str) -> str:
    """Return the words of a question that leave its topic out, with it: "not on tides"; else ""."""
    known = _words()
    head = question.casefold().partition(topic.casefold())[0] if topic else ""
    leads = {*known["about"], *known["from"], *known["articles"], "me", "mir"}
    words = head.split()
    while words and words[-1].strip(_ENDS) in leads:
        words.pop()
    last = words[-1].strip(_ENDS) if words else ""
    is_han = any(one in head for one in known["denied"] if _is_chinese(one))
    if is_han:
        return topic
    said = {word.strip(_ENDS) for word in head.split()}
    # "Don't show me cards about tides", where "don't tell me the answer" leaves nothing out.
    is_of_cards = said & {*known["denied"], *known["refused"]} and said & {*known["cards"]}
    if last in known["denied"]:
        return f"{last} {topic}"
    return topic if is_of_cards else ""


def linked_names(question: str) -> tuple[str, ...]:
    """Return the names whose links in the graph a question asks for; none where it asks for none.

    "What do I need before navigation?" asks for those of navigation.
    """
    known: dict[str, list[str]] = _words()["links"]
    if _is_chinese(question):
        if not any(word in question for word in known["chinese"]):
            return ()
        for part in (*known["parts"], *known["joints"]):
            question = question.replace(part, "|")
        asked = (name.strip(_AROUND_HAN).removeprefix("学") for name in question.split("|"))
        return tuple(dict.fromkeys(filter(None, asked)))
    words = [word.strip(_ENDS + '"“”„') for word in question.split()]
    if not any(word.casefold() in known["asking"] for word in words):
        return ()
    names: list[list[str]] = [[]]
    for word in words:
        is_verb = bool(names[-1]) and word.casefold() in known["asking"]
        if is_verb or word.casefold() in known["between"]:
            # "Does navigation need chart datum?" names two.
            names.append([])
        elif word.casefold() not in known["asking"] and word.casefold() not in known["other"]:
            names[-1].append(word)
    return tuple(dict.fromkeys(" ".join(one) for one in names if one))


def _language_of(texts: Sequence[str]) -> Language:
    """Return the language of the first text, by those after it where it shows none."""
    from groundwire.language.detection import languages_of

    return languages_of([_WORD.findall(text) for text in texts])[0]


@cache
def _sentences() -> Catalogue:
    return read_catalogue(files("groundwire.agents.learning_agents"))


def _field(variables: Mapping[str, JsonValue], name: str) -> str:
    value = variables.get(name)
    return value.strip() if isinstance(value, str) else ""


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(
        files("groundwire.agents.learning_agents").joinpath("words.toml").read_text("utf-8")
    )


def _is_chinese(question: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in question)


def _named(question: str, words: Sequence[str], kind: str) -> str:
    """Return what a question names; Chinese has no blanks, so that its words are parts of it."""
    known: dict[str, list[str]] = _words()[kind]
    return next(
        (
            name
            for name, some in known.items()
            if any(w in words or (_is_chinese(w) and w in question) for w in some)
        ),
        "",
    )


def _topic(question: str) -> str:
    """Return what follows the last word such as "about", or that names a source; else ""."""
    known = _words()
    if _is_chinese(question):
        return _chinese_topic(question, known["chinese"])
    parts = question.split()
    return (
        _before_verb(parts)
        or _behind(parts, known["about"])
        or _behind(parts, known["from"])
        or _before_source(parts)
    )


def _chinese_topic(question: str, known: Mapping[str, Sequence[str]]) -> str:
    """Return what stands between a word such as 关于 and one such as 的卡片, or ""."""
    places = [(question.find(lead), lead) for lead in known["leads"] if lead in question]
    if not places:
        return ""
    at, lead = min(places)
    rest = _HAN_WORDS.match(question[at + len(lead) :].strip())
    topic = rest.group() if rest is not None else ""
    for owner in known["owners"]:
        topic = topic.removeprefix(owner)
    for end in known["ends"]:
        topic = topic.partition(end)[0]
    return topic.strip()


def _before_verb(parts: Sequence[str]) -> str:
    """Return the topic of "Hilf mir, X zu verstehen" and "Ich will X lernen", or ""."""
    known = _words()
    words = [part.strip(_ENDS).casefold() for part in parts]
    if len(words) < 2 or words[-1] not in known["verbs"]:
        return ""
    stop = len(words) - 1 - (words[-2] == "zu")
    start = stop
    while start and words[start - 1] not in known["openers"] and parts[start - 1][-1] != ",":
        start -= 1
    if start == 0 or start == stop:
        return ""
    return " ".join(_without_article(parts[start:stop])).strip(_ENDS)


def _before_source(parts: Sequence[str]) -> str:
    """Return the topic of "the harbours chapter", or ""."""
    known = _words()
    words = [part.strip(_ENDS).casefold() for part in parts]
    for place in range(len(parts) - 1, 1, -1):
        if words[place] in known["sources"]:
            starts = (n for n in range(place - 1, 0, -1) if words[n - 1] in known["articles"])
            if (start := next(starts, None)) is not None:
                return " ".join(parts[start:place])
    return ""


def _without_article(parts: Sequence[str]) -> Sequence[str]:
    is_led = len(parts) > 1 and parts[0].casefold() in _words()["articles"]
    return parts[1:] if is_led else parts


def _behind(parts: Sequence[str], leads: Sequence[str]) -> str:
    known = _words()
    for place in range(len(parts) - 2, -1, -1):
        if parts[place].casefold() in leads:
            rest = _without_article(parts[place + 1 :])
            ends = (n for n in range(1, len(rest)) if rest[n].casefold() in known["requests"])
            if (end := next(ends, None)) is not None:
                # "About pilots and suggest cards": the topic ends before what is to be done.
                rest = rest[: end - (rest[end - 1].casefold() in known["links"]["between"])]
            stops = (n for n in range(1, len(rest)) if rest[n].casefold() in known["stops"])
            ends = (n for n in range(1, len(rest) + 1) if rest[n - 1][-1] in ",;")
            rest = rest[: min([*stops, *ends, len(rest)])]
            if leads is known["from"] and rest[-1].strip(_ENDS).casefold() in known["sources"]:
                # "From my harbour notes" is about the harbour.
                rest = rest[:-1]
            while len(rest) > 1 and rest[-1].strip(_ENDS).casefold() in known["endings"]:
                # "About tides again and again" is about tides.
                rest = rest[:-1]
            return " ".join(rest).strip(_ENDS)
    return ""


def _count(sent: JsonValue, words: Sequence[str], question: str) -> int:
    """Return the number that was sent, else the one that stands before a word for cards."""
    if isinstance(sent, int) and not isinstance(sent, bool):
        return sent
    known = _words()
    for measure in known["chinese"]["measures"]:
        counted = _BEFORE.search(question.partition(measure)[0]) if measure in question else None
        if counted is not None:
            said = counted.group()
            number = int(said) if said.isdecimal() else known["numbers"].get(said, 0)
            if 0 < number <= MOST_CARDS:
                return number
    for place, word in enumerate(words):
        if word in known["cards"]:
            for before in words[max(0, place - 2) : place]:
                number = int(before) if before.isdecimal() else known["numbers"].get(before, 0)
                if 0 < number <= MOST_CARDS:
                    return number
    return 0
