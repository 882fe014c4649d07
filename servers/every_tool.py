"""Every tool that there is, by toolset: known without importing any server."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.agents.offers import offers

EVIDENCE = "evidence"
AGENTS = "agents"
LEARNING_AGENTS = "learning_agents"

# Which toolset has a tool, so that those of which none is offered need not be imported.
TOOLSETS: Mapping[str, tuple[str, ...]] = {
    "ontology": (
        "submit_slots",
        "discover_domains",
        "discover_properties",
        "discover_values",
        "discover_connections",
        "investigate_schema",
        "get_asset",
    ),
    "metrics": (
        "query_metric",
        "query_metric_grid",
        "query_metric_table",
        "list_metrics",
        "list_dimension_values",
        "clarify_question",
        "search_narrative",
    ),
    "sparql": (
        "run_kg_workflow",
        "set_kg_policy",
        "execute_query",
        "describe_schema",
        "match_label",
        "explore_types",
        "describe_entity",
        "list_endpoints",
    ),
    "journeys": (
        "compute_journey_plans",
        "get_computed_journey",
        "get_computed_journey_plan",
        "draw_map_for_plan",
        "create_ics_file_for_plan",
        "set_default_journey_parameters",
        "get_default_journey_parameters",
        "get_line_status",
        "find_stops",
        "get_arrivals",
    ),
    "learning": (
        "list_cards",
        "record_review",
        "query_mastery",
        "query_calibration",
        "diagnose_reviews",
        "search_sources",
        "submit_cards",
        "query_concepts",
        "submit_graph_changes",
        "set_learning_policy",
    ),
    AGENTS: (*offers(), "get_agent_result", "cancel_agent_run"),
    LEARNING_AGENTS: tuple(offers(LEARNING_AGENTS)),
    EVIDENCE: ("get_evidence", "verify_answer"),
}
