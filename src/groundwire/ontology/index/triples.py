"""Shape and ontology files read into one graph, with the line of every property shape.

The reader keeps list cells apart from other triples: in real files two of three triples are
list cells, and they are all that a fast load has to be careful about.

Long lists of a Turtle file, taken out before the parser sees it. Generated shapes repeat whole code
lists (media types, licences) at every property that takes one: two of three triples of such files
are cells of a few lists. Reading each list once, as the plain strings that it holds, makes a load
twice as fast. In the text that is left, an IRI stands where each list stood, and every line keeps
its number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from groundwire.graph.formats import base_iri, check_xml, rdf_format, reason
from groundwire.ontology.index.files import ShapeFile
from groundwire.ontology.index.model import Problem
from groundwire.ontology.index.namespaces import FIRST, KEPT, PATH, REST, SH, SHARED_LIST, WATCHED

if TYPE_CHECKING:
    from pyoxigraph import BlankNode, Literal, NamedNode, QuadParser

    Node = NamedNode | BlankNode | Literal
    _Triples = dict[str, list[tuple[str, Any]]]


_LONG = re.compile(rb"\(([^()\[\]\\#]{800,})\)")

# What no subject at the start of a line begins with, and what may stand around a name.
_NO_SUBJECT = b" \t\r#@];.,)(\"'"
_BORDER = b' \t\r\n;[]()<"'

# So many shapes with the same keyword that is not understood are named one by one.
_MOST_ALIKE = 5


# What is done with a triple, by its predicate.
_SKIP, _KEEP, _WATCH, _BOTH, _ITEM, _NEXT = range(6)
_USES = (
    dict.fromkeys(KEPT, _KEEP)
    | {p: _BOTH if p in KEPT or p.startswith(SH) else _WATCH for p in WATCHED}
    | {FIRST: _ITEM, REST: _NEXT}
)
# The same with the predicate itself: every triple then holds the one string.
_KNOWN = {predicate: (use, predicate) for predicate, use in _USES.items()}


class Graph:
    """The triples of all files, by subject.

    Attributes:
        triples: predicate and object pairs by subject (IRI, or label of a blank node), for the
            predicates of SHACL and those that name, describe or type things.
        watched: subject, predicate and object for predicates that are looked for everywhere.
        first: list cells' items; `rest`: list cells' successors.
        lists: the items of lists that have no cells, by the list's IRI.
        origin: file name of each subject's first triple that is not a list cell.
        lines: line of the `sh:path` statement of each property shape.
        prefixes: how many files bind a prefix to a namespace, by (prefix, namespace).
    """

    def __init__(self) -> None:
        self.triples: dict[str, list[tuple[str, Node]]] = {}
        self.watched: list[tuple[str, str, Node]] = []
        self.first: dict[str, Node] = {}
        self.rest: dict[str, str] = {}
        self.lists: dict[str, list[Node]] = {}
        self.origin: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.prefixes: dict[tuple[str, str], int] = {}
        # In the order of their coming, each once.
        self.problems: dict[Problem, None] = {}
        self._ignored: dict[tuple[str, str, str], dict[Problem, None]] = {}
        self.texts: dict[str, bytes] = {}

    def objects(self, subject: str, predicate: str) -> list[Node]:
        """Objects of one subject and predicate, in the order of the files."""
        return [o for p, o in self.triples.get(subject, ()) if p == predicate]

    def values(self, subject: str, predicate: str) -> list[str]:
        """Their IRIs, labels or lexical forms."""
        return [o.value for p, o in self.triples.get(subject, ()) if p == predicate]

    def items(self, head: str) -> list[Node]:
        """The items of a list; what a broken or circular list still gives."""
        if head in self.lists:
            return self.lists[head]
        found: list[Node] = []
        first, rest = self.first, self.rest
        try:
            for _ in range(len(first) + 1):
                found.append(first[head])
                head = rest[head]
        except KeyError:
            return found
        self.warn(head, "a list has no end: its items were read once")
        return list(dict.fromkeys(found))

    def warn(self, subject: str, message: str, needle: str = "") -> None:
        """Note a problem of a subject, with its file and, where it can be found, its line."""
        file = self.origin.get(subject, "")
        line = self.lines.get(subject)
        if needle and file:
            position = self.texts.get(file, b"").find(needle.encode())
            if position >= 0:
                line = self.texts[file].count(b"\n", 0, position) + 1
        self.problems.setdefault(Problem(file, line, message))

    def ignore(self, subject: str, keyword: str, name: str, consequence: str) -> None:
        """Note a keyword of a shape that is not understood; what many shapes have is told once.

        Args:
            subject: the shape.
            keyword: such as `sh:rule`.
            name: what the shape is called.
            consequence: what follows from it.
        """
        file = self.origin.get(subject, "")
        place = Problem(file, self.lines.get(subject), name)
        self._ignored.setdefault((file, keyword, consequence), {}).setdefault(place)

    def told(self) -> tuple[Problem, ...]:
        """Every problem of the files, those that many shapes share as one."""
        for (file, keyword, consequence), places in self._ignored.items():
            said = f"is not understood: {consequence}"
            if len(places) <= _MOST_ALIKE:
                for _, line, name in places:
                    self.problems.setdefault(Problem(file, line, f"{keyword} of {name} {said}"))
                continue
            first = min(places, key=lambda place: place.line or 0)
            shapes = f"{first.message} and {len(places) - 1:,} other shapes"
            self.problems.setdefault(Problem(file, first.line, f"{keyword} of {shapes} {said}"))
        self._ignored.clear()
        return tuple(self.problems)


def read_graph(files: Sequence[ShapeFile], progress: Callable[[str], None] | None = None) -> Graph:
    """All files in one graph; a broken file is named in `problems` and left out."""
    graph = Graph()
    for file in files:
        if progress:
            progress(file.name)
        try:
            _read_apart(file, graph)
        except SyntaxError:
            _read_again(file, graph)
        except (ValueError, OSError, RecursionError) as error:
            graph.problems.setdefault(Problem(file.name, None, f"left out: {reason(error)}"))
    return graph


def _read_apart(file: ShapeFile, graph: Graph) -> None:
    """Read a file, and long lists beside the parser."""
    from pyoxigraph import Literal

    data, lists = share_lists(file.data) if file.path.suffix == ".ttl" else (file.data, {})
    _read(file, graph, data)
    for iri, strings in lists.items():
        graph.lists[iri] = [Literal(string) for string in strings]


def _read_again(file: ShapeFile, graph: Graph) -> None:
    """Read a file with malformed literals or IRIs in it; leave one out that is not RDF."""
    try:
        _read(file, graph, file.data)
        return
    except SyntaxError as error:
        why, line = reason(error), error.lineno
    try:
        _read(file, graph, file.data, lenient=True)
    except (SyntaxError, ValueError):
        graph.problems.setdefault(Problem(file.name, line, f"left out: {why}"))
    else:
        graph.problems.setdefault(Problem(file.name, line, f"malformed, read all the same: {why}"))


class _Content:
    """The triples of one file, as in `Graph`."""

    def __init__(self, parser: QuadParser) -> None:
        """Read all of them; `SyntaxError` where the file is broken."""
        self.triples: _Triples = {}
        self.watched: list[tuple[str, str, Any]] = []
        self.first: dict[str, Any] = {}
        self.rest: dict[str, str] = {}
        triples, watched, first, rest = self.triples, self.watched, self.first, self.rest
        uses = dict(_KNOWN)
        last: str | None = None
        pairs: list[tuple[str, Any]] = []
        # A triple's parts are made when they are asked for: one that is skipped costs one part.
        for triple in parser:
            predicate = triple.predicate.value
            known = uses.get(predicate)
            if known is None:
                use = _KEEP if predicate.startswith(SH) else _SKIP
                uses[predicate] = (use, predicate)
            else:
                use, predicate = known
            if use == _SKIP:
                continue
            subject = triple.subject.value
            if use == _NEXT:
                rest[subject] = triple.object.value
                continue
            value = triple.object
            if use == _ITEM:
                first[subject] = value
                continue
            if use != _KEEP:
                watched.append((subject, predicate, value))
            if use != _WATCH:
                # Most triples follow others of their subject.
                if subject != last:
                    last = subject
                    pairs = triples.setdefault(subject, [])
                pairs.append((predicate, value))
        self.prefixes = parser.prefixes
        self.base = parser.base_iri or ""


def _read(file: ShapeFile, graph: Graph, data: bytes, *, lenient: bool = False) -> None:
    from pyoxigraph import RdfFormat, parse

    # Labels of blank nodes are per file; those without a label are random already.
    if rdf_format(file.path) == RdfFormat.RDF_XML:
        check_xml([data])
    labelled = file.path.suffix != ".ttl" or b"_:" in file.data
    content = _Content(
        parse(
            data,
            rdf_format(file.path),
            base_iri=base_iri(file.path),
            rename_blank_nodes=labelled,
            lenient=lenient,
        )
    )
    graph.first |= content.first
    graph.rest |= content.rest
    graph.watched += content.watched
    merged, origin, name = graph.triples, graph.origin, file.name
    both = {subject: merged[subject] for subject in merged.keys() & content.triples.keys()}
    earlier: dict[str, str] = {}
    for subject, known in both.items():
        pairs = content.triples[subject]
        known.extend(pairs)
        if not any(predicate.startswith(SH) for predicate, _ in pairs):
            earlier[subject] = origin[subject]
    # Most subjects stand in one file, so dictionaries are joined whole and mended after.
    merged |= content.triples
    merged |= both
    origin |= dict.fromkeys(content.triples, name)
    origin |= earlier
    for item in content.prefixes.items():
        graph.prefixes[item] = graph.prefixes.get(item, 0) + 1
    if b"shacl#" in file.data:
        graph.texts[name] = file.data
        if file.path.suffix == ".ttl":
            _locate(file, content, graph)


def _locate(file: ShapeFile, content: _Content, graph: Graph) -> None:
    """Lines of shapes: property shapes by their order in the text, named ones by their name."""
    prefixes = content.prefixes
    shapes = [subject for subject, predicate, _ in content.watched if predicate == PATH]
    names = [f"{prefix}:path" for prefix, iri in prefixes.items() if iri == SH] + [f"<{PATH}>"]
    lines = _lines_of(file.data, [name.encode() for name in names])
    # The parser gives triples in the order of the text, so the two lists run in parallel.
    if len(lines) == len(shapes):
        graph.lines.update(zip(shapes, lines, strict=True))
    for number, line in enumerate(file.data.split(b"\n"), 1):
        if line[:1].strip(_NO_SUBJECT):
            name = line.split(None, 1)[0].decode("utf-8", "replace").strip("<>")
            prefix, _, local = name.partition(":")
            iri = prefixes[prefix] + local if prefix in prefixes else name
            iri = iri if ":" in iri else urljoin(content.base, iri)
            if any(p.startswith(SH) for p, _ in content.triples.get(iri, ())):
                graph.lines.setdefault(iri, number)


def _lines_of(data: bytes, names: list[bytes]) -> list[int]:
    """Numbers of the lines that hold one of the names as a whole word, comments left out."""
    places: list[int] = []
    for name in names:
        place = data.find(name)
        while place >= 0:
            start = data.rfind(b"\n", 0, place) + 1
            before, after = data[place - 1 : place], data[place + len(name) : place + len(name) + 1]
            whole = not (before + after).strip(_BORDER)
            if whole and not data[start:place].lstrip().startswith(b"#"):
                places.append(place)
            place = data.find(name, place + 1)
    lines: list[int] = []
    line, last = 1, 0
    for place in sorted(places):
        line += data.count(b"\n", last, place)
        last = place
        lines.append(line)
    return lines


def share_lists(data: bytes) -> tuple[bytes, dict[str, list[str]]]:
    """The Turtle without its long `sh:in` lists of strings, and their items by the lists' IRIs."""
    parts: list[bytes] = []
    lists: dict[str, list[str]] = {}
    iris: dict[bytes, str] = {}
    last = quotes = counted = 0
    for match in _LONG.finditer(data):
        start, body = match.start(), match[1]
        if not _follows_in(data, start):
            continue
        # What stands in a string of several lines is text, whatever it looks like.
        quotes += data.count(b'"""', counted, start) + data.count(b"'''", counted, start)
        counted = start
        if quotes % 2:
            continue
        if body not in iris:
            strings = _strings(body)
            iris[body] = SHARED_LIST + hashlib.sha256(body).hexdigest() if strings else ""
            lists |= {iris[body]: strings} if strings else {}
        iri = iris[body]
        if iri:
            # The lines stay where they are, so that messages name the right one.
            parts += [data[last:start], b"<%s> " % iri.encode(), b"\n" * body.count(b"\n")]
            last = match.end()
    parts.append(data[last:])
    return b"".join(parts), lists


def _follows_in(data: bytes, start: int) -> bool:
    return data[max(0, start - 20) : start].rstrip().endswith(b":in")


def _strings(body: bytes) -> list[str] | None:
    """The quoted strings of a list; None if it holds anything else, or strings of many lines."""
    pieces = body.split(b'"')
    inside = b"".join(pieces[1::2])
    if len(pieces) % 2 == 0 or b"".join(pieces[0::2]).strip() or b'""' in body:
        return None
    if b"\n" in inside or b"\r" in inside:
        return None
    try:
        return [piece.decode() for piece in pieces[1::2]]
    except UnicodeDecodeError:
        return None
