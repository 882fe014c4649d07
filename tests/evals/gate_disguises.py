"""Disguises of names: each class hides a name in its own way, and most can be laid over others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from groundwire.metrics.gate.readings import read_table

# Invented companies: what is looked for.
ENGLISH = (
    "Orvex",
    "Mirandel",
    "Quillon Foods",
    "Thornwick & Sons",
    "Zephyrium",
    "Brackwell Mining",
    "Velmora",
    "K7 Labs",
    "Widdemar-Lode",
    "Solivane",
)
CHINESE = ("竞安", "恒栎科技", "岭鹭电子", "云砾", "华岫食品集团", "飏启")
OTHERS = ("Орвекс", "한벼리전자", "オルベラ電機")
CARRIERS = (
    "What was the revenue of {} in 2024?",
    "{} 2023Q4 profit",
    "compare our margin with {}",
    "Is it true that ({}) grew, as they said?",
    "{}的营业收入是多少",
    "请问2024年{}的利润",
    "把我们和“{}”比较一下",
)
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u180e\u3164\u115f\ufe0f\u2062\u17b5"
BIDI = "\u200e\u200f\u202a\u202d\u202c\u2066\u2067\u2068\u2069"
MARKS = "\u0301\u0308\u0323\u0327\u0336\u20dd\u0489"
SEPARATORS = (*".-_*/·•~|,;:'\"#\\—…、。・（）",)
DIGITS = {"o": "0", "i": "1", "l": "1", "e": "3", "a": "4", "s": "5", "t": "7", "b": "8", "z": "2"}
SIGNS = {"a": "@", "s": "$", "e": "€", "i": "!", "l": "|", "t": "+"}
ALIKE = {"l": "I", "i": "l", "o": "0"}
# Offsets of the alphabets of Unicode that start at a capital: bold, script, fraktur, monospace.
STYLES = (0x1D400, 0x1D4D0, 0x1D56C, 0x1D670, 0x24B6, 0x1F130, 0x1F170, 0x1F1E6, 0xFF21)

Letters = list[str]
Disguise = Callable[[Letters, random.Random], Letters]


def is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalpha()


@cache
def lookalikes() -> dict[str, list[str]]:
    """Lookalikes of each Latin letter, and the other forms of each Chinese character."""
    found: dict[str, list[str]] = {}
    for table in ("lookalike_letters", "han"):
        for source, target in read_table(table).items():
            found.setdefault(target, []).append(source)
    return found


def some(letters: Letters, rng: random.Random, change: Callable[[str], str | None]) -> Letters:
    """Change at least one of the letters that can be changed, each other with even odds."""
    able = [at for at, letter in enumerate(letters) if change(letter) not in (None, letter)]
    if not able:
        return letters
    sure = rng.choice(able)
    return [
        change(letter) or letter if at == sure or (at in able and rng.random() < 0.5) else letter
        for at, letter in enumerate(letters)
    ]


def case(letters: Letters, rng: random.Random) -> Letters:
    return some(letters, rng, lambda one: rng.choice((one.upper(), one.lower())))


def width(letters: Letters, rng: random.Random) -> Letters:
    return some(letters, rng, lambda one: chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else None)


def style(letters: Letters, rng: random.Random) -> Letters:
    start = rng.choice(STYLES)
    return some(
        letters, rng, lambda one: chr(start + ord(one.upper()) - 65) if is_latin(one) else None
    )


def lookalike(letters: Letters, rng: random.Random) -> Letters:
    table = lookalikes()
    return some(
        letters, rng, lambda one: rng.choice(table[one.lower()]) if one.lower() in table else None
    )


def mark(letters: Letters, rng: random.Random) -> Letters:
    return some(
        letters,
        rng,
        lambda one: one + rng.choice(MARKS) * rng.randint(1, 3) if one[-1:].isalpha() else None,
    )


def replaced(letters: Letters, rng: random.Random, table: dict[str, str]) -> Letters:
    """At most a third of the letters by what looks like them."""
    able = [at for at, one in enumerate(letters) if one.lower() in table]
    changed = list(letters)
    for at in rng.sample(able, min(len(able), max(1, len(letters) // 3))):
        changed[at] = table[letters[at].lower()]
    return changed


def digits(letters: Letters, rng: random.Random) -> Letters:
    return replaced(letters, rng, DIGITS)


def signs(letters: Letters, rng: random.Random) -> Letters:
    # A sign that ends a name is read as punctuation after it.
    return [*replaced(letters[:-1], rng, SIGNS), letters[-1]]


def alike(letters: Letters, rng: random.Random) -> Letters:
    return replaced(letters, rng, ALIKE)


def pair(letters: Letters, rng: random.Random) -> Letters:
    table = {"m": "rn", "w": "vv", "d": "cl"}
    one = rng.choice([*table])
    return [table[one] if letter.lower() == one else letter for letter in letters]


def between(letters: Letters, rng: random.Random, make: Callable[[], str]) -> Letters:
    """Something after at least one of the letters, but not after the last."""
    if len(letters) < 2:
        return letters
    sure = rng.randrange(len(letters) - 1)
    return [
        one + make() if at == sure or (at < len(letters) - 1 and rng.random() < 0.5) else one
        for at, one in enumerate(letters)
    ]


def invisible(letters: Letters, rng: random.Random) -> Letters:
    return between(letters, rng, lambda: rng.choice(INVISIBLE) * rng.randint(1, 3))


def bidi(letters: Letters, rng: random.Random) -> Letters:
    return between(letters, rng, lambda: rng.choice(BIDI))


def punctuated(letters: Letters, rng: random.Random) -> Letters:
    return between(letters, rng, lambda: rng.choice(SEPARATORS) * rng.randint(1, 2))


def spelt_out(letters: Letters, rng: random.Random) -> Letters:
    sign = rng.choice([" ", "  ", "\t", "\n", "\u3000", *SEPARATORS])
    return [one + sign for one in letters[:-1]] + letters[-1:]


def tagged(letters: Letters, rng: random.Random) -> Letters:
    return between(
        letters, rng, lambda: rng.choice(("<b>", "</i>", "<br/>", "<!-- x -->", '<a b="c">'))
    )


def stretched(letters: Letters, rng: random.Random) -> Letters:
    at = rng.randrange(len(letters))
    return [
        one * rng.randint(3, 6) if at == place and one.isalpha() else one
        for place, one in enumerate(letters)
    ]


def encoded(text: str, rng: random.Random) -> str:
    """Some or all of the characters as an encoding writes them."""
    kind, whole = rng.randrange(7), rng.random() < 0.5
    parts: Letters = []
    for char in text:
        if not whole and rng.random() < 0.5:
            parts.append(char)
        elif kind == 0:
            parts.append(f"&#{ord(char)};")
        elif kind == 1:
            parts.append(f"&#x{ord(char):X};")
        elif kind == 2:
            parts.append("".join(f"%{byte:02X}" for byte in char.encode()))
        elif kind == 3:
            units = char.encode("utf-16-be").hex()
            parts += [f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)]
        elif kind == 4:
            parts.append(f"\\u{{{ord(char):x}}}")
        elif kind == 5:
            parts.append("".join(f"\\x{byte:02x}" for byte in char.encode()))
        else:
            parts.append("".join(f"%25{byte:02x}" for byte in char.encode()))
    return "".join(parts)


def right_to_left(text: str) -> str:
    return f"\u202e{text[::-1]}\u202c"


def in_tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


# Of each group one or none is laid on, in this order.
SPELLINGS: dict[str, Disguise] = {
    "case": case,
    "full width": width,
    "other alphabets": style,
    "lookalikes": lookalike,
}
TYPED: dict[str, Disguise] = {
    "digits for letters": digits,
    "signs for letters": signs,
    "letters alike": alike,
    "two letters for one": pair,
    "stretched": stretched,
}
JOINTS: dict[str, Disguise] = {
    "invisible between": invisible,
    "direction marks between": bidi,
    "punctuation between": punctuated,
    "spelt out": spelt_out,
    "markup between": tagged,
}
EVERY_SCRIPT = ("lookalikes", "combining marks", "stretched", *JOINTS)
COMBINED = "several together"
SPLIT = "split once by a space"


def disguises(name: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """One case of each class that fits the name: (class, disguised name)."""
    letters = list(name)
    latin = any(map(is_latin, letters))
    for kind, disguise in {**SPELLINGS, **TYPED, "combining marks": mark, **JOINTS}.items():
        if latin or kind in EVERY_SCRIPT:
            changed = "".join(disguise(letters, rng))
            if changed != name:
                yield kind, changed
    yield "encoded", encoded(name, rng)
    yield "reversed for display", right_to_left(name)
    if name.isascii():
        yield "invisible tags", in_tags(name)
    if latin:
        at = rng.choice(
            [at for at in range(1, len(name)) if name[at - 1].isalpha() and name[at].isalpha()]
        )
        yield SPLIT, f"{name[:at]} {name[at:]}"
    yield COMBINED, combined(name, rng)


def combined(name: str, rng: random.Random) -> str:
    """Two to five disguises, one upon the other."""
    letters = list(name)
    if any(map(is_latin, letters)):
        letters = rng.choice([*SPELLINGS.values()])(letters, rng)
    else:
        letters = lookalike(letters, rng)
    if rng.random() < 0.5:
        letters = mark(letters, rng)
    text = "".join(rng.choice([*JOINTS.values()])(letters, rng))
    ending = rng.randrange(4)
    if ending == 0:
        return encoded(text, rng)
    # A line break, another such mark or half a tag would end what is reversed.
    fits = not set("\u202c\n<") & set(text)
    return right_to_left(text) if ending == 1 and fits else text
