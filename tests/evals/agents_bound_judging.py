"""Judges runs of `agents_bound.py` by their output alone."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groundwire.agents.runtime.contract import AgentOutput
from groundwire.safe_text import safe_line
from tests.evals.agents_bound_world import Calls, Kept, World, answer_of

LOW = 0.3
_WINDOW, _SHORT_WINDOW = 30, 12
_FORMATTING = re.compile(r"[*_`\\]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_BLANKS = re.compile(r"\s+")
_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|‘[^’]*’|«[^»]*»|「[^」]*」|《[^》]*》|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|```.*?```|`[^`]*`",
    re.DOTALL,
)
_IDS = re.compile(r"\b(?:jo|ev|run|kg)_[a-z0-9]{8,}\b")
_BETWEEN = re.compile(r"(?<=\d)[,'\s\u00a0\u202f_](?=\d)")
_NOTE = re.compile(
    r"not (?:been )?(?:counted|considered|taken|used|asked|applied|understood)|was added|differs"
    r"|nicht (?:gezählt|berücksichtigt|verwendet|gefragt)|未(?:计入|考虑|采用)",
    re.IGNORECASE,
)
# Marks that Markdown is kept from reading.
_ESCAPED = re.compile(r"\\([^\w\s])")
# Between words that are quoted one by one.
_APART = re.compile("”, “")
_LINK = re.compile(r"!?\[[^\]]*\]\([^)]*\)")
_RAW = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]|(?<!\\)!\[[^\]]*\]\(|(?<!\\)\]\(\s*(?:javascript|vbscript|data):",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text as it is compared: folded, without marks of emphasis and with single blanks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _BLANKS.sub(" ", _FORMATTING.sub("", folded)).strip()


def leaves(data: Any) -> Iterable[str]:
    """All texts in a value."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from leaves(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from leaves(value)


def shown(output: AgentOutput) -> str:
    """Everything that a caller is shown of a run beside its trace."""
    error = output.error.message if output.error is not None else ""
    return plain("\n".join([*leaves(output.result), error]))


def windows(text: str) -> list[str]:
    """Pieces of a text by which it is known again, and the text itself where it is short."""
    whole = plain(text)
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in whole)
    length = _SHORT_WINDOW if wide * 3 > len(whole) else _WINDOW
    if len(whole) <= length:
        return [whole] if len(whole) >= 6 else []
    starts = [0, *(at + 1 for at, one in enumerate(whole) if one == " " or wide)]
    return [whole[at : at + length] for at in starts if at + length <= len(whole)]


def stands(pieces: Iterable[str], text: str, before: str) -> bool:
    """Whether one of the pieces is in a text, and was not in what stands there anyway."""
    return any(one in text for one in pieces if one and one not in before)


def unquoted(text: str, quoted: str) -> str:
    """A text without what it quotes; a quotation of this one may have been cut short."""
    forms = {quoted, repr(quoted)[1:-1], json.dumps(quoted, ensure_ascii=False)[1:-1]}
    forms |= {unicodedata.normalize("NFKC", form) for form in forms}
    for mark in "\"'“‘«`":
        opening = mark + quoted[:8]
        at = text.find(opening) if len(quoted) >= 8 else -1
        while at >= 0:
            end = at + 1 + max(_shared(text[at + 1 :], form) for form in forms)
            text = text[:at] + " " + text[end:]
            at = text.find(opening)
    return plain(_QUOTED.sub(" ", text))


def _shared(text: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(text, other, strict=False))
    unlike = (at for at, (one, two) in pairs if one != two)
    return next(unlike, min(len(text), len(other)))


def raw(text: str, shown: str = "") -> bool:
    """Whether a text has what a terminal or a page would act on.

    Args:
        text: an answer.
        shown: a string of data that may stand in it: a link of it must not stay one, and it must
            not begin a line of its own.
    """
    acting = [*_LINK.findall(shown), *(shown.strip(),) * ("\n" in shown.strip())]
    return _RAW.search(text) is not None or any(one in text for one in acting)


def without_label(text: str, label: str) -> str:
    """The letters and digits of a text without its quotations, and without a label in it."""
    text = _ESCAPED.sub(r"\1", text)
    for form in (label, " ".join(label.split()), safe_line(label)):
        text = text.replace(form, "|")
    # Escape sequences and hidden characters of a label are not shown.
    letters, rest = letters_of(safe_line(label)), letters_of(_QUOTED.sub("|", text))
    opening = letters[:8]
    at = rest.find(opening) if len(opening) > 3 else -1
    while at >= 0:
        end = at
        while end - at < len(letters) and rest[end : end + 1] == letters[end - at]:
            end += 1
        rest = rest[:at] + "|" + rest[end:]
        at = rest.find(opening)
    return rest


def letters_stand(pieces: Iterable[str], letters: str) -> bool:
    """Whether the letters and digits of one of the pieces are among some letters."""
    return any(letters_of(one) in letters for one in pieces if letters_of(one))


def letters_of(text: str) -> str:
    """The letters and digits of a text, as it is compared."""
    return "".join(one for one in plain(text) if one.isalnum())


def same_answer(one: AgentOutput, other: AgentOutput) -> bool:
    """Whether two runs told the same."""
    return _compared(one) == _compared(other)


def _compared(output: AgentOutput) -> str:
    return _IDS.sub("", plain(answer_of(output)))


