"""Words that say nothing about what a text is about, in English and Chinese."""

from __future__ import annotations

import re

_ENGLISH = """
    a about after all also am an and any are as at be because been before being between both but
    by can could did do does doing done for from give get had has have having he her him his how i
    if in into is it its just let like may me might more most must my no not of on only or other
    our out over please shall she should show so some such tell than that the their them then
    there these they this those through to too under up us very was we were what whats when where
    whether which while who whom whose why will with would you your
"""
# Long ones first: a shorter one may be a part of them.
_CHINESE = """
    为什么 怎么样 是不是 有没有 多少 什么 怎么 怎样 如何 为何 哪些 哪个 哪里 几个 请问 告诉
    是否 可以 能否 我们 你们 他们 它们 这个 那个 这些 那些 以及 并且 或者 还是 因为 所以 但是
    关于 对于 由于 一下 的 了 是 在 和 与 及 或 吗 呢 吧 啊 我 你 他 她 它 这 那 请 也 都 就
"""

ENGLISH = frozenset(_ENGLISH.split())
# Between words of these a run of Chinese is taken apart.
CHINESE_RUN = re.compile("|".join(_CHINESE.split()))
