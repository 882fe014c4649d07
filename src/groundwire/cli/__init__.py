"""The command line: `groundwire COMMAND`, and one console script per server.

Exit codes: 0 done, 1 a check failed, 2 wrong input or usage, 3 configuration, 4 something that is
needed does not answer, 5 a limit, 6 forbidden, 7 not found, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from groundwire.errors import GroundwireError

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    from groundwire.cli.arguments import parser

    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except GroundwireError as error:
        print(f"groundwire: {' '.join(str(error).split())}", file=sys.stderr)  # noqa: T201
        return error.exit_code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has left: nothing is wrong.
        sys.stderr.close()
        return 0


def serve_ontology() -> int:
    """The console script `groundwire-ontology`: `groundwire serve ontology`."""
    return main(["serve", "ontology", *sys.argv[1:]])


def serve_sparql() -> int:
    """The console script `groundwire-sparql`: `groundwire serve sparql`."""
    return main(["serve", "sparql", *sys.argv[1:]])


def serve_journeys() -> int:
    """The console script `groundwire-journeys`: `groundwire serve journeys`."""
    return main(["serve", "journeys", *sys.argv[1:]])


def serve_metrics() -> int:
    """The console script `groundwire-metrics`: `groundwire serve metrics`."""
    return main(["serve", "metrics", *sys.argv[1:]])


def serve_agents() -> int:
    """The console script `groundwire-agents`: `groundwire serve agents`."""
    return main(["serve", "agents", *sys.argv[1:]])


def serve_all() -> int:
    """The console script `groundwire-all`: `groundwire serve all`."""
    return main(["serve", "all", *sys.argv[1:]])
