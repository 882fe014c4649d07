"""Words of a request that ask for nothing by themselves."""

from __future__ import annotations

import re

_FILLER_WORDS = """
a about able actually again ahead all along already also am an and any anyone anything are around
as ask at away back be because been before best better bit bus but by calculate can catch catching
check come
coming commute commuting could d day did do does done down drive each easily easy else end ever
every evening everyone exactly fancy fare find first fine for friend from get getting give go
going good got guys had happen hardly has have having head heading hello help hey hi hiya hope how
however i id if ill im in into is it its itself ive journey journeys just kindly know last
later leave leaving let lets like ll local london long looking lot lots m make map may maybe me
might mind mine more morning most much must my myself need needed needs new next nice now of off
ok okay on once one only onto option options or other our ours out over own people person plan
planned planning plans please pls possible pretty previous probably public quick quickly quite re
ready really recommend right road route routes s same say service services shall should show since
so some someone something soon sorry sort start starting station still suggest sure take takes
taking tell than thank thanks that thats the their them then there these they thing think this
those thx time times to today together tomorrow tonight too transport travel traveling travelling
trip trips try trying tube train trains two up us use using usual usually ve very via visit wait
walk walking wanna want wanted wants was way ways we week well were what whats when where which
while who whole why will wish with within without wondering work working would yeah yes yet you
your gonna gotta lemme cheers morning afternoon evening night dear sir ta hence thence directions
direction way's what's how's i'm i'd i'll i've we're we'd we'll we've let's it's that's there's
minutes minute hours hour late early earliest latest ideally preferably city centre mate far
fast long there? quickest connection connections directly return returning day's meeting dinner
lunch breakfast appointment drinks interview show concert game match party class put
schedule atm rn rather ticket tickets
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
BEGIN_NAMES = frozenset({"london", "city", "new", "all", "long", "old", "sir"})
"""Words that say nothing unless a name begins with them: London Bridge, New Cross, Old Street."""
_MOTION = re.compile(
    r"\b(?:go|going|get|getting|travel\w*|trip|journey|route|way|head\w*|commut\w*|leav\w+|arriv\w+|"
    r"reach|visit\w*|take me|bring me|directions?|tube|bus|train|station|be at|be in|return\w*|"
    r"home|plan|meeting|ride|drive|transport|walk|cycle|depart\w*|quickest|fastest|start\w*|"
    r"how long|how far|meet)\b",
    re.IGNORECASE,
)
COORDINATES = r"-?\d{1,3}\.\d+\s*,\s*-?\d{1,3}\.\d+"
_WORD = re.compile(rf"{COORDINATES}|[\w’'&-]+")


def content(words: str) -> str:
    """Return some words without those at their ends and in them that say nothing."""
    return " ".join(word for word in _WORD.findall(words) if not _is_filler(word))


def trailing_name(words: str) -> str:
    """The name that some words end with: "show me the way Angel" is "Angel"."""
    found = _WORD.findall(words)
    for index, word in enumerate(found):
        if not _is_filler(word):
            begins = index
            while begins and _belongs(found[begins - 1], first=begins == 1):
                begins -= 1
            return " ".join(found[begins:])
    return ""


def _belongs(word: str, *, first: bool) -> bool:
    """Whether a word that says nothing is part of the name after it: "London Transport Museum"."""
    return word.lower() in BEGIN_NAMES or (word[0].isupper() and not first)


def _is_filler(word: str) -> bool:
    return word.lower().replace("’", "'") in _FILLERS


def is_motion(text: str) -> bool:
    """Whether a text speaks of travelling."""
    return _MOTION.search(text) is not None
