"""The words behind a subject, read as predicates on recorded values: "slightly more than B"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.clause_order import WENT, is_percent
from groundwire.evidence.claims.value_predicates import Predicate
from groundwire.evidence.claims.value_words import BOTH, Token
from groundwire.quantities import Quantity

EXTENTS = ("slight", "narrow", "clear", "sharp", "far")
"""Kinds of words that tell how far things are apart."""
_DEGREES = (*EXTENTS, "size")
_FACTORS = {"double": Decimal(2), "half": Decimal("0.5")}
# Kinds of words that tell which way something went, and that it went farthest.
_OF_CHANGE = {"most": "end", "least": "end", "fastest": "end", "rise": "way", "fall": "way"}
# Kinds of words that soften a share, with what they make of it.
_SHARES = {
    "next_to": "near",
    "narrow": "near",
    "ahead": "more",
    "behind": "less",
    "over": "more",
    "under": "less",
    "about": "about",
}
# "Half that of B", "half of B's"
_OWNERS = (["that"], ["thing"])
_PERCENT = "%"
# "Only by 3 %" calls small what it tells, and 约为5.7% tells its figure as it is.
_EMPTY = frozenset((("only", "by"), ("about", "figure"), ("about", "number")))


def predicates_of(
    tokens: Sequence[Token], *, of_several: bool = False
) -> Iterator[list[Predicate]]:
    """Yield what the tokens behind a subject may say of it, read in full.

    The figure of "4 million higher than B" is a difference, that of "rent of 4 million was higher
    than B's" a value of the subject. What rises behind a share, as in "made up 48 %, up from 47 %",
    is the share and no value: that is read elsewhere. Of several things "350 million each" is
    of all.
    """
    last = [one.quantity for one in tokens[-2:-1] if one.kind in ("figure", "number")]
    plain = any(one is not None and (one.bound is None or one.scale > 1) for one in last)
    if of_several and plain and tokens[-1].kind == "all":
        tokens = tokens[:-1]
    for apart in (False,) if any(one.of_gap for one in tokens) else (False, True):
        found = _Reader(tokens, apart).read()
        kinds = [one.kind for one in found or ()]
        of_share = "share" in kinds and not WENT.isdisjoint(kinds[kinds.index("share") :])
        if found and not of_share and (not apart or found != _Reader(tokens, apart=False).read()):
            yield found


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[Token], apart: bool) -> None:
        plain = [one for one in tokens if one.kind != "of"]
        kinds = [one.kind for one in (*plain[1:], Token(""))]
        self._tokens = (
            [
                one
                for one, behind in zip(plain, kinds, strict=True)
                if (one.kind, behind) not in _EMPTY
            ]
            if plain
            else []
        )
        self._apart = apart
        self._at: int = 0

    def read(self) -> list[Predicate]:
        found: list[Predicate] = []
        while self._at < len(self._tokens):
            own = self._both(found) or self._ends(found) or self._next()
            if not own:
                return []
            found += own
        moved = any(one.kind in ("rise", "fall") for one in found)
        if moved and any(one.compares_values for one in found):
            return []  # "grew by 6 %, more than B"
        return found

    def _both(self, found: Sequence[Predicate]) -> list[Predicate]:
        """Read what both sides of a comparison are, behind it: "by 6.6 % against 1.7 %"."""
        compared = [one for one in found if one.kind in ("more", "less")]
        rest = self._tokens[self._at :]
        sides = [one for one in rest[:5] if one.kind in ("figure", "number", "against", "and")]
        kinds = [one.kind in ("against", "and") for one in sides[:3]]
        few = [one.kind for one in rest[:5] if one not in sides]
        if len(compared) != 1 or len(compared[0].things) > 1 or kinds != [False, True, False]:
            return []
        if set(few) - {"by"} or compared[0].rest:
            return []
        self._at += len(few) + len(sides)
        own, moved = _scaled(sides[0].quantity, sides[2].quantity), compared[0].moved
        other = Predicate("of", compared[0].things, figure=sides[2].quantity, moved=moved)
        return [Predicate(moved or "value", figure=own), other]

    def _ends(self, found: Sequence[Predicate]) -> list[Predicate]:
        """Read what a value began at, and came to behind its change: "rose by 3 %, to 40"."""
        if (began := self._take("began")) is not None:
            return [Predicate("began", figure=began.quantity)]
        start = self._at
        went = [one for one in found if one.kind in ("rise", "fall")]
        amounts = [one for one in went if one.figure is not None and one.figure.unit != _PERCENT]
        ways = [one.kind for one in went if one.figure is None or amounts]
        moved = any(one.kind in ("rise", "fall") for one in found)
        self._take("by")
        told = len(found) > 1 or amounts
        rate = self._take("figure") if told and len(ways) == 1 else None
        if rate is not None and rate.quantity is not None and rate.quantity.unit == _PERCENT:
            signless = replace(rate.quantity, value=abs(rate.quantity.value))
            is_up = rate.quantity.value > 0
            return [Predicate(ways[0], figure=signless)] if is_up == (ways == ["rise"]) else []
        self._at = start
        level = self._take("figure") if moved and self._take("to") is not None else None
        self._at = start if level is None else self._at
        return [Predicate("value", figure=level.quantity)] if level is not None else []

    def _take(self, *kinds: str) -> Token | None:
        """Return the next token where it is of one of some kinds, and go past it."""
        if self._at < len(self._tokens) and self._tokens[self._at].kind in kinds:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def _next(self) -> list[Predicate]:
        """Return the next predicates; none where the tokens are not understood."""
        ahead = [t.kind for t in self._tokens[self._at : self._at + 3]]
        if ahead[:1] == ["or"] and ahead[1:2] != ["figure"]:
            return []
        self._take("or")
        by = ahead[:2] == ["by", "figure"] and self._take("by") is not None
        stays = self._take("stay") is not None
        denied = self._take("not") is not None
        degree = self._take(*_DEGREES, "next_to")
        figure = self._take("figure", "number")
        if figure is not None and self._apart and self._is_difference(figure):
            return []
        reads: list[Callable[[], list[Predicate]]] = [
            lambda: self._shared(degree, figure),
            lambda: self._moved_most(figure),
            lambda: self._multiple(degree, figure),
        ]
        if figure is None or not self._apart or self._tokens[-1].kind == "gap":
            reads.append(lambda: self._compared(degree, figure))
        if figure is None:
            reads += [lambda: self._moved(degree), lambda: self._placed(degree)]
        elif degree is None or (degree.kind != "size" and figure.quantity):
            shade = degree.kind if degree is not None else ""  # "just over 5 million"
            reads.append(lambda: [Predicate("value", figure=figure.quantity, degree=shade)])
        start, own = self._at, list[Predicate]()
        for read in reads:
            self._at = start
            if own := read():
                break
        if by and own and own[0].kind not in ("more", "less"):
            return []
        if own and (denied or stays):
            own = [replace(own[0], denied=denied, stays=stays), *own[1:]]
        return own

    def _shared(self, degree: Token | None, figure: Token | None) -> list[Predicate]:
        """Read "accounted for 47 % of it", "made up two thirds", "nearly half"."""
        told = self._take("share") is not None
        bound = self._take("more", "less", "ahead", "behind", "near", "about", "next_to", "narrow")
        if bound is not None and bound.kind in ("more", "less"):
            self._take("than")
        part = self._take("figure", "fraction", "half") if figure is None else None
        of_thing = [t.kind for t in self._tokens[self._at : self._at + 1]]
        if part is None or (part.kind == "half" and of_thing in (["that"], ["thing"], ["as"])):
            return []
        if part.kind == "figure" and (not told or bound or part.quantity is None):
            return []
        if (
            part.kind == "figure"
            and part.quantity is not None
            and part.quantity.unit not in (None, _PERCENT)
        ):
            return [Predicate("value", figure=part.quantity)]  # "accounted for 5 million"
        shade = _SHARES.get(bound.kind, bound.kind) if bound is not None else ""
        if degree is not None:  # "just half" is nearly so
            shade = "" if shade else _SHARES.get(degree.kind, "")
            if not shade or part.kind == "figure":
                return []
        if part.quantity is None:
            return [Predicate("share", factor=_FACTORS["half"], degree=shade)]
        if part.kind == "figure" and part.quantity.unit == _PERCENT:
            return [Predicate("share", figure=part.quantity)]
        shade = shade or _SHARES.get(part.quantity.bound or "", "")
        own = Predicate("share", factor=part.quantity.value, degree=shade)
        return [own] if part.kind == "fraction" else []

    def _is_difference(self, figure: Token) -> bool:
        """Whether a bounded figure is one of a difference: "more than 80 million more than B"."""
        bounded = figure.quantity is not None and figure.quantity.bound in ("over", "under")
        behind = self._tokens[self._at : self._at + 1]
        return bounded and any(one.kind in ("more", "less") for one in behind)

    def _compared(self, degree: Token | None, figure: Token | None) -> list[Predicate]:
        """Read "slightly more than B", "ahead of B", "1.9 million less than a year earlier"."""
        if degree is None and figure is None and self._take("near") is not None:
            return self._with_object(Predicate("near"))
        word = self._take("more", "less", "ahead", "behind", "lead", "gap")
        if word is None:
            return []
        if word.kind in ("lead", "gap"):  # "A is ahead by 5 million", "the gap is 5 million"
            self._take("by")
            figure = figure or self._take("figure")
            kind = "more" if word.kind == "lead" else "gap"
            told = (
                figure.quantity
                if figure is not None and not (degree or is_percent(figure))
                else None
            )
            return [Predicate(kind, figure=told)] if told is not None else []
        if degree is not None and degree.kind == "next_to" and word.kind in ("more", "less"):
            return []
        kind = "more" if word.kind in ("more", "ahead") else "less"
        shade = degree.kind.replace("size", "far") if degree is not None else ""
        one = Predicate(
            kind,
            figure=figure.quantity if figure else None,
            degree=shade,
            in_order=word.kind == "ahead",
        )
        if word.kind in ("more", "less"):
            if self._take("than_time") is not None:
                return [one]
            if self._take("than") is None:
                return [one]
        elif shade and self._at == len(self._tokens):
            return [one]  # "B was close behind"
        own = self._with_object(one)
        gap = [t.kind for t in self._tokens[self._at : self._at + 2]]
        if own and figure is None and gap == ["by", "figure"]:  # "ahead of B by 5 million"
            self._at += BOTH
            own[0] = replace(own[0], figure=self._tokens[self._at - 1].quantity)
        return own

    def _with_object(self, one: Predicate) -> list[Predicate]:
        """Return a comparison with what stands next: "B and C together", "any of the others"."""
        self._take("that")
        if self._take("any", "all") is not None or self._tokens[self._at : self._at + 1]:
            start = self._at
            other = self._take("other")
            number = self._take("number")
            other = other or self._take("other")
            if other is not None:
                self._take("all")  # 其他所有国家
                count = int(number.quantity.value) if number and number.quantity else -1
                return [replace(one, rest=count, summed=self._take("sum") is not None)]
            self._at = start
        things: list[str] = []
        told: list[Predicate] = []
        ended, joined = True, False
        while (thing := self._take("thing")) is not None:
            if len(thing.keys) != 1:
                return []
            things.append(str(next(iter(thing.keys))))
            ended = len(things) == 1 or joined
            joined = False
            if aside := self._told_of_both(things[-1]):
                told += aside
                continue
            ahead = [t.kind for t in self._tokens[self._at + 1 : self._at + 3]]
            both = ahead[:1] == ["against"] or ahead == ["and", "figure"]
            if not both and (figure := self._take("figure")) is not None:
                told.append(Predicate("of", (things[-1],), figure=figure.quantity))
            behind = [t.kind for t in self._tokens[self._at : self._at + 3]]
            if behind[:2] == ["and", "thing"] or behind == ["and", "that", "thing"]:
                self._at += behind.index("thing")
                joined = True
        if not things or not ended:
            return []  # "more than B, C less" is of two clauses
        summed = self._take("sum") is not None
        if summed and len(things) < 2:
            return []
        return [replace(one, things=tuple(things), summed=summed), *told]

    def _told_of_both(self, thing: str) -> list[Predicate]:
        """Read both figures in an aside that names the other thing: "(83, while B has 9)"."""
        figure = self._take("figure")
        start = self._at - (figure is not None)
        self._take("but", "against")
        again, other = self._take("thing"), self._take("figure")
        if figure is None or not figure.apart or other is None or again is None:
            self._at = start
            return []
        if len(again.keys) != 1 or thing not in again.keys:
            self._at = start
            return []
        of_thing = Predicate("of", (thing,), figure=other.quantity)
        return [Predicate("value", figure=figure.quantity), of_thing]

    def _multiple(self, degree: Token | None, figure: Token | None) -> list[Predicate]:
        """Read "three times as many as B", "half as large as B", "as large as B"."""
        start = self._at
        about = self._take("about")
        bound = self._take("more", "less") if about is None else None
        if bound is not None and self._take("than") is None:
            self._at = start
            return []
        times = self._take("times", "double", "half")
        if degree is not None or figure is not None or ((about or bound) and times is None):
            self._at = start
            return []
        ahead = [t.kind for t in self._tokens[self._at :][:1]]
        if self._take("pace") is not None or (times is not None and ahead in _OWNERS):
            pass
        elif (
            self._take("as") is None
            or self._take("size") is None
            or (self._take("as") is None and (times is None or self._at < len(self._tokens)))
        ):
            self._at = start
            return []
        one = Predicate("as")
        if times is not None:
            factor = _FACTORS.get(times.kind, Decimal(0))
            shade = bound.kind if bound is not None else "about" if about is not None else ""
            one = Predicate("factor", figure=times.quantity, factor=factor, degree=shade)
        if times is not None and self._at == len(self._tokens):
            return [one]  # "it is twice as large"
        return self._with_object(one)

    def _moved_most(self, figure: Token | None) -> list[Predicate]:
        """Read "grew most, by 3 %", "am stärksten wuchs", "the steepest decline", in any order."""
        held = {"figure": figure} if figure is not None else {}
        while (
            one := self._take("most", "least", "fastest", "rise", "fall", "by", "figure", "sharp")
        ) is not None:
            if one.kind == "sharp":
                continue  # "the biggest jump"
            kind = _OF_CHANGE.get(one.kind, one.kind)
            if kind in held and (kind != "way" or held[kind].kind != one.kind):
                return []
            held[kind] = one
        word, end, figure = (held.get(kind) for kind in ("way", "end", "figure"))
        if word is None or end is None:
            return []
        growth = "rate" if end.kind == "fastest" else ""
        place = -1 if end.kind == "least" else 1
        told = figure.quantity if figure is not None else None
        return [Predicate(word.kind, figure=told, place=place, growth=growth)]

    def _moved(self, degree: Token | None) -> list[Predicate]:
        """Read "rose by 3 %", "fell slightly", "unchanged"."""
        if degree is None and self._take("same") is not None:
            start, rate = self._at, self._take("figure")
            if rate is None or rate.quantity is None or rate.quantity.unit != _PERCENT:
                self._at = start
                return [Predicate("same")]
            signless = replace(rate.quantity, value=abs(rate.quantity.value))
            way = "rise" if rate.quantity.value > 0 else "fall"
            return [Predicate("same"), Predicate(way, figure=signless)]
        word = self._take("rise", "fall")
        if word is None:
            return []
        lead, degree, start = degree, degree or self._take(*EXTENTS), self._at
        factor = self._multiple(degree, None)  # "grew twice as fast as B"
        if factor and factor[0].kind == "factor":
            return [replace(factor[0], moved=word.kind, growth="rate"), *factor[1:]]
        self._at = start
        if degree is None and self._take("size") is not None:
            degree = Token("far")  # "much faster"
        pace = self._take("faster", "slower", "more", "less")
        if pace is not None:
            sides = {one.kind for one in self._tokens[self._at :]}
            bare = sides <= {"by", "figure", "against"}  # "faster, by 6.6 % against 1.7 %"
            if (self._take("than") is None and not bare) or lead is not None:
                return []
            kind = "more" if pace.kind in ("faster", "more") else "less"
            growth = "rate" if pace.kind in ("faster", "slower") else "amount"
            shade = degree.kind if degree is not None else ""
            own = Predicate(kind, moved=word.kind, growth=growth, degree=shade)
            if not bare or "against" in sides:
                return [own] if bare else self._with_object(own)
            self._take("by")
            rate = self._take("figure")
            return [own, Predicate(word.kind, figure=rate.quantity)] if rate else [own]
        reached = self._take("to") is not None
        figure = self._take("figure") if self._take("by") is None or not reached else None
        self._take("than_time")
        if degree is not None and degree.kind == "next_to":
            return []
        shade = degree.kind if degree is not None else ""
        own = Predicate(word.kind, degree=shade, better=bool(word.keys))
        if reached:  # "rose to 40" tells the value, "rose by 40" the change
            return [own, Predicate("value", figure=figure.quantity)] if figure else []
        return [replace(own, figure=figure.quantity if figure else None)]

    def _placed(self, degree: Token | None) -> list[Predicate]:
        """Read "the second largest", "fifth", "last"."""
        if self._take("middle") is not None:
            return [Predicate("place", degree="middle")] if degree is None else []
        ordinal = self._take("ordinal")
        end = self._take("most", "least", "last", "next", "front")
        if ordinal is None and end is None:
            return []
        place = ordinal.place if ordinal is not None else 2 if end and end.kind == "next" else 1
        if end is not None and end.kind in ("least", "last"):
            place = -place
        shade = degree.kind if degree is not None else ""
        of_all = end is not None and end.kind not in ("last", "front")
        better = end is not None and bool(end.keys)
        if ordinal is not None and self._take("only") is not None:  # "second only to B"
            behind = self._with_object(Predicate("less", degree="next_to")) if not shade else []
            return [Predicate("place", place=place, of_all=of_all), *behind] if behind else []
        return (
            [Predicate("place", place=place, of_all=of_all, degree=shade, better=better)]
            if shade in ("", "clear", "far") or (shade == "narrow" and place == 1)
            else []
        )


def _scaled(one: Quantity | None, other: Quantity | None) -> Quantity | None:
    """Return a figure with the scale that the one behind it tells of both: "1.3 against 1.2 bn"."""
    if one is None or other is None or one.unit or one.scale != 1 or other.scale == 1:
        return one
    return replace(one, value=one.value * other.scale, scale=other.scale)
