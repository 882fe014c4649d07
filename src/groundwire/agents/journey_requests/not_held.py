"""Questions whose answers are not held here, and conditions of trips that no planner applies.

The kinds of questions are data in `not_held.toml`, each with what is said to it. A sentence of such
a kind is never planned as another trip: "the last train from Angel to Bank" does not ask for a trip
that begins now. The conditions are patterns in `left_out.toml`. Words that leave it open which trip
is meant, where no rule read them, are found here as well.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from groundwire.agents.journey_requests.stays import DURATION

_FOLDER = Path(__file__).parent
# "in at most 20 minutes", of the whole trip: of walks and changes there are options.
MOST_MINUTES = re.compile(
    r"(?<!walk )(?<!walking )(?<!foot )\b(?:(?:but\s+)?(?:only\s+if|as\s+long\s+as|"
    r"provided(?:\s+that)?)\s+"
    r"(?:it|that)\s+)?(?:(?:in|within|taking|takes?|"
    r"it\s+(?:must|should|may)\s+(?:not\s+)?take)\s+)?"
    r"(?:under|less\s+than|at\s+most|no\s+(?:more|longer)\s+than|not\s+(?:more|longer)\s+than|max(?:imum)?(?:\s+of)?|"
    r"(?:not\s+)?longer\s+than)\s+(?P<count>\d{1,3}|a|an|half\s+an|one|two|twenty|thirty|forty|fifty)[\s-]*"
    r"(?P<unit>min(?:ute)?s?|h(?:our|r)?s?)\b(?:\s+(?:in\s+total|altogether|overall|door\s+to\s+door))?"
    r"(?!\s*(?:of\s+)?(?:walk|on\s+foot|by\s+foot|to\s+chang|for\s+(?:a\s+)?(?:chang|each)|between|to\s+walk|chang|transfer|"
    r"interchang|before|after|from|late))"
    r"(?:\s*,?\s*(?:or\s+(?:else\s+)?|otherwise\s+)(?:do\s*n['’]?t\s+bother|i\s+(?:wo\s*n['’]?t|will\s+not)\s+go|forget\s+it))?",
    re.IGNORECASE,
)
_TIMES = r"(?:(?P<times>once|twice)|(?P<number>an?(?:\s+single)?|one|two|three|[1-4])(?:\s+times?)?)"
_AT_MOST = (
    r"(?:(?:with|in|and|but|please)\s+)*(?:at\s+most|at\s+the\s+most|no\s+more\s+than|not\s+more\s+(?:often\s+)?than|"
    r"(?:a\s+)?max(?:imum)?(?:\s+of)?|up\s+to|only|just|never\s+more\s+than)"
)
# "at most one change", "changing no more than twice"
MOST_CHANGES = re.compile(
    rf"(?<![\w’'-]){_AT_MOST}\s+{_TIMES}\s+(?:inter)?(?:changes?|transfers?)(?!\w)"
    r"|(?<![\w’'-])(?:(?:and|but|please|to|i|we|want|only)\s+)*(?:chang(?:e|ing)|transfer(?:ring)?)(?:\s+(?:trains?|lines?|tubes?))?\s+"
    rf"{_AT_MOST}\s+{_TIMES.replace('<times', '<times_after').replace('<number', '<number_after')}(?!\w)"
    r"|(?<![\w’'-])(?:(?:and|but|i|we|to)\s+)*(?:without|not|never|don['’]?t(?:\s+want(?:\s+to)?)?|do\s+not(?:\s+want(?:\s+to)?)?)\s+(?:(?:to|chang(?:e|ing)|have|any)\s+)*"
    rf"more\s+than\s+{_TIMES.replace('<times', '<times_not').replace('<number', '<number_not')}(?:\s+(?:inter)?(?:changes?|transfers?))?(?=\s*(?:[,.;?!]|$)|\s+(?:please|and|but))"
    r"|(?<![\w’'-])chang(?:e|ing)(?:\s+(?:trains?|lines?|tubes?))?\s+(?P<then>once|twice)\s+(?:at\s+(?:the\s+)?most|max(?:imum)?)(?!\w)"
    r"|(?<![\w’'-])only\s+chang(?:e|ing)(?:\s+(?:trains?|lines?|tubes?))?\s+(?P<only>once|twice)(?!\w)"
    r"|(?<![\w’'-])(?:(?:with|and|but)\s+)?(?P<before>an?(?:\s+single)?|one|two|three|[1-4])\s+(?:inter)?(?:changes?|transfers?)\s+"
    r"(?:max(?:imum)?|at\s+(?:the\s+)?most|tops|or\s+(?:fewer|less))(?!\w)",
    re.IGNORECASE,
)
# "with 10 minutes to spare", "want to be 20 minutes early"
SPARE = re.compile(
    r"(?<![\w’'-])(?:,\s*)?(?:(?:and|but|so|please)\s+)*"
    r"(?:(?:i|we)(?:['’]d)?\s+(?:(?:want|wanna|like|need|would|prefer|have|plan)\s+)+(?:to\s+)?)?"
    r"(?:(?:want\s+to\s+)?(?P<there>be\s+there|get\s+there|arrive|be)\s+|(?:with|plus|add|adding|allow|allowing|leave|leaving|"
    r"build\s+in|give|keep|keeping|have|plan)\s+(?:me\s+)?(?:in\s+)?)?(?:(?:at\s+least|about|a|another)\s+)?"
    rf"(?P<length>{DURATION})['’]?(?:\s+of)?[\s-]+"
    r"(?:to\s+(?:spare|prepare|get\s+ready|settle(?:\s+in)?|relax|warm\s+up)|for\s+(?:an?\s+|some\s+)?[a-z]+\s+(?:first|before(?:hand)?)|(?:of\s+)?(?:buffer|leeway|slack|margin|contingency|spare)(?:\s+time)?|early|in\s+hand|ahead\s+of\s+time|"
    r"before(?:hand)?(?=\s*(?:[.,;!?]|$)))(?!\s+(?:than|notice|warning))(?!\w)",
    re.IGNORECASE,
)
_COUNTS = {
    "a": 1,
    "an": 1,
    "half an": 0.5,
    "one": 1,
    "two": 2,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}


class _Kind(NamedTuple):
    """A kind of question.

    Attributes:
        asked: what a sentence of it has.
        unless: what makes it another question, or None.
        answer: what is said to it.
    """

    asked: re.Pattern[str]
    unless: re.Pattern[str] | None
    answer: str


def not_held(sentence: str) -> str:
    """Return what is said to a question whose answer is not held; empty for any other sentence."""
    for kind in _kinds():
        if kind.asked.search(sentence) and not (kind.unless and kind.unless.search(sentence)):
            return kind.answer
    return ""


@cache
def _kinds() -> Sequence[_Kind]:
    tree = tomllib.loads((_FOLDER / "not_held.toml").read_text("utf-8"))
    return [
        _Kind(
            re.compile(kind["asked"], re.IGNORECASE),
            re.compile(kind["unless"], re.IGNORECASE) if "unless" in kind else None,
            kind["answer"],
        )
        for kind in tree["kind"]
    ]


def left_out(text: str) -> Iterator[re.Match[str]]:
    """Yield the conditions of a text that no planner applies, without overlap."""
    end = 0
    found = [one for pattern in _patterns() for one in pattern.finditer(text)]
    for match in sorted(found, key=lambda one: (one.start(), -one.end())):
        if match.start() >= end:
            end = match.end()
            yield match


def most_minutes(match: re.Match[str]) -> int:
    """Return the minutes that a trip may take at most, of a match of `MOST_MINUTES`."""
    said = " ".join(match["count"].lower().split())
    count = _COUNTS[said] if said in _COUNTS else int(said)
    return int(count * 60) if match["unit"].lower().startswith("h") else int(count)


_NUMBERS = {"once": 1, "twice": 2, "one": 1, "two": 2, "three": 3}


def most_changes(match: re.Match[str]) -> int:
    """Return the changes that a trip may have at most, of a match of `MOST_CHANGES`."""
    said = next(filter(None, match.groups())).lower()
    return int(said) if said.isdigit() else _NUMBERS.get(said, 1)


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    tree = tomllib.loads((_FOLDER / "left_out.toml").read_text("utf-8"))
    return [re.compile(one, re.IGNORECASE) for one in tree["patterns"]]


# Words that turn round what stands beside them: where they were not read, a plan may be of what was
# not wanted, or for a condition that nobody looked at.
TURNS_ROUND = re.compile(
    r"(?<![\w’'-])(?:no|not|don['’]?t|doesn['’]?t|never|nor|neither|without|except|unless|instead|wait|"
    r"first|last|earliest|latest|return\w*|reverse\w*|"
    r"nein|nicht|kein\w*|ohne|außer|statt\w*|sondern|lieber|doch|weder|noch|erste[rns]?|letzte[rns]?|"
    r"zurück|rückfahrt)(?![\w’'-])|[不别莫勿]|没有|改成|改为|首班|末班|最后|最早|最晚|返|回",
    re.IGNORECASE,
)
# Words of a day or an hour: where they were not read, a plan may be of another one.
SAYS_WHEN = re.compile(
    r"(?<![\w’'-])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|weds?|thu|thurs?|fri|sat|sun|"
    r"january|february|march|april|june|july|august|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"september|october|november|december|christmas|xmas|easter|weihnachten|ostern|"
    r"ha?lb|viertel|uhr|mittags?|heut\w*|abends?|nachts?|vormittags?|nachmittags?|morgens|"
    r"\d{1,2}(?:st|nd|rd|th)|tomorrow|tonight|yesterday|"
    r"ankunft|abfahrt|januar|februar|märz|juni|juli|oktober|dezember|(?:mon|diens|donners|"
    r"frei|sams|sonn)tags?|mittwochs?|übernächste\w*|wochen?|monat\w*|month\w*|fortnight\w*)(?![\w’'-])|^[下大]|[点月周号后天](?![\w])|[早晚昨]|圣诞|春节|小时|分钟",
    re.IGNORECASE,
)
# Small words that say nothing by themselves, but that place a trip in time or turn it round.
LOADED = re.compile(
    r"(?<![\w’'-])(?:tomorrow|tonight|yesterday|without|latest|earliest|early|late|later|hours?|week|"
    r"weekend|return\w*|instead|evening|morning|afternoon|night|noon|midnight|until|till|half|quarter|"
    r"past|last)(?![\w’'-])|^(?:the\s+)?first\s+(?!i\b|we\b|then\b|go\b|to\b|at\b|from\b|thing\b)[a-z]+$",
    re.IGNORECASE,
)
BACK = re.compile(r"(?<![\w’'-])(?:back|again|round)(?![\w’'-])", re.IGNORECASE)
# "an hour before": where no rule made a time of it, the time that was read is another one.
MARGIN = re.compile(
    rf"(?<!\w){DURATION}\s+(?:before(?:hand)?|early|earlier|ahead|in\s+advance|to\s+spare)(?!\w)",
    re.IGNORECASE,
)


def turned(unread: tuple[str, ...]) -> bool:
    """Return whether words that were not read may turn a trip round or move it."""
    return any(TURNS_ROUND.search(one) or SAYS_WHEN.search(one) for one in unread)
