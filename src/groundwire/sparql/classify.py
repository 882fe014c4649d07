"""Classes of prompts, by rules: a fact, the source of one, the check of a citation, or else.

Classes and threshold are those of seed 003, "KG Enforcement & Operational Policy". No model is
asked. A prompt is read sentence by sentence; the class of a sentence is that of the first rule
that it matches, and how sure that makes is the rule's. Over the sentences a check of a citation
comes before a request for one, and that before a lookup, since the former are asked in the form
of the latter. Where the prompt also wants another task done, nobody can be sure.

The rules by which prompts are classified, but for those of citations; English and Chinese. They
read a sentence that is folded (NFKC, small letters, simplified characters) and rid of courtesies.
Of each list the first rule that matches counts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.sparql.registry import PromptClass

_EXPLICIT = 0.95
"""The sentence says in so many words what it asks for."""
_CLEAR = 0.85
"""Its form is that of its class, and seldom another's."""
_LIKELY = 0.7
"""Its form is more often of this class than of another one."""
_GUESS = 0.5
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

_OWN_TASK = "a task"
_TASK = (
    rule("a command", _EXPLICIT, r"^/\w"),
    rule(
        _OWN_TASK,
        _CLEAR,
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
        _CLEAR,
        rf"^{_READ}.*\b(?:this|these|the following|my|our|below|above)\b.*{_MATERIAL}",
        rf"^{_READ}.*\b{_MATERIAL} (?:below|above)\b",
        r"(?:总结|概括|归纳|分析).{0,4}(?:这|以下|下面|下列|上面|上述|我的)",
    ),
    rule(
        "an opinion or advice",
        _CLEAR,
        r"\b(?:do|would|did) you (?:think|like|prefer|feel|believe|recommend|suggest|want|enjoy)\b",
        r"\byour (?:opinion|view|favou?rite|thoughts?|advice|recommendation)\b",
        r"\bshould (?:i|we)\b",
        r"\b(?:looks?|sounds?|seems?|feels?) (?:better|best|nicer|nicest|good)\b",
        r"(?:你|您)(?:觉得|认为|喜欢|怎么看|的看法|的意见|想|最喜欢|推荐|建议)",
        r"我(?:应该|应不应该|该不该|该)",
    ),
    rule(
        "about the assistant or the conversation",
        _CLEAR,
        r"^(?:who|what|how|where) (?:are|can|were) you\b",
        r"\b(?:did|have|had) (?:i|we|you) (?:just )?(?:say|said|tell|told|mention|ask|asked)\b",
        r"\byour name\b",
        r"^(?:你|您)(?:是谁|叫什么|能做什么|会什么|是什么)",
    ),
    rule(
        "arithmetic",
        _CLEAR,
        r"^(?:what(?:'s| is)|how much is)?\s*[\d.,()]+(?:\s*[-+*/x×÷^]\s*[\d.,()]+)+\s*=?\??$",
        r"^[\d.,()]+(?:\s*[-+*/x×÷^]\s*[\d.,()]+)+\s*(?:等于|是)",
    ),
    rule(
        "what somebody says of themselves",
        _LIKELY,
        r"^i(?!(?:'m| am) (?:looking|searching) for\b)"
        r"(?:'m|'ve| am| was| feel| think| love| hate| like| believe| hope| have| had)\b[^?]*$",
        r"^you(?:'re| are| were)\b[^?]*$",
        r"^我们(?:聊|谈)",
        r"^[你您]真?(?:很|太|好|聪明|错|笨)[^?吗]*$",
        r"^我(?:今天|昨天|刚才?|很|觉得|认为|喜欢|不喜欢|讨厌|感到)[^?吗]*$",
    ),
    rule("about the user's own things", _GUESS, r"\b(?:my|mine)\b", r"我的"),
)

