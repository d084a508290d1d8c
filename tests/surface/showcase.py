"""A surface with an operation of every origin, and whatever else a test of introspection asks."""

from typing import Any

from pydantic import BaseModel, Field

import polyface as pf
from tests.contract.people import Person, PersonCard, PersonId, Search


class Wait(BaseModel):
    job: str = Field(description="The job's identifier.")
    seconds: int = 5


class Waited(BaseModel):
    done: bool


def wait_tool(**options: Any) -> Any:
    """Declare and implement the runtime tool `wait`; options are the decorator's."""
    declare: Any = pf.runtime_tool
    decorate = declare(
        **{
            "name": "wait",
            "desc": "Wait for a job.",
            "identity": pf.Identity(service="jobs", operation="wait"),
            "input": Wait,
            "output": Waited,
        }
        | options
    )
    return decorate(lambda call: {"done": True})


def people_service(prefix: str = "people", **tool: Any) -> Any:
    """Implement three endpoints: for everyone, for HTTP alone, and for a command line, too."""
    get: Any = pf.get
    contract = pf.build_contract(
        "People",
        {
            "search": pf.with_tool_view(
                get("/", desc="Search.", input=Search, output=list[Person]),
                output=list[PersonCard],
                defaults={"include": []},
            ),
            "raw": get("/raw", desc="Export.", output=list[Person], expose=["HTTP"]),
            "get": get(
                "/{person_id}",
                desc="One person.",
                params=PersonId,
                output=Person,
                expose=["CLI", "HTTP", "AGENT"],
                tool=pf.ToolOptions(**tool),
            ),
        },
        prefix=prefix,
    )
    service = pf.implement(contract)
    for name, endpoint in vars(contract).items():
        if isinstance(endpoint, pf.Endpoint):
            service.handler(getattr(contract, name))(lambda call: [])
    return service


def mixed_surface(**options: Any) -> pf.Surface[Any]:
    """A surface of both origins; options are the surface's."""
    given = {"services": [people_service()], "runtime_tools": [wait_tool()]} | options
    return pf.Surface(**given)
