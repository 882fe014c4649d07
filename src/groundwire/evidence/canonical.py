"""The written form of a record, without secrets: what is stored, and what its hash covers.

The content of a record is one JSON text: keys sorted, no blanks, characters as themselves in
UTF-8, no NaN. It has two members:

    context: {tool, arguments, audit, payload: {size, cut}}
    facts: {values, derivations, vocabulary, overlaps, statements, names, answer, stale}

What is empty is left out, `stale` where it is None. A value is the array `[name, value, kind, unit,
entity, entity IRI, labels, period, source]`, with `[names, pieces]` or `[names, pieces, options]`
behind where it belongs to an item, a derivation `[operation, operands, value, unit, formula]`: a
record of twenty values is a third shorter so, and is written in half the time. A statement is the
array `[kind, subject, predicate, objects, conditions, value, position, complete, source]`, a
condition `[predicate, operator, objects, unit]`, both without what is empty at their end; records
that were written before there were statements have none. Names that statements repeat stand once
in `names`, and as their place there, from 0, in the statements: a count by country says twelve
times what it counts.

The hash of a record is the SHA-256 of

    header LF content

where header is the JSON array `[1, sequence, previous hash, evidence id, owner, created, payload
hash or null]`, the hashes in lower-case hexadecimal and `created` in milliseconds since 1970 UTC.
The header holds no line feed, so no two records have the same preimage. What comes before the
first record has the hash `GENESIS`.

Known secrets are found by their value: those that the process says are secret. Others are found by
their shape: passwords in URLs, authorization schemes, keys whose format is public, named parameters
and members (`app_key=...`, `"password": "..."`) and private key blocks. They are looked for in
UTF-8 bytes, JSON among them, and never across the end of a JSON string, so what was JSON stays so.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any, cast
from urllib.parse import quote, quote_plus

from groundwire.config import holds_secret
from groundwire.errors import InputError
from groundwire.evidence.records import (
    Condition,
    Derivation,
    Draft,
    Item,
    Names,
    Operation,
    Statement,
    Value,
    ValueKind,
)

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


GENESIS = "0" * 64
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The handle of a record, and its place in the chain.

    Attributes:
        sequence: its place, from 1.
        previous: hash of the record before it, hexadecimal.
        evidence_id: its handle.
        owner: who may read it.
        created: milliseconds since 1970 UTC.
        payload: SHA-256 of the stored payload, hexadecimal, or None.
    """

    sequence: int
    previous: str
    evidence_id: str
    owner: str
    created: int
    payload: str | None

    def hash(self, content: bytes) -> str:
        """The hash of the record of this header and `content`."""
        header = [
            _FORMAT,
            self.sequence,
            self.previous,
            self.evidence_id,
            self.owner,
            self.created,
            self.payload,
        ]
        digest = hashlib.sha256(_ascii_encoder.encode(header).encode())
        digest.update(b"\n")
        digest.update(content)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a record as it was written.

    Attributes:
        tool: the tool that answered.
        arguments: the normalized arguments.
        draft: values, derivations, audit and vocabulary; no payload.
        payload_size: bytes of the payload before it was cut, or None.
        payload_cut: whether it was cut.
    """

    tool: str
    arguments: dict[str, Any]
    draft: Draft
    payload_size: int | None
    payload_cut: bool


def encode(
    tool: str, arguments: Mapping[str, Any], draft: Draft, payload_cut: bool
) -> tuple[bytes, bytes]:
    """Write the context and the facts of a record.

    Raises:
        InputError: they hold something that JSON cannot carry (NaN, a cycle, an open file).
    """
    context: dict[str, Any] = {"tool": tool, "arguments": arguments}
    if draft.audit:
        context["audit"] = draft.audit
    if draft.payload is not None:
        context["payload"] = {"size": len(draft.payload), "cut": payload_cut}
    facts: dict[str, Any] = {}
    if draft.values:
        facts["values"] = [_entry(value) for value in draft.values]
    if draft.derivations:
        facts["derivations"] = [
            (d.operation, d.operands, d.value, d.unit, d.formula) for d in draft.derivations
        ]
    if draft.vocabulary:
        facts["vocabulary"] = draft.vocabulary
    if draft.overlaps:
        facts["overlaps"] = draft.overlaps
    if draft.statements:
        repeated = _repeated(draft.statements)
        if repeated:
            facts["names"] = list(repeated)
        facts["statements"] = [_statement_entry(one, repeated) for one in draft.statements]
    if draft.answer:
        facts["answer"] = draft.answer
    if draft.stale is not None:
        facts["stale"] = draft.stale
    try:
        return _written(context), _written(facts)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"The answer cannot be recorded as JSON: {error}.") from error


def join(context: bytes, facts: bytes) -> bytes:
    """The content of a record."""
    return b'{"context":%s,"facts":%s}' % (context, facts)


def decode(content: bytes) -> Content:
    """Read the content of a record.

    Raises:
        ValueError: the bytes are no content that `join` made.
    """
    try:
        tree = json.loads(content)
        context, facts = tree["context"], tree["facts"]
        stale = facts.get("stale")
        payload = context.get("payload", {})
        table = [tuple(names) for names in facts.get("names", ())]
        return Content(
            tool=context["tool"],
            arguments=context["arguments"],
            draft=Draft(
                values=tuple(_value(*entry) for entry in facts.get("values", ())),
                derivations=tuple(_derivation(*entry) for entry in facts.get("derivations", ())),
                audit=context.get("audit", {}),
                vocabulary=tuple(facts.get("vocabulary", ())),
                overlaps={one: tuple(some) for one, some in facts.get("overlaps", {}).items()},
                statements=tuple(
                    _statement(table, *entry) for entry in facts.get("statements", ())
                ),
                answer=facts.get("answer", ""),
                stale=None if stale is None else tuple(stale),
            ),
            payload_size=payload.get("size"),
            payload_cut=payload.get("cut", False),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the content of a record: {error!r}") from error


def _entry(v: Value) -> tuple[object, ...]:
    entry = (v.name, v.value, v.kind, v.unit, v.entity, v.entity_iri, v.labels, v.period, v.source)
    if v.item is None:
        return entry
    options = (v.item.options,) if v.item.options else ()
    return (*entry, (v.item.names, v.item.pieces, *options))


def _value(name: str, value: str, kind: ValueKind, *rest: Any) -> Value:
    unit, entity, iri, labels, period, source, *more = rest
    item = Item(*map(tuple, more[0])) if more else None
    return Value(name, value, kind, unit, entity, iri, tuple(labels), period, source, item)


def _derivation(operation: Operation, operands: list[int], *rest: str) -> Derivation:
    value, unit, formula = rest
    return Derivation(operation, tuple(operands), value, unit, formula)


def _repeated(statements: Sequence[Statement]) -> dict[Names, int]:
    """Return the names that stand more than once in statements, each with its place."""
    uses = Counter(names for one in statements for names in _names_in(one))
    return {names: at for at, names in enumerate(one for one, n in uses.items() if n > 1 and one)}


def _names_in(one: Statement) -> tuple[Names, ...]:
    found = (one.subject, one.predicate, *one.objects)
    for condition in one.conditions:
        found = (*found, condition.predicate, *condition.objects)
    return found


def _statement_entry(one: Statement, table: Mapping[Names, int]) -> tuple[object, ...]:
    def written(names: Names) -> Names | int:
        return table.get(names, names)

    conditions = [
        _shortened((written(c.predicate), c.operator, list(map(written, c.objects)), c.unit))
        for c in one.conditions
    ]
    parts = (written(one.subject), written(one.predicate), list(map(written, one.objects)))
    return _shortened(
        (one.kind, *parts, conditions, one.value, one.position, one.complete, one.source)
    )


def _shortened(entry: tuple[object, ...]) -> tuple[object, ...]:
    """Return the array without the empty members at its end."""
    end = len(entry)
    # A 0 is a place among the names or values, and stays.
    while end and not (entry[end - 1] or entry[end - 1] == 0):
        end -= 1
    return entry[:end]


def _statement(table: Sequence[Names], kind: Any, *entry: Any) -> Statement:
    def read(names: list[str] | int | None) -> Names:
        return table[names] if isinstance(names, int) else tuple(names or ())

    def condition(predicate: Any, operator: Any, objects: Any = (), unit: Any = None) -> Condition:
        return Condition(read(predicate), operator, tuple(map(read, objects)), unit)

    rest = [*entry, *(None,) * (8 - len(entry))]
    subject, predicate, objects, conditions, value, position, complete, source = rest
    return Statement(
        kind,
        read(subject),
        read(predicate),
        tuple(map(read, objects or ())),
        tuple(condition(*one) for one in conditions or ()),
        value,
        position,
        complete or "",
        source,
    )


def _written(tree: object) -> bytes:
    text = _encoder.encode(tree)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8: escape it as JSON does, and all else with it.
        return _ascii_encoder.encode(tree).encode()


def _plain(value: object) -> object:
    """Return a value that JSON cannot hold in the form that a reader expects."""
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    if isinstance(value, (Decimal, PurePath)):
        return str(value)
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(cast("set[str]", value))
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)
_ascii_encoder = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)
