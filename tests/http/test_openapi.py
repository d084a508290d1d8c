"""The OpenAPI document: valid, exactly what the router serves, and true of every answer."""

from __future__ import annotations

import enum
import json
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field
from typing_extensions import TypedDict

import polyface as pf
from polyface.http import http_app, openapi_document
from tests.http.exchange import ask
from tests.http.service import Recorded, record

pytestmark = pytest.mark.anyio
T = TypeVar("T")


class Level(enum.IntEnum):
    low = 1
    high = 2


class Address(BaseModel):
    city: str
    since: datetime | None = None


class Person(BaseModel):
    """Somebody."""

    id: int
    name: str = Field(alias="fullName", description="As it is spoken.")
    address: Address | None = None
    born: date | None = None
    worth: Decimal = Decimal(0)

    @computed_field
    def label(self) -> str:
        return f"{self.id} {self.name}"


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = []


class Page(BaseModel, Generic[T]):
    items: list[T]
    next: str | None = None


class Row(TypedDict, total=False):
    id: int
    by_level: dict[Level, float]


@dataclass
class Point:
    x: float
    y: float = 0.0


class Chain(RootModel[list["Chain"]]):
    pass


class Key(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    person_id: int = Field(alias="personId", description="Whose.")


class Rest(BaseModel):
    rest: str


class Card(BaseModel):
    id: int


class Search(BaseModel):
    q: str = Field(description="What to look for.")
    limit: int = Field(default=10, ge=1)
    tags: list[str] = []
    level: Level | None = None
    near: Address | None = None
    where: dict[str, float] = {}
    page_size: int = Field(default=1, alias="pageSize")


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class Everything(pf.Contract, prefix="things"):
    search = pf.get("/", desc="Search. Slowly.", input=Search, output=list[Person])
    fetch = pf.get("/{person_id}", desc="One.", params=Key, output=Person | None)
    add = pf.post("/", desc="Add.", input=Person, output=Person)
    replace = pf.put("/{person_id}", desc="Replace.", params=Key, input=Address, output=Address)
    remove = pf.delete("/{person_id}", desc="Remove.", params=Key)
    check = pf.head("/{person_id}", desc="Check.", params=Key)
    tree = pf.post("/tree", desc="A tree.", input=Tree, output=Tree, deprecated=True)
    pet = pf.post("/pet", desc="A pet.", input=Pet, output=Pet | None, summary="Pets", tags=["zoo"])
    page = pf.get("/page", desc="A page.", output=Page[Person])
    points = pf.get("/points", desc="Points.", output=dict[str, Point])
    row = pf.get("/row", desc="A row.", output=Row)
    chain = pf.get("/chain", desc="A chain.", output=Chain)
    anything = pf.get("/anything", desc="Anything.", output=Any)
    text = pf.get("/text", desc="Text.", output=str, operation_id="say")
    file = pf.get("/files/{rest:path}", desc="A file.", params=Rest, output=str)
    hidden = pf.get("/hidden", desc="No HTTP.", output=str, expose=["MCP"])


ADA = {
    "id": 1,
    "fullName": "Ada",
    "address": {"city": "London", "since": datetime(1815, 12, 10)},
    "worth": "1.50",
}
ANSWERS: dict[str, Any] = {
    "search": [ADA],
    "fetch": lambda call: ADA if call.params.person_id == 1 else None,
    "add": lambda call: call.input,
    "replace": lambda call: call.input,
    "tree": lambda call: call.input,
    "pet": lambda call: call.input,
    "page": {"items": [ADA]},
    "points": {"a": Point(1), "b": {"x": 2, "y": 3}},
    "row": {"id": 1, "by_level": {Level.high: 1}},
    "chain": [[], [[]]],
    "anything": None,
    "text": "text",
    "file": "text",
}


def everything(**options: Any) -> Recorded:
    return record(Everything, answers=ANSWERS, **options)


SERVED = everything()
DOCUMENT = openapi_document(SERVED.surface, title="Things", version="3", description="All of it.")


def test_the_document_is_valid_openapi():
    OpenAPIV31SpecValidator(DOCUMENT).validate()
    json.dumps(DOCUMENT, allow_nan=False)
    assert DOCUMENT["info"] == {"title": "Things", "version": "3", "description": "All of it."}


async def test_it_is_what_the_application_serves_at_its_path():
    app = http_app(SERVED.surface, title="Things", version="3", description="All of it.")
    reply = await ask(app, "GET", "/openapi.json")
    assert (reply.json, reply.headers["content-type"]) == (DOCUMENT, "application/json")
    unserved = http_app(SERVED.surface, openapi_path=None)
    assert (await ask(unserved, "GET", "/openapi.json")).status == 404
    elsewhere = http_app(SERVED.surface, openapi_path="/docs/api.json", prefix="/v1")
    assert (await ask(elsewhere, "GET", "/v1/docs/api.json")).json["openapi"] == "3.1.0"


async def test_it_lists_exactly_what_the_router_serves():
    listed = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert listed == {
        (operation.method, operation.path.replace(":path", ""))
        for operation in SERVED.surface.operations
        if "HTTP" in operation.expose
    }
    for path, item in DOCUMENT["paths"].items():
        served = await ask(
            SERVED.app, "TRACE", path.replace("{person_id}", "1").replace("{rest}", "x")
        )
        assert served.status == 405
        assert set(served.headers["allow"].split(", ")) >= {method.upper() for method in item}
    assert (await ask(SERVED.app, "GET", "/things/hidden")).status == 400  # `/{person_id}` takes it


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][path][method]
    return found


