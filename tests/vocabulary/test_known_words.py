"""Words that exist."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from groundwire.errors import ConfigurationError
from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary
from groundwire.vocabulary.known_words import LanguageWords


@pytest.mark.parametrize(
    "word", ["road", "suburban", "undivided", "divided", "austria", "australia", "a", "zulu"]
)
def test_english_words_are_known(word: str) -> None:
    assert word in LanguageWords("en")


@pytest.mark.parametrize("word", ["straße", "autobahn", "brücke", "autobahnen"])
def test_german_words_are_known(word: str) -> None:
    assert word in LanguageWords("de")


@pytest.mark.parametrize("word", ["motorwy", "junciton", "", "zzzzz", "aaaaa", "{", "}", '"', "50"])
def test_typos_and_marks_are_not(word: str) -> None:
    assert word not in LanguageWords("en")
    assert word not in LanguageWords("de")


def test_the_search_finds_every_word_of_the_list() -> None:
    known = LanguageWords("en")
    lines = known._data.decode().splitlines()[1:-1]
    for line in [*lines[:40], *lines[::4001], *lines[-40:]]:
        word = line.split('"')[1]
        assert word in known
        assert word + "qqq" not in known


def test_a_missing_list_says_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="pyspellchecker"):
        LanguageWords("tlh")


def test_words_of_texts_and_vocabularies_are_known() -> None:
    known = KnownWords(["A lanelet borders another"], languages=())
    assert "lanelet" in known
    assert "lanelets" in known
    assert "clothoid" not in known
    Vocabulary([Term("1", "Clothoid", ("Klothoide",))], known)
    assert "clothoid" in known
    assert "klothoide" in known


def test_a_compound_of_known_words_is_known() -> None:
    known = KnownWords(["truck lane"], languages=())
    assert "trucklane" in known
    assert "truckline" not in known


def test_two_words_by_chance_are_a_typo_of_a_doubled_letter() -> None:
    vocabulary = Vocabulary([Term("cobblestone", "cobblestone"), Term("roadside", "roadside")])
    assert vocabulary.resolve("coblestone", Policy.WORDWISE).how == "corrected"
    assert vocabulary.resolve("roadsite", Policy.WORDWISE).how == "unknown"


def test_threads_may_ask_at_once() -> None:
    known = KnownWords(languages=())
    missing: list[int] = []

    def ask(number: int) -> None:
        known.add(f"word{n}x{number}" for n in range(200))
        if f"word199x{number}" not in known:
            missing.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []


def test_nothing_heavy_is_read_before_a_near_match() -> None:
    code = (
        "import sys, groundwire.vocabulary as v\n"
        "words = v.Vocabulary([v.Term('1', 'motorway')])\n"
        "assert words.resolve('Motorways', v.Policy.WORDWISE).how == 'folded'\n"
        "assert not {'rapidfuzz', 'spellchecker', 'gzip'} & set(sys.modules), 'too early'\n"
        "assert words.resolve('parrot', v.Policy.WORDWISE).how == 'unknown'\n"
        "assert 'spellchecker' not in sys.modules, 'no near match was about to be applied'\n"
        "assert words.resolve('motorwy', v.Policy.WORDWISE).how == 'corrected'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_prepare_reads_everything_at_once() -> None:
    known = KnownWords(["crossroad"])
    known.prepare()
    assert known._pending == []
    assert known.of_language("road")
    assert not known.of_language("roadd")
    assert Vocabulary([], known).resolve("x", Policy.WORDWISE).how == "unknown"
