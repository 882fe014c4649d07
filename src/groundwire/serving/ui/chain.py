"""The page that checks the whole chain of evidence, from its first record to its last.

A check reads every record, so one is at work at a time and answers everybody who asks meanwhile; a
long one goes on when its page was answered, and the page says how far it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from groundwire.apps import asset, template
from groundwire.errors import UnavailableError
from groundwire.evidence import Ledger
from groundwire.evidence.page.rendering import style
from groundwire.evidence.report import head, verify
from groundwire.serving.sections import Shown

WAITED_S = 10.0
"""Seconds that a page waits for a check to end."""
GOOD_S = 10.0
"""Seconds for which the outcome of a check is shown again."""


@dataclass(slots=True)
class _Check:
    """A check that is at work or has ended."""

    ended: threading.Event
    began: float
    finished: float = 0.0
    done: int = 0
    total: int = 0
    holds: bool = False
    lines: tuple[str, ...] = ()
    head: str = ""
    failure: str = ""


class ChainPage:
    """Checks the chain of a ledger for whoever looks; its methods may be called from any thread."""

    def __init__(
        self, ledger: Ledger, clock: Callable[[], float] = time.time, waited: float = WAITED_S
    ) -> None:
        """Take the ledger, a clock of seconds since 1970, and how long a page waits."""
        self._ledger = ledger
        self._clock = clock
        self._waited = waited
        self._lock = threading.Lock()
        self._check: _Check | None = None

    def shown(self) -> Shown:
        """Return the page of the newest check, which is begun where none is new.

        Raises:
            UnavailableError: the ledger cannot be read.
        """
        with self._lock:
            check = self._check
            if check is None or (check.ended.is_set() and self._clock() - check.finished > GOOD_S):
                check = self._check = _Check(threading.Event(), self._clock())
                threading.Thread(target=self._work, args=(check,), daemon=True).start()
        is_done = check.ended.wait(self._waited)
        if check.failure:
            raise UnavailableError(check.failure)
        body = template(__package__ or "", "chain.html.jinja").render(check=check, is_done=is_done)
        css = style() + asset(__package__ or "", "list.css")
        return Shown("Chain of evidence", f"<main>{body}</main>", css)

    def _work(self, check: _Check) -> None:
        def progress(done: int, total: int) -> None:
            check.done, check.total = done, total

        try:
            # Read before, so that it is of a record that the check comes to.
            (check.head,) = head(self._ledger)
            check.holds, lines = verify(self._ledger, progress=progress)
            check.lines = tuple(lines)
        except UnavailableError as error:
            check.failure = str(error)
        finally:
            check.finished = self._clock()
            if not check.lines and not check.failure:
                check.failure = "The check of the chain ended before its end: try again."
            check.ended.set()
