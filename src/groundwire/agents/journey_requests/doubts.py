"""Words that leave it open which trip is meant, where no rule read them."""

from __future__ import annotations

import re

from groundwire.agents.journey_requests.stays import DURATION

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
    r"past|last)(?![\w’'-])",
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
