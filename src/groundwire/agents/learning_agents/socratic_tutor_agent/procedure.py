"""Guided questions about a card: a question and, turn by turn, a deeper hint; never the back.

A model may word a question. Its words are told only if all of them are the card's, the learner's or
those of a list, and nothing of the back stands in them; else code words the question.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import (
    Answers,
    Call,
    Procedure,
    Result,
    Row,
    about_all,
    result,
    rows,
    sentences,
    text,
)
from groundwire.agents.learning_agents.task import Task
from groundwire.language.lexicon import Language
from groundwire.learning.reviews.grading import grade
from groundwire.safe_text import safe_name
from groundwire.vocabulary.fold import fold_plain

LIST, SEARCH = "list_cards", "search_sources"
KINDS = ("clarify", "assumption", "evidence", "viewpoint", "implication")
DEEPEST = 3
"""The depths of hints: how many words, the passage without the answer, the first letter."""

_MOST_LISTED = 100
_PASSAGES = 5
_LONGEST = 300
# A word of the fronts of more cards names none of them.
_FEW = 3
# Letters from which words that begin alike count as forms of one word.
_STEM = 4
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_ENDS = ("?", "？")


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Find the card that is asked about, with its back, and passages on it."""
    begun = task.before("card_id")
    shown: dict[str, JsonValue] = {"show_back": True}
    if task.deck:
        shown["deck"] = task.deck
    if task.topic and not begun:
        shown["concept"] = task.topic
    every: dict[str, JsonValue] = shown | {"state": "all", "limit": _MOST_LISTED}
    if begun or task.text("card_id"):
        calls: list[Call] = [(LIST, every)]
    else:
        mode: dict[str, JsonValue] = {"session_mode": task.mode} if task.mode else {}
        calls = [(LIST, shown | mode | {"limit": 1})]
        if not task.topic:
            # A word of the question may be what one card asks about.
            calls.append((LIST, every))
        if task.topic and answers.of(LIST) and not rows(answers.data(LIST), "cards"):
            calls.append((LIST, every))
        if len(answers.of(LIST)) > 1 and not _listed(answers) and "concept" in every:
            # No card is tied to the concept; one may speak of it all the same.
            calls.append((LIST, {name: one for name, one in every.items() if name != "concept"}))
    if card := _card(task, answers):
        calls.append((SEARCH, {"query": text(card, "front"), "limit": _PASSAGES}))
    return calls


def tell(task: Task, answers: Answers) -> Result:
    """Tell the question of this turn with its hint, both without the back."""
    card = _card(task, answers)
    if card is None:
        return result(task, [task.say("no_card"), *sentences(task, answers, LIST)], answers)
    turn = _turn(task)
    if turn > 1 and grade(_reply(task), text(card, "back")).outcome == "right":
        return _told(task, answers, card, turn, task.say("matches"), "", matched=True)
    kind = KINDS[(turn - 1) % len(KINDS)]
    question = next(_without_back(card, _questions(task, card, kind)), "")
    depth = min(turn - 1, DEEPEST)
    hint = next(_without_back(card, _hints(task, card, answers, depth)), "")
    return _told(task, answers, card, turn, question, hint, kind=kind)


def wording(task: Task, answers: Answers, draft: str) -> Result | None:
    """Tell a model's question in the place of the procedure's, where it holds."""
    card = _card(task, answers)
    made = tell(task, answers)
    said = " ".join(draft.split())
    if card is None or made.get("matched") or not holds(task, card, said):
        return None
    answer = str(made["answer"]).replace(text(made, "question"), said, 1)
    return made | {"answer": answer, "question": said}


def holds(task: Task, card: Row, said: str) -> bool:
    """Whether a question says nothing but words of the card, the learner and the list."""
    is_one = said.endswith(_ENDS) and sum(map(said.count, _ENDS)) == 1
    if not is_one or len(said) > _LONGEST or leaks(card, said, task.language):
        return False
    known = {*_folded(text(card, "front")), *_folded(task.question), *_own(task.language)}
    return all(word in known for word in _folded(said))


def leaks(card: Row, said: str, language: Language = "en") -> bool:
    """Whether a text holds the back of a card, or a word of its meaning that the front lacks.

    Args:
        card: the card, with its back.
        said: the text.
        language: in which it is written, whose small words say nothing.
    """
    told, back = _folded(said), _folded(text(card, "back"))
    if back and _is_within(back, told):
        return True
    asked = set(_folded(text(card, "front")))
    return any(_tells(card, word, language) for word in told if word not in asked)


