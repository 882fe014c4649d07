"""Whether the agents answer plain questions of users, ask back fairly, or refuse fairly.

Questions stand in `agent_questions/HALF.toml`. They were written from the embedded data before any
answer was looked at, and are put to the agents by their rules, above the real servers, without
network, on Monday 23 November 2026. A question is

    [[question]]
    agent = "metrics_agent"
    language = "en"
    kind = "narrowing absent"        # the class of questions that it belongs to
    text = "What was the urban population of France in 2020?"
    want = ["refuses:urban"]         # each must be said; "a|b" is said with either of them
    must_not = ["67"]                # none may be said

"asks:" in front of the first want means that the agent has to ask back about it, "refuses:" that
it has to name it as not held, not known or left out. An answer that says too little is unanswered
where the agent itself marks it as a question, a refusal or a partial reading; else it is wrong.

Halves whose name begins with "catalogue", "metrics" or "figures" are a later round for one agent
alone, and those with "later" or "fresh" one for all agents. Those of figures have calls of a tool
of the metrics server too: `tool` and `arguments` in place of `agent` and `text`.

Those of "typed", "asked" and "tenth" to "twenty-fourth" are such
rounds too; where `own` stands, the agents have the table, the catalogue and the graph of `own.toml`
in place of the embedded ones, or those of `own_NAME.toml`.

Run: python tests/evals/agent_questions.py [--half NAME|all] [--show]
    [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from groundwire.config import Settings, load_settings
from tests.evals._report import Ratchet, drawn_halves, table
from tests.evals.claim_check_worlds import NOW, Call, House, opened
from tests.own_material import prepared

HALVES = (
    *("seen", "held_out", "catalogue_seen", "catalogue_held_out"),
    *("metrics_seen", "metrics_held_out", "figures_seen", "figures_held_out"),
    *("later_seen", "later_held_out", "fresh_seen", "fresh_held_out"),
    *("typed_seen", "typed_held_out", "asked_seen", "asked_held_out"),
    *("tenth_seen", "tenth_held_out", "eleventh_seen", "eleventh_held_out"),
    *("twelfth_seen", "twelfth_held_out", "thirteenth_seen", "thirteenth_held_out"),
    *("fourteenth_seen", "fourteenth_held_out", "fifteenth_seen", "fifteenth_held_out"),
    *("sixteenth_seen", "sixteenth_held_out", "seventeenth_seen", "seventeenth_held_out"),
    *("eighteenth_seen", "eighteenth_held_out", "nineteenth_seen", "nineteenth_held_out"),
    *("twentieth_held_out", "twenty_first_seen", "twenty_first_held_out"),
    *("twenty_second_seen", "twenty_second_held_out"),
    *("twenty_third_seen", "twenty_third_held_out"),
    *("twenty_fourth_seen", "twenty_fourth_held_out"),
)
RIGHT, ASKED, REFUSED = "right", "asked fairly", "refused fairly"
UNANSWERED, WRONG = "unanswered", "wrong"
OUTCOMES = (RIGHT, ASKED, REFUSED, UNANSWERED, WRONG)
_FAIR = {"asks": ASKED, "refuses": REFUSED}
_ANSWERED = ("found", "results", "answered")
# Agents of learning reckon with the learner's own clock, and mark what they do not know themselves.
LEARNING = frozenset(
    f"{name}_agent"
    for name in (
        *("learning", "diagnostic", "strategy", "content_generation", "socratic_tutor"),
        *("calibration", "ingestion", "knowledge_graph", "taxonomy_curator", "governance"),
    )
)
_FOLDER = Path(__file__).with_suffix("")
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_THOUSANDS = re.compile(r"(?<=\d)[,.](?=\d{3}(?!\d))")
_EVIDENCE_ID = re.compile(r"\bev_\w+")


def questions(half: str) -> list[dict[str, Any]]:
    """Read the questions of a half."""
    return tomllib.loads((_FOLDER / f"{half}.toml").read_text("utf-8"))["question"]


def says(text: str, wanted: str) -> bool:
    """Whether a text says one of some words or figures that `|` divides.

    Whole figures and words are looked for; a figure with a decimal point may go on.
    """
    plain = _without_thousands(text).casefold()
    return any(_pattern(one).search(plain) for one in wanted.split("|"))


def _without_thousands(text: str) -> str:
    """Write every number without separators; after a comma a point is the one of decimals."""
    return _NUMBER.sub(_plain_number, text)


def _plain_number(match: re.Match[str]) -> str:
    number = match[0]
    comma, point = number.find(","), number.rfind(".")
    if 0 <= comma < point:
        return number.replace(",", "")
    return _THOUSANDS.sub("", number)


def _pattern(words: str) -> re.Pattern[str]:
    plain = _without_thousands(words).casefold()
    before = r"(?<![\d.])" if plain[0].isdigit() else r"(?<![a-zäöüß])"
    after = r"(?!\d)" if plain.isdigit() else r"(?![a-zäöüß])"
    # German writes a comma for the decimal point.
    digits = re.sub(r"(?<=\d)\\\.(?=\d)", "[.,]", re.escape(plain))
    return re.compile(f"{before}{digits}{after}")


def outcome_of(asked: Mapping[str, Any], output: Mapping[str, Any]) -> str:
    """Judge the answer to a question.

    Args:
        asked: the question, as it stands in its file.
        output: the structured content of the agent's answer.
    """
    text = _EVIDENCE_ID.sub("", str(output["answer"]))
    if any(says(text, one) for one in asked.get("must_not", ())):
        return WRONG
    given = asked.get("agent") in LEARNING or _is_given(output)
    for demands in (asked["want"], *([one] for one in (asked.get("or_else"),) if one)):
        demand, colon, first = demands[0].partition(":")
        fair = _FAIR.get(demand) if colon else None
        wanted: Sequence[str] = (first, *demands[1:]) if fair else demands
        fitting = given if fair is None else not given or fair == REFUSED
        if fitting and all(says(text, one) for one in wanted):
            return fair or RIGHT
    return WRONG if given and not _has_reserve(output) else UNANSWERED


def _is_given(output: Mapping[str, Any]) -> bool:
    """Whether the agent gives an answer: plans, values, assets or statements, or their absence."""
    result = output.get("result") or output
    planned = any(one.get("plans") for one in result.get("journeys", ()))
    searched = result.get("status") == "empty" and "assets" in result
    answered = planned or searched or result.get("status") in _ANSWERED
    return answered and not result.get("pending")


def _has_reserve(output: Mapping[str, Any]) -> bool:
    """Whether the agent itself says that something of the question was left out."""
    result = output.get("result") or {}
    return bool(result.get("gaps")) or result.get("confidence") == "low"


async def answers(chosen: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Put questions to their agents above the real servers and return what they answer."""
    given: dict[int, Mapping[str, Any]] = {}
    for own in dict.fromkeys(one.get("own", False) for one in chosen):
        with tempfile.TemporaryDirectory() as name:
            settings = _own(Path(name), own) if own else None
            async with opened(Path(name), settings=settings) as house:
                for place, one in enumerate(chosen):
                    if one.get("own", False) == own:
                        given[place] = await _answer(house, one)
    return [given[place] for place in range(len(chosen))]


