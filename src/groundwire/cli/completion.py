"""`groundwire completion SHELL`: the script that completes commands, options and choices."""

from __future__ import annotations

import argparse
import sys


def completion(arguments: argparse.Namespace) -> int:
    """Print the script for one shell, made from the parser of the whole command line."""
    import shtab

    from groundwire.cli.arguments import parser

    sys.stdout.write(f"{shtab.complete(parser(), arguments.shell)}\n")
    return 0
