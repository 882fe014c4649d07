"""Text of data, made safe to show in answers, in agents' words and on a terminal; handles.

Labels, documents and services hold what somebody else wrote. Shown as it is, such a text can move
the cursor of a terminal, turn the direction of writing, hide words from the reader that a model
reads, or make a host that renders Markdown fetch an image. Here it loses what acts, and keeps what
is read: letters, marks, emoji and line ends. Handles are texts that a server gives out and a
caller sends back: short, random, hard to misread. URLs are shown without passwords and keys.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, cast

LONGEST_NAME = 200
"""Characters of a name that are shown; a longer one ends in an ellipsis."""

# Escape sequences of terminals (ECMA-48): control sequences, operating system commands, others.
_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|\x1b[\\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\\\)?"
    "|\x1b[ -~]?"
)
# Marks that turn the direction of writing (Unicode UAX 9), and characters that nobody sees: zero
# width, tags, annotations. Joiners stay, since scripts and emoji need them.
_HIDDEN = (
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
_UNSAFE = re.compile(f"(?P<hidden>[{_HIDDEN}])|[{_CONTROL}]")
_BLANK = re.compile(r"\s+")
# The second half of a link or image, and the beginning of a tag; a URL in angle brackets shows
# where it leads.
_ACTIVE = re.compile(r"(?<=\])[(\[:]|(?<!\\)<(?=[A-Za-z/!?])")
_ACTIVE_BUT_ADDRESSES = re.compile(
    r"(?<=\])[(\[:]|(?<!\\)<(?=[A-Za-z/!?])(?!https?://)", re.IGNORECASE
)
# The same in compact JSON, where control characters are escaped.
_SUSPECT = re.compile(rf"[{_HIDDEN}\x7f-\x9f\u2028\u2029]|\\u00[01]|\][(\[:]|<[A-Za-z/!?]")


def is_safe_json(text: str) -> bool:
    """Whether a compact JSON text surely needs nothing of what `safe_tree` does."""
    return not _SUSPECT.search(text)


def safe_characters(text: str) -> str:
    """Return a text without escape sequences, control characters and hidden characters.

    Tabs and line ends stay; another control character becomes a blank.
    """
    if not _UNSAFE.search(text):
        return text
    text = _SEQUENCE.sub("", text)
    return _UNSAFE.sub(lambda found: "" if found["hidden"] else " ", text)


def inert(text: str) -> str:
    """Return a text that reads as it is and makes no Markdown link, image or HTML tag.

    Source: CommonMark 0.31, sections 4.7, 6.3, 6.5 and 6.6.
    """
    return _ACTIVE.sub(r"\\\g<0>", text)


def safe_line(text: str) -> str:
    """Return a text as one line of safe characters."""
    return _BLANK.sub(" ", safe_characters(text)).strip()


def inert_line(text: str) -> str:
    """Return a text from data as one line that is shown and does nothing else."""
    return inert(safe_line(text))


def safe_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a name from data as it may stand in a sentence: one line, inert, of bounded length."""
    line = safe_line(text[: 8 * longest])
    return inert(line if len(line) <= longest else line[: longest - 1].rstrip() + "…")


def safe_tree(value: Any, *, inert_answers: bool) -> Any:
    """Return JSON with every text made of safe characters.

    Args:
        value: what a result holds.
        inert_answers: whether texts named `answer` make no links either.
    """
    if isinstance(value, str):
        return safe_characters(value)
    if isinstance(value, list):
        return [safe_tree(one, inert_answers=inert_answers) for one in cast("list[Any]", value)]
    if not isinstance(value, Mapping):
        return value
    made = {
        safe_characters(str(name)): safe_tree(one, inert_answers=inert_answers)
        for name, one in cast("Mapping[Any, Any]", value).items()
    }
    if inert_answers and isinstance(made.get("answer"), str):
        made["answer"] = _ACTIVE_BUT_ADDRESSES.sub(r"\\\g<0>", made["answer"])
    return made


# No letters that are read as digits or as each other.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 13  # 65 bits
_LONGEST = 64


def new_handle(prefix: str) -> str:
    """A new random handle, `prefix_` and thirteen letters and digits."""
    # 256 is a multiple of 32: each letter is as likely as any other.
    letters = (_ALPHABET[byte & 31] for byte in os.urandom(_LENGTH))
    return f"{prefix}_{''.join(letters)}"


def may_be_handle(text: str) -> bool:
    """Whether a store can be asked for a text as a handle: printable ASCII of some length."""
    return text.isascii() and text.isprintable() and len(text) <= _LONGEST


def is_handle(text: str, prefix: str) -> bool:
    """Whether a text has the form of the handles that `new_handle` makes with a prefix."""
    letters = text.removeprefix(f"{prefix}_")
    return letters != text and len(letters) == _LENGTH and set(letters) <= set(_ALPHABET)


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
