"""The head of a profile, whose examples a server shows before anything else is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from groundwire.config import read_toml, validated


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
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
    title: str = ""
    description: str = ""
    example_metric: str = ""
    example_entity: str = ""
    example_period: str = ""


def read_about(path: Path) -> About:
    """The head of a profile; the rest of it is not validated.

    Raises:
        ConfigurationError: it cannot be read, is not TOML, or does not say what it is.
    """
    return validated(About, read_tree(path).get("profile"), str(path), "profile")


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
