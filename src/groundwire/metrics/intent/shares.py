"""Questions for a share: which of the entities that are named is the whole, or whether all are.

"Germany's share of EU GDP" and 德国占欧盟GDP的比重 name the whole, and so does "our" in "what share
of our revenue does Hong Kong have". "Germany's share of the total of Germany and France" names
both as the whole. A question that names none is asked which one is meant.

Questions for which of several is more are read here too: "which is larger, CN or HK", 谁的收入更高.
What they name is all looked up and shown; one that names nothing to compare is a ranking.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from groundwire.language import annotate
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.slots import Value, parts_of_whole
from groundwire.metrics.intent.tokens import Explained, inside, simplified
from groundwire.metrics.profile import Profile
from groundwire.metrics.terms import THOSE_LISTED, TOTAL
from groundwire.quantities import PeriodExpression

_PERCENT = frozenset(["pct", "percent", "percentage", "total", "whole", "overall", "within"])
_INTO = frozenset(["in", "within", "among", "of"])
_CHINESE_BESIDE = re.compile(
    r"百分之(?:几|多少)|多大比[例重]|多少比[例重]|比例|几成|[中里内所的了]"
)
_PLACES = frozenset("中里内")
_JOINING = frozenset(["and", "vs", "versus", "plus"])
_CHINESE_JOINING = frozenset("和与及跟同、，,&")
_HOLDING = frozenset("占佔")
_TOTAL_WORDS = frozenset(
    ["together", "combined", "total", "totals", "sum", "joint", "jointly", "aggregate", "added"]
)
# How all that are named are told to be the whole, in the outline of a question.
_ENTITY = re.compile(r"\bE\d+\b")
_EACH = re.compile(r"\b(?:each|respective|respectively|各|各自|分 别)\b")
_SUM = rf"(?:{'|'.join(sorted(_TOTAL_WORDS))})"
_CHINESE_SUM = "(?:total|之 和|合 计|总 和|总 计|加 总|总 额|总 量|总 数|合 共|加 起 来)"
_TOTAL = re.compile(rf"\b{_SUM}\b|{_CHINESE_SUM}|E\d+ (?:plus|\+|加) E\d+")
_ALL = (
    r"E\d+(?: s)?(?: M)?(?:(?: and| plus| with| \+| &| 和| 与| 及| 跟| 同| 加| 以 及)?"
    r"(?: the| of)? E\d+(?: s)?(?: M)?){1,12}"
)
_LISTING = re.compile(_ALL)
_ALL_AS_WHOLE = (
    re.compile(
        rf"\b(?:in|within|among|of)(?: the| {_SUM}| M| of| for| in){{0,6}} "
        rf"(?P<all>{_ALL})(?: in P| P| M| {_SUM}){{0,4}}(?!\S)"
    ),
    re.compile(
        rf"\b(?:in|within|of)(?: the| {_SUM}| M| of){{0,5}}"
        rf" (?:their|both|them|these|those|two|three|four)(?: M| {_SUM}){{0,3}}(?!\S)"
    ),
    re.compile(
        rf"(?:占|在)(?: P)? (?P<all>{_ALL})(?: 的| M| 两| 二| 三| 者| 地| 国| 家){{0,5}}"
        rf" {_CHINESE_SUM}"
    ),
    re.compile(
        rf"(?:占|在) (?:(?:两|二|三) (?:者|地|国|家)|其|它 们)(?: 的| M){{0,3}} {_CHINESE_SUM}"
    ),
)
_CHINESE_HOME = re.compile(r"我们的?|[我本][司方]|本?公司|本?集团")


class SharedOf(NamedTuple):
    """The reading of a question for a share, beyond the values that it lists.

    Attributes:
        whole: code of the entity that is the whole, `THOSE_LISTED` for all that are named, or "".
        channels: channels that are looked up too: the total that others are shares of.
        asks: codes of the wholes that may be meant, where the question names none.
        parts: codes of all that the whole consists of, where it has no name of its own.
    """

    whole: str = ""
    channels: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def lacks_whole(self) -> bool:
        """Whether the whole has to be asked for."""
        return not self.whole and not self.channels


def read_share(
    explained: Explained, values: Sequence[Value], profile: Profile, kinds: frozenset[str]
) -> SharedOf | None:
    """Find the whole of a share that a question asks for.

    Args:
        explained: the question.
        values: the values of its slots, in the order of the text.
        profile: which entity holds which.
        kinds: kinds of the metrics that are asked for.

    Returns:
        None where it asks for no share, or names the whole among what it lists.
    """
    if not any(one == "share" for one, _, _ in explained.operations) or len(kinds) != 1:
        return None
    (kind,) = kinds
    if _names_all_as_whole(explained, values):
        return SharedOf(whole=THOSE_LISTED)
    homes = frozenset(filter(None, (profile.kinds[kind].home,)))
    named = whole_of(explained, values, homes)
    if named is not None:
        codes = [code for code in named if profile.entity_by_code[code].kind == kind]
        return SharedOf(whole=_holding(codes[0], explained, values, profile)) if codes else None
    channels = {code for one in values if one.slot == "channel" for code in one.codes}
    entities = {code for one in values if one.slot == "entity" for code in one.codes}
    if channels - {TOTAL}:
        return SharedOf(channels=(TOTAL,)) if len(entities) < 2 else SharedOf()
    relation = profile.membership.relation
    if not entities or any(
        relation(*two) in ("holds", "within") for two in combinations(entities, 2)
    ):
        return None
    parts = parts_of_whole(profile, kind)
    if entities < set(parts):
        return SharedOf(THOSE_LISTED, parts=parts)
    return SharedOf(asks=profile.membership.wholes_of_all(sorted(entities)))


def _holding(code: str, explained: Explained, values: Sequence[Value], profile: Profile) -> str:
    """The whole that a wording names, or the one entity beside it that holds it.

    "What share of the group's staff works in China" names the whole first, and no part holds it;
    who names a part before the word for a share has said what is a share of what.
    """
    share = min(first for one, first, _ in explained.operations if one == "share")
    start = explained.tokens[share].start
    entities = [one for one in values if one.slot == "entity"]
    others = {one for value in entities for one in value.codes} - {code}
    holds = [one for one in others if profile.membership.relation(one, code) == "holds"]
    follow = all(one.span[0] > start for one in entities)
    return holds[0] if follow and len(holds) == len(others) == 1 else code


def computed_of_shares(explained: Explained) -> tuple[int, int] | None:
    """Find a share within a share, or a change or ratio of shares, that no form explains.

    What has one meaning is read by `groundwire.metrics.intent.share_changes` before. A difference
    of shares is none of what they are shares of. Shares that are listed with "and" between them
    are each computed.

    Returns:
        the first token of the word for what is computed of a share, and the one after its last.
    """
    places = [(first, last) for one, first, last in explained.operations if one == "share"]
    if not places:
        return None
    others = [
        (first, last)
        for one, first, last in explained.operations
        if one in ("delta", "ratio", "percent_change")
    ]
    nouns = _share_nouns(explained, places)
    if others:
        # A change beside a share is one of the share, not of what it is a share of.
        return others[0]
    for one, following in pairwise(nouns):
        between = explained.tokens[one[1] : following[0]]
        if not any(token.plain in _JOINING or token.text in _CHINESE_JOINING for token in between):
            return following
    return None


def _share_nouns(explained: Explained, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places of words for shares, those of one share once: 占 goes with the 比重 after it."""
    verbs = [one for one in places if explained.tokens[one[0]].text in _HOLDING
             and one[1] - one[0] == 1]  # fmt: skip
    nouns = [one for one in places if one not in verbs]
    return sorted(verbs if len(verbs) > len(nouns) else nouns)


