"""The pages at `/ui`: what is kept for an owner, and nothing of anyone else's."""

from __future__ import annotations

import base64
import re
import sqlite3
import threading
import time
from html.parser import HTMLParser
from pathlib import Path

import jwt
import pytest
from kept_for_ui import BASE, browser, keep_answers, keep_journeys, keep_run, server

from groundwire.errors import ConfigurationError
from groundwire.evidence import Ledger, Verification
from groundwire.evidence.verification import Progress
from groundwire.servers.composition import EVIDENCE_FILE
from groundwire.serving.exposure import http_app
from groundwire.serving.ui.pages import GOOD_S, MOST_LISTED, ChainPage

pytestmark = pytest.mark.anyio

TOKEN = "a-token-of-more-than-32-characters-for-tests"
EVIL = '<script>document.title="run"</script><img src=x onerror=alert(1)>"\'><b>{{ 7777 * 3 }}'


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def names(self) -> set[str]:
        return {name for name, _ in self.found}

    def targets(self) -> list[str]:
        return [str(one["href"]) for name, one in self.found if name == "a"]


async def test_there_are_no_pages_where_nobody_asked_for_them(tmp_path: Path) -> None:
    async with browser(server(tmp_path, ui=False)) as client:
        for path in ("/ui", "/ui/answers"):
            assert (await client.get(path)).status_code == 404


async def test_the_answers_of_an_owner_are_listed_the_newest_first(tmp_path: Path) -> None:
    ids = keep_answers(tmp_path, "local", *(f"Answer {at}." for at in range(MOST_LISTED + 3)))
    keep_answers(tmp_path, "user:ada", "Of another.")
    async with browser(server(tmp_path)) as client:
        begun = await client.get("/ui")
        assert (begun.status_code, begun.headers["location"]) == (302, "ui/answers")
        first = await client.get("/ui/answers")
        listed = re.findall(r'href="answers/(ev_\w+)"', first.text)
        assert listed == ids[: -MOST_LISTED - 1 : -1]
        assert "Of another" not in first.text
        [older] = re.findall(r'href="(answers\?before=ev_\w+)"', first.text)
        second = (await client.get(f"/ui/{older}")).text
        assert re.findall(r'href="answers/(ev_\w+)"', second) == ids[2::-1]
        assert 'href="answers">Newest' in second and "Older" not in second
        shown = await client.get(f"/ui/answers/{ids[0]}")
        assert "Answer 0." in shown.text and "SELECT Answer 0." in shown.text
        assert Elements(shown.text).targets() == [
            "../answers",
            "../chain",
            "../runs",
            "../journeys",
        ]


async def test_runs_are_listed_and_show_their_traces(tmp_path: Path) -> None:
    keep_run(tmp_path, "local", "run_1", "How long is it?")
    keep_run(tmp_path, "user:ada", "run_2", "Of another.")
    async with browser(server(tmp_path)) as client:
        listed = (await client.get("/ui/runs")).text
        assert re.findall(r'href="runs/(\w+)"', listed) == ["run_1"]
        page = (await client.get("/ui/runs/run_1")).text
        for said in ("metrics_agent", "query_metric", "How long is it?", "Decision", "Assumed"):
            assert said in page
        assert "../answers/ev_1" in Elements(page).targets()
        assert (await client.get("/ui/runs/run_2")).status_code == 404


@pytest.mark.parametrize(("success", "told"), [(True, "completed"), (False, "failed")])
async def test_a_run_without_success_is_told_as_failed(
    tmp_path: Path, success: bool, told: str
) -> None:
    keep_run(tmp_path, "local", "run_1", "How long is it?", success=success)
    async with browser(server(tmp_path)) as client:
        for page in ("runs", "runs/run_1"):
            text = (await client.get(f"/ui/{page}")).text
            assert re.findall(r"\b(?:completed|failed)\b", text) == [told]


async def test_journeys_are_listed_and_show_their_maps(tmp_path: Path) -> None:
    ids = keep_journeys(tmp_path, "local", "Bank", "Tate Modern")
    [other] = keep_journeys(tmp_path, "user:ada", "Nowhere")
    async with browser(server(tmp_path)) as client:
        listed = (await client.get("/ui/journeys")).text
        assert set(re.findall(r'href="journeys/(\w+)\.0"', listed)) == set(ids)
        assert "Brixton to Tate Modern" in listed and "Nowhere" not in listed
        page = await client.get(f"/ui/journeys/{ids[0]}.0.1")
        assert page.status_code == 200 and "<svg" in page.text
        assert f"{ids[0]}.0.0" in Elements(page.text).targets()
        # The one script of the page is the one that its policy lets run.
        assert "script-src 'sha256-" in page.headers["content-security-policy"]
        for key in (
            f"{other}.0",
            f"{ids[0]}.1",
            f"{ids[0]}.0.2",
            ids[0],
            "x.y",
            "a.0.0.0",
            "9" * 99,
        ):
            assert (await client.get(f"/ui/journeys/{key}")).status_code == 404, key


