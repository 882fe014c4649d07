"""Filters of dbt's semantic manifest: SQL in which columns are named by calls in double braces.

The calls are those that MetricFlow offers in a filter: `Dimension('user__country')`,
`TimeDimension('metric_time', 'day')` and `Entity('listing')`, with `grain` and `date_part` as
methods. They are read by the grammar below and never rendered as a template, so that nothing in a
manifest can run. What stands around them has to be one condition whose only columns are the calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from groundwire.errors import InputError
from groundwire.metrics.models.semantic import ModelField, Relationship

if TYPE_CHECKING:
    from sqlglot import exp


MOST_CHARACTERS = 20_000
"""Characters of one filter; longer ones are refused."""

MOST_CALLS = 200
"""Calls of one filter; a filter with more is refused."""

GRAINS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
"""Grains of time that a filter may name, the finest first."""

_DATE_PARTS = ("year", "quarter", "month", "day", "dow", "doy")
_SLOT = "groundwire_slot_"
_TOKEN = re.compile(
    r"""(?P<blank>\s)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<text>'[^'\\\n]*'|"[^"\\\n]*")|(?P<mark>[()\[\],.=])"""
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Call:
    """A call in double braces.

    Attributes:
        kind: what it names.
        name: the name without its entities: "country" of `user__country`.
        entities: the entities before it: ("user",).
        grain: the grain that a time is cut to, or "".
        date_part: the part of a date that is taken, or "".
    """

    kind: Literal["dimension", "time", "entity"]
    name: str
    entities: tuple[str, ...] = ()
    grain: str = ""
    date_part: str = ""

    @property
    def is_metric_time(self) -> bool:
        """Whether it names the time of whatever metric is filtered."""
        return self.name == "metric_time" and not self.entities and self.kind != "entity"


Column = Callable[[Call], str]
"""Gives `dataset.field` for a call; raises InputError where nothing or several things are meant."""


def compile_filter(template: str, column: Column) -> str:
    """Write a filter as SQL over `dataset.field`.

    Args:
        template: the filter as the manifest has it.
        column: what each call stands for.

    Returns:
        One condition in ANSI SQL.

    Raises:
        InputError: the filter is not a condition over its calls, or a call cannot be resolved.
    """
    from sqlglot import exp

    text, calls = _split(template)
    tree = _condition(text)
    seen = [0] * len(calls)
    for node in list(tree.find_all(exp.Column)):
        index = _slot(node)
        if index is None or index >= len(calls):
            raise InputError(
                f"it names {node.sql()[:60]} itself: name a column as "
                "{{ Dimension('entity__dimension') }}"
            )
        seen[index] += 1
        written = _written(calls[index], column(calls[index]))
        if node is tree:
            tree = written
        else:
            node.replace(written)
    if any(count != 1 for count in seen):
        raise InputError("a call in braces stands where no column can, such as within quotes")
    return tree.sql()


def identifier(name: str) -> str:
    """A name as SQL writes it: in quotes unless it is plain and no word of SQL."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.lower() not in _words():
        return name
    return '"' + name.replace('"', '""') + '"'


_known_words: frozenset[str] = frozenset()


def _words() -> frozenset[str]:
    """Words that SQL reads as its own."""
    global _known_words
    if not _known_words:
        from sqlglot.tokens import Tokenizer

        _known_words = frozenset(
            word.lower() for word in Tokenizer.KEYWORDS if _NAME.fullmatch(word)
        )
    return _known_words


def _condition(text: str) -> exp.Expr:
    """The tree of a condition without queries, placeholders or stars.

    Raises:
        InputError: it is none.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(text)
    except (SqlglotError, RecursionError) as error:
        line = str(error).splitlines()[0][:120] if str(error) else "it is nested too deeply"
        raise InputError(f"it is no condition of SQL ({line})") from None
    tree = parsed[0] if len(parsed) == 1 else None
    if tree is None or not isinstance(tree, exp.Condition):
        raise InputError("it is no single condition of SQL")
    barred = (exp.Query, exp.Subquery, exp.Star, exp.Placeholder, exp.Parameter, exp.Anonymous)
    for node in tree.walk():
        if isinstance(node, (*barred, exp.AggFunc, exp.Window, exp.SessionParameter)):
            raise InputError(
                f"it holds {node.sql()[:60]}: only comparisons of the columns of a row are read"
            )
        node.comments = None
    return tree


def _slot(node: exp.Expr) -> int | None:
    """The number of the call that a column stands for, or None."""
    name = node.name
    number = name.removeprefix(_SLOT)
    if node.args.get("table") is not None or number == name or not number.isdigit():
        return None
    return int(number)


def _written(call: Call, column: str) -> exp.Expr:
    import sqlglot
    from sqlglot import exp

    tree: exp.Expr = sqlglot.parse_one(column)
    if call.grain:
        return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(call.grain), tree])
    if call.date_part:
        return exp.Extract(this=exp.Var(this=call.date_part.upper()), expression=tree)
    return tree


