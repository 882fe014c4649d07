"""The text that tells a model of a fact base before it asks."""

from __future__ import annotations

import json

from groundwire.metrics.factbase import State

_MOST_METRICS = 40


def overview(state: State) -> str:
    """Metrics, kinds of entity and channels, as JSON."""
    profile = state.profile
    tree = {
        "profile": profile.profile.name,
        "title": profile.profile.title,
        "description": profile.profile.description,
        "kinds": {
            name: {
                "label": kind.label,
                "home": kind.home or None,
                "entities": sum(one.kind == name for one in profile.entities),
            }
            for name, kind in profile.kinds.items()
        },
        "metrics": [
            {
                "code": one.code,
                "label": one.label,
                "kind": one.kind,
                "unit": one.unit,
                "grains": list(one.grains),
                "definition": one.definition,
            }
            for one in profile.metrics
        ],
        "channels": [
            {"code": one.code, "label": one.label} for one in profile.channel_by_code.values()
        ],
        "problems": list(state.problems),
    }
    return json.dumps(tree, ensure_ascii=False, indent=1)


def briefing(state: State, question: str) -> str:
    """A question with the metrics that there are, and the rules of answering."""
    metrics = "\n".join(
        f"- {one.code}: {one.label} ({one.unit or 'unit of the source'}; by "
        f"{', '.join(one.grains)}; of a {state.profile.kinds[one.kind].label})"
        for one in state.profile.metrics[:_MOST_METRICS]
    )
    return (
        f"{question}\n\nAnswer with query_metric or query_metric_grid; state no number that they "
        "did not return, compute none yourself, and name document and place of each. If "
        "clarify_question says ask_first, ask. Metrics:\n"
        f"{metrics}\n"
    )
