"""The catalog stamp on the wire: on every listed tool and on every result, refusals included."""

from typing import Any

import pytest
from pydantic import BaseModel, Field

import polyface as pf
from polyface.mcp import mcp_server
from polyface.surface.collect import collect_documents
from polyface.surface.stamp import STAMP_KEY, catalog_stamp
from tests.mcp.wire import VERSIONS, connected
from tests.surface.showcase import Waited

pytestmark = pytest.mark.anyio


class Order(BaseModel):
    job: str


class NewOrder(BaseModel):
    job_id: str = Field(description="The job's identifier.")


def stamped(input_: Any = Order, **options: Any) -> pf.Surface[Any]:
    def handler(call: Any) -> Any:
        job = getattr(call.input, "job", "")
        if job == "missing":
            raise pf.not_found("No such job.")
        if job == "broken":
            raise ValueError("secret")
        return {"done": True}

    declare: Any = pf.runtime_tool
    given = {
        "name": "wait",
        "desc": "Wait.",
        "identity": pf.Identity(service="jobs", operation="wait"),
        "input": input_,
        "output": Waited,
    }
    tool = declare(**given | options)(handler)
    quiet: Any = declare(
        name="quiet",
        desc="Quiet.",
        identity=pf.Identity(service="jobs", operation="quiet"),
    )(lambda call: None)
    return pf.Surface(runtime_tools=[tool, quiet])


def serve(surface: pf.Surface[Any]) -> Any:
    return mcp_server(surface, name="jobs", version="1").asgi()


@pytest.mark.parametrize("version", VERSIONS)
async def test_the_stamp_rides_on_every_listed_tool_and_every_result(version):
    surface = stamped()
    expected = catalog_stamp(collect_documents(surface, "MCP"))
    async with connected(serve(surface), version) as client:
        tools = await client.tools()
        results = [
            await client.call("wait", {"job": "7"}),
            await client.call("quiet"),
            await client.call("wait", {}),
            await client.call("wait", {"job": "missing"}),
            await client.call("wait", {"job": "broken"}),
        ]
    assert [bool(result.get("isError")) for result in results] == [False, False, True, True, True]
    carriers = [*tools.values(), *results]
    assert len(carriers) == 7
    for carrier in carriers:
        assert pf.read_catalog_stamp(carrier["_meta"]) == expected
    assert expected.tools == 2


async def test_the_stamp_is_the_same_on_every_protocol_version():
    found = set()
    for version in VERSIONS:
        async with connected(serve(stamped()), version) as client:
            found.add(str((await client.tools())["wait"]["_meta"][STAMP_KEY]))
    assert len(found) == 1


async def test_a_refusal_after_a_change_tells_an_old_list_by_its_stamp_and_names_the_new_field():
    async with connected(serve(stamped()), "2026-07-28") as client:
        remembered = pf.read_catalog_stamp((await client.tools())["wait"]["_meta"])
    async with connected(serve(stamped(NewOrder)), "2026-07-28") as client:
        result = await client.call("wait", {"job": "7"})
        error = await client.fail("wait", {"job": "7"})
    assert result["isError"] is True
    now = pf.read_catalog_stamp(result["_meta"])
    assert now is not None
    assert now != remembered
    assert [issue["path"] for issue in error["details"]["issues"]] == ["job_id"]


@pytest.mark.parametrize("where", ["listing", "presenter"])
async def test_nothing_else_can_take_the_stamps_place(where):
    forged = {STAMP_KEY: {"digest": "forged", "tools": 99}, "mine": 1}
    choices: dict[str, Any] = {
        "listing": {"mcp": pf.McpOptions(meta=forged)},
        "presenter": {
            "present": pf.Presenters(
                mcp=lambda answer, call: pf.Presentation(content=[], meta=forged)
            )
        },
    }
    surface = stamped(**choices[where])
    expected = catalog_stamp(collect_documents(surface, "MCP"))
    async with connected(serve(surface), "2026-07-28") as client:
        listed = (await client.tools())["wait"]["_meta"]
        told = (await client.call("wait", {"job": "7"}))["_meta"]
    assert pf.read_catalog_stamp(listed) == pf.read_catalog_stamp(told) == expected
    assert (listed if where == "listing" else told)["mine"] == 1
