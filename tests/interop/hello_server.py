"""The smallest server on the bare SDK: what the suites say of it is what they say of the SDK.

python tests/interop/hello_server.py [--transport stdio|http] [--port N]
"""

from __future__ import annotations

import argparse

from mcp.server import MCPServer

server = MCPServer("hello", version="1")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody by name."""
    return f"Hello, {name}!"


@server.resource("hello://world")
def world() -> str:
    """The world that is greeted."""
    return "world"


@server.prompt()
def greeting() -> str:
    """Ask for a greeting."""
    return "Greet the user."


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--transport", choices=["stdio", "http"], default="stdio")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if options.transport == "http":
        server.run("streamable-http", host="127.0.0.1", port=options.port)
    else:
        server.run("stdio")
