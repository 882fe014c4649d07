"""Handles that a server gives out and a caller sends back: short, random, hard to misread."""

from __future__ import annotations

import secrets

# No letters that are read as digits or as each other.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 13  # 65 bits
_LONGEST = 64


def new_handle(prefix: str) -> str:
    """A new random handle, `prefix_` and thirteen letters and digits."""
    # 256 is a multiple of 32: each letter is as likely as any other.
    letters = (_ALPHABET[byte & 31] for byte in secrets.token_bytes(_LENGTH))
    return f"{prefix}_{''.join(letters)}"


def may_be_handle(text: str) -> bool:
    """Whether a store can be asked for a text as a handle: printable ASCII of some length."""
    return text.isascii() and text.isprintable() and len(text) <= _LONGEST


def is_handle(text: str, prefix: str) -> bool:
    """Whether a text has the form of the handles that `new_handle` makes with a prefix."""
    letters = text.removeprefix(f"{prefix}_")
    return letters != text and len(letters) == _LENGTH and set(letters) <= set(_ALPHABET)
