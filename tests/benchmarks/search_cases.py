"""Searches of the generated catalogue, each beside the query that a person would write by hand.

The hand-written ones know the data: that no asset has two contents, and which condition is rare.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from search_data import VOCABULARY

PREFIX = f"PREFIX v: <{VOCABULARY}> "
LIMIT = 21


class Case(NamedTuple):
    """One search.

    Attributes:
        name: what is special about it.
        slots: as a caller sends them.
        hand: the patterns that `?asset` meets, or a whole SELECT where something is sorted or
            counted.
        sort: as a caller sends it; likewise `count_by` and `aggregate`.
        heavy: it takes seconds, by hand too.
    """

    name: str
    slots: dict[str, Any]
    hand: str
    sort: str = ""
    count_by: str = ""
    heavy: bool = False
    aggregate: str = ""

    def query(self, limit: int = LIMIT) -> str:
        """The hand-written query with a limit."""
        if self.hand.startswith("SELECT"):
            return f"{PREFIX}{self.hand} LIMIT {limit}"
        return f"{PREFIX}SELECT ?asset WHERE {{ {self.hand} }} LIMIT {limit}"


def _recording(**slots: Any) -> dict[str, Any]:
    return {"domains": ["Recording"], **slots}


def _conditions(slots: dict[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in slots.items() if name != "domains"}


CONTENT = "?asset v:hasContent ?c ; a v:Recording"
PAGES = (
    Case("one in two", _recording(filters={"mode": "night"}), f'{CONTENT} . ?c v:mode "night"'),
    Case(
        "one in 1,000 and one in two",
        _recording(filters={"mode": "night", "batch": "b-0007"}),
        f'?c v:batch "b-0007" ; v:mode "night" . {CONTENT}',
    ),
    Case(
        "two filters and a range",
        _recording(
            filters={"mode": "night", "batch": "b-0007"},
            ranges={"length": {"min": 100, "max": 5000}},
        ),
        f'?c v:batch "b-0007" ; v:mode "night" ; v:length ?l . {CONTENT} '
        "FILTER(?l >= 100 && ?l <= 5000)",
    ),
    Case(
        "any of three",
        _recording(filters={"batch": ["b-0007", "b-0011", "b-0012"]}),
        f'VALUES ?b {{ "b-0007" "b-0011" "b-0012" }} ?c v:batch ?b . {CONTENT}',
    ),
    Case(
        "a reference and one in two",
        _recording(
            filters={"mode": "night"},
            references=[{"domain": "Site", "filters": {"country": "DE"}}],
        ),
        '?s v:country "DE" ; a v:Site . ?asset v:recordedAt ?s ; v:hasContent ?c ; '
        'a v:Recording . ?c v:mode "night"',
    ),
    Case(
        "a reference and one in 1,000",
        _recording(
            filters={"batch": "b-0007"},
            references=[{"domain": "Site", "filters": {"country": "DE"}}],
        ),
        f'?c v:batch "b-0007" . {CONTENT} ; v:recordedAt ?s . ?s v:country "DE" ; a v:Site',
    ),
    Case(
        "a narrow range alone",
        _recording(ranges={"length": {"min": 100, "max": 101}}),
        f"?c v:length ?l . {CONTENT} FILTER(?l >= 100 && ?l <= 101)",
    ),
    Case(
        "a property at two places",
        _recording(filters={"keyword": "topic-07"}),
        '{ ?asset v:keyword "topic-07" ; a v:Recording } UNION '
        '{ ?c v:keyword "topic-07" . ?asset v:hasContent ?c ; a v:Recording '
        'FILTER NOT EXISTS { ?asset v:keyword "topic-07" } }',
    ),
    Case(
        "two kinds of asset",
        {"domains": ["Recording", "Simulation"], "filters": {"batch": "b-0007"}},
        '?c v:batch "b-0007" . ?asset v:hasContent ?c ; a ?kind '
        "FILTER(?kind IN (v:Recording, v:Simulation))",
    ),
    Case(
        "none of",
        _recording(filters={"batch": "b-0007", "mode": {"none_of": ["day"]}}),
        f'?c v:batch "b-0007" . {CONTENT} FILTER NOT EXISTS {{ ?c v:mode "day" }}',
    ),
)
BATCH = _recording(filters={"batch": "b-0007"})
IN_BATCH = '?c v:batch "b-0007" . ?r v:hasContent ?c ; a v:Recording'
REFERENCES = (
    Case(
        "sites that some recording names",
        {"domains": ["Site"], "references": [{"domain": "Recording", **_conditions(BATCH)}]},
        f"SELECT DISTINCT ?asset WHERE {{ {IN_BATCH} ; v:recordedAt ?asset . ?asset a v:Site }}",
    ),
    Case(
        "sites in Germany that no recording of a batch names",
        {
            "domains": ["Site"],
            "filters": {"country": "DE"},
            "references": [{"domain": "Recording", "none": True, **_conditions(BATCH)}],
        },
        '?asset v:country "DE" ; a v:Site FILTER NOT EXISTS { ?r v:recordedAt ?asset FILTER '
        'EXISTS { ?r a v:Recording ; v:hasContent ?c FILTER EXISTS { ?c v:batch "b-0007" } } }',
    ),
    Case(
        "sites that no recording by night names",
        {
            "domains": ["Site"],
            "references": [{"domain": "Recording", "none": True, "filters": {"mode": "night"}}],
        },
        "?asset a v:Site FILTER NOT EXISTS { ?r v:recordedAt ?asset FILTER EXISTS "
        '{ ?r a v:Recording ; v:hasContent ?c FILTER EXISTS { ?c v:mode "night" } } }',
    ),
)
NUMBERS = "SELECT ({0}(?l) AS ?n) (COUNT(?l) AS ?values) (COUNT(?asset) AS ?assets)"
COMPUTED = (
    Case(
        "longest, one in 1,000",
        BATCH,
        f'{NUMBERS.format("MAX")} WHERE {{ ?c v:batch "b-0007" ; v:length ?l . {CONTENT} }}',
        aggregate="max(length)",
    ),
    Case(
        "length in all, one in two",
        _recording(filters={"mode": "night"}),
        f'{NUMBERS.format("SUM")} WHERE {{ {CONTENT} . ?c v:mode "night" ; v:length ?l }}',
        aggregate="sum(length)",
        heavy=True,
    ),
    Case(
        "length by batch, one in two",
        _recording(filters={"mode": "night"}),
        f"SELECT ?b {NUMBERS.format('SUM').removeprefix('SELECT ')} WHERE {{ {CONTENT} . "
        '?c v:mode "night" ; v:batch ?b ; v:length ?l } GROUP BY ?b',
        count_by="batch",
        aggregate="sum(length)",
        heavy=True,
    ),
)
SORTED = (
    Case(
        "sorted, one in 1,000",
        _recording(filters={"batch": "b-0007"}),
        f'SELECT ?asset ?l WHERE {{ ?c v:batch "b-0007" . {CONTENT} '
        "OPTIONAL { ?c v:length ?l } } ORDER BY DESC(?l) ?asset",
        sort="-length",
    ),
    Case(
        "sorted, one in two",
        _recording(filters={"mode": "night"}),
        f'SELECT ?asset ?l WHERE {{ {CONTENT} . ?c v:mode "night" '
        "OPTIONAL { ?c v:length ?l } } ORDER BY DESC(?l) ?asset",
        sort="-length",
        heavy=True,
    ),
)
COUNTED = (
    Case(
        "counted by mode, one in 1,000",
        _recording(filters={"batch": "b-0007"}),
        f'SELECT ?m (COUNT(?asset) AS ?n) WHERE {{ ?c v:batch "b-0007" ; v:mode ?m . {CONTENT} }} '
        "GROUP BY ?m ORDER BY DESC(?n) ?m",
        count_by="mode",
    ),
    Case(
        "counted by batch, one in two",
        _recording(filters={"mode": "night"}),
        f'SELECT ?b (COUNT(?asset) AS ?n) WHERE {{ {CONTENT} . ?c v:mode "night" ; v:batch ?b }} '
        "GROUP BY ?b ORDER BY DESC(?n) ?b",
        count_by="batch",
        heavy=True,
    ),
    Case(
        "counted by a word at two places",
        _recording(),
        "SELECT ?k (COUNT(DISTINCT ?asset) AS ?n) WHERE { ?asset a v:Recording . "
        "{ ?asset v:keyword ?k } UNION { ?asset v:hasContent ?c . ?c v:keyword ?k } } "
        "GROUP BY ?k ORDER BY DESC(?n) ?k",
        count_by="keyword",
        heavy=True,
    ),
)
