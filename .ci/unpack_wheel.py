"""Unpack a wheel and put a configuration of pyright beside it, with the project's own settings.

Run: unpack_wheel.py WHEEL FOLDER
"""

from __future__ import annotations

import json
import sys
import tomllib
import zipfile
from pathlib import Path


def main(wheel: str, folder: str) -> None:
    """Unpack `wheel` into `folder`; what pyright is to include there is all of the package."""
    root = Path(__file__).parent.parent
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    target = Path(folder)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    settings["include"] = ["groundwire"]
    (target / "pyrightconfig.json").write_text(json.dumps(settings, indent=2), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
