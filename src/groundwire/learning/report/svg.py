"""Parts of a drawing: SVG as text, with classes that the style sheet of the page colours."""

from __future__ import annotations

from html import escape


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `_` in the name of an attribute stands for `-`, and `class_` for class.

    Args:
        name: its name.
        inside: what is in it, as markup.
        attributes: its attributes; numbers are written with at most one decimal.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
    )
    content = "".join(inside)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def words(text: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text."""
    return element("text", escape(text), x=x, y=y, class_=kind or "label", text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def picture(title: str, width: float, height: float, *inside: str) -> str:
    """Return a whole drawing, which a reader of the screen calls by its title."""
    return element(
        "svg",
        element("title", escape(title)),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
    )


def _text(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
