"""What the tests of all agents share."""

from __future__ import annotations

import logging

import pytest


@pytest.fixture
def agent_logs(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """What agents log from warnings on, whatever another test's server has set up in this process.

    A server that serves agents writes their logs to stderr itself and passes none of them on.
    """
    monkeypatch.setattr(logging.getLogger("groundwire.agents"), "propagate", True)
    caplog.set_level(logging.WARNING, "groundwire.agents")
    return caplog
