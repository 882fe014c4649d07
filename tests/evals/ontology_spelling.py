"""How people misspell and respell names, and whether the rule lets such a name be corrected."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterable
from itertools import pairwise

from groundwire.vocabulary import KnownWords, fold
from groundwire.vocabulary.fold import split_words
from tests.evals.ontology_worlds import Forms

Edit = Callable[[str, random.Random], str]

# A word of a name: the humps of camelCase are words, codes in capitals are none.
_WORD = re.compile(r"[A-Za-zÀ-ÿ][a-zß-ÿ]{3,}")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {
    letter: "".join(row[max(at - 1, 0) : at] + row[at + 1 : at + 2])
    for row in _KEYS
    for at, letter in enumerate(row)
}


def dropped(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def swapped(word: str, rng: random.Random) -> str:
    places = [at for at in range(1, len(word) - 1) if word[at] != word[at + 1]]
    if not places:
        return word
    at = rng.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def wrong(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + rng.choice(string.ascii_lowercase) + word[at + 1 :]


def added(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) + 1)
    return word[:at] + rng.choice(string.ascii_lowercase) + word[at:]


def doubled(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at] + word[at:]


def beside(word: str, rng: random.Random) -> str:
    """A key beside the one that was meant."""
    at = rng.randrange(1, len(word))
    near = _NEAR.get(word[at])
    return word[:at] + rng.choice(near) + word[at + 1 :] if near else word


def first_wrong(word: str, rng: random.Random) -> str:
    letter = rng.choice(string.ascii_lowercase)
    return (letter.upper() if word[0].isupper() else letter) + word[1:]


def misspelt(text: str, rng: random.Random, *edits: Edit, least: int = 4) -> str | None:
    """The text with edits in one of its words of `least` letters, or None if it has none."""
    words = [match for match in _WORD.finditer(text) if len(match[0]) >= least]
    if not words:
        return None
    match = rng.choice(words)
    changed = match[0]
    for edit in edits:
        changed = edit(changed, rng)
    found = text[: match.start()] + changed + text[match.end() :]
    return None if fold(found) == fold(text) else found


def misspelt_in_two(text: str, rng: random.Random, *edits: Edit) -> str | None:
    """The text with one edit in each of two of its words."""
    words = list(_WORD.finditer(text))
    if len(words) < 2:
        return None
    found = text
    for match, edit in zip(
        sorted(rng.sample(words, 2), key=lambda m: -m.start()), edits, strict=True
    ):
        changed = edit(match[0], rng)
        if changed == match[0]:
            return None
        found = found[: match.start()] + changed + found[match.end() :]
    return found


def another_word(text: str, known: KnownWords, rng: random.Random) -> str | None:
    """The text with one of its words turned into another word of the language by one edit."""
    words = list(_WORD.finditer(text))
    if not words:
        return None
    match = rng.choice(words)
    for _ in range(300):
        changed = rng.choice((dropped, swapped, wrong, added))(match[0], rng)
        if len(changed) > 3 and changed != match[0] and known.of_language(changed.lower()):
            found = text[: match.start()] + changed + text[match.end() :]
            return None if fold(found) == fold(text) else found
    return None


def within_rule(forms: Forms, known: KnownWords, identifier: str, meant: str, sent: str) -> bool:
    """Whether design.md, "vocabulary", lets `sent` be corrected to a form of a term.

    Words are as many, a changed one has four letters or more, keeps its first letter and its
    digits, is an edit away (two from eight letters on) and is no known word; the target is no
    code, and no other term is as near.
    """
    from rapidfuzz.distance import OSA

    left, right = split_words(sent), split_words(meant)
    if len(left.plain) != len(right.plain):
        return False
    total = 0
    for at, (word, target) in enumerate(zip(left.plain, right.plain, strict=True)):
        if left.singular[at] == right.singular[at]:
            continue
        edits = min(OSA.distance(word, target), OSA.distance(left.singular[at], right.singular[at]))
        least = min(len(word), len(target))
        # A coined word of four letters counts as a code (groundwire.vocabulary.known_words).
        if least < 4 or (len(target) == 4 and not known.of_language(target)):
            return False
        if edits > (2 if least >= 8 else 1) or word[0] != target[0]:
            return False
        if any(char.isdigit() for char in word + target):
            return False
        if re.search(r"\d|[A-Z]{3}", right.written[at]):
            return False
        if word in known or left.written[at].lower() in known:
            return False
        total += edits
    key = fold(sent)
    own = {fold(form) for form in forms.of_term[identifier]}
    others = (form for form in forms.folded() if form not in own)
    return total > 0 and not _any_within(key, others, total)


def _any_within(key: str, forms: Iterable[str], edits: int) -> bool:
    from rapidfuzz.distance import OSA

    return any(
        abs(len(form) - len(key)) <= edits and OSA.distance(key, form, score_cutoff=edits) <= edits
        for form in forms
    )


def plural(word: str) -> str:
    """A regular English plural of a word's last letters, or the singular of a plural."""
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    if word.endswith(("x", "sh", "ch", "ss")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def counted(text: str) -> str | None:
    """The text with its last word in the other number, where that is regular."""
    words = split_words(text).written
    last = words[-1] if words else ""
    if not (last.isascii() and last.isalpha() and len(last) > 3 and last[1:].islower()):
        return None
    if last.endswith(("ss", "us", "is", "ies", "ches", "shes", "xes", "sses", "ics", "oes")):
        return None
    return text[: text.rindex(last)] + plural(last)


def parted(text: str, by: str) -> str | None:
    """The words of a text with another separator: `_`, `-`, a space, none, or camelCase."""
    words = split_words(text).written
    # Without a separator 1.1 would be 11, and a sign that means something would be lost.
    if len(words) < 2 or any(not word[0].isalnum() for word in words):
        return None
    if any(a[-1].isdigit() and b[0].isdigit() for a, b in pairwise(words)):
        return None
    if by == "camel":
        return words[0].lower() + "".join(word.capitalize() for word in words[1:])
    return by.join(words)
