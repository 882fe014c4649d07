"""Debian's Chromium without a window, for tests that look at what a page looks like."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

# A page is ready within seconds; a machine that does much else may take far longer.
PATIENCE = 240
APP_HOST = """window.addEventListener('message', function (event) {
  if (event.source !== app.contentWindow) return;
  heard.push(event.data);
  function send(message) {
    message.jsonrpc = '2.0';
    app.contentWindow.postMessage(message, '*');
  }
  if (event.data.method === 'ui/initialize') {
    send({ id: event.data.id, result: { protocolVersion: '2026-01-26', hostCapabilities: {},
      hostInfo: { name: 'host', version: '1' }, hostContext: script.context } });
  } else if (event.data.method === 'ui/notifications/initialized') {
    script.messages.forEach(send);
  }
});
"""
"""How a host of MCP Apps answers: JavaScript over `app`, `script` and `heard` of its page."""
_QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--virtual-time-budget=6000",
)


def browse(
    page: Path, *arguments: str, dark: bool = False, size: tuple[int, int] = (1200, 900)
) -> str:
    """Open a page and return what Chromium prints, such as the document for `--dump-dom`.

    Chromium may fail to come up on a machine without memory to spare, so it is tried twice.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not here (apt-get install chromium)")
    failures: list[str] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
            command = [
                program,
                *_QUIET,
                f"--user-data-dir={folder}",
                f"--window-size={size[0]},{size[1]}",
                f"--blink-settings=preferredColorScheme={0 if dark else 1}",
                *arguments,
                page.as_uri(),
            ]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=PATIENCE, check=False
                )
            except subprocess.TimeoutExpired:
                failures.append(f"not ready after {PATIENCE} s")
                continue
        if done.returncode == 0:
            return done.stdout
        failures.append(done.stderr[-2000:])
    raise AssertionError(f"Chromium did not open the page: {failures}")


def told(page: Path, dark: bool = False, size: tuple[int, int] = (1200, 900)) -> dict[str, Any]:
    """What the scripts of a page tell in its hidden element `told`, as JSON."""
    dumped = browse(page, "--dump-dom", dark=dark, size=size)
    found = re.search(r'<pre id="told" hidden="">(.*?)</pre>', dumped, re.DOTALL)
    assert found is not None and found[1], "the page told nothing"
    return json.loads(unescape(found[1]))


def screenshot(page: Path, dark: bool = False, size: tuple[int, int] = (1200, 900)) -> Image.Image:
    """The page as it looks, in RGB."""
    picture = page.with_suffix(f".{'dark' if dark else 'light'}.png")
    browse(page, f"--screenshot={picture}", dark=dark, size=size)
    with Image.open(picture) as image:
        return image.convert("RGB")
