"""What a model would be shown, without mounting anything: manifest and catalog."""

import asyncio
import functools
import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, BeforeValidator, Field, PlainSerializer

import polyface as pf
from polyface.mcp import mcp_server
from polyface.mcp.wire import listed_tool
from polyface.surface.collect import collect_documents, collect_tools
from polyface.surface.stamp import catalog_stamp
from tests.contract.faults import faults_of
from tests.execution.calls import post, surface_of
from tests.surface.showcase import mixed_surface, people_service, wait_tool

READERS: dict[str, Any] = {
    "build_tool_manifest": lambda surface: pf.build_tool_manifest(surface, transport="MCP"),
    "describe_tool_catalog": lambda surface: pf.describe_tool_catalog(surface, transport="AGENT"),
    "list_tool_names": pf.list_tool_names,
    "summarize_transports": pf.summarize_transports,
    "surface_snapshot": pf.surface_snapshot,
    "catalog_stamp": lambda surface: catalog_stamp(collect_documents(surface, "MCP")),
}


@pytest.mark.parametrize(
    ("transport", "names"),
    [("MCP", ["search_people", "wait"]), ("AGENT", ["search_people", "get_people", "wait"])],
)
def test_a_manifest_is_in_mount_order_and_holds_what_the_transport_exposes(transport, names):
    entries = pf.build_tool_manifest(mixed_surface(), transport=transport)
    assert [entry.name for entry in entries] == names
    assert [entry.description for entry in entries][-1] == "Wait for a job."


@pytest.mark.parametrize("transport", ["MCP", "AGENT"])
def test_an_entrys_schema_is_the_very_document_that_a_mount_advertises(transport):
    surface = mixed_surface()
    entries = pf.build_tool_manifest(surface, transport=transport)
    tools = collect_tools(surface, transport)
    catalog = pf.describe_tool_catalog(surface, transport=transport)
    assert len(entries) == len(tools) == len(catalog) >= 2
    for entry, tool, row in zip(entries, tools, catalog, strict=True):
        assert entry.input_schema is tool.input_schema is row.input_schema
        listed = listed_tool(
            tool, version="2026-07-28", content="both", stamp=catalog_stamp([tool.document])
        )
        assert listed.input_schema == entry.input_schema


def test_a_manifest_of_runtime_tools_alone_is_what_their_mount_advertises():
    surface = pf.Surface(runtime_tools=[wait_tool()])
    [entry] = pf.build_tool_manifest(surface, transport="MCP")
    [tool] = collect_tools(surface, "MCP")
    assert entry.input_schema is tool.input_schema
    assert entry.input_schema == {
        "type": "object",
        "properties": {
            "job": {"description": "The job's identifier.", "title": "Job", "type": "string"},
            "seconds": {"default": 5, "title": "Seconds", "type": "integer"},
        },
        "required": ["job"],
        "title": "Wait",
    }


def test_a_mount_after_a_manifest_shows_the_same_object():
    surface = mixed_surface()
    [before, *_] = pf.build_tool_manifest(surface, transport="MCP")
    server = mcp_server(surface, name="people", version="1")
    assert server._input_schema("search_people") is before.input_schema


@pytest.mark.parametrize("transport", ["CLI", "HTTP", "mcp", None])
def test_another_transport_has_no_manifest(transport):
    readers: list[Any] = [pf.build_tool_manifest, pf.describe_tool_catalog]
    for read in readers:
        [fault] = faults_of(functools.partial(read, mixed_surface(), transport=transport))
        assert fault == f"a manifest is for `MCP` or `AGENT`; `{transport}` has none."


def test_a_manifest_can_be_kept_and_not_changed():
    [entry, *_] = pf.build_tool_manifest(mixed_surface(), transport="MCP")
    with pytest.raises(TypeError, match="shared"):
        entry.input_schema["properties"]["q"]["default"] = "x"
    with pytest.raises(AttributeError):
        entry.name = "other"  # type: ignore[misc]


def test_the_catalog_says_where_a_tool_comes_from_and_what_its_schema_costs():
    rows = pf.describe_tool_catalog(mixed_surface(), transport="AGENT")
    assert [(row.kind, row.service, row.operation, row.name) for row in rows] == [
        ("contract", "people", "search", "search_people"),
        ("contract", "people", "get", "get_people"),
        ("runtime", "jobs", "wait", "wait"),
    ]
    for row in rows:
        written = json.dumps(row.input_schema, ensure_ascii=False, separators=(",", ":"))
        assert row.schema_bytes == len(written.encode())


def test_bytes_are_counted_and_not_characters():
    def cost(description: str) -> int:
        class Words(BaseModel):
            word: str = Field(description=description)

        surface = surface_of(post(input=Words), lambda call: None)
        [row] = pf.describe_tool_catalog(surface, transport="MCP")
        return row.schema_bytes

    assert cost("日本語") - cost("abc") == 6


def test_a_budget_is_kept_exactly_and_its_refusal_names_the_largest():
    surface = mixed_surface()
    rows = pf.describe_tool_catalog(surface, transport="MCP")
    total = sum(row.schema_bytes for row in rows)
    exact = pf.describe_tool_catalog(surface, transport="MCP", max_schema_bytes=total)
    assert [row.name for row in exact] == [row.name for row in rows]
    [fault] = faults_of(
        lambda: pf.describe_tool_catalog(surface, transport="MCP", max_schema_bytes=total - 1)
    )
    sizes = {row.name: row.schema_bytes for row in rows}
    assert fault == (
        f"the input schemas on MCP have {total} bytes, more than the budget of {total - 1}; the "
        f"largest are `search_people` ({sizes['search_people']}), `wait` ({sizes['wait']})."
    )


