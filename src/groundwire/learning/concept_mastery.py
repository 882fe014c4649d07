"""Estimates how well a learner knows several concepts, so that unmet ones can be told."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from groundwire.learning.concepts.query import ConceptMastery, Mastery
from groundwire.learning.knowing.answers import answered
from groundwire.learning.knowing.mastery import Estimate, mastery
from groundwire.learning.learner import Learner
from groundwire.learning.proof import percent, probability
from groundwire.learning.schedule.policy import read_policy
from groundwire.learning.subjects import EVERYTHING, Subject
from groundwire.learning.tables import learning_file
from groundwire.learning.terms import LEAST_ANSWERS, LEAST_BEHIND_PARAMETERS

MOST_ESTIMATED = 20
"""Concepts that one call estimates, the first that are asked for; each takes up to 0.2 s."""


def concept_mastery(learner: Learner, most: int = MOST_ESTIMATED) -> Mastery:
    """Return a function from ids of concepts to what the learner knows of them.

    Those beyond `most` are not looked at, and say so. It opens the file by
    itself, so it may be called while another connection of the learner reads.
    """

    def known(node_ids: Sequence[str]) -> dict[str, ConceptMastery]:
        with closing(learning_file(learner.file.path.parent)) as file:
            return _known(Learner(learner.owner, file, learner.clock), node_ids, most)

    return known


def _known(learner: Learner, node_ids: Sequence[str], most: int) -> dict[str, ConceptMastery]:
    now = learner.clock()
    found: dict[str, ConceptMastery] = {}
    with learner.reading() as connection:
        counts = _answers(connection, learner.owner, now)
        if counts.total() < LEAST_BEHIND_PARAMETERS:
            return {one: ConceptMastery("not_enough", n_reviews=counts[one]) for one in node_ids}
        policy = read_policy(connection, learner.owner)
        left = most
        for node_id in node_ids:
            found[node_id] = ConceptMastery("not_enough", n_reviews=counts[node_id])
            if counts[node_id] < LEAST_ANSWERS:
                continue
            if not left:
                found[node_id] = ConceptMastery("not_looked_at", n_reviews=counts[node_id])
                continue
            left -= 1
            subject = Subject("concept", node_id, node_id)
            one = mastery(connection, learner.owner, policy, subject, now)
            if isinstance(one, Estimate):
                value = probability(one.value)
                found[node_id] = ConceptMastery(
                    "estimated",
                    value,
                    f"{percent(one.value)} %",
                    len(one.reviews),
                    (f"{percent(one.low)} %", f"{percent(one.high)} %"),
                )
    return found


def _answers(connection: sqlite3.Connection, owner: str, until_ms: int) -> Counter[str]:
    """Return how many answers an estimate of each concept may rest on."""
    concepts: dict[str, list[str]] = {}
    for card_id, node_id in connection.execute(
        "SELECT card_id, node_id FROM card_concepts WHERE owner = ?", (owner,)
    ):
        concepts.setdefault(card_id, []).append(node_id)
    counts = Counter[str]()
    for one in answered(connection, owner, EVERYTHING, until_ms):
        if one.heard:
            counts.update(concepts.get(one.card_id, ()))
    return counts
