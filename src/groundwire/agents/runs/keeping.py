"""Storage of the runs of a process: in the file that outlives it, else in memory."""

from __future__ import annotations

import logging

from groundwire.agents.runs.live import Live
from groundwire.agents.runs.records import RunView, ended_early
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.output import AgentOutput
from groundwire.errors import GroundwireError

MOST_UNSAVED = 100
"""Results that are held in memory because the file could not be written."""
_log = logging.getLogger(__name__)


class Keeping:
    """A store of runs that may be away for a while; its methods may be called from any thread.

    Args:
        store: the file.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._unsaved: dict[str, RunView] = {}

    def view(self, owner: str, run_id: str) -> RunView:
        """A run that is not of this process, or has ended.

        Raises:
            NotFoundError: this owner has not started such a run.
            UnavailableError: the file cannot be read.
        """
        unsaved = self._unsaved.get(run_id)
        if unsaved is not None and unsaved.asked.owner == owner:
            return unsaved
        return self._store.get(owner, run_id)

    def outputs(self, owner: str) -> list[tuple[str, AgentOutput]]:
        """Agent and output of every run of an owner that has ended.

        Raises:
            UnavailableError: the file cannot be read.
        """
        unsaved = [
            (one.asked.agent, one.output)
            for one in self._unsaved.values()
            if one.asked.owner == owner and one.output is not None
        ]
        return [*self._store.ended(owner), *unsaved]

    def going_on(self, live: Live) -> bool:
        """Keep a run that goes on; if its process ends, this is what is told of it.

        Returns:
            Whether another process wants it to end.
        """
        output = ended_early(live.asked, "InterruptedError", live.progress, live.milliseconds)
        try:
            return self._store.keep(live.asked, "running", output)
        except GroundwireError as error:
            _log.warning("run %s is known to this process alone: %s", live.asked.run_id, error)
            return False

    def is_to_stop(self, live: Live) -> bool:
        """Whether another process wants a run of this one to end."""
        try:
            return self._store.is_to_stop(live.asked.run_id)
        except GroundwireError:
            # Nothing is known; the next sign of life tells of it.
            return False

    def stop(self, owner: str, run_id: str) -> None:
        """Have a run end that another process works on.

        Raises:
            UnavailableError: the file cannot be written.
        """
        self._store.stop(owner, run_id)

    def ended(self, view: RunView) -> None:
        """Keep how a run ended."""
        assert view.output is not None
        try:
            self._store.keep(view.asked, view.status, view.output)
        except GroundwireError as error:
            _log.warning("run %s is kept in memory alone: %s", view.asked.run_id, error)
            self._unsaved[view.asked.run_id] = view
            for run_id in list(self._unsaved)[:-MOST_UNSAVED]:
                del self._unsaved[run_id]

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._store.close()
