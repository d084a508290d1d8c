"""What a surface does about what providers of models refuse, and how it shows unions."""

import logging
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field, SecretStr

import polyface as pf
from polyface.mcp import mcp_server
from polyface.schema.provider import PROVIDER_RULES, provider_findings
from polyface.surface.collect import collect_documents, collect_tools
from tests.contract.faults import faults_of
from tests.execution.calls import call_tool, post, surface_of, surface_of_all
from tests.mcp.wire import connected
from tests.surface.showcase import wait_tool

pytestmark = pytest.mark.anyio


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]
    size: int = 1


class Untyped(BaseModel):
    rows: Annotated[list[Any], Field(json_schema_extra=lambda schema: schema.pop("items"))]


class Twice(BaseModel):
    level: Annotated[str, Field(json_schema_extra={"enum": ["a", "b", "a"]})]


class Secret(BaseModel):
    word: SecretStr


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
BREAKING: dict[str, tuple[Any, str]] = {
    "untyped_array": (
        Untyped,
        "`rows`: an array doesn't say what its items are; give it an item type (`untyped_array`)",
    ),
    "root_union": (
        Pet,
        (
            "the arguments: the root is a union (`oneOf`); set `flatten_unions=True`, or wrap it in a "
            "model (`root_union`)"
        ),
    ),
    "unknown_format": (
        Secret,
        (
            "`word`: the format `password` isn't one of JSON Schema's; take it out of the field's "
            "schema (`unknown_format`)"
        ),
    ),
    "duplicate_option": (
        Twice,
        '`level`: the option `"a"` is listed twice; list it once (`duplicate_option`)',
    ),
}


def surface_with(*types: Any, **options: Any) -> pf.Surface[Any]:
    endpoints = {
        f"t{index}": (post_at(f"/{index}", type_), lambda call: None)
        for index, type_ in enumerate(types)
    }
    return surface_of_all(endpoints, presentation=pf.PresentationOptions(**options))


def post_at(path: str, type_: Any) -> Any:
    declare: Any = pf.post
    return declare(path, desc="Do it.", input=type_)


def test_every_rule_has_a_case_and_a_default():
    assert set(BREAKING) == set(PROVIDER_RULES)
    assert {rule: row.policy for rule, row in PROVIDER_RULES.items()} == {
        "untyped_array": "throw",
        "root_union": "warn",
        "unknown_format": "warn",
        "duplicate_option": "throw",
    }


@pytest.mark.parametrize("rule", BREAKING)
def test_throw_refuses_the_mount_naming_operation_place_and_remedy(rule):
    type_, text = BREAKING[rule]
    surface = surface_with(type_, provider_rules={rule: "throw"})
    for mount in (
        lambda: collect_tools(surface, "MCP"),
        lambda: mcp_server(surface, name="x", version="1"),
        lambda: pf.build_tool_manifest(surface, transport="AGENT"),
        lambda: pf.tool_invoker(surface, transport="AGENT"),
    ):
        assert faults_of(mount) == [f"`Things.t0` (tool `t0_thing`), {text}."]


@pytest.mark.parametrize("rule", BREAKING)
def test_warn_logs_and_keeps_the_tool(rule, caplog):
    type_, text = BREAKING[rule]
    surface = surface_with(type_, Dog, provider_rules={rule: "warn"})
    assert len(collect_tools(surface, "MCP")) == 2
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == (
        f"some providers of models refuse a tool list for these:\n"
        f"- `Things.t0` (tool `t0_thing`), {text}."
    )


@pytest.mark.parametrize("rule", BREAKING)
async def test_skip_leaves_the_tool_out_everywhere_alike(rule, caplog):
    type_, _ = BREAKING[rule]
    surface = surface_with(type_, Dog, provider_rules={rule: "skip"})
    assert [tool.name for tool in collect_tools(surface, "MCP")] == ["t1_thing"]
    assert [entry.name for entry in pf.build_tool_manifest(surface, transport="MCP")] == [
        "t1_thing"
    ]
    assert pf.tool_invoker(surface, transport="MCP").names == ("t1_thing",)
    async with connected(mcp_server(surface, name="x", version="1").asgi(), "2026-07-28") as client:
        assert [*(await client.tools())] == ["t1_thing"]
    assert caplog.records == []
    assert len(pf.list_tool_names(surface)) == 2  # it exists to show what is missing


