"""Payloads that TfL sent, as they were recorded; they lie beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

RECORDED = Path(__file__).parents[2].parent / "shared" / "data" / "tfl"


def recorded(name: str) -> Any:
    """One recorded payload by its path under the folder of recordings.

    Recordings that keep the response around the payload give its `content`.
    """
    path = RECORDED / name
    if not path.exists():
        pytest.skip(f"the recorded payloads are not beside the checkout ({name})")
    payload = json.loads(path.read_text("utf-8"))
    if isinstance(payload, dict) and {"status_code", "content"} <= payload.keys():
        return payload["content"]
    return payload
