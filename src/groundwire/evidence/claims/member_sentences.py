"""Sentences about the listed members of a recorded set: how many of them are what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise, takewhile

from groundwire.evidence.claims.known_words import Word
from groundwire.evidence.claims.measured_members import Measured
from groundwire.evidence.claims.recorded_sets import Id
from groundwire.evidence.claims.set_words import AMOUNTS, BARE, TIMES, SetWords, number_of

_TWO = 2
# Behind these "only" tells what members are, and before a name who is.
_BEFORE_ONLY = frozenset(("show", "number", "other", "single", "have"))

# Kinds of words that tell of a whole set, and those that then speak of its members.
_OF_WHOLE = BARE - {"stop", "them"} | {"value", "number", "prop", "show", "only"}
_TOLD = frozenset(("value", "prop"))
_COUNTS = frozenset(("number", "ref", "both"))
_OF_ALL = _COUNTS | {"all", "value", "have", "show"}
_TURNING = frozenset(("all", "each", "them"))


@dataclass(frozen=True, slots=True)
class MemberSentences(SetWords):
    """Sentences that tell of the members of one recorded set."""

    def tells(self, words: Sequence[Word]) -> bool:
        """Whether the listed members are just as the parts of a sentence tell."""
        plain = self.plain(words)
        size = len(self.set.members)
        if plain is None or any(
            a.kind == "not" and b.kind in ("kind", "thing") for a, b in pairwise(words)
        ):
            return False  # "there is no map" denies none of the members
        if self._tells_of_all(words):
            return True
        plain, in_view = self._without_whole(words, self._without_shared(plain))
        of = {name for w in plain if w.kind == "value" for name, _ in self.ids(w)}
        plain = [w for w in plain if w.kind != "prop" or not self.known.properties[w.names[0]] & of]
        shown = [w for w in plain if w.kind == "shown"]
        few = [w for w in plain if w.kind == "few"]
        refs = [w for w in plain if w.kind == "ref"]
        sizes = {size} if few or not shown else {size, self.set.count}
        if any(w.number != size for w in few) or any(
            w.number not in (self.set.count, *sizes) for w in refs
        ):
            return False
        in_view |= bool(shown or few or refs) or any(w.kind in ("them", "match") for w in words)
        plain = [w for w in plain if w.kind not in ("shown", "few", "ref")]
        bare = self.set.is_whole and self._is_bare(words)
        if any(w.kind == "both" for w in words):
            if not bare or size != _TWO:
                return False
            plain = [replace(w, kind="all") if w.kind == "both" else w for w in plain]
            in_view = True
        amounts = [w for w in plain if w.kind in AMOUNTS]
        found = shown or few or refs or any(w.kind == "match" for w in words)
        of_things = not self.set.conditions and any(w.number == size for w in amounts)
        if len(amounts) > 1 and (found or of_things):
            in_view = True
            whole = [w for w in amounts if w.number in (size, self.set.count)][:1]
            plain = [w for w in plain if w not in whole]
        is_sole = any(w.kind == "sole" for w in plain)
        if is_sole and (self.set.count != 1 or not self._is_told(plain)):
            return False
        if any(w.kind == "all" for w in plain):
            numbers = [w for w in plain if w.kind == "number"]
            head = [w for w in words if not numbers[1:] or w.start < numbers[1].start]
            is_whole = [w.number for w in numbers[:1]] == [size] and self._is_bare(head)
            if is_whole and self.set.is_whole:
                plain.remove(numbers[0])  # "all three books are paperbacks, two of them ..."
            elif not in_view or numbers:
                return False  # "all maps" are more than those that one answer has
        if not self.set.is_whole and not (shown or few):
            return False
        told = [part for part in self._parts(plain) if part.amount is not None or part.phrases]
        return bool(told) and all(self._holds(part) for part in told)

    def _without_shared(self, plain: Sequence[Word]) -> list[Word]:
        """Return words without a figure of all members behind their number: "nine below 0.4"."""
        every, size = frozenset(range(len(self.set.members))), len(self.set.members)
        counts = [w for w in plain if w.kind == "number"]
        told = [b for a, b in pairwise(plain) if a in counts[:1] and isinstance(b, Measured)]
        if len(counts) < _TWO or counts[0].number != size or not self.set.is_whole:
            return [*plain]
        return [w for w in plain if w not in told or self.phrase(w, set()) != every]

    def _tells_of_all(self, words: Sequence[Word]) -> bool:
        """Whether all of a kind are what follows: "all three icy ones have 0.2 or less".

        Their number must be that of all that are called so: "both gravel patches are in snow".
        """
        said = [w for w in words if w.kind not in ("kind", "thing", "and", "shown")]
        led = said[0].kind if said else ""
        counts = [w.number or _TWO for w in said if w.kind in _COUNTS]
        told = [w for w in said if w.kind in ("value", "have", "show")]
        is_read = led in ("all", "ref", "both") and {w.kind for w in said} <= _OF_ALL
        if not is_read or len(counts) != 1 or not self.set.is_whole:
            return False
        verbs = [at for at, w in enumerate(told) if w.kind != "value"]
        phrases = [self.phrase(w, set()) for w in told if w.kind == "value"]
        every = frozenset(range(len(self.set.members)))
        tail = told[verbs[0] + 1 :] if verbs else []
        if any(not isinstance(w, Measured) for w in tail if w.kind == "value"):
            return False  # "all four maps of Lyon show France"
        for at in verbs[:1] or range(1, len(phrases) if led != "ref" else 0):
            meant = every.intersection(*phrases[:at])
            is_part = at and (verbs or meant != every)
            if is_part and len(meant) == counts[0] and phrases[at:]:
                return all(meant <= one for one in phrases[at:])
        return False

    def _without_whole(
        self, words: Sequence[Word], plain: Sequence[Word]
    ) -> tuple[list[Word], bool]:
        """Return words without those that only tell of the whole set, and whether they did.

        "There are four of France, and all of them are ..." tells of all, and "of the five in snow,
        two are ..." of two.
        """
        own = self.set.conditions or frozenset[Id]()
        ahead = list(takewhile(lambda w: w.kind not in _TURNING, words))
        counts = [w.number for w in ahead if w.kind == "number"] == [len(self.set.members)]
        turns = len(ahead) < len(words) and {w.kind for w in ahead} <= _OF_WHOLE
        plainly = turns and all(self.ids(w) & own for w in ahead if w.kind == "value")
        if self.set.is_whole and own and counts and plainly and self._is_told(ahead):
            rest = [replace(w, kind="all") if w.kind == "each" else w for w in plain[:]]
            rest = [w for w in rest if w not in ahead]
            is_all = [w.kind for w in rest[:2]] == ["all", "number"]
            if is_all and rest[1].number == len(self.set.members):  # "and all four are"
                rest.pop(1)
            return rest, True
        first = next((at for at, w in enumerate(plain) if w.kind in AMOUNTS), 0)
        first = first if [w.kind for w in plain[:1]] == ["ref"] else 0
        told = [w for w in plain[:first] if w.kind == "value" and self.ids(w) & own]
        return [w for w in plain if w not in told], False

    def is_item(self, words: Sequence[Word]) -> bool:
        """Whether the words of a list item fit one member, or all of a kind, one by one.

        "Lane change near Lyon", and "lane changes near Lyon and Cologne" where there are no others.
        """
        head, *others = self._fits(words) or [frozenset[int]()]
        if not others:
            return False
        each = [head & phrase for phrase in others]
        return len(head.intersection(*others)) == 1 or (
            len(each) == len(head) > 1 and frozenset().union(*each) == head and _apart(each)
        )

    def are_listed(self, words: Sequence[Word]) -> bool:
        """Whether "they" are told one by one, and none is left out: "near Lyon and Berlin"."""
        own = [w for w in words if w.kind != "them"] if words[0].kind == "them" else []
        each = self._fits(own)
        return self.set.is_whole and len(each or ()) == len(self.set.members) and _apart(each or ())

    def _fits(self, words: Sequence[Word]) -> list[frozenset[int]] | None:
        """Return the members that each name fits; None where there are other words."""
        plain = [w for w in self.plain(words) or () if w.kind != "and"]
        if len(plain) < _TWO or any(w.kind not in ("value", "near") for w in plain):
            return None
        meant = (
            self.near()
            if any(w.kind == "near" for w in plain)
            else frozenset(range(len(self.set.members)))
        )
        return [self.phrase(w, set()) & meant for w in plain if w.kind == "value"]

    def lacks_record(self, words: Sequence[Word]) -> bool:
        """Whether no value of a property is recorded of the things that a sentence names."""
        plain = self.plain(words)
        props = [w for w in words if w.kind == "prop"]
        if plain is None or len(props) != 1 or sum(w.kind == "not" for w in words) != 1:
            return False
        lacking = self.known.properties[props[0].names[0]]
        named = [self.phrase(w, set()) for w in words if w.kind == "value"]
        things = frozenset[int]().union(*named)
        if not named or any(len(one) != 1 for one in named):
            return False
        if lacking & self.set.missing:
            return all(w.kind != "single" for w in words) or len(self.set.members) == len(things)
        is_read = self.set.is_described and all(w.kind != "single" for w in words)
        own = [{name for name, _ in self.set.members[at]} for at in things]
        return is_read and not any(lacking & names for names in own)

    def _is_told(self, words: Sequence[Word]) -> bool:
        """Whether a sentence tells each condition of the set."""
        named = frozenset[Id]().union(*(self.ids(w) for w in words if w.kind == "value"))
        return (self.set.conditions or frozenset[Id]()) <= named

    def _is_bare(self, words: Sequence[Word]) -> bool:
        """Whether what all members are is said behind their number and kind, and not with it.

        It must tell every condition of the set: of others the sentence knows less than was asked.
        "All 13 maps of Germany show motorways" is not so of those that were asked to show them.
        """
        kinds = [w.kind for w in words]
        if self.set.is_part or "have" in kinds or not self._is_told(words):
            return False
        told = [at for at, kind in enumerate(kinds) if kind in _TOLD]
        whole = [at for at, kind in enumerate(kinds) if kind in ("number", "kind", "thing", "both")]
        own = self.set.conditions or frozenset[Id]()
        ahead = [w for w in words[: max(whole, default=0)] if w.kind in _TOLD]
        of_set = not ahead or (self._is_told(ahead) and all(self.ids(w) & own for w in ahead))
        if not whole or max(told, default=-1) < max(whole) or not of_set:
            return False
        shown = next((at for at in range(min(told), len(kinds)) if kinds[at] == "show"), len(kinds))
        return self._is_told(words[:shown])

    def denies(self, words: Sequence[Word]) -> bool:
        """Whether a sentence gives one of the described things a value that only others have.

        Just names and values may stand in it, one after the other: "Lyon on the left, Coventry on
        the right".
        """
        plain = self.plain(words)
        if plain is None or len(plain) % 2 or any(w.kind != "value" for w in plain):
            return False
        phrases = [self.phrase(word, set()) for word in plain]
        pairs = list(zip(phrases[::2], phrases[1::2], strict=True))
        told = all(len(thing) == 1 and value for thing, value in pairs)
        return told and any(not thing <= value for thing, value in pairs)

    def _parts(self, words: Sequence[Word]) -> Iterator[_Part]:
        """Yield the parts of a sentence, each with one amount; none where it has none."""
        every = frozenset(range(len(self.set.members)))
        amounts = any(w.kind in AMOUNTS for w in words)
        first = next((w.kind for w in words if w.kind in AMOUNTS | {"value"}), "")
        starts = "value" if first == "value" else "amount"
        part, last, whole = _Part(every), frozenset[int](), every
        flags: set[str] = set()
        for at, word in enumerate(words):
            kind = "amount" if word.kind in AMOUNTS else word.kind
            is_name = kind in ("value", "prop")
            phrase = self.phrase(word, flags) if is_name else frozenset[int]()
            is_next = kind == starts and part.amount is not None and bool(part.phrases)
            is_next |= kind == "other" and part.amount is not None
            within = kind == "amount" and part.amount is not None and bool(part.phrases)
            if kind == "value" and not amounts and len(part.phrases) > 1:
                is_next |= len(phrase) == 1 == len(part.phrases[0]) and phrase != part.phrases[0]
            if is_next or within or kind == "stop":
                yield part
                last = self._meant(part)
                whole = last if within and part.amount != 1 else whole
                part, flags = _Part(whole if word.kind == "once" else every), set[str]()
                starts = "amount" if within else starts
            if kind == "other":
                part.base = every - last
                part.others = True
            elif kind == "amount":
                part.take(word, len(part.base))
            elif is_name:
                part.add(phrase, example="example" in flags)
                part.measured += [phrase] if isinstance(word, Measured) else []
                if "not" in flags and kind == "value" and not any(n for n, _ in self.ids(word)):
                    part.amount = Decimal(-1)  # "neither A nor B is one"
                flags -= {"not", "only", "near"}
            elif (
                kind == "near"
                and part.phrases
                and [w.kind for w in words[at + 1 : at + 2]] != ["value"]
            ):
                part.phrases[-1] &= self.near()  # in Chinese it stands behind
            elif kind == "only" and [w.kind for w in words[at + 1 : at + 2]] == ["number"]:
                continue  # "only two of them" are just two
            elif kind == "only" and (not at or words[at - 1].kind not in _BEFORE_ONLY):
                part.amount = Decimal(-1)  # "only Germany has motorway maps" tells of all there are
            else:
                flags.add(kind)
                part.each |= kind == "each"
        if flags & {"not", "only", "near"}:
            part.amount = Decimal(-1)  # denies or narrows what is not known
        yield part

    def _meant(self, part: _Part) -> frozenset[int]:
        """Return the members that a part tells of."""
        common = part.base
        for phrase in part.phrases:
            common &= phrase
        return common or frozenset[int]().union(*part.phrases) & part.base

    def _holds(self, part: _Part) -> bool:
        if part.amount is None:
            return self._describes(part)
        if (
            part.amount < 0
            or not part.examples_fit()
            # "Only one is longer than 10 km, namely A" is of all that are.
            or any(len(one & part.base) != part.amount for one in part.measured)
            or (part.others and part.amount >= self.set.count)
        ):
            return False
        if part.each:
            return (
                part.times
                and bool(part.phrases)
                and all(len(p & part.base) == part.amount for p in part.phrases)
            )
        if not part.phrases:
            size = len(part.base) if part.others else self.set.count
            return part.amount == size and (part.others or bool(part.examples))
        if part.every and all(part.base <= phrase for phrase in part.phrases):
            return True
        common = part.base.intersection(*part.phrases)
        if len(common) == part.amount and not part.every:
            return True
        size = int(part.amount)
        for at in range(len(part.phrases) - size + 1):
            # "four show an interchange: those of Munich, Stuttgart ...": each another one
            others = [*part.phrases[:at], *part.phrases[at + size :]]
            held = part.base.intersection(*others)
            each = [phrase & held for phrase in part.phrases[at : at + size]]
            reached = frozenset[int]().union(*each)
            if len(reached) == size and (not others or held == reached) and _apart(each):
                return True
        return False

    def _describes(self, part: _Part) -> bool:
        """Whether the one member that a part begins with, or the only one, is all that it tells."""
        own = [phrase & part.base for phrase in part.phrases]
        if not own or part.examples or part.measured or len(own[0]) != 1:
            return False  # a figure of one thing is judged elsewhere
        ahead = list(takewhile(lambda one: len(one) == 1, own))
        things = frozenset[int]().union(*ahead)
        if len(things) > 1 and len(ahead) < len(own):  # "A and B are crime books"
            return all(things <= phrase for phrase in own[len(ahead) :])
        return len(own) + (len(part.base) == 1) > 1 and all(own[0] <= phrase for phrase in own)


@dataclass(slots=True)
class _Part:
    """A part of a sentence: an amount of members and what they are."""

    base: frozenset[int]
    amount: Decimal | None = None
    every: bool = False
    each: bool = False
    others: bool = False
    times: bool = False
    phrases: list[frozenset[int]] = field(default_factory=list[frozenset[int]])
    examples: list[frozenset[int]] = field(default_factory=list[frozenset[int]])
    measured: list[frozenset[int]] = field(default_factory=list[frozenset[int]])

    def take(self, word: Word, size: int) -> None:
        """Set the amount; a second one must be the same."""
        if word.kind == "all":
            self.every, number = True, Decimal(size)
        else:
            number = number_of(word)
            self.times = word.kind in TIMES
        self.amount = number if self.amount in (None, number) else Decimal(-1)

    def add(self, phrase: frozenset[int], *, example: bool) -> None:
        """Add what the members are, or an example of them."""
        (self.examples if example else self.phrases).append(phrase)

    def examples_fit(self) -> bool:
        """Whether each example is one of the members that the part tells of."""
        meant = self.base.intersection(*self.phrases)
        return all(meant & one for one in self.examples)


def _apart(choices: Sequence[frozenset[int]]) -> bool:
    """Whether each of some phrases can mean a member of its own."""
    taken: dict[int, int] = {}

    def finds(place: int, tried: set[int]) -> bool:
        for member in sorted(choices[place] - tried):
            tried.add(member)
            if member not in taken or finds(taken[member], tried):
                taken[member] = place
                return True
        return False

    return all(finds(place, set()) for place in range(len(choices)))
