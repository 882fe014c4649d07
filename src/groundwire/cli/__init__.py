"""The command line: `groundwire COMMAND`, and one console script per server.

Exit codes: 0 done, 1 a check failed, 2 wrong input or usage, 3 configuration, 4 something that is
needed does not answer, 5 a limit, 6 forbidden, 7 not found, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from groundwire.errors import GroundwireError
from groundwire.safe_text import safe_line

_USAGE = 2
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; without any, show what there is."""
    from groundwire.cli.arguments import parser

    words = sys.argv[1:] if argv is None else argv
    whole = parser()
    if not words:
        whole.print_help(sys.stderr)
        return _USAGE
    arguments = whole.parse_args(words)
    if words[0] == "serve":
        return _run(arguments)
    from groundwire.cli.terminal import safe_output

    with safe_output():
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        return arguments.run(arguments)
    except GroundwireError as error:
        print(f"groundwire: {safe_line(str(error))}", file=sys.stderr)  # noqa: T201 - the way of a command to tell an error
        return error.exit_code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has left: nothing is wrong.
        sys.stderr.close()
        return 0


def _serve(server: str) -> int:
    """One console script: its flags are those of `groundwire serve`."""
    from groundwire.cli.arguments import script_parser

    return _run(script_parser(server).parse_args())


def serve_ontology() -> int:
    """The console script `groundwire-ontology`: `groundwire serve ontology`."""
    return _serve("ontology")


def serve_sparql() -> int:
    """The console script `groundwire-sparql`: `groundwire serve sparql`."""
    return _serve("sparql")


def serve_journeys() -> int:
    """The console script `groundwire-journeys`: `groundwire serve journeys`."""
    return _serve("journeys")


def serve_metrics() -> int:
    """The console script `groundwire-metrics`: `groundwire serve metrics`."""
    return _serve("metrics")


def serve_learning() -> int:
    """The console script `groundwire-learning`: `groundwire serve learning`."""
    return _serve("learning")


def serve_agents() -> int:
    """The console script `groundwire-agents`: `groundwire serve agents`."""
    return _serve("agents")


def serve_all() -> int:
    """The console script `groundwire-all`: `groundwire serve all`."""
    return _serve("all")
