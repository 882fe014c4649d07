"""Payloads that TfL sent, as they were recorded; they are part of the real data."""

from __future__ import annotations

import json
from typing import Any

from shared_data import need, shared_folder

RECORDED = shared_folder("data", "tfl")


def recorded(name: str) -> Any:
    """One recorded payload by its path under the folder of recordings.

    Recordings that keep the response around the payload give its `content`.
    """
    payload = json.loads(need(RECORDED / name).read_text("utf-8"))
    if isinstance(payload, dict) and {"status_code", "content"} <= payload.keys():
        return payload["content"]
    return payload
