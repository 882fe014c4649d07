"""Permissions of one client, set by whoever composes a server."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundwire.transport.addresses import AddressPolicy
from groundwire.transport.targets import parse_target


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """Addresses and limits of every request of one client.

    Attributes:
        addresses: which addresses may be connected to.
        deadline: seconds for a whole call (resolving, connecting, waiting, redirects, body).
        max_bytes: the most bytes of a body that are kept, packed or unpacked.
        max_redirects: how many redirects one call follows.
    """

    addresses: AddressPolicy = field(default_factory=AddressPolicy)
    deadline: float = 30.0
    max_bytes: int = 5_242_880
    max_redirects: int = 3

    @classmethod
    def naming(cls, *urls: str) -> RequestPolicy:
        """The default policy, with the endpoints that a configuration names allowed anywhere.

        Raises:
            InputError: a URL cannot be read.
            ForbiddenError: a URL is not http(s), or holds a user name.
        """
        return cls(AddressPolicy(frozenset(parse_target(url).authority for url in urls)))
