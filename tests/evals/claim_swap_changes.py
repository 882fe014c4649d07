"""False drafts made of true ones: names and figures swapped, words taken out and put in.

Each change is of one class of `CLASSES`. The words come from `claim_check/swaps.toml`; names and
figures from what the tools answered and from the other drafts about the same world.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, cast

from groundwire.language.glossary import other_words
from groundwire.language.places import other_names
from tests.evals.claim_check_drafts import Draft

CLASSES = (
    "names swapped",
    "figures swapped",
    "another name",
    "another figure",
    "another word",
    "word deleted",
    "word inserted",
    "sentences joined",
)
# How many changes of a class are made of one draft.
MOST = 2
_SHORT, _LONG = 2, 60
# Two figures that lie no farther apart may be one, rounded.
_NEAR = 0.05
# Keys of answers whose texts are names; those of one key may stand for each other.
_KEYS = (
    ("label", "name", "concept", "front"),
    ("line", "lines"),
    ("from", "to", "stops", "stop"),
    ("rows",),
    ("text",),
    ("value",),
    ("publisher",),
)
_KIND_OF_KEY = {key: keys[0] for keys in _KEYS for key in keys}
_NUMBER = r"(?<![\w.,:/-])\d+(?:[.,]\d+)*(?![\w:/-]|[.,]\d)"
_NUMBER_ZH = r"(?<![\dA-Za-z.,:/-])\d+(?:[.,]\d+)*(?![\dA-Za-z:/-]|[.,]\d)"
_TIME = r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])"
_YEAR = re.compile(r"(?:19|20)\d\d")
# Between two names of one list, or two clauses that tell the same of both, stands nothing but
# signs, words that join, and other names.
_GLUE = re.compile(
    r"(?:[\s,、;；:/|*\"“”„«»()-]|(?<=, )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*(?=, | and | und )"
    r"|(?<=、)[\u4e00-\u9fff]+(?=[、和与及])"
    r"|\b(?:and|or|und|oder|sowie|between|zwischen|the|der|die|das)\b|[和与及以或跟])*"
)
_ORDERED = re.compile(
    r"respective|jeweils(?! \d[\d,.]*\W*$)|\border|reihenfolge|分别|依次|follow|folgt|其次|then"
    r"|dann|[→>]",
    re.I,
)
# A list of examples: another name of the same list may be one too.
_EXAMPLES = re.compile(
    r"among|such as|example|instance|e\.g\.|includ|both|darunter|zum beispiel|etwa|unter anderem"
    r"|beide|例如|包括|比如|如|都",
    re.I,
)
# A figure behind a bound may be another, and a figure at the start of a line counts the lines.
_BOUNDED = re.compile(
    r"(?:than|more|less|fewer|over|under|above|below|passed|least|most|mehr als|über|unter|gut"
    r"|knapp|weniger als|mindestens|höchstens|超过|高于|低于|不到|多于|以上|至少)\s*"
    r"(?:[A-Z]{3} |[$€£¥])?$"
    r"|(?:^|\n)\s*$",
    re.I,
)
# Between two names of one thing.
_SAME = re.compile(r"also called|also known|stands for|auch|steht für|也叫|又称|[(（]", re.I)
# No sentence: a gap in a list, or words told twice.
_BROKEN = re.compile(
    r"[、：:，,（(与和及][ ]?[、，,。.]|位于[，。]|^\W*[、，的]|\|\s*\|(?!\n|-)"
    r"|\b(\w+(?: \w+)?) \1\b|per capita per|pro Kopf pro|美美",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ\"“])|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The values and names of a world that other records or drafts hold.

    Attributes:
        kind_of: the kind of each name.
        names: the names of the world, by kind, in order.
        figures: the figures of the drafts of the world, by language.
    """

    kind_of: Mapping[str, str]
    names: Mapping[str, Sequence[str]]
    figures: Mapping[str, Sequence[str]]


