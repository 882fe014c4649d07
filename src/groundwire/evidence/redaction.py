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

REDACTED = "[redacted]"

# Shorter values occur in ordinary text: to replace them would mangle what was answered.
_SHORTEST = 6
_MASK = REDACTED.encode()

# `: ` or `=` after a name that may be quoted, and quoted again inside a JSON string.
_ASSIGNS = rb"\\?[\"']?\s*[:=]\s*"
_ASSIGNED = _ASSIGNS + (
    rb"(?:\"((?:\\.|[^\"\\])+)|(\[\s*\"[^\[\]{}]*\])|'([^'\"\\]+)"
    rb"|(?:\\[\"'])?((?!(?:null|true|false)\b|[\"'\[{])[^\s&\"',;}\]\\]+))"
)
_URL_VALUE = rb"=([^\s&\"',;#<>\\]+)"


def _preceded(*words: bytes) -> bytes:
    """What a name must end with before its mark: one of the words, joined in any usual way."""
    return b"(?:" + b"|".join(b"(?<=%s)|(?<=%s[_ -])" % (word, word) for word in words) + b")"


_KEY = _preceded(b"api", b"app", b"subscription", b"access", b"secret", b"private")
_TOKEN = _preceded(b"access", b"auth", b"refresh", b"id", b"session", b"bearer", b"http")
# A mark, in lower case, and what is a secret where the mark stands: the group that matched last.
# Few marks, since every record is searched for each of them.
_SHAPES: tuple[tuple[bytes, re.Pattern[bytes]], ...] = tuple(
    (mark, re.compile(pattern, re.S))
    for mark, pattern in (
        (b"://", rb"://([^/\s?#\"'<>\\]*)@"),
        *(
            (name, rb"(?i)" + name + _ASSIGNS + rb"\\?[\"']?([^\r\n,\"'\\\[{]+)")
            for name in (b"authorization", b"cookie")
        ),
        # A scheme and a token: it has a digit, changes case, or is longer than words are.
        *(
            (
                scheme,
                rb"\b(?i:" + scheme + rb")\s+((?=[\w.~+/-]*\d|[\w.~+/-]*[a-z][A-Z]|[\w.~+/-]{24})"
                rb"[\w.~+/-]{8,}=*)",
            )
            for scheme in (b"bearer", b"basic")
        ),
        (
            b"key",
            rb"(?i)(?:" + _KEY + rb"key" + _ASSIGNED
            + rb"|(?<=[?&;])key" + _URL_VALUE + rb")",
        ),
        (
            b"token",
            rb"(?i)(?:" + _TOKEN + rb"token" + _ASSIGNED
            + rb"|(?<=[?&;])token" + _URL_VALUE + rb"|(?<=\")token\":\s*\"([^\"\\]+))",
        ),
        (b"secret", rb"(?i)secret" + _ASSIGNED),
        (b"pass", rb"(?i)(?:passw(?:or)?d|passphrase)" + _ASSIGNED),
        (b"pwd", rb"(?i)pwd" + _ASSIGNED),
        (b"credential", rb"(?i)credentials?" + _ASSIGNED),
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
        (b"-----begin ", rb"-----BEGIN [A-Z ]*PRIVATE KEY-----((?:(?!-----END )[^\"])*)"),
    )
)  # fmt: skip
_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD)$")
# These hold the shell's working folders.
_FOLDER_VARIABLES = frozenset({"PWD", "OLDPWD"})


def environment_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of the variables whose names end as those of credentials do."""
    return tuple(
        value.strip()
        for name, value in environ.items()
        if _SECRET_VARIABLE.search(name) and name not in _FOLDER_VARIABLES
    )


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
                written |= {quote(secret, safe=""), quote_plus(secret)}
            forms |= {form.encode("utf-8", "surrogatepass") for form in written}
        # The longest first: a form may hold a shorter one.
        self._known = tuple(sorted(forms, key=len, reverse=True))

    def clean(self, data: bytes) -> bytes:
        """UTF-8 text (JSON, a query, a raw response) without its secrets."""
        for secret in self._known:
            if secret in data:
                data = data.replace(secret, _MASK)
        lower = data.lower()  # ASCII only, so that places stay the same
        spans: list[tuple[int, int]] = []
        for mark, pattern in _SHAPES:
            if mark in lower:
                spans += _secrets(data, lower, mark, pattern)
        return _masked(data, spans) if spans else data


def _secrets(
    data: bytes, lower: bytes, mark: bytes, pattern: re.Pattern[bytes]
) -> list[tuple[int, int]]:
    """Where `pattern` finds secrets, tried only where `mark` stands."""
    found: list[tuple[int, int]] = []
    at = lower.find(mark)
    while at >= 0:
        end = at + len(mark)
        match = pattern.match(data, at)
        if match and match.lastindex:
            found.append(match.span(match.lastindex))
            end = max(end, match.end())
        at = lower.find(mark, end)
    return found


def _masked(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    """`data` with its spans replaced; spans that overlap are one."""
    pieces: list[bytes] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            secret = data[start:end]
            listed = secret.startswith(b"[") and secret.endswith(b"]") and secret != _MASK
            pieces += [data[done:start], b'["%s"]' % _MASK if listed else _MASK]
        done = max(done, end)
    return b"".join([*pieces, data[done:]])
