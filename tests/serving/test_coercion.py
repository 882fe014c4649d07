from __future__ import annotations

from typing import Any

import pytest

from groundwire.serving.arguments import MAX_DEPTH, fitted, is_blank

ROOT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "words": {"type": "array", "items": {"type": "string"}},
        "numbers": {"type": "array", "items": {"type": "integer"}},
        "things": {"type": "array", "items": {"$ref": "#/$defs/Thing"}},
        "thing": {"$ref": "#/$defs/Thing"},
        "either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "text": {"type": "string"},
        "limit": {"type": "integer"},
        "order": {"type": "string", "enum": ["ascending", "by_name", "none"]},
        "anything": {},
        "ranges": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Thing"}},
    },
    "required": ["text"],
    "$defs": {
        "Thing": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "tags": {"type": "array"}},
            "required": ["name"],
        }
    },
}


def fit(**sent: Any) -> Any:
    return fitted(sent, ROOT, ROOT)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"words": '["a", "b"]'}, {"words": ["a", "b"]}),
        ({"words": "a"}, {"words": ["a"]}),
        ({"words": "a b"}, {"words": ["a b"]}),
        ({"numbers": 5}, {"numbers": [5]}),
        ({"words": [5]}, {"words": ["5"]}),
        ({"thing": '{"name": "x", "tags": "one"}'}, {"thing": {"name": "x", "tags": ["one"]}}),
        ({"things": {"name": "x"}}, {"things": [{"name": "x"}]}),
        ({"things": '{"name": "x"}'}, {"things": [{"name": "x"}]}),
        ({"ranges": {"a": '{"name": "x"}'}}, {"ranges": {"a": {"name": "x"}}}),
        ({"text": 2024}, {"text": "2024"}),
        ({"order": "By Name"}, {"order": "by_name"}),
        ({"order": "ASCENDING"}, {"order": "ascending"}),
        ({"either": '["a"]'}, {"either": '["a"]'}),
    ],
)
def test_what_has_one_reading_is_read(sent: dict[str, Any], read: dict[str, Any]) -> None:
    assert fit(**sent) == read


@pytest.mark.parametrize(
    "sent",
    [
        {"words": "a, b"},
        {"words": '["a", '},
        {"thing": "hello"},
        {"limit": "twenty"},
        {"order": "sideways"},
        {"text": True},
        {"anything": '{"a": 1}'},
        {"unknown": '{"a": 1}'},
    ],
)
def test_what_has_no_certain_reading_is_left(sent: dict[str, Any]) -> None:
    assert fit(**sent) == sent


@pytest.mark.parametrize("blank", [None, "", "  ", "null", "NULL"])
def test_blanks_stand_for_absent_optional_arguments(blank: object) -> None:
    assert fit(words=blank, limit=blank, thing=blank, order=blank) == {}
    assert fit(text=blank) == {"text": blank}


def test_none_is_a_word_where_text_is_expected() -> None:
    schema = ROOT["properties"]
    assert is_blank("none", schema["limit"], ROOT)
    assert is_blank("undefined", schema["words"], ROOT)
    assert not is_blank("none", schema["text"], ROOT)
    assert not is_blank("none", schema["order"], ROOT)


def test_deep_input_ends_somewhere() -> None:
    root: dict[str, Any] = {"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {}}}}
    root["$defs"]["L"]["items"] = {"$ref": "#/$defs/L"}
    deep: Any = "x"
    for _ in range(MAX_DEPTH * 3):
        deep = [deep]
    assert fitted(deep, root, root) == deep
