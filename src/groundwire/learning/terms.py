"""Words and limits of the contract that arguments, stored rows and results share."""

from typing import Literal

Phase = Literal["learning", "review", "relearning"]
"""Where a card stands: it moves by steps of minutes, by days, or by minutes after a lapse."""

Rating = Literal["again", "hard", "good", "easy"]
"""How well a card was recalled; `again` is a lapse."""

RATINGS: dict[str, int] = {"again": 1, "hard": 2, "good": 3, "easy": 4}
"""The ratings as numbers, as the review logs of FSRS and Anki write them."""

RatedBy = Literal["server", "learner", "host", "import"]
"""Who decided the rating: a comparison with the card's back, the learner, the model, or a log."""

Reported = Literal["", "host", "host_confidence"]
"""What of a review the model sent, so that it may have made it up: nothing, the answer, or the
confidence beside an answer that the learner was asked for."""

CardState = Literal["", "due", "new", "leech", "draft", "all"]
"""Which cards are listed; empty means the cards of a session: due ones, then new ones."""

SessionMode = Literal["goal-driven", "exploration", "exam", "synthesis"]
"""In which order the cards of a session come."""

Group = Literal["", "deck", "concept", "month"]
"""By what a calibration is split."""

ForecastSource = Literal["confidence", "schedule"]
"""Whose forecasts are judged: the learner's own, or the scheduler's."""

LEECH_LAPSES = 8
"""Lapses from which a card is a leech, as Anki's manual sets it by default ("Leeches")."""

MINUTE_MS = 60_000
DAY_MS = 86_400_000

CLOCK_SLACK_MS = 2 * MINUTE_MS
"""How far a review may lie in the future, or a clock may have been set back, unnoticed."""

EARLIEST_MS = 0
LATEST_MS = 32_503_680_000_000
"""The times that a review may have: from 1970 up to the year 3000, in milliseconds, UTC."""

LEAST_ANSWERS = 5
"""Answers about a concept without which nothing is said of what is known of it."""

LEAST_BEHIND_PARAMETERS = 30
"""Answers without which no parameters are estimated from them."""

LEAST_PAIRS = 30
"""Pairs of a forecast and its outcome without which nothing is said of calibration."""

LEAST_IN_BIN = 5
"""Pairs of a bin without which nothing is said of the bin."""