def explain_shares(explained: Explained) -> None:
    """Explain the words beside a word for a share that only say who has it, and of what."""
    places = [at for one, first, last in explained.operations if one == "share"
              for at in range(first, last)]  # fmt: skip
    if not places:
        return
    tokens, roles = explained.tokens, explained.roles
    for at, token in enumerate(tokens):
        if roles[at] not in ("loose", "qualifier", "movement"):
            continue
        if token.plain in english.HAVING_A_SHARE or (
            token.plain in _PERCENT and explained.role(at + 1) != "term"
        ):
            roles[at] = "function"
        elif token.plain in english.HOME and explained.role(at + 1) in ("term", "function"):
            roles[at] = "own"
        elif token.plain in ("total", "overall", "whole") and explained.role(at + 1) == "term":
            roles[at] = "function"
    for first, text in _runs(explained, ("loose", "qualifier", "function")):
        for match in _CHINESE_HOME.finditer(text):
            explained.give(first + match.start(), first + match.end(), "own")
        for match in _CHINESE_BESIDE.finditer(text):
            start = first + match.start()
            if match[0] not in _PLACES or explained.role(start - 1) == "term":
                explained.give(start, first + match.end(), "function")


def whole_of(
    explained: Explained, values: Sequence[Value], homes: frozenset[str]
) -> tuple[str, ...] | None:
    """The codes of the entity that a question for a share names as the whole.

    Args:
        explained: the question.
        values: the values of its slots, in the order of the text.
        homes: the home entities of the metrics that are asked for, which "our" stands for.

    Returns:
        the codes, or None where it names no whole, or several that may be it.
    """
    places = [first for one, first, _ in explained.operations if one == "share"]
    entities = [value for value in values if value.slot == "entity"]
    if not places or not entities:
        return None
    if len({value.codes for value in entities}) == 1 and explained.has("own") and homes:
        return tuple(sorted(homes))
    if len({value.codes for value in entities}) < 2:
        return None
    tokens = explained.tokens
    if any(token.kind == "cjk" for token in (tokens[at] for at in places)):
        return _chinese_whole(explained, places[0], entities)
    at = tokens[places[0]].start
    before = [value for value in entities if value.span[0] < at]
    after = [value for value in entities if value.span[0] > at]
    if before and after:
        return after[0].codes if len(after) == 1 else None
    if len(after) < 2:
        return None
    if english.BEFORE_A_SHARER & _words_between(explained, after[0], after[1]):
        return after[0].codes
    between = _words_between(explained, after[-2], after[-1])
    return after[-1].codes if between & _INTO and not between & _JOINING else None


