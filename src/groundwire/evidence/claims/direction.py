"""Which way a sentence says that something went: up or down."""

from __future__ import annotations

import re

# Verbs and nouns of change come first; "over", "under" and comparatives count only without them.
_FALLS = re.compile(
    r"\b(?:fell|falls?|fallen|falling|declin(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|drop(?:s|ped|ping)?|"
    r"shrank|shrunk|shrink(?:s|ing)?|loss(?:es)?|lost|deficit|reduc(?:ed|tion|ing)|contract(?:ed|ion)|"
    r"slump(?:ed)?|slid|lower(?:ed)|down|minus|negative|sank(?:en)?|sinkt|gesunken|fiel(?:en)?|"
    r"fällt|gefallen|schrumpf(?:te[n]?|t)|geschrumpft|verringert(?:e[n]?)?|verlor(?:en)?|rückgang|"
    r"abgenommen|abnahme|losing|loses?|verlier\w+|zurückgegangen|zurückg[ie]ng\w*|"
    r"g[ie]ng\w* [^.;]{0,80}?\bzurück|geht [^.;]{0,80}?\bzurück|nahm\w* [^.;]{0,80}?\bab|"
    r"einbruch|brach\w* [^.;]{0,80}?\bein|eingebrochen|worsen\w*|verschlechter\w+)\b"
    r"|下降|减少|下跌|降低|萎缩|亏损|缩减|下滑|回落|跌至|降至|降幅|跌幅",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:rose|rises?|risen|rising|grew|grows?|grown|growing|increas(?:e[sd]?|ing)|"
    r"gain(?:s|ed)?|climb(?:s|ed)?|expand(?:s|ed)?|jump(?:s|ed)?|surged?|up|stieg(?:en)?|steigt|"
    r"gestiegen|wuchs(?:en)?|wächst|gewachsen|erhöht(?:e[n]?)?|zunahme|zugenommen|zuwachs|plus|improve[ds]?|"
    r"improvement|nahm\w* [^.;]{0,80}?\bzu|legte\w* [^.;]{0,80}?\bzu|zugelegt|verbesser\w+|"
    r"anstieg|angestiegen|wachstum)\b"
    r"|增长了?|增加|上升|上涨|提高|扩大|升至|增至|涨幅|增幅",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:lower|less|fewer|shorter|smaller|slower|below|under|behind|weniger|niedriger|geringer|"
    r"kürzer|kleiner|unter)\b"
    r"|(?:更|较|比.{1,20})(?:低|少|短|小)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:higher|more|longer|larger|greater|bigger|above|over|exceed(?:s|ed)?|ahead|mehr|höher|"
    r"größer|länger|über)\b"
    r"|(?:更|较|比.{1,20})(?:高|多|长|大)",
    re.IGNORECASE,
)


def direction(text: str) -> int:
    """Which way a text goes, names left out: 1 up or more, -1 down or less, 0 neither or both."""
    for up, down in ((_RISES, _FALLS), (_MORE, _LESS)):
        rises, falls = up.search(text) is not None, down.search(text) is not None
        if rises or falls:
            return rises - falls
    return 0
