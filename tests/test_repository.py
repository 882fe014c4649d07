"""What no commit may hold."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).relative_to(ROOT)
LOCK_FILES = {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock"}
LOCK_FILES |= {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"}

PATHS_OF_ONE_MACHINE = re.compile(
    r"(?<![\w.:/-])/(?:work|root|opt|mnt)/\w"
    # A home folder, unless it is the reader's in an example.
    r"|/(?:home|Users)/(?!you\b|me\b)\w|\b[A-Z]:\\+Users\\+(?!you\b)\w"
)
REGISTRIES = re.compile(
    r"index[-_]url|find-links|registry\s*=\s*\"?https?:|npm_config_registry"
    # Addresses of packages and of indexes, wherever they lie.
    r"|https?://\S+(?:/simple/|\.whl\b|\.tgz\b|/-/)|\"resolved\":\s*\"https?:",
    re.IGNORECASE,
)
SECRETS = re.compile(
    r"sk-(?:ant|proj)-[\w-]{20,}|\bsk-[A-Za-z0-9]{32,}|\b(?:ghp|gho|ghs)_[A-Za-z0-9]{30,}"
    r"|github_pat_\w{30,}|\bAKIA(?!\w*EXAMPLE)[A-Z0-9]{16}\b|\bAIza[\w-]{35}\b|\bxox[abprs]-[\w-]{20,}"
    r"|\bhf_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[\w-]{60,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]"
    r"|\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}"
)
# The sources speak of what they do, not of who made them or under which number.
HOW_IT_WAS_MADE = re.compile(
    r"\b(?:issue|ticket|milestone|sprint) #?\d|\bco-authored-by\b|\bai[- ]generated\b"
    r"|\b(?:generated|written|authored) (?:by|with) (?:an? )?(?:ai|llm|model|agent|assistant)\b"
    r"|\b(?:TODO|FIXME|XXX|HACK)\b",
    re.IGNORECASE,
)


@cache
def tracked() -> tuple[Path, ...]:
    """Files that git would commit: tracked, or new and not ignored."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=60,
    )
    names = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return tuple(name for name in names if (ROOT / name).is_file())


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    """All files of text but this one, which names what it forbids."""
    contents = ((name, (ROOT / name).read_bytes()) for name in tracked() if name != HERE)
    return tuple(
        (name, content.decode("utf-8", errors="replace"))
        for name, content in contents
        if b"\0" not in content  # A picture.
    )


def matches(pattern: re.Pattern[str]) -> list[str]:
    """Places of lines in which a pattern is found."""
    return [
        f"{name}:{number}: {found[0]}"
        for name, text in texts()
        if pattern.search(text)
        for number, line in enumerate(text.split("\n"), 1)
        if (found := pattern.search(line))
    ]


def test_no_path_of_one_machine() -> None:
    assert matches(PATHS_OF_ONE_MACHINE) == []


def test_no_path_of_this_machine() -> None:
    """Wherever the checkout lies and whoever runs the tests."""
    own = [f"{folder}/" for folder in (ROOT.parent, Path.home()) if len(folder.parts) > 1]
    # A folder of one short name could be a word of a path in any text.
    own = [folder for folder in own if len(folder) > 6]
    assert own == [] or matches(re.compile("|".join(map(re.escape, own)))) == []


def test_no_registry_address() -> None:
    assert matches(REGISTRIES) == []


def test_nothing_that_looks_like_a_secret() -> None:
    assert matches(SECRETS) == []


def test_no_lock_file() -> None:
    assert [str(name) for name in tracked() if name.name in LOCK_FILES] == []


def test_nothing_on_how_the_project_is_made() -> None:
    assert matches(HOW_IT_WAS_MADE) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (PATHS_OF_ONE_MACHINE, 'open("/home/anna/data.ttl")'),
        (PATHS_OF_ONE_MACHINE, "cd /opt/tools"),
        (REGISTRIES, "pip install --index" + "-url https://packages.example/"),
        (REGISTRIES, '"resolved": "https://packages.example/left-pad"'),
        (REGISTRIES, "https://packages.example/simple/six/"),
        (SECRETS, "key = sk-ant-" + "a1B2c3D4e5" * 3),
        (HOW_IT_WAS_MADE, "# see issue 12"),
        (HOW_IT_WAS_MADE, "# TODO later"),
    ],
)
def test_the_patterns_find_what_they_forbid(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (PATHS_OF_ONE_MACHINE, '"command": "/home/you/.venv/bin/groundwire"'),
        (PATHS_OF_ONE_MACHINE, "https://example.org/opt/in"),
        (PATHS_OF_ONE_MACHINE, "<http://example.org/mnt/1>"),
        (REGISTRIES, "install it with pip from the package index"),
        (SECRETS, "set ANTHROPIC_API_KEY to your key (sk-ant-...)"),
        (HOW_IT_WAS_MADE, "every issue of a lint names its file"),
    ],
)
def test_the_patterns_leave_ordinary_text(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text) is None


def test_licence_and_readme_are_there() -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in licence
    assert "Version 2.0, January 2004" in licence
    readme = (ROOT / "README.md").read_text("utf-8")
    assert readme.startswith("# Groundwire")


def test_text_files_end_as_the_editor_configuration_says() -> None:
    bad: list[str] = []
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if not data or b"\0" in data:
            continue
        text = data.decode("utf-8")
        if "\r" in text or not text.endswith("\n") or re.search(r"[ \t]$", text, re.MULTILINE):
            bad.append(str(name))
    assert bad == []


def test_modules_stay_readable() -> None:
    """A module has one subject, which 500 lines are enough for."""
    long = [
        f"{name}: {count}"
        for name in tracked()
        if name.suffix == ".py"
        and name.parts[0] in {"src", "servers"}
        and (count := len((ROOT / name).read_text("utf-8").splitlines())) > 500
    ]
    assert long == []


def test_files_stay_small() -> None:
    assert [str(name) for name in tracked() if (ROOT / name).stat().st_size > 1_000_000] == []
