"""Writes what `learning_concepts.py` reads of Metacademy: titles of concepts and what needs what.

The source is the repository metacademy/metacademy-content on GitHub (CC BY-SA 3.0), which is no
part of this one. Concepts that are only named as a prerequisite are taken by their names.

Run: python tests/evals/learning_metacademy.py CLONE FILE
where FILE is data/learning/metacademy.json below the folder that GROUNDWIRE_TEST_DATA names.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from pathlib import Path

_TAG = re.compile(r"\s*tag:\s*(\S+)")


def shown(clone: Path, *arguments: str) -> str:
    """Return what git prints about a clone; a directory without a work tree will do."""
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    names = set(shown(options.clone, "ls-tree", "-r", "HEAD", "--name-only", "concepts").split())
    tags = {name.split("/")[1] for name in names if name.endswith("/title.txt")}
    titles: dict[str, str] = {}
    edges: set[tuple[str, str]] = set()
    for tag in sorted(tags - {"ANNOTATED_EXAMPLE"}):
        titles[tag] = shown(options.clone, "show", f"HEAD:concepts/{tag}/title.txt").strip()
        if f"concepts/{tag}/dependencies.txt" not in names:
            continue
        text = shown(options.clone, "show", f"HEAD:concepts/{tag}/dependencies.txt")
        found = filter(None, map(_TAG.match, text.splitlines()))
        edges |= {(one[1].replace("-", "_"), tag) for one in found}
    for tag, _ in edges:
        titles.setdefault(tag, tag.replace("_", " "))
    commit = shown(options.clone, "rev-parse", "--short", "HEAD").strip()
    source = f"github.com/metacademy/metacademy-content at {commit}, CC BY-SA 3.0"
    tree = {"source": source, "titles": titles, "edges": sorted(edges)}
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_text(json.dumps(tree, ensure_ascii=False, indent=0), "utf-8")
    print(f"{len(titles)} concepts, {len(edges)} edges")


if __name__ == "__main__":
    main()
