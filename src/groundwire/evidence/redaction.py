"""Keeps secrets out of the ledger: known ones by their value, others by their shape.

Known are the values that the process says are secret. By shape: passwords in URLs, authorization
schemes, keys whose format is public, named parameters and members (`app_key=...`,
`"password": "..."`) and private key blocks.

Everything works on UTF-8 bytes, JSON among them, and never replaces across the end of a JSON
string, so what was JSON stays JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from urllib.parse import quote, quote_plus

from groundwire.config import holds_secret

REDACTED = "[redacted]"

# Shorter values occur in ordinary text: to replace them would mangle what was answered.
_SHORTEST = 6
_MASK = REDACTED.encode()

_STRING = rb"\"((?:\\.|[^\"\\])+)\""
_URL_VALUE = rb"=([^\s&\"',;#<>\\]+)"


def _assigned(bare: bytes) -> bytes:
    """Return the pattern of what follows a secret's name, with the secret as a group.

    A member of JSON (a string or a list of strings), of JSON inside a string, of a Python literal;
    or an assignment by `:` or `=`, quoted or bare. A quote that closes a JSON string is not taken
    for one that opens a value: after it come only blanks and `,:}]`.

    Args:
        bare: the characters of a bare value, as a class.
    """
    return (
        rb"(?:\"\s*:\s*(?:" + _STRING + rb"|(?P<list>\[\s*(?:\"(?:\\.|[^\"\\])*\"\s*,?\s*)+\]))"
        rb"|\\\"\s*:\s*\\\"([^\"\\]+)"
        rb"|'\s*:\s*'([^'\"\\]+)"
        rb"|\s*[:=]\s*(?:\"([^\s,:}\]\"\\][^\"\\]*)|\\?'([^'\"\\]+)|\\\"([^\"\\]+)"
        rb"|((?!(?:null|true|false)\b|\[redacted\])" + bare + rb"+)))"
    )


def _preceded(*words: bytes) -> bytes:
    """Return the pattern of a name's end: one of the words, joined in any usual way."""
    return b"(?:" + b"|".join(b"(?<=%s)|(?<=%s[_ -])" % (word, word) for word in words) + b")"


_WORD = _assigned(rb"[^\s&\"',;\[\]{}\\]")
_LINE = _assigned(rb"[^\s\"',\[\]{}\\](?:[^\r\n\"',\[\]{}\\]*[^\s\"',\[\]{}\\])?")
_KEY = _preceded(b"api", b"app", b"subscription", b"access", b"secret", b"private")
_TOKEN = _preceded(b"access", b"auth", b"refresh", b"id", b"session", b"bearer", b"http")
# A token after its scheme: it has a digit, changes case, or is longer than words are.
_SCHEMED = rb"\s+((?=[\w.~+/-]*\d|[\w.~+/-]*[a-z][A-Z]|[\w.~+/-]{24})[\w.~+/-]{8,}=*)"

# A mark, in lower case, and what is a secret where the mark stands: the group that matched last.
# Few marks, since every call's arguments and audit are searched for each of them. The patterns
# are compiled when their mark is first met.
_Shape = tuple[bytes, bytes]
_Span = tuple[int, int, bytes]
_URL_SHAPES: tuple[_Shape, ...] = ((b"://", rb"://([^/\s?#\"'<>\\]+)@"),)
_SHAPES: tuple[_Shape, ...] = (
    *_URL_SHAPES,
    (b"authorization", rb"(?i)authorization" + _LINE),
    (b"cookie", rb"(?i)cookie" + _LINE),
    (b"bearer", rb"\b(?i:bearer)" + _SCHEMED),
    (b"basic", rb"\b(?i:basic)" + _SCHEMED),
    (b"key", rb"(?i)(?:" + _KEY + rb"key" + _WORD + rb"|(?<=[?&;])key" + _URL_VALUE + rb")"),
    (
        b"token",
        rb"(?i)(?:" + _TOKEN + rb"token" + _WORD + rb"|(?<=[?&;])token" + _URL_VALUE + rb")",
    ),
    (b'"token"', rb"(?i)\"token\"\s*:\s*" + _STRING),
    (b"secret", rb"(?i)secret" + _WORD),
    (b"pass", rb"(?i)(?:passw(?:or)?d|passphrase)" + _WORD),
    (b"pwd", rb"(?i)pwd" + _WORD),
    (b"credential", rb"(?i)credentials?" + _WORD),
    (b"sig", rb"(?i)(?<=[?&;-])sig(?:nature)?" + _URL_VALUE),
    (b"sk-", rb"(?<![A-Za-z0-9])(sk-(?=[\w-]*\d)[\w-]{16,})"),
    (b"gh", rb"\b(gh[pousr]_\w{16,})"),
    (b"github_pat_", rb"\b(github_pat_\w{16,})"),
    (b"glpat-", rb"\b(glpat-[\w-]{16,})"),
    (b"hf_", rb"\b(hf_\w{16,})"),
    (b"xox", rb"\b(xox[a-z]-[\w-]{10,})"),
    (b"akia", rb"\b(AKIA[0-9A-Z]{16})\b"),
    (b"asia", rb"\b(ASIA[0-9A-Z]{16})\b"),
    (b"aiza", rb"\b(AIza[\w-]{30,})"),
    (b"eyj", rb"\b(eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"),
    (
        b"-----begin ",
        rb"-----BEGIN [A-Z ]*PRIVATE KEY-----((?:(?!-----END )(?:[^\"\\]|\\[nr]))+)",
    ),
)


