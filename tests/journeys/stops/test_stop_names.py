"""How names of stations are cleaned, written out and parted from what was said with them."""

from __future__ import annotations

import pytest

from groundwire.journeys.stops.names import expanded, public_name, split_name


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("Bank DLR Station", "Bank"),
        ("Acton Central Rail Station", "Acton Central"),
        ("Addiscombe Tram Stop", "Addiscombe"),
        ("London Euston Rail Station", "Euston"),
        ("London Bridge Underground Station", "London Bridge"),
        ("London City Airport DLR Station", "London City Airport"),
        ("Custom House (for ExCel) DLR Station", "Custom House"),
        ("Richmond (London) Rail Station", "Richmond"),
        ("Edgware Road (Bakerloo) Underground Station", "Edgware Road (Bakerloo)"),
        ("Paddington (H&C Line)-Underground", "Paddington (H&C Line)"),
        ("Battersea Power Station Underground Station", "Battersea Power Station"),
        ("Battersea Power Station", "Battersea Power Station"),
        ("New Cross ELL Rail Station", "New Cross"),
    ],
)
def test_the_kind_of_a_stop_is_no_part_of_its_name(name: str, public: str) -> None:
    assert public_name(name) == public


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("Tottenham Ct. Rd", "tottenham court road"),
        ("St Paul's", "saint pauls"),
        ("Liverpool St", "liverpool street"),
        ("High St Kensington", "high street kensington"),
        ("King's Cross & St Pancras", "kings cross and saint pancras"),
        ("Charing X", "charing cross"),
        ("S Ken", "south kensington"),
        ("Clapham N", "clapham north"),
        ("Heathrow T5", "heathrow terminal 5"),
        ("Heathrow terminals two & three", "heathrow terminal 2 and 3"),
        ("Seven Sisters", "seven sisters"),
        ("The Oval", "oval"),
        ("E", "e"),
        ("", ""),
    ],
)
def test_short_words_are_written_out(text: str, written_out: str) -> None:
    assert expanded(text) == written_out


@pytest.mark.parametrize(
    ("text", "core", "modes", "lines"),
    [
        ("Bank stn", "bank", set(), set()),
        ("bethnal green tube station", "bethnal green", {"tube"}, set()),
        ("Edgware Rd (Circle Line)", "edgware road", set(), {"circle"}),
        ("Edgware Road Bakerloo", "edgware road", set(), {"bakerloo"}),
        ("Canary Wharf Elizabeth line", "canary wharf", {"elizabeth-line"}, set()),
        ("Bank Central line", "bank", set(), {"central"}),
        ("Finchley Central", "finchley central", set(), set()),
        ("London Euston", "euston", set(), set()),
        ("Wimbledon tram stop, London", "wimbledon", {"tram"}, set()),
    ],
)
def test_modes_and_lines_are_taken_off_the_end(
    text: str, core: str, modes: set[str], lines: set[str]
) -> None:
    assert split_name(text) == (core, modes, lines)
