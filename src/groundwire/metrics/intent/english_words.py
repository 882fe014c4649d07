"""English words that ask and join, and say nothing about which value is meant: an allow-list.

What is neither here nor a term, a period or a cue is left over, and what is left over is asked
about. So a word is in `GRAMMAR` only if a question with it means the same as the one without it.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GRAMMAR = _words(
    """
    a about according achieve achieved afternoon also am amount amounted an and any are as ask
    asking at available be been between big book booked both came can check come compare
    compared comparing comparison concerning could curious d data datum dear develop did display
    do does doing done entire evening evolve evolved exact exactly
    fetch figure find for generate generated get give given good got had has have having held
    hello help here hey hi hold holds how i id im in info information interested is it its just
    kindly know large let level like list ll look looking lookup m made make many may me mention
    morning much need number obtain of ok okay on out overall please pls plus plz point post
    posted precise print produce produced provide provided pull quantity query question quick
    quickly quote reach reached read record recorded regarding report reported reports retrieve
    return right s say says search see seen should show showing shown size so stand standing
    stat state stated statistic statistics stats stood take tell thank thanks that the their
    them then there these they those thx total totaled totalled value ve versus vs want wanted
    was we well were what whats whole whose with wonder wondering would you your
    """
)

# Of a time to come, unless a period says which.
FUTURE = _words("will shall ll")

# These words of grammar qualify a metric before which they stand ("the search revenue"), unless
# they begin a request; those of `ALWAYS` qualify any term, wherever they stand ("record revenue").
NOUNS = _words(
    "amount check data display figure help information level list number point post print pull "
    "quantity query question quick record return right search size stand standing stat statistic "
    "value"
)
# No request begins with these: "amount China revenue" has none.
NAMES_OF_VALUES = _words("amount data figure information level number quantity statistic value")
ALWAYS = _words(
    """
    book booked came come good held level point quick reach reached record right size stand
    standing stat stood well
    """
)

# Join terms or clauses; in capitals they are no codes either (AND is Andorra's).
CONNECTIVES = _words("an and are as at be by can do if in is no nor not on or per so to")
LISTING = _words("and between both plus versus vs with")

# Say who has a share, and nothing else beside the word for it.
HAVING_A_SHARE = _words(
    """
    account accounted accounting accounts belong belonged belongs came claim claimed claims come
    comes comprise comprised comprises constitute constituted constitutes contribute contributed
    contributes contributing live lived lives made make makes represent represented represents
    stem stemmed stems up
    """
)
BEFORE_A_SHARER = HAVING_A_SHARE | _words(
    "did do does had has have held hold holds is was are were be by from for"
)

# Compare values of which a question names two.
COMPARED = _words(
    """
    best better bigger biggest fewer fewest greater greatest higher highest larger largest least
    less lower lowest more most smaller smallest
    """
)
# Say who asks, of whom and when, and nothing about what: these alone stand in and after a way to
# ask for a metric that does not name it.
BESIDE_ASKED = _words(
    """
    a all am an and are as at be been between by compared did do does during for from had has have
    i id in is it its of on or our ours please s that the their there they this to total versus vs
    was we were with would you
    """
)

# Stand for the home entity: "our revenue", "the group's revenue".
OWN = _words("mine my our ours own us we")
# After the name of an entity they say what it is: "the Hong Kong business".
AFTER_ENTITY = _words("business company firm operation operations subsidiary")
HOME = _words("company firm group")

# "Show us" is no country, in capitals neither.
BEFORE_US = _words("give show tell let get send help")

# May say nothing beside a period that is as long: "in the year 2024".
ANNUAL = _words("annual annually yearly")
BESIDE_PERIOD = _words(
    """
    annual annually calendar during ended ending financial fiscal full fy half month period
    quarter throughout year yearly years
    """
)

# Change what a metric means.
QUALIFIERS = _words(
    """
    above actual adjusted after all annualised annualized audited average before below bottom
    budget budgeted by cagr capita comparable consolidated constant cumulative customer
    customers deflated domestic each employee employees estimate estimated every except excl
    excluding expected external female forecast foreign forma gross guidance head highest
    internal largest less lowest male margin max maximum mean median min minimum minus mom more
    net nominal non normalised normalized not only operating or organic outside over pct per
    percent percentage plan planned post ppp pre preliminary pro projected provisional qoq rank
    ranking rate real restated rural share smallest standalone target tax than top unadjusted
    unaudited under underlying unit urban which within without year-over-year
    """
)

# Changes that a "why" asks about; they qualify nothing there.
MOVEMENTS = _words(
    """
    behind better change changed changing decline declined declining decrease decreased down
    drop dropped dropping fall fallen falling fell go gone grew grow growing grown happen
    happened happening high higher improve improved improving increase increased increasing jump
    jumped jumping key low lower main major plunge plunged plunging rise risen rising rose sank
    shrank shrink shrinking shrunk sink slow slowed slump slumped soar soared strengthened strong
    stronger sunk surge surged tumble tumbled weak weakened weaker went worse worsen worsened
    """
)

# Of these, those that say which way a value went, and which of two is more.
RISES = _words(
    """
    climb climbed climbing expand expanded expanding grew grow growing grown grows growth increase
    increased increases increasing jump jumped jumping rise risen rises rising rose soar soared
    soaring surge surged surging
    """
)
FALLS = _words(
    """
    contract contracted contracting decline declined declines declining decrease decreased
    decreases decreasing dip dipped drop dropped dropping drops fall fallen falling falls fell
    plunge plunged plunging shrank shrink shrinking shrunk sank sink sinking slid slide slump
    slumped slumping sunk tumble tumbled
    """
)
# Four digits behind one of these count what follows: "has 1962 inhabitants", "more than 2,024".
COUNT_BEFORE = _words(
    """
    about all almost approximately are around at be been by count counted counting counts employ
    employed employing employs exactly found had has have having hold holds houses is just least
    most nearly of only over reach reached reaches some than there to under was were with
    """
)
ABOVE = _words("above bigger greater higher larger more")
BELOW = _words("below fewer less lower smaller")

# Ask for reasons and views rather than for values.
NARRATIVE = _words(
    """
    affect affected affects analyse analysis analyze background because cause caused causes
    challenge challenges comment commentary commented comments context describe described
    description discuss discussed discussion driver drivers driving drove explain explainable
    explained explaining explains explanation happened impact impacts initiative initiatives
    narrative opinion opportunities opportunity outlook overview policy prospects rationale
    reason reasons risk risks strategic strategies strategy summarise summarize summary view
    views why
    """
)

# With one of these a question wants a number, whether it is held or not.
MEASURES = _words(
    """
    assets capex cash cost costs debt dividend earnings ebit ebitda employees eps equity expense
    expenses exports gdp growth headcount imports income inflation liabilities margin margins
    opex output population premium premiums price prices profit profits rate ratio return
    revenue revenues salary sale sales tax turnover unemployment volume wage
    """
)
NUMERIC = _words("amount figure many much number quantity statistic statistics sum total value")
