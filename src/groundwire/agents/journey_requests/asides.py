"""Parts of a request beside trips: artefacts, the state of lines, departures, stops."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import ArtefactKind, Artefacts, Question
from groundwire.agents.journey_requests.wishes import lines_pattern, modes_pattern
from groundwire.agents.journey_requests.words import WORDS

_KINDS: dict[ArtefactKind, str] = {
    "map": r"maps?|draw(?:ing)?|plot",
    "calendar": r"calendars?|ics(?:\s+files?)?|ical|diary|outlook",
    "text": (
        r"directions|step[\s-]by[\s-]step|describe|description|details?|detailed|instructions|"
        r"as\s+text|in\s+text|text|summari[sz]e|summary|the\s+steps|spell\s+(?:it|them)?\s*out|"
        r"explain|walk\s+me\s+through"
    ),
}
_LEAD = (
    r"(?:\b(?:and|also|then|please|give|show|make|draw|create|send|write|export|put|add|save|get|"
    r"want|need|with|as|on|in|into|to|for|me|us|it|them|that|this|an?|the|my|its|one|both|all|"
    r"i|would|like|can|could|you|have|full|brief|a\s+nice|detailed|turn|of|file|entry|event|invite|"
    r"everything|too)\b[\s,]*)*"
)
_ORDINALS: Mapping[str, int] = WORDS["places"]
# "rack railway" is less than "railway": what narrows a mode stays with it.
NARROWER = "|".join(WORDS["narrower"])
_NO_SUCH = 1_000
_ORDINAL_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_COUNT = rf"\d{{1,2}}|{'|'.join(_ORDINALS)}"
_PLAN = re.compile(
    rf"\b(?:(?:plan|option|alternative|route|choice)\s+(?:number\s+|no\.?\s*)?(?P<after>{_COUNT})|"
    rf"(?P<before>{_COUNT})\s+(?:plan|option|alternative|route|choice))\b",
    re.IGNORECASE,
)
_JOURNEY = re.compile(
    rf"\b(?:(?:journey|trip|leg)\s+(?:number\s+|no\.?\s*)?(?P<after>{_COUNT})|"
    rf"(?P<before>{_COUNT})\s+(?:journey|trip|leg|one))\b",
    re.IGNORECASE,
)
_INDEX = re.compile(
    r"\b(?P<which>plan|journey)_index\s*[:=]?\s*(?P<value>\d{1,3})\b", re.IGNORECASE
)
_TOWARDS = re.compile(
    r"\b(?:journey|trip|leg|one|route|way|plan)s?\s+(?:back\s+)?(?:to\s+)?(?P<place>home|"
    r"(?<=to\s)[^,.;!?]+?)(?=\s*(?:[,.;!?]|$)|\s+(?:and|as|in|on|please|into|for|with)\b)",
    re.IGNORECASE,
)
# "the calendar of the trip to Oval", "put the trip home in my calendar"
_MADE_OF = re.compile(
    r"\b(?:(?:of|for|put|add|save|export|draw|show(?:\s+me)?|describe|map|plot|send(?:\s+me)?)\s+)"
    r"(?:just\s+|only\s+)?the\s+(?:journey|trip|leg|way|one)\s+(?:(?:back\s+)?to\s+)?(?P<place>home|"
    r"(?<=to\s)[^,.;!?]{1,60}?)(?=\s?(?:[,.;!?]|$)|\s(?:and|as|in|on|please|into|for|with|to)\b)",
    re.IGNORECASE,
)
# "save the Oval trip": a name before the word, which ordinals are not
_TRIP_OF_NAME = re.compile(
    r"\b(?i:of|for|put|add|save|export|draw|show(?:\s+me)?|describe|map|plot|send(?:\s+me)?)\s+"
    r"(?i:just\s+|only\s+)?(?i:the|my)\s+(?P<place>[A-Z][^\s,.;!?]*(?:\s[A-Z][^\s,.;!?]*){0,4})\s"
    r"(?i:journey|trip|leg)\b"
)
_TRIP_WORDS = re.compile(r"\bfrom\s+(?!now|there|home\s*$)\S", re.IGNORECASE)
_SPOKEN: Mapping[str, int] = WORDS["spoken_minutes"]
_AMOUNT = "|".join(
    (
        r"\d{1,4}",
        *(one.replace(" ", r"[\s-]") for one in sorted(_SPOKEN, key=len, reverse=True)),
        "an?",
        "one",
        "two",
        "three",
    )
)
_LEAVING = (
    r"(?:\s+(?:before(?:hand)?|earlier|ahead(?:\s+of)?|early|prior(?:\s+to)?|in\s+advance(?:\s+of)?))?"
    r"(?:\s+(?:(?:(?:i|we)\s+)?(?:(?:have|need|got)\s+to\s+|must\s+|should\s+)?(?:leav\w+|depart\w*|go|set\s+off|setting\s+off|"
    r"start)|(?:it\s+is|it['’]s)\s+time\s+to\s+(?:leave|go|set\s+off))(?!\s+(?-i:[A-Z])))?\s*:?"
)
_ALARM = re.compile(
    r"\b(?:(?:remind(?:er|ing)?|nudge|prod|alarm|alert|warn(?:ing)?|notify|notification|notice|heads[\s-]?up|buzz|ping|wake)\b[^.,;:]*?|"
    r"(?:tell|let)\s+me(?:\s+know)?\s+(?=[\w\s-]{1,24}\s(?:before|ahead|prior|in\s+advance)))"
    rf"(?<!\w)(?P<number>{_AMOUNT})[\s-]*(?P<unit>min\w*|h\w*)(?!\w){_LEAVING}|"
    rf"(?<!\w)(?P<before>{_AMOUNT})[\s-]*(?P<of>min\w*|h\w*)(?!\w){_LEAVING}\s*,?\s*"
    r"(?:please\s+)?(?:remind|alert|warn|notify|tell|ping)\s+me|"
    rf"\b(?:give\s+me\s+|with\s+)?(?:an?\s+)?(?P<give>{_AMOUNT})[\s-]*(?P<given>min\w*|h(?:ou)?rs?)['’]?s?\s+"
    rf"(?:notice|warning|heads[\s-]?up|reminder|alarm|alert|notification)\b{_LEAVING}",
    re.IGNORECASE,
)
_PER_LEG = re.compile(
    r"\b(?:(?:each|every|per)\s+leg|one\s+(?:event\s+)?(?:per|a|for\s+each)\s+leg)\b", re.I
)
_WHOLE_DAY = re.compile(
    r"\b(?:(?:of|for)\s+)?(?:the\s+|my\s+)?(?:whole|entire)\s+day\b|"
    r"\b(?:(?:on(?:to)?|in(?:to)?|as)\s+)?(?:one|a\s+single|the\s+same)\s+(?:map|calendar(?:\s+(?:file|entry))?|file)\b|"
    r"\b(?:all|both)(?:\s+(?:of\s+them|trips|journeys|ways))?(?:\s+together)?\s+(?=(?:on|in)(?:to)?\s+(?:one|a\s+single)\b)|"
    r"\btogether\s+(?=(?:on|in)(?:to)?\s+(?:a|one|my)\s+(?:map|calendar)\b)",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"\b(?:both|all\s+(?:of\s+(?:them|these|those)|(?:(?:the|my|these)\s+)?(?:two|three|four|trips|journeys))|each(?:\s+of\s+them)?)\b",
    re.IGNORECASE,
)
_BROWSER = re.compile(r"\b(?:in|with)\s+(?:a|my|the)\s+browser\b", re.IGNORECASE)
_STATUS = re.compile(
    r"\b(?:runs?|running|delay(?:s|ed)?|status(?:es)?|disruptions?|disrupted|problems?|issues?|closed|closures?|"
    r"open|suspended|suspension|good\s+service|working|down|strikes?|part\s+closed|shut|(?:engineering|planned|maintenance|track)\s+works?|works|"
    r"how\s+(?:is|are|['’]s)|how['’]s|operating|on\s+time|normal\s+service|service\s+like|ok(?:ay)?|"
    r"severe|up\s+and\s+running)\b",
    re.IGNORECASE,
)
_DEPARTURES = re.compile(
    r"\b(?:next|upcoming|when\s+(?:is|does|are|do|will)|departures?|arrivals?|board|due|live\s+times)\b|"
    r"\b(?:which|what)\s+(?:\w+\s+)?(?:leaves?|departs?)\b|^\W*what\s+(?:goes|runs|is\s+there)\s+from\b",
    re.IGNORECASE,
)
_SERVICE = re.compile(
    r"\b(?:trains?|tubes?|bus(?:es)?|trams?|services?|departures?|arrivals?|board|boats?|dlr|due|"
    r"what\s+(?:leaves|departs|goes|runs|is\s+there)|"
    r"next\s+(?:few\s+)?(?:ferr(?:y|ies)|metros?|coach(?:es)?|(?:line\s+)?[a-z]{0,2}\d{1,3}[a-z]?|line\s+\w+))\b",
    re.IGNORECASE,
)
# The first or last of a day is none of those that come next.
_OF_A_DAY = re.compile(r"\b(?:first|earliest|last|latest|final)\s+(?!\d)", re.IGNORECASE)
_COMES = re.compile(r"\barriv|\bwhen\s+does\b.*\b(?:come|get)\s+to\b", re.IGNORECASE)
# "Next 5 from University", "the next bus 5A": the line of such a name.
_NUMBERED = re.compile(
    r"(?<!\w)(?P<line>(?<=line )[\w-]+|[a-z]{0,2}\d{1,3}[a-z]?)\s*$", re.IGNORECASE
)
_AT = re.compile(
    r"\b(?:at|from|for|leav(?:e|es|ing)|depart(?:s|ing)?(?:\s+from)?|calls?\s+at|reach(?:es)?|of|to)\s+(?!least\b|the\s+moment)"
    r"(?P<stop>(?:the\s+)?[A-Za-z0-9\u4e00-\u9fff][^,;?!]*?)(?=\s*(?:[,;?!]|\.(?:\s|$)|$)|\s+(?:please|now|right|on\s+the|"
    r"today|towards|via|for\s+the|station\s+now)\b)",
    re.IGNORECASE,
)
# "which zone is Oval in"
_TRAILING = re.compile(r"(?<!\s)\s+(?:in|at|on|of|station|have|has)$", re.IGNORECASE)
_AND_ASKS = re.compile(r"\s(?:and|or)\s(?:what|which|how|when|where|is|are|in)\b.*", re.IGNORECASE)
_A_STATION = re.compile(r"\s(?:station|stop|tube\s+station)$", re.IGNORECASE)
_NO_STEPS = (
    r"(?:step[\s-]?free|without\s+(?:any\s+)?(?:steps|stairs)|(?:wheelchair[\s-])?accessible|wheelchair[\s-]friendly|barrier[\s-]free|"
    r"(?:with|in)\s+a\s+wheelchair)"
)
_A_NAME = r"(?P<name>(?-i:[A-ZÄÖÜ])[^,.;?!]{1,60}?)"
_STEPS = (
    re.compile(
        rf"^\W*(?:is|are)\s+(?:the\s+)?{_A_NAME}\s(?:station\s+)?(?:fully\s+)?{_NO_STEPS}\s*(?:access\w*)?\s*[?.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:is|are)\s+(?:the\s+)?[\w& ]{{2,30}}?\s{_NO_STEPS}\s+(?:at|in|from)\s+"
        rf"{_A_NAME}\s*[?.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:does|do)\s+{_A_NAME}\s(?:station\s+)?have\s+(?:any\s+)?step[\s-]?free\b[^,.;?!]*[?.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:is\s+there\s+(?:a\s+|any\s+)?|(?:can|could)\s+(?:i|we|you|one)\s+[^,.;?!]{{1,60}}?)"
        rf"{_NO_STEPS}\s?[^,.;?!]{{0,40}}?\b(?:at|in|into)\s+{_A_NAME}\s*[?.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:can|could)\s+(?:i|we|you|one)\s[^,.;?!]{{0,60}}?\b(?:at|in|into)\s+{_A_NAME}\s{_NO_STEPS}\s*[?.!]*$",
        re.IGNORECASE,
    ),
)
_TROUBLE = (
    r"disrupted|delayed|down|closed|running|run|suspended|affected|having|out|up|open|good|bad|late|"
    r"part\s+(?:closed|suspended)|ok(?:ay)?|working|normal|busy|on\s+strike"
)
_CARRIERS = r"(?:lines?|(?:bus\s+)?routes?|bus(?:es)?|trams?|trains?|tubes?|ferries|boats|services)"
_STOPS_NEAR = (
    re.compile(
        r"\b(?:which|what|are\s+there(?:\s+any)?)\s+(?:\w+\s+)?(?:stops?|stations?)\b[^.?!,]*?\b"
        r"(?:near(?:est)?(?:\s+to)?|clos(?:e|est)\s+to|around|next\s+to|"
        r"within\s[\w ]{1,24}?\sof)\s+"
        r"(?:the\s+)?(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*(?:is\s+there\s+(?:an?|any)\s+)?(?:all\s+)?(?:the\s+)?(?:(?:tube|train|bus|tram|underground)\s+)?"
        r"(?:stops?|stations?)\s+(?:near|around|close\s+to|next\s+to)\s+"
        r"(?:the\s+)?(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*(?:(?:what|which|where)(?:['’]?s|\s+is)\s+)?(?:the\s+)?(?:nearest|closest)\s+"
        r"(?:(?:tube|underground|train|bus|tram|rail|metro|stop|station)\b\s*)+"
        r"(?:to|from|of)\s+(?:the\s+)?(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
)
_OF_LINE = (
    r"(?:the\s+)?(?:(?:bus|tram|line|route|number|train|ferry)\s+(?=[a-z]{0,2}\d))?"
    r"(?P<line>(?!(?:I|We|You)\b)(?-i:[A-Z\u4e00-\u9fff])[\w’'&-]*(?:\s(?:&\s|and\s)?(?-i:[A-Z])[\w’'&-]*){0,3}|[a-z]{0,2}\d{1,3}[a-z]?)"
    r"(?:\s+(?:line|bus|tram|train|ferry|route))?"
)
_NOUN = re.compile(r"(?<!\s)\s+(?:[Ll]ine|bus|tram|train|ferry|route)$")
# "Which stops does the 10 call at?", "all stops of the Victoria line", "where does the 5A go?"
_STOPS_OF_LINE = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"\b(?:stops?|stations?)\s+(?:do|does|will)\s+{_OF_LINE}\s+(?:stop|call|serve|have|go|pass|make)\b[^,.;?!]*",
        rf"\b(?:stops?|stations?)\s+(?:(?:are|is|there|that\s+are)\s+)*(?:served\s+by|on|of|along)\s+{_OF_LINE}\s*(?=[?.!]|$)",
        rf"^\W*where\s+(?:all\s+)?(?:do|does)\s+{_OF_LINE}\s+(?:stop|call|go|run)(?:\s+(?:at|to))?\s*(?=[?.!]|$)",
    )
)
_STOPS = (
    *_STOPS_NEAR,
    re.compile(
        rf"^\W*(?:which|what)\s+{_CARRIERS}\s+(?:go|run|lead|travel)(?:e?s)?\s+(?:to|past|via)\s+"
        r"(?P<name>(?!.*\b(?:from|at|by)\s)[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:which|what|list|find|search(?:\s+for)?|show)\b[^.?!]*\b(?:stops?|stations?)\b[^.?!]*?"
        r"\b(?:called|named|like|matching|with\s+the\s+name)\s+(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:which|what)\s+(?:tube\s+|rail\s+|train\s+|bus\s+|fare\s+)?(?:lines?|modes?|services|buses|trams?|trains?|tubes?|ferries|boats|zone)\s+"
        r"(?:stop|call|serve|go\s+through|run\s+through|are|is|at|pass|do|does|"
        r"(?:can|could|do)\s+(?:i|we|you|one)\s+(?:get|catch|take|use|find))\b"
        rf"(?!\s+(?:(?:not|currently|now|badly|still|all)\s+)*(?:{_TROUBLE})\b)"
        r"\s*(?:at|through|to|in|from)?\s*"
        r"(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*what\s+(?:stops|calls|runs)\s+(?:at|from)\s+(?P<name>[^,.;?!]+)", re.IGNORECASE
    ),
    re.compile(r"\bis\s+(?P<name>[^,.;?!]+?)\s+in\s+(?:fare\s+)?zone\s+\d", re.IGNORECASE),
    re.compile(
        r"(?:\bthe\s+|^\W*)(?:fare\s+)?zone\s+(?:of|for)\s+(?P<name>[^,.;?!]+)", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:does|do)\s+(?:the\s+)?(?P<line>(?!(?:i|we|you|one)\s)[\w&' ]{2,40}?)\s+"
        r"(?:stop|call|serve|(?:go|run)\s+(?:through|to))\s+(?!running\b)(?:at\s+|through\s+|to\s+)?(?P<name>[^,.;?!]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:find|search\s+for|look\s+up)\s+(?:the\s+|a\s+)?(?:stop|station)s?\s+(?P<name>[^,.;?!]+)",
        re.I,
    ),
)


@dataclass(frozen=True, slots=True)
class ArtefactsRead:
    """The artefacts of a request, and the spans of its text that asked for them."""

    artefacts: Artefacts | None
    spans: tuple[tuple[int, int], ...] = ()


def read_artefacts(text: str) -> ArtefactsRead:
    """The artefacts that a request asks for."""
    kinds: list[ArtefactKind] = []
    spans: list[tuple[int, int]] = []
    for kind, pattern in _KINDS.items():
        for match in re.finditer(
            rf"{_LEAD}\b(?:{pattern})\b(?:\s+(?:entry|event|file|of\s+it|for\s+it|"
            r"instructions|for\s+(?:me|each|all|both|them|that|the\s+whole\s+day)|"
            r"for\s+(?:the\s+)?(?:day|trip|journey)s?|"
            r"of\s+(?:each|all|both|them|that|it|every(?:thing)?)))*",
            text,
            re.IGNORECASE,
        ):
            if kind == "text" and _is_trip_of(text, match):
                kinds.append(kind)
                spans.append(match.span())
                continue
            kinds.append(kind)
            spans.append(match.span())
    plan = journey = None
    for match in _INDEX.finditer(text):
        if match["which"].lower() == "plan":
            plan = int(match["value"])
        else:
            journey = int(match["value"])
        spans.append(match.span())
    chosen = _PLAN.search(text)
    if chosen is not None and plan is None:
        plan = _position(chosen["after"] or chosen["before"])
        spans.append(chosen.span())
    picked = _JOURNEY.search(text)
    if picked is not None and journey is None and (kinds or chosen):
        journey = _position(picked["after"] or picked["before"])
        spans.append(picked.span())
    alarm = _ALARM.search(text)
    if not kinds and plan is None and alarm is None:
        return ArtefactsRead(None)
    ended = _towards(text) if kinds else None
    if ended is not None:
        spans.append(ended.span())
    if alarm is not None:
        spans.append(alarm.span())
        kinds.append("calendar")
    for pattern in (_PER_LEG, _BROWSER, _WHOLE_DAY):
        spans += [match.span() for match in pattern.finditer(text)]
    made = Artefacts(
        tuple(dict.fromkeys(kinds)) or ("text",),
        plan,
        journey,
        ended["place"].strip() if ended else "",
        _minutes(alarm) if alarm else None,
        _PER_LEG.search(text) is not None,
        _BROWSER.search(text) is not None,
        _WHOLE_DAY.search(text) is not None,
        _EVERY.search(text) is not None,
    )
    return ArtefactsRead(made, tuple(spans))


def _towards(text: str) -> re.Match[str] | None:
    """Where the end of the journey that is meant is named."""
    ended = _MADE_OF.search(text) or _TRIP_OF_NAME.search(text)
    return ended if ended or _TRIP_WORDS.search(text) else _TOWARDS.search(text)


def _is_trip_of(text: str, match: re.Match[str]) -> bool:
    return _TRIP_WORDS.match(text, match.end()) is not None


def _position(said: str) -> int:
    """A count of people as an index."""
    lowered = said.lower()
    if lowered in _ORDINALS:
        return _ORDINALS[lowered]
    # People count from 1, so there is no plan 0.
    return int(lowered) - 1 if int(lowered) else _NO_SUCH


def _minutes(match: re.Match[str]) -> int:
    said = match["number"] or match["before"] or match["give"]
    unit = match["unit"] or match["of"] or match["given"]
    number = _SPOKEN.get(" ".join(said.lower().replace("-", " ").split())) or _ORDINAL_COUNTS.get(
        said.lower()
    )
    if number is None:
        number = int(said)
    elif said.lower().endswith((" a", " an")):
        return number
    return number * 60 if unit.lower().startswith("h") else number


def read_steps_question(text: str) -> Question | None:
    """A question whether a stop is step-free, or None."""
    for pattern in _STEPS:
        match = pattern.search(text)
        if match is not None:
            name = _A_STATION.sub("", match["name"].strip())
            return Question("find_stops", {"query": name}, of_steps=True)
    return None


# "Does the 7X run on Saturday?": any name may be that of a line.
_RUNS = re.compile(
    r"^\W*(?:do|does|is|are|will)\s+(?:the\s+)?(?:(?:bus|line|tram)\s+)?"
    r"(?P<line>(?-i:[A-Z\u4e00-\u9fff])[\w-]*(?:\s(?-i:[A-Z])[\w-]*){0,3}|[a-z]{0,2}\d{1,3}[a-z]?)"
    r"(?:\s+(?:bus|line|tram|train|ferry))?\s+(?:also\s+)?(?:run|running|operat(?:e|ing))\b",
    re.IGNORECASE,
)


def read_line_question(text: str) -> Question | None:
    """A question for the stops of a line, or None."""
    for pattern in _STOPS_OF_LINE:
        match = pattern.search(text)
        if match is not None:
            return Question("find_stops", {"query": f"{_NOUN.sub('', match['line'])} line"})
    return None


def read_question(text: str) -> Question | None:
    """A question about lines, departures or stops that a sentence is, or None."""
    of_line = read_line_question(text)
    if of_line is not None:
        return of_line
    for pattern in _STOPS:
        match = pattern.search(text)
        if match is not None:
            name = _TRAILING.sub("", _AND_ASKS.sub("", match["name"].strip())).removeprefix("the ")
            near = "near " if pattern in _STOPS_NEAR else ""
            line = match.groupdict().get("line") or ""
            return Question("find_stops", {"query": f"{near}{name}"}, of_line=line)
    departures = _departures(text)
    if departures is not None:
        return departures
    if _STATUS.search(text) is None:
        return None
    lines, modes = named_services(text)
    named = _RUNS.search(text)
    if named is not None and not lines and named["line"].lower() not in map(str.lower, modes):
        lines, modes = [named["line"]], []
    if lines or modes:
        arguments: dict[str, JsonValue] = {}
        if lines:
            arguments["lines"] = list(lines)
        if modes:
            arguments["modes"] = list(modes)
        return Question("get_line_status", arguments)
    if re.search(
        r"\b(?:lines?|service|london|tfl|network|transport|trains?)\b", text, re.IGNORECASE
    ):
        return Question("get_line_status", {})
    return None


def _departures(text: str) -> Question | None:
    """A question for the next services at a stop; with an end it is a trip instead."""
    if not (_DEPARTURES.search(text) and _SERVICE.search(text)) or _OF_A_DAY.search(text):
        return None
    plain = re.sub(
        r"(?:the\s+)?(?:next|first)\s+(?:few\s+|\d+\s+(?!(?:from|at)\b)|couple\s+of\s+)?",
        " ",
        text,
        flags=re.I,
    )
    found = list(_AT.finditer(plain))
    ends = [m for m in found if m[0].lower().startswith(("to ",))]
    stops = [m for m in found if m not in ends]
    if not found or (ends and stops) or (ends and not _COMES.search(text)):
        return None
    stop = (stops or ends)[0]["stop"].strip()
    stop = re.sub(r"(?<!\s)\s+(?:to|towards)\s+.*$", "", stop)
    stop = re.sub(r"^(?:from|at)\s+", "", stop, flags=re.IGNORECASE)
    before = plain[: (stops or ends)[0].start()]
    lines, modes = named_services(before)
    numbered = _NUMBERED.search(before)
    if numbered is not None:
        lines, modes = [*lines, numbered["line"]], []
    arguments: dict[str, JsonValue] = {"stop": stop}
    if lines or modes:
        arguments["lines"] = [*lines, *modes]
    return Question("get_arrivals", arguments)


def named_services(text: str) -> tuple[list[str], list[str]]:
    """Names of lines and modes in a text, as they stand there."""
    lines = [
        match["one"].strip()
        for match in re.finditer(
            rf"(?<!\w)(?P<one>{lines_pattern()})(?=(?:\s+(?:line|lines|and|or|running|ok|okay|down|working|"
            rf"closed|open|delayed|suspended|up|doing|today|now|service)\b|\s*[,&?!./]|\s*$))",
            text,
            re.IGNORECASE,
        )
    ]
    kept = re.sub(rf"(?<!\w){lines_pattern()}\s+lines?", " ", text, flags=re.IGNORECASE)
    narrow = re.compile(rf"(?<!\w)(?:{NARROWER})\s{modes_pattern()}(?!\w)", re.IGNORECASE)
    lines += [match[0] for match in narrow.finditer(kept)]
    modes = [
        match[0]
        for match in re.finditer(
            rf"(?<!\w){modes_pattern()}(?!\w)", narrow.sub(" ", kept), re.IGNORECASE
        )
        if match[0].lower() not in (line.lower() for line in lines)
        and match[0].lower()
        not in ("train", "trains", "light rail", "air", "main line", "bus line")
    ]
    return list(dict.fromkeys(lines)), list(dict.fromkeys(modes))
