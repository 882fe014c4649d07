"""`groundwire learning sample|import|export|report|changes|rebuild|fit|lint|forget`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.terminal import labelled_bar
from groundwire.config import load_settings
from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.learning.learner import Learner


@contextmanager
def _learner(arguments: argparse.Namespace) -> Generator[Learner]:
    from groundwire.servers.learning import base

    with base(load_settings()) as opened:
        yield opened.learner(arguments.owner)


def sample(arguments: argparse.Namespace) -> int:
    """Add the embedded sample."""
    from groundwire import profiles
    from groundwire.learning.importing import Places, load_sample

    with _learner(arguments) as learner:
        added = load_sample(learner, Places(*profiles.learning_sample()))
    _print(f"added {added} cards with their reviews" if added else "the sample is there already")
    if added:
        _print(
            "their log is invented, and counts in your figures until `groundwire learning forget`: "
            "for a try set GROUNDWIRE_HOME to an empty folder"
        )
    return 0


def import_(arguments: argparse.Namespace) -> int:
    """Take in packages, tables and documents, each whole or not at all."""
    from groundwire.learning.importing import import_into, in_order

    with _learner(arguments) as learner, labelled_bar() as told:
        for path in in_order(map(Path, arguments.files)):
            lines = import_into(
                learner,
                path,
                deck=arguments.deck,
                title=arguments.title,
                progress=told,
            )
            for line in lines:
                _print(line)
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write cards as a package of Anki or as a table.

    Raises:
        InputError: the file is there already, or its ending says no format that is written.
    """
    from groundwire.learning.packages.apkg_writing import export_package
    from groundwire.learning.packages.csv_columns import export_table

    path = Path(arguments.file)
    ending = path.suffix.lower()
    if ending not in (".apkg", ".csv", ".tsv"):
        raise InputError(f"{path.name} is of no format that is written: use .apkg, .csv or .tsv.")
    if path.exists() and not arguments.force:
        raise InputError(f"{path} is there already: add --force to overwrite it.")
    with _learner(arguments) as learner, labelled_bar() as told:
        if ending != ".apkg":
            rows = export_table(learner.file, learner.owner, path, deck=arguments.deck)
            _print(f"{path}: {rows:,} card{'' if rows == 1 else 's'}")
            return 0
        report = export_package(
            learner.file,
            learner.owner,
            path,
            now_ms=learner.clock(),
            deck=arguments.deck,
            progress=told,
        )
    _print(f"{path}: {report.cards:,} cards, {report.reviews:,} reviews")
    if report.left_out:
        _print(f"left out: {report.left_out:,} drafts or archived cards")
    return 0


def report(arguments: argparse.Namespace) -> int:
    """Write the report of a learner as a page."""
    from groundwire.apps import write_page
    from groundwire.learning.concepts.rules import read_rules
    from groundwire.learning.report.figures import figures
    from groundwire.learning.report.page import MARK, report_page
    from groundwire.learning.report.sections import sections
    from groundwire.profiles import learning_profile

    path = Path(arguments.output)
    with _learner(arguments) as learner:
        found = figures(learner, read_rules(learning_profile()))
    write_page(path, report_page(found), MARK)
    for one in sections(found):
        _print(f"{one.heading}: {one.says[0]}")
    _print(f"written: {path.absolute()}")
    return 0


