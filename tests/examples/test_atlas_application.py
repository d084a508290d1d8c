"""The application as its clients see it, without a socket."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

import polyface as pf
from atlas.application import build_application
from atlas.database import Database, connect
from atlas.surface import build_surface

pytestmark = pytest.mark.anyio

HEAVY = ("translations", "demonyms")
CARD = {"name", "cca3", "capital", "region", "flag"}


@pytest.fixture
def surface(database: Database) -> pf.Surface[Any]:
    return build_surface(database)


@pytest.fixture
async def http(surface: pf.Surface[Any]) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the running application."""
    app = build_application(surface)
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        yield client


async def call_tool(
    http: httpx2.AsyncClient, name: str, arguments: dict[str, Any], mode: str = "2026-07-28"
) -> tuple[str, Any, bool]:
    """Call a tool as the official client does; return its text, structured content and flag."""
    transport = streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)
    async with Client(transport, mode=mode) as client:
        result = await client.call_tool(name, arguments)
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text, result.structured_content, bool(result.is_error)


async def test_first_page_says_what_is_mounted_where(
    http: httpx2.AsyncClient, surface: pf.Surface[Any]
) -> None:
    answer = await http.get("/")
    assert answer.headers["content-type"].startswith("text/html")
    assert len(surface.operations) == 4
    for operation in surface.operations:
        assert f"{operation.method} /v1{operation.path}<" in answer.text
        assert f">{operation.tool_name}<" in answer.text
    for told in ("/mcp", "/v1/openapi.json", "CountryPage", "CardPage", "list[Neighbour]"):
        assert told in answer.text
    assert "Open Database License" in answer.text
    assert "src=" not in answer.text


async def test_links_of_the_document_lead_to_answers(http: httpx2.AsyncClient) -> None:
    document = (await http.get("/v1/openapi.json")).json()
    assert set(document["paths"]) == {
        "/v1/countries",
        "/v1/countries/{code}",
        "/v1/countries/{code}/neighbours",
        "/v1/countries/{code}/note",
    }


async def test_http_loads_every_part_by_default_and_a_tool_none(http: httpx2.AsyncClient) -> None:
    full = (await http.get("/v1/countries/DEU")).json()
    _, tool, _ = await call_tool(http, "get_country", {"code": "DEU"})
    assert all(full[part] for part in HEAVY)
    assert full["name"]["native"]
    light = {key: value for key, value in full.items() if key not in HEAVY}
    assert tool == {**light, "name": {key: full["name"][key] for key in ("common", "official")}}


@pytest.mark.parametrize(
    ("part", "more"), [("translations", {"translations"}), ("nativeNames", set())]
)
async def test_card_has_five_fields_and_what_the_model_asked_for(
    http: httpx2.AsyncClient, part: str, more: set[str]
) -> None:
    _, light, _ = await call_tool(http, "list_countries", {"limit": 1})
    _, asked, _ = await call_tool(http, "list_countries", {"limit": 1, "include": [part]})
    assert set(light["items"][0]) == CARD
    assert set(light["items"][0]["name"]) == {"common"}
    assert set(asked["items"][0]) == CARD | more
    assert ("native" in asked["items"][0]["name"]) == (part == "nativeNames")


@pytest.mark.parametrize("part", [*HEAVY, "nativeNames"])
async def test_http_loads_only_the_parts_that_it_asks_for(
    http: httpx2.AsyncClient, queries: pytest.LogCaptureFixture, part: str
) -> None:
    answer = await http.get("/v1/countries", params={"include": part})
    country = answer.json()["items"][0]
    present = {key for key in HEAVY if key in country}
    if "native" in country["name"]:
        present.add("nativeNames")
    assert present == {part}
    columns = ("translations", "native_names", "demonyms")
    assert sum(column in " ".join(queries.messages) for column in columns) == 1


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_list_of_neighbours_is_reshaped_and_wrapped_only_for_old_versions(
    http: httpx2.AsyncClient, mode: str
) -> None:
    text, structured, _ = await call_tool(http, "list_neighbours", {"code": "PRT"}, mode)
    neighbours = [{"code": "ESP", "name": "Spain", "capital": "Madrid"}]
    assert json.loads(text) == neighbours
    assert structured == ({"result": neighbours} if mode == "legacy" else neighbours)


async def test_note_written_by_a_tool_is_read_over_http(http: httpx2.AsyncClient) -> None:
    _, note, _ = await call_tool(http, "annotate_country", {"code": "fr", "text": " Bonjour "})
    country = (await http.get("/v1/countries/250")).json()
    assert note["text"] == "Bonjour"
    assert country["note"] == note


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown region": ("list_countries", {"region": "Atlantis"}, "'Africa', 'Americas'"),
    "misspelt filter": ("list_countries", {"regoin": "Asia"}, "regoin"),
    "limit of 0": ("list_countries", {"limit": 0}, "limit"),
    "limit of 251": ("list_countries", {"limit": 251}, "limit"),
    "offset below 0": ("list_countries", {"offset": -1}, "offset"),
    "offset beyond SQLite": ("list_countries", {"offset": 10**30}, "offset"),
    "unknown part": ("list_countries", {"include": ["everything"]}, "include[0]"),
    "long search": ("list_countries", {"q": "x" * 101}, "q"),
    "code of another form": ("get_country", {"code": "Germany"}, "code"),
    "unknown code": ("get_country", {"code": "XYZ"}, "No country has the code `XYZ`."),
    "neighbours of nothing": ("list_neighbours", {"code": "XYZ"}, "`XYZ`"),
    "note on nothing": ("annotate_country", {"code": "XYZ", "text": "?"}, "`XYZ`"),
    "blank note": ("annotate_country", {"code": "FRA", "text": " \n"}, "text"),
    "long note": ("annotate_country", {"code": "FRA", "text": "x" * 2001}, "text"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_bad_call_is_refused_alike_over_http_and_mcp_and_writes_nothing(
    http: httpx2.AsyncClient, surface: pf.Surface[Any], database: Database, case: str
) -> None:
    tool, arguments, told = REFUSED[case]
    (operation,) = [item for item in surface.operations if item.tool_name == tool]
    given = dict(arguments)
    path = f"/v1{operation.path}".replace("{code}", str(given.pop("code", "")))
    if operation.method == "PUT":
        answer = await http.put(path, json=given)
    else:
        answer = await http.get(path, params=given)
    text, _, is_error = await call_tool(http, tool, arguments)
    error = answer.json()["error"]
    assert answer.status_code == (404 if error["code"] == "NOT_FOUND" else 400)
    assert told in error["message"]
    assert is_error
    assert json.loads(text)["error"] == error
    assert database.query("SELECT * FROM note") == []


async def test_busy_database_asks_the_caller_to_try_again(
    http: httpx2.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atlas.database._BUSY_TIMEOUT_SECONDS", 0.0)
    holder = connect(database.path)
    holder.execute("BEGIN EXCLUSIVE")
    answer = await http.get("/v1/countries/FRA")
    holder.close()
    assert answer.status_code == 503
    assert answer.json()["error"]["retryable"] is True
    assert (await http.get("/v1/countries/FRA")).status_code == 200


async def test_path_that_nothing_is_mounted_at_is_refused(http: httpx2.AsyncClient) -> None:
    for path in ("/countries", "/v1/countries/", "/v2", "/mcp/"):
        answer = await http.get(path)
        assert (path, answer.status_code) == (path, 404)
