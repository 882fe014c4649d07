"""The learning server: cards, reviews and what is known, with nothing that a model made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.apps import client_supports_apps
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from groundwire.config import Settings
from groundwire.learning.cards.results import SourcesResult, SubmitResult
from groundwire.learning.cards.types import CardType
from groundwire.learning.concepts.results import Concepts, GraphChanges
from groundwire.learning.diagnosis.results import Diagnosis
from groundwire.learning.learner import Learner, LearningBase
from groundwire.learning.results import (
    CalibrationResult,
    CardList,
    MasteryResult,
    PolicyResult,
    ReviewResult,
)
from groundwire.learning.terms import (
    RATINGS,
    CardState,
    ForecastSource,
    Group,
    Rating,
    Reported,
    SessionMode,
)
from groundwire.profiles import learning_profile
from groundwire.servers.composition import State, compose, state
from groundwire.serving import (
    APP_PAGE,
    START,
    Cursor,
    Grounded,
    GroundwireServer,
    Toolset,
    current_owner,
    resource,
    tool,
)
from groundwire.state import shared_database
from groundwire.statefile import Flush

REPORT_PAGE = "ui://groundwire/learning"
_LONGEST = 400
# Concepts of the map that goes beside an answer, which is awaited.
_MOST_DRAWN = 15
_NAME = Annotated[str, Field(max_length=_LONGEST)]
_OF = Annotated[str, Field(description="Card, concept or deck.", max_length=_LONGEST)]
_CARD = Annotated[str, Field(description="From list_cards", min_length=1, max_length=200)]
_RESPONSE = Annotated[
    str | None, Field(description="What the learner typed, letter by letter.", max_length=10_000)
]
_REVIEW_ID = Annotated[
    str | None,
    Field(description="One id is recorded once.", max_length=200),
]
_OPERATIONS = (
    "{op, ...}: add_node name, type?, definition?, aliases?; add_edge, remove_edge source, "
    "relation, target; update_node node, ...; remove_node node; merge_nodes nodes, into; "
    "split_node node, into: [{name}], moves?"
)
Answer_ = TypeVar("Answer_")


class Said(BaseModel):
    """The form in which a learner gives an answer, or says how well they recalled it."""

    value: str = Field(description="The answer, or again, hard, good or easy.")


class CardArgument(BaseModel):
    """A card as it is sent."""

    model_config = ConfigDict(extra="forbid")

    type: CardType = "atomic"
    front: str
    back: str = ""
    quote: Annotated[str, Field(description="Letter by letter from a passage.")] = ""
    passage_id: str = ""
    concepts: tuple[str, ...] = ()


class LearningTools(Toolset):
    """Cards, reviews and what is known, with nothing that a model made up."""

    name = "learning"
    title = "Learning"
    instructions = (
        "list_cards gives the next flashcards; show the front, and send what the "
        "learner typed to record_review as response, unchanged (left out, they are asked): it is "
        "compared with the back. "
        "Never rate for them; if undecided, ask its question. query_mastery and "
        "query_calibration return estimated (quote value_text with interval), not_enough (say so; "
        "give no number) or unrecognized_param (send a candidate). New cards: search_sources, "
        "then submit_cards with a quote. Check your final text with verify_answer."
    )

    def __init__(self, base: LearningBase) -> None:
        """Serve the learners of one state folder, which is opened by the first call."""
        self._base = base

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @tool("List cards", read_only=True, idempotent=True, open_world=False)
    async def list_cards(
        self,
        deck: _NAME = "",
        concept: _NAME = "",
        state: Annotated[CardState, Field(description="Empty: due, then today's new ones.")] = "",
        session_mode: SessionMode = "goal-driven",
        show_back: bool = False,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Cursor = START,
    ) -> Grounded[CardList]:
        """Cards to review next, and how many are due. Keep backs hidden until one is answered."""
        from groundwire.learning.listing import ListRequest, list_cards

        request = ListRequest(deck, concept, state, session_mode, show_back, limit, cursor.offset)
        return Grounded(*await self._answered(list_cards, request))

    async def said(
        self,
        card_id: str,
        response: str | None,
        rating: Rating | None,
        rated_by: Literal["learner", "host"],
        confidence: float | None,
        duration_ms: int | None,
        review_id: str | None,
        undo: bool,
        ctx: Context[Any, Any],
    ) -> Said | Elicit[Said]:
        """The learner's own answer or rating, where it is needed and the host can ask for it."""
        from groundwire.learning.reviewing import question_for, to_be_answered
        from groundwire.learning.reviews.recording import Sent, to_be_asked

        capabilities = ctx.client_capabilities
        if undo or capabilities is None or capabilities.elicitation is None:
            return Said(value="")
        sent = Sent(card_id, response, rating, rated_by, confidence, duration_ms, review_id)
        if response is None and rating is None:
            front = await self._answered(to_be_answered, sent)
            if front is None:
                return Said(value="")
            field = Field(title="Your answer", max_length=10_000)
            return Elicit(front, create_model("Said", __base__=Said, value=(str, field)))
        asked = await self._answered(to_be_asked, sent)
        if asked is None:
            return Said(value="")
        values: list[JsonValue] = [*RATINGS]
        field = Field(title="How was it?", json_schema_extra={"enum": values})
        return Elicit(question_for(asked), create_model("Said", __base__=Said, value=(str, field)))

    @tool(
        "Record a review",
        read_only=False,
        idempotent=False,
        open_world=False,
        changes_state=True,
        timeout=600.0,
    )
    async def record_review(
        self,
        card_id: _CARD,
        said: Annotated[
            ElicitationResult[Said],
            # The class is whole when this is read, which pyright cannot know.
            Resolve(LearningTools.said),  # pyright: ignore
        ],
        response: _RESPONSE = None,
        rating: Annotated[Rating | None, Field(description="As the learner said it.")] = None,
        rated_by: Annotated[
            Literal["learner", "host"], Field(description="host: your own guess.")
        ] = "learner",
        confidence: Annotated[
            float | None, Field(description="0 to 1, said before the answer was seen.")
        ] = None,
        duration_ms: int | None = None,
        review_id: _REVIEW_ID = None,
        undo: Annotated[bool, Field(description="Undo review_id, else the last review.")] = False,
    ) -> Grounded[ReviewResult]:
        """Record one review: compared with the back, else rated by the learner, who is asked.

        undecided: nothing was recorded, ask the question. A rating that the learner was not asked
        for is the host's and counts for no estimate.
        """
        from groundwire.learning.reviewing import record_review, undo_review
        from groundwire.learning.reviews.recording import Sent

        if undo:
            return Grounded(*await self._answered(undo_review, card_id, review_id))
        own = said.data.value if isinstance(said, AcceptedElicitation) else ""
        reported: Reported = "" if response is None and confidence is None else "host"
        if response is None and rating is None and own:
            response, own = own, ""
            reported = "" if confidence is None else "host_confidence"
        sent = Sent(
            card_id, response, rating, rated_by, confidence, duration_ms, review_id, None, reported
        )
        flush = Flush()
        found = await self._answered(record_review, sent, _RATING.get(own), flush)
        return Grounded(*found, settle=flush)

    @tool("Query mastery", read_only=True, idempotent=True, open_world=False)
    async def query_mastery(
        self,
        of: _OF,
        as_of: Annotated[str, Field(description="A day: what was known then.", max_length=40)] = "",
    ) -> Grounded[MasteryResult]:
        """How likely a card is recalled or a concept known, or why nobody can say."""
        from groundwire.learning.estimating import query_mastery

        return Grounded(*await self._answered(query_mastery, of, as_of))

    @tool(
        "Query calibration",
        read_only=True,
        idempotent=True,
        open_world=False,
        meta={"ui": {"resourceUri": REPORT_PAGE}},
    )
    async def query_calibration(
        self,
        ctx: Context[Any, Any],
        of: _OF = "",
        by: Annotated[Group, Field(description="Split by.")] = "",
        source: Annotated[
            ForecastSource, Field(description="The learner's forecasts, or the schedule's.")
        ] = "confidence",
    ) -> Grounded[CalibrationResult]:
        """How well forecasts came true: Brier score with its parts, calibration error, bins."""
        from groundwire.learning.estimating import query_calibration

        result, draft = await self._answered(query_calibration, of, by, source)
        view = await self._view() if client_supports_apps(ctx) else {}
        return Grounded(result, draft, view=view)

    async def _view(self) -> dict[str, Any]:
        """Return the view of everything that the learner has, for the app to draw."""
        from groundwire.learning.concepts.rules import read_rules
        from groundwire.learning.report.figures import figures
        from groundwire.learning.report.page import VIEW_KEY, report_view

        rules = read_rules(learning_profile())
        found = await self._answered(figures, rules, _MOST_DRAWN)
        return {VIEW_KEY: report_view(found)}

    @resource(REPORT_PAGE, title="Learning report", mime_type=APP_PAGE)
    async def learning_report(self) -> str:
        """The page in which hosts show due cards, retention, calibration and concepts inline."""
        from groundwire.learning.report.page import app_page

        return app_page()

    @tool("Diagnose failed reviews", read_only=True, idempotent=True, open_world=False)
    async def diagnose_reviews(
        self,
        of: _OF = "",
        since: Annotated[str, Field(description="A day.", max_length=40)] = "",
    ) -> Grounded[Diagnosis]:
        """Why answers fail, by comparing them; with steps that help."""
        from groundwire.learning.diagnosis.diagnosing import DiagnosisRequest, diagnose_reviews
        from groundwire.learning.diagnosis.thresholds import read_thresholds

        learner, request = self._learner(), DiagnosisRequest(of, since)
        thresholds = read_thresholds(learning_profile())
        return Grounded(
            *await _in_thread(diagnose_reviews, learner.file, thresholds, learner.owner, request)
        )

    @tool("Search sources", read_only=True, idempotent=True, open_world=False)
    async def search_sources(
        self,
        query: Annotated[str, Field(min_length=1, max_length=1000)],
        source: _NAME = "",
        limit: Annotated[int, Field(ge=1, le=20)] = 5,
    ) -> Grounded[SourcesResult]:
        """Passages of imported documents, which cards may quote."""
        from groundwire.learning.cards.searching import SearchRequest, search_sources

        learner, request = self._learner(), SearchRequest(query, source, limit)
        return Grounded(*await _in_thread(search_sources, learner.file, learner.owner, request))

    @tool(
        "Submit cards",
        read_only=False,
        idempotent=False,
        open_world=False,
        changes_state=True,
    )
    async def submit_cards(
        self,
        cards: Annotated[tuple[CardArgument, ...], Field(max_length=100)],
        deck: _NAME,
        dry_run: bool = False,
        proven_only: bool = False,
    ) -> Grounded[SubmitResult]:
        """Keep proven cards, others as drafts; gaps tell why."""
        from groundwire.learning.cards.submitting import submit_cards
        from groundwire.learning.cards.types import CardDraft, SubmitRequest

        drafts = tuple(CardDraft(**one.model_dump()) for one in cards)
        learner, request = self._learner(), SubmitRequest(drafts, deck, dry_run, proven_only)
        return Grounded(
            *await _in_thread(submit_cards, learner.file, learner.owner, request, learner.clock())
        )

    @tool("Query concepts", read_only=True, idempotent=True, open_world=False)
    async def query_concepts(
        self,
        concept: Annotated[str, Field(description="Empty: all of it.", max_length=400)] = "",
        relation: Annotated[str, Field(max_length=100)] = "",
        depth: Annotated[int, Field(ge=1, le=50)] = 5,
        cursor: Cursor = START,
    ) -> Grounded[Concepts]:
        """List what a concept needs in layers, what is unmet, and what needs it."""
        from groundwire.learning.concept_mastery import concept_mastery
        from groundwire.learning.concepts.query import ConceptRequest, query_concepts
        from groundwire.learning.concepts.rules import read_rules

        learner = self._learner()
        request = ConceptRequest(concept, relation, depth, cursor.offset)
        rules, known = read_rules(learning_profile()), concept_mastery(learner)
        return Grounded(
            *await _in_thread(query_concepts, learner.file, rules, learner.owner, request, known)
        )

    @tool(
        "Change the concept graph",
        read_only=False,
        idempotent=False,
        open_world=False,
        changes_state=True,
    )
    async def submit_graph_changes(
        self,
        operations: Annotated[
            tuple[dict[str, Any], ...], Field(description=_OPERATIONS, max_length=1000)
        ] = (),
        rationale: str = "",
        quotes: Annotated[
            tuple[dict[str, Any], ...],
            Field(description="{passage_id, text, operations?}", max_length=200),
        ] = (),
        dry_run: bool = False,
        undo: Annotated[str, Field(description="A change_id.", max_length=100)] = "",
        scope: Literal["mine", "shared"] = "mine",
    ) -> Grounded[GraphChanges]:
        """Check a list of changes as one, and commit it if it passes; shared ones are reviewed."""
        from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
        from groundwire.learning.concepts.rules import read_rules

        learner, rules = self._learner(), read_rules(learning_profile())
        request = ChangeRequest(operations, rationale, quotes, dry_run, undo, scope)
        return Grounded(
            *await _in_thread(submit_graph_changes, learner.file, rules, learner.owner, request)
        )

    @tool(
        "Set the learning policy",
        read_only=False,
        idempotent=True,
        open_world=False,
        changes_state=True,
    )
    async def set_learning_policy(
        self,
        loadout: Annotated[str | None, Field(description="Such as steady, exam.")] = None,
        desired_retention: Annotated[float | None, Field(description="0.70 to 0.97.")] = None,
        new_per_day: int | None = None,
        day_ends: Annotated[
            str | None, Field(description="04:00, or 04:00 Europe/Berlin.", max_length=80)
        ] = None,
        reset: bool = False,
    ) -> Grounded[PolicyResult]:
        """Choose how well to remember and how much is new; returns the work expected with it.

        Without arguments the policy in force is told.
        """
        from groundwire.learning.choosing import set_policy
        from groundwire.learning.schedule.policy import Change

        change = Change(loadout, desired_retention, new_per_day, day_ends, reset)
        return Grounded(*await self._answered(set_policy, change))

    async def _answered(self, verb: Callable[..., Answer_], *arguments: Any) -> Answer_:
        """One call into the domain, in a thread, for the learner of this request."""
        return await _in_thread(verb, self._learner(), *arguments)

    def _learner(self) -> Learner:
        """The learner of this request."""
        return self._base.learner(current_owner())


