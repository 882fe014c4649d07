"""Times as people write them, against a clock that stands at Saturday 21 November 2026, 12:00."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.times.pieces import CUES, FEASTS, PARTS, WEEKDAYS
from groundwire.journeys.times.reading import HORIZON, TimeReading, find_times, read_time

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=LONDON)


def reading(
    time: str | None = None, date: str | None = None, now: datetime = NOW, **more: object
) -> TimeReading:
    found = read_time(date, time, None, now, **more)  # type: ignore[arg-type]
    assert found is not None
    return found


def told(time: str | None = None, date: str | None = None, now: datetime = NOW) -> str:
    """The moment as day and time: "21 18:00"."""
    return f"{reading(time, date, now).when:%d %H:%M}"


@pytest.mark.parametrize(
    ("time", "moment"),
    [
        ("18:00", "21 18:00"),
        ("1800", "21 18:00"),
        ("930", "22 09:30"),
        ("18:00:00", "21 18:00"),
        ("18h30", "21 18:30"),
        ("1800 hours", "21 18:00"),
        ("6pm", "21 18:00"),
        ("6 P.M.", "21 18:00"),
        ("6.30 pm", "21 18:30"),
        ("6 am", "22 06:00"),
        ("six pm", "21 18:00"),
        ("12 am", "22 00:00"),
        ("12pm", "21 12:00"),
        ("18 pm", "21 18:00"),
        ("noon", "21 12:00"),
        ("midday", "21 12:00"),
        ("midnight", "22 00:00"),
        ("24:00", "22 00:00"),
        ("half past five", "21 17:30"),
        ("half five", "21 17:30"),
        ("half 5", "21 17:30"),
        ("4ish", "21 16:00"),
        ("noon-ish", "21 12:00"),
        ("between 2 and 3", "21 14:00"),
        ("between 11 and 1pm", "22 11:00"),
        ("arrive between 2 and 3.30", "21 15:30"),
        ("quarter to nine", "21 20:45"),
        ("a quarter past 4", "21 16:15"),
        ("ten to six", "21 17:50"),
        ("twenty-five past 3", "21 15:25"),
        ("ten to midnight", "21 23:50"),
        ("ten past midnight", "22 00:10"),
        ("5 o'clock", "21 17:00"),
        ("five", "21 17:00"),
        ("six thirty", "21 18:30"),
        ("5:30", "21 17:30"),
        ("05:30", "22 05:30"),
        ("9", "21 21:00"),
        ("17", "21 17:00"),
        ("now", "21 12:00"),
        ("as soon as possible", "21 12:00"),
        ("in 20 minutes", "21 12:20"),
        ("in half an hour", "21 12:30"),
        ("in an hour and a half", "21 13:30"),
        ("in 1h30", "21 13:30"),
        ("in 1 hour 15 minutes", "21 13:15"),
        ("two hours from now", "21 14:00"),
        ("in twenty-five minutes", "21 12:25"),
        ("morning", "22 09:00"),
        ("in the early morning", "22 07:00"),
        ("lunch time", "21 13:00"),
        ("this afternoon", "21 15:00"),
        ("early evening", "21 18:00"),
        ("evening", "21 19:00"),
        ("tonight", "21 20:00"),
        ("late-night", "21 23:00"),
        ("tonight at 1", "22 01:00"),
        ("Friday night at 1am", "28 01:00"),
        ("00:30 on Friday night", "28 00:30"),
        ("Friday night at 11:00", "27 23:00"),
        ("Friday night at 23:15", "27 23:15"),
        ("Friday at 1am", "27 01:00"),
        ("7 in the evening", "21 19:00"),
        ("7 tomorrow morning", "22 07:00"),
        ("by 6 pm tomorrow", "22 18:00"),
        ("tomorrow, at six in the evening", "22 18:00"),
        ("2026-11-25T08:15", "25 08:15"),
        ("2026-11-25 08:15:30", "25 08:15"),
        ("2026-11-25T08:15:00Z", "25 08:15"),
        ("2026-11-25T08:15:00+01:00", "25 07:15"),
        ("6\uff1a30 pm", "21 18:30"),
        ("6pm please", "21 18:00"),
    ],
)
def test_times_are_the_next_such_time(time: str, moment: str) -> None:
    assert told(time) == moment


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("today", "2026-11-21"),
        ("tomorrow", "2026-11-22"),
        ("the day after tomorrow", "2026-11-23"),
        ("in 3 days", "2026-11-24"),
        ("in two weeks", "2026-12-05"),
        ("Saturday", "2026-11-21"),
        ("Sunday", "2026-11-22"),
        ("Fri", "2026-11-27"),
        ("this Friday", "2026-11-27"),
        ("on Friday", "2026-11-27"),
        ("next Friday", "2026-11-27"),  # the week after this begins on Monday 23
        ("next Saturday", "2026-11-28"),
        ("this weekend", "2026-11-21"),
        ("next weekend", "2026-11-28"),
        ("next week", "2026-11-23"),
        ("2026-12-25", "2026-12-25"),
        ("20261225", "2026-12-25"),
        ("25/12", "2026-12-25"),
        ("25/12/26", "2026-12-25"),
        ("25.12.2026", "2026-12-25"),
        ("1 Jan", "2027-01-01"),
        ("Jan 1st", "2027-01-01"),
        ("the 1st of January 2027", "2027-01-01"),
        ("Friday 25 December", "2026-12-25"),
        ("the 25th", "2026-11-25"),
        ("the 3rd", "2026-12-03"),
        ("the 31st", "2026-12-31"),
        ("Christmas Day", "2026-12-25"),
        ("New Year's Eve", "2026-12-31"),
        ("first Sunday of Advent", "2026-11-29"),
        ("the fourth Sunday in Advent", "2026-12-20"),
        ("Good Friday", "2027-03-26"),
        ("Easter Monday", "2027-03-29"),
        ("Whit Monday", "2027-05-17"),
        ("29 February", "2028-02-29"),
        ("tommorow", "2026-11-22"),
        ("wednsday", "2026-11-25"),
    ],
)
def test_days_are_the_next_such_day(date: str, day: str) -> None:
    assert reading("23:00", date).when.isoformat()[:10] == day


def test_on_a_weekday_next_is_the_week_after_this() -> None:
    monday = datetime(2026, 11, 23, 12, 0, tzinfo=LONDON)
    assert told("9:00", "Friday", monday) == "27 09:00"
    assert told("9:00", "this Friday", monday) == "27 09:00"
    assert told("9:00", "next Friday", monday) == "04 09:00"
    assert told("9:00", "this weekend", monday) == "28 09:00"
    assert told("9:00", "next weekend", monday) == "05 09:00"
    assert told("11:00", "Monday", monday) == "30 11:00"  # over today
    assert told("13:00", "Monday", monday) == "23 13:00"


@pytest.mark.parametrize(
    ("time", "date", "assumptions"),
    [
        ("18:00", None, ()),
        ("18:00", "tomorrow", ()),
        ("6 am", None, ("no day given = Sunday 22 November 2026, since 06:00 has passed",)),
        ("early evening", None, ("early evening = 18:00",)),
        ("five", None, ("five = 17:00",)),
        ("half five", None, ("half five = half past five", "half five = 17:30")),
        ("at about 5pm", None, ("about = 17:00 sharp",)),
        (None, "tomorrow", ("no time given = 09:00",)),
        ("9am", "next Friday", ("next Friday = Friday 27 November 2026",)),
        ("9am", "1 Jan", ("1 January = Friday 1 January 2027",)),
        ("midnight", "tomorrow", ("midnight = the end of that day",)),
        ("6pm", "tommorow", ("tommorow = tomorrow",)),
    ],
)
def test_what_was_chosen_is_told(
    time: str | None, date: str | None, assumptions: tuple[str, ...]
) -> None:
    assert reading(time, date).assumptions == assumptions


@pytest.mark.parametrize("name", list(PARTS))
def test_every_vague_word_is_told(name: str) -> None:
    found = reading(name, "tomorrow")
    assert f"{found.when:%H:%M}" == f"{PARTS[name].at:%H:%M}"
    assert found.assumptions == (f"{name} = {found.when:%H:%M}",)


@pytest.mark.parametrize(
    ("time", "time_is"),
    [
        ("by 6pm", "arriving"),
        ("before 6pm", "arriving"),
        ("no later than 6pm", "arriving"),
        ("arrive at 6pm", "arriving"),
        ("arriving 6pm", "arriving"),
        ("be there by 6pm", "arriving"),
        ("until 6pm", "arriving"),
        ("tomorrow by 9", "arriving"),
        ("within 30 minutes", "arriving"),
        ("for 6pm", "arriving"),
        ("6pm", "departing"),
        ("at 6pm", "departing"),
        ("from 6pm", "departing"),
        ("after 6pm", "departing"),
        ("leave at 6pm", "departing"),
        ("leaving 6pm", "departing"),
        ("departing at 6pm", "departing"),
        ("in 20 minutes", "departing"),
    ],
)
def test_words_say_whether_one_departs_or_arrives(time: str, time_is: str) -> None:
    assert reading(time).time_is == time_is


def test_what_was_said_apart_counts_and_is_told() -> None:
    found = read_time(None, "by 6pm", "departing", NOW)
    assert found is not None
    assert found.time_is == "departing"
    assert found.assumptions == ("time_is 'departing' counts, not 'by'",)
    agreed = read_time(None, "by 6pm", "arriving", NOW)
    assert agreed is not None
    assert (agreed.time_is, agreed.assumptions) == ("arriving", ())


def test_nothing_sent_is_no_time() -> None:
    assert read_time(None, None, "arriving", NOW) is None
    assert read_time("", " ", None, NOW) is None


@pytest.mark.parametrize(
    ("time", "date", "said"),
    [
        (None, "31 February", "There is no 31 February: the nearest is 28 February."),
        (None, "29 February 2027", "There is no 29 February 2027: the nearest is 28 February 2027"),
        (None, "31/04/2027", "There is no 31 April 2027: the nearest is 30 April 2027."),
        (None, "2027-02-30", "the nearest is 28 February 2027"),
        (None, "12/25", "write the day first, as 25/12"),
        ("25:00", None, "There is no time 25:00: .* the nearest is 23:59"),
        ("18:75", None, "the nearest is 18:59"),
        ("99pm", None, "There is no time 99pm: .* from 1 to 12; the nearest is 11:59 pm"),
        ("15 am", None, "the nearest is 15:00"),
        ("2026-11-25T25:00", None, "There is no time 25:00"),
        (None, "Monday 25 December", "25 December 2026 is a Friday, not a Monday"),
        ("tomorrow at 6", "2026-12-01", "each name a day: send one of them alone"),
        ("6pm", "today at 7pm", "each name a time"),
        ("soonish", None, "The time 'soonish' cannot be read: send one such as 18:00, 6pm"),
        (None, "someday", "The date 'someday' cannot be read: send one such as 2026-12-25"),
        (None, "6", "The date '6' cannot be read"),
        ("6pm for 5 people", None, "cannot be read"),
        ("x" * 5000, None, "The time 'xxxx"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    time: str | None, date: str | None, said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        reading(time, date)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("time", "date", "offered"),
    [
        ("9am", "today", "2026-11-22 09:00"),
        ("this morning", None, "2026-11-22 09:00"),
        ("9am", "yesterday", "2026-11-22 09:00"),
        ("10:00", "2026-11-01", "2026-11-22 10:00"),
        ("10:00", "1999-01-01", "2026-11-2"),
        ("18:00", "last Friday", "2026-11-21 18:00"),
    ],
)
def test_what_has_passed_is_refused_with_what_is_to_come(
    time: str, date: str | None, offered: str
) -> None:
    with pytest.raises(InputError, match=f"has passed, it is 12:00 .* such as {offered}"):
        reading(time, date)


def test_the_present_minute_has_not_passed() -> None:
    now = datetime(2026, 11, 21, 12, 0, 45, tzinfo=LONDON)
    assert told("12:00", "today", now) == "21 12:00"


def test_days_beyond_the_timetables_say_so() -> None:
    inside, beyond = NOW + HORIZON - timedelta(days=1), NOW + HORIZON + timedelta(days=2)
    assert reading("10:00", f"{inside:%Y-%m-%d}").assumptions == ()
    (line,) = reading("10:00", f"{beyond:%Y-%m-%d}").assumptions
    assert "more than 12 weeks ahead: timetables are not final" in line


def test_the_hour_that_is_left_out_is_told() -> None:
    now = datetime(2027, 3, 26, 12, 0, tzinfo=LONDON)
    found = reading("01:30", "2027-03-28", now)
    assert found.when.isoformat() == "2027-03-28T02:30:00+01:00"
    assert found.assumptions == (
        "01:30 does not exist on Sunday 28 March 2027, when the clocks go forward: 02:30 was taken",
    )
    assert reading("00:59", "2027-03-28", now).assumptions == ()
    assert reading("02:00", "2027-03-28", now).assumptions == ()


def test_the_hour_that_comes_twice_is_told() -> None:
    now = datetime(2027, 10, 30, 12, 0, tzinfo=LONDON)
    found = reading("01:30", "2027-10-31", now)
    assert found.when.astimezone(UTC).isoformat() == "2027-10-31T00:30:00+00:00"
    assert "comes twice on Sunday 31 October 2027" in found.assumptions[0]
    second = reading("2027-10-31T01:30:00+00:00", None, now)
    assert second.when.astimezone(UTC).isoformat() == "2027-10-31T01:30:00+00:00"
    assert second.when.isoformat() == "2027-10-31T01:30:00+00:00"


def test_minutes_from_now_are_counted_across_a_change_of_the_clocks() -> None:
    now = datetime(2027, 3, 28, 0, 45, tzinfo=LONDON)
    assert reading("in 30 minutes", None, now).when.isoformat() == "2027-03-28T02:15:00+01:00"
    back = datetime(2027, 10, 31, 1, 45, tzinfo=LONDON)
    assert reading("in 30 minutes", None, back).when.isoformat() == "2027-10-31T01:15:00+00:00"


def test_the_present_may_be_of_another_zone_or_naive() -> None:
    summer = datetime(2027, 6, 1, 11, 0, tzinfo=UTC)
    assert reading("now", None, summer).when.isoformat() == "2027-06-01T12:00:00+01:00"
    assert told("now", None, datetime(2027, 6, 1, 11, 0)) == "01 11:00"


def sentence(text: str) -> list[tuple[str, str | None]]:
    return [(one.raw, one.time_is) for one in find_times(text) if not one.lends]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "get me from home to Tate Modern by 10, then at five to Kew Gardens, then home by "
            "early evening",
            [("by 10", "arriving"), ("at five", "departing"), ("by early evening", "arriving")],
        ),
        ("home to Tate Modern for 10:00", [("for 10:00", "arriving")]),
        ("from 10 Downing Street at 9 to Bank", [("at 9", "departing")]),
        ("for 5 people from Terminal 5 to Seven Sisters at Five Ways", []),
        ("I need to be at Kew at 9, leaving Angel", [("at 9", "arriving")]),
        ("I leave home at 9", [("at 9", "departing")]),
        ("Angel to Kew tomorrow morning", [("tomorrow morning", None)]),
        ("take the night bus from Morning Lane, or the Night Tube", []),
        ("open 24/7, route 73, version 1.5, 221b Baker Street", []),
        ("at five to nine from Bank", [("at five to nine", "departing")]),
        ("be there at 6.30", [("be there at 6.30", "arriving")]),
        ("a 10 minute walk, within 5 minutes of the park", []),
        ("at 25:00 to Bank", [("at 25:00", "departing")]),
        ("", []),
    ],
)
def test_times_are_found_in_a_sentence(text: str, found: list[tuple[str, str | None]]) -> None:
    assert sentence(text) == found


def test_spans_are_those_of_the_sentence() -> None:
    text = "From home to Tate Modern by 6 pm tomorrow, then to Kew."
    (mention,) = find_times(text)
    assert text[slice(*mention.span)] == mention.raw == "by 6 pm tomorrow"


def test_a_vague_time_that_the_trip_before_ran_into_is_at_once() -> None:
    after = datetime(2026, 11, 21, 18, 10, tzinfo=LONDON)
    found = reading("by early evening", after=after)
    assert (found.when, found.time_is) == (after, "departing")
    assert "early evening = 18:00, which has passed" in found.assumptions[0]
    assert reading("by early evening", after=after.replace(hour=17)).when.hour == 18
    assert reading("in the morning", after=after).when.day == 22


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("a week on Friday", "04"),
        ("Friday week", "04"),
        ("a week tomorrow", "29"),
        ("a fortnight today", "05"),
        ("in a fortnight", "05"),
        ("sat 5 dec", "05"),
    ],
)
def test_weeks_ahead_are_counted_from_the_next_such_day(words: str, day: str) -> None:
    assert f"{reading('9am', words).when:%d}" == day


@pytest.mark.parametrize(
    ("text", "time_is"),
    [
        ("when must I set off from Oval to get to Bank at 9?", "arriving"),
        ("leave Oval for a meeting at Bank for 9am", "arriving"),
        ("the match kicks off, kick off 3pm", "arriving"),
        ("my shift starts at 3pm", "arriving"),
        ("my trip starts at 3pm", "departing"),
        ("leave Oval to get to Bank at 3pm", "departing"),
    ],
)
def test_what_a_time_is_of_is_said_by_the_whole_clause(text: str, time_is: str) -> None:
    assert [one.time_is for one in find_times(text)] == [time_is]


def test_a_part_of_the_day_after_a_comma_may_begin_anew() -> None:
    assert sentence("at 10, lunch at 1") == [("at 10", "departing"), ("lunch at 1", "departing")]
    assert sentence("at 8, in the evening at 6") == [
        ("at 8", "departing"),
        ("in the evening at 6", "departing"),
    ]
    assert sentence("at 8, in the evening") == [("at 8, in the evening", "departing")]


def test_an_hour_may_stand_before_a_trip_and_a_part_of_the_day_before_the_word() -> None:
    assert sentence("At 8 Oval to Bank, at 9 Bank to Angel") == [
        ("At 8", "departing"),
        ("at 9", "departing"),
    ]
    assert sentence("meet at 10 Downing Street to talk") == []
    assert sentence("Morning trip Oval to Bank") == [("Morning", None)]


def test_four_digits_are_a_time_beside_a_day_alone() -> None:
    assert sentence("Oval to Bank, tomorrow 0915") == [("tomorrow 0915", None)]
    assert sentence("call 0915 for Bank") == []


def test_a_trip_follows_the_one_before() -> None:
    text = "Tate Modern by 10 tomorrow, then at five to Kew Gardens, then home by 1 am"
    moments: list[datetime] = []
    for mention in find_times(text):
        moments.append(mention.on(NOW, moments[-1] if moments else None).when)
    assert [f"{moment:%d %H:%M}" for moment in moments] == ["22 10:00", "22 17:00", "23 01:00"]


@pytest.mark.parametrize(
    "text", ["Tomorrow I go from Angel to Bank at 9 am", "at 9 am from Angel to Bank tomorrow"]
)
def test_a_day_that_stands_apart_is_lent_to_its_time(text: str) -> None:
    (lent,) = [one for one in find_times(text) if one.lends]
    assert lent.raw.lower() == "tomorrow"
    (mention,) = [one for one in find_times(text) if not one.lends]
    assert f"{mention.on(NOW).when:%d %H:%M}" == "22 09:00"


def test_a_day_that_no_time_takes_is_a_time_of_its_own() -> None:
    (mention,) = find_times("from Angel to Bank on Monday")
    assert not mention.lends
    assert f"{mention.on(NOW).when:%d %H:%M}" == "23 09:00"


def test_what_cannot_be_is_refused_when_it_is_read() -> None:
    (mention,) = find_times("to Kew on 31 February")
    with pytest.raises(InputError, match="the nearest is 28 February"):
        mention.on(NOW)


MORE = (
    "next 6 25:00 31/2 pm to half past tomorrow Kew , then 99 2026-12-01 o'clock 1 Jan in 20 mins"
)
WORDS = st.sampled_from([*CUES, *PARTS, *FEASTS, *WEEKDAYS, *MORE.split()])


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=7).map(" ".join) | st.text(max_size=40))
def test_whatever_is_sent_is_read_or_refused_in_one_line(text: str) -> None:
    end = 0
    for mention in find_times(text):
        assert end <= mention.span[0] < mention.span[1] <= len(text)
        end = mention.span[1]
        try:
            assert mention.on(NOW).when >= NOW
        except InputError as error:
            assert "\n" not in str(error)
    try:
        found = read_time(None, text, None, NOW)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert found is None or found.when >= NOW


@pytest.mark.parametrize(
    ("time", "moment"),
    [
        ("10 minutes before 9am", "22 08:50"),
        ("half an hour before noon tomorrow", "22 11:30"),
        ("three quarters of an hour ahead of 18:00", "21 17:15"),
        ("arriving two hours before the flight at 10 tomorrow", "22 08:00"),
    ],
)
def test_a_margin_before_a_time_is_taken_off(time: str, moment: str) -> None:
    assert told(time) == moment
    assert any("before" in one for one in reading(time).assumptions)


def test_a_margin_before_no_time_is_none() -> None:
    assert find_times("an hour before the cricket") == ()
