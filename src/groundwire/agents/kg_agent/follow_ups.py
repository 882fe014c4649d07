"""Questions that carry on the one before: "and its currency?", "那阿根廷呢".

What they leave out is taken from the prompt that was answered and from the statements that answer
it. The whole question is told with the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.sparql.patterns.words import language_of

_LONGEST = 80
_STATEMENT = re.compile(r"^\s+- (?P<subject>[^\n—]+?) — [^\n—]+ — [^\n]+$", re.MULTILINE)
# Another property of what was spoken of, and the question that asks for it.
_OF_IT: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(
            r"(?:(?:and|so|then)\s+)?(?:what(?:['’]?s| is| are)\s+)?(?:its|their)\s+"
            r"(?P<what>[\w -]{2,40})",
            re.IGNORECASE,
        ),
        "What is the {what} of {subject}?",
    ),
    "de": (
        re.compile(
            r"(?:und\s+)?(?:(?:was|wie|welche[rs]?)\s+ist\s+)?(?:seine?|ihre?|deren|dessen)\s+"
            r"(?P<what>[\w -]{2,40})",
            re.IGNORECASE,
        ),
        "{what} von {subject}?",
    ),
    "zh": (
        re.compile(
            r"那?(?:它|其|该国|他们)的?(?P<what>[^，。？?]{1,20}?)(?:呢|是什么|是多少|有哪些)?"
        ),
        "{subject}的{what}是什么？",
    ),
}
# Something else that the same is asked of.
_OF_ANOTHER = re.compile(
    r"(?:and|what about|how about|and what about|und|und was ist mit)\s+"
    r"(?:in |for |für )?(?P<who>[^\W\d_][\w .'’-]{1,40})|那(?P<han>[\u4e00-\u9fff]{2,12}?)呢",
    re.IGNORECASE,
)


def carried_on(question: str, before: Mapping[str, JsonValue]) -> str:
    """Return the whole question that a follow-up asks; "" where it is none.

    Args:
        question: what the user says.
        before: the result of the turn before.
    """
    said = " ".join(question.split()).rstrip(" .!?。！？")
    prompt = str(before.get("kg_prompt") or "")
    subject = _subject(str(before.get("answer") or ""), prompt)
    if not subject or before.get("status") != "answered" or len(said) > _LONGEST:
        return ""
    pattern, whole = _OF_IT[language_of(question)]
    if found := pattern.fullmatch(said):
        return whole.format(what=found["what"].strip(), subject=subject)
    if found := _OF_ANOTHER.fullmatch(said):
        other = found["who"] or found["han"]
        return re.sub(re.escape(subject), lambda _: other, prompt, flags=re.IGNORECASE)
    return ""


def _subject(answer: str, prompt: str) -> str:
    """Return the one subject of the statements of an answer that its prompt names, or ""."""
    subjects: Sequence[str] = list(dict.fromkeys(_STATEMENT.findall(answer)))
    named = [one for one in subjects if one.casefold() in prompt.casefold()]
    return named[0] if len(named) == 1 == len(subjects) else ""
