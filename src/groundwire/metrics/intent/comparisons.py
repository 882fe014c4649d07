"""Questions for which of several is more: "which is larger, CN or HK", 谁的收入更高.

Where the question names what is compared, all of it is looked up and shown, and words that compare
say nothing about a value. Where it does not, what it asks is a ranking, which nobody holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language import annotate
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.chinese_words import simplified
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.tokens import Explained
from groundwire.quantities import PeriodExpression

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
        for first, text in _runs(explained)
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


def _runs(explained: Explained) -> list[tuple[int, str]]:
    """Runs of characters that are no term and no period, with the number of the first."""
    runs: list[tuple[int, str]] = []
    end = -1
    for at, token in enumerate(explained.tokens):
        if token.kind != "cjk" or explained.roles[at] not in _FREE:
            continue
        if at == end and token.glued:
            runs[-1] = (runs[-1][0], runs[-1][1] + simplified(token.text))
        else:
            runs.append((at, simplified(token.text)))
        end = at + 1
    return runs
