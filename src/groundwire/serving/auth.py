"""Who is let in over HTTP, as whom, and what they may do.

Tokens come from two sides. `GROUNDWIRE_HTTP_TOKEN` is one secret with two uses: sent as it is, it
is the bearer token of the server's own user; a server of several users may sign tokens with it
(JWT, HS256, with `sub`, `aud` and `exp`). Larger installations name authorization servers instead,
whose tokens are checked by their published keys (`issuers`). Each `sub` is an owner of its own, and
a token that was issued for another server is refused by its audience (RFC 8707; RFC 9068, section
4).

Scopes: `read` calls tools that change nothing, `write` every tool, `admin` sees the figures of
operators too; each holds those before it. A token of the shared secret that names no scope may
write.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from groundwire.serving.issuers import Issuers

OPERATOR = "operator"
CLIENT = "groundwire"
SCOPES = ("read", "write", "admin")
# RFC 7518, section 3.2: a key of HS256 has at least the size of its hash.
SIGNING_KEY_BYTES = 32


class BearerTokens:
    """Checks bearer tokens against a shared secret, and against the keys of issuers.

    Args:
        secret: the shared secret, or None.
        audience: the URL that signed tokens must have been issued for; None accepts none of them.
        issuers: authorization servers whose tokens are let in.

    Attributes:
        audience: see above.
        issuers: see above.
    """

    def __init__(
        self, secret: str | None, audience: str | None = None, issuers: Issuers | None = None
    ) -> None:
        self._secret = secret.encode("utf-8") if secret else None
        self.audience = audience
        self.issuers = issuers

    @property
    def length(self) -> int | None:
        """Bytes of the secret, or None without one."""
        return None if self._secret is None else len(self._secret)

    async def verify_token(self, token: str) -> AccessToken | None:
        """The principal of a token, or None for one that is refused."""
        if self._is_secret(token):
            return AccessToken(
                token=token,
                client_id=CLIENT,
                scopes=list(SCOPES),
                subject=OPERATOR,
                resource=self.audience,
            )
        if self.audience is None or token.count(".") != 2:
            return None
        claims = self._claims(token)
        if claims is not None:
            # The prefix keeps a subject called "operator" or "local" apart from those owners.
            return self._principal(token, claims, "user:{sub}", default="write")
        if self.issuers is None:
            return None
        claims = await self.issuers.claims(token, self.audience)
        # A subject is unique at its issuer only (RFC 7519, section 4.1.2).
        if claims is None:
            return None
        return self._principal(token, claims, "user:{sub}@{iss}", default="")

    def _is_secret(self, token: str) -> bool:
        if self._secret is None:
            return False
        sent = token.encode("utf-8", "surrogateescape")
        # Digests have one length, so that the time taken does not tell the secret's.
        return hmac.compare_digest(sha256(sent).digest(), sha256(self._secret).digest())

    def _principal(
        self, token: str, claims: Mapping[str, Any], owner: str, default: str
    ) -> AccessToken | None:
        subject = claims["sub"]
        if not isinstance(subject, str) or not subject:
            return None
        client = claims.get("client_id", claims.get("azp", CLIENT))
        return AccessToken(
            token=token,
            client_id=client if isinstance(client, str) else CLIENT,
            scopes=scopes_of(claims, default),
            subject=owner.format(sub=subject, iss=claims.get("iss", "")),
            expires_at=int(claims["exp"]),
            resource=self.audience,
        )

    def _claims(self, token: str) -> dict[str, Any] | None:
        if self._secret is None or len(self._secret) < SIGNING_KEY_BYTES:
            return None
        import jwt

        try:
            return jwt.decode(
                token,
                self._secret,
                algorithms=["HS256"],
                audience=self.audience,
                options={"require": ["exp", "sub", "aud"]},
                leeway=30,
            )
        except jwt.PyJWTError:
            return None


def scopes_of(claims: Mapping[str, Any], default: str) -> list[str]:
    """Return the scopes that claims give, with those that they hold.

    Args:
        claims: of a token; `scope` is a text (RFC 9068), `scp` a text or a list.
        default: the scope of a token that names none, or empty.
    """
    said = claims.get("scope", claims.get("scp", default))
    listed = cast("list[object]", said) if isinstance(said, list) else []
    words = said.split() if isinstance(said, str) else listed
    highest = max((SCOPES.index(str(word)) for word in words if word in SCOPES), default=-1)
    return list(SCOPES[: highest + 1])


def auth_settings(tokens: BearerTokens) -> AuthSettings:
    """The SDK's settings for a server that checks its tokens itself.

    With issuers, their metadata is published (RFC 9728), and `WWW-Authenticate` says where.
    """
    issuers = tokens.issuers.urls if tokens.issuers else ()
    published = bool(issuers and tokens.audience)
    return AuthSettings(
        # The SDK asks for one; without issuers it is published nowhere.
        issuer_url=AnyHttpUrl(issuers[0] if issuers else "http://127.0.0.1"),
        resource_server_url=AnyHttpUrl(tokens.audience) if published and tokens.audience else None,
        # The audience is checked with the signature.
        validate_token_resource=False,
        required_scopes=["read"],
    )
