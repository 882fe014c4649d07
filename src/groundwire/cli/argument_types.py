"""Shared by the groups of commands: commands imported when they run, and checked values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

Run = Callable[[argparse.Namespace], int]


def later(module: str, verb: str) -> Run:
    """Return a command whose module is imported when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        return getattr(import_module(f"groundwire.cli.{module}"), verb)(arguments)

    return run


def count(text: str) -> int:
    """Read a number of findings, 0 or more; refuse anything else."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of findings: use 0 or more")
    return int(text)
