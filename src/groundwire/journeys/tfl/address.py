"""Where the API is and what key goes there: both by the administrator, both checked once."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import quote

from groundwire.errors import ConfigurationError, GroundwireError
from groundwire.transport.redaction import HIDDEN
from groundwire.transport.targets import RequestPolicy, parse_target

TFL = "https://api.tfl.gov.uk"
MOST_BYTES = 8_388_608

_KEY = re.compile(r"[\x21-\x7e]{1,256}")
# A shorter key is hidden in texts but not in whole payloads, which would hold it by chance.
_LEAST_IN_PAYLOADS = 12


class SecretKey:
    """The key of the API, which hides itself; false where there is none."""

    def __init__(self, key: str) -> None:
        """Check a key, which may be empty.

        Raises:
            ConfigurationError: it holds characters that no key has.
        """
        if key and not _KEY.fullmatch(key):
            raise ConfigurationError(
                "TFL_APP_KEY holds spaces or characters that no key has: copy it anew."
            )
        # As it is, percent-encoded, and in any case: TfL lowers the paths that it echoes.
        forms = sorted({key, quote(key, safe="")}, key=len, reverse=True)
        self._value = key
        self._pattern = re.compile("|".join(map(re.escape, forms)), re.IGNORECASE)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return HIDDEN if self._value else "no key"

    def headers(self) -> dict[str, str]:
        """Return the headers of a request; source: `apiKeyHeader` of the saved OpenAPI."""
        return {"app_key": self._value} if self._value else {}

    def hide(self, text: str) -> str:
        """A text without the key."""
        return self._pattern.sub(HIDDEN, text) if self._value else text

    def hide_in_payload(self, text: str) -> str:
        """A payload without the key, unless the key is so short that it is found by chance."""
        return self.hide(text) if len(self._value) >= _LEAST_IN_PAYLOADS else text


def request_policy(base_url: str, deadline: float) -> RequestPolicy:
    """No redirects; an address of the administrator's may be private, TfL's own may not."""
    policy = RequestPolicy() if base_url == TFL else RequestPolicy.naming(base_url)
    return RequestPolicy(policy.addresses, deadline, MOST_BYTES, max_redirects=0)


def checked_base(base_url: str) -> str:
    """The address of the API without its last slash.

    Raises:
        ConfigurationError: it is none for an API, or what is sent there could be read on the way.
    """
    base_url = base_url.strip()
    try:
        target = parse_target(base_url)
    except GroundwireError as error:
        raise ConfigurationError(
            f"TFL_BASE_URL cannot be used: {error} Set it to the address of TfL's API, or to"
            " offline for the embedded network alone."
        ) from None
    if "?" in base_url or "#" in base_url:
        raise ConfigurationError("TFL_BASE_URL holds a query or fragment: leave it out.")
    if target.scheme == "http" and not _is_loopback(target.host):
        raise ConfigurationError(
            "TFL_BASE_URL is not encrypted, so places and key could be read on the way: use"
            " https, or an address of this machine."
        )
    return base_url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
