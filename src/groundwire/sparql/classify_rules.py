"""The rules by which prompts are classified, but for those of citations; English and Chinese.

They read a sentence that is folded (NFKC, small letters, simplified characters) and rid of
courtesies. Of each list the first rule that matches counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

EXPLICIT = 0.95
"""The sentence says in so many words what it asks for."""
CLEAR = 0.85
"""Its form is that of its class, and seldom another's."""
LIKELY = 0.7
"""Its form is more often of this class than of another one."""
GUESS = 0.5
"""Nothing speaks against it."""


class Rule(NamedTuple):
    """One way to ask.

    Attributes:
        name: what is recognised; it is told with the class.
        confidence: how sure a match makes.
        pattern: what a sentence has to hold.
    """

    name: str
    confidence: float
    pattern: re.Pattern[str]


def rule(name: str, confidence: float, *patterns: str) -> Rule:
    """A rule that any one of the patterns makes match."""
    return Rule(name, confidence, re.compile("|".join(patterns)))


# A task on what the user has or wants: a graph has no answer to it.
_TASKS = (
    r"(?:write|compose|draft|create|generate|make(?! sure)|invent|teach|imagine|translate|rewrite"
    r"|rephrase|paraphrase|proofread|edit|fix|debug|refactor|implement|build|install|deploy|brainstorm"
    r"|suggest|recommend|remind|pretend|sing|send|convert|shorten|improve|polish|optimi[sz]e|let'?s"
    r"|help me|solve|calculate|compute|simulate|delete|remove|buy"
    # Names of things may begin with these: the Book of Kells, an order of knights.
    r"|(?:act|book|close|code|design|draw|format|open|correct|order|paint|plan|play|program|run|schedule"
    r"|set|start|stop|turn) (?:as|me|us|it|an?|the|my|our|this|that|some|off|on|up|down))\b"
)
_MATERIAL = (
    r"(?:text|code|paragraphs?|essay|e-?mail|document|article|message|function|script|file|draft"
    r"|letter|poem|image|picture|conversation|sentences?|program|cv|resume|story|table|report)\b"
)
_READ = r"(?:summari[sz]e|explain|describe|analy[sz]e|review|check|read|compare|find|count|list)\b"

OWN_TASK = "a task"
TASK = (
    rule("a command", EXPLICIT, r"^/\w"),
    rule(
        OWN_TASK,
        CLEAR,
        rf"^{_TASKS}",
        r"^(?:continue|repeat|go on|stop|start)\b.{0,8}$",
        r"^(?:tell|give) me (?:an?|another|some) (?:joke|story|poem|riddle|idea|advice|tip)",
        r"^give me (?:feedback|advice)",
        r"^(?:给我|帮我|为我|替我)?(?:写|创作|编写|撰写|起草|翻译|润色|改写|生成|设计|画|唱|编|推荐"
        r"|起个?名|聊|修改|改一?下|修复|调试|优化|计算|想|订|安排|播放|打开|关闭)",
        r"^(?:给我|跟我|再)?(?:讲|说)(?:一)?个?(?:笑话|故事)",
        r"翻译(?:成|为|一下)",
        r"^把.{1,20}(?:翻译|改写|改成|换成|缩短|总结|整理|转换)",
    ),
    rule(
        "work on the user's own text",
        CLEAR,
        rf"^{_READ}.*\b(?:this|these|the following|my|our|below|above)\b.*{_MATERIAL}",
        rf"^{_READ}.*\b{_MATERIAL} (?:below|above)\b",
        r"(?:总结|概括|归纳|分析).{0,4}(?:这|以下|下面|下列|上面|上述|我的)",
    ),
    rule(
        "an opinion or advice",
        CLEAR,
        r"\b(?:do|would|did) you (?:think|like|prefer|feel|believe|recommend|suggest|want|enjoy)\b",
        r"\byour (?:opinion|view|favou?rite|thoughts?|advice|recommendation)\b",
        r"\bshould (?:i|we)\b",
        r"\b(?:looks?|sounds?|seems?|feels?) (?:better|best|nicer|nicest|good)\b",
        r"(?:你|您)(?:觉得|认为|喜欢|怎么看|的看法|的意见|想|最喜欢|推荐|建议)",
        r"我(?:应该|应不应该|该不该|该)",
    ),
    rule(
        "about the assistant or the conversation",
        CLEAR,
        r"^(?:who|what|how|where) (?:are|can|were) you\b",
        r"\b(?:did|have|had) (?:i|we|you) (?:just )?(?:say|said|tell|told|mention|ask|asked)\b",
        r"\byour name\b",
        r"^(?:你|您)(?:是谁|叫什么|能做什么|会什么|是什么)",
    ),
    rule(
        "arithmetic",
        CLEAR,
        r"^(?:what(?:'s| is)|how much is)?\s*[\d.,()]+(?:\s*[-+*/x×÷^]\s*[\d.,()]+)+\s*=?\??$",
        r"^[\d.,()]+(?:\s*[-+*/x×÷^]\s*[\d.,()]+)+\s*(?:等于|是)",
    ),
    rule(
        "what somebody says of themselves",
        LIKELY,
        r"^i(?!(?:'m| am) (?:looking|searching) for\b)"
        r"(?:'m|'ve| am| was| feel| think| love| hate| like| believe| hope| have| had)\b[^?]*$",
        r"^you(?:'re| are| were)\b[^?]*$",
        r"^我们(?:聊|谈)",
        r"^[你您]真?(?:很|太|好|聪明|错|笨)[^?吗]*$",
        r"^我(?:今天|昨天|刚才?|很|觉得|认为|喜欢|不喜欢|讨厌|感到)[^?吗]*$",
    ),
    rule("about the user's own things", GUESS, r"\b(?:my|mine)\b", r"我的"),
)

