"""The key of a model's API, which shows itself to nobody but that API."""

from __future__ import annotations

import json
import re
from typing import Any, cast
from urllib.parse import quote

from groundwire.errors import ConfigurationError
from groundwire.transport.redaction import HIDDEN, shown_text

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