async def _in_thread(verb: Callable[..., Answer_], *arguments: Any) -> Answer_:
    return await anyio.to_thread.run_sync(verb, *arguments)


_RATING: dict[str, Rating] = {"again": "again", "hard": "hard", "good": "good", "easy": "easy"}


def build(settings: Settings) -> GroundwireServer:
    """The server `learning` as the settings describe it; nothing is read before the first call.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    shared = state(settings)
    made = toolset(settings)
    if not settings.toolsets and not settings.tools:
        return compose("learning", [made], settings, title="Groundwire learning", shared=shared)
    agents = _agents(settings, shared, made)
    return compose("learning", [made, agents], settings, title="Groundwire learning", shared=shared)


def _agents(settings: Settings, shared: State, made: LearningTools) -> Toolset:
    """The agents of learning, whose tools are those of this server."""
    from groundwire.servers.agents import desk, learning_toolset, servers_below

    known: dict[str, Toolset] = {made.name: made}
    return learning_toolset(
        lambda: desk(settings, shared, lambda: servers_below(settings, shared, known)), shared
    )


def toolset(settings: Settings) -> LearningTools:
    """The tools over the learners of the state folder."""
    return LearningTools(base(settings))


def base(settings: Settings) -> LearningBase:
    """The learners of the state folder or database; nothing is opened before it is needed."""
    return LearningBase(shared_database(settings) or settings.home)
