"""Members of recorded sets that a draft names one after the other, and how many it leaves out.

"13 maps match: A, B and 11 more" is right where A and B are two of just thirteen. So is "They
include A and B" behind what tells of the thirteen. What is proven so is judged here and blanked, so
that the rest of its sentence is read by itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.claim import Claim, ClaimKind
from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.recorded_sets import names_shared
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import begins_word, words_of
from groundwire.evidence.records import Condition
from groundwire.quantities import find_quantities

_LONGEST_LEAD = 400
_MOST_NAMES = 40
_SIGNS = " \t\"'“”„«»‘’*_`"
_BRACKETS = re.compile(r"[(（][^()（）\n]{1,60}[)）]$")
_LINE = re.compile(r"[ \t]*(?:[-*+•·]|[0-9]{1,3}[.)、])[ \t]+|[ \t]*[•·]")
_END = r"(?=[\s\"”*_]*(?:[.;。；)）](?:\s|$)|[。；]|$|\n))"
_SENTENCE = re.compile(r"[.!?:][\"”)]?\s+|[。！？：\n]")
_RECORD = re.compile(r"\bev_[a-z0-9]{8,32}\b")
_SMALL = frozenset(("a", "an", "the", "ein", "eine", "einen", "der", "die", "das", "den", "one"))


@cache
def _words() -> Mapping[str, str]:
    """Return the words of each kind as one pattern, of all languages."""
    text = (files("groundwire.evidence.claims") / "enumerations.toml").read_text("utf-8")
    tree = tomllib.loads(text)
    return {
        kind: "|".join(
            rf"\b(?:{'|'.join(tree[one][kind])})" if one != "zh" else "|".join(tree[one][kind])
            for one in ("en", "de", "zh")
        )
        for kind in tree["en"]
    }


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """Return how a draft tells of the rest, leads in an enumeration, or joins its members."""
    words = _words()
    of_kind = {
        "rest": rf"[,，、]? ?(?:{words['more_rest']}){_END}|[,，、]? ?(?:{words['and']}) ?"
        rf"(?P<number>[^\W\d_]{{1,20}}|\d{{1,5}}) ?(?:{words['more']}){_END}",
        "lead": rf"(?:[:：]|[,，]? ?(?:{words['includes']})(?: [:：])?)$",
        "whole": rf"(?:{words['they_include']})\s?[:：]?\s?",
        "joint": rf"(?:[,，、]?\s*(?<![a-z])(?:{words['and']})|[,，、])\s*$",
    }
    return re.compile(of_kind[kind], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Set:
    """A recorded set: its size, the names of each listed member, and what tells of it."""

    evidence_id: str
    size: int
    members: Sequence[Sequence[str]]
    told_by: Sequence[Sequence[str]]

    def is_told(self, text: str) -> bool:
        """Whether a text says what is in the set, each condition by one of its names."""
        return all(any(begins_word(n, text, len(text)) for n in own) for own in self.told_by)

    def named_at_end(self, text: str) -> tuple[int, int] | None:
        """Return the member that a text ends with, and where its name begins; None for none."""
        small = text.lower()
        found = [
            (-len(name), at)
            for at, names in enumerate(self.members)
            for name in names
            if small.endswith(name) and not small[: -len(name)][-1:].encode().isalnum()
        ]
        if found:
            size, at = min(found)
            return at, len(text) + size
        return None

    def called(self, words: Sequence[str]) -> int | None:
        """Return the only member that has some words in its first name, or None."""
        own = frozenset(words) - _SMALL
        fits = [at for at, names in enumerate(self.members) if own <= {*words_of(names[0])}]
        return fits[0] if len(fits) == 1 and len(own) > 1 else None


def _sets(known: Knowledge) -> Sequence[_Set]:
    """Return the sets of which members are listed, and the objects of each whole relation."""
    shared = known.once(names_shared)
    found: list[_Set] = []
    for number in (*known.by_kind.get("scope", ()), *known.by_kind.get("relation", ())):
        stated = known.statements[number]
        one, fact = stated.statement, stated.fact
        members = [[name.lower() for name in names if "://" not in name] for names in one.objects]
        if not members or not all(members):
            continue
        if one.kind == "relation":
            if one.complete == "all_listed" and len(members) > 1:
                names = [[name.lower() for name in one.subject]]
                found.append(_Set(stated.evidence_id, len(members), members, names))
        elif fact is not None and fact.value.unit == ASSETS and fact.number is not None:
            of = [c for c in one.conditions if "domain" not in c.predicate]
            told = [shared.get(_id(c), []) for c in of] + [[n.lower() for n in one.subject]]
            found.append(_Set(stated.evidence_id, int(fact.number), members, told))
    return found


def _id(one: Condition) -> tuple[str, str]:
    plain = one.operator in ("is", "all_of", "contains") and len(one.objects) == 1
    return (one.predicate[0], one.objects[0][0]) if plain and one.objects[0] else ("", "")


def judge_enumerations(text: str, known: Knowledge) -> tuple[str, list[Claim]]:
    """Return a draft without the members that it enumerates, and the claims that it makes by them.

    Every sign keeps its place. An evidence id that a record has is one of these claims.
    """
    reader = _Enumerations(text, known)
    for match in _RECORD.finditer(text):
        if any(one.evidence_id == match[0] for one in known.records):
            reader.take(match, "statement", match[0], "the id of a record")
    if known.once(_sets):
        for match in _pattern("rest").finditer(text):
            reader.judge_rest(match)
        for start, end in reader.sentences():
            lead = _pattern("whole").match(text, start, end)
            if lead is not None:
                reader.judge_named(lead.end(), (start, end))
    return reader.blanked(), reader.claims


class _Enumerations:
    """Reads the enumerations of one draft."""

    def __init__(self, text: str, known: Knowledge) -> None:
        self._text, self._known = text, known
        self._gone: list[Span] = []
        self.claims: list[Claim] = []

    def claim(
        self, span: Span, kind: ClaimKind, evidence_id: str, detail: str, *, is_so: bool = True
    ) -> None:
        """Judge what stands at a place."""
        said, status = self._text[slice(*span)], "supported" if is_so else "contradicted"
        self.claims.append(Claim(said, kind, status, evidence_id or None, detail, *span))

    def take(self, match: re.Match[str], kind: ClaimKind, evidence_id: str, detail: str) -> None:
        """Support what stands at a place, and blank it."""
        self.claim(match.span(), kind, evidence_id, detail)
        self._gone.append(match.span())

    def blanked(self) -> str:
        """Return the draft with spaces in place of what was judged."""
        text = self._text
        for start, end in self._gone:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def sentences(self) -> Iterator[Span]:
        """Yield where each sentence of the draft stands, without its end."""
        start = 0
        for match in _SENTENCE.finditer(self._text):
            if match[0][0] not in ":：":
                yield start, match.start()
                start = match.end()
        yield start, len(self._text.rstrip(" .。"))

    def judge_rest(self, match: re.Match[str]) -> None:
        """Judge how many members a draft leaves out behind those that it names."""
        line = self._text.rfind("\n", 0, match.start()) + 1
        marker = _LINE.match(self._text, line)
        is_item = marker is not None and marker.end() >= match.start()
        is_item |= not self._text[line : match.start()].strip(_SIGNS)
        for one in self._known.once(_sets):
            read = self._items(line, one) if is_item else self._inline(match.start(), line, one)
            if read is None or not read[1]:
                continue
            begin, named = read
            size = self._told_size(begin, one)
            if size is None:
                continue
            count = len({at for at, _ in named})
            rest = size - count
            span = match.span("number") if match["number"] else match.span()
            said = find_quantities(self._text[match.start("number") : match.end()])
            if match["number"] and not (said and not said[0].span[0]):
                return
            is_so = said[0].value == rest if match["number"] else rest > 0
            detail = f"{count} of {size} are named, {rest} are not"
            kind: ClaimKind = "number" if match["number"] else "statement"
            self.claim(span, kind, one.evidence_id, detail, is_so=is_so)
            if is_item:
                self._gone.append((line, match.end()))
                return
            for _, name in named:
                self.claim(name, "name", one.evidence_id, f"one of the {size}")
            self._gone.append((begin, match.end()))
            return

    def judge_named(self, start: int, sentence: Span) -> None:
        """Judge whether all members that a sentence names are of the set told right before it."""
        before = self._text[: sentence[0]].rstrip()
        lead = max(before.rfind("\n") + 1, 0)
        for one in self._known.once(_sets):
            read = self._inline(sentence[1], start, one)
            if read is None or read[0] != start or self._told_size(sentence[0], one, lead) is None:
                continue
            for _, name in read[1]:
                self.claim(name, "name", one.evidence_id, f"one of the {one.size}")
            self._gone.append(sentence)
            return

    def _told_size(self, end: int, one: _Set, start: int = 0) -> int | None:
        """Return the size of a set where a draft tells it, and what is in it, up to a place.

        The last number before the members must be this size.
        """
        lead = self._text[max(start, end - _LONGEST_LEAD) : end]
        plain = [q for q in find_quantities(lead) if q.unit is None]
        told = plain[-1].value == one.size if plain else False
        return one.size if told and one.is_told(lead.lower()) else None

    def _inline(self, end: int, start: int, one: _Set) -> tuple[int, list[tuple[int, Span]]] | None:
        """Return where the members begin that are named up to a place, with their names.

        None where something else than members stands behind the words that lead them in.
        """
        named: list[tuple[int, Span]] = []
        while len(named) < _MOST_NAMES:
            told = self._text[start:end].rstrip(_SIGNS)
            lead = _pattern("lead").search(told) if told else None
            if named and (lead is not None or not told):
                return (start + lead.start() if lead else start), named
            if named:
                joint = _pattern("joint").search(told)
                if joint is None:
                    return None
                told = told[: joint.start()].rstrip(_SIGNS)
            told = _BRACKETS.sub("", told).rstrip(_SIGNS)
            found = one.named_at_end(told) or self._by_words(told, one)
            if found is None:
                return None
            at, begin = found
            named.append((at, (start + begin, start + len(told))))
            end = start + begin
        return None

    def _by_words(self, told: str, one: _Set) -> tuple[int, int] | None:
        """Return the member of which a text ends with words of its name, and where these begin."""
        cuts = [m.end() for m in re.finditer(rf"[,，、:：]|\s(?:{_words()['and']})\s", told)]
        leads = re.finditer(rf"(?:{_words()['includes']})\s", told, re.IGNORECASE)
        begin = max([*cuts, *(m.end() for m in leads)], default=0)
        at = one.called([*words_of(told[begin:])])
        return None if at is None else (at, begin + len(told[begin:]) - len(told[begin:].lstrip()))

    def _items(self, line: int, one: _Set) -> tuple[int, list[tuple[int, Span]]] | None:
        """Return where the items of a list begin that stand above a line and name members."""
        named: list[tuple[int, Span]] = []
        while line > 0:
            start = self._text.rfind("\n", 0, line - 1) + 1
            marker = _LINE.match(self._text, start)
            at = marker.end() if marker and marker.end() < line else start
            said = self._text[at : line - 1].lstrip(_SIGNS).lower()
            fits = [
                (-len(name), number)
                for number, names in enumerate(one.members)
                for name in names
                if said.startswith(name)
            ]
            if marker is None or not fits:
                break
            named.append((min(fits)[1], (at, at - min(fits)[0])))
            line = start
        return (line, named) if named else None
