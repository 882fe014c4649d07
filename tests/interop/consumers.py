"""Hands every definition to what hosts make of it; which are refused, by consumer, as JSON.

python consumers.py CONTRACTS SEEN

CONTRACTS is the folder of the published definitions; SEEN is written. Consumers that are not
installed here are left out.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Definition = dict[str, Any]
consumers: dict[str, Callable[[Definition], object]] = {}
if find_spec("agents"):
    from agents.strict_schema import ensure_strict_json_schema

    consumers["openai-agents strict"] = lambda tool: ensure_strict_json_schema(
        copy.deepcopy(tool["inputSchema"]), _reject_open_objects=True
    )
if find_spec("langchain"):
    from google.genai import types
    from google.genai._mcp_utils import mcp_to_gemini_tool
    from mcp.types import Tool

    consumers["google-genai"] = lambda tool: mcp_to_gemini_tool(Tool.model_validate(tool))
    consumers["Gemini schema"] = lambda tool: types.Schema.model_validate(tool["inputSchema"])


def refused(consumer: Callable[[Definition], object], tool: Definition) -> str:
    try:
        consumer(tool)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


contracts, seen = map(Path, sys.argv[1:])
tools = {
    f"{path.stem}.{tool['name']}": tool
    for path in sorted(contracts.glob("*.json"))
    for tool in json.loads(path.read_text("utf-8"))["tools"]
}
found = {
    name: {tool: refused(consumer, definition) for tool, definition in tools.items()}
    for name, consumer in consumers.items()
}
seen.write_text(json.dumps(found), "utf-8")
