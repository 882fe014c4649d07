"""Chinese words that ask and join, cues and qualifiers; each list with its longest words first.

As in English, what is in none of the lists is left over and asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from groundwire.metrics.gate.folding import read_table


@cache
def _simple_forms() -> dict[int, str]:
    return {ord(written): simple for written, simple in read_table("han").items()}


def simplified(text: str) -> str:
    """A text in simplified characters, one for each of its own."""
    return text.translate(_simple_forms())


def _longest_first(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=len, reverse=True))


GRAMMAR = _longest_first(
    """
    不要预测值 不要预测 将会是 将会有 会是 将是 会有 将有
    了解一下 我想了解 我想知道 是多少呢 查询一下 达到多少 为多少 公布的 分别为 合计为 告诉我
    多少钱 实现了 怎么样 总计为 想了解 想知道 我们的 我公司 我想查 我想看 我需要 报一下 报告的
    披露的 是不是 是什么 是多少 有多少 本公司 本集团 查一下 的情况 看一下 能不能 说一下 达多少
    麻烦你 一下 一共 之间 了解 产生 什么 以及 你好 公司 公布 共有 关于 具体 准确 几何 几多 分别 列出
    创造 到底 取得 可以 可否 各为 各是 各自 同时 告诉 咱们 哈喽 多大 多少 多谢 多高 大概 大约
    如何 完成 实现 对比 展示 帮忙 帮我 并且 录得 怎样 总共 总额 您好 情况 想查 我们 我司 我方
    我要 报告 披露 指标 提供 搜索 数值 数字 数据 数目 数量 数额 是几 显示 有关 查到 查找 查查
    查看 查询 检索 比较 水平 汇报 生成 相比 相较 看下 看看 知道 确切 究竟 精确 给出 给我 统计
    能否 获取 规模 请帮 请教 请问 谢谢 输出 达到 达成 返回 还有 都是 金额 集团 需要 麻烦 与 为
    么 之 那 了 于 你 共 及 吗 吧 呀 呢 和 啊 嗯 在 总 您 我 是 有 查 比 的 给 该 请 跟 较 达 都
    """
)

# Single characters that may stand beside another; of others two in a row may be a name (有为).
SOFT_SINGLES = _longest_first("么 了 吗 吧 呀 呢 啊 在 我 是 查 的 请")
# These qualify a metric or a company right before which they stand: 数据公司, 搜索收入.
NOUNS = frozenset(
    _longest_first("数据 数值 数字 数额 数量 数目 金额 情况 规模 水平 统计 指标 搜索 展示 显示")
)
# As in English, what may stand after a way to ask for a metric.
BESIDE_ASKED = frozenset("和与及跟比在的了呢吗啊呀吧于是都各到至")
LISTING = _longest_first("以及 还有 、 与 及 和 比 跟 较")

# Say nothing beside a period.
YEARLY = _longest_first("财政年度 全年 年度 年报 整年 时期 期间 财年 年 期")

# Change what a metric means.
QUALIFIERS = _longest_first(
    """
    同比增长率 同比增速 不包括 不变价 增长率 调整后 不含 不是 之外 人均 以上 以下 以外 低于 农村
    剔除 单位 可比 各国 名义 哪个 哪些 均值 城镇 增幅 增速 女性 实际 平均 或者 户均 所有 扣除
    扣非 指引 排名 最低 最大 最小 最高 每个 比例 比率 男性 目标 税前 税后 累计 经营 计划 调整
    超过 除了 除去 除外 预测 预算 预计 高于 不 仅 净 只 各 或 每 毛 率 除 非
    """
)

# Changes that a question for reasons asks about.
MOVEMENTS = _longest_first(
    """
    上升 上涨 下滑 下跌 下降 主要 减少 变动 变化 回升 回落 增加 增长 大幅 如此 恶化 提升 提高
    改善 明显 显著 波动 走低 走高 这么 那么 降低 暴涨 暴跌 大涨 大跌 飙升 攀升 猛增 激增 骤降 骤减
    锐减 下挫 跳水 缩水 萎缩 涨了 跌了 涨 跌 会 低 好 差 弱 强 高
    """
)

# Ask for reasons and views rather than for values.
NARRATIVE = _longest_first(
    """
    如何看待 怎么看待 驱动因素 为什么 怎么会 怎么看 为何 介绍 何以 分析 前景 原因 因素 导致 展望
    影响 总结 战略 挑战 机遇 概述 理由 看法 策略 缘由 背景 解释 评价 说明 风险 驱动
    """
)

# With one of these a question wants a number, whether it is held or not.
MEASURES = _longest_first("人口 人数 价格 利润 增长 成本 收入 营收 负债 费用 资产 率 额")
MEASURE_ENDINGS = frozenset("数數率额額量利值")
NUMERIC = _longest_first("几何 几多 合计 多少 总额 数值 数据 数额 金额")

# The last characters of the words for a share.
_SHARE_ENDS = frozenset("重例额比")


def has_a_middle(pieces: Sequence[tuple[str, str]]) -> bool:
    """Whether a 中 does not follow a name or a word for a share: 2024年中, 中低收入国家.

    Args:
        pieces: words and names in order: a letter of "EMCP", or "word" with the word.
    """
    before = [("", ""), *pieces]
    return any(
        text == "中" and before[at][0] not in ("E", "M", "C") and before[at][1] not in _SHARE_ENDS
        for at, (_, text) in enumerate(pieces)
    )
