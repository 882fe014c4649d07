"""`groundwire metrics init|import|lint|ask|documents|forget`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.terminal import labelled_bar
from groundwire.config import Settings, load_settings
from groundwire.errors import InputError, UnavailableError

if TYPE_CHECKING:
    from groundwire.metrics.ask import Answered
    from groundwire.metrics.factbase import Places, State
    from groundwire.metrics.profile import Profile
    from groundwire.metrics.sources import Holding

_FACTS = frozenset((".csv", ".tsv", ".xlsx", ".xlsm", ".parquet", ".json"))
_MOST_ROWS = 24
# Documents whose tables are facts where a mapping says so.
_TABLED = frozenset((".docx", ".html", ".htm", ".pdf"))
_DOCUMENTS = frozenset((".txt", ".md", ".markdown", ".html", ".htm", ".docx", ".pdf"))


def init(arguments: argparse.Namespace) -> int:
    """Draft a profile and a mapping for a file that nothing is known of."""
    from groundwire.metrics.importing.draft import draft

    data = Path(arguments.data)
    drafted = draft(data, arguments.encoding, arguments.sheet, arguments.header)
    folder = Path(arguments.output or data.stem)
    written = {
        folder / "profile.toml": drafted.profile_toml,
        folder / "mapping.toml": drafted.mapping_toml,
    }
    there = [str(path) for path in written if path.exists()]
    if there and not arguments.force:
        stands = "exists" if len(there) == 1 else "exist"
        raise InputError(f"{' and '.join(there)} {stands}: name another folder, or add --force.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in written.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        raise UnavailableError(
            f"{folder} cannot be written ({error.strerror}): name another folder."
        ) from error
    _print(f"drafted {path}" for path in written)
    _print(f"look at: {note}" for note in drafted.notes)
    profile, mapping = written
    load = ("groundwire", "metrics", "import", str(data), "--mapping", str(mapping))
    _print(
        (
            "Read both files, then:",
            f"  export GROUNDWIRE_PROFILE={shlex.quote(str(profile))}",
            "  groundwire metrics lint",
            f"  {shlex.join(load)}",
            "which says what can be asked then.",
        )
    )
    return 0


def import_(arguments: argparse.Namespace) -> int:
    """Take facts or narrative documents into the store of the profile."""
    for name in arguments.files:
        path = Path(name)
        suffix = path.suffix.lower()
        if suffix in _FACTS or (suffix in _TABLED and arguments.mapping is not None):
            _import_facts(path, arguments)
        elif suffix in _DOCUMENTS:
            _import_document(path, arguments)
        else:
            raise InputError(
                f"{path} has no suffix that is known: facts are "
                f"{', '.join(sorted(_FACTS))}; documents are {', '.join(sorted(_DOCUMENTS))}."
            )
    return 0


def _import_facts(path: Path, arguments: argparse.Namespace) -> None:
    from groundwire.metrics.facts.store import SqliteFacts
    from groundwire.metrics.importing.load import import_file
    from groundwire.metrics.importing.mapping import load_mapping
    from groundwire.metrics.listing import example_question

    places, profile = profile_of(arguments)
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to import")
    if arguments.mapping is None and path.suffix.lower() != ".json":
        raise InputError(
            f"{path} needs --mapping FILE, which says what its columns are: "
            f"`groundwire metrics init {path}` drafts one."
        )
    mapping = load_mapping(Path(arguments.mapping)) if arguments.mapping else None
    target = places.facts_of(profile)
    with SqliteFacts(target) as store, labelled_bar() as told:
        report = import_file(
            path,
            mapping,
            profile,
            store,
            progress=told,
            skip_bad=arguments.skip_bad,
            today=date.today(),
        )
        example = _ask_it(example_question(profile, store), arguments)
    lines = [
        f"{path.name}: {report.rows_read:,} rows read, {report.facts_new:,} facts new, "
        f"{report.facts_known:,} known before, {report.missing_cells:,} cells empty; "
        f"{report.seconds:.1f} s; into {target if isinstance(target, Path) else target.shown}"
    ]
    lines += [f"left out: {count:,} ({why})" for why, count in report.skipped]
    lines += [f"not used: {row}" for row in report.bad[:20]]
    if report.bad_total > 20:
        lines.append(f"not used: {report.bad_total - 20:,} more rows")
    lines += [f"note: {note}" for note in report.notes]
    _print([*lines, *example])


def _ask_it(question: str | None, arguments: argparse.Namespace) -> list[str]:
    """The command that asks a question, on the fact base of the command that was given."""
    if question is None:
        return []
    command = ["groundwire", "metrics", "ask", question]
    for name in ("profile", "facts"):
        if getattr(arguments, name):
            command += [f"--{name}", getattr(arguments, name)]
    return [f"ask, for example: {shlex.join(command)}"]


def _import_document(path: Path, arguments: argparse.Namespace) -> None:
    from groundwire.metrics.narrative.ingest import import_document
    from groundwire.metrics.narrative.store import NarrativeStore

    places, profile = profile_of(arguments)
    target = places.narrative_of(profile)
    # A folder that cannot be made is reported by the store that needs it.
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
    with NarrativeStore(target) as store, labelled_bar() as told:
        report = import_document(
            path,
            store,
            profile,
            title=arguments.title or "",
            entity=arguments.entity or "",
            period_text=arguments.period or "",
            sensitivity=arguments.sensitivity or "",
            today=date.today(),
            progress=told,
        )
    _print(
        [
            f"{path.name}: {report.chunks:,} passages of {report.characters:,} characters; into "
            f"{target}",
            *(f"note: {note}" for note in report.notes),
        ]
    )


def lint(arguments: argparse.Namespace) -> int:
    """Report names that collide, overlap or hold one another, and what has no facts."""
    from groundwire.metrics.lint import lint as check

    with state_of(arguments) as state:
        found = check(state.profile, state.store)
        problems = state.problems
    if arguments.json:
        tree = [{"level": one.level, "kind": one.kind, "message": one.message} for one in found]
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(f"not read: {problem}" for problem in problems)
        shown: dict[tuple[str, str], int] = {}
        for one in found:
            key = (one.level, one.kind)
            shown[key] = shown.get(key, 0) + 1
            if shown[key] <= arguments.most:
                _print([f"{one.level}: {one.message}"])
        _print(
            f"{level}: {count - arguments.most} more of the kind {kind!r} (--most shows more)"
            for (level, kind), count in shown.items()
            if count > arguments.most
        )
        counts = ", ".join(
            f"{number} {level}{'' if number == 1 else 's'}"
            for level in ("error", "warning", "note")
            for number in [sum(one.level == level for one in found)]
        )
        _print([counts])
    return 1 if arguments.strict and any(one.level == "error" for one in found) else 0


def ask(arguments: argparse.Namespace) -> int:
    """Answer a question from the facts, without a model."""
    from groundwire.metrics.ask import ask as answer
    from groundwire.metrics.questions import reference_day

    today = reference_day(arguments.reference_date or "", date.today())
    with state_of(arguments) as state:
        answered = answer(state, arguments.question, today)
    evidence = _recorded(arguments.question, answered)
    if arguments.json:
        tree = {
            "answer": answered.text,
            "ending": answered.ending,
            "mode": answered.mode,
            "route": answered.route,
            "assumption_note": answered.note,
            "narrowing_options": [one.model_dump() for one in answered.options],
            "cells": [one.model_dump(exclude_none=True) for one in answered.cells],
            "derived": [one.model_dump() for one in answered.derived],
            "not_derived": [one.model_dump() for one in answered.not_derived],
            "passages": [one.model_dump(exclude_none=True) for one in answered.passages],
            "table": answered.table and answered.table[1].model_dump(exclude_none=True),
            "evidence_id": evidence,
        }
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False) + "\n")
        return 0
    _print([answered.text])
    if answered.table and list(answered.table[0].get("by", ())) == ["period"]:
        rows = answered.table[1].rows or []
        _print(f"  {': '.join(filter(None, row))}" for row in rows[:_MOST_ROWS])
    if answered.note and answered.table:
        _print([answered.note])
    if answered.ending == "asked":
        _print(f"  {one.slot}: {one.label} ({one.value})" for one in answered.options[:12])
    if answered.ending == "not_found":
        _print(f"  {cell.answer}" for cell in answered.cells[:6])
    if evidence:
        _print([f"evidence: {evidence}"])
    return 0


def _recorded(question: str, answered: Answered) -> str | None:
    """The record of the answer, in the same ledger as those of the servers."""
    from groundwire.evidence import Ledger, environment_secrets
    from groundwire.servers.composition import evidence_place

    place = evidence_place(load_settings())
    try:
        with Ledger(place, environment_secrets(os.environ)) as ledger:
            receipt = ledger.record("local", "metrics ask", {"question": question}, answered.draft)
    except UnavailableError as error:
        sys.stderr.write(f"not recorded: {error}\n")
        return None
    return receipt.evidence_id


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings, with what the command line says in their place."""
    given = {"GROUNDWIRE_PROFILE": arguments.profile, "GROUNDWIRE_FACTS": arguments.facts}
    return load_settings({**os.environ, **{name: said for name, said in given.items() if said}})


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