def _names_all_as_whole(explained: Explained, values: Sequence[Value]) -> bool:
    """Whether a question names all of its entities together as the whole of a share of each.

    The words for what is grammar there are explained.
    """
    line, places = _outline(explained, values)
    whole = _numbers(line)
    if len(whole) < 2 or not any(one == "share" for one, _, _ in explained.operations):
        return False
    for pattern in _ALL_AS_WHOLE:
        for found in pattern.finditer(line):
            told = found.groupdict()
            listing = told.get("all") or next(
                (one[0] for one in _LISTING.finditer(line) if whole == _numbers(one[0])), ""
            )
            rest = line[: found.start()] + " " + line[found.end() :]
            parts = _numbers(rest) or _EACH.search(rest) or not told.get("all")
            if whole == _numbers(listing) and parts and _TOTAL.search(found[0]):
                _explain_total(explained, places, found.span())
                return True
    return False


def _outline(explained: Explained, values: Sequence[Value]) -> tuple[str, list[tuple[int, int]]]:
    """A question in which each entity is a number, and each other term and period a letter.

    Returns:
        the words with blanks between them, and the place of each token's word among them.
    """
    spans = {value.span: value.codes for value in values if value.slot == "entity"}
    totals = [one.span for one in values if one.slot == "channel" and one.codes == (TOTAL,)]
    numbers = {codes: number for number, codes in enumerate(dict.fromkeys(spans.values()))}
    words: list[str] = []
    places: list[tuple[int, int]] = []
    length = 0
    for at, token in enumerate(explained.tokens):
        codes = next((c for (a, b), c in spans.items() if a <= token.start < b), None)
        is_total = any(a <= token.start < b for a, b in totals)
        role = explained.roles[at]
        if codes is not None:
            word = f"E{numbers[codes]}"
        elif is_total:
            word = "total"
        elif role == "period":
            word = "P"
        elif role == "term":
            word = "M"
        else:
            word = simplified(token.plain)
        if words and word == words[-1] and (word == "total" or word[:1] in ("E", "M", "P")):
            places.append(places[-1])
            continue
        places.append((length, length + len(word)))
        words.append(word)
        length += len(word) + 1
    return " ".join(words), places


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_ENTITY.findall(text))