async def test_no_text_can_act_in_any_page(tmp_path: Path) -> None:
    [evidence_id] = keep_answers(tmp_path, "local", EVIL)
    keep_run(tmp_path, "local", "run_1", EVIL)
    [journey_id] = keep_journeys(tmp_path, "local", EVIL)
    paths = (
        "/ui/chain",
        "/ui/answers",
        f"/ui/answers/{evidence_id}",
        "/ui/runs",
        "/ui/runs/run_1",
        "/ui/journeys",
        f"/ui/journeys/{journey_id}.0",
        f"/ui/answers?before={EVIL}",
        f"/ui/answers/{EVIL}",
        f"/ui/{EVIL}",
    )
    async with browser(server(tmp_path)) as client:
        for path in paths:
            page = await client.get(path)
            elements = Elements(page.text)
            assert not elements.names() & {"img", "iframe", "form", "object", "embed"}
            scripts = 1 if path.startswith("/ui/journeys/") else 0
            assert [name for name, _ in elements.found].count("script") == scripts, path
            for _, attributes in elements.found:
                assert not any(name.startswith("on") for name in attributes), path
            for target in elements.targets():
                assert not re.match(r"\s*(javascript|data|https?|//)", target), path
            assert "23331" not in page.text, "templates read no data"


async def test_every_page_says_what_it_may_do(tmp_path: Path) -> None:
    async with browser(server(tmp_path)) as client:
        for path in ("/ui/answers", "/ui/chain", "/ui/runs", "/ui/journeys", "/ui/nothing"):
            page = await client.get(path)
            assert page.headers["content-security-policy"] == (
                "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; "
                "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
            assert page.headers["cache-control"] == "private, no-store"
            assert page.headers["x-content-type-options"] == "nosniff"
        assert (await client.get("/ui/nothing")).status_code == 404
        assert "No answer is recorded yet" in (await client.get("/ui/answers")).text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_nothing_but_reading_is_answered(tmp_path: Path, method: str) -> None:
    async with browser(server(tmp_path)) as client:
        for path in ("/ui", "/ui/answers", "/ui/answers/ev_1"):
            assert (await client.request(method, path)).status_code == 405


async def test_another_host_is_not_answered(tmp_path: Path) -> None:
    """A page of another site whose name is made to lead here asks for its own host."""
    async with browser(server(tmp_path)) as client:
        found = await client.get("/ui/answers", headers={"host": "evil.example"})
        assert found.status_code == 421


def test_an_address_of_other_machines_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="GROUNDWIRE_HTTP_TOKEN"):
        http_app(server(tmp_path), "0.0.0.0", 8_000)


def signed(subject: str, **changes: object) -> str:
    claims = {"sub": subject, "aud": f"{BASE}/mcp", "exp": int(time.time()) + 60, **changes}
    return jwt.encode(claims, TOKEN, algorithm="HS256")


def password(token: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(f'me:{token}'.encode()).decode()}"}


async def test_with_tokens_each_owner_sees_their_own(tmp_path: Path) -> None:
    [of_ada] = keep_answers(tmp_path, "user:ada", "Of Ada.")
    [of_bob] = keep_answers(tmp_path, "user:bob", "Of Bob.")
    keep_answers(tmp_path, "local", "Of this machine.")
    async with browser(server(tmp_path, http_token=TOKEN)) as client:
        bearer = {"authorization": f"Bearer {signed('ada')}"}
        for headers in (bearer, password(signed("ada"))):
            listed = (await client.get("/ui/answers", headers=headers)).text
            assert "Of Ada." in listed and "user:ada" in listed
            assert "Of Bob." not in listed and "Of this machine." not in listed
            assert (await client.get(f"/ui/answers/{of_ada}", headers=headers)).status_code == 200
            assert (await client.get(f"/ui/answers/{of_bob}", headers=headers)).status_code == 404
            older = f"/ui/answers?before={of_bob}"
            assert (await client.get(older, headers=headers)).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Basic"},
        {"authorization": "Basic %%%"},
        {"authorization": "Basic " + base64.b64encode(b"\xff\xfe:x").decode()},
        {"authorization": f"Digest {TOKEN}"},
        {"authorization": "Bearer wrong"},
        password("wrong"),
        password(""),
        password(signed("ada", exp=1)),
        password(signed("ada", aud="http://elsewhere/mcp")),
    ],
)
async def test_without_a_right_token_a_browser_asks_for_one(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    keep_answers(tmp_path, "user:ada", "Of Ada.")
    async with browser(server(tmp_path, http_token=TOKEN)) as client:
        refused = await client.get("/ui/answers", headers=headers)
        assert refused.status_code == 401 and "Ada" not in refused.text
        assert refused.headers["www-authenticate"].startswith("Basic realm=")


async def test_a_record_that_was_changed_is_not_shown_as_right(tmp_path: Path) -> None:
    [evidence_id] = keep_answers(tmp_path, "local", "It is 12.5 km.")
    with sqlite3.connect(tmp_path / EVIDENCE_FILE) as connection:
        connection.execute(
            "UPDATE records SET content = CAST(replace(content, '12.5', '99.9') AS BLOB)"
        )
    async with browser(server(tmp_path)) as client:
        for path in ("/ui/answers", f"/ui/answers/{evidence_id}"):
            page = await client.get(path)
            assert page.status_code == 503
            assert "was changed after it was written" in page.text and "99.9" not in page.text


async def test_the_chain_is_verified_whole(tmp_path: Path) -> None:
    ids = keep_answers(tmp_path, "local", *(f"It is {at}.5 km." for at in range(5)))
    keep_answers(tmp_path, "user:ada", "Of another.")
    with Ledger(tmp_path / EVIDENCE_FILE) as ledger:
        head = ledger.head()
    async with browser(server(tmp_path)) as client:
        page = await client.get("/ui/chain")
        assert page.status_code == 200
        assert "Every record is as it was written" in page.text
        assert "6 records, 6 payloads" in page.text and f"{head.sequence}:{head.hash}" in page.text
        assert ids[0] not in page.text and "Of another" not in page.text
        assert (await client.get("/ui/chain/x")).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE records SET content = CAST(replace(content, '2.5', '2.6') AS BLOB)",
        "UPDATE records SET owner = 'user:eve' WHERE sequence = 4",
        "UPDATE records SET created = created + 1 WHERE sequence = 2",
        "UPDATE records SET evidence_id = 'ev_0000000000000' WHERE sequence = 3",
        "UPDATE payloads SET data = CAST(data || x'00' AS BLOB) WHERE rowid = 3",
        "DELETE FROM records WHERE sequence = 2",
        "DELETE FROM records WHERE sequence = 5",
        "DELETE FROM payloads WHERE rowid = 1",
    ],
)
async def test_one_change_anywhere_breaks_the_chain(tmp_path: Path, change: str) -> None:
    keep_answers(tmp_path, "local", *(f"It is {at}.5 km." for at in range(5)))
    with sqlite3.connect(tmp_path / EVIDENCE_FILE) as connection:
        connection.execute(change)
    async with browser(server(tmp_path)) as client:
        page = (await client.get("/ui/chain")).text
    assert "The chain does not hold." in page and "NOT AS WRITTEN" in page
    assert "Every record is as it was written" not in page and "Head to keep" not in page


