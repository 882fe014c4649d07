"""The entities, metrics and channels that a drafted profile has."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.metrics.importing.cells import BadCell, UnitText, read_amount, read_unit
from groundwire.metrics.importing.draft_columns import (
    Codes,
    Column,
    Measure,
    common_metric,
    is_money,
    is_of_all,
    may_take_told_unit,
    measure_of,
    names_a_metric,
    takes_told_unit,
)
from groundwire.metrics.importing.draft_reading import Found
from groundwire.metrics.importing.draft_roles import ROLE_OF, Roles
from groundwire.metrics.importing.heading_text import is_currency, is_known, split_unit
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import fold

_NO_UNIT = "nothing says the unit of "
_BEHIND_NAME = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]$")
_SET_IT = ": set it in the profile"
_MOST_LISTED = 8
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,79}")
# Headings of entities that say of which kind these are: other headings are the kind themselves.
_KINDS = (
    ("country", r"\b(?:country|countries|economy|nation|territory)\b|国家"),
    ("company", r"\b(?:company|firm|issuer|corporation|ticker)\b|公司|企业|子公司"),
    ("city", r"\bcity\b|城市|省市"),
    ("province", r"\b(?:province|state)\b|省份|省"),
    ("region", r"\b(?:region|area|location)\b|地区|区域"),
    ("store", r"\b(?:store|shop|branch)\b|门店"),
)
_NO_KINDS = frozenset(("entity", "name", "code", "id", "item", "实体", "名称", "主体", "代码"))
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_SCALE_WORDS = {3: "thousand", 6: "million", 9: "billion", 12: "trillion", 4: "万", 8: "亿"}
# Words for the whole that `TOTAL` does not know by itself.
_WHOLES = frozenset(("all", "overall", "whole company", "全公司", "整体", "全渠道", "全国", "小计"))
KNOWN_WHOLES = frozenset(("total", "all channels", "合计", "总计", "全部"))


@dataclass(frozen=True, slots=True)
class DraftTerm:
    """An entity or a channel of a draft.

    Attributes:
        code: its code.
        label: its name.
        aliases: other names.
    """

    code: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftMetric:
    """A metric of a draft.

    Attributes:
        code, label, aliases: as of a term.
        unit: its unit, or "".
        measure: flow, stock or rate.
        column: the column that holds its values, where each metric has one.
        stated: the unit as heading or cells write it, or None.
        definition: what it counts, or "".
        grains: its own grains; empty takes those of the file.
        when: the period of its column, where the heading names one, or "".
        entity: the entity of its column, where the heading names one, or "".
        above: the unit that is told above the table, as it is written there, or "".
    """

    code: str
    label: str
    aliases: tuple[str, ...]
    unit: str
    measure: Measure
    column: Column | None = None
    stated: UnitText | None = None
    definition: str = ""
    grains: tuple[str, ...] = ()
    when: str = ""
    above: str = ""
    entity: str = ""


def pair_terms(
    pairs: Counter[tuple[str, str]], prefix: str, notes: list[str]
) -> tuple[list[DraftTerm], bool]:
    """Terms of (code, label) pairs, and whether the file's codes name them.

    Codes of the file are kept where each row has one, and each code one name.
    """
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for (code, label), count in pairs.items():
        if code or label:
            labels[code][label] += count
    codes = Codes(prefix)
    named = len({label for _, label in pairs if label})
    by_code = (
        bool(labels)
        and "" not in labels
        and all(_CODE.fullmatch(code) for code in labels)
        and len({code.casefold() for code in labels}) == len(labels)
        and (not named or len(labels) <= 1.05 * named)
    )
    if by_code:
        terms: list[DraftTerm] = []
        for code, names in sorted(labels.items()):
            codes.keep(code)
            written = [name for name, _ in names.most_common() if name] or [code]
            terms.append(DraftTerm(code, written[0], tuple(written[1:])))
        return terms, True
    if any(labels) and any(label for _, label in pairs):
        notes.append(
            f"the codes of the file do not name each {prefix.lower()} once: names are used"
        )
    written = sorted({label or code for code, label in pairs if label or code})
    return [DraftTerm(codes.give(split_unit(name)[0]), name) for name in written], False


def kind_of(column: Column | None) -> tuple[str, str]:
    """Return the key of the kind of entity that the heading of a column names, and its word."""
    words = column.words if column is not None else ""
    for kind, pattern in _KINDS:
        if found := re.search(pattern, words):
            return kind, found[0]
    if not words or words in _NO_KINDS:
        return "entity", "entity"
    key = "_".join(words.split())
    return (key if _KEY.fullmatch(key) else "entity"), words


def channel_terms(found: Found) -> tuple[list[DraftTerm], dict[str, str]]:
    """Channels, and the words for the whole that the mapping turns into `TOTAL`."""
    codes = Codes("CHANNEL")
    codes.keep("TOTAL")
    terms: list[DraftTerm] = []
    wholes: dict[str, str] = {}
    for name in sorted(found.channels):
        if name.casefold() in _WHOLES:
            wholes[name] = "TOTAL"
        elif name and name.casefold() not in KNOWN_WHOLES:
            terms.append(DraftTerm(codes.give(name), name))
    return terms, wholes


def metric_terms(
    roles: Roles, found: Found, fallback: str, decimal_comma: bool
) -> tuple[list[DraftMetric], bool]:
    """Metrics of a table, and whether the file's codes name them.

    Args:
        roles: what its columns are.
        found: what its rows name.
        fallback: name of the metric where the file has none: the file's own name.
        decimal_comma: how its cells are read.
    """
    if roles.metric is not None or roles.metric_code is not None:
        terms, by_code = pair_terms(found.metrics, "METRIC", roles.notes)
        return [_of_rows(term, roles, found) for term in terms], by_code
    codes = Codes("METRIC")
    if roles.kind == "metric_columns":
        named: dict[str, DraftMetric] = {}
        columns: list[DraftMetric] = []
        for column in roles.values:
            label = column.label or fallback
            known = named.get(label) if column.when else None
            if known is None:
                metric = _of_column(codes, label, column, roles, found, decimal_comma)
                if not column.label:
                    roles.notes.append(f"no column names the metric: it was called {label!r}")
                named[label] = metric
            else:
                metric = _of_other_period(known, column, roles.notes)
            columns.append(replace(metric, when=column.when))
        return _with_several_units(columns, roles.notes), False
    column = roles.values[0]
    own = column.label if roles.kind == "long" and not _is_generic(column) else ""
    metric = _of_column(codes, own or fallback, column, roles, found, decimal_comma)
    if not own:
        roles.notes.append(f"no column names the metric: it was called {metric.label!r}")
    return [metric], False


def _of_other_period(known: DraftMetric, column: Column, notes: list[str]) -> DraftMetric:
    """A metric that an earlier column has in another period, with the unit of its own heading."""
    if column.unit is None and known.stated is not None and column.dated is not None:
        notes.append(
            f"{column.heading!r} names no unit: that of {known.label!r} in another period, "
            f"{known.stated.raw!r}, was taken for it"
        )
    own = _fitting(known.label, column, notes)
    return replace(known, column=column, stated=own if column.unit is not None else known.stated)


def _with_several_units(columns: list[DraftMetric], notes: list[str]) -> list[DraftMetric]:
    """The metrics, without a unit of their own where their columns are in several."""
    symbols: dict[str, set[str]] = defaultdict(set)
    for one in columns:
        if one.stated is not None and one.stated.symbol:
            symbols[one.code].add(one.stated.symbol)
    for code, named in symbols.items():
        if len(named) > 1:
            _note_several(next(one.label for one in columns if one.code == code), named, notes)
    return [replace(one, unit="") if len(symbols[one.code]) > 1 else one for one in columns]


def _fitting(label: str, column: Column, notes: list[str]) -> UnitText | None:
    """The unit of a heading, unless it measures something else than the money that is named."""
    unit = column.unit
    found = resolve_unit(unit.symbol) if unit is not None and unit.symbol else None
    if unit is None or found is None or is_currency(unit) or not is_money(label):
        return unit
    if "/" in unit.symbol or unit.symbol in ("%", "bp", "pp"):
        return unit
    notes.append(
        f"{unit.raw!r} in {column.heading!r} is no unit of money: it may be a scale, set unit and "
        f"scale of {label!r}"
    )
    return None


def is_across(roles: Roles, title: str) -> bool:
    """Whether the headings of values name entities, and the title above what is measured."""
    named = (roles.entity, roles.entity_code, roles.metric, roles.metric_code, roles.unit)
    return (
        roles.kind == "metric_columns"
        and bool(title)
        and not any(named)
        and not any(
            one.when or one.unit is not None or names_a_metric(one.label) for one in roles.values
        )
    )


def metrics_across(roles: Roles, title: str) -> list[DraftMetric]:
    """One metric, as its title names it, in a column for each entity."""
    metric = DraftMetric(Codes("METRIC").give(title), title, (), "", measure_of(title, ""))
    shown = ", ".join(repr(one.label) for one in roles.values[:5])
    roles.notes.append(f"columns {shown} were taken for entities of {title!r}, the title above")
    roles.notes.append(_no_unit(title))
    return [replace(metric, column=one, entity=one.label) for one in roles.values]


def with_told_units(
    metrics: Sequence[DraftMetric], told: Sequence[tuple[UnitText, str]], notes: list[str]
) -> list[DraftMetric]:
    """The metrics, those without a unit with the one that is told above the table.

    A currency goes to names of money only: a count or a rate has none.

    Args:
        metrics: the metrics.
        told: units with the lines that tell them.
        notes: guesses that a person should look at.
    """
    given: dict[str, str] = {}
    changed: list[DraftMetric] = []
    for metric in metrics:
        fitting = [
            (unit, line)
            for unit, line in told
            if not metric.unit and takes_told_unit(metric.label, unit)
        ]
        if len(fitting) != 1 or (metric.stated is not None and metric.stated.symbol):
            changed.append(metric)
            continue
        unit, line = fitting[0]
        own = metric.stated
        scaled = own is not None and own.exponent > 0
        symbol = unit.symbol
        above = symbol if scaled else unit.raw
        changed.append(
            replace(metric, unit=symbol, above=above, measure=measure_of(metric.label, symbol))
        )
        given[metric.label] = line
    for line in dict.fromkeys(given.values()):
        names = [label for label, said in given.items() if said == line]
        notes[:] = [note for note in notes if not any(note == _no_unit(label) for label in names)]
        shown = ", ".join(map(repr, names[:8])) + (" and others" if len(names) > 8 else "")
        notes.append(f"{shown}: the unit was taken from {line[:60]!r}")
    for unit, line in told:
        open_ = [one for one in changed if not one.unit and may_take_told_unit(one.label, unit)]
        if open_:
            shown = ", ".join(repr(one.label) for one in open_[:_MOST_LISTED])
            notes.append(
                f"{line[:60]!r} stands above and was not taken for {shown}: where it holds, write "
                f"{open_[0].code} = {unit.raw[:40]!r} under [units.metric] of the mapping, since a "
                "unit in the profile alone has no scale"
            )
    return changed


def with_plain_names(metrics: Sequence[DraftMetric]) -> list[DraftMetric]:
    """The metrics, those called "Absatz (Fass)" with "Absatz" too where that names no other."""
    plain = {one.code: _BEHIND_NAME.sub("", one.label).strip() for one in metrics}
    taken = Counter(
        fold(name) for one in _by_code(metrics) for name in {one.label, plain[one.code]}
    )
    return [
        replace(one, aliases=(*one.aliases, plain[one.code]))
        if plain[one.code] not in ("", one.label) and taken[fold(plain[one.code])] == 1
        else one
        for one in metrics
    ]


def _by_code(metrics: Sequence[DraftMetric]) -> list[DraftMetric]:
    return list({one.code: one for one in metrics}.values())


_MEASURES: tuple[tuple[Measure, str], ...] = (
    ("flow", "to add up over time"),
    ("stock", "to be a level at the end of a period"),
    ("rate", "to be a rate, which is never added up"),
)
_MOST_NAMED = 3


def note_measures(metrics: Sequence[DraftMetric], notes: list[str]) -> None:
    """Note which metrics were taken to add up over time, which no table says."""
    told: list[str] = []
    for measure, meaning in _MEASURES:
        labels = [*dict.fromkeys(repr(one.label) for one in metrics if one.measure == measure)]
        if labels:
            more = f" and {len(labels) - _MOST_NAMED} more" if len(labels) > _MOST_NAMED else ""
            told.append(f"{', '.join(labels[:_MOST_NAMED])}{more} {meaning} ({measure})")
    notes.append(f"by name and unit alone was taken {'; '.join(told)}: see measure in the profile")


def note_unknown_units(metrics: Sequence[DraftMetric], notes: list[str]) -> None:
    """Note units that are no units of measure, which may hide a scale word."""
    for metric in metrics:
        unit = read_unit(metric.unit) if metric.unit else None
        if unit is not None and unit.symbol and not is_known(unit):
            notes.append(f"the unit {metric.unit!r} of {metric.label!r} is not known: look at it")


def _no_unit(label: str) -> str:
    return f"{_NO_UNIT}{label!r}{_SET_IT}"


def gathered(notes: Sequence[str]) -> list[str]:
    """Return notes with those of many metrics without a unit as one, in place of the first."""
    lacking = [one for one in notes if one.startswith(_NO_UNIT) and one.endswith(_SET_IT)]
    if len(lacking) <= _MOST_LISTED:
        return list(notes)
    names = [one[len(_NO_UNIT) : -len(_SET_IT)] for one in lacking]
    shown = ", ".join(names[:_MOST_LISTED])
    told = f"{_NO_UNIT}{shown} and {len(names) - _MOST_LISTED:,} others{_SET_IT}"
    return [told if one == lacking[0] else one for one in notes if one not in lacking[1:]]


def _is_generic(column: Column) -> bool:
    return ROLE_OF.get(column.words) == "value" or len(column.words) < 2


def _of_rows(term: DraftTerm, roles: Roles, found: Found) -> DraftMetric:
    units = found.units.get(term.label) or found.units.get(term.code) or Counter()
    written = [text for text, _ in units.most_common() if text]
    label, in_label = split_unit(term.label) if not written else (term.label, None)
    if in_label is not None:
        return _with_unit(term, label, in_label, roles.notes)
    heading = roles.values[0].unit
    apart = heading is not None and not is_of_all(heading, [name for _, name in found.metrics])
    if apart and not is_money(term.label):
        heading = None
        roles.notes.append(f"{term.label!r} is no amount of money: it was given no currency")
    stated = read_unit(written[0]) if written else heading
    symbols = {read_unit(text).symbol for text in written}
    by_row = len(symbols) > 1 and all(is_currency(read_unit(text)) for text in written)
    if by_row:
        _note_several(term.label, symbols, roles.notes)
        stated = UnitText(0, "", (), "")
    elif len(symbols) > 1:
        roles.notes.append(
            f"{term.label!r} has the units {', '.join(sorted(symbols))}: all but one are refused"
        )
    own = found.cell_units.get(term.label) or found.cell_units.get(term.code) or Counter[str]()
    unit = stated.symbol if stated else _most_of(own, term.label, roles.notes)
    if apart and stated is not None and stated is heading:
        # The mapping says no unit of all rows then, and so no scale either.
        unit = _with_scale(stated)
    _note_sign(stated, term.label, roles.notes)
    if not unit and not by_row:
        roles.notes.append(_no_unit(term.label))
    aliases = tuple(dict.fromkeys((*term.aliases, *common_metric(term.label)[1:])))
    aliases = tuple(name for name in aliases if name != term.label)
    return DraftMetric(term.code, term.label, aliases, unit, measure_of(term.label, unit))


def _with_unit(term: DraftTerm, label: str, stated: UnitText, notes: list[str]) -> DraftMetric:
    """A metric whose name in the file holds its unit: "Revenue ($m)"."""
    unit = _with_scale(stated)
    _note_sign(stated, term.label, notes)
    aliases = tuple(dict.fromkeys((term.label, *term.aliases, *common_metric(label)[1:])))
    return DraftMetric(
        term.code, label, tuple(name for name in aliases if name != label), unit,
        measure_of(label, stated.symbol),
    )  # fmt: skip


def _with_scale(stated: UnitText) -> str:
    """A unit with the scale word that a profile can say."""
    if not stated.exponent:
        return stated.symbol
    scale = _SCALE_WORDS.get(stated.exponent)
    return f"{scale} {stated.symbol}".strip() if scale else stated.raw


def _note_several(label: str, symbols: set[str], notes: list[str]) -> None:
    notes.append(f"{label!r} is in {', '.join(sorted(symbols))}: rows keep their own unit")


def _of_column(
    codes: Codes, label: str, column: Column, roles: Roles, found: Found, decimal_comma: bool
) -> DraftMetric:
    stated, by_row = _fitting(label, column, roles.notes), False
    texts = found.column_units.get(column.index) if column.index in roles.unit_of else None
    if roles.kind == "wide" and roles.unit is not None:
        texts = found.units.get("", Counter[str]())
    if stated is None and texts is not None:
        written = [text for text, _ in texts.most_common() if text]
        symbols = {read_unit(text).symbol for text in written}
        # The unit column says it row by row; one of several is no unit of all.
        unit = min(symbols) if len(symbols) == 1 else ""
        by_row = len(symbols) > 1
        if by_row:
            _note_several(label, symbols, roles.notes)
    elif stated is not None and stated.symbol:
        unit = stated.symbol
        _note_sign(stated, column.heading, roles.notes)
    else:
        unit = _unit_of_cells(column, decimal_comma, roles.notes)
    common = common_metric(label)
    if not unit and common[:1] == ("POPULATION",):
        unit = "people"
    if not unit and not by_row:
        roles.notes.append(_no_unit(label))
    aliases = tuple(name for name in common[1:] if name.casefold() != label.casefold())
    return DraftMetric(
        codes.give(label), label, aliases, unit, measure_of(label, unit), column, stated
    )


def _unit_of_cells(column: Column, decimal_comma: bool, notes: list[str]) -> str:
    """The unit that most cells of a column name."""
    units: Counter[UnitText] = Counter()
    for cell in column.sample:
        try:
            unit = read_amount(cell, decimal_comma).unit
        except BadCell:
            continue
        if unit is not None and unit.symbol:
            units[unit] += 1
    if not units or units.total() < 0.5 * len(column.sample):
        return ""
    symbols = {unit.symbol for unit in units}
    if len(symbols) > 1 and units.total() == len(column.sample):
        _note_several(column.label, symbols, notes)
        return ""
    unit = units.most_common(1)[0][0]
    notes.append(f"the cells of {column.heading!r} name the unit {unit.symbol}")
    _note_sign(unit, column.heading, notes)
    return unit.symbol


def _most_of(units: Counter[str], label: str, notes: list[str]) -> str:
    """The unit that most cells of one metric name."""
    named = Counter({text: count for text, count in units.items() if text})
    if not named or named.total() < 0.5 * units.total():
        return ""
    unit = named.most_common(1)[0][0]
    notes.append(f"the cells of {label!r} name the unit {unit}")
    _note_sign(read_unit(unit), label, notes)
    return unit


def _note_sign(unit: UnitText | None, where: str, notes: list[str]) -> None:
    if unit is not None and unit.currencies:
        notes.append(
            f"the unit of {where!r} was taken for {unit.symbol}; it may be one of "
            f"{', '.join(unit.currencies)}"
        )
