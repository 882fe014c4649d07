"""What the tests of the map share: its helpers, and the network it is drawn on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.profiles import london_network

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def network() -> Network:
    return load_network(london_network())