def _split(template: str) -> tuple[str, list[Call]]:
    """A filter with a slot for each call, and the calls.

    Raises:
        InputError: it is too long, or holds something else in braces.
    """
    if len(template) > MOST_CHARACTERS:
        raise InputError(
            f"it has {len(template):,} characters; a filter has at most {MOST_CHARACTERS:,}"
        )
    if "{%" in template or "{#" in template:
        raise InputError("it holds a statement of Jinja: only {{ Dimension(...) }} and such are")
    if _SLOT in template.lower():
        raise InputError(f"it holds a name that begins with {_SLOT}, which is taken")
    parts = template.split("{{")
    if len(parts) - 1 > MOST_CALLS:
        raise InputError(f"it has more than {MOST_CALLS} calls in braces")
    text = [parts[0]]
    calls: list[Call] = []
    for part in parts[1:]:
        inside, mark, after = part.partition("}}")
        if not mark:
            raise InputError("it opens {{ and never closes it")
        text += [f"{_SLOT}{len(calls)}", after]
        calls.append(read_call(inside))
    written = "".join(text)
    if "}}" in written:
        raise InputError("it closes }} that it never opened")
    return written, calls


def read_call(text: str) -> Call:
    """Read what stands in double braces.

    Raises:
        InputError: it is none of the calls that are known.
    """
    return _CallReader(text).call()


class _CallReader:
    """A recursive descent over the tokens of one call."""

    def __init__(self, text: str) -> None:
        self._shown = text.strip()[:80]
        self._tokens = self._tokens_of(text.strip())
        self._at = 0

    def _tokens_of(self, text: str) -> list[tuple[str, str]]:
        tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise self._unread()
            if found.lastgroup != "blank":
                tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        return tokens

    def _unread(self) -> InputError:
        return InputError(
            f"{{{{ {self._shown} }}}} is none of Dimension, TimeDimension and Entity with names in "
            "quotes"
        )

    def _next(self, kind: str = "", value: str = "") -> str:
        """The next token, which has to be of this kind and value.

        Raises:
            InputError: it is another one.
        """
        if self._at >= len(self._tokens):
            raise self._unread()
        found, text = self._tokens[self._at]
        if (kind and found != kind) or (value and text != value):
            raise self._unread()
        self._at += 1
        return text

    def _is(self, value: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][1] == value

    def call(self) -> Call:
        function = self._next("name")
        positional, named = self._arguments()
        if function == "Metric":
            raise InputError("it filters by a metric, which is not read: filter by a dimension")
        made = self._made(function, positional, named)
        while self._is("."):
            self._next()
            method = self._next("name")
            values, named = self._arguments()
            made = self._with(made, method, values, named)
        if self._at != len(self._tokens):
            raise self._unread()
        if made.grain and made.date_part:
            raise InputError("it takes a grain and a part of a date at once")
        return made

    def _made(
        self, function: str, positional: list[Sequence[str]], named: dict[str, Sequence[str]]
    ) -> Call:
        keys = {
            "Dimension": ("name", "entity_path"),
            "TimeDimension": ("time_dimension_name", "time_granularity_name", "entity_path"),
            "Entity": ("entity_name", "entity_path"),
        }.get(function)
        if keys is None or len(positional) > len(keys):
            raise self._unread()
        if function == "TimeDimension":
            keys = (*keys, "date_part_name")
        values = dict(zip(keys, positional, strict=False))
        for key, value in named.items():
            name = {"date_part": "date_part_name"}.get(key, key)
            if name not in keys or name in values:
                raise self._unread()
            values[name] = value
        path = tuple(values.get("entity_path", ()))
        full = _single(values.get(keys[0], ()))
        entities, name = _entities(full)
        made = Call(
            {"Dimension": "dimension", "TimeDimension": "time", "Entity": "entity"}[function],  # type: ignore[arg-type]  # the keys are the functions that are read
            name,
            (*path, *entities),
        )
        made = _named_grain(made)
        if grain := _single(values.get("time_granularity_name", ())):
            made = _with_grain(made, grain)
        if part := _single(values.get("date_part_name", ())):
            made = _with_part(made, part)
        return made

    def _with(
        self, made: Call, method: str, values: list[Sequence[str]], named: dict[str, Sequence[str]]
    ) -> Call:
        given = _single([*values, *named.values()][0]) if len(values) + len(named) == 1 else ""
        if not given or made.kind == "entity":
            raise self._unread()
        if method == "grain":
            return _with_grain(made, given)
        if method == "date_part":
            return _with_part(made, given)
        raise self._unread()

    def _arguments(self) -> tuple[list[Sequence[str]], dict[str, Sequence[str]]]:
        self._next("mark", "(")
        positional: list[Sequence[str]] = []
        named: dict[str, Sequence[str]] = {}
        while not self._is(")"):
            if self._tokens[self._at : self._at + 1] and self._tokens[self._at][0] == "name":
                key = self._next("name")
                self._next("mark", "=")
                named[key] = self._value()
            elif named:
                raise self._unread()
            else:
                positional.append(self._value())
            if not self._is(")"):
                self._next("mark", ",")
        self._next("mark", ")")
        return positional, named

    def _value(self) -> Sequence[str]:
        if not self._is("["):
            return (self._next("text")[1:-1],)
        self._next()
        values: list[str] = []
        while not self._is("]"):
            values.append(self._next("text")[1:-1])
            if not self._is("]"):
                self._next("mark", ",")
        self._next()
        return values


