"""The agent class specification, part by part: where each is fulfilled, and which test proves it.

The table is printed with the tests' output. A line fails if its place does not exist, or if no test
of that name does.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
ROOM = "groundwire.agents.runtime"


class Part(NamedTuple):
    """One part of the specification."""

    name: str
    place: str
    proof: str


REQUIRED = [
    Part("file location", "definition:load_definition", "factory:read_from_its_folder"),
    Part("class declaration", "agent:Agent", "execute:only_public_method"),
    Part("property: configuration", "configuration:AgentConfig", "configuration:cannot_be_changed"),
    Part("property: LLM instance", "model:Model", "execute:properties_of_an_agent"),
    Part("property: tool registry", "registry:ToolRegistry", "registry:schemas_are_those"),
    Part("property: prompt store", "prompts:PromptStore", "prompts:versions_are_what"),
    Part("property: logger", "observability:RunLog", "observability:must_be_logged"),
    Part("property: version", "definition:AgentDefinition.version", "execute:whole_trace"),
    Part("constructor", "agent:Agent.__init__", "execute:properties_of_an_agent"),
    Part("execute()", "agent:Agent.execute", "execute:whole_trace"),
    Part("executeAgentLoop()", "loop:execute_agent_loop", "loop:execute_agent_loop"),
    Part("buildSystemPrompt()", "agent:Agent._system_prompt", "prompts:build_system_prompt"),
    Part("executeAction()", "actions:execute_action", "actions:execute_action_refuses"),
    Part("executeAction(): time, log", "actions:execute_action", "observability:must_be_logged"),
    Part("executeAction(): AgentHints", "hints:AgentHints", "hints:offers_next_actions"),
    Part("- sourceQuality used", "hints:calculate_confidence", "hints:lowers_the_confidence"),
    Part("- validityPeriod used", "hints:AgentHints.validity_period", "actions:past_its_validity"),
    Part("- riskFactors used", "hints:AgentHints.lines", "hints:risk_factors"),
    Part("- dependencies used", "hints:AgentHints.dependencies", "hints:risk_factors_and_depend"),
    Part("- estimatedImpact used", "hints:NextAction.impact", "hints:come_by_what_they_bring"),
    Part("- all of AgentHints 2.0.0", "hints:AgentHints.dumped", "hints:eleven_fields"),
    Part("parseResponse()", "loop:parse_response", "parsing:parse_response_reads"),
    Part("validateInput()", "agent:validated_input", "execute:validate_input"),
    Part("handleError()", "errors:as_agent_error", "errors:handle_error_keeps"),
    Part("- stack trace", "errors:stack_of", "errors:of_internal_errors_where"),
    Part("- nothing sensitive", "agent:Agent.execute", "execute:no_secret_of_the_environment"),
    Part("isTimeout()", "run:Limits.is_timeout", "limits:is_timeout"),
    Part("calculateConfidence()", "hints:calculate_confidence", "confidence:calculate_conf"),
    Part("extractToolsUsed()", "run:tools_used", "accounting:extract_tools_used"),
    Part("extractTokenUsage()", "run:Account.token_usage", "accounting:extract_token"),
    Part("calculateCost()", "run:Account.add", "accounting:calculate_cost"),
    Part("extractDecision()", "outcome:extract_decision", "confidence:extract_decision"),
    Part("formatInput()", "prompts:format_input", "formatting:format_input"),
    Part("formatObservation()", "prompts:format_observation", "formatting:format_observation"),
    Part(
        "formatToolDescription()",
        "prompts:format_tool_description",
        "formatting:format_tool_description",
    ),
    Part("extractThought()", "loop:extract_thought", "parsing:extract_thought"),
    Part("extractAction()", "loop:extract_action", "parsing:extract_action"),
    Part("extractFinalAnswer()", "loop:extract_final_answer", "parsing:extract_final_answer"),
    Part("configuration interface", "configuration:AgentConfig", "configuration:the_defaults"),
    Part("input interface", "contract:AgentInput", "execute:input_of_its_own"),
    Part("- constraints", "contract:Constraints", "limits:strictest_limit"),
    Part("- required quality", "outcome:QUALITY_REACHED", "execute:below_what_is_required"),
    Part("context interface", "contract:AgentContext", "actions:context_reaches_every_tool"),
    Part("output interface", "contract:AgentOutput", "execute:whole_trace"),
    Part("AgentReasoning", "contract:AgentReasoning", "execute:whole_trace"),
    Part("ReasoningStep", "contract:ReasoningStep", "execute:whole_trace"),
    Part("AgentExecutionMetadata", "contract:AgentExecutionMetadata", "execute:whole_trace"),
    Part("AgentError", "contract:AgentError", "errors:handle_error"),
    Part("Alternative", "contract:Alternative", "hints:keeps_what_was_not_done"),
    Part("factory", "agent:AgentFactory.create", "factory:create_merges"),
    Part("error: ValidationError", "errors:ValidationFailure", "execute:validate_input"),
    Part("error: TimeoutError", "errors:TimeoutFailure", "loop:timeout_is_checked"),
    Part("error: MaxIterationsError", "errors:MaxIterationsFailure", "loop:max_iterations"),
    Part("error: ToolExecutionError", "errors:ToolExecutionFailure", "actions:cannot_be_reached"),
    Part("error: LLMError", "errors:LLMFailure", "loop:given_up_after"),
    Part("error: ParseError", "errors:ParseFailure", "loop:malformed_responses"),
    Part("error: BudgetExceededError", "errors:BudgetExceededFailure", "loop:cost_is_checked"),
    Part("recovery: LLM calls retried", "loop:ask", "loop:tried_again_with_backoff"),
    Part("recovery: tool calls retried", "actions:backoff", "actions:idempotent_tools_are_tried"),
    Part("recovery: partial results", "outcome:partial_result", "loop:max_iterations_end"),
    Part("logging: format", "observability:JsonLines", "observability:json_lines_on_stderr"),
    Part("metrics", "observability:AgentMetrics.snapshot", "observability:metrics_are_those"),
    Part("metrics: emitted", "observability:measure", "meters:errors_steps_tokens"),
    Part("tracing", "observability:Spans", "observability:names_of_the_conventions"),
    Part("time budget", "run:Limits.check_time", "loop:running_model_call_is_stopped"),
    Part("cost budget", "run:Limits.check_cost", "loop:cost_is_checked"),
]

CHECKLIST = [
    Part(
        "Class follows naming convention", "definition:AgentDefinition", "factory:named_as_its_fold"
    ),
    Part("All required properties defined", "agent:Agent", "execute:properties_of_an_agent"),
    Part("execute() method implemented", "agent:Agent.execute", "execute:whole_trace"),
    Part("executeAgentLoop() implements ReAct", "loop:execute_agent_loop", "loop:observes_what"),
    Part(
        "buildSystemPrompt() creates proper prompt", "agent:Agent._system_prompt", "prompts:build"
    ),
    Part("parseResponse() handles all formats", "loop:parse_response", "parsing:every_usual"),
    Part(
        "executeAction() validates and executes tools",
        "actions:execute_action",
        "actions:execute_action_shows",
    ),
    Part("All validation methods present", "agent:validated_input", "execute:validate_input"),
    Part("All error handling methods present", "errors:as_agent_error", "errors:handle_error"),
    Part("All metrics methods present", "run:Account", "accounting:calculate_cost"),
    Part("All helper methods present", "prompts:format_input", "formatting:format_input"),
    Part(
        "Reasoning trace collected completely", "run:Run.step", "loop:stopped_at_the_deadline_and"
    ),
    Part("Confidence calculated", "hints:calculate_confidence", "confidence:least_of_its"),
    Part("Cost calculated", "run:Account.add", "accounting:calculate_cost"),
    Part("Token usage tracked", "run:Account.token_usage", "execute:whole_trace"),
    Part("Factory class provided", "agent:AgentFactory", "factory:create_merges"),
    Part("Logging implemented", "observability:RunLog.event", "observability:must_be_logged"),
    Part("Every agent by the same tests", "agent:Agent", "../every_agent:one_contract"),
    Part("Metrics emitted", "observability:AgentMetrics.record", "observability:metrics_are_those"),
    Part("Unit tests written (>80% coverage)", "agent:Agent", "../coverage:above_80"),
    Part(
        "Integration tests written",
        "registry:ToolRegistry.call",
        "../models/in_the_loop:every_response_is_counted",
    ),
    Part("Timeout handling works", "run:Limits.within_time", "loop:running_tool_call_is_stopped"),
    Part("Max iterations handling works", "loop:execute_agent_loop", "loop:max_iterations_end"),
    Part("Budget enforcement works", "run:Limits.check_cost", "loop:budget_of_nothing"),
]


@cache
def proofs_in(module: str) -> tuple[str, ...]:
    """Names of the tests of a module that can fail: they assert something, or await an error."""
    # Those of the runtime stand in its own room; others are named with theirs.
    path = HERE / "runtime" / module
    tree = ast.parse(path.with_name(f"test_{path.name}.py").read_text("utf-8"))
    return tuple(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and any(map(can_fail, ast.walk(node)))
    )


def can_fail(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Attribute) and node.attr == "raises"
    )


def proof_of(part: Part) -> str:
    """The test that a part names by a piece of its name; empty if there is none."""
    module, piece = part.proof.split(":")
    return next((f"{Path(module).name}:{name}" for name in proofs_in(module) if piece in name), "")


def is_there(place: str) -> bool:
    module, dotted = place.split(":")
    found: object = import_module(f"{ROOM}.{module}")
    for name in dotted.split("."):
        fields = getattr(found, "__dataclass_fields__", {})
        if name not in fields and not hasattr(found, name):
            return False
        found = fields.get(name) or getattr(found, name)
    return True


def table(parts: list[Part]) -> str:
    rows = [
        (part.name, part.place, proof_of(part) or "MISSING", "ok" if holds(part) else "FAILS")
        for part in parts
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def holds(part: Part) -> bool:
    return is_there(part.place) and bool(proof_of(part))


@pytest.mark.parametrize("part", [*REQUIRED, *CHECKLIST], ids=lambda part: part.name)
def test_a_part_of_the_specification_has_its_place_and_its_proof(part: Part) -> None:
    assert is_there(part.place), f"{part.name}: there is no {ROOM}.{part.place}"
    assert proof_of(part), f"{part.name}: no test of {part.proof}"


@pytest.mark.parametrize(
    ("title", "parts"), [("Required parts", REQUIRED), ("Compliance checklist", CHECKLIST)]
)
def test_the_compliance_table_is_printed(
    title: str, parts: list[Part], capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        print(f"\n\nAgent class specification: {title}\n{table(parts)}")
    assert all(map(holds, parts))


def test_a_part_without_a_place_or_a_proof_that_can_fail_fails() -> None:
    assert not can_fail(ast.parse("look()").body[0])
    assert not holds(Part("x", "agent:Agent.nothing", "execute:whole_trace"))
    assert not holds(Part("x", "agent:Agent", "execute:no_such_test"))
