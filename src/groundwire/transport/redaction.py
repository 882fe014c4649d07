"""URLs and texts of strangers, fit to be shown and recorded."""

from __future__ import annotations

import re

HIDDEN = "***"

# Parameter names under which services take keys, in any spelling of words and separators.
_SECRET_NAME = re.compile(
    r"(?i)key|token|secret|passw|pwd|auth|credential|signature|session|jwt|cookie|^(sig|code|pass)$"
)
_PARAMETER = re.compile(r"(?P<lead>[?&;])(?P<name>[^=&;#]*)(?:=(?P<value>[^&;#]*))?")
_USERINFO = re.compile(r"(?P<scheme>(?<![A-Za-z0-9+.-])[A-Za-z0-9+.-]+://)[^/?#@\s]*@")
_PASSWORD = re.compile(r"(://)[^/?#@\s<>\"]*:[^/?#@\s<>\"]*@")
_CREDENTIAL = re.compile(r"(?i)\b(?P<scheme>basic|bearer|digest)\s+[A-Za-z0-9+/=._~-]{4,}")
_SPACE = re.compile(r"\s+")


def shown_url(url: str) -> str:
    """`url` without user names, and with the values of key-like parameters hidden."""

    def hide(match: re.Match[str]) -> str:
        name = match["name"]
        if match["value"] is None:
            return match[0]
        value = HIDDEN if _SECRET_NAME.search(name) else match["value"]
        return f"{match['lead']}{name}={value}"

    return _PARAMETER.sub(hide, _USERINFO.sub(rf"\g<scheme>{HIDDEN}@", url))


def without_passwords(text: str) -> str:
    """A whole text, such as a query, without the passwords of URLs and without half characters."""
    return _PASSWORD.sub(rf"\1{HIDDEN}@", text.encode("utf-8", "replace").decode())


def shown_text(text: str, limit: int = 200) -> str:
    """One printable line of at most `limit` characters from what a server sent."""
    line = _SPACE.sub(" ", "".join(c if c.isprintable() else " " for c in text[: limit * 8]))
    line = _CREDENTIAL.sub(rf"\g<scheme> {HIDDEN}", shown_url(line)).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