_ASKED = r"(?:who|whom|whose|when|where|which|what)"
_FACT = (
    rule(
        "asks who, what, when, where or how many",
        _CLEAR,
        rf"^(?:(?:in|on|at|of|for|from|by|with|under|to|since|until|about|and|so|but) )?{_ASKED}"
        r"(?:'s|'re)?\b",
        r"^how (?:many|much|old|far|long|tall|big|large|high|deep|often|fast|heavy|wide|hot|cold)"
        r"\b",
        r"(?:什么|谁|哪|多少|几[个颗种位次年月条本座家名只]|何时|何地|何人|有何|多[高长大远重深久快宽]|有几)",
        r"(?:定义|含义|意思|区别|全称)(?:$|\?|是|呢)",
    ),
    rule(
        "asks for a thing by its name or kind",
        _CLEAR,
        r"^(?:define|explain|describe|list|name|identify|enumerate|count|find|look up|search"
        r"|show|compare|get|retrieve|tell me|give me)\b",
        r"^(?:列出|列举|介绍|解释|定义|描述|说明|查找|查询|查一下|搜索|告诉我|比较|统计|显示|找出|请问)",
        r"^i(?:'m| am) (?:looking|searching) for\b",
        r"\b(?:definition|meaning|difference|population|capital|date|number|list) (?:of|between)\b",
    ),
    rule(
        "asks how or why",
        _LIKELY,
        r"^(?:how|why)\b",
        r"(?:为什么|为何|如何|怎么|怎样)",
    ),
    rule("asks the assistant", _GUESS, r"^(?:do|can|could|are|will|would|have) (?:you|we|i)\b"),
    rule(
        "asks yes or no",
        _LIKELY,
        r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b.*\?",
        r"(?:吗|是否|是不是|有没有)",
    ),
    rule("asks something", _GUESS, r"\?$"),
)