# --- names -----------------------------------------------------------------------------------

MOUNTS: dict[str, Any] = {
    "mcp_server": lambda surface: mcp_server(surface, name="x", version="1"),
    "tool_invoker": lambda surface: pf.tool_invoker(surface, transport="MCP"),
    "build_tool_manifest": READERS["build_tool_manifest"],
    "describe_tool_catalog": lambda surface: pf.describe_tool_catalog(surface, transport="MCP"),
}


@pytest.mark.parametrize("mount", MOUNTS)
def test_an_illegal_name_is_refused_before_anything_is_returned(mount):
    surface = mixed_surface(services=[people_service("a" * 60)])
    [fault] = faults_of(lambda: MOUNTS[mount](surface))
    assert fault == (
        f"`People.search`: the name `search_{'a' * 60}` doesn't match `[A-Za-z0-9_-]{{1,64}}`; "
        f"set `tool=ToolOptions(name=...)`."
    )


@pytest.mark.parametrize("mount", MOUNTS)
def test_a_collision_of_contract_and_runtime_names_both_identities(mount):
    surface = mixed_surface(runtime_tools=[wait_tool(name="search_people")])
    assert faults_of(lambda: MOUNTS[mount](surface)) == [
        (
            "the runtime tool `jobs.wait` and `People.search` are both the tool `search_people` on "
            "MCP; set `name=` or `tool=ToolOptions(name=...)` on one."
        )
    ]


@pytest.mark.parametrize("mount", MOUNTS)
def test_a_collision_of_two_runtime_tools_names_both_identities(mount):
    other = wait_tool(identity=pf.Identity(service="jobs", operation="again"))
    surface = mixed_surface(runtime_tools=[wait_tool(), other])
    assert faults_of(lambda: MOUNTS[mount](surface)) == [
        (
            "the runtime tool `jobs.again` and the runtime tool `jobs.wait` are both the tool `wait` "
            "on MCP; set `name=` on one."
        )
    ]


def test_names_that_meet_on_no_transport_dont_collide():
    surface = mixed_surface(
        services=[people_service(name="wait")],  # on AGENT and CLI
        runtime_tools=[wait_tool(expose=["MCP"])],
    )
    assert [entry.name for entry in pf.build_tool_manifest(surface, transport="MCP")] == [
        "search_people",
        "wait",
    ]
    assert [entry.name for entry in pf.build_tool_manifest(surface, transport="AGENT")] == [
        "search_people",
        "wait",
    ]


def test_every_fault_of_the_names_is_told_at_once():
    surface = mixed_surface(
        services=[people_service(), people_service("--")],
        runtime_tools=[wait_tool(name="search_people")],
    )
    faults = faults_of(lambda: pf.build_tool_manifest(surface, transport="MCP"))
    assert len(faults) == 2
    assert "has no letter or digit" in faults[0]
    assert "are both the tool" in faults[1]


# --- effects ---------------------------------------------------------------------------------


class Armed:
    """Fails as soon as it is told to, whoever calls what it made."""

    def __init__(self) -> None:
        self.armed = False
        self.calls: list[str] = []

    def __call__(self, name: str) -> Any:
        def effect(value: Any = 1, /) -> Any:
            self.calls.append(name)
            if self.armed:
                raise RuntimeError(f"{name} ran")
            return value

        return effect


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_runs_a_validator_a_serializer_or_a_default_factory(reader):
    armed = Armed()
    Number = Annotated[
        int,
        BeforeValidator(armed("validator")),
        PlainSerializer(armed("serializer"), return_type=int),
    ]

    class Loaded(BaseModel):
        a: Number = 3
        b: Number = Field(default_factory=armed("factory"))
        c: list[Number] = [1]
        d: "Inner" = None  # type: ignore[assignment]

    class Inner(BaseModel):
        x: Number = 4

    Loaded.model_rebuild(_types_namespace={"Inner": Inner, "Number": Number})
    endpoint = pf.with_tool_view(
        post(input=Loaded, output=Loaded),
        project=lambda full, call: armed("projection")(full),
        defaults={"a": 2},
    )
    surface = surface_of(
        endpoint,
        armed("handler"),
        hooks=pf.Hooks(identify=armed("hook"), before=armed("hook")),
        context=armed("context"),
        runtime_tools=[wait_tool(input=Loaded, output=Loaded)],
        extension=pf.Extension(arguments=Extended, resolve=lambda *_: armed("extension")()),
    )
    armed.armed = True
    armed.calls.clear()
    READERS[reader](surface)
    assert armed.calls == []


class Extended(BaseModel):
    tenant: str


def test_readers_need_no_event_loop():
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
    for read in READERS.values():
        read(mixed_surface())


def test_readers_take_a_surface_and_nothing_that_was_taken_before():
    for read in (pf.list_tool_names, pf.summarize_transports, pf.surface_snapshot):
        wrong: list[Any] = [[people_service()], people_service(), {"services": []}]
        for given in wrong:
            with pytest.raises(AttributeError):
                read(given)
