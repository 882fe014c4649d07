"""Who is let in over HTTP, and as whom.

`GROUNDWIRE_HTTP_TOKEN` is one secret with two uses. Sent as it is, it is the bearer token of the
server's own user. A server of several users keeps it and signs tokens with it instead (JWT,
HS256, with `sub`, `aud` and `exp`): each `sub` then is an owner of its own, and a token that was
issued for another server is refused by its audience (RFC 8707, RFC 9068 section 4).
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

OPERATOR = "operator"
CLIENT = "groundwire"
# RFC 7518, section 3.2: a key of HS256 has at least the size of its hash.
SIGNING_KEY_BYTES = 32


class BearerTokens:
    """Checks bearer tokens against one secret.

    Attributes:
        audience: the URL that signed tokens must have been issued for; None accepts none of them.
    """

    def __init__(self, secret: str, audience: str | None = None) -> None:
        self._secret = secret.encode("utf-8")
        self.audience = audience

    @property
    def length(self) -> int:
        """Bytes of the secret."""
        return len(self._secret)

    async def verify_token(self, token: str) -> AccessToken | None:
        """The principal of a token, or None for one that is refused."""
        sent = token.encode("utf-8", "surrogateescape")
        # Digests have one length, so that the time taken does not tell the secret's.
        if hmac.compare_digest(sha256(sent).digest(), sha256(self._secret).digest()):
            return AccessToken(
                token=token, client_id=CLIENT, scopes=[], subject=OPERATOR, resource=self.audience
            )
        if self.audience is None or self.length < SIGNING_KEY_BYTES or token.count(".") != 2:
            return None
        claims = self._claims(token)
        if claims is None or not isinstance(claims["sub"], str) or not claims["sub"]:
            return None
        return AccessToken(
            token=token,
            client_id=CLIENT,
            scopes=[],
            # The prefix keeps a subject called "operator" or "local" apart from those owners.
            subject=f"user:{claims['sub']}",
            expires_at=int(claims["exp"]),
            resource=self.audience,
        )

    def _claims(self, token: str) -> dict[str, Any] | None:
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


def auth_settings() -> AuthSettings:
    """The SDK's settings for a server that checks its tokens itself and names no issuer."""
    return AuthSettings(
        # Asked for by the SDK; published nowhere while there is no resource server URL.
        issuer_url=AnyHttpUrl("http://127.0.0.1"),
        resource_server_url=None,
    )
