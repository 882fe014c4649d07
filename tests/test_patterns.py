"""No pattern takes more than linear time, whatever text it is given."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("pattern_times.py")
PROBE = r"""
import re, signal
from pattern_times import adversarial, raise_too_slow, slow_string
signal.signal(signal.SIGPROF, raise_too_slow)
for text in r'\w+:// \s+x (a|a)*b \[[^\]]*\] (?<!\w)\w+:// [a-z]+ (?<!\s)\s+x'.split():
    slow = slow_string(re.compile(text), False, adversarial(text, 0))
    print("slow" if slow else "linear")
"""


def test_every_pattern_is_linear() -> None:
    command = [sys.executable, "-W", "ignore", str(SCRIPT)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stderr
    *slow, summary = [json.loads(line) for line in found.stdout.splitlines()]
    assert not slow
    assert summary["patterns"] > 500


def test_slow_patterns_are_found() -> None:
    command = [sys.executable, "-c", PROBE]
    found = subprocess.run(command, cwd=SCRIPT.parent, capture_output=True, text=True, timeout=120)
    assert found.stdout.split() == ["slow"] * 4 + ["linear"] * 3, found.stderr
