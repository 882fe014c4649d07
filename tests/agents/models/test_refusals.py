"""What servers refuse is given up once, and only what was sent."""

from __future__ import annotations

from groundwire.agents.models.options import GivenUp

FEATURES = frozenset(
    (
        *("tool_choice", "strict", "temperature", "top_p", "thinking", "effort", "caching"),
        *("stream_options", "completion_limit"),
    )
)


def test_a_refusal_is_about_what_it_names() -> None:
    given_up = GivenUp()
    assert given_up.learn("`temperature` is not supported with this model", FEATURES)
    assert "temperature" in given_up
    assert "top_p" not in given_up


def test_what_was_not_sent_is_not_given_up() -> None:
    given_up = GivenUp()
    assert not given_up.learn("temperature is not supported", {"top_p"})
    assert "temperature" not in given_up


def test_nothing_is_given_up_twice_so_asking_again_ends() -> None:
    given_up = GivenUp()
    everything = "tool_choice strict temperature top_p effort thinking cache_control 'max_tokens'"
    learnt = [given_up.learn(f"{everything} stream_options", FEATURES) for _ in range(20)]
    assert learnt == [True] * len(FEATURES) + [False] * (20 - len(FEATURES))


def test_forcing_goes_before_thinking_where_both_are_named() -> None:
    given_up = GivenUp()
    said = "Thinking may not be enabled when tool_choice forces tool use."
    assert given_up.learn(said, {"thinking", "tool_choice"})
    assert "tool_choice" in given_up
    assert "thinking" not in given_up
