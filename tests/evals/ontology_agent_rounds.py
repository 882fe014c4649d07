"""The wordings of ontology_agent_rounds.toml: round after round of them, each with its history.

A row names the form of question that is made (a function of ontology_agent_templates or
ontology_agent_forms), the words, and what else that function takes. Draws depend on the names of
round, language and class and on the place in the list, so a new wording stands last.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tests.evals import ontology_agent_forms as forms
from tests.evals import ontology_agent_templates as templates
from tests.evals.ontology_agent_drawing import Wording

_FILE = Path(__file__).with_suffix(".toml")
_MAKERS = {
    made.__name__: made
    for made in (
        templates.value, templates.bound, templates.between, templates.exists, templates.truth_of,
        templates.dated, templates.sorted_by, templates.counted, templates.referring, templates.two,
        forms.both, forms.linked, forms.newest, forms.ranked, forms.referring_too,
    )
}  # fmt: skip


def all_wordings() -> list[Wording]:
    """Every wording of every round, the first rounds first."""
    rounds = tomllib.loads(_FILE.read_text("utf-8"))["rounds"]
    return [
        Wording(
            kind,
            " ".join(filter(None, (language, kind, one["name"], str(number)))),
            language,
            _maker(row),
            held_out=one["held_out"],
            unread=one["unread"],
        )
        for one in rounds
        for language in ("en", "de")
        for kind, rows in one[language].items()
        for number, row in enumerate(rows, 1)
    ]


def _maker(row: dict[str, Any]) -> templates.Maker_:
    """The function that makes questions as a row words them."""
    given = {key: value for key, value in row.items() if key not in ("make", "lower")}
    made = _MAKERS[row["make"]](**given)
    return forms.lower(made) if row.get("lower") else made
