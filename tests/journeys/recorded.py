"""Payloads that TfL sent, as they were recorded, or our own ones of the same names.

The recorded ones are part of the real data. Without it, `made_payloads` answers: what a test proves
of a payload then holds for both.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from made_payloads import made, made_names
from shared_data import REASON, need, shared_folder

RECORDED = shared_folder("data", "tfl")
GIVEN = RECORDED.is_dir()


def recorded(name: str) -> Any:
    """One payload by its path under the folder of recordings.

    Recordings that keep the response around the payload give its `content`.
    """
    if not GIVEN:
        own = made(name)
        return pytest.skip(REASON) if own is None else own
    payload = json.loads(need(RECORDED / name).read_text("utf-8"))
    if isinstance(payload, dict) and {"status_code", "content"} <= payload.keys():
        return payload["content"]
    return payload


def recorded_names(folder: str) -> list[str]:
    """The names of the payloads in a folder, in order."""
    if not GIVEN:
        return made_names(folder)
    return sorted(f"{folder}/{path.name}" for path in (RECORDED / folder).glob("*.json"))
