"""Which lines and modes are meant by the words that were sent.

Names, ids and everyday names are applied. Near matches are corrected word by word, as modes and
options are everywhere, and told; what may be several lines is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.journeys.lines.names import (
    LINE_BY_ID,
    LINES,
    Line,
    bus_route,
    line_vocabulary,
    lines_of,
    mode_vocabulary,
)
from groundwire.journeys.wording import listed
from groundwire.vocabulary import How, Policy, Resolution, Vocabulary

_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class LineWord:
    """How one word was read.

    Attributes:
        raw: what was sent.
        how: how it was resolved.
        used: the name that was used in its place.
        lines: the lines it stands for.
        mode: the id of a mode all of whose lines are meant, where they are not listed, else empty.
    """

    raw: str
    how: How
    used: str
    lines: tuple[Line, ...] = ()
    mode: str = ""


@dataclass(frozen=True, slots=True)
class LineChoice:
    """The lines and modes that were asked for, and how each word was read."""

    words: tuple[LineWord, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that were named, each once, in the order they were named."""
        return tuple(dict.fromkeys(line for word in self.words for line in word.lines))

    @property
    def modes(self) -> tuple[str, ...]:
        """Ids of the modes of which all lines are meant."""
        return tuple(dict.fromkeys(word.mode for word in self.words if word.mode))

    @property
    def corrections(self) -> tuple[LineWord, ...]:
        """The words in whose place others were used."""
        return tuple(word for word in self.words if word.how == "corrected")

    def includes(self, line_id: str, mode: str) -> bool:
        """Whether a line is asked for; every line is when nothing was named."""
        if not self.words:
            return True
        return mode in self.modes or any(line.id == line_id for line in self.lines)


def choose_lines(lines: Iterable[str] = (), modes: Iterable[str] = ()) -> LineChoice:
    """Find the lines and modes that words stand for.

    Args:
        lines: names or ids of lines; the name of a mode stands for all its lines.
        modes: names or ids of modes.

    Raises:
        InputError: a word is unknown, or may be several lines; the message says which there are.
    """
    words = [_read_line(raw) for raw in lines if raw.strip()]
    words += [_read_mode(raw) for raw in modes if raw.strip()]
    return LineChoice(tuple(words))


def _read_line(raw: str) -> LineWord:
    tried: list[Resolution] = []
    for policy in (Policy.CANDIDATES_ONLY, Policy.WORDWISE):
        read = line_vocabulary().resolve(raw, policy)
        if read.term is not None:
            line = LINE_BY_ID[read.term.id]
            return LineWord(raw, read.how, line.full_name, (line,))
        route = bus_route(raw)
        if route is not None:
            line = Line(route, route.upper(), "bus")
            return LineWord(raw, "exact", line.full_name, (line,))
        as_mode = mode_vocabulary().resolve(raw, policy)
        if as_mode.term is not None:
            mode = as_mode.term.id
            members = lines_of(mode)
            return LineWord(raw, as_mode.how, as_mode.term.label, members, "" if members else mode)
        tried = [read, as_mode]
    raise InputError(_refusal("line", raw, tried, tuple(line.name for line in LINES)))


def _read_mode(raw: str) -> LineWord:
    vocabulary: Vocabulary = mode_vocabulary()
    read = vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
    if read.term is None:
        read = vocabulary.resolve(raw, Policy.WORDWISE)
    if read.term is None:
        raise InputError(_refusal("mode", raw, [read], tuple(term.id for term in vocabulary)))
    return LineWord(raw, read.how, read.term.label, mode=read.term.id)


def _refusal(what: str, raw: str, tried: Sequence[Resolution], known: Sequence[str]) -> str:
    """One line: the options of an ambiguous word, the likely ones of an unknown, or all."""
    quoted = " ".join(raw.split())[:_LONGEST_QUOTE]
    near = dict.fromkeys(candidate.term.label for read in tried for candidate in read.candidates)
    if any(read.how == "ambiguous" for read in tried):
        return f"{quoted!r} may be {listed(list(near), last='or')}: say which"
    likely = f" Did you mean {listed(list(near)[:3], last='or')}?" if near else ""
    also = "; a bus by its route number" if what == "line" else ""
    return f"There is no {what} {quoted!r}.{likely} The {what}s are {', '.join(known)}{also}"
