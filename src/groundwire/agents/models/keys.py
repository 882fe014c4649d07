"""The key of a model's API, and messages for failed requests: one line without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast
from urllib.parse import quote

from groundwire.agents.runtime.errors import LLMFailure
from groundwire.errors import ConfigurationError
from groundwire.safe_text import HIDDEN, shown_text

_KEY = re.compile(r"[\x21-\x7e]{1,4096}")
# A shorter key is hidden in messages but not in answers, which would hold it by chance.
_LEAST_IN_ANSWERS = 8
_LONGEST_MESSAGE = 200
# Keys of others, as their makers mark them: a tool may tell its own.
_MARKED = re.compile(r"\b(?:sk|pk|rk|gh[opsu]|github_pat)[-_][A-Za-z0-9_*-]{6,}")


def shown_line(text: str) -> str:
    """One short line of a stranger's text, without what looks like a key."""
    return shown_text(_MARKED.sub(HIDDEN, text), _LONGEST_MESSAGE)


class ApiKey:
    """A key; false where there is none."""

    def __init__(self, value: str | None, variable: str) -> None:
        """Check a key.

        Args:
            value: the key, or None.
            variable: the environment variable that it comes from, for messages.

        Raises:
            ConfigurationError: it holds characters that no key has.
        """
        value = value or ""
        if value and not _KEY.fullmatch(value):
            raise ConfigurationError(
                f"{variable} holds spaces or characters that no key has: copy it anew."
            )
        self.variable = variable
        self._value = value
        # As it is, as URLs and as JSON write it, and in any case.
        forms = {value, quote(value, safe=""), json.dumps(value)[1:-1]}
        ordered = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return HIDDEN if self._value else "no key"

    def reveal(self) -> str:
        """The key itself, for the API alone."""
        return self._value

    def message(self, text: str) -> str:
        """One short line of a stranger's text, without the key."""
        return shown_line(self._pattern.sub(HIDDEN, text) if self._value else text)

    def hide(self, text: str) -> str:
        """A text of an answer without the key, which a server may echo."""
        return self._pattern.sub(HIDDEN, text) if len(self._value) >= _LEAST_IN_ANSWERS else text

    def hide_within(self, value: Any) -> Any:
        """A JSON value without the key in any of its texts and names."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, dict):
            return {
                self.hide(str(name)): self.hide_within(below)
                for name, below in cast("dict[Any, Any]", value).items()
            }
        if isinstance(value, list):
            return [self.hide_within(below) for below in cast("list[Any]", value)]
        return value


_LONGEST_WAIT = 3_600.0
# 408 and 409 are the server's own troubles with a request; 429 and 529 ask to come back later.
_LATER = frozenset({408, 409, 425, 429, 529})


@dataclass(frozen=True, slots=True)
class Asked:
    """Who was asked, for messages.

    Attributes:
        server: host and port.
        model: name of the model.
        key: what was sent with it.
    """

    server: str
    model: str
    key: ApiKey


def refused(
    asked: Asked,
    status: int,
    headers: Mapping[str, str],
    message: str,
    *,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> LLMFailure:
    """Return the failure that an HTTP status of a model's server stands for.

    Args:
        asked: who answered.
        status: the HTTP status.
        headers: those of the answer, lower case.
        message: what the server said.
        now: the moment, to count a date in Retry-After from.
    """
    said = asked.key.message(message)
    said = f" It says: {said}" if said else ""
    later = status in _LATER or status >= 500
    return LLMFailure(
        f"{_reason(asked, status)}{said}",
        recoverable=later,
        details={"status": status, "model": asked.model},
        retry_after_s=retry_after(headers, now()) if later else None,
    )


def _reason(asked: Asked, status: int) -> str:
    if status in (401, 403):
        with_key = f"the key of {asked.key.variable}" if asked.key else "a request without a key"
        return f"{asked.server} refuses {with_key} ({status}): check {asked.key.variable}."
    if status == 402:
        return f"{asked.server} wants to be paid ({status}): check the account's billing."
    if status == 404:
        return (
            f"{asked.server} knows no model {asked.model} at that address ({status}):"
            " check AI_MODEL and AI_BASE_URL."
        )
    if status == 413:
        return f"The request is too long for {asked.model} ({status}): ask for less."
    if status == 429:
        return f"{asked.server} allows no more requests for now ({status}): try again later."
    if status in _LATER or status >= 500:
        return f"{asked.server} is overloaded or broken ({status}): try again later."
    return f"{asked.server} refuses the request to {asked.model} ({status})."


def unreachable(asked: Asked, reason: str) -> LLMFailure:
    """The failure for a server that did not answer.

    Args:
        asked: who was asked.
        reason: what happened, as the end of a sentence.
    """
    return LLMFailure(
        f"{asked.server} {reason}: check AI_BASE_URL and the network, or try again.",
        recoverable=True,
        details={"model": asked.model},
    )


def too_slow(asked: Asked, seconds: float) -> LLMFailure:
    """The failure for an answer that was not there in time."""
    return LLMFailure(
        f"{asked.model} at {asked.server} did not answer within {seconds:g} s and was stopped.",
        recoverable=True,
        details={"model": asked.model},
    )


def unreadable(asked: Asked, why: str) -> LLMFailure:
    """The failure for an answer that is not what the API promises."""
    return LLMFailure(
        f"{asked.server} sent no usable answer of {asked.model}: {why}. Check AI_BASE_URL.",
        recoverable=True,
        details={"model": asked.model},
    )


def error_message(body: bytes) -> str:
    """Return the words of a server's error: `error.message` of its JSON, or the text itself."""
    text = body[:10_000].decode("utf-8", "replace")
    try:
        tree: Any = json.loads(body)
    except (ValueError, RecursionError):
        return text
    return _message_of(tree) or text


def _message_of(tree: Any) -> str:
    if isinstance(tree, dict):
        fields = cast("dict[str, Any]", tree)
        for name in ("error", "message", "detail"):
            if found := _message_of(fields.get(name)):
                return found
    return tree if isinstance(tree, str) else ""


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait (RFC 9110 section 10.2.3), or None.

    Args:
        headers: lower-case names.
        now: the moment, for a date.
    """
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except (ValueError, TypeError, OverflowError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - now).total_seconds()
    return min(max(seconds, 0.0), _LONGEST_WAIT) if seconds == seconds else None
