"""Several values in one text ("motorway, rural"): offered as lists, never run as one of them."""

from __future__ import annotations

import json
import re

from groundwire.ontology.concepts import Values
from groundwire.vocabulary import Policy

_BETWEEN = re.compile(r"(?<!\s)\s*[,;|，、；]\s*|(?<!\s)\s+(?:/|and|or|und|oder)\s+")
_EVERY = re.compile(r"\s(?:and|und)\s")
_MAX_PARTS = 20


def listed(raw: str, values: Values) -> list[str]:
    """Conditions on the values that a text lists, likeliest first; none if a part is not a value.

    A comma may mean any of them or all of them, so both are offered and neither is applied. Values
    without anything between them ("rural motorway") are all wanted.
    """
    parts = [part for part in _BETWEEN.split(raw) if part]
    if len(parts) > 1:
        operators = ("all_of", "any_of") if _EVERY.search(raw) else ("any_of", "all_of")
    else:
        parts, operators = raw.split(), ("all_of",)
    if not 1 < len(parts) <= _MAX_PARTS:
        return []
    labels: list[str] = []
    for part in parts:
        resolution = values.vocabulary.resolve(part, Policy.CANDIDATES_ONLY, limit=1)
        if resolution.term is None:
            return []
        labels.append(values.concepts[resolution.term.id].label)
    if len(set(labels)) == 1:
        return []
    return [json.dumps({operator: labels}, ensure_ascii=False) for operator in operators]