def _explain_total(
    explained: Explained, places: Sequence[tuple[int, int]], span: tuple[int, int]
) -> None:
    """Explain the words that name the whole, and those that say that each is a part."""
    inside = [at for at, (start, end) in enumerate(places) if span[0] <= start and end <= span[1]]
    taken = {at for at in inside if explained.roles[at] in ("loose", "qualifier", "derivation")}
    for operation in list(explained.operations):
        one, first, last = operation
        if one == "share":
            taken -= set(range(first, last))
        elif set(range(first, last)) <= set(inside):
            explained.operations.remove(operation)
    each = {at for at, token in enumerate(explained.tokens) if _EACH.fullmatch(token.plain)}
    for at in taken | each:
        explained.roles[at] = "function"


def _chinese_whole(
    explained: Explained, place: int, entities: Sequence[Value]
) -> tuple[str, ...] | None:
    """A whole after 占, or before 中: 德国占欧盟, 德国在欧盟中, 欧盟GDP中德国."""
    tokens = explained.tokens
    for at, token in enumerate(tokens):
        if token.text in ("占", "佔") and not (
            at + 1 < len(tokens) and tokens[at + 1].text == "比"
        ):
            after = [one for one in entities if one.span[0] > token.start]
            if after:
                return after[0].codes
    marks = [
        at
        for at, one in enumerate(tokens)
        if one.text in _PLACES and explained.roles[at] == "function"
    ]
    if marks:
        before = [one for one in entities if one.span[1] <= tokens[marks[0]].start]
        return before[-1].codes if before else None
    for one, following in pairwise(entities):
        between = inside(tokens, one.span[1], following.span[0])
        if any(tokens[at].text == "在" for at in between):
            return following.codes
    return None


def _words_between(explained: Explained, one: Value, other: Value) -> frozenset[str]:
    places = inside(explained.tokens, one.span[1], other.span[0])
    return frozenset(explained.tokens[at].plain for at in places)


def _runs(explained: Explained, free: Collection[str]) -> list[tuple[int, str]]:
    """Runs of characters whose roles are free, with the number of the first."""
    runs: list[tuple[int, str]] = []
    end = -1
    for at, token in enumerate(explained.tokens):
        if token.kind != "cjk" or explained.roles[at] not in free:
            continue
        if at == end and token.glued:
            runs[-1] = (runs[-1][0], runs[-1][1] + simplified(token.text))
        else:
            runs.append((at, simplified(token.text)))
        end = at + 1
    return runs


