"""Options that a server refuses are left out from then on.

A model that no table knows, or a gateway that knows less than the model, answers 400 and names what
it does not take. What is optional is given up, once each; what is not is a failure.
"""

from __future__ import annotations

from collections.abc import Collection

# Words of refusals by what they are about, the most telling first.
_WORDS: dict[str, tuple[str, ...]] = {
    "tool_choice": ("tool_choice", "tool choice"),
    "strict": ("strict", "too complex", "schema is too large", "grammar"),
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "thinking": ("thinking",),
    # Ollama speaks of thinking where it was asked for effort.
    "effort": ("effort", "output_config", "thinking"),
    "caching": ("cache_control",),
    "stream_options": ("stream_options",),
    "completion_limit": ("max_completion_tokens", "'max_tokens'", '"max_tokens"'),
}
FEATURES = frozenset(_WORDS)
"""What can be given up."""

REFUSING = frozenset({400, 422})
"""Statuses by which a server refuses what it was sent."""


class GivenUp:
    """The options that one server has refused; remembered as long as its model is used."""

    def __init__(self) -> None:
        self._features: set[str] = set()

    def __contains__(self, feature: str) -> bool:
        return feature in self._features

    def learn(self, message: str, sent: Collection[str]) -> bool:
        """Give up what a refusal is about; whether there was anything to give up.

        Args:
            message: what the server said.
            sent: the features that the request used.
        """
        said = message.lower()
        for feature, words in _WORDS.items():
            if feature in sent and feature not in self and any(word in said for word in words):
                self._features.add(feature)
                return True
        return False