def test_a_byte_changed_anywhere_in_a_record_breaks_the_chain(tmp_path: Path) -> None:
    """Each byte of each column of one record in turn."""
    keep_answers(tmp_path, "local", "It is 1.5 km.", "It is 2.5 km.", "It is 3.5 km.")
    columns = ("previous", "evidence_id", "owner", "payload", "hash", "content")
    broken = total = 0
    with sqlite3.connect(tmp_path / EVIDENCE_FILE, isolation_level=None) as connection:
        for column in columns:
            (was,) = connection.execute(
                f"SELECT {column} FROM records WHERE sequence = 2"
            ).fetchone()
            raw = was.encode() if isinstance(was, str) else was
            for at in range(0, len(raw), 7 if column == "content" else 3):
                changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
                value = changed.decode() if isinstance(was, str) else changed
                connection.execute(f"UPDATE records SET {column} = ? WHERE sequence = 2", (value,))
                with Ledger(tmp_path / EVIDENCE_FILE) as ledger:
                    broken += "does not hold" in ChainPage(ledger).shown().body
                total += 1
            connection.execute(f"UPDATE records SET {column} = ? WHERE sequence = 2", (was,))
        with Ledger(tmp_path / EVIDENCE_FILE) as ledger:
            assert "Every record is as it was written" in ChainPage(ledger).shown().body
    assert broken == total > 80


def test_checks_of_the_chain_do_not_pile_up(tmp_path: Path) -> None:
    keep_answers(tmp_path, "local", "It is 1.5 km.")
    now, begun = [0.0], []
    with Ledger(tmp_path / EVIDENCE_FILE) as ledger:
        verify, gate = ledger.verify, threading.Event()

        def slow(kept: str | None = None, progress: Progress | None = None) -> Verification:
            begun.append(1)
            assert progress is not None
            progress(3, 8)
            gate.wait(60)
            return verify(kept, progress)

        ledger.verify = slow
        chain = ChainPage(ledger, lambda: now[0], waited=0.2)
        for _ in range(3):
            body = chain.shown().body
            assert "The check is at work" in body and "nothing to be right" in body
        assert "3 of 8" in body and "holds" not in body
        gate.set()
        while "at work" in chain.shown().body:
            pass
        assert "Every record is as it was written" in chain.shown().body
        assert len(begun) == 1
        now[0] += GOOD_S + 1
        chain.shown()
        assert len(begun) == 2


async def test_a_ledger_that_cannot_be_read_is_not_told_as_good(tmp_path: Path) -> None:
    keep_answers(tmp_path, "local", "It is 1.5 km.")
    file = tmp_path / EVIDENCE_FILE
    file.write_bytes(file.read_bytes()[:512] + bytes(3_584) + file.read_bytes()[4_096:])
    async with browser(server(tmp_path)) as client:
        page = await client.get("/ui/chain")
    assert "Every record is as it was written" not in page.text
    assert page.status_code == 503 or "does not hold" in page.text
