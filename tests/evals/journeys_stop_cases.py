"""Names of stations as people write them, each with what it means.

Abbreviations and ambiguous names were written down from common use, not taken from the table of
nicknames that is under test; some are in both. Spellings and misspellings are made from the names.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator

# What is written, and the public name of the station.
ABBREVIATIONS: tuple[tuple[str, str], ...] = (
    ("Kings X", "King's Cross St. Pancras"),
    ("Kings Cross St P", "King's Cross St. Pancras"),
    ("KGX", "King's Cross St. Pancras"),
    ("St Pancras Int", "King's Cross St. Pancras"),
    ("St Pancras station", "King's Cross St. Pancras"),
    ("kings cross underground", "King's Cross St. Pancras"),
    ("london kings cross", "King's Cross St. Pancras"),
    ("Heathrow T5", "Heathrow Terminal 5"),
    ("LHR T5", "Heathrow Terminal 5"),
    ("heathrow term 5", "Heathrow Terminal 5"),
    ("T5", "Heathrow Terminal 5"),
    ("Terminal Five", "Heathrow Terminal 5"),
    ("Heathrow T4", "Heathrow Terminal 4"),
    ("heathrow 4", "Heathrow Terminal 4"),
    ("Heathrow Terminal 2", "Heathrow Terminals 2 & 3"),
    ("T3 Heathrow", "Heathrow Terminals 2 & 3"),
    ("Heathrow T2/3", "Heathrow Terminals 2 & 3"),
    ("Heathrow 123", "Heathrow Terminals 2 & 3"),
    ("TCR", "Tottenham Court Road"),
    ("Tott Court Rd", "Tottenham Court Road"),
    ("Tottenham Ct Rd", "Tottenham Court Road"),
    ("Tottenham Crt Road", "Tottenham Court Road"),
    ("Oxford Circ", "Oxford Circus"),
    ("Ox Circus", "Oxford Circus"),
    ("Picc Circus", "Piccadilly Circus"),
    ("Piccadilly Circ.", "Piccadilly Circus"),
    ("Leic Sq", "Leicester Square"),
    ("Leicester Sq.", "Leicester Square"),
    ("Liverpool St", "Liverpool Street"),
    ("Liv St", "Liverpool Street"),
    ("London Liverpool St stn", "Liverpool Street"),
    ("E&C", "Elephant & Castle"),
    ("Elephant", "Elephant & Castle"),
    ("elephant + castle", "Elephant & Castle"),
    ("Elephant n Castle", "Elephant & Castle"),
    ("S Ken", "South Kensington"),
    ("South Ken", "South Kensington"),
    ("High St Ken", "High Street Kensington"),
    ("Ken High St", "High Street Kensington"),
    ("W Ken", "West Kensington"),
    ("Ken Olympia", "Kensington (Olympia)"),
    ("Olympia", "Kensington (Olympia)"),
    ("W Hampstead", "West Hampstead"),
    ("N Greenwich", "North Greenwich"),
    ("Nth Acton", "North Acton"),
    ("Clapham Jn", "Clapham Junction"),
    ("Clapham Jct", "Clapham Junction"),
    ("Clapham Cmn", "Clapham Common"),
    ("Clapham Nth", "Clapham North"),
    ("Willesden Jn", "Willesden Junction"),
    ("Harrow on Hill", "Harrow-on-the-Hill"),
    ("Harrow and Wealdstone", "Harrow & Wealdstone"),
    ("Highbury", "Highbury & Islington"),
    ("H&I", "Highbury & Islington"),
    ("Shep Bush", "Shepherd's Bush"),
    ("Shepherds Bush Mkt", "Shepherd's Bush Market"),
    ("Notting Hill", "Notting Hill Gate"),
    ("Totteridge", "Totteridge & Whetstone"),
    ("Caledonian Rd", "Caledonian Road"),
    ("Cally Road", "Caledonian Road"),
    ("Gt Portland St", "Great Portland Street"),
    ("Goldhawk Rd", "Goldhawk Road"),
    ("Finchley Rd & Frognal", "Finchley Road & Frognal"),
    ("Tooting Bdwy", "Tooting Broadway"),
    ("Ealing Bwy", "Ealing Broadway"),
    ("Kew Gdns", "Kew Gardens"),
    ("Mornington Cres", "Mornington Crescent"),
    ("Battersea Power Stn", "Battersea Power Station"),
    ("Battersea PS", "Battersea Power Station"),
    ("City Airport", "London City Airport"),
    ("LCY", "London City Airport"),
    ("St Johns Wd", "St. John's Wood"),
    ("Saint James's Park", "St. James's Park"),
    ("Hammersmith Bdwy", "Hammersmith"),
    ("Charing X", "Charing Cross"),
    ("London Waterloo", "Waterloo"),
    ("Waterloo East", "Waterloo"),
    ("London Euston", "Euston"),
    ("Euston Sq", "Euston Square"),
    ("Bank/Monument", "Bank"),
    ("Bank tube", "Bank"),
    ("Bank DLR", "Bank"),
    ("Canary Wharf Lizzie line", "Canary Wharf"),
    ("Canary Wharf Jubilee line", "Canary Wharf"),
    ("Custom House for Excel", "Custom House"),
    ("Cutty Sark for Maritime Greenwich", "Cutty Sark"),
    ("Queensway tube stn", "Queensway"),
    ("Hyde Pk Corner", "Hyde Park Corner"),
    ("Finsbury Pk", "Finsbury Park"),
    ("Bromley by Bow", "Bromley-by-Bow"),
    ("Walthamstow Ctrl", "Walthamstow Central"),
    ("Wembley Pk", "Wembley Park"),
    ("King George 5", "King George V"),
    ("Hayes and Harlington", "Hayes & Harlington"),
)

# What is written, and names of stations that it may mean; all that matters is that one of them is
# taken only if it is the only one, or has just that name.
AMBIGUOUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Heathrow", ("Heathrow Terminals 2 & 3", "Heathrow Terminal 4", "Heathrow Terminal 5")),
    ("Heathrow Airport", ("Heathrow Terminals 2 & 3", "Heathrow Terminal 5")),
    ("LHR", ("Heathrow Terminals 2 & 3", "Heathrow Terminal 4")),
    ("Heathrow T1", ("Heathrow Terminals 2 & 3",)),
    ("Edgware Road", ("Edgware Road (Bakerloo)", "Edgware Road (Circle Line)")),
    ("Edgware Rd tube", ("Edgware Road (Bakerloo)", "Edgware Road (Circle Line)")),
    ("Ealing", ("Ealing Broadway", "West Ealing", "Ealing Common")),
    ("Clapham", ("Clapham Junction", "Clapham Common", "Clapham North")),
    ("Acton", ("Acton Town", "Acton Central", "Acton Main Line")),
    ("Kensington", ("South Kensington", "High Street Kensington")),
    ("Harrow", ("Harrow & Wealdstone", "Harrow-on-the-Hill")),
    ("Wembley", ("Wembley Park", "Wembley Central")),
    ("Croydon", ("East Croydon", "West Croydon")),
    ("Camden", ("Camden Town", "Camden Road")),
    ("Hackney", ("Hackney Central", "Hackney Downs")),
    ("Dalston", ("Dalston Junction", "Dalston Kingsland")),
    ("Finchley", ("Finchley Central", "East Finchley")),
    ("Walthamstow", ("Walthamstow Central", "Walthamstow Queens Road")),
    ("Hounslow", ("Hounslow Central", "Hounslow East")),
    ("Putney", ("East Putney", "Putney Bridge")),
    ("Tooting", ("Tooting Bec", "Tooting Broadway")),
    ("Dagenham", ("Dagenham East", "Dagenham Heathway")),
    ("Kensal", ("Kensal Green", "Kensal Rise")),
    ("Holloway", ("Holloway Road", "Upper Holloway")),
    ("Sudbury", ("Sudbury Hill", "Sudbury Town")),
    ("Silvertown", ("West Silvertown",)),
    ("Ham", ("East Ham", "West Ham")),
    ("Tottenham", ("Tottenham Hale", "South Tottenham")),
    ("Deptford", ("Deptford Bridge",)),
    ("Mitcham Tram", ("Mitcham", "Mitcham Junction")),
    ("Beckenham", ("Beckenham Junction", "Beckenham Road")),
    ("Piccadilly", ("Piccadilly Circus",)),
    ("Oxford", ("Oxford Circus",)),
    ("Leicester", ("Leicester Square",)),
    ("Liverpool", ("Liverpool Street",)),
    ("Gloucester", ("Gloucester Road",)),
    ("Warwick", ("Warwick Avenue",)),
    ("Lancaster", ("Lancaster Gate",)),
    ("Preston", ("Preston Road",)),
    ("Boston", ("Boston Manor",)),
    ("Bromley", ("Bromley-by-Bow",)),
    ("Ruislip Manor or Gardens", ("Ruislip Manor", "Ruislip Gardens")),
    # Just that name is a station's; taking it is right, and the others are told.
    ("Hampstead", ("Hampstead",)),
    ("Paddington", ("Paddington",)),
    ("Hammersmith", ("Hammersmith",)),
    ("Shepherd's Bush", ("Shepherd's Bush",)),
    ("Bethnal Green", ("Bethnal Green",)),
    ("Bethnal Green tube", ("Bethnal Green",)),
    ("West Hampstead", ("West Hampstead",)),
    ("Canary Wharf", ("Canary Wharf",)),
    ("Richmond", ("Richmond",)),
    ("Ruislip", ("Ruislip",)),
    ("Watford", ("Watford",)),
    ("Kilburn", ("Kilburn",)),
    ("Woolwich", ("Woolwich",)),
    ("Morden", ("Morden",)),
    ("Leyton", ("Leyton",)),
    ("Wanstead", ("Wanstead",)),
    ("Edgware", ("Edgware",)),
    ("Stratford", ("Stratford",)),
    ("Greenwich", ("Greenwich",)),
    ("New Cross", ("New Cross",)),
    ("Upminster", ("Upminster",)),
    ("Caledonian Road", ("Caledonian Road",)),
    ("Finchley Road", ("Finchley Road",)),
    ("Victoria", ("Victoria",)),
)

# Real names elsewhere, none of them a station here and none in the list of such names.
ELSEWHERE: tuple[str, ...] = (
    *("Aberdeen", "Bath", "Barrow", "Bangor", "Barnsley", "Bexhill", "Bodmin", "Bolton", "Bootle"),
    *("Bradford", "Brentford Lock", "Burnley", "Bury", "Buxton", "Camborne", "Cardiff", "Carlisle"),
    *(
        "Chatham",
        "Chester",
        "Chorley",
        "Corby",
        "Coventry",
        "Crewe",
        "Darlington",
        "Derby",
        "Dover",
    ),
    *("Durham", "Eastbourne", "Edinburgh", "Ely", "Exeter", "Falmouth", "Fareham", "Glasgow"),
    *("Gosport", "Grantham", "Halifax", "Harlech", "Harrogate", "Hastings", "Hereford", "Hexham"),
    *("Hinckley", "Hull", "Hyde", "Inverness", "Ipswich", "Keighley", "Kendal", "Kettering"),
    *("Lewes", "Lincoln", "Luton Hoo", "Malton", "Margate", "Matlock", "Morpeth", "Nantwich"),
    *("Newark", "Newbury", "Newport", "Norwich", "Nottingham", "Oldham", "Penrith", "Penzance"),
    *("Perth", "Peterborough", "Plymouth", "Poole", "Portsmouth", "Ramsgate", "Rugby", "Ryde"),
    *("Salford", "Salisbury", "Selby", "Sheffield", "Shipley", "Skipton", "Southport", "Stafford"),
    *("Stevenage", "Stirling", "Stockport", "Stoke", "Swansea", "Swindon", "Tenby", "Thirsk"),
    *("Tonbridge", "Torquay", "Truro", "Wakefield", "Walsall", "Warrington", "Wells", "Whitby"),
    *("Widnes", "Wigan", "Winchester", "Wrexham", "Yeovil", "Ascot", "Batley", "Goring", "Hitchin"),
    *("Kenilworth", "Marlow", "Morley", "Ongar", "Otley", "Penarth", "Pitlochry", "Radlett"),
    *(
        "Ripley",
        "Royston",
        "Rye",
        "Sandown",
        "Tring",
        "Wantage",
        "Ware",
        "Witham",
        "Paris",
        "Berlin",
    ),
    *(
        "Brussels",
        "Dublin",
        "Madrid",
        "Temple Meads",
        "Euston Road",
        "Bakewell",
        "Kingham",
        "Oakham",
    ),
)

_SWAPS = (
    ("&", "and"),
    ("Road", "Rd"),
    ("Street", "St"),
    ("Square", "Sq"),
    ("Park", "Pk"),
    ("Junction", "Jn"),
    ("Gardens", "Gdns"),
    ("Lane", "Ln"),
    ("Court", "Ct"),
    ("Green", "Grn"),
    ("Central", "Cen"),
    ("Circus", "Circ"),
    ("Common", "Cmn"),
    ("Broadway", "Bdwy"),
)


def spellings(name: str) -> Iterator[str]:
    """Other spellings of one name that mean the same."""
    yield name.upper()
    yield name.lower()
    yield f"  {name} "
    yield name.replace("'", "\u2019")
    yield name.replace("'", "")
    yield name.replace(".", "")
    yield name.replace("-", " ")
    yield f"{name} station"
    yield f"{name} stn"
    yield re.sub(r"^St\.? ", "Saint ", name)
    for word, short in _SWAPS:
        if re.search(rf"(?<=\s){re.escape(word)}(?=\s|$)", name):
            yield re.sub(rf"(?<=\s){re.escape(word)}(?=\s|$)", short, name)
    if name.startswith(("North ", "South ", "East ", "West ")):
        yield f"{name[0]} {name.partition(' ')[2]}"


def misspelt(name: str, edits: int, rng: random.Random) -> str:
    """A name with letters changed, left out, put in or turned round, the first one kept."""
    for _ in range(edits):
        places = [at for at in range(1, len(name)) if name[at].isalpha()]
        at = rng.choice(places)
        letter = rng.choice(string.ascii_lowercase)
        kind = rng.choice("dist")
        if kind == "d":
            name = name[:at] + name[at + 1 :]
        elif kind == "i":
            name = name[:at] + letter + name[at:]
        elif kind == "s":
            name = name[:at] + letter + name[at + 1 :]
        else:
            name = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
    return name
