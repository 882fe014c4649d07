"""Estimates how well a learner knows several concepts, so that unmet ones can be told."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from groundwire.learning.concepts.query import ConceptMastery, Mastery
from groundwire.learning.knowing.mastery import Estimate, mastery, traces
from groundwire.learning.learner import Learner
from groundwire.learning.proof import percent, probability
from groundwire.learning.schedule.policy import read_policy
from groundwire.learning.subjects import Subject
from groundwire.learning.terms import LEAST_ANSWERS

MOST_ESTIMATED = 12
"""Concepts that one call estimates anew, the first that are asked for; each takes up to 0.1 s.

Those whose answers are the same as when they were last estimated cost nothing."""


def concept_mastery(learner: Learner, most: int = MOST_ESTIMATED) -> Mastery:
    """Return a function from ids of concepts to what the learner knows of them.

    Those beyond `most` are not looked at, and say so. It has a
    connection of its own, so it is called while another of the learner reads.
    """

    def known(node_ids: Sequence[str]) -> dict[str, ConceptMastery]:
        with closing(learner.file.beside()) as file:
            return _known(Learner(learner.owner, file, learner.clock), node_ids, most)

    return known


def _known(learner: Learner, node_ids: Sequence[str], most: int) -> dict[str, ConceptMastery]:
    now = learner.clock()
    found: dict[str, ConceptMastery] = {}
    with learner.reading() as connection:
        counts = _answers(connection, learner.owner, now, node_ids)
        policy = read_policy(connection, learner.owner)
        left = most
        for node_id in node_ids:
            found[node_id] = ConceptMastery("not_enough", n_reviews=counts[node_id])
            if counts[node_id] < LEAST_ANSWERS:
                continue
            if left <= 0:
                found[node_id] = ConceptMastery("not_looked_at", n_reviews=counts[node_id])
                continue
            subject, before = Subject("concept", node_id, node_id), traces()
            one = mastery(connection, learner.owner, policy, subject, now)
            left -= traces() > before
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


def _answers(
    connection: sqlite3.Connection, owner: str, until_ms: int, node_ids: Sequence[str]
) -> Counter[str]:
    """Return how many answers an estimate of each concept may rest on."""
    return Counter[str](
        {
            node_id: connection.execute(_COUNT, (owner, node_id, until_ms, owner)).fetchone()[0]
            for node_id in node_ids
        }
    )


_COUNT = (
    "SELECT count(*) FROM card_concepts CROSS JOIN reviews USING (owner, card_id) "
    "WHERE owner = ? AND node_id = ? AND kind = 'review' AND rated_by != 'host' AND at_ms <= ? "
    "AND review_id NOT IN (SELECT undoes FROM reviews WHERE owner = ? AND kind = 'undo' "
    "AND undoes IS NOT NULL)"
)
