"""Errors as endpoints and drivers write them, and what `/troubleshoot` says of each."""

from __future__ import annotations

import pytest

from groundwire.sparql.commands import meaning


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("HTTP 429 Too Many Requests", "Retry-After"),
        ("401 Unauthorized", "password_env"),
        ("FATAL: password authentication failed for user ann", "password_env"),
        ("Virtuoso S1TAT Error: query timed out anytime", "never tell it as all"),
        ("SSL: CERTIFICATE_VERIFY_FAILED", "SSL_CERT_FILE"),
        ("[Errno -2] Name or service not known", "host name"),
        ("[Errno 111] Connection refused", "nothing listens"),
        ("The query passed its time limit of 30 s", "raise timeout"),
        ("HTTP 503", "fallback endpoint"),
        ("No module named 'psycopg'", "groundwire[postgres]"),
        ("URLs of endpoints are not accepted here", "GROUNDWIRE_ENDPOINTS"),
        ("SERVICE is refused: a query may not leave this graph", "the gate"),
        ("The query is not well-formed SPARQL", "explore_types"),
    ],
)
def test_an_error_is_explained_with_the_way_out(error: str, says: str) -> None:
    told = meaning(error)
    assert told.startswith("It most likely means that ")
    assert says in told


@pytest.mark.parametrize("error", ["", "it is broken", "row 4010 looks odd"])
def test_nothing_is_made_up_for_an_error_of_an_unknown_sort(error: str) -> None:
    assert meaning(error) == ""
