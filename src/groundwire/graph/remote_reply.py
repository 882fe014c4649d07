"""How whole a server's answer is: what it says of that, and what it leaves out.

Virtuoso's headers are not sent in every case. If its time ends while it writes an answer, it may
send the rows written so far without a word, or break off with HTTP 500 and an error at the end of
the text (measured with 7.20.3229: 18 and 8 of 89 answers that were stopped). So an answer of it
proves to be whole only if it comes before the limit that was sent along, or says that a row limit
ended it.
"""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.graph.dialects import ran_out_of_time, row_limit
from groundwire.transport.messages import Response

# Stands after what was written so far, and before the whole query.
_BROKEN_OFF = b"Virtuoso S1TAT Error"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one query.

    Attributes:
        response: what came.
        limit: seconds after which the server was asked to stop, where an answer that took longer
            is not whole unless it says so; None elsewhere.
    """

    response: Response
    limit: float | None = None

    @property
    def broken_off(self) -> bool:
        """Whether the time ended while the answer was written, so that nothing of it is usable."""
        return self.response.status >= 500 and _BROKEN_OFF in self.response.body

    @property
    def out_of_time(self) -> bool:
        """Whether the server stopped early, as far as it can be known."""
        if ran_out_of_time(self.response) or self.broken_off:
            return True
        late = self.limit is not None and self.response.elapsed_ms >= self.limit * 1000
        return late and self.row_limit is None

    @property
    def row_limit(self) -> int | None:
        """The server's own row limit, where it says that it has applied one."""
        return row_limit(self.response)

    def is_partial(self, rows: int) -> bool:
        """Whether it is said, or shows, that `rows` rows are not all."""
        most = self.row_limit
        return self.out_of_time or (most is not None and rows >= most)
