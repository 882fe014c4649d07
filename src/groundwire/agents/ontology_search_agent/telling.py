"""The answer of a search in words, and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.binding import Difference
from groundwire.agents.ontology_search_agent.choosing import NAMING
from groundwire.agents.ontology_search_agent.differences import (
    as_sentences,
    is_own,
    is_said,
    known_slots,
    unread_gaps,
)
from groundwire.agents.ontology_search_agent.language import Rephrased, Sentences
from groundwire.agents.ontology_search_agent.looking import FIRST, OPEN
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT
from groundwire.agents.ontology_search_agent.words import (
    asks_number,
    is_small,
    roles_of,
)
from groundwire.agents.runtime.contract import Turn
from groundwire.safe_text import safe_name
from groundwire.vocabulary import fold

# A number with a unit; without one it may be a version.
_MEASURE = re.compile(r"(?<![\d.])(\d+)\.(\d+)(?= [^\W\d])")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+")
_MOST_ASSETS = 10
_MOST_COUNTS = 20
_MOST_SUGGESTIONS = 5
_KEPT = (
    "total", "total_is_exact", "counts", "aggregate", "applied", "confidence", "next_cursor",
    "evidence_id",
)  # fmt: skip

Data = Mapping[str, Any]


def told(
    data: Data,
    sent: Data,
    asked: Rephrased,
    sentences: Sentences,
    turns: Sequence[Turn] = (),
    differences: Sequence[Difference] = (),
) -> dict[str, JsonValue]:
    """The result of a run.

    Args:
        data: the answer of the search.
        sent: what was submitted; its slots are returned so that a conversation can go on from
            them.
        asked: what was asked, as the rules read it; terms that are only the model's own are not
            repeated.
        sentences: of the language of the question.
        turns: of the conversation so far, which a question may go on from.
        differences: in what the search is not the one that was asked for.
    """
    question = asked.text
    slots = cast("Data", sent.get("slots") if isinstance(sent.get("slots"), Mapping) else {})
    before = (known_slots(turns) or {}).get(OPEN, ())
    gaps, foreign = _gaps(data, " ".join((question, *before)))
    corrections = [
        one
        for one in _entries(data, "corrections")
        if is_said(str(one.get("raw", "")), question) and _differs(one)
    ]
    status = str(data.get("status", ""))
    result: dict[str, Any] = {
        "answer": "",
        "status": status,
        "assets": _entries(data, "results"),
        **{name: data[name] for name in _KEPT if data.get(name) is not None},
        "corrections": corrections,
        "gaps": gaps,
    }
    own = status == "results" or is_own(slots, question)
    if status == "empty" and own and data.get("explanation_of_empty"):
        result["explanation_of_empty"] = data["explanation_of_empty"]
    if not own:
        result.pop("applied", None)
    if own and status != "rejected":
        result["slots"] = dict(slots)
    elif own and (vocabulary := CURRENT.get()):
        # A kind that the catalogue has is what a follow-up is about.
        known = [one for one in slots.get("domains", []) if one in vocabulary.domains]
        result |= {"slots": {"domains": known}} if known else {}
    teller = _Teller(data, sent, asked, sentences)
    if differences or asked.asks_why:
        result["confidence"] = "low"
    unread = () if status == "rejected" else unread_gaps(gaps, question, turns)
    said = teller.opening(status, own=own)
    if unread:
        # Assets found without a part of the question do not answer it: count them, list none.
        teller.only_number = teller.is_partial = True
        said = teller.say("without_it", said=teller.opening(status, own=own))
    if left := unread or (gaps if status == "rejected" else ()):
        # A question that goes on from this search goes on from the words that it leaves out.
        result[OPEN] = [str(one["term"]) for one in left]
    place = asked.place
    if place == 1 and sent.get("sort") and teller.found:
        result[FIRST] = str(teller.found[0].get("label") or "")
    opening = [
        *as_sentences(differences, sentences, question),
        *((teller.say("no_reason"),) if asked.asks_why else ()),
        *teller.left_out(status, unread),
        *teller.placed(place),
        *(teller.compared() if asked.compares else ()),
        said,
    ]
    lines = [" ".join(opening)]
    lines += [
        teller.say("read_as", raw=one["raw"], resolved=one["resolved"]) for one in corrections
    ]
    lines += [teller.gap(one) for one in gaps]
    if foreign and not gaps:
        lines.append(teller.say("foreign"))
    if status == "empty" and own:
        lines += teller.ways_out()
    lines += teller.counts()
    lines += teller.assets()
    if data.get("evidence_id"):
        lines.append(teller.say("evidence", identifier=data["evidence_id"]))
    result["answer"] = "\n".join(lines)
    return result


class _Teller:
    """Says what a search has found."""

    def __init__(self, data: Data, sent: Data, asked: Rephrased, sentences: Sentences) -> None:
        self.data = data
        self.sent = sent
        self.sentences = sentences
        self.say = self.sentences.say
        self.meant = _meant(sent)
        self.question, self.written = asked.text, asked.written
        self.found = _entries(data, "results")
        filters = cast("Data", cast("Data", sent.get("slots") or {}).get("filters") or {})
        of_one = len(filters) > 1 and any(one in filters for one in NAMING)
        self.only_number = not (of_one or _entries(data, "counts")) and asks_number(self.question)
        self.counts_too = asked.counts or "count" in roles_of(self.question)
        self.is_partial = False

    def left_out(self, status: str, gaps: Sequence[Data]) -> Iterator[str]:
        """That a part of the question was not searched, where the rest was."""
        if status == "rejected":
            return
        doubtful = [one for one in gaps if one.get("reason") == "ambiguous"]
        for name, some in (
            ("left_out", [one for one in gaps if one not in doubtful]),
            ("in_doubt", doubtful),
        ):
            if some:
                yield self.say(name, terms=self._quoted(some))

    def placed(self, place: int) -> Iterator[str]:
        """Which asset stands at the place that is asked for."""
        is_sorted = bool(self.sent.get("sort"))
        if is_sorted and 0 < place <= len(self.found) and not self.is_partial:
            one = self.found[place - 1]
            shown = self._values_of(one)
            named = f'"{_named(one)}"{f" ({shown})" if shown else ""}'
            yield self.say("place", place=place, named=named)
            if self._is_shared(place):
                yield self.say("shared_place")

    def _is_shared(self, place: int) -> bool:
        """Whether the asset behind a place has the value that they are sorted by."""
        if place == len(self.found):
            return bool(self.data.get("tied"))
        key = str(self.sent["sort"]).removeprefix("-")
        one, other = (
            cast("Data", row.get("values") or {}).get(key)
            for row in self.found[place - 1 : place + 1]
        )
        return one is not None and one == other

    def compared(self) -> Iterator[str]:
        """Which of two values has more assets."""
        counts = _entries(self.data, "counts")
        if len(counts) == 1:
            # A value that no asset has is not counted.
            filters = cast(
                "Data", cast("Data", self.data.get("applied") or {}).get("filters") or {}
            )
            wanted = [str(one).removeprefix("any of ").split(", ") for one in filters.values()]
            named = {str(counts[0].get("value"))}
            counts += [
                {"value": name, "count": 0}
                for names in wanted
                if named & set(names)
                for name in names
                if name not in named
            ]
        if len(counts) > 2 and isinstance(counts[0].get("count"), int):
            first, second = sorted(counts, key=lambda one: -int(one.get("count") or 0))[:2]
            if first["count"] > second["count"]:
                number = self.sentences.number(first["count"])
                yield self.say(
                    "has_most", one=self._counted_value(first.get("value")), first=number
                )
        if len(counts) == 2 and all(isinstance(one.get("count"), int) for one in counts):
            first, second = sorted(counts, key=lambda one: -int(one["count"]))
            name = "more_than" if first["count"] > second["count"] else "as_many"
            yield self.say(
                name,
                one=self._counted_value(first.get("value")),
                other=self._counted_value(second.get("value")),
                first=self.sentences.number(first["count"]),
                second=self.sentences.number(second["count"]),
            )

    def _quoted(self, gaps: Sequence[Data]) -> str:
        terms = dict.fromkeys(self.written.get(one := str(gap["term"]), one) for gap in gaps)
        return ", ".join(self.say("quoted", term=safe_name(term)) for term in terms)

    def _nothing(self) -> str:
        """That nothing was searched; where only a kind of asset was understood, that too."""
        slots = cast("Data", self.sent.get("slots") or {})
        gaps, _ = _gaps(self.data, self.question)
        if gaps and list(slots) == ["domains"]:
            kinds = self.sentences.kinds(slots)
            return self.say("only_kind", kinds=kinds, terms=self._quoted(gaps))
        return self.say("rejected")

    def opening(self, status: str, *, own: bool) -> str:
        if status == "rejected":
            return self._nothing()
        if not own:
            return self.say("no_match")
        said = self.data.get("answer")
        total = self.data.get("total")
        counted = status == "results" and isinstance(total, int) and total > 0
        summed = isinstance(self.data.get("aggregate"), Mapping)
        if self.sentences.language == "en" and not (counted or summed):
            return said if isinstance(said, str) else self.say("searched")
        applied = cast("Data", self.data.get("applied") or {})
        kinds, asked = self.sentences.kinds(applied), self.sentences.asked(applied)
        if status == "empty":
            return self.say("no_match_of", asked=f"{kinds}{asked}")
        if isinstance(summary := self.data.get("aggregate"), Mapping):
            return self._summarised(cast("Data", summary), kinds, asked)
        if _entries(self.data, "counts"):
            return self.say("grouped", kinds=kinds, key=self._count_key(), asked=asked)
        if not isinstance(total, int) or not self.found:
            return self.say("searched")
        return self._numbered(total, kinds, asked)

    def _count_key(self) -> str:
        """The label of the property that assets are counted by."""
        return self._property(str(self._applied().get("count_by") or ""))

    def _property(self, key: str) -> str:
        return self.sentences.labels.property(key, self._kinds())

    def _kinds(self) -> list[str]:
        return [str(one) for one in self._applied().get("domains") or ()]

    def _applied(self) -> Data:
        return cast("Data", self.data.get("applied") or {})

    def _counted_value(self, value: object) -> str:
        """A value that assets are counted by, with its label."""
        key = str(self._applied().get("count_by") or "")
        return safe_name(self.sentences.labels.value(str(value), key, self._kinds()))

    def _values_of(self, asset: Data) -> str:
        """The values that a search gives of an asset, with labels."""
        kinds = [str(asset["domain"])] if asset.get("domain") else []
        labels = self.sentences.labels
        values = cast("Mapping[str, Any]", asset.get("values") or {})
        parts: list[str] = []
        for key, value in values.items():
            held = cast("list[Any]", value) if isinstance(value, list) else [value]
            listed = ", ".join(safe_name(labels.value(str(one), key, kinds)) for one in held)
            listed = _MEASURE.sub(r"\1,\2", listed) if self.sentences.language == "de" else listed
            parts.append(f"{safe_name(labels.property(str(key), kinds))}: {listed}")
        return "; ".join(parts)

    def _summarised(self, summary: Data, kinds: str, asked: str) -> str:
        """One figure of all assets, and how many of them it is of."""
        unit = summary.get("unit")
        value = summary.get("value")
        parts = {
            "function": self.say(str(summary.get("function"))),
            "property": self._property(str(summary.get("property"))),
            "kinds": kinds,
            "asked": asked,
        }
        if _entries(self.data, "counts"):
            return self.say("summarised_by", key=self._count_key(), **parts)
        if value is None:
            return self.say("summarised_none", **parts)
        said = self.say(
            "summarised",
            value=self._amount(value, unit, rounded=summary.get("is_rounded") is True),
            number=self.sentences.number(int(summary.get("assets_with_value") or 0)),
            **parts,
        )
        without = summary.get("assets_without_value")
        if isinstance(without, int) and without:
            said += " " + self.say("without_value", number=self.sentences.number(without))
        return said

    def _amount(self, value: object, unit: object, *, rounded: bool) -> str:
        """A figure as the server has it, with its unit and the decimal mark of the language."""
        about = self.say("about") if rounded else ""
        shown = f"{Decimal(str(value)):.2f}" if rounded else str(value)
        shown = shown.replace(".", ",") if self.sentences.language == "de" else shown
        return f"{about}{shown}{f' {unit}' if unit else ''}"

    def _numbered(self, total: int, kinds: str, asked: str) -> str:
        """How many there are, and unless only that was asked the first of them."""
        exact = self.data.get("total_is_exact") is not False
        name = "number_of" if self.only_number else "found"
        if total == 1 and exact:
            name += "_one"
        named = ", ".join(f'"{_named(one)}"' for one in self.found[:3])
        said = self.say(
            name,
            number=f"{'' if exact else self.say('least')}{self.sentences.number(total)}",
            kinds=kinds,
            asked=asked,
            named=f"{named}{self.say('and_more') if total > 3 else ''}",
        )
        return said if self.sentences.language == "zh" else said[:1].upper() + said[1:]

    def gap(self, gap: Data) -> str:
        term = str(gap["term"])
        special = self._special(term) if gap.get("reason") == "unsupported" else ""
        reason = str(gap.get("reason"))
        known = ("ambiguous", "unsupported", "limitation")
        elsewhere = reason == "unmapped" and any("." in one for one in self.meant.get(term, []))
        why = self.say(
            special or ("not_here" if elsewhere else reason if reason in known else "unmapped")
        )
        said = self.say("not_used", term=self.written.get(term, term), why=why)
        return said + ("" if special else self._hint(gap))

    def _hint(self, gap: Data) -> str:
        """Tell what a term may mean: the candidates of the reading, else those of the server."""
        torn = self.meant.get(str(gap["term"]), [])
        # What is like a small word in its letters is nothing that the word may mean.
        likely = () if is_small(str(gap["term"])) else gap.get("suggestions") or ()
        offered = torn or [_offered(str(one)) for one in likely]
        if not offered:
            return ""
        name = "known" if not torn else "elsewhere" if "." in torn[0] else "meant"
        labels = [self.sentences.labels.suggestion(one) for one in offered[:_MOST_SUGGESTIONS]]
        return self.say(name, listed=", ".join(map(safe_name, dict.fromkeys(labels))))

    def _special(self, term: str) -> str:
        """Return why a term cannot be asked for: a figure of many, a rough one; or empty."""
        roles = roles_of(term)
        if "aggregate" in roles:
            return "aggregate"
        if "near" in roles and not re.search(r"\d", term):
            return "near"
        if "rough" in roles and re.search(r"\d", term):
            return "rough"
        return "either" if self._is_joined(term) else ""

    def _is_joined(self, term: str) -> bool:
        """Whether an "or" stands before a term, small words between passed over."""
        before, found, _ = self.question.partition(term)
        for word in reversed(before.split() if found else []):
            roles = roles_of(word)
            if "or" in roles:
                return True
            if not roles & {"filler", "in", "from", "as", "copula"}:
                return False
        return False

    def ways_out(self) -> Iterator[str]:
        if self._wants_all():
            yield self.say("or_instead")
        for one in _entries(self.data, "explanation_of_empty"):
            remaining = one.get("remaining")
            if isinstance(allowed := one.get("allowed"), str) and self.sentences.language != "en":
                # The server's own sentence, which opens the answer in English, has it.
                shown = self.sentences.condition(str(one.get("condition")))
                yield self.say("allowed", condition=shown, allowed=allowed.replace(" and ", ", "))
            if isinstance(remaining, int) and remaining:
                key = str(one.get("condition")).partition(" ")[0]
                label = self.sentences.labels.value
                near = (label(str(value), key, self._kinds()) for value in one.get("nearest") or ())
                nearest = ", ".join(map(safe_name, near))
                yield self.say(
                    "way_out",
                    condition=self.sentences.condition(str(one.get("condition"))),
                    least="" if one.get("remaining_is_exact") else self.say("least"),
                    remaining=self.sentences.number(remaining),
                    nearest=self.say("nearest", listed=nearest) if nearest else "",
                )

    def _wants_all(self) -> bool:
        """Whether several values of one property were wanted at once."""
        applied = cast("Data", self.data.get("applied") or {})
        filters = cast("Data", applied.get("filters") or {})
        return any(str(value).startswith("all of ") for value in filters.values())

    def counts(self) -> Iterator[str]:
        counts = _entries(self.data, "counts")
        for one in counts[:_MOST_COUNTS]:
            number = one.get("count")
            summary = self.data.get("aggregate")
            if isinstance(summary, Mapping):
                figure = one.get("aggregate")
                unit = cast("Data", summary).get("unit")
                rounded = one.get("is_rounded") is True
                shown = "-" if figure is None else self._amount(figure, unit, rounded=rounded)
                value = self._counted_value(one.get("value"))
                if self.counts_too and isinstance(number, int):
                    number_of = self.sentences.number(number)
                    yield self.say("group_figure", value=value, number=number_of, figure=shown)
                else:
                    yield f"- {value}: {shown}"
            elif isinstance(number, int):
                yield f"- {self._counted_value(one.get('value'))}: {self.sentences.number(number)}"
        if len(counts) > _MOST_COUNTS:
            more = self.sentences.number(len(counts) - _MOST_COUNTS)
            yield self.say("more_values", number=more)

    def assets(self) -> Iterator[str]:
        if self.only_number:
            return
        for asset in self.found[:_MOST_ASSETS]:
            shown = self._values_of(asset)
            name = asset.get("label") or asset.get("domain") or self.say("asset")
            place = f"{safe_name(str(name))} {_linked(str(asset.get('iri')))}"
            yield f"- {place}{' - ' + shown if shown else ''}"
        total = self.data.get("total")
        if isinstance(total, int) and total > _MOST_ASSETS and self.found:
            more = total - min(len(self.found), _MOST_ASSETS)
            yield self.say("more_assets", number=self.sentences.number(more))


def _gaps(data: Data, question: str) -> tuple[list[Data], int]:
    """Gaps whose term the question has, and how many others there are."""
    found = _entries(data, "gaps")
    said = [one for one in found if is_said(str(one.get("term", "")), question)]
    return said, len(found) - len(said)


def _differs(correction: Data) -> bool:
    """Whether something else was searched than was said; "fog" is said in "fog, foggy"."""
    raw, resolved = str(correction.get("raw", "")), str(correction.get("resolved", ""))
    return fold(raw) not in {fold(part) for part in (resolved, *resolved.split(", "))}


def _meant(sent: Data) -> dict[str, list[str]]:
    """By term, the properties of the catalogue that a reading was torn between."""
    vocabulary = CURRENT.get()
    known: set[str] = set()
    for meant in vocabulary.properties if vocabulary is not None else ():
        known |= {meant.key, f"{meant.domain}.{meant.key}"}
    return {
        str(gap.get("term")): [one for one in map(str, gap["suggestions"]) if one in known]
        for gap in _entries(sent, "gaps")
        if isinstance(gap.get("suggestions"), list)
    }


def _offered(suggestion: str) -> str:
    """A suggestion as a person reads it, without the place that it has in a call."""
    bare = suggestion.removeprefix("filters.").removeprefix("ranges.")
    return bare.removesuffix('={"exists": true}')


def _named(asset: Mapping[str, Any]) -> str:
    return safe_name(str(asset.get("label") or asset.get("iri")))


def _linked(iri: str) -> str:
    """An IRI in angle brackets, which Markdown links, if it is a plain web address."""
    return f"<{iri}>" if _WEB_ADDRESS.fullmatch(iri) else safe_name(iri)


def _entries(data: Data, name: str) -> list[Data]:
    found = data.get(name)
    entries = cast("list[Any]", found) if isinstance(found, list) else []
    return [dict(cast("Data", one)) for one in entries if isinstance(one, Mapping)]
