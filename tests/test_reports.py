"""The ratchet of the evals and the table of the benchmarks, which decide what passes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"of_{Path(name).stem}", HERE / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


evals: Any = load("evals/_report.py")
benchmarks: Any = load("benchmarks/_table.py")

HELD = {"typos": {"wrongly_applied": 1, "right_percent": 90.0, "missed_percent": 2.0}}


def settle(folder: Path, figures: dict[str, dict[str, float]], *argv: str) -> int:
    ratchet = evals.Ratchet(folder / "made_up.py", lower={"wrongly_applied", "missed_percent"})
    return ratchet.settle(figures, evals.arguments("An eval.", argv))


@pytest.fixture
def held(tmp_path: Path) -> Path:
    assert settle(tmp_path, HELD, "--update") == 0
    return tmp_path


@pytest.mark.parametrize(
    ("wrongly", "right", "missed", "sampled", "code"),
    [
        (1, 90.0, 2.0, False, 0),
        (0, 95.5, 1.0, False, 0),
        (1, 89.99, 2.0, False, 1),
        (1, 90.0, 2.01, False, 1),
        (2, 99.0, 2.0, False, 1),
        (1, 89.0, 3.0, True, 0),
        (1, 88.0, 2.0, True, 1),
        (1, 90.0, 4.0, True, 1),
        (2, 99.0, 2.0, True, 1),
    ],
)
def test_a_worse_figure_fails(
    held: Path, wrongly: int, right: float, missed: float, sampled: bool, code: int
) -> None:
    argv = ["--fraction", "0.1"] if sampled else []
    figures = {
        "typos": {"wrongly_applied": wrongly, "right_percent": right, "missed_percent": missed}
    }
    assert settle(held, figures, *argv) == code


def test_a_full_run_holds_all_classes_and_no_others(held: Path, capsys: Any) -> None:
    assert settle(held, {}) == 1
    assert settle(held, {}, "--fraction", "0.5") == 0
    assert settle(held, {**HELD, "plurals": {"right_percent": 100.0}}) == 1
    assert "plurals" in capsys.readouterr().out


def test_figures_that_were_never_written_fail(tmp_path: Path) -> None:
    assert settle(tmp_path, HELD) == 1


def test_only_a_full_run_sets_the_figures() -> None:
    with pytest.raises(SystemExit):
        evals.arguments("An eval.", ["--update", "--fraction", "0.1"])
    with pytest.raises(SystemExit):
        evals.arguments("An eval.", ["--fraction", "0"])


def test_an_eval_may_have_numbers_of_its_own() -> None:
    options = evals.arguments("An eval.", ["--show", "3"], show=(5, "cases to print"))
    assert (options.show, options.seed, options.fraction) == (3, 7, 1.0)


def test_tables_line_up() -> None:
    text = evals.table(("class", "cases", "right"), [("typos", 1200, 98.5), ("plurals", 7, 100.0)])
    assert text.split("\n") == [
        "class    cases   right",
        "typos     1200   98.50",
        "plurals      7  100.00",
    ]


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        (("start", 0.4, 0.44, 1.2), False),
        (("start", 0.4, 0.5, 1.2), True),
        (("start", 0.4, 0.5, 1.2, None, 1.1), False),
        (("call", None, 0.004, None, 0.005), False),
        (("call", None, 0.006, None, 0.005), True),
        (("call", 0.001, 0.006, 10.0, 0.005), True),
        (("call", None, 0.006, 10.0), True),
        (("told only", 0.001, 0.1), False),
    ],
)
def test_a_missed_target_fails(line: tuple[Any, ...], missed: bool, capsys: Any) -> None:
    measured = benchmarks.Measured(*line)
    assert benchmarks.report([measured, benchmarks.Measured("other", 1.0, 1.0)]) == int(missed)
    assert ("MISSED" in capsys.readouterr().out) == missed


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.314, "2.31 s"), (0.00041, "410 µs"), (0.0123, "12.3 ms"), (0.25, "250 ms"), (None, "")],
)
def test_durations_carry_the_unit_that_fits(seconds: float | None, text: str) -> None:
    assert benchmarks.duration(seconds) == text
