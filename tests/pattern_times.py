"""Time every pattern that Groundwire compiles on long strings made to slow it down.

    python tests/pattern_times.py [PART OF A MODULE'S NAME]   # prints the slow ones, as JSON lines

It runs in a process of its own, since the patterns are noted while the modules are imported. The
strings are made from each pattern's own parts: long runs of each character that it names, runs
behind a beginning that fits, and repeated near misses. A pattern is slow if going through
20,000 characters takes over a fifth of a second of the processor, or through 100,000 over
a second: linear patterns take a few milliseconds, quadratic ones seconds. It is searched for at
every position, unless the code only ever asks whether it matches at one (`match`, `fullmatch`).
"""

from __future__ import annotations

import ast
import collections
import importlib
import inspect
import json
import pkgutil
import re
import re._constants as codes
import re._parser as parser
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

FIRST, SHORT, LONG = 4_000, 20_000, 100_000
SLOWEST = 3  # so many of the units that take most time on the first text are tried on the long one
# On the first text, a quadratic pattern that is slow on the short one takes a 25th of its limit.
# Whatever takes half of that is tried on the short text.
FIRST_SECONDS, SHORT_SECONDS, LONG_SECONDS = 0.004, 0.2, 1.0
CATEGORIES = {
    codes.CATEGORY_DIGIT: "7",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_WORD: "-",
}
COMMON = [
    "a",
    "1",
    " ",
    "\n",
    "-",
    ".",
    '"',
    "/",
    "(",
    "{",
    "<",
    "中",
    "a ",
    "1,",
    "a.",
    "{}",
    "x=",
]
REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}


class TooSlow(Exception):
    pass


def raise_too_slow(number: int, frame: Any) -> None:
    raise TooSlow


def anchored_names(module: ModuleType) -> dict[int, bool]:
    """Return, by the line of its `re.compile`, whether a name of a module is only matched.

    A name is only matched if every use of it is `NAME.match(...)` or `NAME.fullmatch(...)`.
    """
    tree = ast.parse(inspect.getsource(module))
    defined: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name("re"), "compile"))):
                defined[name] = node.value.lineno
            case _:
                pass
    counts = collections.Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
    calls = collections.Counter(
        node.func.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.attr in ("match", "fullmatch")
    )
    return {
        line: name.startswith("_") and 0 < counts[name] == calls[name]
        for name, line in defined.items()
    }


class Compiled(NamedTuple):
    """Where a pattern is compiled, and whether it is only matched at one position there."""

    module: str
    matched: bool


