"""Places that are named to be seen in any order: they are seen in the order in which they stand."""

from __future__ import annotations

import re

from groundwire.agents.journey_requests.settings import blanked

AS_SAID = "The order is that in which the places were named: no other order is compared."
_ANY_ORDER = re.compile(
    r"(?:,\s)?(?<![\w’'-])(?:in\s+(?:any(?:\s+(?:sensible|old|possible|convenient))?|whatever|whichever|no\s+particular|"
    r"(?:the\s+)?(?:best|shortest|quickest))\s+(?:order|sequence)"
    r"(?:\s+(?:you\s+(?:like|want)|(?:is|works)\s+(?:the\s+)?(?:best|quickest|easiest|shortest|fastest)|"
    r"makes\s+(?:the\s+)?(?:most\s+)?sense))?|"
    r"(?:the\s+)?order\s+(?:does(?:n['’]t|\s+not)\s+matter|is(?:n['’]t|\s+not)\s+important|is\s+up\s+to\s+you))"
    r"(?!\w)",
    re.IGNORECASE,
)
_NAME = r"(?:the\s)?(?-i:[A-Z])[\w'’.&-]*(?:\s(?:of\s|on\s)?(?:the\s)?(?-i:[A-Z])[\w'’.&-]*){0,4}"
_SEVERAL = re.compile(
    rf"(?:\b(?P<lead>to|see|seeing|visit|visiting|into)\s|(?P<row>\s?:\s))(?P<names>{_NAME}(?:,\s{_NAME}){{0,6}}(?:,\s|\s)and\s{_NAME})",
    re.IGNORECASE,
)
_JOINT = re.compile(r",\s(?:and\s)?|\sand\s")


def in_order(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text in which places of any order follow each other, and what is said of that."""
    said = list(_ANY_ORDER.finditer(text))
    if not said:
        return text, ()
    bare = blanked(text, [one.span() for one in said])
    found = _SEVERAL.search(bare)
    if found is not None:
        names = ", then to ".join(_JOINT.split(found["names"]))
        start, lead = (found.start("row"), ", to ") if found["row"] else (found.start("names"), "")
        bare = f"{bare[:start]}{lead}{names}{bare[found.end('names') :]}"
    return bare, (AS_SAID,)
