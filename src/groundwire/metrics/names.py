"""The controlled vocabularies of a profile: metrics, channels, and entities kind by kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from groundwire.metrics.profile import Profile
from groundwire.vocabulary import KnownWords, Policy, Resolution, Term, Vocabulary


class Names:
    """Resolves raw terms of one profile. A near match is never more than a candidate."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._known = KnownWords()

    @cached_property
    def metrics(self) -> Vocabulary:
        """All metrics."""
        return Vocabulary(
            (Term(one.code, one.label, one.aliases) for one in self.profile.metrics), self._known
        )

    @cached_property
    def entities(self) -> dict[str, Vocabulary]:
        """The entities of each kind. One name may stand for an entity of each of two kinds."""
        terms: dict[str, list[Term]] = {kind: [] for kind in self.profile.kinds}
        for one in self.profile.entities:
            terms[one.kind].append(Term(one.code, one.name, one.aliases))
        return {kind: Vocabulary(found, self._known) for kind, found in terms.items()}

    @cached_property
    def channels(self) -> dict[str, Vocabulary]:
        """The channels that apply to entities of each kind."""
        return {
            kind: Vocabulary(
                (
                    Term(one.code, one.label, one.aliases)
                    for one in self.profile.channel_by_code.values()
                    if not one.kinds or kind in one.kinds
                ),
                self._known,
            )
            for kind in self.profile.kinds
        }

    def metric(self, raw: str) -> Resolution:
        """The metric that a raw term names."""
        return self.metrics.resolve(raw, Policy.CANDIDATES_ONLY)

    def entity(self, raw: str, kind: str) -> Resolution:
        """The entity of a kind that a raw term names, with an article before it or without."""
        vocabulary = self.entities[kind]
        found = vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        article, _, bare = raw.strip().partition(" ")
        if found.how != "unknown" or article.casefold() != "the" or not bare.strip():
            return found
        without = vocabulary.resolve(bare, Policy.CANDIDATES_ONLY)
        if without.term is None:
            return found
        how = "folded" if without.how == "exact" else without.how
        return replace(without, raw=raw, how=how)

    def channel(self, raw: str, kind: str) -> Resolution:
        """The channel that a raw term names, of those for entities of a kind."""
        return self.channels[kind].resolve(raw, Policy.CANDIDATES_ONLY)
