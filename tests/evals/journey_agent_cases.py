"""Requests for journeys as people write them, and what each asks for.

What is asked stands in a short form: `from > to / via @ 10:00 arriving +1 [mode=bus]`, trips parted
by `;`. `there` is where the trip before ends, `-` a beginning that was not said; `+1` is the days
from the day on which the request is read; `|` parts what is asked beside the trips, and `| told`
wants words of the request to be named as left out; `after 120` are minutes of a stay before the
trip. `HELD_OUT` was written before the rules were run on any of it, and nothing is tuned to it: one
whose failure led to a change goes to `TUNED`, others take its place. Its share is therefore higher
than that of requests at first sight: of 90, in five rounds, 74 were right when they were first
read, 10 were asked about and 6 were wrong.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A request and what it asks for: trips, or `ask`, `decline`, or what is beside trips."""

    text: str
    asked: str


TUNED: tuple[Case, ...] = tuple(
    Case(*one)
    for one in (
        (
            "from home to Tate Modern to be there by 10, at five go to Kew Gardens from "
            "there, and be "
            "home by early evening",
            "home > Tate Modern @ 10:00 arriving; there > Kew Gardens @ 17:00 departing; "
            "there > home @ 18:00 arriving",
        ),
        (
            "How do I get from Elephant and Castle to St. James's Park by bus?",
            "Elephant and Castle > St. James's Park [mode=bus]",
        ),
        ("Angel to Bank, no tube", "Angel > Bank [avoid_modes=tube]"),
        (
            "I need to be at King's Cross at 14:30 on Friday, leaving from Brixton, avoiding the "
            "Central and Northern lines",
            "Brixton > King's Cross @ 14:30 arriving +4 [avoid_lines=Central,Northern]",
        ),
        (
            "tomorrow take me from Harrow on the Hill to Kew Gardens at 9 and back at 6pm with the "
            "fewest changes",
            "Harrow on the Hill > Kew Gardens @ 09:00 departing +1; "
            "there > Harrow on the Hill @ 18:00 departing +1 [journey_preference=LeastInterchange]",
        ),
        (
            "leave home at 8:30 for Canary Wharf via Bank",
            "home > Canary Wharf / Bank @ 08:30 departing",
        ),
        (
            "I'm at Brixton and want to visit the British Museum, then Kew Gardens, then back home",
            "Brixton > British Museum; there > Kew Gardens; there > home",
        ),
        ("My home is N1 9AG and I walk slowly", "keep home=N1 9AG [walking_speed=Slow]"),
        (
            "Remember that I always want step-free routes.",
            "keep [accessibility_preference=StepFreeToVehicle]",
        ),
        ("forget my home", "forget home"),
        ("forget everything", "forget all"),
        ("what are my preferences?", "show"),
        ("Is the Victoria line running?", "status Victoria"),
        ("any delays on the Central and Jubilee lines today?", "status Central,Jubilee"),
        ("next trains at Brixton", "departures Brixton"),
        ("draw a map and put it in my calendar", "make map,calendar"),
        ("describe plan 2", "make text plan 1"),
        ("give me directions from Angel to Bank", "Angel > Bank | make text"),
        ("Translate this to French", "decline"),
        ("What's the weather in London?", "decline"),
        ("show me a map of the trip to Kew Gardens", "make map"),
        (
            "quickest way to Green Park from Paddington tomorrow morning",
            "Paddington > Green Park @ 09:00 departing +1 [journey_preference=LeastTime]",
        ),
        ("Can you get me home?", "- > home"),
        ("What stations are called Edgware Road?", "stops Edgware Road"),
        (
            "I'd like to go from Stratford to Wembley Park with my bike, at most 10 minutes "
            "walking",
            "Stratford > Wembley Park [cycle_preference=TakeOnTransport, max_walking_minutes=10]",
        ),
        ("between Hammersmith and Richmond by 9am", "Hammersmith > Richmond @ 09:00 arriving"),
        ("walk from Angel to Bank", "Angel > Bank [mode=walking]"),
        ("I want to travel at 5pm", "ask"),
        (
            "get me from Victoria to Highbury & Islington without stairs",
            "Victoria > Highbury & Islington [accessibility_preference=NoSolidStairs]",
        ),
        (
            "Oxford Circus -> Canary Wharf at 18:15",
            "Oxford Circus > Canary Wharf @ 18:15 departing",
        ),
        ("We live in Brixton and work at Bank.", "keep home=Brixton, work=Bank"),
        ("how's the DLR?", "status DLR"),
        ("How do I get there?", "ask"),
        ("I need to leave now", "ask"),
        (
            "get to Heathrow Terminal 5 from Hammersmith in time for 6:45 on Tuesday",
            "Hammersmith > Heathrow Terminal 5 @ 18:45 arriving +1",
        ),
        (
            "tomorrow at noon from Bond Street to Kilburn, no more than one change",
            "Bond Street > Kilburn @ 12:00 departing +1 [journey_preference=LeastInterchange]",
        ),
        (
            "I start at Marylebone at 10, need to be at Holborn by 11 and finish at Euston at 5pm",
            "Marylebone > Holborn @ 11:00 arriving; there > Euston @ 17:00 arriving",
        ),
        ("home to work by 9 tomorrow, please", "home > work @ 09:00 arriving +1"),
        (
            "I'm meeting a friend in Camden Town at 3pm; I'll set off from Balham",
            "Balham > Camden Town @ 15:00 arriving",
        ),
        (
            "From Euston I need to go to Lord's Cricket Ground, but no escalators please",
            "Euston > Lord's Cricket Ground [accessibility_preference=NoEscalators]",
        ),
        ("Please don't ever put me on a bus", "keep [avoid_modes=bus]"),
        (
            "I'd rather avoid the Jubilee line today: London Bridge to Stratford",
            "London Bridge > Stratford @ 08:00 departing [avoid_lines=Jubilee]",
        ),
        ("I've got a train from Paddington at 17:45, get me there from Bank", "ask"),
        (
            "Meet Sarah at Borough Market at 6 then head to the Barbican for 7:30",
            "- > Borough Market @ 18:00 arriving; there > Barbican @ 19:30 arriving",
        ),
        (
            "Need to drop my kid at Hampstead by 8:45 from Highgate and then go to work",
            "Highgate > Hampstead @ 08:45 arriving; there > work",
        ),
        (
            "Can you plan a route: Acton Town -> Green Park -> Stratford?",
            "Acton Town > Green Park; there > Stratford",
        ),
        (
            "I am currently at Victoria. I want to go to Wembley Stadium this evening and return "
            "to Victoria by 11pm",
            "Victoria > Wembley Stadium @ 19:00 departing; there > Victoria @ 23:00 arriving",
        ),
        ("how do i get from NW1 2DB to SE1 9TG by 3pm", "NW1 2DB > SE1 9TG @ 15:00 arriving"),
        ("51.5033,-0.1195 to Bank", "51.5033,-0.1195 > Bank"),
        (
            "Directions to Tower Bridge from London Bridge on foot please",
            "London Bridge > Tower Bridge [mode=walking] | make text",
        ),
        (
            "go to Bank via Oxford Circus from Ealing Broadway avoiding the Elizabeth line",
            "Ealing Broadway > Bank / Oxford Circus [avoid_lines=Elizabeth]",
        ),
        ("next tube to Brixton from Victoria", "Victoria > Brixton"),
        (
            "I'd like to see the Tower of London and after that the Shard, starting at Baker "
            "Street",
            "Baker Street > Tower of London; there > Shard",
        ),
        ("Does the Jubilee line run tonight?", "status Jubilee"),
        ("Work to gym at 6pm then home", "work > gym @ 18:00 departing; there > home"),
        ("Please cancel my trip", "ask"),
        (
            "From Archway go to Bank at 8am and come home at 5:30pm",
            "Archway > Bank @ 08:00 departing; there > home @ 17:30 departing",
        ),
        (
            "tomorrow: home → work 8:30, work → home 17:30",
            "home > work @ 08:30 departing +1; work > home @ 17:30 departing +1",
        ),
        (
            "I land at London City Airport at 16:10 and need to get to Paddington for the 17:30 "
            "train",
            "London City Airport > Paddington @ 17:30 arriving",
        ),
        (
            "if I leave Kentish Town at 8 when will I arrive at Moorgate",
            "Kentish Town > Moorgate @ 08:00 departing",
        ),
    )
)
HELD_OUT: tuple[Case, ...] = tuple(
    Case(*one)
    for one in (
        (
            "Please plan a journey: start at Camden Town, finish at Greenwich, arriving no "
            "later than "
            "11:15.",
            "Camden Town > Greenwich @ 11:15 arriving",
        ),
        (
            "I have a dinner in Covent Garden at 7pm, coming from Wimbledon",
            "Wimbledon > Covent Garden @ 19:00 arriving",
        ),
        ("wembley park to london bridge tonight", "wembley park > london bridge @ 20:00 departing"),
        (
            "Take me to the Science Museum from Stratford by tube only",
            "Stratford > Science Museum [mode=tube]",
        ),
        (
            "What is the best route from Ealing Broadway to Tower Hill if I can't use the "
            "District line?",
            "Ealing Broadway > Tower Hill [avoid_lines=District]",
        ),
        (
            "Go from Waterloo to Camden Town, then to Angel, and then return to Waterloo",
            "Waterloo > Camden Town; there > Angel; there > Waterloo",
        ),
        (
            "Clapham Common to Old Street and back again in the evening",
            "Clapham Common > Old Street; there > Clapham Common @ 19:00 departing",
        ),
        (
            "I'm in a wheelchair, how can I travel from Green Park to Stratford?",
            "Green Park > Stratford [accessibility_preference=StepFreeToVehicle]",
        ),
        (
            "My office is at Moorgate. Remember it please.",
            "keep office=Moorgate",
        ),
        ("From now on avoid buses", "keep [avoid_modes=bus]"),
        ("Please reset my walking speed", "forget walking_speed"),
        ("Are there any problems on the tube this morning?", "status tube"),
        ("is the Northern line closed?", "status Northern"),
        ("when's the next bus from Angel", "departures Angel"),
        ("departures from Stratford please", "departures Stratford"),
        ("could I get an ics file for the second trip?", "make calendar journey 1"),
        ("step by step instructions for option 3 please", "make text plan 2"),
        ("Write me a poem about the tube", "decline"),
        ("Book a hotel near Paddington", "decline"),
        (
            "Could you find a trip from South Kensington to Notting Hill Gate with as few "
            "changes as "
            "possible, leaving after 3 pm",
            "South Kensington > Notting Hill Gate @ 15:00 departing "
            "[journey_preference=LeastInterchange]",
        ),
        (
            "from Bank to Canary Wharf by DLR, then on to Greenwich by boat",
            "Bank > Canary Wharf [mode=dlr]; there > Greenwich [mode=river-bus]",
        ),
        (
            "cycle from Hackney Central to Victoria Park",
            "Hackney Central > Victoria Park [mode=cycle, cycle_preference=AllTheWay]",
        ),
        (
            "Leaving Tottenham Hale at quarter past nine, going to Seven Sisters",
            "Tottenham Hale > Seven Sisters @ 09:15 departing",
        ),
        (
            "Can you take me from the Barbican to King's Cross St Pancras avoiding the "
            "Circle line and "
            "buses?",
            "Barbican > King's Cross St Pancras [avoid_lines=Circle, avoid_modes=bus]",
        ),
        (
            "Morden to High Barnet, and draw me a map of it",
            "Morden > High Barnet | make map",
        ),
        (
            "On Saturday I'm going from Richmond to Kew Gardens at 11, and at 4 from there to "
            "Hammersmith",
            "Richmond > Kew Gardens @ 11:00 departing +5; there > Hammersmith @ 16:00 departing +5",
        ),
        (
            "what time do I have to leave Epping to be at Liverpool Street by 8:30am tomorrow",
            "Epping > Liverpool Street @ 08:30 arriving +1",
        ),
        ("which lines serve Baker Street?", "stops Baker Street"),
        (
            "What's the easiest way to reach Wimbledon from Mile End?",
            "Mile End > Wimbledon",
        ),
        (
            "Journey: Barking to Upminster, depart 07:40 tomorrow",
            "Barking > Upminster @ 07:40 departing +1",
        ),
        (
            "get me to work by half eight tomorrow from home via Farringdon",
            "home > work / Farringdon @ 08:30 arriving +1",
        ),
        (
            "Take the tube from Archway to Leicester Square and then walk to the National Gallery",
            "Archway > Leicester Square [mode=tube]; there > National Gallery [mode=walking]",
        ),
        ("Is there severe disruption on the Piccadilly line?", "status Piccadilly"),
        (
            "plan my day: Finsbury Park to Russell Square at 9, Russell Square to Southwark "
            "at 1pm, "
            "Southwark to Finsbury Park at 6",
            "Finsbury Park > Russell Square @ 09:00 departing; "
            "Russell Square > Southwark @ 13:00 departing; Southwark > Finsbury Park @ 18:00 "
            "departing",
        ),
        (
            "How long does it take from Turnpike Lane to Knightsbridge?",
            "Turnpike Lane > Knightsbridge",
        ),
        ("What's the time in Tokyo?", "decline"),
        (
            "send the calendar entry for plan 2 with a reminder 20 minutes before",
            "make calendar plan 1",
        ),
        (
            "to Stanmore from Neasden on Thursday evening",
            "Neasden > Stanmore @ 19:00 departing +3",
        ),
        ("I must never go by tube, keep that in mind", "keep [avoid_modes=tube]"),
        (
            "We're having drinks with Anna in Shoreditch High Street at 8pm, starting from "
            "New Cross",
            "New Cross > Shoreditch High Street @ 20:00 arriving",
        ),
        ("I don't want to go by bus from Oval to Vauxhall", "Oval > Vauxhall [avoid_modes=bus]"),
        (
            "New Cross Gate to All Saints without any lifts",
            "New Cross Gate > All Saints [accessibility_preference=NoElevators]",
        ),
        (
            "Whats the quickest way home from Euston Square right now",
            "Euston Square > home @ 08:00 departing [journey_preference=LeastTime]",
        ),
        (
            "From Bank to Oval, from Oval to Stockwell, and from Stockwell to Brixton",
            "Bank > Oval; Oval > Stockwell; Stockwell > Brixton",
        ),
        ("Will the Elizabeth line and the DLR be running on time?", "status Elizabeth,DLR"),
        (
            "Ealing Broadway to Bank arriving at 9:15am on Wednesday, no Central line",
            "Ealing Broadway > Bank @ 09:15 arriving +2 [avoid_lines=Central]",
        ),
        (
            "can u get me from liverpool street to clapham junction asap",
            "liverpool street > clapham junction [journey_preference=LeastTime]",
        ),
        (
            "I'd like to travel from Greenwich to Camden Town via London Bridge tomorrow afternoon",
            "Greenwich > Camden Town / London Bridge @ 15:00 departing +1",
        ),
        (
            "pick me up a route: Barons Court to Holborn; afterwards Holborn to Euston at 2pm",
            "Barons Court > Holborn; Holborn > Euston @ 14:00 departing",
        ),
        (
            "Heading to Kew Gardens from Waterloo, ideally with the least walking",
            "Waterloo > Kew Gardens [journey_preference=LeastWalking]",
        ),
        (
            "we need to reach Canary Wharf no later than quarter to nine, leaving from Lewisham",
            "Lewisham > Canary Wharf @ 08:45 arriving",
        ),
        ("What are the live departures at Oxford Circus?", "departures Oxford Circus"),
        ("Has the Bakerloo line got delays?", "status Bakerloo"),
        ("Set my work to Canary Wharf", "keep work=Canary Wharf"),
        ("Clear all my settings", "forget all"),
        ("I'd like the calendar file and a map for both trips", "make map,calendar"),
        ("Who won the football yesterday?", "decline"),
        (
            "Stockwell → Euston by tube, then Euston → Watford Junction by overground",
            "Stockwell > Euston [mode=tube]; Euston > Watford Junction [mode=overground]",
        ),
        (
            "It's raining, so as little walking as possible from Temple to Aldgate",
            "Temple > Aldgate [journey_preference=LeastWalking]",
        ),
        (
            "Take me home from Liverpool Street at 10pm",
            "Liverpool Street > home @ 22:00 departing",
        ),
        (
            "Plan Bermondsey to Hampstead at 10 on 1 December and the return at 4pm",
            "Bermondsey > Hampstead @ 10:00 departing +8; there > Bermondsey @ 16:00 departing +8",
        ),
        ("I live near Walthamstow Central, remember that", "keep home=Walthamstow Central"),
        (
            "how do I get from Tower Hill to Tower Gateway on foot",
            "Tower Hill > Tower Gateway [mode=walking]",
        ),
        (
            "go from Wood Green to Hyde Park Corner but don't use the Piccadilly line",
            "Wood Green > Hyde Park Corner [avoid_lines=Piccadilly]",
        ),
        ("Sort out my commute", "ask"),
        (
            "Drop me at Baker Street by ten to nine, I'll be leaving from Harrow & Wealdstone",
            "Harrow & Wealdstone > Baker Street @ 08:50 arriving",
        ),
        (
            "Let's go from Turnham Green to Richmond and on to Kew Gardens after lunch",
            "Turnham Green > Richmond; there > Kew Gardens @ 13:00 departing",
        ),
        (
            "Bank station to Canary Wharf station, DLR only",
            "Bank > Canary Wharf [mode=dlr]",
        ),
        ("please tell me the arrivals board for Clapham Junction", "departures Clapham Junction"),
        ("calendar for the second journey only, plan 3", "make calendar plan 2 journey 1"),
        (
            "From Waterloo, get to South Kensington before noon and back to Waterloo at three",
            "Waterloo > South Kensington @ 12:00 arriving; there > Waterloo @ 15:00 departing",
        ),
    )
)
