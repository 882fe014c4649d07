"""Taggers are loaded with the first text, and missed without harm."""

from __future__ import annotations

import subprocess
import sys

LAZY = """
import sys
import groundwire.language
import groundwire.language.sentences
heavy = {"HanTa", "numpy", "rjieba", "babel", "simplemma"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
groundwire.language.annotate("5 km")
groundwire.language.annotate("Germany grew.")
assert "HanTa" in sys.modules and "rjieba" not in sys.modules
groundwire.language.annotate("人口增长")
assert "rjieba" in sys.modules
"""
WITHOUT = """
import sys
sys.modules["HanTa"] = sys.modules["rjieba"] = None
from groundwire.language import annotate
read = annotate("East Germany is not smaller; 中国人口不增长。")
kinds = [(span.text, span.kind) for span in read.spans if not span.is_silent]
assert ("East", "leftover") in kinds and ("not", "negation") in kinds
assert ("不", "negation") in kinds and ("国", "leftover") in kinds, kinds
assert all(span.kind != "leftover" or token.tag != "function"
           for span in read.spans for token in span.tokens)
"""


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_importing_the_floor_loads_no_tagger() -> None:
    run(LAZY)


def test_without_taggers_every_unknown_word_is_left_over() -> None:
    run(WITHOUT)
