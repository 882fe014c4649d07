"""Logs go to stderr: on stdio, stdout belongs to the protocol."""

from __future__ import annotations

import logging
import sys


def log_to_stderr() -> None:
    """Log warnings and worse to stderr, unless whoever embeds the server has set up logging."""
    logging.basicConfig(
        level=logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
