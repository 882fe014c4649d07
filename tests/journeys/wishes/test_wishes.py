"""What callers send as options, read into the options of the API, or refused with what to send."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import need, shared_folder

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON, Options
from groundwire.journeys.wishes.readers import (
    CHOICES,
    MODES,
    OPTION_KINDS,
    TIME_NAMES,
    to_tfl_parameters,
)
from groundwire.journeys.wishes.reading import Wishes, overlaid, read_wishes, shown

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=LONDON)
NAMES = Path(__file__).parents[1] / "data" / "api_names.json"
OPENAPI = shared_folder("data", "tfl", "openapi", "tfl-ts_swagger2_tfl-v1.json")


def wishes(sent: dict[str, object], **more: Any) -> Wishes:
    return read_wishes(sent, NOW, **more)


def corrections(found: Wishes) -> list[tuple[str, str, str]]:
    return [(one.raw, one.used, one.how) for one in found.corrections]


@pytest.mark.parametrize(
    ("sent", "modes"),
    [
        ("tube", ("tube",)),
        (["tube", "bus"], ("tube", "bus")),
        ("tube, bus and dlr", ("tube", "bus", "dlr")),
        ("tube/bus", ("tube", "bus")),
        ('["tube", "bus"]', ("tube", "bus")),
        ("Tube,Buses", ("tube", "bus")),
        ("public-bus,overground,train,tube,coach,dlr,cablecar,tram,river,walking,cycle",
         ("bus", "overground", "national-rail", "tube", "coach", "dlr", "cable-car", "tram",
          "river-bus", "walking", "cycle")),
        ("the Tube", ("tube",)),
        ("by tube only", ("tube",)),
        ("underground", ("tube",)),
        ("London Underground", ("tube",)),
        ("metro", ("tube",)),
        ("ferry", ("river-bus",)),
        ("boat", ("river-bus",)),
        ("bike", ("cycle",)),
        ("Santander Cycles", ("cycle-hire",)),
        ("on foot", ("walking",)),
        ("foot", ("walking",)),
        ("TfL Rail", ("elizabeth-line",)),
        ("crossrail", ("elizabeth-line",)),
        ("the Elizabeth line", ("elizabeth-line",)),
        ("cable car", ("cable-car",)),
        ("replacement buses", ("replacement-bus",)),
        ("tube, the underground", ("tube",)),
        ("any", ()),
    ],
)  # fmt: skip
def test_modes_have_many_names(sent: object, modes: tuple[str, ...]) -> None:
    assert wishes({"mode": sent}).given["mode"] == modes


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_its_own_name(mode: str) -> None:
    found = wishes({"mode": mode})
    assert found.given["mode"] == (mode,)
    assert found.corrections == ()


def test_other_names_and_misspellings_are_reported() -> None:
    found = wishes({"mode": ["undergound", "train", "tube"], "journey_preference": "fatest"})
    assert corrections(found) == [
        ("undergound", "tube", "corrected"),
        ("train", "national-rail", "alias"),
        ("fatest", "LeastTime", "corrected"),
    ]
    assert [one.param for one in found.corrections] == ["mode", "mode", "journey_preference"]


@pytest.mark.parametrize(
    ("option", "sent", "value"),
    [
        ("journey_preference", "least interchange", "LeastInterchange"),
        ("journey_preference", "fewest changes", "LeastInterchange"),
        ("journey_preference", "leastwalking", "LeastWalking"),
        ("journey_preference", "fastest", "LeastTime"),
        ("accessibility_preference", "step free", ("StepFreeToVehicle",)),
        ("accessibility_preference", "wheelchair", ("StepFreeToVehicle",)),
        ("accessibility_preference", "step-free to platform", ("StepFreeToPlatform",)),
        ("accessibility_preference", "no stairs and no escalators",
         ("NoSolidStairs", "NoEscalators")),
        ("accessibility_preference", ["noSolidStairs", "NoElevators"],
         ("NoSolidStairs", "NoElevators")),
        ("walking_speed", "slow", "Slow"),
        ("walking_speed", "normal", "Average"),
        ("cycle_preference", "allTheWay", "AllTheWay"),
        ("cycle_preference", "none", "None"),
        ("cycle_preference", "hire", "CycleHire"),
        ("bike_proficiency", "easy,moderate", ("Easy", "Moderate")),
        ("bike_proficiency", "beginner", ("Easy",)),
        ("adjustment", "last train", "TripLast"),
        ("max_walking_minutes", 15, 15),
        ("max_walking_minutes", "15", 15),
        ("max_walking_minutes", "15 minutes", 15),
        ("max_walking_minutes", "twenty", 20),
        ("max_walking_minutes", 15.0, 15),
        ("max_transfer_minutes", "half an hour", 30),
        ("max_transfer_minutes", "1 hour", 60),
        ("national_search", True, True),
        ("national_search", "yes", True),
        ("alternative_walking", "false", False),
        ("override_multi_modal_scenario", "3", 3),
        ("from_name", "  Our\nhouse ", "Our house"),
        ("avoid_lines", ["Victoria", "H&C"], ("victoria", "hammersmith-city")),
        ("avoid_lines", "Victoria line and Central", ("victoria", "central")),
        ("only_lines", ["Victoria", "H&C"], ("victoria", "hammersmith-city")),
        ("avoid_lines", "Hammersmith & City", ("hammersmith-city",)),
        ("avoid_lines", "bus 73", ("73",)),
        ("avoid_modes", "no bus", ("bus",)),
    ],
)  # fmt: skip
def test_options_are_read_as_people_write_them(option: str, sent: object, value: object) -> None:
    assert wishes({option: sent}).given == {option: value}


@pytest.mark.parametrize("option", sorted(CHOICES))
def test_every_allowed_value_is_taken_as_it_is(option: str) -> None:
    if option == "time_is":
        return
    for value in CHOICES[option]:
        found = wishes({option: value})
        assert found.given[option] in (value, (value,))
        assert found.corrections == ()


def test_names_may_be_those_of_the_api() -> None:
    found = wishes({"maxWalkingMinutes": 20, "walkingSpeed": "fast", "modes": "tube"})
    assert found.given == {"max_walking_minutes": 20, "walking_speed": "Fast", "mode": ("tube",)}


@pytest.mark.parametrize("blank", [None, "", "  ", [], {}])
def test_blanks_are_not_sent(blank: object) -> None:
    assert wishes(dict.fromkeys(("mode", "time", "max_walking_minutes"), blank)).given == {}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"mode": "helicopter"}, "There is no mode 'helicopter'. Send one of bus, cable-car, .* w"),
        ({"mode": "car"}, "There is no mode 'car'. The nearest is .*cable-car"),
        ({"mode": ["tube", 3.5]}, "mode takes words, not '3.5'"),
        ({"mode": "[tube"}, "mode begins as a JSON array and is none"),
        ({"journey_preference": "scenic"}, "Send one of LeastInterchange, LeastTime, LeastWalking"),
        ({"journey_preference": ["fastest", "direct"]}, "journey_preference is one value, not 2"),
        ({"accessibility_preference": "lift"}, "NoSolidStairs, NoEscalators, NoElevators"),
        ({"max_walking_minutes": 0}, "is from 1 to 240 minutes, not '0': send 1, or leave it out"),
        ({"max_walking_minutes": 500}, "not '500': send 240"),
        ({"max_walking_minutes": -5}, "not '-5': send 1"),
        ({"max_walking_minutes": "far"}, "'far' is no number of minutes: send a whole number"),
        ({"max_walking_minutes": "3 km"}, "is no number of minutes"),
        ({"max_walking_minutes": True}, "is no number of minutes"),
        ({"max_walking_minutes": "9" * 500}, "max_walking_minutes"),
        ({"max_transfer_minutes": float("nan")}, "max_transfer_minutes"),
        ({"national_search": "perhaps"}, "national_search 'perhaps' is neither true nor false"),
        ({"override_multi_modal_scenario": -1}, "is no whole number from 0"),
        ({"from_name": "x" * 200}, "from_name is a name of at most 100 characters"),
        ({"avoid_lines": "Northernmost"}, "There is no line 'Northernmost'"),
        ({"walking_sped": 3}, "There is no option 'walking_sped'. The nearest is walking_speed"),
        ({"maxWalkingMinutes": 3, "max_walking_minutes": 4}, "was sent twice: send it once"),
        ({"mode": "tube", "avoid_modes": "tube"}, r"mode \(tube\) without avoid_modes \(tube\) le"),
        ({"avoid_modes": list(MODES)}, "all modes without avoid_modes .* leaves nothing"),
        ({"cycle_preference": "AllTheWay", "avoid_modes": "bike"}, "AllTheWay needs the mode cycl"),
        ({"cycle_preference": "hire", "mode": "tube"}, "CycleHire needs the mode cycle-hire"),
        ({"cycle_preference": "None", "mode": "bike"}, "leave nothing to travel by"),
        ({"taxi_only_trip": True, "mode": "tube"}, "taxi_only_trip needs the mode taxi"),
        ({"time_is": "arriving"}, "needs a time to arrive by: send time, such as 18:00"),
        ({"time_is": "sideways", "time": "18:00"}, "Send one of departing, arriving"),
        ({"time": "25:00"}, "There is no time 25:00"),
        ({"date": 12.5}, "date is a text such as 2026-12-25"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(sent: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        wishes(sent)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 900


def test_parts_of_a_minute_are_left_out_and_told() -> None:
    found = wishes({"max_walking_minutes": "7.5"})
    assert found.given["max_walking_minutes"] == 7
    assert corrections(found) == [("7.5", "7", "corrected")]


def test_a_mode_that_is_denied_is_avoided() -> None:
    found = wishes({"mode": "no bus, not the tube"})
    assert found.given == {"avoid_modes": ("bus", "tube")}
    assert corrections(found)[0] == ("no bus", "avoid_modes: bus", "alias")


def test_a_whole_mode_among_the_lines_is_avoided() -> None:
    assert wishes({"avoid_lines": ["buses", "Victoria"]}).given == {
        "avoid_lines": ("victoria",),
        "avoid_modes": ("bus",),
    }


def test_what_cannot_be_as_it_was_asked_is_told() -> None:
    found = wishes({"accessibility_preference": "NoRequirements, wheelchair"})
    assert found.given["accessibility_preference"] == ("StepFreeToVehicle",)
    assert "StepFreeToVehicle counts, not NoRequirements" in found.assumptions[0]
    (note,) = wishes({"avoid_modes": "walking"}).notes
    assert "max_walking_minutes limits it" in note
    (note,) = wishes({"taxi_only_trip": True, "use_multi_modal_call": True}).notes
    assert note == "taxi_only_trip counts, not use_multi_modal_call."


def test_time_is_read_with_the_options() -> None:
    found = wishes({"date": "tomorrow", "time": "by early evening", "mode": "tube"})
    assert found.options == Options(
        when=datetime(2026, 11, 22, 18, 0, tzinfo=LONDON), time_is="arriving", mode=("tube",)
    )
    assert found.assumptions == ("early evening = 18:00",)
    assert wishes({"time": 1800}).options.when == datetime(2026, 11, 21, 18, 0, tzinfo=LONDON)
    assert wishes({"time": "6pm", "time_is": "arrive by"}).options.time_is == "arriving"
    assert wishes({}).options == Options()


def test_a_trip_follows_the_one_before() -> None:
    before = datetime(2026, 11, 22, 10, 40, tzinfo=LONDON)
    found = read_wishes({"time": "at five"}, NOW, before)
    assert found.options.when == datetime(2026, 11, 22, 17, 0, tzinfo=LONDON)


def test_a_trip_counts_over_the_defaults() -> None:
    base = wishes({"mode": "tube, bus", "walking_speed": "slow"}).given
    found = wishes({"walking_speed": "fast", "max_walking_minutes": 10}, base=base)
    assert found.values == {"mode": ("tube", "bus"), "walking_speed": "Fast",
                            "max_walking_minutes": 10}  # fmt: skip
    assert found.given == {"walking_speed": "Fast", "max_walking_minutes": 10}
    assert found.notes == ()


def test_a_default_gives_way_to_what_a_trip_says() -> None:
    found = wishes({"mode": "tube"}, base={"avoid_modes": ("tube", "bus")})
    assert found.values == {"mode": ("tube",), "avoid_modes": ("bus",)}
    assert found.notes == (
        "mode counts, so the default avoid_modes does not hold for tube.",
    )  # fmt: skip
    found = wishes({"avoid_modes": "tube"}, base={"mode": ("tube",)})
    assert found.values == {"avoid_modes": ("tube",)}


def test_any_mode_lifts_a_default() -> None:
    assert wishes({"mode": "any"}, base={"mode": ("tube",)}).options.mode == ()


def test_what_does_not_go_together_with_a_default_is_refused() -> None:
    with pytest.raises(InputError, match="AllTheWay needs the mode cycle"):
        overlaid({"mode": ("tube",)}, {"cycle_preference": "AllTheWay"})


@pytest.mark.parametrize("name", [*TIME_NAMES, "from_name", "to_name", "via_name"])
def test_what_is_of_one_trip_is_no_default(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is said of one trip and is no default"):
        wishes({name: "18:00"}, defaults=True)


def test_values_are_shown_as_json_in_their_order() -> None:
    values = wishes({"avoid_lines": "Victoria", "mode": "tube", "walking_speed": "slow"}).values
    assert json.dumps(shown(values)) == (
        '{"mode": ["tube"], "walking_speed": "Slow", "avoid_lines": ["victoria"]}'
    )


def test_parameters_are_those_of_the_api() -> None:
    found = wishes(
        {
            "date": "2026-12-25",
            "time": "by 6:05 pm",
            "mode": "walking, tube, bus",
            "journey_preference": "fewest changes",
            "accessibility_preference": "no stairs, no escalators",
            "max_walking_minutes": 20,
            "national_search": True,
            "calc_one_direction": False,
            "bike_proficiency": "easy, fast",
            "avoid_lines": "Victoria",
            "to_name": "Grandma",
        }
    )
    assert to_tfl_parameters(found.options) == {
        "date": "20261225",
        "time": "1805",
        "timeIs": "Arriving",
        "mode": "bus,tube,walking",
        "journeyPreference": "LeastInterchange",
        "accessibilityPreference": "NoSolidStairs,NoEscalators",
        "maxWalkingMinutes": "20",
        "nationalSearch": "true",
        "calcOneDirection": "false",
        "bikeProficiency": "Easy,Fast",
        "toName": "Grandma",
    }
    assert to_tfl_parameters(Options()) == {}


def test_modes_to_avoid_are_the_list_of_all_others() -> None:
    sent = to_tfl_parameters(wishes({"avoid_modes": "tube, bus"}).options)["mode"].split(",")
    assert set(sent) == set(MODES) - {"tube", "bus"}
    both = wishes({"mode": "tube, bus, dlr", "avoid_modes": "bus"}).options
    assert to_tfl_parameters(both)["mode"] == "dlr,tube"


def test_times_are_sent_as_londons() -> None:
    summer = datetime.fromisoformat("2027-06-01T11:30:00+00:00")
    sent = to_tfl_parameters(Options(when=summer))
    assert (sent["date"], sent["time"], sent["timeIs"]) == ("20270601", "1230", "Departing")


def _saved_openapi() -> dict[str, list[str] | None]:
    paths = json.loads(need(OPENAPI).read_text("utf-8"))["paths"]
    listed = paths["/Journey/JourneyResults/{from}/to/{to}"]["get"]["parameters"]
    return {one["name"]: one.get("enum") or one.get("items", {}).get("enum") for one in listed}


def _own_names() -> dict[str, list[str] | None]:
    return json.loads(NAMES.read_text("utf-8"))["parameters"]


@pytest.mark.parametrize("listed", [_saved_openapi, _own_names])
def test_every_parameter_of_the_api_can_be_asked_for(
    listed: Callable[[], dict[str, list[str] | None]],
) -> None:
    known = dict(zip(_camel(), _names(), strict=True))
    for name, values in listed().items():
        if name in ("from", "to", "via"):
            continue
        assert name in known, f"{name} cannot be asked for"
        if values:
            ours = [value.lower() for value in CHOICES[known[name]]]
            assert sorted(ours) == sorted(value.lower() for value in values)


def _names() -> list[str]:
    return [*TIME_NAMES, *OPTION_KINDS]


def _camel() -> list[str]:
    return [
        "".join(part.capitalize() if at else part for at, part in enumerate(name.split("_")))
        for name in _names()
    ]


SENT = st.dictionaries(
    st.sampled_from(_names()),
    st.text(max_size=20)
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.lists(st.sampled_from(["tube", "no bus", "bike", "any", "Victoria", "None", "", "["])),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(SENT)
def test_whatever_is_sent_is_read_or_refused_in_one_line(sent: dict[str, object]) -> None:
    try:
        found = wishes(sent)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        parameters = to_tfl_parameters(found.options)
        assert all(isinstance(value, str) for value in parameters.values())
        again = wishes(dict(found.given))
        assert again.given == found.given