def _own(folder: Path, name: str | bool) -> Settings:
    """Set data of a user's own up and return the settings that name them."""
    file = f"own_{name}.toml" if isinstance(name, str) else "own.toml"
    own = tomllib.loads((_FOLDER / file).read_text("utf-8"))
    environ = prepared(folder, own["table"], own["catalogue"])
    if "graph" in own:
        (folder / "graph.ttl").write_text(own["graph"], "utf-8")
        registry = folder / "endpoints.toml"
        registry.write_text(
            'default_endpoint = "own"\n[[endpoints]]\nname = "own"\nfiles = ["graph.ttl"]\n',
            "utf-8",
        )
        environ["GROUNDWIRE_ENDPOINTS"] = str(registry)
    return load_settings(environ | {"TFL_BASE_URL": "offline"})


async def _answer(house: House, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Put a question, after the one that it carries on."""
    if "tool" in asked:
        return await house.call(Call("metrics", asked["tool"], asked["arguments"]))
    output: Mapping[str, Any] = {}
    before = asked.get("before") or []
    for text in ([before] if isinstance(before, str) else before) + [asked["text"]]:
        arguments: dict[str, Any] = {"question": text}
        if asked["agent"] not in LEARNING:
            arguments["reference_date"] = NOW.date().isoformat()
        if output:
            arguments["continue_run_id"] = output["run_id"]
        output = await house.call(Call("agents", asked["agent"], arguments))
    return output


def main() -> int:
    options, halves, drawn = drawn_halves(__doc__, HALVES, questions)
    logging.disable(logging.CRITICAL)
    chosen = [one | {"half": half} for half, one in drawn]
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    shown: list[str] = []
    for asked, output in zip(chosen, asyncio.run(answers(chosen)), strict=True):
        outcome = outcome_of(asked, output)
        half, language, agent = (
            asked["half"],
            asked["language"],
            asked.get("agent", asked.get("tool")),
        )
        for name in (f"{half}, {agent}, {language}", f"{half}, {agent}", half):
            tallies[name][outcome] += 1
        if outcome in (UNANSWERED, WRONG) and (half.endswith("seen") or half == options.half):
            answer = " ".join(str(output["answer"]).split())[:400]
            put = asked.get("text") or asked["arguments"]
            shown.append(f"{outcome}: {agent}, {asked['kind']}: {put}\n  -> {answer}")
    rows = [
        (name, count.total(), *(count[one] for one in OUTCOMES))
        for name, count in sorted(tallies.items())
    ]
    print(table(("half, agent, language", "questions", *OUTCOMES), rows))
    if options.show:
        print(*shown, sep="\n")
    figures = {
        name: {WRONG: count[WRONG], UNANSWERED: count[UNANSWERED]}
        for name, count in tallies.items()
    }
    if len(halves) < len(HALVES):
        options.fraction = min(options.fraction, 0.999)
    return Ratchet(__file__, lower={WRONG, UNANSWERED}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