def test_an_operation_says_what_it_is():
    search = operation("get", "/things")
    assert search["operationId"] == "things_search"
    assert (search["summary"], search["description"]) == ("Search", "Search. Slowly.")
    assert search["tags"] == ["things"]
    pet = operation("post", "/things/pet")
    assert (pet["summary"], pet["tags"]) == ("Pets", ["zoo"])
    assert operation("get", "/things/text")["operationId"] == "say"
    assert operation("post", "/things/tree")["deprecated"] is True
    identifiers = [
        item["operationId"] for path in DOCUMENT["paths"].values() for item in path.values()
    ]
    assert len(set(identifiers)) == len(identifiers) == 15


def test_parameters_say_where_and_how_they_are_given():
    assert operation("get", "/things/{person_id}")["parameters"] == [
        {
            "name": "person_id",
            "in": "path",
            "required": True,
            "description": "Whose.",
            "schema": {"type": "integer", "title": "Personid", "description": "Whose."},
        }
    ]
    assert [item["name"] for item in operation("get", "/things/files/{rest}")["parameters"]] == [
        "rest"
    ]
    query = {item["name"]: item for item in operation("get", "/things")["parameters"]}
    assert list(query) == ["q", "limit", "tags", "level", "near", "where", "pageSize"]
    assert {item["in"] for item in query.values()} == {"query"}
    assert [name for name, item in query.items() if item["required"]] == ["q"]
    assert query["q"]["description"] == "What to look for."
    assert query["limit"]["schema"] == {
        "type": "integer",
        "default": 10,
        "minimum": 1,
        "title": "Limit",
    }
    assert query["tags"]["schema"]["type"] == "array"
    # structures are JSON in one key
    assert "application/json" in query["near"]["content"]
    assert "application/json" in query["where"]["content"]
    assert "schema" not in query["near"]


def test_bodies_are_required_where_a_field_is():
    assert operation("post", "/things")["requestBody"]["required"] is True
    assert "requestBody" not in operation("get", "/things")
    assert "requestBody" not in operation("delete", "/things/{person_id}")


