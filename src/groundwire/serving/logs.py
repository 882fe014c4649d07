"""Logs go to stderr: on stdio, stdout belongs to the protocol."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, cast

FIELDS = "groundwire_fields"
"""The attribute of a record that holds the fields of an event."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line: time, level, logger, event, its fields, and a traceback as one text."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **cast("dict[str, Any]", getattr(record, FIELDS, {})),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=str)


def log_to_stderr(*, as_json: bool = False) -> None:
    """Log warnings and worse to stderr, unless whoever embeds the server has set up logging.

    Args:
        as_json: whether each line is JSON; calls are logged then, too.
    """
    logging.basicConfig(
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    if as_json:
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonLines())
        logging.getLogger("groundwire.calls").setLevel(logging.INFO)
