"""Questions about the catalogue itself: its values, its properties, and which kind is meant."""

from __future__ import annotations

from groundwire.agents.ontology_search_agent.arranging import Arranging
from groundwire.agents.ontology_search_agent.function_words import OWNING
from groundwire.agents.ontology_search_agent.looking import Look


class Asking(Arranging):
    """Tells a question about the catalogue from one about its assets, once it was read.

    Attributes:
        narrows: whether the question goes on from another, so that it is about assets.
    """

    narrows = False

    def look(self) -> Look | None:
        """Return the lookup that a question asks of the catalogue itself, or None."""
        main = self.main
        if not (self.narrows or main.domains) and (missing := self._without_assets()):
            return Look("discover_domains", {"search": missing})
        said = main.ranges or any(not one.is_void for one in main.references)
        if said or self.sort or self.count_by or self.aggregate or self.narrows:
            return None
        kind = main.domains[0] if main.domains else ""
        if not main.filters and any(item.does("properties") for item in self.items):
            return Look("discover_properties", {"domain": kind}) if kind else Look()
        kinds = set(self.vocabulary.domains)
        torn = [gap for gap in self.chooser.gaps if kinds.issuperset(gap.suggestions or ("",))]
        if torn and not main.filters and not kind:
            return Look("discover_domains", {"search": torn[0].term})
        key = self._listed()
        if not key or self.chooser.gaps:
            # A word that was not understood might narrow the list, so it is told instead.
            return None
        main.filters.clear()
        if kind:
            self.count_by = key
            return None
        return Look("discover_values", {"property": key})

    def _without_assets(self) -> str:
        """The kind that is asked for though it has no assets, as it is written; or empty."""
        tokens = [token for item in self.items for token in item.tokens if token.kind == "word"]
        for at in range(len(tokens)):
            for stems in self.vocabulary.others:
                part = tokens[at : at + len(stems)]
                if tuple(token.stem for token in part) == stems:
                    return " ".join(token.plain for token in part)
        return ""

    def _listed(self) -> str:
        """The property whose values are asked for: it alone is named, before any kind of asset."""
        (key, held) = next(iter(self.main.filters.items()), ("", None))
        if held is None or len(self.main.filters) > 1 or not held.says_only_exists:
            return ""
        for at, item in enumerate(self.items):
            if self.domains_of(item):
                return ""
            meant = [one for one in item.named.properties if one.key == key]
            if meant:
                before = self.before(at)
                owned = before is not None and before.text.lower() in OWNING
                listed = self.vocabulary.properties[meant[0]].kind == "term"
                return key if listed and not owned else ""
        return ""