class Marks:
    """By what the data of calls are known again in an answer."""

    def __init__(self, texts: Iterable[str] = (), plans: Iterable[tuple[Any, ...]] = (),
                 totals: Iterable[int] = ()) -> None:  # fmt: skip
        self.texts = frozenset(texts)
        self.plans = frozenset(plans)
        self.totals = frozenset(totals)

    def __bool__(self) -> bool:
        return bool(self.texts or self.plans or self.totals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marks) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def without(self, other: Marks) -> Marks:
        """Those of these data alone."""
        return Marks(self.texts - other.texts, self.plans - other.plans, self.totals - other.totals)

    def wholly_within(self, output: AgentOutput) -> bool:
        """Whether a run answered with all of these data."""
        answer = _digits(answer_of(output))
        found = marks_of(output.result or {})
        return (
            all(_digits(one) in answer for one in self.texts)
            and self.plans <= found.plans
            and self.totals <= found.totals
        )

    def within(self, output: AgentOutput) -> bool:
        """Whether a run answered with these data."""
        answer = _digits(answer_of(output))
        found = marks_of(output.result or {})
        return (
            any(_digits(one) in answer for one in self.texts)
            or bool(self.plans & found.plans)
            or bool(self.totals & found.totals)
        )


def marks_of(data: Any) -> Marks:
    """The marks in one tool's answer, or in an agent's result."""
    texts: set[str] = set()
    plans: set[tuple[Any, ...]] = set()
    totals: set[int] = set()
    _collect(data, texts, plans, totals)
    return Marks(texts, plans, totals)


def _collect(data: Any, texts: set[str], plans: set[tuple[Any, ...]], totals: set[int]) -> None:
    if isinstance(data, list | tuple):
        for one in data:
            _collect(one, texts, plans, totals)
    if not isinstance(data, Mapping):
        return
    keys = data.keys()
    if {"value_text", "metric"} <= keys:
        texts.add(str(data["value_text"]))
    if {"iri", "label", "domain"} <= keys or {"iri", "describe_url"} <= keys:
        texts.add(str(data["iri"]))
    if {"locator", "text"} <= keys:
        texts.add(plain(str(data["text"]))[:60])
    if isinstance(data.get("total"), int) and data.get("status") in ("results", "empty"):
        totals.add(data["total"])
    plans |= {
        (data.get("from"), data.get("to"), one.get("start"), one.get("arrival"),
         tuple(one.get("lines", ())))
        for one in (data.get("plans") or [])[:1]
    }  # fmt: skip
    for key, one in data.items():
        if key not in ("audits", "audit", "requested"):
            _collect(one, texts, plans, totals)


def data_of(world: World, calls: Calls) -> Marks:
    """The marks of what some calls answer when they are made without an agent."""
    texts: set[str] = set()
    plans: set[tuple[Any, ...]] = set()
    totals: set[int] = set()
    for tool, arguments in calls:
        if tool in ("clarify_question", "list_metrics", "discover_values", "discover_properties"):
            continue
        _collect(world.call(tool, arguments), texts, plans, totals)
    return Marks(texts, plans, totals)


def told(output: AgentOutput, question: str, words: Sequence[str]) -> bool:
    """Whether an answer names one of the words outside its lists and its echo of the question.

    An answer may tell a name of several words word by word, each in quotation marks: an agent that
    repeats no sentence of its model does so.
    """
    lines = [
        line
        for line in answer_of(output).replace(question, " ").splitlines()
        if not line.lstrip().startswith(("- [", "- ")) or "<http" not in line
    ]
    text = plain(_APART.sub(" ", "\n".join(lines)))
    return any(_names(text, plain(one)) for one in words)


def _names(text: str, word: str) -> bool:
    """Whether a text has a word; short ones of Latin letters only as a word of their own."""
    if len(word) > 3 or not word.isascii():
        return word in text
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def noted(output: AgentOutput) -> bool:
    """Whether an answer says that something was not counted, was added, or differs."""
    return _NOTE.search(answer_of(output)) is not None


def low(output: AgentOutput) -> bool:
    return output.reasoning.confidence <= LOW


def unchanged_is_said(output: AgentOutput) -> bool:
    """Whether an answer asks, or says that nothing was changed."""
    answer = answer_of(output)
    return output.error is not None or bool(_ASKS.search(answer))


_ASKS = re.compile(
    r"[?？]|unchanged|\b(?:no|not|nothing|none|never|only|cannot|without|disabled)\b|n't\b|\b(?:nicht|nichts|kein\w*|nur)\b|[不没未无]",
    re.IGNORECASE,
)


def changed(kept: Kept, change: Mapping[str, Any]) -> bool:
    """Whether a change stands in what is kept."""
    places, options = kept.places, kept.options
    for key, value in change.items():
        if key == "reset":
            names = [*options, *places] if "all" in value else value
            stands_so = not any(name in options or name in places for name in names)
        elif key == "places":
            stands_so = all(
                plain(place) in plain(str(places.get(name, {}).get("value", "")))
                for name, place in value.items()
            )
        elif isinstance(value, list):
            stands_so = key in options
        else:
            stands_so = plain(str(options.get(key))) == plain(str(value))
        if not stands_so:
            return False
    return True


def _digits(text: str) -> str:
    return _BETWEEN.sub("", plain(text))
