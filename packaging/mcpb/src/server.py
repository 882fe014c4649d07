"""Starts the server of all tools over stdio, as the bundle's host asks for it."""

from groundwire.cli import serve_all

if __name__ == "__main__":
    serve_all()