def changes(arguments: argparse.Namespace) -> int:
    """List the changes of the shared graph that wait, or decide on one of them.

    Raises:
        InputError: a change is named without a decision, or a decision without a change.
    """
    from groundwire.learning.concepts.reviewing import (
        ReviewRequest,
        pending_changes,
        review_change,
    )
    from groundwire.learning.concepts.rules import read_rules
    from groundwire.profiles import learning_profile

    if bool(arguments.change_id) != bool(arguments.decide):
        raise InputError("Name a change and --decide together, or neither to list what waits.")
    with _learner(arguments) as learner:
        if arguments.decide:
            request = ReviewRequest(arguments.change_id, arguments.decide, arguments.note)
            rules = read_rules(learning_profile())
            decided, _ = review_change(learner.file, rules, learner.owner, request)
            _print(decided.answer)
            failed = arguments.decide == "approve" and decided.status != "committed"
            return 1 if failed else 0
        offset: int | None = 0
        while offset is not None:
            page = pending_changes(learner.file, learner.owner, offset)
            if not offset:
                _print(page.answer)
            for one in page.changes:
                _print(f"{one.change_id} ({one.status}, sent {one.sent}): {one.rationale}")
                for line in (*one.operations, *one.quotes, *(one.notes or ())):
                    _print(f"  {line}")
            offset = page.next_offset
    return 0


def rebuild(arguments: argparse.Namespace) -> int:
    """Compute the schedule from the log."""
    from groundwire.learning.holdings import rebuild_schedule

    with _learner(arguments) as learner:
        count, changed = rebuild_schedule(learner)
    _print(f"{count:,} cards scheduled from their reviews; {changed:,} had another schedule before")
    return 0


def fit(arguments: argparse.Namespace) -> int:
    """Fit the parameters of FSRS-6, and schedule by them where they are no worse."""
    from groundwire.learning.reviews.store import rebuild as rebuilt
    from groundwire.learning.schedule.policy import fit_learner, use_defaults

    with _learner(arguments) as learner, learner.writing() as connection:
        now = learner.clock()
        if arguments.defaults:
            use_defaults(connection, learner.owner, now)
            count = rebuilt(connection, learner.owner)
            _print(f"the defaults of FSRS-6 are in force; {count:,} cards scheduled by them")
            return 0
        found = fit_learner(connection, learner.owner, now)
        count = rebuilt(connection, learner.owner) if found.accepted else 0
    _print(
        f"log loss on the {found.judged:,} last reviews: {found.log_loss:.4f} fitted, "
        f"{found.log_loss_defaults:.4f} by the defaults, {found.log_loss_constant:.4f} constant"
    )
    if not found.accepted:
        _print("refused: the fitted parameters forecast worse, so what was in force stays")
        return 1
    _print(f"{found.parameters_id} is in force; {count:,} cards scheduled by it")
    return 0


def policy(arguments: argparse.Namespace) -> int:
    """Say whether calibration counts answers that a host reports, or change that.

    The choice is the person's: no tool offers it to a model.
    """
    from dataclasses import replace

    from groundwire.learning.schedule.policy import read_policy, write_policy

    with _learner(arguments) as learner:
        with learner.reading() as connection:
            held = read_policy(connection, learner.owner)
        wanted = arguments.count_reported
        if wanted is not None and wanted != held.count_reported:
            with learner.writing() as connection:
                held = replace(read_policy(connection, learner.owner), count_reported=wanted)
                write_policy(connection, learner.owner, held, learner.clock())
    counts = "counts" if held.count_reported else "leaves out"
    _print(f"calibration {counts} answers that a host reports without the learner being asked")
    return 0


def lint(arguments: argparse.Namespace) -> int:
    """Report what does not fit together."""
    from groundwire.learning.holdings import lint as found_in

    with _learner(arguments) as learner:
        found = found_in(learner)
    if arguments.json:
        _print(json.dumps([{"kind": one.kind, "message": one.message} for one in found], indent=2))
    else:
        for one in found:
            _print(one.message)
        if not found:
            _print("nothing found")
    return 1 if found and arguments.strict else 0


def forget(arguments: argparse.Namespace) -> int:
    """Erase a learner, once it is said twice."""
    from groundwire.learning.holdings import forget as erase
    from groundwire.learning.holdings import holdings

    with _learner(arguments) as learner:
        if not arguments.yes:
            _print(f"{learner.owner} has {holdings(learner).said}: add --yes to erase all of it")
            return 0
        rows = erase(learner)
    _print(
        f"erased {rows:,} rows of {arguments.owner}; the evidence ledger keeps what was answered"
    )
    return 0


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