_HEAD = ("NAME", "KIND", "HELD", "DATE", "SENSITIVITY", "FROM")


def documents(arguments: argparse.Namespace) -> int:
    """List what is held: documents with their facts or passages."""
    from groundwire.metrics.sources import holdings

    with state_of(arguments) as state:
        held = holdings(state)
        problems = state.problems
    if arguments.json:
        tree = [asdict(one) for one in held]
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False, default=str) + "\n")
        return 0
    rows = [_HEAD, *map(_row, held)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    _print(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    _print(f"not read: {problem}" for problem in problems)
    return 0


def _row(one: Holding) -> tuple[str, ...]:
    day = f"dated {one.dated}" if one.dated else f"imported {one.imported}"
    origin = f"profile, {one.origin.partition('/')[2]}" if one.origin else "import"
    return (one.name, one.kind, f"{one.count:,}", day, one.sensitivity or "-", origin)


def forget(arguments: argparse.Namespace) -> int:
    """Remove the facts and passages of a document."""
    from groundwire.metrics.sources import forget as remove

    mark = places_of(arguments).mark
    with state_of(arguments) as state:
        gone = remove(state, arguments.name, mark)
    _print([f"{arguments.name}: {gone.facts:,} facts and {gone.passages:,} passages removed"])
    return 0