_ASKS = frozenset(["which", "who", "whose", "what"])
_JOINS = frozenset(["or", "than"])
# "How many more than" asks for the difference.
_DEGREES = frozenset(["much", "many", "far", "viel", "viele", "wieviel", "wieviele"])
_RANKED = frozenset(["bottom", "rank", "ranked", "ranking", "rankings", "top"])
_SENSES = frozenset(("more", "most", "less", "least", "quality"))
_FREE = ("loose", "qualifier", "movement", "function")
_CHINESE = re.compile(
    r"(?P<asks>哪一?[个家国边方年]|哪些|谁)"
    r"|(?P<joins>还是|或者|或|比)"
    r"|(?P<more>(?:更|最|较)[高低大小多少好](?:一?[些点])?"
    r"|(?:[高低大小多少](?:了|一?[些点])?|[涨跌]了?)(?=[呢吗啊]?$|几个?))"
)
_CHINESE_RANKED = re.compile(r"排名|排行|排第|前[一二三四五六七八九十几0-9]|最[高低大小多少]")


def explain_comparisons(
    explained: Explained, mentions: Sequence[Mention], periods: Sequence[PeriodExpression]
) -> None:
    """Explain the words that compare values of which the question names at least two."""
    if not _several(mentions, periods):
        return
    tokens, roles = explained.tokens, explained.roles
    free = [at for at, role in enumerate(roles) if role in _FREE]
    german = german_words()

    def among(*words: frozenset[str]) -> list[int]:
        every = frozenset[str]().union(*words)
        return [at for at in free if {tokens[at].plain, tokens[at].text.lower()} & every]

    more = among(english.COMPARED, german["compared"])
    asks = among(_ASKS, german["compared_asks"])
    joins = among(_JOINS, german["compared_joins"])
    if more and (asks or joins):
        for at in (*more, *asks):
            roles[at] = "function"
        for at in joins:
            roles[at] = "listing"
        for at in free:
            # "Bigger by GDP": the metric that is compared stands behind it.
            if tokens[at].plain == "by" and at + 1 < len(roles) and roles[at + 1] == "term":
                roles[at] = "function"
        if joins and among(_DEGREES):
            explained.operations.append(("delta", more[0], more[0] + 1))
    _explain_chinese(explained)


def asks_which(question: str) -> str:
    """Return "most" or "least" where a question asks which of several has more, or less; or ""."""
    senses = {
        span.role.sense
        for span in annotate(question).spans
        if span.kind in ("comparison", "superlative") and span.role is not None
    }
    ways = {"least" if one in ("less", "least") else "most" for one in senses & _SENSES}
    chinese = {
        str(one.lastgroup): one[0]
        for one in _CHINESE.finditer(simplified(question.rstrip("？?。 ")))
    }
    if not ways and {"asks", "more"} <= chinese.keys():
        ways = {"least" if set(chinese["more"]) & set("低小少") else "most"}
    return ways.pop() if len(ways) == 1 else ""


def compares(question: str) -> bool:
    """Return whether a question sets values beside each other: "how does it compare with May"."""
    return any(
        span.role is not None and (span.role.role, span.role.sense) == ("comparison", "compare")
        for span in annotate(question).spans
    )


def is_ranking(text: str) -> bool:
    """Whether a part of a question that nothing explains asks for a ranking."""
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return bool(words & (_RANKED | english.COMPARED) or _CHINESE_RANKED.search(simplified(text)))


def _several(mentions: Sequence[Mention], periods: Sequence[PeriodExpression]) -> bool:
    """Whether the question names several values of one slot."""
    if len({one.raw for one in periods}) > 1:
        return True
    named = {(one.kind, one.candidates) for one in mentions}
    kinds = [kind for kind, _ in named]
    return any(kinds.count(kind) > 1 for kind in set(kinds))


def _explain_chinese(explained: Explained) -> None:
    found = [
        (match.lastgroup, first + match.start(), first + match.end())
        for first, text in _runs(explained, _FREE)
        for match in _CHINESE.finditer(text)
    ]
    groups = {group for group, _, _ in found}
    if "more" not in groups or len(groups) == 1:
        return
    following = [*(one.text for one in explained.tokens), ""]
    for group, first, last in found:
        explained.give(first, last, "listing" if group == "joins" else "function")
        if group == "more" and "joins" in groups and following[last] in ("多", "几"):
            explained.operations.append(("delta", first, last))