def test_models_are_shared_components():
    components = DOCUMENT["components"]["schemas"]
    person = operation("get", "/things")["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    assert person["items"]["$ref"].startswith("#/components/schemas/Person")
    assert {"Tree-Input", "Tree-Output", "Cat", "Dog", "PolyfaceError"} <= set(components)
    assert not {"Search", "Key"} & set(components)
    text = json.dumps(DOCUMENT)
    assert "$defs" not in text
    for name in components:
        assert f'"#/components/schemas/{name}"' in text, f"nothing refers to {name}"


def test_answers_promise_no_format_that_a_value_may_break():
    components = DOCUMENT["components"]["schemas"]
    addresses = [item for name, item in components.items() if name.startswith("Address")]
    assert addresses
    assert "date-time" not in json.dumps(addresses)
    assert '"date"' in json.dumps(components)


def test_failures_are_told_by_one_component():
    for path, item in DOCUMENT["paths"].items():
        for method, listed in item.items():
            answers = listed["responses"]
            assert {"400", "500", "default"} <= set(answers), (method, path)
            for status in ("400", "500", "default"):
                schema = answers[status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/PolyfaceError"}
    assert set(operation("delete", "/things/{person_id}")["responses"]) >= {"204"}
    assert set(operation("head", "/things/{person_id}")["responses"]) >= {"200"}
    assert "401" not in operation("get", "/things")["responses"]


def test_a_guarded_operation_says_that_it_may_be_refused():
    class Guarded(pf.Contract, prefix="guarded", scope="user"):
        one = pf.get("/one", desc="One.", output=str)
        open = pf.get("/open", desc="Open.", output=str, scope="public")

    served = record(Guarded, hooks=pf.Hooks(authorize=lambda _: None))
    paths = openapi_document(served.surface)["paths"]
    assert {"401", "403"} <= set(paths["/guarded/one"]["get"]["responses"])
    assert not {"401", "403"} & set(paths["/guarded/open"]["get"]["responses"])


CALLS: list[tuple[str, str, str, Any, int]] = [
    ("GET", "/things", "?q=a&tags=b&near={\"city\":\"A\"}", None, 200),
    ("GET", "/things", "", None, 400),
    ("GET", "/things", "?q=a&limit=0", None, 400),
    ("GET", "/things/{person_id}", "1", None, 200),
    ("GET", "/things/{person_id}", "2", None, 200),
    ("GET", "/things/{person_id}", "x", None, 400),
    ("POST", "/things", "", {"id": 1, "fullName": "Ada", "address": {"city": "a", "since": "2020-01-01T00:00:00"}}, 200),
    ("POST", "/things", "", {"id": 1, "fullName": "Ada", "worth": 1.5}, 200),
    ("POST", "/things", "", {"id": "x"}, 400),
    ("PUT", "/things/{person_id}", "1", {"city": "A", "since": "2020-01-01T00:00:00+02:00"}, 200),
    ("DELETE", "/things/{person_id}", "1", None, 204),
    ("POST", "/things/tree", "", {"name": "a", "children": [{"name": "b"}]}, 200),
    ("POST", "/things/pet", "", {"kind": "dog"}, 200),
    ("POST", "/things/pet", "", {"kind": "cow"}, 400),
    ("GET", "/things/page", "", None, 200),
    ("GET", "/things/points", "", None, 200),
    ("GET", "/things/row", "", None, 200),
    ("GET", "/things/chain", "", None, 200),
    ("GET", "/things/anything", "", None, 200),
    ("GET", "/things/text", "", None, 200),
    ("GET", "/things/files/{rest}", "a/b", None, 200),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "given", "body", "status"), CALLS)
async def test_every_answer_is_valid_against_its_documented_schema(
    method: str, path: str, given: str, body: Any, status: int
):
    target = path.partition("{")[0] + given if "{" in path else path + given
    sent = b"" if body is None else json.dumps(body).encode()
    reply = await ask(SERVED.app, method, target, body=sent)
    assert reply.status == status, reply.body
    documented = operation(method.lower(), path)["responses"][str(status)]
    if status == 204:
        assert (reply.body, "content" in documented) == (b"", False)
        return
    media = documented["content"][reply.headers["content-type"]]
    schema = {**media["schema"], "components": DOCUMENT["components"]}
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        reply.json
    )


def test_no_view_and_no_tool_option_changes_a_byte():
    class Plain(pf.Contract, prefix="cards"):
        search = pf.get("/", desc="Search.", input=Search, output=list[Person])
        add = pf.post("/", desc="Add.", input=Person, output=Person)

    class Viewed(pf.Contract, prefix="cards"):
        search = pf.with_tool_view(
            pf.get("/", desc="Search.", input=Search, output=list[Person]),
            output=list[Card],
            defaults={"limit": 3, "q": "x"},
        )
        add = pf.post(
            "/", desc="Add.", input=Person, output=Person,
            tool=pf.ToolOptions(name="added", annotations=pf.ToolAnnotations(title="Add", destructive=True)),
        )  # fmt: skip

    plain, viewed = (openapi_document(record(item).surface) for item in (Plain, Viewed))
    assert json.dumps(viewed) == json.dumps(plain)


def test_two_documents_of_one_surface_are_equal_and_apart():
    again = openapi_document(SERVED.surface, title="Things", version="3", description="All of it.")
    assert json.dumps(again) == json.dumps(DOCUMENT)
    before = deepcopy(DOCUMENT)
    again["paths"].clear()
    again["components"]["schemas"].clear()
    assert before == DOCUMENT
