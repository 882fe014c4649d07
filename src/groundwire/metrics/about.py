"""What a profile says of itself. A server shows its examples before anything else is read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.errors import ConfigurationError

MOST_SHOWN = 5
Model = TypeVar("Model", bound=BaseModel)


class Part(BaseModel):
    """What a profile is made of."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class About(Part):
    """What the profile is: `[profile]`.

    Attributes:
        name: short name; state files are named after it.
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
    """What a profile says of itself; the rest of it is not validated.

    Raises:
        ConfigurationError: it cannot be read, is no TOML, or does not say what it is.
    """
    return validated(About, read_tree(path).get("profile"), str(path))


def read_tree(path: Path) -> dict[str, Any]:
    """The TOML of a profile.

    Raises:
        ConfigurationError: it cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"The profile {path} cannot be read ({error.strerror}): set GROUNDWIRE_PROFILE to a "
            "TOML file, or unset it for the embedded profile."
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"The profile {path} is no TOML: {error}.") from error


def validated(model: type[Model], tree: object, where: str) -> Model:
    """A part of the profile `where`, validated.

    Raises:
        ConfigurationError: it is not valid; the message names the place.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        shown = "; ".join(
            f"{'.'.join(map(str, problem['loc'])) or 'profile'}: "
            f"{problem['msg'].removeprefix('Value error, ')}"
            for problem in problems[:MOST_SHOWN]
        )
        raise ConfigurationError(f"The profile {where} is not valid: {shown}.") from error