def environment_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of the variables that hold secrets, as `config.holds_secret` says."""
    return tuple(value.strip() for name, value in environ.items() if holds_secret(name))


class Redactor:
    """Replaces secrets by `[redacted]`.

    Known secrets of fewer than six characters are found by their shape only.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._known: tuple[bytes, ...] = ()
        self.hide(*secrets)

    def hide(self, *secrets: str) -> None:
        """Hide these values from now on, also percent-encoded and as JSON writes them."""
        forms = set(self._known)
        for secret in secrets:
            if len(secret) < _SHORTEST:
                continue
            written = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
            if "\\" not in secret and '"' not in secret:
                # Else the plain form could end inside an escape of a JSON string.
                written.add(secret)
            with suppress(UnicodeEncodeError):  # a lone surrogate, which no URL can hold
                written |= {quote(secret), quote(secret, safe=""), quote_plus(secret)}
            forms |= {form.encode("utf-8", "surrogatepass") for form in written}
        # The longest first: a form may hold a shorter one.
        self._known = tuple(sorted(forms, key=len, reverse=True))

    def clean(self, data: bytes) -> bytes:
        """UTF-8 text (JSON, a query, a raw response) without its secrets."""
        return _without_shapes(self._without_known(data), _SHAPES)

    def clean_facts(self, data: bytes) -> bytes:
        """The facts of an answer without known secrets and passwords in URLs.

        They are not searched for other shapes: a fact must stay as it was told.
        """
        data = self._without_known(data)
        return _without_shapes(data, _URL_SHAPES) if b"@" in data else data

    def _without_known(self, data: bytes) -> bytes:
        for secret in self._known:
            if secret in data:
                data = data.replace(secret, _MASK)
        return data


def without_secrets(text: str) -> str:
    """Return a text that a caller sent without what has the shape of a secret.

    Facts are searched for passwords in URLs alone; what a statement quotes of a request is to pass
    this before it stands among them.
    """
    data = text.encode("utf-8", "replace")
    cleaned = _without_shapes(data, _SHAPES)
    return text if cleaned is data else cleaned.decode("utf-8", "replace")


def _without_shapes(data: bytes, shapes: tuple[_Shape, ...]) -> bytes:
    """`data` without what one of the shapes finds."""
    lower = data.lower()  # ASCII only, so that places stay the same
    spans: list[_Span] = []
    for mark, pattern in shapes:
        if mark in lower:
            spans += _secrets(data, lower, mark, pattern)
    return _masked(data, spans) if spans else data


def _secrets(data: bytes, lower: bytes, mark: bytes, pattern: bytes) -> list[_Span]:
    """Where `pattern` finds secrets, tried only where `mark` stands."""
    shape = re.compile(pattern, re.S)
    found: list[_Span] = []
    at = lower.find(mark)
    while at >= 0:
        end = at + len(mark)
        match = shape.match(data, at)
        if match and match.lastindex:
            mask = b'["%s"]' % _MASK if match.lastgroup == "list" else _MASK
            found.append((*match.span(match.lastindex), mask))
            end = max(end, match.end())
        at = lower.find(mark, end)
    return found


def _masked(data: bytes, spans: list[_Span]) -> bytes:
    """`data` with its spans replaced; of spans that overlap the first is, with all of them."""
    pieces: list[bytes] = []
    done = 0
    for start, end, mask in sorted(spans):
        if start >= done:
            pieces += [data[done:start], mask]
        done = max(done, end)
    return b"".join([*pieces, data[done:]])
