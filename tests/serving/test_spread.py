"""Arguments that several tools share, declared once."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field

from groundwire.errors import InputError
from groundwire.serving import SPREAD
from groundwire.serving.arguments import Arguments


class Shared(BaseModel):
    model_config = ConfigDict(extra="forbid")

    speed: Annotated[str, Field(description="How fast.", max_length=10)] = ""
    minutes: Annotated[int | None, Field(ge=1, le=120)] = None


class Part(Shared):
    goal: str


async def body(
    goal: str, options: Annotated[Shared, SPREAD], parts: tuple[Part, ...] = ()
) -> None: ...


def test_fields_of_the_model_are_arguments() -> None:
    schema = Arguments(body).schema
    assert list(schema["properties"]) == ["goal", "speed", "minutes", "parts"]
    assert schema["properties"]["speed"] == {
        "description": "How fast.",
        "type": "string",
    }
    assert schema["required"] == ["goal"]
    nested = schema["properties"]["parts"]["items"]["properties"]
    assert set(nested) == {"speed", "minutes", "goal"}


def test_the_body_gets_the_model_with_what_was_sent() -> None:
    given = Arguments(body).read({"goal": "x", "minutes": "12"})
    assert given.values["goal"] == "x"
    assert given.values["options"] == Shared(minutes=12)
    assert given.values["options"].model_dump(exclude_unset=True) == {"minutes": 12}
    assert given.normalized["minutes"] == 12


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"goal": "x", "sped": "fast"}, "speed"),
        ({"goal": "x", "minutes": 0}, "minutes"),
        ({"goal": "x", "parts": [{"goal": "y", "sped": "fast"}]}, "speed"),
    ],
)
def test_they_are_refused_as_any_other(sent: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Arguments(body).read(sent)
