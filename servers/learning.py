"""The learning server: cards, reviews and what is known, with nothing that a model made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import BaseModel, Field, JsonValue, create_model

from groundwire.config import Settings
from groundwire.learning.learner import LearningBase
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
    SessionMode,
)
from groundwire.servers.composition import compose
from groundwire.serving import (
    START,
    Cursor,
    Grounded,
    GroundwireServer,
    Toolset,
    current_owner,
    tool,
)

_LONGEST = 400
_NAME = Annotated[str, Field(max_length=_LONGEST)]
_OF = Annotated[str, Field(description="Card, concept or deck: id or name.", max_length=_LONGEST)]
_CARD = Annotated[str, Field(description="From list_cards.", min_length=1, max_length=200)]
_RESPONSE = Annotated[
    str | None, Field(description="What the learner typed, letter by letter.", max_length=10_000)
]
_REVIEW_ID = Annotated[
    str | None,
    Field(description="Any text; the same one is never recorded twice.", max_length=200),
]
Answer_ = TypeVar("Answer_")


class Said(BaseModel):
    """What a learner is asked for: their answer, or how well they recalled it."""

    value: str = Field(description="The answer, or again, hard, good or easy.")


class LearningTools(Toolset):
    """Cards, reviews and what is known, with nothing that a model made up."""

    name = "learning"
    title = "Learning"
    instructions = (
        "Flashcards and memory. list_cards gives the next cards; show the front, and send what the "
        "learner typed to record_review as response, unchanged (or leave it out: a host that can "
        "ask will ask them): it is compared with the back. "
        "Never rate for them; if status is undecided, ask them its question. query_mastery and "
        "query_calibration return estimated (quote value_text with interval), not_enough (say so; "
        "state no number) or unrecognized_param (send a candidate). Due dates come from the "
        "schedule alone. Check your final text with verify_answer."
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
        rating: Annotated[Rating | None, Field(description="Only as the learner said it.")] = None,
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

        Without response and rating the learner is asked for the answer, where the host can ask.
        Status is recorded, undecided (nothing recorded: ask the question), already_recorded,
        undone or already_undone. A rating that the learner was not asked for counts as the host's
        and for no estimate.
        """
        from groundwire.learning.reviewing import record_review, undo_review
        from groundwire.learning.reviews.recording import Sent

        if undo:
            return Grounded(*await self._answered(undo_review, card_id, review_id))
        own = said.data.value if isinstance(said, AcceptedElicitation) else ""
        if response is None and rating is None and own:
            response, own = own, ""
        sent = Sent(card_id, response, rating, rated_by, confidence, duration_ms, review_id)
        return Grounded(*await self._answered(record_review, sent, _RATING.get(own)))

    @tool("Query mastery", read_only=True, idempotent=True, open_world=False)
    async def query_mastery(
        self,
        of: _OF,
        as_of: Annotated[str, Field(description="A day: what was known then.", max_length=40)] = "",
    ) -> Grounded[MasteryResult]:
        """How likely a card is recalled or a concept known, or why nobody can say.

        Status is estimated (with interval and n), not_enough (see needed) or unrecognized_param.
        """
        from groundwire.learning.estimating import query_mastery

        return Grounded(*await self._answered(query_mastery, of, as_of))

    @tool("Query calibration", read_only=True, idempotent=True, open_world=False)
    async def query_calibration(
        self,
        of: _OF = "",
        by: Annotated[Group, Field(description="Split by.")] = "",
        source: Annotated[
            ForecastSource, Field(description="The learner's forecasts, or the schedule's.")
        ] = "confidence",
    ) -> Grounded[CalibrationResult]:
        """How well forecasts came true: Brier score with its parts, calibration error, bins."""
        from groundwire.learning.estimating import query_calibration

        return Grounded(*await self._answered(query_calibration, of, by, source))

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
        learner = self._base.learner(current_owner())
        return await anyio.to_thread.run_sync(verb, learner, *arguments)


_RATING: dict[str, Rating] = {"again": "again", "hard": "hard", "good": "good", "easy": "easy"}


def build(settings: Settings) -> GroundwireServer:
    """The server `learning` as the settings describe it; nothing is read before the first call.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    return compose("learning", [toolset(settings)], settings, title="Groundwire learning")


def toolset(settings: Settings) -> LearningTools:
    """The tools over the learners of the state folder."""
    return LearningTools(base(settings))


def base(settings: Settings) -> LearningBase:
    """The learners of the state folder; nothing is opened before it is needed."""
    return LearningBase(settings.home)