def _is_within(some: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand in others one after another."""
    last = len(words) - len(some) + 1
    return any(list(words[at : at + len(some)]) == list(some) for at in range(last))


def _tells(card: Row, word: str, language: Language = "en") -> bool:
    """Whether a word gives the back away: it is a word of its meaning, or begins as one does."""
    own = {*_folded(text(card, "front")), *_own(language)}
    return any(
        word == one or (min(len(word), len(one)) >= _STEM and (one[:_STEM] == word[:_STEM]))
        for one in _folded(text(card, "back"))
        if one not in own
    )


@cache
def _own(language: Language) -> frozenset[str]:
    """Words that a model may add to those of a card, in a language."""
    path = files("groundwire.agents.learning_agents.socratic_tutor_agent").joinpath("words.toml")
    own: dict[str, list[str]] = tomllib.loads(path.read_text("utf-8"))["own"]
    return frozenset(map(fold_plain, own[language]))


def _folded(said: str) -> list[str]:
    return [fold_plain(word) for word in _WORD.findall(said)]


def _card(task: Task, answers: Answers) -> Row | None:
    """Return the card of the conversation, else the one that was named, else the first."""
    listed = _listed(answers)
    wanted = task.before("card_id") or task.text("card_id")
    if wanted:
        return next((one for one in listed if one.get("card_id") == wanted), None)
    if any(not one.arguments.get("concept") for one in answers.of(LIST)) and task.topic:
        sides = [(one, f"{text(one, 'front')} {text(one, 'back')}") for one in listed]
        near = [one for one, both in sides if _is_within(_folded(task.topic), _folded(both))]
        return next(iter(near), None)
    if not task.topic and (named := _named_in(task, listed)):
        return named
    return next(iter(listed), None)


def _named_in(task: Task, listed: Sequence[Row]) -> Row | None:
    """Return the card of whose front a question has most of the words that few cards have."""
    cards = list({text(one, "card_id"): one for one in listed}.values())
    fronts = [set(_folded(text(one, "front"))) for one in cards]
    said = {word for word in _folded(task.question) if len(word) >= _STEM}
    rare = {word for word in said if 0 < sum(word in one for one in fronts) <= _FEW}
    counts = [len(rare & one) for one in fronts]
    best = max(counts, default=0)
    return cards[counts.index(best)] if best and counts.count(best) == 1 else None


def _listed(answers: Answers) -> list[Row]:
    return [one for answer in answers.of(LIST) for one in rows(answer.data, "cards")]


def _turn(task: Task) -> int:
    before = task.before("turn")
    return before + 1 if isinstance(before, int) else 1


def _reply(task: Task) -> str:
    return task.text("reply") or task.text("response") or task.question


def _questions(task: Task, card: Row, kind: str) -> Iterator[str]:
    yield task.say(f"ask_{kind}", front=text(card, "front"))
    yield task.say("ask_plain")


def _hints(task: Task, card: Row, answers: Answers, depth: int) -> Iterator[str]:
    """Yield the hints of a depth, the best first."""
    back = text(card, "back")
    letters = [one for one in back if one.isalpha()]
    if depth >= DEEPEST and len(letters) > 2:
        yield task.say("hint_letters", first=letters[0], count=len(letters))
    if depth >= 2:
        for passage in rows(answers.data(SEARCH), "passages"):
            if masked := _masked(card, passage):
                source = safe_name(text(passage, "source"))
                yield task.say("hint_quote", source=source, quote=masked)
    if depth >= 1:
        count = len(back.split())
        yield task.say("hint_word" if count == 1 else "hint_words", count=count)


def _masked(card: Row, passage: Row) -> str:
    """Return the sentence of a passage that holds the back, with its words hidden; "" if none."""
    back = _folded(text(card, "back"))
    for sentence in text(passage, "text").split(". "):
        if back and _is_within(back, _folded(sentence)):
            return _WORD.sub(
                lambda found: "…" if _tells(card, fold_plain(found.group())) else found.group(),
                sentence,
            )
    return ""


def _without_back(card: Row, texts: Iterator[str]) -> Iterator[str]:
    """Leave out the texts that hold the back."""
    return (one for one in texts if not leaks(card, one))


def _told(
    task: Task,
    answers: Answers,
    card: Row,
    turn: int,
    question: str,
    hint: str,
    **more: object,
) -> Result:
    # Who goes on with a card, or names one, knows which it is.
    is_named = bool(task.text("card_id")) or _named_in(task, _listed(answers)) is not None
    chosen = about_all(task) if turn == 1 and not is_named else []
    return result(
        task,
        [question, hint, *chosen],
        answers,
        card_id=card["card_id"],
        turn=turn,
        question=question,
        hint=hint,
        hint_depth=min(turn - 1, DEEPEST),
        **more,
    )


PROCEDURE = Procedure(plan, tell, wording=wording, named=True)
