"""Text files: from bytes to characters, whatever wrote them."""

from __future__ import annotations

import codecs
from pathlib import Path

from groundwire.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4_096


def decoded(data: bytes, path: Path, declared: str = "") -> str:
    """The characters of a text file.

    A byte order mark decides; then what the file declares; then UTF-8, and GB 18030 for older
    Chinese files. UTF-16 without its mark is known by its zeros.

    Raises:
        InputError: none of them fits.
    """
    for encoding in _candidates(data, declared):
        try:
            text = data.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        if "\x00" not in text:
            return text
    raise InputError(
        f"The document {path.name} is no text in UTF-8, UTF-16 or GB 18030: save it as UTF-8"
    )


def _candidates(data: bytes, declared: str) -> tuple[str, ...]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return (encoding,)
    sample = data[:_SAMPLE]
    if b"\x00" in sample:
        little = sample[1::2].count(0) > sample[::2].count(0)
        return ("utf-16-le" if little else "utf-16-be",)
    return (declared, "utf-8", "gb18030") if declared else ("utf-8", "gb18030")
