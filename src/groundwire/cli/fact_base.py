"""The fact base of a command: as the settings say, or as the command line does in their place."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.progress import labelled_bar
from groundwire.config import Settings, load_settings

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State
    from groundwire.metrics.places import Places
    from groundwire.metrics.profile import Profile


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings, with what the command line says in their place."""
    settings = load_settings()
    if arguments.profile:
        settings = replace(settings, profile=Path(arguments.profile).absolute())
    if arguments.facts:
        settings = replace(settings, facts=Path(arguments.facts).absolute())
    return settings


def places_of(arguments: argparse.Namespace) -> Places:
    """Where the fact base of a command lies."""
    from groundwire.servers.metrics import places

    return places(_settings(arguments))


def profile_of(arguments: argparse.Namespace) -> tuple[Places, Profile]:
    """Where the fact base of a command lies, and its profile.

    Raises:
        ConfigurationError: the profile cannot be read.
    """
    from groundwire.metrics.profile import load_profile

    where = places_of(arguments)
    return where, load_profile(where.profile)


@contextmanager
def state_of(arguments: argparse.Namespace) -> Generator[State]:
    """The fact base of a command, with a bar while it takes in what comes with the profile."""
    from groundwire.metrics.factbase import FactBase

    with labelled_bar() as told:
        facts = FactBase(places_of(arguments), told)
        state = facts.state()
    try:
        yield state
    finally:
        facts.close()
