"""Which models help the narrative channel, as a profile names them: `[narrative]`. None by default.

A model never writes an answer here: it orders passages, which are read from the store under the
same scope as any other and are quoted as they stand.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from groundwire.metrics.about import Part

OLLAMA_URL = "http://127.0.0.1:11434"
OPENAI_URL = "https://api.openai.com/v1"


class ModelChoice(Part):
    """A model behind an address.

    Attributes:
        provider: `ollama`, or `openai` for every server that speaks its form.
        model: its name there.
        base_url: where it is; empty takes the provider's own address. Of an `openai` server it
            ends before /embeddings and /chat/completions, mostly in /v1.
        timeout: seconds that a search waits for it in all.
    """

    provider: Literal["ollama", "openai"]
    model: Annotated[str, Field(min_length=1, max_length=200)]
    base_url: Annotated[str, Field(pattern=r"^(https?://\S+)?$", max_length=2000)] = ""
    timeout: Annotated[float, Field(gt=0, le=120)] = 8.0

    @property
    def address(self) -> str:
        """Where it is asked."""
        own = OLLAMA_URL if self.provider == "ollama" else OPENAI_URL
        return (self.base_url or own).rstrip("/")


class EmbeddingChoice(ModelChoice):
    """A model of embeddings.

    Attributes:
        least_similarity: cosine below which a passage is about something else; models differ,
            so look at a few searches.
    """

    least_similarity: Annotated[float, Field(ge=-1, le=1)] = 0.35


class NarrativeChoices(Part):
    """The further channels of a search.

    Attributes:
        embeddings: finds passages by likeness of meaning; fused with the words by rank.
        rerank: puts the first passages in a better order, seeing all at once.
    """

    embeddings: EmbeddingChoice | None = None
    rerank: ModelChoice | None = None