def test_all_findings_are_in_one_report_with_those_of_the_names():
    everything = dict.fromkeys(PROVIDER_RULES, "throw")
    types = [type_ for type_, _ in BREAKING.values()]
    surface = surface_with(*types, provider_rules=everything)
    faults = faults_of(lambda: collect_tools(surface, "MCP"))
    assert faults == [
        f"`Things.t{index}` (tool `t{index}_thing`), {text}."
        for index, (_, text) in enumerate(BREAKING.values())
    ]
    named = pf.Surface(
        runtime_tools=[
            wait_tool(input=Untyped),
            wait_tool(input=Twice, identity=pf.Identity(service="jobs", operation="b")),
        ]
    )
    assert [
        fault.rsplit(" ", 1)[1] for fault in faults_of(lambda: collect_tools(named, "MCP"))
    ] == ["one.", "(`untyped_array`).", "(`duplicate_option`)."]


def test_all_warnings_are_one_report(caplog):
    surface = surface_with(Pet, Secret)
    collect_tools(surface, "MCP")
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().count("\n- ") == 2


def test_a_reader_doesnt_log(caplog):
    surface = surface_with(Pet, Secret)
    pf.build_tool_manifest(surface, transport="MCP")
    pf.surface_snapshot(surface)
    assert caplog.records == []


def test_a_command_line_shows_no_schema_to_a_provider(caplog):
    declare: Any = pf.post
    endpoint = declare("", desc="Do it.", input=Untyped, expose=["CLI"])
    assert len(collect_tools(surface_of(endpoint, lambda call: None), "CLI")) == 1
    assert caplog.records == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"provider_rules": {"untyped": "throw"}},
            (
                "`provider_rules` names `untyped`; the rules are untyped_array, root_union, "
                "unknown_format, duplicate_option."
            ),
        ),
        (
            {"provider_rules": {"root_union": "ignore"}},
            "`provider_rules` sets `root_union` to `ignore`; it takes throw, warn, skip.",
        ),
    ],
)
def test_a_rule_or_policy_that_there_isnt_is_refused(options, message):
    assert faults_of(lambda: pf.PresentationOptions(**options)) == [message]


def test_choices_cant_be_changed_from_outside():
    rules: Any = {"root_union": "throw"}
    options = pf.PresentationOptions(provider_rules=rules)
    rules["root_union"] = "skip"
    assert options.provider_rules == {"root_union": "throw"}


def test_a_place_is_found_wherever_it_is():
    bad = {"type": "array"}
    document = {
        "properties": {
            "a": {"items": {"properties": {"b": bad}}},
            "c": {"anyOf": [{"type": ["array", "null"]}, {"type": "null"}]},
            "d": {"additionalProperties": bad, "default": bad, "examples": [bad]},
            "e": {"prefixItems": [{"type": "string"}], "type": "array"},
        },
        "$defs": {"X": {"properties": {"y": bad}}},
    }
    assert [finding.path for finding in provider_findings(document)] == [
        "a[].b",
        "c",
        "d.*",
        "$defs.X.y",
    ]


# --- unions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [False, True])
async def test_unions_are_flat_on_every_mount_of_a_surface_that_says_so(flat, caplog):
    surface = surface_with(Pet, flatten_unions=flat)
    [tool] = collect_tools(surface, "MCP")
    [entry] = pf.build_tool_manifest(surface, transport="MCP")
    assert entry.input_schema is tool.input_schema
    assert ("oneOf" in tool.input_schema) is not flat
    assert len(caplog.records) == (0 if flat else 1)
    async with connected(mcp_server(surface, name="x", version="1").asgi(), "2025-11-25") as client:
        listed = (await client.tools())["t0_thing"]["inputSchema"]
        assert listed == tool.input_schema
        Draft202012Validator.check_schema(listed)
        assert (await client.fail("t0_thing", {"kind": "cow"}))["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize("flat", [False, True])
async def test_what_is_accepted_stays_as_it_is(flat):
    seen: list[Any] = []
    surface = surface_of(
        post(input=Pet),
        lambda call: seen.append(call.input),
        presentation=pf.PresentationOptions(flatten_unions=flat),
    )
    await call_tool(surface, {"kind": "dog", "size": 2})
    assert seen == [Dog(kind="dog", size=2)]


def test_a_document_is_made_once_and_frozen():
    surface = surface_with(Dog)
    [one] = collect_documents(surface, "MCP")
    [two] = collect_documents(surface, "AGENT")
    assert one is two
    with pytest.raises(TypeError):
        one.input_schema.update(a=1)