def _single(values: Sequence[str]) -> str:
    return values[0].strip() if len(values) == 1 else ""


def _entities(full: str) -> tuple[tuple[str, ...], str]:
    """The entities before a name, and the name.

    Raises:
        InputError: a part is not a name.
    """
    parts = full.split("__")
    if not all(_NAME.fullmatch(part) for part in parts):
        raise InputError(f"{full[:80]!r} is no name: write it as entity__dimension")
    return tuple(parts[:-1]), parts[-1]


def _named_grain(call: Call) -> Call:
    """A call whose name ends in a grain: `order__ordered_at__month`."""
    if call.kind != "entity" and call.name.lower() in GRAINS and call.entities:
        return replace(
            call, name=call.entities[-1], entities=call.entities[:-1], grain=call.name.lower()
        )
    return call


def _with_grain(call: Call, grain: str) -> Call:
    if grain.lower() not in GRAINS:
        raise InputError(f"it names the grain {grain[:40]!r}: grains are {', '.join(GRAINS)}")
    return replace(call, grain=grain.lower())


def _with_part(call: Call, part: str) -> Call:
    if part.lower() not in _DATE_PARTS:
        raise InputError(f"it names the part {part[:40]!r}: parts are {', '.join(_DATE_PARTS)}")
    return replace(call, date_part=part.lower())


@dataclass(frozen=True, slots=True)
class Base:
    """Where the rows of a metric come from: a dataset, and the field of its time."""

    dataset: str
    time_field: str


class Columns:
    """The columns of a manifest by their entities and names."""

    def __init__(
        self,
        fields: Mapping[str, Mapping[str, ModelField]],
        identifying: Mapping[str, frozenset[str]],
        relationships: Sequence[Relationship],
    ) -> None:
        """Take what columns there are.

        Args:
            fields: of each dataset, by name.
            identifying: of each dataset, names of the entities whose dimensions it holds.
            relationships: joins from many to one.
        """
        self._fields = fields
        self._identifying = identifying
        self._onward: dict[str, set[str]] = {}
        for one in relationships:
            self._onward.setdefault(one.many, set()).add(one.one)
        self._distances: dict[str, dict[str, int]] = {}

    def is_time(self, dataset: str, field: str) -> bool:
        """Return whether a dataset has such a field, and it is a time."""
        found = self._fields[dataset].get(field)
        return found is not None and found.is_time

    def resolve(self, call: Call, base: Base) -> str:
        """The column that a call of a filter stands for.

        Raises:
            InputError: there is none, or more than one.
        """
        if call.is_metric_time:
            if not base.time_field:
                raise InputError(f"it names metric_time, but {base.dataset} has no time of its own")
            return self._timed(call, base.dataset, base.time_field)
        name = call.name
        if call.kind == "entity" or not call.entities:
            # Without an entity, a name is one of the metric's own dataset.
            if name in self._fields[base.dataset]:
                return self._timed(call, base.dataset, name)
            owners = [key for key, own in self._identifying.items() if name in own]
        else:
            entity = call.entities[-1]
            owners = [
                key
                for key, own in self._identifying.items()
                if entity in own and name in self._fields[key]
            ]
        return self._timed(call, self._nearest(owners, call, base), name)

    def _nearest(self, owners: Sequence[str], call: Call, base: Base) -> str:
        distances = self._reachable(base.dataset)
        near = sorted((distances[one], one) for one in owners if one in distances)
        shown = "__".join((*call.entities, call.name))
        if not near:
            raise InputError(f"it names {shown[:80]}, which {base.dataset} is not joined to")
        nearest = [one for distance, one in near if distance == near[0][0]]
        if len(nearest) > 1:
            raise InputError(f"it names {shown[:80]}, which {' and '.join(nearest[:3])} have")
        return nearest[0]

    def _reachable(self, dataset: str) -> dict[str, int]:
        """Datasets by the number of joins to them."""
        if dataset not in self._distances:
            found = {dataset: 0}
            waiting = [dataset]
            for one in waiting:
                for other in sorted(self._onward.get(one, ())):
                    if other not in found:
                        found[other] = found[one] + 1
                        waiting.append(other)
            self._distances[dataset] = found
        return self._distances[dataset]

    def _timed(self, call: Call, dataset: str, field: str) -> str:
        """The column, after a check that a grain is asked of times only."""
        is_time = self.is_time(dataset, field)
        if (call.grain or call.date_part or call.kind == "time") and not is_time:
            raise InputError(f"it takes the time of {dataset}.{field}, which is no time")
        return column_of(dataset, field)


def column_of(dataset: str, field: str) -> str:
    """Return `dataset.field` as SQL writes it."""
    return f"{identifier(dataset)}.{identifier(field)}"
