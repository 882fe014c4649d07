"""Small disks in memory, which tests fill or make read-only; only root on Linux may mount them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def mount(target: Path, *options: str) -> None:
    """Run `mount`; skip the test where this user may not."""
    done = subprocess.run(
        ["mount", *options, str(target)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"this user may not mount: {done.stderr.strip()}")


@contextmanager
def mounted_disk(folder: Path, size: str, *, lazily: bool = False) -> Iterator[Path]:
    """Mount a disk of `size` below `folder`, and take it away at the end.

    Args:
        folder: where the disk's own folder is made.
        size: as `mount` reads it, such as "2m".
        lazily: files may still be open at the end; else an open file fails the test.
    """
    if sys.platform != "linux" or os.geteuid():
        pytest.skip("only root on Linux mounts a small disk")
    target = folder / "disk"
    target.mkdir()
    mount(target, "-t", "tmpfs", "-o", f"size={size}", "tmpfs")
    try:
        yield target
    finally:
        subprocess.run(["umount", *(["--lazy"] if lazily else []), str(target)], check=True)