_ASKED = r"(?:who|whom|whose|when|where|which|what)"
FACT = (
    rule(
        "asks who, what, when, where or how many",
        CLEAR,
        rf"^(?:(?:in|on|at|of|for|from|by|with|under|to|since|until|about|and|so|but) )?{_ASKED}"
        r"(?:'s|'re)?\b",
        r"^how (?:many|much|old|far|long|tall|big|large|high|deep|often|fast|heavy|wide|hot|cold)"
        r"\b",
        r"(?:什么|谁|哪|多少|几[个颗种位次年月条本座家名只]|何时|何地|何人|有何|多[高长大远重深久快宽]|有几)",
        r"(?:定义|含义|意思|区别|全称)(?:$|\?|是|呢)",
    ),
    rule(
        "asks for a thing by its name or kind",
        CLEAR,
        r"^(?:define|explain|describe|list|name|identify|enumerate|count|find|look up|search"
        r"|show|compare|get|retrieve|tell me|give me)\b",
        r"^(?:列出|列举|介绍|解释|定义|描述|说明|查找|查询|查一下|搜索|告诉我|比较|统计|显示|找出|请问)",
        r"^i(?:'m| am) (?:looking|searching) for\b",
        r"\b(?:definition|meaning|difference|population|capital|date|number|list) (?:of|between)\b",
    ),
    rule(
        "asks how or why",
        LIKELY,
        r"^(?:how|why)\b",
        r"(?:为什么|为何|如何|怎么|怎样)",
    ),
    rule("asks the assistant", GUESS, r"^(?:do|can|could|are|will|would|have) (?:you|we|i)\b"),
    rule(
        "asks yes or no",
        LIKELY,
        r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b.*\?",
        r"(?:吗|是否|是不是|有没有)",
    ),
    rule("asks something", GUESS, r"\?$"),
)

# At the head of a sentence, and nothing to do with what is asked.
COURTESY = re.compile(
    r"^(?:(?:please|kindly|hi|hello|hey|well|ok(?:ay)?|so|now|thanks|then|also|and)\b[\s,:]*"
    r"|(?:can|could|would|will) you (?:please |kindly )?(?:help me (?:to )?)?"
    r"|help me (?:to )?(?=find|look|understand|know|learn|identify|list|verify|check|cite)"
    r"|i(?: would|'d)? (?:like|want|need) (?:you )?to (?:know )?(?:about )?"
    r"|i(?:'m| am) (?:wondering|curious)(?: about| to know)? |i wonder |i'?d love to know "
    r"|(?:do|does) (?:you|anyone|anybody) (?:happen to )?know |tell me (?=(?:who|what|when|where"
    r"|which|how|why|if|whether)\b)"
    r"|(?:请问|请你?您?|麻烦你?您?|能不能|能否|可以|可不可以|劳驾|你?能|帮忙|我想知道|想知道|想问一?下?"
    r"|那么?)[,:\s]*)"
)
_GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|thanks?(?: you)?(?: (?:a lot"
    r"|so much|very much))?|cheers|bye|goodbye|see you|ok(?:ay)?|yes|no|sure|great|nice|cool|sorry"
    r"|how are you(?: (?:doing|today|now))*|welcome|please|never ?mind|你好|您好|[早晚]上好"
    r"|下午好|大家好|晚安|谢谢[你您]?|多谢|再见|好的?|是的|不是|对不起|没关系|嗨|辛苦了)"
    r"(?: (?:there|all|everyone|friend|again)|[啊呀了哦])*"
)
GREETING = re.compile(rf"{_GREETING}(?:[\s,]+{_GREETING})*")
# A list is a fact that is asked for, though it is made.
LISTING = re.compile(
    r"^(?:make|create|generate|draw up|write|compile) (?:me )?(?:an?|the) (?:\w+ )?(?:list|table"
    r"|overview|timeline|glossary) of\b"
)