# At the head of a sentence, and nothing to do with what is asked.
_COURTESY = re.compile(
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
_LISTING = re.compile(
    r"^(?:make|create|generate|draw up|write|compile) (?:me )?(?:an?|the) (?:\w+ )?(?:list|table"
    r"|overview|timeline|glossary) of\b"
)

# What is cited, and what a citation is of. An open source or a source of power is something else.
_SOURCE = (
    "".join(
        f"(?<!{kind} )" for kind in ("open", "power", "energy", "light", "water", "food", "heat")
    )
    + r"(?<!open-)sources?(?! code)"
)
_CITED = (
    r"(?:citations?|references?|bibliograph(?:y|ies)|footnotes?|quot(?:e|ation)s?|dois?"
    rf"|attributions?|{_SOURCE})\b"
)
_PROOF = rf"(?:{_CITED}|provenance\b|evidence\b|proof\b)"
_CLAIM = (
    r"(?:claims?|statements?|assertions?|figures?|numbers?|facts?|allegations?|results?|answers?"
    r"|information|data|definitions?|sentences?|phrases?)\b"
)
_WORK = r"(?:papers?|articles?|stud(?:y|ies)|books?|reports?|pages?|publications?)\b"
_THIS = r"(?:this|that|the|these|those|my|your|his|her|their)"
_TRUE = (
    r"(?:correct|right|accurate|real|genuine|valid|true|authentic|fake|wrong|made up|exact|reliable"
    r"|trustworthy|credible|legitimate|authoritative|peer-reviewed)\b"
)
_SAY = (
    r"(?:say|said|write|wrote|written|state|stated|claim|claimed|support|supported|mention"
    r"|back|confirm|contradict|prove|proved)s?\b"
)
_FIND = (
    r"(?:sa(?:y|ys|id)|states?|claims?|claimed|supports?|mentions?|found|finds?|shows?|showed"
    r"|proves?|proved|confirms?|confirmed|reports|reported|argues?|concludes?)\b"
)
_CHECK = (
    r"(?:verify|validate|confirm|fact-? ?check|(?:double-? ?|cross-? ?)?check|authenticate"
    r"|debunk|make sure|ensure)\b"
)
_ZH_CITED = r"(?:引用|引文|引言|出处|来源|参考文献|文献|注释|脚注|论断|说法|doi)"
_ZH_CHECK = r"(?:核实|核对|核查|验证|查证|求证|检查|校对|考证|确认)"

_VERIFICATION = (
    rule(
        "checks a citation",
        _EXPLICIT,
        rf"\b{_CHECK}.*\b(?:{_CITED}|{_CLAIM})",
        r"\bfact-? ?check\b",
        rf"{_ZH_CHECK}.*?{_ZH_CITED}",
        rf"{_ZH_CITED}.{{0,8}}(?:核实|核对|核查|验证|查证)",
        rf"事实核查|^{_ZH_CHECK}(?:一下)?\W*$|(?:查证|核实)一下",
    ),
    rule(
        "asks whether a citation is right",
        _EXPLICIT,
        rf"^(?:is|are|was|were)\b.*\b(?:{_CITED}|{_CLAIM}).*\b{_TRUE}",
        rf"^(?:is|are|was|were) (?:this|that|it|these|those) (?:an? |the )?{_TRUE}"
        rf" (?:{_CITED}|{_WORK})",
        rf"^(?:is|are|was) .*\b{_TRUE} (?:one|{_CITED})",
        rf"^(?:do|does|did)\b.*(?:\b{_CITED}|\b{_WORK}|\(\d{{4}}\w?\)|\bet al\b).*\bexist\b",
        r"^(?:is|are|was|were|has|have)\b.*\bretracted\b",
        r"撤稿",
        rf"{_ZH_CITED}.{{0,12}}(?:正确|对吗|对不对|准确|属实|真实|真的|假的|伪造|编的|有误|存在|错|可靠|可信|靠谱|权威)",
        r"(?:论文|文章|这本?书).{0,6}(?:真的|是否|确实)存在",
    ),
    rule(
        "asks whether somebody said it",
        _CLEAR,
        rf"^(?:do|does|did|has|have)\b.*\b(?:really|actually|ever)\b.*\b{_SAY}",
        rf"^(?:do|does|did)\b.*\b(?:{_CITED}|{_WORK}).*\b(?:{_SAY}|show\b)",
        rf"^(?:is|was|were|are)\b.*\b(?:{_CITED}|said|sentence|phrase|words?)\b.*\b(?:from|by)\b",
        rf"^is it (?:really )?true that\b.*\b{_SAY}",
        r"\b(?:mis-?quoted|mis-?attributed|wrongly attributed|attributed to)\b",
        r"(?:真的|确实|真).{0,10}(?:说|写|提到|讲)",
        r"(?:是否|是不是|真的|确实)(?:真的)?(?:出自|来自|引自|说过|写过)",
        r"(?:出自|引自).+吗",
    ),
    rule(
        "asks whether a report is true",
        _CLEAR,
        rf"\baccording to\b.*\b(?:is|was|are) (?:that|this|it) {_TRUE}",
        r"(?:据|根据).+(?:属实吗|对吗|是真的吗|正确吗)",
    ),
    rule(
        "asks whether what was said is right",
        _LIKELY,
        rf"^{_CHECK} (?:whether|if|that)\b",
        r"^(?:is|are|was|were) (?:that|this|it|they|these|those) (?:really |actually )?"
        rf"{_TRUE}\W*$",
        r"^(?:这|那|它)?(?:是)?(?:真的|对的|正确的?|属实)吗",
    ),
)

_GIVE = (
    r"(?:give|provide|show|find|include|add|list|get|send|share|supply|quote|name|state|have|back"
    r"|support)\b"
)
_REQUEST = (
    rule(
        "asks for sources",
        _EXPLICIT,
        r"\bcite\b",
        rf"(?:^|\b(?:you|please|and|me|to) ){_GIVE}.*\b{_PROOF}",
        rf"\b(?:i|we) (?:need|want|would like)\b.*\b{_PROOF}",
        r"\bwith (?:\w+ )?(?:sources|citations?|references|footnotes|links|evidence)\b",
        rf"\b(?:is|are) there (?:(?:an?|any|some) )?(?:\w+ )?{_PROOF}",
        rf"^(?:any )?{_PROOF}(?: please)?\W*$",
        rf"\byour (?:{_PROOF}|basis\b)",
        rf"\boriginal {_WORK}",
        r"^有.{0,4}(?:证据|依据|来源|出处|文献)",
        rf"\b(?:link|point|refer|direct) (?:me|us) to\b.*\b(?:{_PROOF}|{_WORK})",
        r"\bdois? (?:of|for)\b",
        r"(?:给出|提供|列出|注明|标明|标注|附上|附|写明|说明|给我|有没有|有无|需要|请问|找).*?"
        r"(?:出处|来源|参考(?:文献|资料|书目)|文献|引用|引文|依据|证据)",
        r"^(?:出处|来源|文献|依据|证据|参考文献)呢",
        r"(?:出处|来源)(?:是什么|是哪|在哪|呢|\?|$)",
        r"引用.{0,4}(?:来源|出处|文献)",
    ),
    rule(
        "asks where a statement is from",
        _EXPLICIT,
        rf"\b(?:source|origin|provenance|evidence)s? (?:of|for|behind) {_THIS}\b"
        rf".*\b(?:{_CLAIM}|{_CITED})",
        r"\b(?:source|evidence)s? for (?:this|that|it)\b",
        r"\bwhere (?:did|do|does|have|has|is) (?:you|this|that|it|these|those)\b.*"
        r"\b(?:get|got|find|found|read|come|from|taken)\b",
        rf"\bwhere (?:does |do |did )?{_THIS} {_CLAIM}.*\b(?:come|comes|came|from)\b",
        r"\bhow do you know\b",
        r"\bwho says\b",
        r"\bon what (?:basis|grounds|evidence)\b",
        r"(?:你的|有什么|有何|什么)(?:依据|根据|证据|来源|出处)",
        r"(?:从哪里?|哪儿|怎么)(?:知道|得知|得来|来的|看到|查到)",
        r"(?:数据|数字|信息|资料|结论|说法).{0,4}(?:来自哪|出自哪|哪里来|从哪)",
    ),
    rule(
        "asks which work says it",
        _CLEAR,
        rf"\b(?:which|what) (?:{_WORK}|{_CITED}).*\b{_FIND}",
        rf"^(?:is|are) there (?:an?|any|some) (?:\w+ )?{_WORK}.*\b(?:that|which|show|on|about)",
        r"\baccording to (?:whom|what|which)\b",
        rf"^(?:what|which) {_PROOF} (?:is|are|do|does|did|have|supports?)\b",
        r"^what(?:'s| is) the (?:citation|reference|doi) (?:of|for)\b",
        r"哪(?:篇|本|些|份|个)(?:论文|文章|书|文献|报告|资料|研究)",
        r"(?:论文|研究|文献|证据|资料).{0,4}(?:支持|证明|表明|证实)",
    ),
)

# Of questions that ask for no source by their words.
_MENTION = (
    rule(
        "asks about a citation, yes or no",
        _LIKELY,
        r"^(?:is|are|was|were|do|does|did|has|have|can|could)\b(?! there\b)"
        rf".*\b(?:{_CITED}|cited\b)",
        r"原话",
    ),
)

CONFLICT = 0.6
"""The most confidence in the class of a prompt that also wants another task done."""

LONGEST = 4_000
"""Characters of a prompt that are read: of a longer one half of them at each end."""

_MOST_KEYWORDS = 6
_ORDER: tuple[PromptClass, ...] = (
    "citation_verification",
    "citation_request",
    "fact_lookup",
    "other",
)
_SENTENCES = re.compile(r"(?<=[?!。;])\s*|(?<=\.)\s+|\n+|(?<=[^\d\s]):\s+|:(?=[\u4e00-\u9fff])")
_SPACE = re.compile(r"\s+")
_WORDS = re.compile(r"[\w'-]+")
# Characters of the rules' words, and of words beside them, as they are simplified.
_SIMPLIFIED = str.maketrans(
    "實證驗處來參獻誰麼幾時為嗎義釋紹寫譯潤總結編謝覺認該薦議講請說這話稱確據個裡們給標註資對錯種點條誤檢無長遠別與於應寶書論"
    "題問幫職簡體學現開關頭轉換創發設計畫圖單電網員歐聯萬當從還過進則歷億價買賣訂劃聽讀錄記導選擇較優調試複產屬讚",
    "实证验处来参献谁么几时为吗义释绍写译润总结编谢觉认该荐议讲请说这话称确据个里们给标注资对错种点条误检无长远别与于应宝书论"
    "题问帮职简体学现开关头转换创发设计画图单电网员欧联万当从还过进则历亿价买卖订划听读录记导选择较优调试复产属赞",
)


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of a prompt.

    Attributes:
        kind: its class.
        confidence: from 0 to 1; below the registry's threshold the user is asked.
        reason: what was recognised, in a few words.
    """

    kind: PromptClass
    confidence: float
    reason: str


def classify(prompt: str) -> Classification:
    """The class of a prompt, in English or Chinese, with how sure the rules are.

    Of a prompt that is not read whole nobody can be sure that it asks for nothing else.
    """
    found = _of_text(_read(prompt))
    if len(prompt) > LONGEST and found.kind == "other":
        return Classification("other", _GUESS, f"{found.reason}, in what was read of it")
    return found


def _read(prompt: str) -> str:
    if len(prompt) <= LONGEST:
        return prompt
    return f"{prompt[: LONGEST // 2]}\n{prompt[-LONGEST // 2 :]}"


def _of_text(text: str) -> Classification:
    """The class of all sentences together."""
    found = [_of_sentence(sentence) for sentence in _sentences(text)]
    said = [one for one in found if one.reason != "a greeting"] or found
    if not said:
        return Classification("other", _EXPLICIT, "nothing is asked")
    best = min(said, key=lambda one: (_ORDER.index(one.kind), -one.confidence))
    tasks = [one for one in said if one.kind == "other" and one.confidence >= _CLEAR]
    if best.kind != "other" and tasks:
        if best.confidence <= _GUESS:
            return tasks[0]
        reason = f"{best.reason}, but also {tasks[0].reason}"
        return Classification(best.kind, min(best.confidence, CONFLICT), reason)
    return best


def _sentences(text: str) -> list[str]:
    """The sentences that hold a word, folded."""
    folded = unicodedata.normalize("NFKC", text).translate(_SIMPLIFIED).lower()
    parts = (_SPACE.sub(" ", part).strip() for part in _SENTENCES.split(folded.replace("’", "'")))
    return [part for part in parts if _WORDS.search(part)]


def _of_sentence(sentence: str) -> Classification:
    plain = sentence.strip(" .,!?。、~")
    if GREETING.fullmatch(plain):
        return Classification("other", _EXPLICIT, "a greeting")
    asked = _without_courtesies(sentence)
    task = None if _LISTING.match(asked) else _first(_TASK, asked)
    if rule := _first(_VERIFICATION, asked):
        return _cited("citation_verification", rule, task)
    if rule := _first(_REQUEST, asked):
        return _cited("citation_request", rule, task)
    if rule := _first(_MENTION, asked):
        return _cited("citation_verification", rule, task)
    if task is not None:
        return Classification("other", task.confidence, task.name)
    if _LISTING.match(asked):
        return Classification("fact_lookup", _CLEAR, "asks for a list")
    if rule := _first(_FACT, asked):
        return Classification("fact_lookup", rule.confidence, rule.name)
    if len(_WORDS.findall(plain)) <= _MOST_KEYWORDS and not sentence.endswith((".", "!", "。")):
        return Classification("fact_lookup", _GUESS, "a few words alone")
    return Classification("other", _GUESS, "no question")


def _cited(kind: PromptClass, rule: Rule, task: Rule | None) -> Classification:
    """A sentence about citations; one that begins as a task may be that task all the same."""
    if task is not None and task.name == _OWN_TASK:
        return Classification(kind, CONFLICT, f"{rule.name}, but also {task.name}")
    return Classification(kind, rule.confidence, rule.name)


def _without_courtesies(sentence: str) -> str:
    while (found := _COURTESY.match(sentence)) and found.end() and found.end() < len(sentence):
        sentence = sentence[found.end() :].lstrip(" ,")
    return sentence


def _first(rules: tuple[Rule, ...], sentence: str) -> Rule | None:
    return next((rule for rule in rules if rule.pattern.search(sentence)), None)
