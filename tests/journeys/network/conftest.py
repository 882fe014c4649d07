"""The embedded network, loaded once."""

from __future__ import annotations

import pytest

from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.profiles import london_network


@pytest.fixture(scope="session")
def network() -> Network:
    return load_network(london_network())
