"""A request as a row of tokens: what leads to a place, places, times, wishes, breaks.

A place is what stands between a word that leads to it and the next token. Which stop or sight it
is, the planner decides: its vocabulary has them all, and asks where a name is not clear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from groundwire.agents.journey_requests.words import COORDINATES, WORDS, content

_VERBS = "|".join(WORDS["verbs"])
# In capitals behind a word they end a name: "Glen Head to Ben Top".
_MOTION = (
    r"(?!(?<=\w\s)(?-i:[A-Z][a-z]))(?:go(?:ing)?|get(?:ting)?|com(?:e|ing)|travel(?:l?ing)?|head(?:ing)?|return(?:ing)?|"
    r"be|been|tak(?:e|ing)|bring|walk(?:ing)?|cycl(?:e|ing)|back|mak(?:e|ing)|me|us|arriv(?:e|ing)|"
    r"i['’]?m|it|way|journey|trip|route|continu(?:e|ing)|direct|straight)"
)
_EVENT = f"(?:{'|'.join(WORDS['events'])})"
_NO_PLACE = (
    r"(?!\s+(?:an?|no|my\s+wheel|need|hurry|order|time|the\s+(?:morning|evening|afternoon)|general|"
    r"case|least|most|all\s+(?:of|the|my|day)|once|last|first|total|advance|which|what|that\s+case)\b)"
)

_LEADS: tuple[tuple[str, str], ...] = (
    ("skip", r"in\s+(?:good\s+)?time(?=\s+(?:for|to)\b)|at\s+the\s+latest"),
    ("skip", r"(?:on|along)\s+the\s+way(?!\s+(?:to|from|back|home|there)\b)|en\s+route"),
    ("skip", r"(?:my|the|a)\s+(?:trip|journey|route|way|commute)\s+(?=from|to|home|back)"),
    (
        "back",
        r"there\s+and\s+back(?:\s+again)?|(?:a\s+)?round[\s-]trip|"
        r"(?:a\s+)?return\s+(?:trip|journey|leg)|both\s+ways",
    ),
    (
        "from_there",
        r"(?:starting\s+)?from\s+there(?!\s+is)|from\s+that\s+place|onwards?\s+from\s+there",
    ),
    (
        "there",
        r"(?:be|get|arriv(?:e|ing)|been|go|reach)\s+(?:over\s+)?there|"
        r"(?<!is\s)there(?!\s+(?:is|are|any)\b)",
    ),
    ("between", r"between"),
    (
        "via",
        r"via|by\s+way\s+of|passing(?:\s+(?:by|through))?|going\s+through|through|"
        r"(?:with\s+a\s+)?stop(?:ping|\s+off|ping\s+off|over)?\s+(?:at|in|by)|calling\s+at|"
        r"chang(?:e|ing)\s+(?:trains\s+)?at|popping\s+(?:in\s+)?(?:at|into|to)",
    ),
    (
        "back",
        r"back\s+again|"
        r"(?:(?:com(?:e|ing)|get(?:ting)?|go(?:ing)?|be|head(?:ing)?|bring\s+me|take\s+me|"
        r"travel(?:l?ing)?)\s+back|return(?:ing)?|back)"
        r"(?!\s+(?:to|from|home|into|in|at\s+(?:home|work|the)|there)\b)",
    ),
    (
        "to",
        rf"(?:{_MOTION}\s+)*"
        r"(?:on\s+to|onto|into|towards?|over\s+to|(?:back\s+|up\s+|down\s+|out\s+)?to)"
        rf"(?!\s+(?:{_VERBS})\b)",
    ),
    (
        "to",
        r"(?:head(?:ing|ed)?|bound|mak(?:e|ing)|leav(?:e|ing)|set(?:ting)?\s+off|aiming)\s+for"
        r"(?!\s+(?:a|the)\s+(?:meeting|train))",
    ),
    (
        "to",
        r"(?:to\s+)?(?:visit(?:ing)?|reach(?:ing)?|attend(?:ing)?|destination\s*(?:is|:)?|"
        r"(?:to\s+)?see(?:ing)?(?=\s+(?:the\s+)?(?-i:[A-Z]))|"
        r"end(?:ing)?\s+(?:up\s+)?(?:at|in)|finish(?:ing)?\s+(?:at|in))",
    ),
    ("to", r"(?:→|->|=>|➔|⇒|>)"),
    (
        "from",
        r"(?:start(?:s|ing)?|begin(?:s|ning)?|origin|departing|leaving|depart)\s*"
        rf"(?:from|at|in|is|:){_NO_PLACE}",
    ),
    ("from", r"(?:(?:leav|depart|com|travell?|start|go|set)(?:e|ing)?(?:\s+off|\s+out)?\s+)?from"),
    (
        "from",
        r"(?:i['’]?m|i\s+am|we['’]?re|we\s+are|currently|now|i['’]?ll\s+be|i\s+will\s+be)\s+"
        r"(?:now\s+|currently\s+|standing\s+|staying\s+|\w+\s+(?:people|of\s+us)\s+)?"
        rf"(?:at|in|near|by|outside){_NO_PLACE}",
    ),
    ("from", r"out\s+of(?=\s+(?-i:[A-ZÄÖÜ]))"),
    ("from", r"(?:land(?:s|ing)?|touch(?:es|ing)?\s+down)\s+(?:at|in)"),
    ("from", r"leav(?:e|ing)(?!\s+(?:for|my\s+bike|the\s+bike|now|early|late|soon|then)\b)"),
    (
        "at",
        rf"(?:{_EVENT}(?:\s+with\s+\w+)?|(?:be|arriv(?:e|ing)|get\s+in|due|back|"
        r"meet(?:ing)?(?:\s+(?:up\s+with\s+)?(?:(?:my|an?|some|the|our)\s+)?\w+)?|need(?:ed)?|"
        r"been|expected))\s+"
        rf"(?:is\s+)?(?:at|in|on|near){_NO_PLACE}",
    ),
    (
        # Whom one picks up is where one goes first; "pick me up from" is where one begins.
        "at",
        r"(?:pick(?:ing)?\s+up|collect(?:ing)?|fetch(?:ing)?|drop(?:ping)?\s+off)\s+"
        rf"(?:(?!(?:me|us|to|then|and|routes?|trips?|journeys?|trains?)\b)[\w'’]+\s+){{1,4}}?"
        rf"(?:from|at|in|outside){_NO_PLACE}",
    ),
    ("home", r"home"),
    (
        "break",
        r"(?:and\s+)?(?:after\s+that|afterwards?|and\s+then|then|finally|"
        r"later(?:\s+on)?|thereafter)",
    ),
)
"""Kinds of tokens and the words that make one; where several fit, the first is taken."""

# "and" before these begins something new; before anything else it is part of a name.
_NEW = re.compile(
    r"(?:and|&)\s+(?:then|also|back|home|return\w*|after|finally|later|i|we|she|he|they|my|get|go|going|be|come|"
    r"coming|continue|arriv\w+|leav\w+|head\w*|meet|visit|from|to|on|onwards?|at|by|via|avoid\w*|no|"
    r"not|without|only|make|show|give|draw|send|add|put|create|export|tell|describe|please|with|in|"
    r"it|reach\w*|need|want|stop\w*|end|ending|finish\w*|start\w*|travel\w*|walk\w*|cycle|take|use|"
    r"mark|if|would|could|can|what|how|when|is|are|don['’]t|do|keep|remember|prefer\w*|there|need\w*|"
    r"must|should|have|has|had|got)\b",
    re.IGNORECASE,
)
# Words that stand in no name of a place, so that one ends before them.
_ENDS = re.compile(
    r"(?:with|for|because|since|so|if|when|while|who|that|but|as|please|thanks?|using|need|want|i|"
    r"we|would|can|could|should|must|which|how|what|is|are|was|has|have|having|arriv\w+|depart\w*|"
    r"leav\w+|quickly|today|and|or|before|after|until|travell?ing|going|go|get|be|do|does|will|"
    r"ideally|preferably|otherwise|instead|again|asap|thx|pls|ok|okay|right|soon|it|me|without|where|"
    r"i['’](?:m|d|ll|ve)|don['’]t|it['’]s|trip|journey|anymore|too|also|next|by|"
    r"avoiding|not|every|each|daily|first|via|from|to|whilst|taking|take|changing|except|"
    # German words that stay where a request is rewritten in English.
    r"wieder|au(?:ß|ss)er|weiter|jedoch|aber|sowie|damit|weil|wenn|falls|möglichst|bitte|gerne?|"
    r"lieber|statt|sondern|nicht|kein\w*|darf|kann|soll|muss|will|möchte|werden|haben?|hat|gehen|"
    r"fahren|kommen|laufen|nehmen|dort|dann|danach|vorher|zuerst|losfahren|ankommen|mitnehmen|"
    r"höchstens|mindestens|spätestens|frühestens|ungefähr|unterwegs|zwischendurch)(?![\w’'])",
    re.IGNORECASE,
)

Kind = Literal[
    "from", "to", "at", "via", "there", "from_there", "back", "break", "time", "wish", "skip",
    "place", "words", "between", "home", "stay",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Attributes:
        kind: what it is.
        start, end: where it stands.
        text: its words.
        index: of a time or wish, its place among them; of a stay, its minutes.
        strong: of a break, whether a sentence ends or another trip is announced.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    index: int = -1
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """A part of the text other than a place: a time, a wish, a stay, or what others have read."""

    kind: Literal["time", "wish", "skip", "stay"]
    start: int
    end: int
    index: int = -1


def _whole(pattern: str) -> str:
    """A pattern that matches no part of a word; arrows stand between words of their own."""
    return pattern if "→" in pattern else rf"(?<![\w’])(?:{pattern})(?![\w’])"


_TOKENS = re.compile(
    "|".join(
        f"(?P<k{number}_{kind}>{_whole(pattern)})" for number, (kind, pattern) in enumerate(_LEADS)
    ),
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[,;!?()]|\.(?=\s|$)|:(?=\s)|\n|\s[-–—]+\s")
_ABBREVIATED = re.compile(r"\b(?:st|rd|sq|ave|dr|mt|no|e\.g|i\.e)\.$", re.IGNORECASE)
_LEADING = frozenset({"from", "to", "at", "via", "between"})
# Blanks within a name, at most.
_GAP = 2
_WORD = re.compile(rf"{COORDINATES}|\S+")
_ASIDE = re.compile(r"\([^()]{2,40}\)")
_SAYS = re.compile(rf"[,;:!?]|(?<![\w’]){_ENDS.pattern}", re.IGNORECASE)
_LATER_AND = re.compile(r"[^,;.!?]*\band\s+(?!\s)", re.IGNORECASE)
_NAME_WAYS = re.compile(r"(?:way|walk|reach|end)\b", re.IGNORECASE)
_NAME_ENDS = re.compile(r"(?:end|reach|walk|see)\b", re.IGNORECASE)
_OVER = ("Over ", "Up ", "Down ", "Out ", "Back ")
_JOINT = re.compile(r"(and\b|&)\s+", re.IGNORECASE)


def tokens_of(text: str, taken: Sequence[Taken]) -> list[Token]:
    """The tokens of a request.

    Args:
        text: the request.
        taken: the parts of it that are no places, in order and without overlap.
    """
    return _Scan(text, sorted(taken, key=lambda one: one.start)).tokens()


class _Scan:
    """One walk through a text."""

    def __init__(self, text: str, taken: Sequence[Taken]) -> None:
        self._text = text
        self._taken = {one.start: one for one in taken}
        self._starts = sorted(self._taken)
        self._found: list[Token] = []
        self._open: Token | None = None
        self._between = False

    def tokens(self) -> list[Token]:
        at = 0
        while at < len(self._text):
            at = self._step(at)
        return self._found

    def _step(self, at: int) -> int:
        """Read what begins at a position, and return where it ends."""
        if self._text[at].isspace() and not _PUNCTUATION.match(self._text, at):
            return at + 1
        taken = self._taken.get(at)
        if taken is not None:
            self._add(Token(taken.kind, at, taken.end, self._text[at : taken.end], taken.index))
            return taken.end
        aside = _ASIDE.match(self._text, at)
        if aside is not None and self._places() and self._names(aside):
            # "Edgware Road (Bakerloo)" is one name.
            last = self._found[-1]
            self._found[-1] = Token(
                "place", last.start, aside.end(), self._text[last.start : aside.end()]
            )
            return aside.end()
        mark = _PUNCTUATION.match(self._text, at)
        if mark is not None and not self._is_abbreviation(mark):
            self._add(Token("break", at, mark.end(), mark[0], strong=mark[0].strip() in ".;!?"))
            return mark.end()
        return self._worded(at)

    def _names(self, aside: re.Match[str]) -> bool:
        """Whether what stands in parentheses is part of a name, and says nothing of the trip."""
        said = range(aside.start(), aside.end())
        says = any(one in said for one in self._starts) or _SAYS.search(aside[0])
        return not says and len(aside[0].split()) < 4

    def _worded(self, at: int) -> int:
        match = _TOKENS.match(self._text, at)
        if match is not None and self._leads(match):
            kind = cast("Kind", str(match.lastgroup).partition("_")[2])
            end = self._before_taken(at, match.end())
            strong = kind == "break"
            self._add(Token(kind, at, end, match[0], strong=strong))
            return end
        joint = _JOINT.match(self._text, at)
        if joint is not None and self._between and self._places() and not self._goes_on(joint):
            self._between = False
            self._add(Token("to", at, joint.end(1), "and"))
            return joint.end(1)
        if joint is not None and (_NEW.match(self._text, at) or joint.end() in self._taken):
            self._add(Token("break", at, joint.end(1), "and"))
            return joint.end(1)
        return self._plain(at)

    def _plain(self, at: int) -> int:
        """A word of a place, or one that nothing leads to."""
        word = _WORD.match(self._text, at)
        assert word is not None
        end = self._before_taken(at, word.end())
        trailing = re.search(r"[,;!?()]+|\.$|:$", self._text[at:end])
        is_position = re.fullmatch(COORDINATES, word[0]) is not None
        if trailing is not None and trailing.start() > 0 and not is_position:
            cut = at + trailing.start()
            if not _ABBREVIATED.search(self._text[:end]) or end == len(self._text):
                end = cut
        if self._text[at:end].endswith(".") and end == len(self._text):
            end -= 1
        last = self._found[-1] if self._found else None
        said = self._text[at:end]
        stops = _ENDS.fullmatch(said) is not None
        if last is not None and last.kind in _LEADING and not stops:
            self._add(Token("place", at, end, said))
        elif last is not None and last.kind == "place" and self._goes_on_at(last, at, stops):
            self._found[-1] = Token("place", last.start, end, self._text[last.start : end])
        elif last is not None and last.kind == "words":
            self._found[-1] = Token("words", last.start, end, self._text[last.start : end])
        else:
            self._add(Token("words", at, end, said))
        return max(end, at + 1)

    def _goes_on_at(self, place: Token, at: int, stops: bool) -> bool:
        """Whether a word goes on a place: "Harrow on the Hill" does, "Bank with" does not."""
        if at - place.end > _GAP:
            # What others have read stood in between.
            return False
        if not stops:
            return True
        rest = self._text[at:]
        name = re.match(r"(?:and|&|by|or|at)\s+(?:the\s+)?[A-Z]", rest)
        return name is not None or re.match(r"and\s+\w", rest) is not None

    def _leads(self, match: re.Match[str]) -> bool:
        """Whether a match is what its words say: "home" after "from" is where a trip begins."""
        last = self._found[-1] if self._found else None
        if last is None:
            return True
        if str(match.lastgroup).endswith("_home"):
            return last.kind not in _LEADING
        if last.kind in ("from", "via") and match[0].startswith(_OVER):
            # "from Over to Bank"
            return False
        if last.kind == "words" and _NAME_WAYS.match(match[0]) and content(last.text):
            # "Ampere Way to Bank"
            return False
        # "Mile End at 9", "Gallions Reach": what is a verb elsewhere ends a name here.
        return last.kind not in (*_LEADING, "place") or not _NAME_ENDS.match(match[0])

    def _goes_on(self, joint: re.Match[str]) -> bool:
        """Whether the first "and" after "between" is part of the name, since another follows."""
        later = _LATER_AND.match(self._text, joint.end())
        return later is not None and _NEW.match(self._text, later.end() - len("and ")) is None

    def _places(self) -> bool:
        return bool(self._found) and self._found[-1].kind == "place"

    def _before_taken(self, at: int, end: int) -> int:
        """An end that does not reach into a time or wish."""
        return min((start for start in self._starts if at < start < end), default=end)

    def _is_abbreviation(self, mark: re.Match[str]) -> bool:
        if not mark[0].startswith("."):
            return False
        before = _ABBREVIATED.search(self._text[: mark.end()])
        return before is not None and mark.end() < len(self._text)

    def _add(self, token: Token) -> None:
        if token.kind == "between":
            self._between = True
            token = Token("from", token.start, token.end, token.text)
        self._found.append(token)
