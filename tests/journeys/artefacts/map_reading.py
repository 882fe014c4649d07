"""Reads a map back: the ways of its legs, its words, and the colour of a pixel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"

Pixel = tuple[float, float]
Colour = tuple[int, int, int]


class DrawnLeg(NamedTuple):
    """A leg as it is drawn: its number, the classes of its parts, its corners."""

    number: int
    classes: tuple[str, ...]
    corners: tuple[Pixel, ...]


def read(svg: str) -> Element:
    """The document; the test fails where it is not well formed."""
    return fromstring(svg)


def legs(svg: str) -> list[DrawnLeg]:
    """The legs on the map, in the order they are drawn."""
    found: list[DrawnLeg] = []
    for group in read(svg).iter(f"{SVG}g"):
        if group.get("class") == "leg":
            paths = list(group.iter(f"{SVG}path"))
            classes = tuple(path.get("class", "") for path in paths)
            found.append(DrawnLeg(int(group.get("data-leg", "0")), classes, corners(paths[0])))
    return sorted(found)


def corners(path: Element) -> tuple[Pixel, ...]:
    """The corners of a path that consists of straight lines."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d", ""))]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def words(svg: str) -> list[str]:
    """All that is written on the sheet."""
    return ["".join(text.itertext()) for text in read(svg).iter(f"{SVG}text")]


def along(corners: tuple[Pixel, ...], every: float = 3.0) -> Iterator[Pixel]:
    """Pixels on a line, away from its ends, where markers are."""
    for (x, y), (to_x, to_y) in pairwise(corners):
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        for step in range(1, int(length / every)):
            share = step * every / length
            yield x + (to_x - x) * share, y + (to_y - y) * share


def colour_at(image: Image.Image, pixel: Pixel) -> Colour:
    value = image.getpixel((round(pixel[0]), round(pixel[1])))
    assert isinstance(value, tuple)
    return value[0], value[1], value[2]


def rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def alike(one: Colour, other: Colour, within: int = 12) -> bool:
    return all(abs(a - b) <= within for a, b in zip(one, other, strict=True))


def share_of(image: Image.Image, pixels: list[Pixel], colour: str) -> float:
    """How many of the pixels have the colour, from 0 to 1."""
    assert pixels
    return sum(alike(colour_at(image, pixel), rgb(colour)) for pixel in pixels) / len(pixels)
