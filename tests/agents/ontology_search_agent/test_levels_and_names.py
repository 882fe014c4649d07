"""Levels that are compared, assets by their names, German values like English properties."""

from __future__ import annotations

import pytest
from agent_host import Host, answer

NAME = "ontology_search_agent"
TOLD = {
    # A listed value that is a figure may be at least another one.
    "environment models with detail level 3 or higher": "17 environment model assets",
    "environment models with a detail level of at least 3": "17 environment model assets",
    "environment models with detail level 2": "12 environment model assets",
    "Umgebungsmodelle mit Detailstufe 3 oder höher": "17 Einträge",
    "Umgebungsmodelle mit mindestens Detailstufe 3": "17 Einträge",
    "细节等级3及以上的环境模型": "细节等级 >= 3",
    "细节等级大于等于3的环境模型": "细节等级 >= 3",
    "长度小于等于5公里的地图": "长度 <= 5 km",
    "scenarios from 30 seconds up": "duration >= 30 s",
    "maps from 20 km up to 30 km": "length >= 20 and <= 30 km",
    # A name is one thing, whichever property holds it, and whoever refers to it.
    "Which scenarios play on the map Dresden city centre?": "4 scenario assets",
    "How long is the Munich ring road map?": "13.2 km",
    "Welche Szenarien spielen auf der Karte Dresden city centre?": "4 Einträge",
    "在“Dresden city centre”地图上有哪些场景？": "场景条目有4个",
    # A German value is no English property that it resembles.
    "Wie viele Tag- und Nachtszenarien gibt es?": "70 Einträge",
    "Wie viele Tagszenarien gibt es?": "49 Einträge",
    "Szenarien am Tag": "49 Einträge",
    "Szenarien mit Tag aeb": "8 Einträge",
    "Autobahn- und Landstraßenkarten": "Straßentypen alle von Autobahn, Landstraße",
    "scenarios tagged aeb": "keywords = aeb",
    "Welche Szenarien sind mit aeb getaggt?": "Schlagwörter = aeb",
    # Assets of every kind are counted by their kind.
    "how many of each kind in Delft?": "By kind: HD map 4; scenario 3; OSI trace 4; ",
    "do you have anything in Delft? how many of each kind": "surface model 1.",
    "Wie viele Einträge je Art gibt es in Delft?": "Je Art: HD-Karte 4; Szenario 3; ",
    # Who supplied what is asked for stands beside each asset.
    "Von wem stammen die Aachener Karten?": "Anbieter: alderfield",
    "Wer hat die Karten von Aachen geliefert?": "Anbieter: wegwarte",
    "Who supplied the maps of Aachen?": "provider: alderfield",
    "亚琛的地图是谁提供的？": "提供方: alderfield",
    "Karten, die Alderfield geliefert hat": "Anbieter = alderfield",
    "Who supplied most of the 3D environments, and how many?": "morgenweg has the most: 12",
    # A property behind the kind is asked for.
    "Aachen maps provider": "provider: wegwarte",
    "亚琛的轨迹的帧率分别是多少": "帧率: 20 Hz",
    # Every asset is a file, and a format goes by its name without its maker.
    "OSC files of Aachen": "1 scenario asset",
    "map files from Dresden": "1 HD map asset",
    "OpenSCENARIO DSL files that play for less than half a minute": "7 scenario assets",
    "Which traces use zstd instead of lz4": "compression = zstd and none of lz4",
    # Chinese users say "synthetic data" of assets that are synthetic.
    "夜间录制的合成轨迹": "合成数据 = True",
    "非合成轨迹有多少条？": "合成数据 = False",
}


@pytest.mark.parametrize("question", TOLD)
def test_a_question_is_read_whole(question: str, host: Host) -> None:
    first = answer(host.ask(NAME, question))
    assert TOLD[question] in first
    assert not any(one in first for one in ("Not used", "Nicht verwendet", "未使用"))
