"""Write a folder of chDB: `python clickhouse_data.py FOLDER`, with the statements on stdin."""

from __future__ import annotations

import sys

from chdb import session

held = session.Session(sys.argv[1])
for statement in sys.stdin.read().split(";"):
    if statement.strip():
        held.query(statement)
held.close()
