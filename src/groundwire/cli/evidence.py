"""`groundwire evidence show|open|export|verify|head`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from groundwire.cli.terminal import bar
from groundwire.config import load_settings
from groundwire.errors import InputError, NotFoundError
from groundwire.evidence import Ledger, Record, report
from groundwire.evidence.bundle import (
    KEY_FILE,
    BundleCheck,
    check_bundle,
    export_bundle,
    is_bundle,
)
from groundwire.evidence.page.rendering import Sheet
from groundwire.evidence.verification import read_kept
from groundwire.state import StatePlace

MOST_PATH = 1_000
_MOST_DRAFT = 1_000_000


def _place() -> StatePlace:
    from groundwire.servers.composition import evidence_place

    return evidence_place(load_settings())


def _ledger() -> Ledger:
    return Ledger(_place())


def show(arguments: argparse.Namespace) -> int:
    """Print one record."""
    with _ledger() as ledger:
        handle, _, seal = arguments.evidence_id.partition(":")
        _print(report.show(ledger, handle, arguments.seal or seal or None))
    return 0


def open_page(arguments: argparse.Namespace) -> int:
    """Write records as one page, with the claims of a draft where one is given, and show it.

    Raises:
        NotFoundError: the ledger lacks a record.
        InputError: the draft cannot be read, or the page cannot be written.
    """
    from groundwire.apps import write_page
    from groundwire.evidence.page.rendering import MARK, chain_line, evidence_page, shown_record
    from groundwire.servers.composition import charts

    with _ledger() as ledger:
        records = [ledger.inspect(one) for one in dict.fromkeys(arguments.evidence_ids)]
        shown = tuple(shown_record(one, ledger.payload(one), charts=charts(one)) for one in records)
        with bar("verifying") as told:
            chain = ledger.verify(progress=told)
    sheet = Sheet(_heading(records), chain_line(chain), chain.ok, "", "", (), shown)
    if arguments.draft is not None:
        sheet = _checked(sheet, _draft(arguments.draft), records)
    path = Path(arguments.output) if arguments.output else _temporary(records[0])
    write_page(path, evidence_page(sheet), MARK)
    _print([sheet.chain, f"written: {path.absolute()}"])
    if not arguments.output and sys.stdout.isatty():
        webbrowser.open(path.absolute().as_uri())
    return 0 if chain.ok else 1


def _heading(records: Sequence[Record]) -> str:
    first = records[0].evidence_id
    return f"Evidence {first}" + f" and {len(records) - 1} more" * (len(records) > 1)


def _draft(name: str) -> str:
    """The text of a draft.

    Raises:
        InputError: the file cannot be read, or it is too long.
    """
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name} cannot be read as text ({error}).") from error
    if not text.strip() or len(text) > _MOST_DRAFT:
        raise InputError(f"{name} is empty or longer than {_MOST_DRAFT:,} characters.")
    return text.strip()


def _checked(sheet: Sheet, draft: str, records: Sequence[Record]) -> Sheet:
    """The page with the claims of a draft, as `verify_answer` tells them."""
    from groundwire.evidence.claims.check import check
    from groundwire.evidence.page.rendering import shown_claim
    from groundwire.serving.claim_advice import advice_on

    again = partial(check, records=records)
    found = again(draft)
    advice = advice_on(draft, found, again)
    claims = tuple(shown_claim(one.claim, one.detail) for one in advice.claims)
    return replace(sheet, draft=draft, verdict=found.verdict, claims=claims)


def _temporary(record: Record) -> Path:
    """A file for a page in a folder that only this user can read."""
    return Path(tempfile.mkdtemp(prefix="groundwire-")) / f"{record.evidence_id}.html"


def verify(arguments: argparse.Namespace) -> int:
    """Check the chain; 1 if it is not as it was written.

    Raises:
        NotFoundError: the ledger is missing, so that nothing can be said of it.
    """
    if bundles := [Path(one) for one in arguments.kept if is_bundle(Path(one[:MOST_PATH]))]:
        return _verify_bundles(bundles, arguments)
    kept, place = _kept(arguments.kept), _place()
    if isinstance(place, Path) and not place.exists():
        raise NotFoundError(
            f"There is no ledger {place}: no answer was recorded there, it was removed, or "
            "GROUNDWIRE_HOME names another folder than that of the servers."
        )
    with _ledger() as ledger, bar("verifying") as told:
        ok, lines = report.verify(ledger, kept, told)
    _print(lines)
    return 0 if ok else 1


def export(arguments: argparse.Namespace) -> int:
    """Write records into a signed bundle.

    Raises:
        NotFoundError: the ledger lacks a record.
        InputError: the bundle cannot be written.
    """
    target = Path(arguments.output)
    key = load_settings().home / KEY_FILE
    with bar("exporting"):
        found = export_bundle(_place(), target, key, arguments.evidence_ids, arguments.owner)
    _print([*_bundle_lines(target, found), f"written: {target.absolute()}"])
    return 0 if found.ok else 1


def _verify_bundles(bundles: Sequence[Path], arguments: argparse.Namespace) -> int:
    """Check bundles; 1 if one is not as it was written.

    Raises:
        InputError: something else than bundles is named beside them.
    """
    if len(bundles) < len(arguments.kept):
        raise InputError("Bundles are verified by themselves: name nothing else beside them.")
    ok = True
    for one in bundles:
        found = check_bundle(one, arguments.key)
        ok = ok and found.ok
        _print(_bundle_lines(one, found))
    return 0 if ok else 1


def _bundle_lines(path: Path, found: BundleCheck) -> Iterable[str]:
    if not found.ok:
        yield f"{path.name}: not as it was written: {found.reason}"
        return
    records = "1 record" if found.records == 1 else f"{found.records:,} records"
    gaps = f"; {found.gaps:,} gaps between them" if found.gaps else ""
    yield (
        f"{path.name}: {records} (places {found.first:,} to {found.last:,}{gaps}) and "
        f"{found.responses:,} responses, as they were written"
    )
    yield f"signed by the key with the fingerprint {found.fingerprint}"


def _kept(given: Sequence[str]) -> str | None:
    """The heads and seals that were given, those in files too; None without any.

    Raises:
        InputError: a file is missing, cannot be read, or holds neither.
    """
    texts: list[str] = []
    for one in given:
        path = Path(one)
        is_file = len(one) <= MOST_PATH and path.is_file()
        try:
            texts.append(path.read_text("utf-8", errors="replace") if is_file else one)
            read_kept(texts[-1])
        except OSError as error:
            raise InputError(f"{one} cannot be read ({error.strerror}).") from error
        except InputError as error:
            if is_file:
                raise InputError(f"{one} is no bundle, and holds no head and no seal.") from error
            if "." in one or os.sep in one:
                raise InputError(f"There is no file {one[:MOST_PATH]}.") from error
            raise
    return "\n".join(texts) if texts else None


def head(arguments: argparse.Namespace) -> int:
    """Print the number of records and the hash of the last one."""
    with _ledger() as ledger:
        _print(report.head(ledger))
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