def _names_in(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names within an answer, each with its kind."""
    if isinstance(value, dict):
        for one, held in cast("dict[str, Any]", value).items():
            yield from _names_in(held, one)
    elif isinstance(value, list):
        for held in cast("list[Any]", value):
            yield from _names_in(held, key)
    elif isinstance(value, str) and key in _KIND_OF_KEY and _is_name(value):
        yield value, _KIND_OF_KEY[key]


def _is_name(text: str) -> bool:
    return _SHORT < len(text) <= _LONG and not re.search(r"[:{}_]|^\d|\d$", text)


def recorded(
    results: Sequence[Mapping[str, Any]], drafts: Sequence[Draft], words: Mapping[str, Any]
) -> Recorded:
    """Return the names and figures of a world.

    Args:
        results: what its tools answered.
        drafts: the true drafts about it.
        words: those of `swaps.toml`.
    """
    kind_of = dict(pair for result in results for pair in _names_in(dict(result)))
    for language, of in words.items():
        kind_of |= {
            name: f"{language} {kind}" for kind, some in of["names"].items() for name in some
        }
    told = " ".join(draft.text for draft in drafts)
    names: dict[str, list[str]] = {}
    for name, kind in kind_of.items():
        if kind.partition(" ")[0] not in words or name in told:
            names.setdefault(kind, []).append(name)
    figures: dict[str, list[str]] = {}
    for draft in drafts:
        known = figures.setdefault(draft.language, [])
        known += [one[0] for one in _figures(draft) if one[0] not in known]
    return Recorded(kind_of, names, figures)


def changes(draft: Draft, world: Recorded, words: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield drafts with one thing changed, each with the class of the change."""
    rng = random.Random(draft.text)
    makers: dict[str, Iterator[str]] = {
        "names swapped": _names_swapped(draft, world),
        "figures swapped": _figures_swapped(draft),
        "another name": _another_name(draft, world, rng),
        "another figure": _another_figure(draft, world, rng),
        "another word": _another_word(draft, words["others"]),
        "word deleted": _deleted(draft, words["deleted"]),
        "word inserted": _inserted(draft, world, words, rng),
        "sentences joined": _joined(draft, world, words["joiners"], rng),
    }
    for kind in CLASSES:
        made = [text for text in dict.fromkeys(makers[kind]) if text != draft.text]
        made = [text for text in made if _gaps(text) <= _gaps(draft.text)]
        rng.shuffle(made)
        most = 2 * MOST if kind == "word inserted" else MOST
        yield from ((kind, text) for text in made[:most])


def _gaps(text: str) -> int:
    """Return how many places of a text make no sentence of it."""
    return sum(1 for _ in _BROKEN.finditer(text))


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one thing, as far as their letters or the glossary tell."""
    keys = [re.sub(r"[\W_]|lines?$", "", name.casefold()) for name in (one, other)]
    return keys[0] == keys[1] or other in (*other_words(one), *other_names(one))


def _found(draft: Draft, world: Recorded) -> list[re.Match[str]]:
    """Return where names stand in a draft, the longest at each place, in order."""
    own = [
        name
        for name, kind in world.kind_of.items()
        if name in draft.text and (" " not in kind or kind.startswith(draft.language))
    ]
    if not own:
        return []
    longest = sorted(own, key=len, reverse=True)
    pattern = "|".join(_edged(name) for name in longest)
    return list(re.finditer(pattern, draft.text))


def _edged(word: str) -> str:
    """Return a pattern that finds a word where it stands alone."""
    left = r"(?<![A-Za-zÀ-ž0-9])" if word[0].isalnum() and word[0] < "\u3000" else ""
    right = r"(?![A-Za-zÀ-ž0-9])" if word[-1].isalnum() and word[-1] < "\u3000" else ""
    return left + re.escape(word) + right


def _names_swapped(draft: Draft, world: Recorded) -> Iterator[str]:
    found = _found(draft, world)
    names = list(dict.fromkeys(one[0] for one in found))
    for first, second in combinations(names, 2):
        if world.kind_of[first] != world.kind_of[second] or _are_alike(draft, found, first, second):
            continue
        turned = {first: second, second: first}
        yield _put(draft.text, [(one.span(), turned.get(one[0], one[0])) for one in found])


def _are_alike(draft: Draft, found: Sequence[re.Match[str]], first: str, second: str) -> bool:
    """Whether each place of two names is within one list of both."""
    if _ORDERED.search(draft.text):
        return False
    places = [one for one in found if one[0] in (first, second)]
    if len(places) % 2:
        return False
    pairs = zip(places[::2], places[1::2], strict=True)
    return all(
        a[0] != b[0]
        and (
            _is_list(draft.text[a.end() : b.start()], found, a.end())
            or _SAME.search(draft.text, a.end(), b.start()) is not None
        )
        for a, b in pairs
    )


def _is_list(text: str, found: Sequence[re.Match[str]], start: int) -> bool:
    for one in found:
        if start <= one.start() < start + len(text):
            at = one.start() - start
            text = text[:at] + "," * len(one[0]) + text[at + len(one[0]) :]
    return bool(_GLUE.fullmatch(text))


def _put(text: str, parts: Sequence[tuple[tuple[int, int], str]]) -> str:
    for (start, end), new in sorted(parts, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _figures(draft: Draft) -> list[re.Match[str]]:
    number = _NUMBER_ZH if draft.language == "zh" else _NUMBER
    found = re.finditer(f"{_TIME}|{number}", draft.text)
    return [one for one in found if not _BOUNDED.search(draft.text[: one.start()])]


def _shape(figure: str) -> str:
    """Return what kind of figure it is: a time, a year, or a number by its length."""
    if ":" in figure:
        return "time"
    if _YEAR.fullmatch(figure):
        return "year"
    long = "long" if len(re.split(r"[.,]", figure)) > 2 or len(figure) > 6 else "short"
    return f"{long} {bool(re.search('[.,]', figure))}"


def _is_rounded(one: str, other: str) -> bool:
    """Whether two figures are the same, or may be to fewer places."""
    numbers = [re.sub(r"[.,](?=\d{3}(?!\d))", "", text).replace(",", ".") for text in (one, other)]
    if not all(re.fullmatch(r"\d+(?:\.\d+)?", number) for number in numbers):
        return False
    first, second = map(float, numbers)
    return abs(first - second) <= max(first, second) * _NEAR


def _figures_swapped(draft: Draft) -> Iterator[str]:
    for one, other in combinations(_figures(draft), 2):
        if one[0] == other[0] or _shape(one[0]) != _shape(other[0]):
            continue
        between = draft.text[one.end() : other.start()]
        if _GLUE.fullmatch(between) and not _ORDERED.search(draft.text):
            continue
        yield _put(draft.text, [(one.span(), other[0]), (other.span(), one[0])])


def _another_name(draft: Draft, world: Recorded, rng: random.Random) -> Iterator[str]:
    for one in _found(draft, world) if not _EXAMPLES.search(draft.text) else ():
        of_kind = world.names.get(world.kind_of[one[0]], ())
        others = [name for name in of_kind if name not in one[0] and one[0] not in name]
        others = [name for name in others if not _is_same(one[0], name)]
        if others:
            yield _put(draft.text, [(one.span(), rng.choice(others))])


def _another_figure(draft: Draft, world: Recorded, rng: random.Random) -> Iterator[str]:
    for one in _figures(draft):
        others = [
            figure
            for figure in world.figures.get(draft.language, ())
            if not _is_rounded(figure, one[0]) and _shape(figure) == _shape(one[0])
        ]
        for other in rng.sample(others, min(2, len(others))):
            yield _put(draft.text, [(one.span(), other)])


def _another_word(draft: Draft, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    for old, new in pairs:
        for found in list(re.finditer(_edged(old), draft.text))[:2]:
            if re.search(r"\d ?$", draft.text[: found.start()]):  # 80 thousand is less, too
                before = re.sub(r"[\d.,]+ ?$", "", draft.text[: found.start()])
                if _BOUNDED.search(before):
                    continue
            yield re.sub("  +", " ", _put(draft.text, [(found.span(), new)]))


def _deleted(draft: Draft, words: Sequence[str]) -> Iterator[str]:
    for word in words:
        for found in list(re.finditer(_edged(word), draft.text))[:2]:
            text = re.sub(r" +(?=[ ,.;])", "", _put(draft.text, [(found.span(), "")])).strip()
            yield text[:1].upper() + text[1:]


def _inserted(
    draft: Draft, world: Recorded, words: Mapping[str, Any], rng: random.Random
) -> Iterator[str]:
    text, space = draft.text, "" if draft.language == "zh" else " "
    nouns = {"en": r"\b[Tt]he (?=[a-z])", "de": r"\b[Dd]ie (?=[A-ZÄÖÜ])", "zh": r"的(?=\w)"}
    for found in re.finditer(nouns[draft.language], text):
        word = rng.choice(words["inserted_before_nouns"])
        yield text[: found.end()] + word + space + text[found.end() :]
    for found in re.finditer(r"(?<=\w)\.(?= |$)|(?<=[\w）])。", text):
        tail = rng.choice(words["inserted_tails"])
        yield text[: found.start()] + space + tail + text[found.start() :]
    for one in _figures(draft):
        word = rng.choice(words["inserted_before_figures"])
        yield text[: one.start()] + word + space + text[one.start() :]
    for one in _found(draft, world):
        word = rng.choice(words["inserted_after_names"])
        apart = "" if word.startswith("'") else space
        yield text[: one.end()] + apart + word + text[one.end() :]


def _joined(
    draft: Draft, world: Recorded, joiners: Sequence[str], rng: random.Random
) -> Iterator[str]:
    """Yield drafts whose first subject is told the predicate of the next sentence."""
    sentences = [one for one in _SENTENCE.split(draft.text) if one.strip()]
    clauses = [part for one in sentences for part in re.split("|".join(joiners), one)]
    for before, after in pairwise(clauses):
        first = _subject(before, draft, world)
        second = _subject(after, draft, world)
        if first and second and first[0] != second[0]:
            yield draft.text.replace(after, first[0] + after[second.end() :]).replace(before, "", 1)
            yield draft.text.replace(after, first[0] + after[second.end() :])


def _subject(clause: str, draft: Draft, world: Recorded) -> re.Match[str] | None:
    part = Draft(draft.world, clause, "true", "", (), draft.language, "")
    found = [
        one for one in _found(part, world) if clause[: one.start()].strip() in ("", "In", "In the")
    ]
    return found[0] if found else None
