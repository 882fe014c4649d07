"""Journeys whose best line or lines every Londoner knows.

Written down from the map and from daily use, not from the planner: the start, the end, and the
sequences of lines that a person who knows London would take. `/` parts alternatives, `+` joins the
lines of one sequence.
"""

from __future__ import annotations

from typing import NamedTuple

_LINES = {
    "bak": "bakerloo",
    "cen": "central",
    "cir": "circle",
    "dis": "district",
    "dlr": "dlr",
    "eli": "elizabeth",
    "hc": "hammersmith-city",
    "jub": "jubilee",
    "lib": "liberty",
    "lio": "lioness",
    "met": "metropolitan",
    "mil": "mildmay",
    "nor": "northern",
    "pic": "piccadilly",
    "suf": "suffragette",
    "tram": "tram",
    "vic": "victoria",
    "wc": "waterloo-city",
    "wea": "weaver",
    "win": "windrush",
}

DIRECT = """
Heathrow Terminals 2 & 3 > Canary Wharf: eli
Heathrow Terminals 2 & 3 > Stratford: eli
Heathrow Airport Terminal 5 > Piccadilly Circus: pic / eli+bak
Brixton > Walthamstow Central: vic
Brixton > Green Park: vic
Victoria > King's Cross & St Pancras International: vic
Tottenham Hale > Oxford Circus: vic
Paddington > Liverpool Street: eli
Paddington > Canary Wharf: eli
Paddington > Waterloo: bak
Ealing Broadway > Liverpool Street: eli
Ealing Broadway > Notting Hill Gate: cen
Abbey Wood > Paddington: eli
Reading > Tottenham Court Road: eli
Shenfield > Farringdon: eli
Euston > London Bridge: nor
Camden Town > London Bridge: nor
Morden > Bank: nor
Morden > Leicester Square: nor
Mill Hill East > Charing Cross: nor
High Barnet > Bank: nor
Edgware > Waterloo: nor
Battersea Power Station > Tottenham Court Road: nor
Elephant & Castle > Euston: nor
Waterloo > Bank: wc
Stratford > Westminster: jub
Stratford > North Greenwich: jub
Stanmore > London Bridge: jub
Wembley Park > Baker Street: met / jub
Amersham > Baker Street: met
Uxbridge > King's Cross & St Pancras International: met
Watford > Moorgate: met
Chesham > Farringdon: met
Cockfosters > Covent Garden: pic
South Kensington > Leicester Square: pic
Hammersmith > King's Cross & St Pancras International: pic / hc / cir
Epping > Oxford Circus: cen
West Ruislip > Bank: cen
Victoria > Paddington: cir / dis
Wimbledon > Earl's Court: dis
Upminster > Tower Hill: dis
Kew Gardens > Blackfriars: dis
Oxford Circus > Waterloo: bak
Willesden Junction > Oxford Circus: bak
Harrow & Wealdstone > Paddington: bak
Watford Junction > Euston: lio
Queen's Park > Euston: lio
Richmond > Stratford: mil
Clapham Junction > Shepherd's Bush: mil
Hackney Central > Camden Road: mil
Clapham Junction > Canada Water: win
West Croydon > Highbury & Islington: win
Crystal Palace > Whitechapel: win
Dalston Junction > Canada Water: win
Whitechapel > Shoreditch High Street: win
Barking > Upper Holloway: suf
Gospel Oak > Walthamstow Queens Road: suf
Chingford > Liverpool Street: wea
Enfield Town > Liverpool Street: wea
Seven Sisters > Liverpool Street: wea
Romford > Upminster: lib
Wimbledon > Beckenham Junction: tram
East Croydon > Wimbledon: tram
Lewisham > Bank: dlr
Lewisham > Canary Wharf: dlr
Canary Wharf > Cutty Sark: dlr
Woolwich Arsenal > Stratford International: dlr
London City Airport > Bank: dlr
Beckton > Tower Gateway: dlr
"""

WITH_CHANGES = """
King's Cross & St Pancras International > Waterloo: vic+bak / vic+nor / vic+jub / pic+nor / pic+bak
Heathrow Airport Terminal 5 > King's Cross & St Pancras International: pic / eli+cir / eli+met
Finsbury Park > Heathrow Airport Terminal 4: pic / vic+eli
Camden Town > Brixton: nor+vic
Balham > Victoria: nor+vic
Clapham Common > Oxford Circus: nor+vic
Hainault > Tottenham Court Road: cen / cen+eli
Covent Garden > Canary Wharf: pic+jub / pic+nor+jub / pic+cen+eli / pic+cen+jub
Liverpool Street > Victoria: cir / cen+vic / eli+vic
London Bridge > Victoria: jub+vic / jub+cir / jub+dis
Bank > Heathrow Terminals 2 & 3: cen+eli / cen+pic / nor+eli
King's Cross & St Pancras International > Canary Wharf: nor+jub / nor+dlr / cir+eli / met+eli
Hampstead > Canary Wharf: nor+jub / nor+eli
Angel > Waterloo: nor+wc / nor+jub / nor+nor
Notting Hill Gate > Tower Hill: cir / cen+cir / cen+dis / cen+dlr
Wimbledon > Waterloo: dis+jub / dis+nor / dis+bak
Brixton > Canary Wharf: vic+jub / vic+nor+jub
Walthamstow Central > Waterloo: vic+bak / vic+nor / vic+jub
Richmond > Oxford Circus: dis+vic / dis+pic+vic / dis+cen / dis+bak / dis+pic+bak
Uxbridge > Canary Wharf: met+jub / met+eli
Stanmore > Heathrow Terminals 2 & 3: jub+eli / jub+pic / jub+bak+eli
Morden > King's Cross & St Pancras International: nor / nor+vic
Edgware > Stratford: nor+cen / nor+eli / nor+jub
Wembley Park > Victoria: jub+vic / met+jub+vic
Greenford > Canary Wharf: cen+eli / cen+jub
Upminster > Waterloo: dis+jub / dis+bak / dis+nor / dis+eli+jub / dis+wc
Beckton > Oxford Circus: dlr+eli+cen / dlr+jub+cen / dlr+cen / dlr+eli / dlr+eli+vic / dlr+jub
Lewisham > King's Cross & St Pancras International: dlr+nor
Wimbledon > Canary Wharf: dis+jub
High Barnet > Heathrow Terminals 2 & 3: nor+pic / nor+eli
Crystal Palace > London Bridge: win+jub
Clapham Junction > Stratford: mil / win+jub
Peckham Rye > Canary Wharf: win+jub
Chingford > Oxford Circus: wea+vic / wea+cen / wea+eli / wea+eli+cen
"""


class Known(NamedTuple):
    """A journey and the sequences of lines that are right for it."""

    kind: str
    origin: str
    destination: str
    sequences: tuple[tuple[str, ...], ...]


def known_journeys() -> list[Known]:
    """All journeys of this module."""
    return [
        _read(kind, row)
        for kind, text in (("without a change", DIRECT), ("with changes", WITH_CHANGES))
        for row in text.strip().splitlines()
    ]


def _read(kind: str, row: str) -> Known:
    ends, _, written = row.rpartition(":")
    origin, destination = (end.strip() for end in ends.split(" > "))
    sequences = tuple(
        tuple(_LINES[line.strip()] for line in one.split("+")) for one in written.split("/")
    )
    return Known(kind, origin, destination, sequences)
