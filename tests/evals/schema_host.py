"""A scripted host that knows nothing of an endpoint but what `describe_schema` says of it.

It matches the words of a task with names and labels of the answer, letter by letter, and writes the
one query that the answers allow. What is not said there it does not guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple

MOST_CALLS = 3
_LABELS = ("label", "pref label", "name", "title")
_USE = re.compile(r'(?P<name>\S+)(?: "(?P<label>[^"]*)")?(?: → (?P<range>.*))?')
_COLUMN = re.compile(r'(?P<name>"(?:[^"]|"")*"|\S+) (?P<type>.*?)(?: → (?P<to>\S+))?')
_FIELD = re.compile(r"(?P<name>\w+)(?:\((?P<arguments>.*)\))?: (?P<type>.*)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")

Call = Callable[..., Awaitable[dict[str, Any]]]


class LostError(Exception):
    """The answers do not say what the host needs."""


class Use(NamedTuple):
    """A predicate of a class: how queries write it, what it is called, and what stands there."""

    path: str
    names: frozenset[str]
    ranges: tuple[str, ...]


def words(text: str) -> str:
    return " ".join(part for part in _CAMEL.split(text) if part).casefold()


def names_of(name: str, label: str | None = None) -> frozenset[str]:
    last = re.split(r"[/^]", name)[-1].rpartition(":")[2].rpartition(".")[2].strip('"')
    return frozenset(words(text) for text in (last, label or "") if text)


def pick(items: Iterable[Any], wanted: str, names: Callable[[Any], frozenset[str]]) -> Any:
    """The one that is called so; else the shortest name that has all the words; else None."""
    listed = list(items)
    for one in listed:
        if wanted in names(one):
            return one
    parts = set(wanted.split())
    near = [
        (len(name), at)
        for at, one in enumerate(listed)
        for name in names(one)
        if parts <= {*name.split(), *(word.removesuffix("s") for word in name.split())}
    ]
    return listed[min(near)[1]] if near else None


def use_of(text: str) -> Use:
    found = _USE.fullmatch(text)
    if found is None:
        raise LostError(f"a use that is not understood: {text}")
    ranges = tuple(part for part in (found["range"] or "").split(" | ") if part)
    return Use(found["name"], names_of(found["name"], found["label"]), ranges)


class Host:
    """One task of one endpoint."""

    def __init__(self, call: Call, task: dict[str, Any]) -> None:
        self._call, self.task, self.calls = call, task, 0
        self.sizes: list[int] = []
        self.query = ""
        self.entries: list[dict[str, Any]] = []
        self.prefixes: dict[str, str] = {}

    async def texts(self) -> list[str]:
        """The cells that the host would tell."""
        if self.task.get("style") == "search":
            said = [self.task["thing"], *self.task.get("get", ()), *self.task.get("where", ())]
            await self.describe(search=" ".join(said))
        else:
            await self.describe()
        kind = {one["kind"] for one in self.entries}
        if kind & {"table", "column"}:
            return await self._sql()
        if kind & {"type", "field"}:
            return await self._graphql()
        return await self._sparql()

    async def describe(self, **asked: str) -> None:
        self._count()
        found = await self._call("describe_schema", endpoint=self.task["endpoint"], **asked)
        self.sizes.append(len(json.dumps(found, ensure_ascii=False).encode()))
        self.entries = [*found["entries"], *self.entries]
        self.prefixes |= found.get("prefixes", {})

    def _count(self) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise LostError("a fourth call")

    async def _run(self, language: str, query: str) -> dict[str, Any]:
        self._count()
        self.query = query
        return await self._call(
            "execute_query", query_language=language, query_string=query,
            endpoint=self.task["endpoint"], limit=200,
        )  # fmt: skip

    def _entry(self, kind: str, wanted: str) -> dict[str, Any]:
        listed = (one for one in self.entries if one["kind"] == kind)
        found = pick(listed, wanted, lambda one: names_of(one["name"], one.get("label")))
        if found is None:
            raise LostError(f"no {kind} {wanted}")
        return found

    # Graphs

    def _uses(self, class_: str) -> list[Use]:
        found: dict[str, Use] = {}
        for one in self.entries:
            if one["kind"] == "class" and one["name"] == class_:
                found |= {use.path: use for use in map(use_of, one.get("has", ()))}
            if one["kind"] == "predicate" and class_ in one.get("of", ()):
                names = names_of(one["name"], one.get("label"))
                found[one["name"]] = Use(one["name"], names, tuple(one.get("range", ())))
                for text in one.get("inside", ()):
                    inner = use_of(text.partition(" e.g. ")[0])
                    path = f"{one['name']}/{inner.path}"
                    found[path] = inner._replace(path=path)
        return list(found.values())

    def _classes(self) -> set[str]:
        return {one["name"] for one in self.entries if one["kind"] == "class"}

    def _labels(self, class_: str) -> str:
        uses = self._uses(class_)
        for wanted in _LABELS:
            found = [use.path for use in uses if wanted in use.names and use.path[0] != "^"]
            if found:
                return found[0]
        return ""

    async def _use(self, class_: str, wanted: str) -> Use:
        found = pick(self._uses(class_), wanted, lambda use: use.names)
        if found is None and self.calls < MOST_CALLS - 1:
            await self.describe(of=class_)
            found = pick(self._uses(class_), wanted, lambda use: use.names)
        if found is None:
            raise LostError(f"{class_} has no {wanted}")
        return found

    def _named(self, variable: str, class_: str, text: str) -> str:
        label = self._labels(class_)
        if not label:
            raise LostError(f"{class_} has no labels")
        same = f"FILTER(STR(?{variable}_) = {json.dumps(text, ensure_ascii=False)})"
        return f"?{variable} {label} ?{variable}_ . {same}"

    async def _conditions(self, class_: str) -> tuple[list[str], str]:
        """The patterns of what the task says of the things, and the end of the query."""
        task = self.task
        lines, tail = [f"?x a {class_} ."], ""
        if task.get("named"):
            lines.append(self._named("x", class_, task["named"]))
        for at, (word, value) in enumerate(task.get("where", {}).items()):
            use = await self._use(class_, word)
            lines.append(f"?x {use.path} ?w{at} .")
            held = [one for one in use.ranges if one in self._classes()]
            if held:
                lines.append(self._named(f"w{at}", held[0], str(value)))
            else:
                lines.append(f"FILTER(STR(?w{at}) = {json.dumps(str(value))})")
        for at, (word, value) in enumerate(task.get("over", {}).items()):
            use = await self._use(class_, word)
            lines.append(f"?x {use.path} ?o{at} . FILTER(?o{at} > {value})")
        if task.get("most"):
            use = await self._use(class_, task["most"])
            lines.append(f"?x {use.path} ?m .")
            tail = "ORDER BY DESC(?m) LIMIT 1"
        return lines, tail

    async def _sparql(self) -> list[str]:
        task = self.task
        class_ = self._entry("class", task["thing"])["name"]
        if task.get("named") and not self._labels(class_):
            await self.describe(of=class_)
        lines, tail = await self._conditions(class_)
        shown = "?t"
        at_class, path = class_, []
        for word in task.get("get", ()):
            use = await self._use(at_class, word)
            path.append(use.path)
            at_class = next((one for one in use.ranges if one in self._classes()), "")
        if task.get("count"):
            shown = "(COUNT(DISTINCT ?x) AS ?t)"
        elif not path:
            lines.append(f"?x {self._labels(class_)} ?t .")
        elif at_class and (label := self._labels(at_class)):
            lines.append(f"?x {'/'.join(path)} ?v . ?v {label} ?t .")
        else:
            lines.append(f"?x {'/'.join(path)} ?t .")
        if not task.get("count"):
            lines.append('FILTER(LANG(?t) IN ("", "en"))')
        declared = "".join(f"PREFIX {one}: <{base}>\n" for one, base in self.prefixes.items())
        distinct = "" if task.get("count") else "DISTINCT "
        if tail:
            distinct = ""
        body = "\n  ".join(lines)
        found = await self._run(
            "sparql", f"{declared}SELECT {distinct}{shown} WHERE {{\n  {body}\n}} {tail}"
        )
        return [str(row[0]) for row in found["rows"]]

    # Tables

    def _columns(self, table: str) -> dict[str, tuple[frozenset[str], str]]:
        """Of each column its words, and what it refers to."""
        found: dict[str, tuple[frozenset[str], str]] = {}
        for one in self.entries:
            if one["kind"] == "table" and one["name"] == table:
                for text in one.get("columns", ()):
                    match = _COLUMN.fullmatch(text)
                    if match:
                        found[match["name"]] = (names_of(match["name"]), match["to"] or "")
            if one["kind"] == "column" and one.get("table") == table:
                found[one["name"]] = (names_of(one["name"]), one.get("refers_to", ""))
        return found

    async def _column(self, table: str, wanted: str) -> tuple[str, str]:
        """A column, and the join that it needs."""
        columns = self._columns(table)
        found = pick(columns, wanted, lambda name: columns[name][0])
        if found is None and not columns and self.calls < MOST_CALLS - 1:
            await self.describe(of=table)
            columns = self._columns(table)
            found = pick(columns, wanted, lambda name: columns[name][0])
        if found is not None:
            return f"{table}.{found}", ""
        for name, (_, to) in columns.items():
            other, _, key = to.rpartition(".")
            theirs = self._columns(other) if other else {}
            found = pick(theirs, wanted, lambda one, held=theirs: held[one][0])
            if found is not None:
                return f"{other}.{found}", f" JOIN {other} ON {table}.{name} = {other}.{key}"
        raise LostError(f"{table} has no {wanted}")

    async def _sql(self) -> list[str]:
        task = self.task
        table = self._entry("table", task["thing"])["name"]
        joins: dict[str, None] = {}
        conditions: list[str] = []
        for word, value in task.get("where", {}).items():
            column, join = await self._column(table, word)
            joins[join] = None
            text = f"'{value}'" if isinstance(value, str) else str(value)
            conditions.append(f"{column} = {text}")
        shown = "count(*)"
        if task.get("get"):
            shown, join = await self._column(table, task["get"][0])
            joins[join] = None
        if task.get("top"):
            shown = f"max({(await self._column(table, task['top']))[0]})"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        found = await self._run("sql", f"SELECT {shown} FROM {table}{''.join(joins)}{where}")
        return [str(row[0]) for row in found["rows"]]

    # GraphQL

    def _fields(self, type_: str) -> dict[str, re.Match[str]]:
        listed = [
            text
            for one in self.entries
            if one["kind"] == "type" and one["name"] == type_
            for text in one.get("fields", ())
        ]
        found = (_FIELD.fullmatch(text) for text in listed)
        return {match["name"]: match for match in found if match}

    async def _graphql(self) -> list[str]:
        task = self.task
        wanted = self._entry("type", task["thing"])["name"]
        roots = self._fields("Query")
        root = next(
            (name for name, field in roots.items() if re.sub(r"\W", "", field["type"]) == wanted
             and field["type"].startswith("[")), None,
        )  # fmt: skip
        if root is None:
            raise LostError(f"nothing lists {wanted}")
        sent: list[str] = []
        for word, value in task.get("where", {}).items():
            known = [
                part.split(":")[0].strip() for part in (roots[root]["arguments"] or "").split(",")
            ]
            name = pick(known, word, names_of)
            if name is None:
                raise LostError(f"{root} takes no {word}")
            sent.append(f"{name}: {json.dumps(value)}")
        type_, selected = wanted, []
        for word in task["get"]:
            fields = self._fields(type_)
            name = pick(fields, word, names_of)
            if name is None:
                raise LostError(f"{type_} has no {word}")
            selected.append(name)
            type_ = re.sub(r"\W", "", fields[name]["type"])
        inner = " { ".join(selected) + " }" * (len(selected) - 1)
        arguments = f"({', '.join(sent)})" if sent else ""
        found = await self._run("graphql", f"{{ {root}{arguments} {{ {inner} }} }}")
        if not found["rows"]:
            raise LostError(found["answer"])
        return list(_leaves(json.loads(found["rows"][0][0])))


def _leaves(tree: Any) -> Iterable[str]:
    if isinstance(tree, dict):
        for one in tree.values():
            yield from _leaves(one)
    elif isinstance(tree, list):
        for one in tree:
            yield from _leaves(one)
    else:
        yield str(tree)
