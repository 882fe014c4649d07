"""The operators' texts without their markup."""

from __future__ import annotations

import html
import re

# What ends a line or a paragraph; everything else between angle brackets only decorates.
_BREAK = re.compile(r"<\s*(?:br|/p|/li|/div|/h\d|/tr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<\s*/?\s*[a-zA-Z!][^<>]*>")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s+([,.;:!?])(?=\s|$)")


def plain_text(text: object) -> str:
    """A text as one line without tags, entities, repeated spaces and stray line breaks.

    Args:
        text: what the payload holds; anything but a string gives an empty text.
    """
    if not isinstance(text, str):
        return ""
    # Some texts are escaped twice: `&lt;br&gt;`.
    unescaped = html.unescape(text)
    for pattern, put in ((_BREAK, " "), (_TAG, "")):
        unescaped = pattern.sub(put, unescaped)
    unescaped = unescaped.replace("\\n", " ")
    return _SPACE_BEFORE.sub(r"\1", " ".join(unescaped.split()))
