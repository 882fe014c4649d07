"""A domain profile: which metrics, entities and channels there are, and what is out of scope.

One TOML file, validated when it is read. `groundwire metrics lint` reports what is allowed but
doubtful, such as one alias of two entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, model_validator

from groundwire.config import MOST_SHOWN, validated
from groundwire.metrics.about import (
    About,
    Document,
    DocumentNames,
    IntentChoice,
    NarrativeChoices,
    Part,
    Sensitivity,
    Source,
    read_tree,
)
from groundwire.metrics.formulas import read_formula, unit_of
from groundwire.metrics.names import Group, Membership
from groundwire.metrics.terms import TOTAL, DerivedBy
from groundwire.quantities.periods import FiscalCalendar

Measure = Literal["flow", "stock", "rate"]
ProfileGrain = Literal["day", "month", "quarter", "half", "nine_months", "year"]

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,79}")
_MONTH_DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


def _is_code(text: str) -> str:
    if not _CODE.fullmatch(text):
        raise ValueError("a code is up to 80 of A-Z, a-z, 0-9, _ . : / and -")
    return text


def _is_month_day(text: str) -> str:
    if not _MONTH_DAY.fullmatch(text) or text in ("02-29", "02-30", "02-31"):
        raise ValueError('a fiscal year starts on "MM-DD", such as "02-01"')
    return text


Code = Annotated[str, AfterValidator(_is_code)]
MonthDay = Annotated[str, AfterValidator(_is_month_day)]
Name = Annotated[str, Field(min_length=1, max_length=400)]
Names = tuple[Name, ...]


class Named(Part):
    """Something that has names.

    Attributes:
        aliases: other names, in any language.
        labels: its name for people by language, "de" or "zh", where answers are to use one; each
            is an alias too. Without one a Chinese answer uses the first Chinese alias, and a German
            answer the main name.
    """

    aliases: Names = ()
    labels: dict[Literal["de", "zh"], Name] = Field(default_factory=dict[Literal["de", "zh"], str])

    @model_validator(mode="before")
    @classmethod
    def _labels_are_aliases(cls, data: Any) -> Any:
        labels, aliases = data.get("labels"), data.get("aliases", [])
        if not isinstance(labels, dict) or not isinstance(aliases, list):
            return data
        named = [*cast("list[object]", aliases), *cast("dict[str, object]", labels).values()]
        return {**data, "aliases": [one for at, one in enumerate(named) if one not in named[:at]]}


class Kind(Named):
    """A kind of entity: `[kinds.NAME]`.

    Attributes:
        label: its name for people.
        home: code of the entity that a question without one is about, or empty.
        default_period: `latest_complete_year` (the reference year less one), or `latest`.
        fiscal_year_start: month and day, where an entity has none of its own.
        fiscal_year_named_by: whether FY2024 is the year that ends or starts in 2024.
    """

    label: str
    home: str = ""
    default_period: Literal["latest_complete_year", "latest"] = "latest_complete_year"
    fiscal_year_start: MonthDay = "01-01"
    fiscal_year_named_by: Literal["end", "start"] = "end"


class Entity(Named):
    """An entity that facts are about: `[[entities]]`.

    Attributes:
        code: controlled code.
        kind: one of the profile's kinds.
        name: its main name.
        parent: code of the entity that it is a part of, or empty.
        parents: codes of further entities that it is a part of.
        geography: code of the place that it stands for, or empty.
        fiscal_year_start: month and day; empty takes its kind's.
        fiscal_year_named_by: empty takes its kind's.
    """

    code: Code
    kind: str
    name: Name
    parent: str = ""
    parents: tuple[str, ...] = ()
    geography: str = ""
    fiscal_year_start: MonthDay | Literal[""] = ""
    fiscal_year_named_by: Literal["end", "start", ""] = ""


class Metric(Named):
    """A metric: `[[metrics]]`.

    Attributes:
        code: controlled code.
        kind: kind of the entities that have it.
        label: its main name.
        unit: unit of its values ("USD", "people", "%"); empty takes the unit of the source.
        measure: a flow adds up over time, a stock holds at a day, a rate does neither.
        grains: grains that it is reported in, the usual one first.
        derivations: what may be computed from its values.
        definition: what it counts, in one sentence.
        counted: "end" for a stock that is counted on the last day of a period, so that a value of
            that day is the period's; empty where it is not known.
        asked_as: ways to ask for it that do not name it, in any language: "how many people
            live", or with a gap for who and when, "how many people ... employ".
        verbs: words that say nothing beside its name, and may mean it without: "employ".
        hinted_by: words that may mean it and are asked about, with it offered first: "rich".
        formula: how it is computed from other metrics, "GDP / POPULATION" or "growth(REVENUE)";
            "" for one that is held. Of no unit it has that of its formula; "%" scales a bare
            quotient.
        losses: names of a value below zero: "loss". A question with one takes it for granted that
            the value is below zero.
    """

    code: Code
    kind: str
    label: Name
    unit: str = ""
    measure: Measure = "flow"
    grains: tuple[ProfileGrain, ...] = ("year",)
    derivations: tuple[DerivedBy, ...] = (
        "delta", "percent_change", "ratio", "share", "sum", "cagr",
    )  # fmt: skip
    definition: str = ""
    counted: Literal["end", ""] = ""
    asked_as: Names = ()
    verbs: Names = ()
    hinted_by: Names = ()
    formula: str = ""
    losses: Names = ()

    def shown_unit(self, known: Mapping[str, Metric]) -> str:
        """The unit of its values: the declared one, or that which its formula makes."""
        return self.unit or (self.made_unit(known) if self.formula else "")

    def made_unit(self, known: Mapping[str, Metric]) -> str:
        """The unit that its formula makes of those of its operands.

        Raises:
            ValueError: it is not a formula, or adds different units.
        """
        formula = read_formula(self.formula)
        return unit_of(formula, {code: known[code].shown_unit(known) for code in formula.codes})

    @property
    def is_quotient(self) -> bool:
        """Whether its formula is one metric divided by another, and nothing else."""
        return re.fullmatch(r"\s*\w+\s*/\s*\w+\s*", self.formula) is not None

    def is_scaled_to_percent(self, known: Mapping[str, Metric]) -> bool:
        """Whether a bare quotient is shown in percent."""
        return bool(self.formula) and self.unit == "%" and self.made_unit(known) == ""


class Channel(Named):
    """A channel, segment or product that a metric is split by: `[[channels]]`.

    Attributes:
        code: controlled code; `TOTAL` is always there.
        label: its main name.
        kinds: kinds of entity that it applies to; empty means all.
    """

    code: Code
    label: Name
    kinds: tuple[str, ...] = ()


class External(Part):
    """An entity that is out of scope, such as a competitor: `[[external]]`.

    Attributes:
        name: the name that a refusal shows.
        aliases: every name by which it is found, in any language.
    """

    name: Name
    aliases: Names = ()


class Publisher(Part):
    """Who issues documents that facts are from: `[[publishers]]`.

    Attributes:
        name: its main name.
        aliases: other names, in any language.
    """

    name: Name
    aliases: Names = ()


class Profile(Part):
    """A whole profile; see the attributes of its parts."""

    profile: About
    kinds: dict[str, Kind]
    entities: tuple[Entity, ...]
    metrics: tuple[Metric, ...]
    groups: dict[str, Group] = Field(default_factory=dict[str, Group])
    channels: tuple[Channel, ...] = ()
    external: tuple[External, ...] = ()
    publishers: tuple[Publisher, ...] = ()
    sensitivity: Sensitivity = Sensitivity()
    sources: tuple[Source, ...] = ()
    documents: tuple[Document, ...] = ()
    document_names: tuple[DocumentNames, ...] = ()
    narrative: NarrativeChoices = NarrativeChoices()
    intent: IntentChoice = IntentChoice()

    @model_validator(mode="after")
    def _consistent(self) -> Profile:
        problems = list(self._problems())
        if problems:
            more = len(problems) - MOST_SHOWN
            shown = "; ".join(problems[:MOST_SHOWN])
            raise ValueError(shown + (f"; and {more} more" if more > 0 else ""))
        return self

    def _problems(self) -> Iterable[str]:
        """Return the contradictions that would make answers wrong."""
        yield from _repeated("entity", (one.code for one in self.entities))
        yield from _repeated("metric", (one.code for one in self.metrics))
        yield from _repeated("channel", (one.code for one in self.channels))
        yield from _repeated("document name", (one.name for one in self.document_names))
        yield from self._wrong_kinds()
        codes = {entity.code for entity in self.entities}
        for entity in self.entities:
            for parent in filter(None, (entity.parent, *entity.parents)):
                if parent not in codes:
                    yield f"entity {entity.code!r} has the unknown parent {parent!r}"
        yield from self._wrong_groups()
        for metric in self.metrics:
            if not metric.grains:
                yield f"metric {metric.code!r} has no grain"
        yield from self._wrong_formulas()
        for document in self.documents:
            if document.sensitivity and document.sensitivity not in self.sensitivity.levels:
                yield f"document {document.file!r}: no such level {document.sensitivity!r}"
            if document.entity and document.entity not in codes:
                yield f"document {document.file!r} has the unknown entity {document.entity!r}"

    def _wrong_kinds(self) -> Iterable[str]:
        """Kinds that do not exist, and homes that are no entity of their kind."""
        used = [("entity", one.code, one.kind) for one in self.entities]
        used += [("metric", one.code, one.kind) for one in self.metrics]
        used += [("channel", one.code, kind) for one in self.channels for kind in one.kinds]
        for what, code, kind in used:
            if kind not in self.kinds:
                yield f"{what} {code!r} has the unknown kind {kind!r}"
        for name, kind in self.kinds.items():
            if kind.home and all(
                (one.code, one.kind) != (kind.home, name) for one in self.entities
            ):
                yield f"the home of kind {name!r} is no entity of it: {kind.home!r}"

    def _wrong_formulas(self) -> Iterable[str]:
        """Formulas that cannot be read, name what is not there, or go in circles."""
        known = {one.code: one for one in self.metrics}
        for metric in (one for one in self.metrics if one.formula):
            try:
                codes = read_formula(metric.formula).codes
            except ValueError as error:
                yield f"metric {metric.code!r}: {error}"
                continue
            unknown = [code for code in codes if code not in known]
            others = [code for code in codes if code in known and known[code].kind != metric.kind]
            if unknown:
                yield f"the formula of {metric.code!r} names the unknown metric {unknown[0]!r}"
            elif others:
                yield f"the formula of {metric.code!r} names {others[0]!r}, of another kind"
            elif _goes_in_circles(metric.code, known):
                yield f"the formula of {metric.code!r} goes in a circle"
            else:
                yield from _wrong_units(metric, known)

    def _wrong_groups(self) -> Iterable[str]:
        """Members that are of another kind than their group; unknown ones `lint` reports."""
        kinds = {entity.code: entity.kind for entity in self.entities}
        for code, group in self.groups.items():
            own = kinds.get(code, "")
            for member in group.members:
                if (own and kinds.get(member, own) != own) or member == code:
                    yield f"{member!r} cannot be a member of group {code!r}"

    @cached_property
    def membership(self) -> Membership:
        """Which entity holds which, of those that the profile has."""
        known = self.entity_by_code
        parts: dict[str, list[str]] = {
            code: [one for one in group.members if one in known]
            for code, group in self.groups.items()
            if code in known
        }
        for entity in self.entities:
            for parent in filter(None, (entity.parent, *entity.parents)):
                parts.setdefault(parent, []).append(entity.code)
        return Membership(
            {whole: tuple(dict.fromkeys(some)) for whole, some in parts.items()},
            {code: group.complete for code, group in self.groups.items() if code in known},
        )

    @cached_property
    def entity_by_code(self) -> dict[str, Entity]:
        """Entities by their codes."""
        return {entity.code: entity for entity in self.entities}

    @cached_property
    def metric_by_code(self) -> dict[str, Metric]:
        """Metrics by their codes."""
        return {metric.code: metric for metric in self.metrics}

    @cached_property
    def document_aliases(self) -> dict[str, tuple[str, ...]]:
        """Other names of documents by their names or titles."""
        return {one.name: one.aliases for one in self.document_names}

    @cached_property
    def channel_by_code(self) -> dict[str, Channel]:
        """Channels by their codes, `TOTAL` among them."""
        total = Channel(
            code=TOTAL,
            label="Total",
            aliases=("all channels", "alle Kanäle", "合计", "总计", "全部"),
        )
        return {TOTAL: total, **{channel.code: channel for channel in self.channels}}

    def calendars(self, entities: Iterable[str]) -> tuple[FiscalCalendar, ...]:
        """The fiscal calendars of some entities, each once."""
        of = self.calendar_of
        return tuple({id(one): one for one in map(of.__getitem__, entities)}.values())

    def by_calendar(self, entities: Sequence[str]) -> dict[FiscalCalendar, tuple[str, ...]]:
        """Some entities by their fiscal calendars."""
        calendars = self.calendars(entities)
        if len(calendars) == 1:
            return {calendars[0]: tuple(entities)}
        of = self.calendar_of
        return {one: tuple(code for code in entities if of[code] is one) for one in calendars}

    @cached_property
    def calendar_of(self) -> dict[str, FiscalCalendar]:
        """The fiscal calendar of each entity, by its code; equal ones are one object."""
        found: dict[str, FiscalCalendar] = {}
        known: dict[FiscalCalendar, FiscalCalendar] = {}
        for one in self.entities:
            kind = self.kinds[one.kind]
            month, day = (one.fiscal_year_start or kind.fiscal_year_start).split("-")
            named_by = one.fiscal_year_named_by or kind.fiscal_year_named_by
            calendar = FiscalCalendar(int(month), int(day), named_by)
            found[one.code] = known.setdefault(calendar, calendar)
        return found

    @cached_property
    def codes_by_kind(self) -> dict[str, tuple[str, ...]]:
        """Codes of the entities of each kind, in their order."""
        found: dict[str, list[str]] = {}
        for one in self.entities:
            found.setdefault(one.kind, []).append(one.code)
        return {kind: tuple(codes) for kind, codes in found.items()}


def _goes_in_circles(code: str, known: Mapping[str, Metric]) -> bool:
    """Whether a formula comes back to itself, or to another that does."""
    finished: set[str] = set()

    def circles(one: str, above: frozenset[str]) -> bool:
        if one in above:
            return True
        if one in finished or one not in known or not known[one].formula:
            return False
        try:
            codes = read_formula(known[one].formula).codes
        except ValueError:
            return False
        found = any(circles(each, above | {one}) for each in codes)
        finished.add(one)
        return found

    return circles(code, frozenset())


def _wrong_units(metric: Metric, known: Mapping[str, Metric]) -> Iterable[str]:
    """A formula that adds different units, or makes another unit than the declared one."""
    try:
        made = metric.made_unit(known)
    except (ValueError, KeyError) as error:
        yield f"the formula of {metric.code!r}: {error}"
        return
    if metric.unit and metric.unit != made and not (metric.unit == "%" and not made):
        shown = made or "no unit"
        yield f"the formula of {metric.code!r} makes {shown}, and its unit says {metric.unit!r}"


def _repeated(what: str, codes: Iterable[str]) -> Iterable[str]:
    """Codes that stand twice, or differ in case alone."""
    seen: dict[str, str] = {}
    for code in codes:
        if code.casefold() in seen:
            yield f"two entries of one {what} code, {seen[code.casefold()]!r} and {code!r}"
        seen.setdefault(code.casefold(), code)


def load_profile(path: Path) -> Profile:
    """Read and validate a profile.

    Raises:
        ConfigurationError: it cannot be read, is not TOML, or contradicts itself; the message
            names the file and the place.
    """
    return parse_profile(read_tree(path), str(path))


def parse_profile(tree: dict[str, Any], where: str) -> Profile:
    """Validate a profile that was read from `where`.

    Raises:
        ConfigurationError: it contradicts itself; the message names the place.
    """
    return validated(Profile, tree, where, "profile")
