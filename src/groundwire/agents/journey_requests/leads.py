"""The words of a request that lead to places, and those that end one."""

from __future__ import annotations

import re

# What follows "to" when it leads to no place.
_VERBS = (
    "be|get|go|arrive|travel|catch|meet|leave|depart|come|return|take|use|avoid|walk|cycle|head|"
    "plan|make|have|know|find|do|drop|pick|eat|watch|buy|stop|change|start|stay|attend|drive|ride|"
    "reach|visit|see|move|journey|commute|set|look|check|ask|try|fly|run|also|then|me|us|you|him|"
    "them|and|not|just|first|please|collect|join|finish|end|continue|reset|clear|delete|remove|erase|"
    "forget|remember|save|store|explain|tell|show|help"
)
_MOTION = (
    r"(?:go(?:ing)?|get(?:ting)?|com(?:e|ing)|travel(?:l?ing)?|head(?:ing)?|return(?:ing)?|"
    r"be|been|tak(?:e|ing)|bring|walk(?:ing)?|cycl(?:e|ing)|back|mak(?:e|ing)|me|us|arriv(?:e|ing)|"
    r"i['’]?m|it|way|journey|trip|route|continu(?:e|ing)|direct|straight)"
)
_EVENT = (
    r"(?:meeting|dinner|lunch|breakfast|brunch|appointment|drinks?|interview|show|concert|game|"
    r"match|party|class|gig|play|film|exhibition|conference|lecture|train|flight|wedding|coffee|"
    r"reservation|table|date|event|seminar|lesson|exam|shift)"
)
_NO_PLACE = (
    r"(?!\s+(?:an?|no|my\s+wheel|need|hurry|order|time|the\s+(?:morning|evening|afternoon)|general|"
    r"case|least|most|all\s+(?:of|the|my|day)|once|last|first|total|advance|which|what|that\s+case)\b)"
)

LEADS: tuple[tuple[str, str], ...] = (
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
NEW = re.compile(
    r"(?:and|&)\s+(?:then|also|back|home|return\w*|after|finally|later|i|we|my|get|go|going|be|come|"
    r"coming|continue|arriv\w+|leav\w+|head\w*|meet|visit|from|to|on|onwards?|at|by|via|avoid\w*|no|"
    r"not|without|only|make|show|give|draw|send|add|put|create|export|tell|describe|please|with|in|"
    r"it|reach\w*|need|want|stop\w*|end|ending|finish\w*|start\w*|travel\w*|walk\w*|cycle|take|use|"
    r"mark|if|would|could|can|what|how|when|is|are|don['’]t|do|keep|remember|prefer\w*|there|need\w*|"
    r"must|should)\b",
    re.IGNORECASE,
)
# Words that stand in no name of a place, so that one ends before them.
ENDS = re.compile(
    r"(?:with|for|because|since|so|if|when|while|who|that|but|as|please|thanks?|using|need|want|i|"
    r"we|would|can|could|should|must|which|how|what|is|are|was|has|have|having|arriv\w+|depart\w*|"
    r"leav\w+|quickly|today|and|or|before|after|until|travell?ing|going|go|get|be|do|does|will|"
    r"ideally|preferably|instead|again|asap|thx|pls|ok|okay|right|soon|it|me|without|where|"
    r"i['’](?:m|d|ll|ve)|don['’]t|it['’]s|trip|journey|anymore|too|also|next|by|"
    r"avoiding|not|every|each|daily|first|via|from|to|whilst|taking|take|changing|except)(?![\w’'])",
    re.IGNORECASE,
)
