"""The head of a profile, which a server shows first; its files, its parser, its helping models.

A model never writes an answer here: it orders passages, which are read from the store under the
same scope as any other and are quoted as they stand. A label that heads a column has ordinary names
in three languages: "Product name" is also product and 产品.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from groundwire.config import read_toml, validated
from groundwire.vocabulary.fold import fold


@lru_cache(maxsize=1_024)
def heading_names(heading: str) -> tuple[str, ...]:
    """Return a heading, its noun alone, and the words for the same in English, German and Chinese.

    >>> heading_names("区名")[:3]
    ('区名', '区', 'district')
    """
    tree, noun = _tree(), heading.strip()
    # In "surname" and "username" the name is what the column holds.
    for ending in tree["endings"]:
        shorter = noun[: -len(ending)].rstrip()
        if noun.casefold().endswith(ending if not ending.isascii() else f" {ending}") and shorter:
            noun = shorter
            break
    for beginning in tree["beginnings"]:
        if noun.startswith(beginning) and noun != beginning:
            noun = noun.removeprefix(beginning)
            break
    return tuple(dict.fromkeys((heading, noun, *_alike().get(fold(noun), ()))))


@cache
def _tree() -> Mapping[str, Any]:
    text = files("groundwire.metrics").joinpath("heading_words.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _alike() -> Mapping[str, Sequence[str]]:
    return {fold(word): group for group in _tree()["things"] for word in group}


class Part(BaseModel):
    """Base of the parts of a profile: frozen, without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class About(Part):
    """Name, title and examples of the profile: `[profile]`.

    Attributes:
        name: short name; state files are named after it and where the profile lies.
        title: name for people.
        description: what it covers, where its facts are from.
        example_metric, example_entity, example_period: what tool descriptions show.
        channel_label: what the channels are, such as "Age group"; a dimension is called so.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
    title: str = ""
    description: str = ""
    example_metric: str = ""
    example_entity: str = ""
    example_period: str = ""
    channel_label: str = ""

    @cached_property
    def channel_names(self) -> tuple[str, ...]:
        """Names of the channels beside "channel"; empty where the profile gives none."""
        return heading_names(self.channel_label) if self.channel_label else ()


class _Headed(BaseModel):
    """A profile, of which nothing but the head is looked at."""

    model_config = ConfigDict(defer_build=True)

    profile: About


def read_about(path: Path) -> About:
    """The head of a profile; the rest of it is not validated.

    Raises:
        ConfigurationError: it cannot be read, is not TOML, or does not say what it is.
    """
    return validated(_Headed, read_tree(path), str(path), "profile").profile


def read_tree(path: Path) -> dict[str, Any]:
    """The TOML of a profile.

    Raises:
        ConfigurationError: it cannot be read, or is not TOML.
    """
    return read_toml(
        path,
        "profile",
        "set GROUNDWIRE_PROFILE to a TOML file, or unset it for the embedded profile",
    )


class Sensitivity(Part):
    """Which documents may be quoted: `[sensitivity]`.

    Attributes:
        levels: every level, the most open one first.
        default: level of a document that names none.
        withheld: levels that are never returned.
    """

    levels: tuple[str, ...] = ("PUBLIC", "INTERNAL", "RESTRICTED")
    default: str = "INTERNAL"
    withheld: tuple[str, ...] = ("RESTRICTED",)

    @model_validator(mode="after")
    def _known(self) -> Sensitivity:
        for level in (self.default, *self.withheld):
            if level not in self.levels:
                raise ValueError(f"{level!r} is none of the levels {', '.join(self.levels)}")
        return self

    @property
    def quotable(self) -> frozenset[str]:
        """The levels whose documents may be quoted; a level that is not named here may not."""
        return frozenset(self.levels) - frozenset(self.withheld)


class Source(Part):
    """Facts that come with the profile: `[[sources]]`, imported when the store is opened.

    Attributes:
        file: path of the file, relative to the profile.
        mapping: path of its mapping (TOML), relative to the profile.
    """

    file: str
    mapping: str


class Document(Part):
    """A narrative document that comes with the profile: `[[documents]]`.

    Attributes:
        file: its path, relative to the profile.
        title: its name in answers; empty takes the file's.
        entity: code of the entity that it is about, or empty.
        period: period that it is about, as people write it, or empty.
        sensitivity: one of the profile's levels; empty takes the default.
    """

    file: str
    title: str = ""
    entity: str = ""
    period: str = ""
    sensitivity: str = ""


class DocumentNames(Part):
    """Other names of a document: `[[document_names]]`.

    Attributes:
        name: name of the document of a source, or title of a narrative document.
        aliases: how sentences in any language call it ("Geschäftsbericht 2024").
    """

    name: str
    aliases: tuple[str, ...] = ()


class IntentChoice(Part):
    """The parser of questions.

    Attributes:
        parser: `rules`, which needs no model, or the name by which an installed package declares
            one (`groundwire.metrics.intent.replacing`).
    """

    parser: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")] = "rules"


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
