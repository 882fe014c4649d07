"""Agents of learning answer in the language of the question: English, German or Chinese."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from agent_host import Host, answer, turn

from groundwire.agents.learning_agents import task as task_module
from groundwire.agents.learning_agents.task import task_from
from groundwire.agents.runtime.prompts import worded
from groundwire.language.lexicon import Language

WORDING = Path(task_module.__file__).parent
SENTENCES = Path(__file__).with_name("said_sentences.txt").read_text("utf-8").splitlines()
_ENGLISH = re.compile(
    r"\b(?:the|are|not|no|of|and|or|from|with|which|by|at|to|on|it|its|as|for|card|cards)\b"
)
# Cards, quotes and commands are told as they stand.
_AS_THEY_STAND = re.compile(r"“[^”]*”|„[^“]*“|\"[^\"]*\"|'[^'\n]*'|`[^`]*`|^- .* → .*$", re.M)

# Of each agent a question a language, and what its answer says.
ASKED = {
    "learning_agent": (
        ("What is next?", "Next: "),
        ("Was soll ich jetzt lernen?", "Fällige Karten: "),
        ("接下来复习什么？", "到期的卡片："),
    ),
    "diagnostic_agent": (
        ("Why do I keep failing?", "3 failures in 51 answers"),
        ("Warum vergesse ich das ständig?", "3 Fehler in 51 Antworten"),
        ("我为什么总是答错？", "51次检验记忆的回答中有3次错误"),
    ),
    "strategy_agent": (
        ("Should I change my plan?", "Nothing that was measured speaks for another loadout."),
        ("Soll ich meinen Plan ändern?", "Nichts, was gemessen wurde, spricht für eine andere"),
        ("我该换个方案吗？", "测得的数据没有说明需要更换方案。"),
    ),
    "content_generation_agent": (
        ("Make 3 cards about neap tides", "Fewer than the 3 that were asked for"),
        ("Mache drei Karten über neap tides", "Weniger als die gewünschten 3"),
        ("做三张关于neap tides的卡片", "少于所要的3张"),
    ),
    "socratic_tutor_agent": (
        ("Help me understand neap tides", "Say in your own words what this asks for: “"),
        ("Hilf mir, neap tides zu verstehen", "wonach hier gefragt wird: „Which tides have"),
        ("考考我neap tides", "请用自己的话说说，这里问的是什么：“Which tides have"),
    ),
    "calibration_agent": (
        ("Am I overconfident?", "not confident enough by 0.4 percentage points"),
        ("Schätze ich mich richtig ein?", "im Mittel um 0,4 Prozentpunkte zu wenig zuversichtlich"),
        ("我对自己的判断准吗？", "平均信心不足0.4个百分点"),
    ),
    "ingestion_agent": (
        ("Turn the harbours chapter into cards", "Nothing was kept"),
        ("Mach Lückentexte aus dem Text über harbours", "Es wurde nichts gespeichert"),
        ("把harbours这一章做成填空卡", "没有保存任何卡片"),
    ),
    "knowledge_graph_agent": (
        ("What do I need before navigation?", "Before navigation: tides, then chart datum."),
        ("Was brauche ich vor navigation?", "Vor navigation: tides, dann chart datum."),
        ("学navigation之前要先学什么？", "学习navigation之前：tides，然后是chart datum。"),
    ),
    "taxonomy_curator_agent": (
        ("Any duplicate concepts?", "no two are nearly the same"),
        ("Gibt es doppelte Begriffe?", "sind keine zwei fast gleich"),
        ("有没有重复的概念？", "没有两个几乎相同"),
    ),
    "governance_agent": (
        ("Anything wrong with my cards?", "Nothing is flagged."),
        ("Sind meine Karten in Ordnung?", "Es ist nichts zu beanstanden."),
        ("我的卡片有问题吗？", "没有发现问题。"),
    ),
}


def told_in_english(said: str, names: tuple[str, ...] = ()) -> list[str]:
    plain = _AS_THEY_STAND.sub("", said)
    for name in names:
        plain = plain.replace(name, "")
    return _ENGLISH.findall(plain)


@pytest.mark.parametrize("language", [0, 1, 2], ids=["en", "de", "zh"])
@pytest.mark.parametrize("agent", ASKED)
def test_an_agent_answers_in_the_language_of_the_question(
    host: Host, agent: str, language: int
) -> None:
    question, wanted = ASKED[agent][language]
    said = answer(host.ask(agent, question))
    assert wanted in said
    # The next card stands in the answer as it was written.
    plain = re.sub(r"(?:: |：)[^\n]*\?", "", said)
    names = ("Tides and harbours", "Deck Drafts")
    assert language == 0 or not told_in_english(plain, names), said


def test_a_reply_without_words_is_answered_in_the_language_before(host: Host) -> None:
    first = host.ask("socratic_tutor_agent", "Hilf mir, neap tides zu verstehen")
    before = turn("Hilf mir, neap tides zu verstehen", first)
    said = answer(host.ask("socratic_tutor_agent", "12", turns=[before]))
    assert "Hinweis: Die Antwort hat 2 Wörter." in said


def test_the_language_is_that_of_the_words_and_not_of_the_topic() -> None:
    known = {
        'Mache zwei Karten über "neap tides"': "de",
        'Two cards about "Knoten"': "en",
        "做两张关于navigation的卡片": "zh",
    }
    assert {text: task_from(text, {}, ()).language for text in known} == known


@pytest.mark.parametrize("language", ["de", "zh"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_sentence_of_a_tool_stays_english(sentence: str, language: Language) -> None:
    said = worded(sentence, language, WORDING)
    assert said != sentence
    assert not told_in_english(said, ("neap tides", "tidal range", "Tides")), said
    for number in re.findall(r"(?<![\d.,:-])\d+(?![\d.,:-])", sentence):
        assert number in said


def test_both_languages_know_the_same_sentences_of_tools() -> None:
    patterns = [
        [
            [row[0] for row in tomllib.loads((WORDING / f"wording_{one}.toml").read_text())[part]]
            for one in ("de", "zh")
        ]
        for part in ("sentences", "phrases")
    ]
    assert patterns[0][0] == patterns[0][1]
    assert len(patterns[0][0]) == len(set(patterns[0][0]))
