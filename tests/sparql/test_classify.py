"""Prompts and their classes, in English and Chinese."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from groundwire.sparql.classify import classify
from groundwire.sparql.registry import Enforcement

THRESHOLD = Enforcement().confidence_threshold
# Prompts of mixed manners, a class and a prompt a line.
MIXED = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "prompts.txt").read_text("utf-8").splitlines()
]

FACTS = """
What is SPARQL?
what's a knowledge graph
Who founded the World Wide Web Consortium?
When was the first SPARQL recommendation published?
Where is the headquarters of the European Space Agency?
Which countries border Switzerland?
How many moons does Jupiter have?
How tall is the Eiffel Tower?
How does bif:contains work?
How do I connect a host to Groundwire?
Why is the sky blue?
Is Berlin the capital of Germany?
Did Marie Curie win two Nobel prizes?
Define ontology.
Explain what a blank node is.
List the datasets about air quality in London.
Name three rivers in France.
Tell me about the Treaty of Westphalia.
Tell me who wrote Middlemarch
Can you tell me when the Suez Canal opened?
Could you please list all members of the EU?
Do you know what a tri-state is?
I would like to know how many people live in Oslo.
I wonder who invented the zip fastener.
Please give me the definition of a concept scheme.
What does SKOS stand for?
What is the difference between RDF and OWL?
Hello! What is a named graph?
I am writing a report. Who is the director of CERN?
Make a list of the planets of the solar system.
In which year did Ada Lovelace die?
Under which licence is DBpedia published?
Look up the population of Reykjavík.
What is an open source licence?
What are references in Rust?
Whose idea was the Semantic Web?
什么是 SPARQL？
SPARQL是什么
谁创建了万维网？
W3C 是什么时候成立的？
埃菲尔铁塔有多高？
法国的首都是哪里
列出欧盟的所有成员国
请解释一下什么是空白节点。
长江有多长？
木星有几颗卫星
介绍一下知识图谱
RDF 和 OWL 有什么区别？
柏林是德国的首都吗？
如何连接 Groundwire？
為什麼天空是藍色的？
誰寫了《紅樓夢》？
本体的定义
"""

REQUESTS = """
Give me sources for the claim that coffee lowers the risk of diabetes.
Cite your sources.
What is the source of this statement?
Where did you get that number?
Please provide references on the history of SPARQL.
Can you give a citation for that?
Answer with citations: who discovered penicillin?
I need a reference for the boiling point of ethanol.
Which paper says that bees can count?
What evidence is there that Shakespeare wrote the sonnets?
How do you know that?
Where does this figure come from?
Who discovered helium? Include links to your sources.
Show me the provenance of this result.
Find me a primary source about the Great Fire of London.
List the references for this answer.
Is there a source for that?
Source?
请给出这句话的出处。
这个数字的来源是什么？
有没有参考文献？
请引用来源回答：青霉素是谁发现的？
你是从哪里知道的？
請提供資料來源
给我一些关于气候变化的参考资料
这个说法有什么依据？
哪篇论文提到了这个结果？
"""

VERIFICATIONS = """
Verify this citation: Berners-Lee, T., The Semantic Web, 2001.
Is this quote really from Einstein?
Did Voltaire really say "I disapprove of what you say"?
Check whether the reference in this paragraph is correct.
Does the article actually support the claim that the drug works?
Please fact-check the following statement: the Nile is the longest river.
Is this citation accurate?
Confirm that the source says what I wrote.
Was this sentence wrongly attributed to Mark Twain?
Is the DOI 10.1038/171737a0 the right one for Watson and Crick's paper?
Double-check my references, please.
According to the encyclopedia the bridge opened in 1932. Is that correct?
Does this reference exist?
Can you validate the sources of this report?
Is that a real paper?
核实这条引用是否正确
这句话真的是鲁迅说的吗？
请验证以下参考文献。
这个出处对吗？
查证一下这个说法
這段話是否出自《論語》？
帮我检查引文有没有错误
这篇论文真的存在吗？
"""

OTHERS = """
Hello
Thanks a lot!
Good morning, how are you?
Write a poem about the sea.
Translate this sentence into French: the cat sleeps.
Summarise the following text: RDF is a model for data.
Fix the bug in my code.
Write a SPARQL query that counts all classes.
What do you think about modern art?
Should I learn Python or Rust?
Tell me a joke.
Rewrite this paragraph in plain English.
Draft an email to my landlord about the heating.
Suggest a name for my cat.
/limit 20
Can you help me write a cover letter?
Who are you?
What is 12 * 37?
Please proofread my essay.
Which one do you prefer?
Turn off the lights.
ok
Let's play a game.
你好
谢谢你
写一首关于春天的诗
把这句话翻译成英文
帮我润色这段文字
你觉得现代艺术怎么样？
我应该学 Python 还是 Rust？
给我讲个笑话
请总结以下文章
幫我寫一封求職信
推荐一部电影
"""


def prompts(text: str, kind: str) -> list[tuple[str, str]]:
    return [(line, kind) for line in text.strip().splitlines()]


EXAMPLES = [
    *prompts(FACTS, "fact_lookup"),
    *prompts(REQUESTS, "citation_request"),
    *prompts(VERIFICATIONS, "citation_verification"),
    *prompts(OTHERS, "other"),
]


def test_there_are_examples_of_every_class_in_both_languages() -> None:
    assert len(EXAMPLES) == len({prompt for prompt, _ in EXAMPLES}) >= 80


@pytest.mark.parametrize(("prompt", "kind"), EXAMPLES)
def test_a_plain_prompt_is_of_its_class_without_asking(prompt: str, kind: str) -> None:
    found = classify(prompt)
    assert found.kind == kind, found
    assert THRESHOLD <= found.confidence <= 1


def test_of_mixed_prompts_few_are_taken_for_another_class() -> None:
    found = [(kind, prompt, classify(prompt)) for kind, prompt in MIXED]
    wrong = [one for one in found if one[2].kind != one[0]]
    sure = [one for one in wrong if one[2].confidence >= THRESHOLD]
    assert len(found) > 300
    assert len(wrong) <= 0.05 * len(found), wrong
    assert len(sure) <= 0.04 * len(found), sure
    # What a registry may demand the workflow for is never let go without asking.
    assert [one for one in sure if one[2].kind == "other"] == []


@pytest.mark.parametrize(
    "prompt",
    [
        "GDP of Peru",
        "How can I improve my essay?",
        "Write a summary of SPARQL with sources",
        "Who founded CERN? Write a poem about them.",
        "The weather in Lyon was fine, and the market was open.",
        "Do you have feelings?",
        "Where are my keys?",
        "光速",
        "翻译：谁发明了电话？",
    ],
)
def test_where_nobody_can_be_sure_the_user_is_asked(prompt: str) -> None:
    assert classify(prompt).confidence < THRESHOLD


def test_a_task_beside_a_question_makes_it_doubtful_and_is_told() -> None:
    found = classify("Who founded CERN? Write a poem about them.")
    assert found.kind == "fact_lookup"
    assert found.reason == "asks who, what, when, where or how many, but also a task"


def test_a_check_comes_before_a_request_and_that_before_a_lookup() -> None:
    assert classify("Who said it? Cite a source.").kind == "citation_request"
    assert classify("Cite a source, and verify this quotation.").kind == "citation_verification"


@pytest.mark.parametrize("prompt", ["", "   ", "?!", "…", "🙂"])
def test_a_prompt_without_a_word_asks_nothing(prompt: str) -> None:
    assert classify(prompt).kind == "other"


@pytest.mark.parametrize(
    ("prompt", "same"),
    [
        ("WHO FOUNDED CERN?", "who founded cern"),
        ("What’s SKOS?", "what's skos?"),
        ("ＷＨＡＴ ｉｓ ＲＤＦ？", "What is RDF?"),
        ("誰發明了電話？", "谁发明了电话？"),
        ("Can you help me find the capital of Peru?", "Find the capital of Peru?"),
        ("Please, could you tell me who founded CERN?", "Who founded CERN?"),
    ],
)
def test_spelling_and_courtesy_do_not_matter(prompt: str, same: str) -> None:
    assert classify(prompt) == classify(same)


def test_a_long_prompt_is_read_at_both_ends_and_never_surely_let_go() -> None:
    text = "The sea was calm that day. " * 400
    assert classify(f"Who founded CERN? {text}").kind == "fact_lookup"
    assert classify(f"{text} Who founded CERN?").kind == "fact_lookup"
    found = classify(f"Write a poem. {text}")
    assert (found.kind, found.confidence < THRESHOLD) == ("other", True)


@pytest.mark.parametrize(
    "part",
    ["check ", "核实", "根据", "is sentence said ", "please ", "1+", "hi ", "where this data "],
)
def test_no_prompt_takes_long(part: str) -> None:
    started = time.process_time()
    classify(part * (100_000 // len(part)))
    assert time.process_time() - started < 2
