"""Tokens of authorization servers, checked by the keys that those publish (JWKS).

Source: MCP 2026-07-28, "Authorization"; RFC 9068 (JWT access tokens), RFC 8414 (metadata of an
authorization server), RFC 7517 (keys). Only asymmetric signatures count, so that whoever can check
a token cannot make one.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from groundwire.errors import ConfigurationError, UnavailableError

if TYPE_CHECKING:
    from jwt import PyJWK

# An algorithm and the kind of key that it needs (RFC 7518, section 3.1; RFC 8037).
_KEY_TYPES: Mapping[str, str] = {
    "RS256": "RSA", "RS384": "RSA", "RS512": "RSA", "PS256": "RSA", "PS384": "RSA",
    "PS512": "RSA", "ES256": "EC", "ES384": "EC", "ES512": "EC", "EdDSA": "OKP",
}  # fmt: skip
# RFC 9068, section 2.1, and what most servers write; an ID token or a logout token is none.
_TYPES = frozenset({"at+jwt", "application/at+jwt", "jwt"})
_LEEWAY = 30
_LONGEST_TOKEN = 16_384
_LONGEST_ANSWER = 262_144
_KEPT_SECONDS = 300.0
# A token may name a key that was published since; whoever sends wrong ones must not make us ask on.
_ASKED_AGAIN_SECONDS = 30.0
_PATIENCE = 5.0
_log = logging.getLogger(__name__)


@dataclass
class _Issuer:
    """An authorization server, and its keys as they were last read."""

    url: str
    jwks: str
    keys: dict[str, PyJWK] = field(default_factory=dict[str, "PyJWK"])
    read_at: float = float("-inf")
    asked_at: float = float("-inf")
    lock: anyio.Lock = field(default_factory=anyio.Lock)


class Issuers:
    """The authorization servers whose tokens are let in.

    Args:
        urls: their identifiers, as `iss` of their tokens spells them.
        jwks: where the keys of each are: URLs or files, in the same order; empty: as the metadata
            of each says.

    Raises:
        ConfigurationError: an identifier is not an https URL, or `jwks` has another length.
    """

    def __init__(self, urls: Sequence[str], jwks: Sequence[str] = ()) -> None:
        if jwks and len(jwks) != len(urls):
            raise ConfigurationError(
                f"GROUNDWIRE_HTTP_JWKS names {len(jwks)} places of keys, GROUNDWIRE_HTTP_ISSUERS "
                f"{len(urls)} issuers: name one for each, or none."
            )
        for url in (*urls, *(one for one in jwks if "://" in one)):
            _check_url(url)
        places = jwks or [""] * len(urls)
        self._issuers = {url: _Issuer(url, place) for url, place in zip(urls, places, strict=True)}

    @property
    def urls(self) -> tuple[str, ...]:
        """The identifiers of the authorization servers."""
        return tuple(self._issuers)

    async def look(self) -> None:
        """Read the keys of every issuer.

        Raises:
            UnavailableError: one of them cannot be read.
        """
        for issuer in self._issuers.values():
            await self._read(issuer, time.monotonic())

    async def claims(self, token: str, audience: str) -> dict[str, Any] | None:
        """Return the claims of a token that one of the issuers made for this audience, or None."""
        import jwt

        if len(token) > _LONGEST_TOKEN:
            return None
        try:
            header = jwt.get_unverified_header(token)
            told = jwt.decode(token, options={"verify_signature": False}).get("iss")
        except (jwt.PyJWTError, ValueError, RecursionError):
            return None
        issuer = self._issuers.get(told) if isinstance(told, str) else None
        algorithm = header.get("alg")
        if issuer is None or not isinstance(algorithm, str) or not _is_access_token(header):
            return None
        kind = _KEY_TYPES.get(algorithm)
        key = await self._key(issuer, header.get("kid")) if kind else None
        if key is None or key.key_type != kind or not _fits(key, algorithm):
            return None
        try:
            return jwt.decode(
                token,
                key.key,
                algorithms=[algorithm],
                audience=audience,
                issuer=issuer.url,
                leeway=_LEEWAY,
                options={"require": ["exp", "sub", "aud", "iss"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            return None

    async def _key(self, issuer: _Issuer, kid: object) -> PyJWK | None:
        """Return a key by its name; without a name, the only one that there is."""
        now = time.monotonic()
        async with issuer.lock:
            old = now - issuer.read_at > _KEPT_SECONDS
            if (old or _named(issuer, kid) is None) and (
                now - issuer.asked_at > _ASKED_AGAIN_SECONDS
            ):
                try:
                    await self._read(issuer, now)
                except UnavailableError as error:
                    # Keys that were read before hold until the issuer answers again.
                    _log.warning("%s", error)
        return _named(issuer, kid)

    async def _read(self, issuer: _Issuer, now: float) -> None:
        import jwt

        issuer.asked_at = now
        try:
            place = issuer.jwks or await _jwks_uri(issuer.url)
            tree = await _json(place)
            if not isinstance(tree.get("keys"), list):
                raise ValueError("it holds no list of keys")
            listed = cast("list[dict[str, Any]]", tree["keys"])
            keys: dict[str, PyJWK] = {}
            for number, one in enumerate(listed):
                if one.get("use", "sig") != "sig" or one.get("kty") not in _KEY_TYPES.values():
                    continue
                keys[str(one.get("kid", f"#{number}"))] = jwt.PyJWK(one)
        except (
            jwt.PyJWTError,
            ValueError,
            TypeError,
            AttributeError,
            OSError,
            ConfigurationError,
        ) as error:
            raise UnavailableError(
                f"the keys of the issuer {issuer.url} cannot be read ({str(error)[:200]}): see "
                "GROUNDWIRE_HTTP_ISSUERS and GROUNDWIRE_HTTP_JWKS."
            ) from error
        issuer.keys, issuer.read_at = keys, now


def _named(issuer: _Issuer, kid: object) -> PyJWK | None:
    if isinstance(kid, str):
        return issuer.keys.get(kid)
    return next(iter(issuer.keys.values())) if kid is None and len(issuer.keys) == 1 else None


def _is_access_token(header: Mapping[str, Any]) -> bool:
    """Whether a header may be that of an access token; an extension that must be known is not."""
    kind = header.get("typ", "JWT")
    return isinstance(kind, str) and kind.lower() in _TYPES and "crit" not in header


def _fits(key: PyJWK, algorithm: str) -> bool:
    """Whether a key was made for an algorithm, where the key says."""
    declared = key._jwk_data.get("alg")  # pyright: ignore[reportPrivateUsage]
    return declared is None or declared == algorithm


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    except ValueError:
        parts, local = urlsplit(""), False
    secure = parts.scheme == "https" or (local and parts.scheme == "http")
    if parts.hostname is None or not secure:
        raise ConfigurationError(
            f"{url[:200]!r} is no https URL: GROUNDWIRE_HTTP_ISSUERS and GROUNDWIRE_HTTP_JWKS take "
            "those, such as https://login.example."
        )


async def _jwks_uri(issuer: str) -> str:
    """Return where the keys of an issuer are, by its metadata (RFC 8414, section 3; OpenID)."""
    parts = urlsplit(issuer)
    host, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    problem: Exception | None = None
    for place in (
        f"{host}/.well-known/oauth-authorization-server{path}",
        f"{host}{path}/.well-known/openid-configuration",
    ):
        try:
            tree = await _json(place)
        except (OSError, ValueError) as error:
            problem = error
            continue
        # RFC 8414, section 3.3: metadata of another issuer must not be used.
        if tree.get("issuer") == issuer and isinstance(tree.get("jwks_uri"), str):
            _check_url(tree["jwks_uri"])
            return str(tree["jwks_uri"])
        problem = ValueError("its metadata names another issuer, or no keys")
    raise ValueError(f"metadata: {problem}") from problem


async def _json(place: str) -> dict[str, Any]:
    """Read a JSON object from a file or a URL, without following redirects.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a JSON object, or is too long.
    """
    if "://" not in place:
        text = await anyio.to_thread.run_sync(Path(place).expanduser().read_bytes)
    else:
        text = await _fetched(place)
    tree = json.loads(text)
    if not isinstance(tree, dict):
        raise ValueError("it is no JSON object")
    return cast("dict[str, Any]", tree)


async def _fetched(url: str) -> bytes:
    import httpx2

    body = bytearray()
    try:
        with anyio.fail_after(_PATIENCE):
            async with (
                httpx2.AsyncClient(timeout=_PATIENCE, follow_redirects=False) as client,
                client.stream("GET", url, headers={"accept": "application/json"}) as answer,
            ):
                if answer.status_code != 200:
                    raise OSError(f"status {answer.status_code}")
                async for piece in answer.aiter_bytes():
                    body += piece
                    if len(body) > _LONGEST_ANSWER:
                        raise ValueError("the answer is too long")
    except (httpx2.HTTPError, TimeoutError) as error:
        raise OSError(f"no answer, {type(error).__name__}") from error
    return bytes(body)
