from __future__ import annotations

import gc

import pytest

from groundwire.serving import paused_collector


def test_the_collector_rests_and_goes_on() -> None:
    assert gc.isenabled()
    with paused_collector():
        assert not gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled(), "the outer pause goes on"
    assert gc.isenabled()


def test_a_failure_ends_the_pause() -> None:
    with pytest.raises(ValueError, match="x"), paused_collector():
        raise ValueError("x")
    assert gc.isenabled()


def test_only_what_lasts_is_frozen() -> None:
    before = gc.get_freeze_count()
    with paused_collector():
        pass
    assert gc.get_freeze_count() == before
    with paused_collector(lasting=True):
        kept = [[] for _ in range(10)]
    assert gc.get_freeze_count() > before
    assert len(kept) == 10
    gc.unfreeze()
