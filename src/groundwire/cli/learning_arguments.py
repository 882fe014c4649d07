"""Arguments that groups of commands share, and the commands of `groundwire learning`."""

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


def add_learning(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add the group `learning`."""
    whole = commands.add_parser(
        "learning",
        help="look after cards and reviews",
        description="The cards, the log of reviews and the schedule that is computed from it, in "
        "$GROUNDWIRE_HOME/learning.sqlite.",
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--owner",
        type=_owner,
        default="local",
        help="whose (default: local; over HTTP the token's subject)",
    )
    parts = whole.add_subparsers(metavar="COMMAND", required=True)
    sample = parts.add_parser(
        "sample", parents=[common], help="add the sample: a deck with its source and reviews"
    )
    sample.set_defaults(run=later("learning", "sample"))
    take = parts.add_parser(
        "import",
        parents=[common],
        help="take in cards, reviews, or documents to quote",
        description="Packages of Anki (.apkg, .colpkg) bring cards and their reviews; tables "
        "(.csv, .tsv) cards or reviews; documents (.pdf, .docx, .html, .md, .txt) passages that "
        "cards may quote. Each file goes in whole or not at all, and brings only what is new.",
    )
    take.add_argument("files", nargs="+", metavar="FILE")
    take.add_argument("--deck", default="", help="deck of cards from a table that names none")
    take.add_argument("--title", default="", help="name of a document in answers")
    take.set_defaults(run=later("learning", "import_"))
    export = parts.add_parser(
        "export",
        parents=[common],
        help="write cards with their schedule and reviews",
        description="As a package of Anki (.apkg), which every version of Anki reads, or as a "
        "table (.csv, .tsv) without the log. Drafts are left out of a package.",
    )
    export.add_argument("file", metavar="FILE")
    export.add_argument("--deck", default="", help="one deck, with those within it (default: all)")
    export.add_argument("--force", action="store_true", help="overwrite what is there")
    export.set_defaults(run=later("learning", "export"))
    report = parts.add_parser(
        "report",
        parents=[common],
        help="draw due cards, retention, calibration and concepts as one HTML page",
        description="The page needs nothing but itself. Numbers without enough reviews behind them "
        "are said to be missing.",
    )
    report.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="learning_report.html",
        help="file to write (default: learning_report.html)",
    )
    report.set_defaults(run=later("learning", "report"))
    changes = parts.add_parser(
        "changes",
        parents=[common],
        help="list changes of the shared concept graph that wait, and decide on one",
        description="A change that one owner sent needs another owner, who is named by --owner. "
        "Exit code 1 if an approved change no longer passes its checks.",
    )
    changes.add_argument("change_id", metavar="CHANGE", nargs="?", default="")
    changes.add_argument(
        "--decide",
        choices=("approve", "reject", "request_revision"),
        help="what becomes of CHANGE",
    )
    changes.add_argument("--note", default="", help="why; needed unless it is approved")
    changes.set_defaults(run=later("learning", "changes"))
    rebuild = parts.add_parser(
        "rebuild", parents=[common], help="compute the schedule from the log of reviews"
    )
    rebuild.set_defaults(run=later("learning", "rebuild"))
    fit = parts.add_parser(
        "fit",
        parents=[common],
        help="fit the parameters of FSRS-6 to the log",
        description="Fits to the first 80 % of the reviews and judges on the rest: parameters that "
        "forecast worse than the defaults there are refused. Exit code 1 if they are.",
    )
    fit.add_argument("--defaults", action="store_true", help="go back to the defaults of FSRS-6")
    fit.set_defaults(run=later("learning", "fit"))
    lint = parts.add_parser(
        "lint",
        parents=[common],
        help="report what does not fit together in cards, log and schedule",
        description="Exit code 1 with --strict if anything was found.",
    )
    lint.add_argument("--json", action="store_true", help="print JSON")
    lint.add_argument("--strict", action="store_true", help="exit 1 if anything was found")
    lint.set_defaults(run=later("learning", "lint"))
    policy = parts.add_parser(
        "policy",
        parents=[common],
        help="say or change whether calibration counts answers that a host reports",
        description="A host that cannot ask the learner sends answers itself, and could make them "
        "up: calibration leaves them out unless you count them here. No tool changes this.",
    )
    policy.add_argument("--count-reported", action=argparse.BooleanOptionalAction, default=None)
    policy.set_defaults(run=later("learning", "policy"))
    forget = parts.add_parser(
        "forget", parents=[common], help="erase a learner: cards, reviews, schedule, concepts"
    )
    forget.add_argument("--yes", action="store_true", help="do it; without, it is only counted")
    forget.set_defaults(run=later("learning", "forget"))


def _owner(text: str) -> str:
    if not text.strip() or text == "shared":
        raise argparse.ArgumentTypeError(f"{text!r} is the name of no learner")
    return text