def inline_patterns(module: ModuleType) -> Iterator[tuple[str, int, bool]]:
    """Yield patterns that a module gives to functions of `re`, with flags and if only matched."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), name), [ast.Constant(str(pattern)), *_]):
                if name == "compile":
                    continue
                flags = next((one.value for one in node.keywords if one.arg == "flags"), None)
                known = eval(ast.unparse(flags), {"re": re}) if flags else 0
                yield pattern, re.compile(pattern, known).flags, name in ("match", "fullmatch")
            case _:
                pass


def compiled_patterns() -> dict[tuple[str, int], Compiled]:
    """Import all of Groundwire and return its patterns with the places that compile them."""
    places: dict[tuple[str, int], set[tuple[str, int]]] = {}
    compile_pattern: Callable[..., re.Pattern[Any]] = re.compile

    def noted(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        made = compile_pattern(pattern, flags)
        caller = sys._getframe(1)
        module = str(caller.f_globals.get("__name__"))
        if isinstance(made.pattern, str) and module.startswith("groundwire"):
            place = (module, caller.f_lineno)
            places.setdefault((made.pattern, made.flags), set()).add(place)
        return made

    re.compile = noted  # type: ignore[assignment]
    for package in ("groundwire", "groundwire.servers"):
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    re.compile = compile_pattern  # type: ignore[assignment]
    names = {module for found in places.values() for module, _ in found}
    anchored = {name: anchored_names(sys.modules[name]) for name in names}
    found = {
        key: Compiled(min(found)[0], all(anchored[name].get(line) for name, line in found))
        for key, found in places.items()
    }
    for name, module in sorted(sys.modules.items()):
        if name.startswith("groundwire") and module.__file__:
            for pattern, flags, matched in inline_patterns(module):
                found.setdefault((pattern, flags), Compiled(name, matched))
    return found


def characters(tree: Any) -> Iterator[str]:  # noqa: C901
    """Yield characters that the parts of a pattern match."""
    for code, value in tree:
        if code is codes.LITERAL:
            yield chr(value)
        elif code in (codes.NOT_LITERAL, codes.ANY):
            yield "a"
        elif code is codes.CATEGORY:
            yield CATEGORIES.get(value, "a")
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.IN:
            yield from characters(value)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from characters(branch)
        elif code is codes.SUBPATTERN:
            yield from characters(value[3])
        elif code in REPEATS:
            yield from characters(value[2])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from characters(value[1])
        elif code is codes.ATOMIC_GROUP:
            yield from characters(value)


def example(tree: Any) -> str:
    """Return a short text that fits a pattern, or nearly does."""
    text = ""
    for code, value in tree:
        if code is codes.BRANCH:
            text += example(value[1][0])
        elif code is codes.SUBPATTERN:
            text += example(value[3])
        elif code in REPEATS:
            text += example(value[2]) * max(value[0], min(3, int(value[1])))
        elif code is codes.ATOMIC_GROUP:
            text += example(value)
        elif code not in (codes.ASSERT, codes.ASSERT_NOT):
            text += next(characters([(code, value)]), "")
    return text


def repeats(tree: Any) -> bool:
    """Whether a part of a pattern may match more than once; without one it takes linear time."""
    for code, value in tree:
        if code is codes.BRANCH:
            inner = value[1]
        elif code is codes.SUBPATTERN:
            inner = [value[3]]
        elif code in REPEATS:
            inner = [value[2]]
            if value[1] > 1:
                return True
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            inner = [value[1]]
        elif code is codes.ATOMIC_GROUP:
            inner = [value]
        elif code is codes.GROUPREF_EXISTS:
            return True
        else:
            continue
        if any(map(repeats, inner)):
            return True
    return False


def adversarial(pattern: str, flags: int) -> list[str]:
    """Return the units that long strings for this pattern are made of, beginning and repetition."""
    tree = parser.parse(pattern, flags)
    own = list(dict.fromkeys(characters(tree)))[:24]
    fits = example(tree)
    units = [*own, *COMMON, fits, fits[:-1], fits[1:]]
    units += [one + other for one in own[:5] for other in own[:5] if one < other]
    units += [fits + one for one in own[:6]]
    return [unit for unit in dict.fromkeys(units) if unit]


def seconds_of(
    pattern: re.Pattern[str],
    matched: bool,
    text: str,
    limit: float,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Go through a whole text; return the seconds by a clock, or the limit of the processor's."""
    began = clock()
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        if matched:
            pattern.match(text)
            pattern.fullmatch(text)
        else:
            for _ in pattern.finditer(text):
                pass
    except TooSlow:
        return limit
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return clock() - began


def slow_string(pattern: re.Pattern[str], matched: bool, fits: list[str]) -> str | None:
    """Return a unit whose repetition slows the pattern down, or None."""
    taken: dict[str, float] = {}
    for unit in fits:
        text = repeated(unit, FIRST)
        taken[unit] = first_seconds(pattern, matched, text)
        if taken[unit] >= FIRST_SECONDS:
            whole = seconds_of(pattern, matched, repeated(unit, SHORT), SHORT_SECONDS)
            if whole >= SHORT_SECONDS:
                return unit
    for unit in sorted(taken, key=taken.__getitem__, reverse=True)[:SLOWEST]:
        text = repeated(unit, LONG)
        if seconds_of(pattern, matched, text, LONG_SECONDS) >= LONG_SECONDS:
            return unit
    return None


def first_seconds(pattern: re.Pattern[str], matched: bool, text: str) -> float:
    """Return the shorter of two times: the processor's clock is too coarse for a short text."""
    return min(
        seconds_of(pattern, matched, text, SHORT_SECONDS, time.perf_counter) for _ in range(2)
    )


def repeated(unit: str, size: int) -> str:
    """Return a text of a size that repeats a unit, with an end that no unit has."""
    return (unit * (size // len(unit) + 1))[:size] + "\0"


def main() -> None:
    signal.signal(signal.SIGPROF, raise_too_slow)
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    patterns = compiled_patterns()
    for (pattern, flags), place in patterns.items():
        if only and only not in place.module:
            continue
        if not repeats(parser.parse(pattern, flags)):
            continue
        compiled = re.compile(pattern, flags)
        unit = slow_string(compiled, place.matched, adversarial(pattern, flags))
        if unit is not None:
            print(
                json.dumps({"module": place.module, "pattern": pattern[:300], "unit": unit[:60]}),
                flush=True,
            )
    print(json.dumps({"patterns": len(patterns)}))


if __name__ == "__main__":
    main()
