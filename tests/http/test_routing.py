"""Which operation a path reaches, byte for byte."""

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Mount, Route

import polyface as pf
from polyface.http import http_app, http_routes
from tests.http.exchange import Reply, ask
from tests.http.service import Recorded, record

pytestmark = pytest.mark.anyio


class Id(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str


class Rest(BaseModel):
    rest: str


class Number(BaseModel):
    n: int


class People(pf.Contract, prefix="people"):
    # The captured paths come first on purpose.
    fetch = pf.get("/{id}", desc="One.", params=Id, output=str)
    admin_of = pf.get("/{id}/admin", desc="Its admin.", params=Id, output=str)
    remove = pf.delete("/{id}", desc="Remove one.", params=Id, output=str)
    everyone = pf.get("/all", desc="Everyone.", output=str)
    root = pf.get("/", desc="The list.", output=str)
    odd = pf.get("/it's,odd", desc="Text that clients may encode.", output=str)
    numbered = pf.get("/by/{n:int}", desc="By number.", params=Number, output=str)
    files = pf.get("/files/{rest:path}", desc="A file.", params=Rest, output=str)
    readme = pf.get("/files/readme", desc="One file.", output=str)


def tell(key: str) -> Any:
    return lambda call: " ".join([key, *map(str, vars(call.params).values())])


CAPTURING = ("fetch", "admin_of", "remove", "numbered", "files")
PLAIN = ("everyone", "root", "odd", "readme")
PEOPLE = record(People, answers={key: tell(key) for key in CAPTURING} | {key: key for key in PLAIN})


def people() -> Recorded:
    return PEOPLE.anew()


REACHED = {
    "/people": "root",
    "/people/1": "fetch 1",
    "/people/all": "everyone",
    "/people/a%6Cl": "everyone",
    "/%70eople/all": "everyone",
    "/people/it's,odd": "odd",
    "/people/it%27s%2Codd": "odd",
    "/people/1/admin": "admin_of 1",
    "/people/by/007": "numbered 7",
    "/people/by/-1": "numbered -1",
    "/people/by/%31": "numbered 1",
    "/people/caf%C3%A9": "fetch café",
    "/people/%F0%9F%A6%80": "fetch 🦀",
    "/people/a+b": "fetch a+b",
    "/people/a%2Bb": "fetch a+b",
    "/people/100%25": "fetch 100%",
    "/people/a%3Fb": "fetch a?b",
    "/people/%7Bid%7D": "fetch {id}",
    "/people/a;b=c": "fetch a;b=c",
    "/people/files/readme": "readme",
    "/people/files/a/b.txt": "files a/b.txt",
    "/people/files/readme/more": "files readme/more",
    "/people/files/caf%C3%A9/%20": "files café/ ",
}


@pytest.mark.parametrize("target", REACHED)
async def test_a_path_reaches_its_operation(target: str):
    served = people()
    reply = await ask(served.app, "GET", target)
    assert (reply.status, reply.json) == (200, REACHED[target])
    assert len(served.calls) == 1


UNSERVED = [
    "/people/",
    "/people//",
    "//people",
    "/people/1/",
    "/people/1//admin",
    "/people/all/",
    "/people/by/x",
    "/people/by/1.5",
    "/people/by/",
    "/people/files/",
    "/peoples",
    "/people%2Fall",
    "/",
    "",
    "/PEOPLE/all",
    "/people/../people/all",
    "/people/./all",
]


@pytest.mark.parametrize("target", UNSERVED)
async def test_a_path_that_is_none_of_theirs_is_404_without_a_redirect(target: str):
    served = people()
    reply = await ask(served.app, "GET", target)
    assert (reply.status, reply.code) == (404, "NOT_FOUND")
    assert "location" not in reply.headers
    assert served.calls == []


REFUSED = {
    "an encoded slash": "/people/a%2Fadmin",
    "an encoded slash in capitals": "/people/a%2fadmin",
    "nothing but an encoded slash": "/people/%2F",
    "a backslash": "/people/a%5Cb",
    "dot": "/people/%2E",
    "dots as they are": "/people/..",
    "dots": "/people/%2E%2e",
    "dots before more": "/people/%2E%2E/admin",
    "a null character": "/people/a%00b",
    "a line feed": "/people/a%0Ab",
    "delete": "/people/a%7Fb",
    "not UTF-8": "/people/caf%E9",
    "a surrogate in UTF-8": "/people/%ED%A0%80",
    "dots inside a rest": "/people/files/a/../b",
    "encoded dots inside a rest": "/people/files/%2e%2e/b",
    "an empty segment inside a rest": "/people/files/a//b",
    "an encoded slash inside a rest": "/people/files/a%2F..%2Fb",
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_segment_that_could_mean_another_place_is_refused(case: str):
    served = people()
    reply = await ask(served.app, "GET", REFUSED[case])
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["details"]["issues"][0]["path"] in ("id", "rest")
    assert served.calls == []


async def test_a_malformed_escape_stays_text():
    served = people()
    reply = await ask(served.app, "GET", "/people/50%zz")
    assert reply.json == "fetch 50%zz"


async def test_a_server_without_raw_paths_is_served_by_the_decoded_one():
    served = people()
    for target, answer in [("/people/1/admin", "admin_of 1"), ("/people/caf%C3%A9", "fetch café")]:
        reply = await ask(served.app, "GET", target, raw_path=False)
        assert reply.json == answer


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "GETT"])
async def test_a_method_that_is_not_served_is_405_with_all_that_are(method: str):
    served = people()
    reply = await ask(served.app, method, "/people/1")
    assert (reply.status, reply.code) == (405, "METHOD_NOT_ALLOWED")
    assert reply.headers["allow"] == "DELETE, GET"
    assert served.calls == []


async def test_a_static_path_without_the_method_leaves_it_to_the_captured_one():
    served = people()
    reply = await ask(served.app, "DELETE", "/people/all")
    assert reply.json == "remove all"


async def test_one_path_with_two_names_for_its_capture_serves_both_methods():
    class Named(BaseModel):
        name: str

    class Two(pf.Contract, prefix="two"):
        read = pf.get("/{id}", desc="Read.", params=Id, output=str)
        write = pf.put("/{id}", desc="Write.", params=Id, output=str)

    class Other(pf.Contract, prefix="two"):
        wipe = pf.delete("/{name}", desc="Wipe.", params=Named, output=str)

    served = record(
        Two,
        Other,
        answers={
            "read": lambda call: f"read {call.params.id}",
            "write": lambda call: f"write {call.params.id}",
            "wipe": lambda call: f"wipe {call.params.name}",
        },
    )
    app = served.app
    for method, word in [("GET", "read"), ("PUT", "write"), ("DELETE", "wipe")]:
        assert (await ask(app, method, "/two/x")).json == f"{word} x"
    refused = await ask(app, "PATCH", "/two/x")
    assert (refused.status, refused.headers["allow"]) == (405, "DELETE, GET, PUT")


# --- where it is mounted ---------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["/v1", "v1", "/v1/"])
async def test_a_prefix_goes_before_every_path_and_the_document(prefix: str):
    app = http_app(people().surface, prefix=prefix)
    assert (await ask(app, "GET", "/v1/people/all")).json == "everyone"
    assert (await ask(app, "GET", "/v1/people")).json == "root"
    document = (await ask(app, "GET", "/v1/openapi.json")).json
    assert "/v1/people/{id}" in document["paths"]
    assert (await ask(app, "GET", "/people/all")).status == 404


async def test_a_foreign_application_mounts_it_and_keeps_its_own_routes():
    async def home(request: Request) -> Any:
        return RedirectResponse(request.url_for("about"))

    async def about(_: Request) -> Any:
        return PlainTextResponse("about")

    served = people()
    app = Starlette(
        routes=[
            *http_routes(served.surface, prefix="/api"),
            Route("/", home),
            Route("/about", about, name="about"),
            Mount("/sub/{tenant:int}", app=http_app(served.surface)),
        ]
    )
    assert (await ask(app, "GET", "/api/people/1")).json == "fetch 1"
    assert (await ask(app, "GET", "/about")).body == b"about"
    assert (await ask(app, "GET", "/")).headers["location"] == "http://testserver/about"
    assert (await ask(app, "GET", "/sub/7/people/1")).json == "fetch 1"
    assert (await ask(app, "GET", "/sub/7/people/1/admin")).json == "admin_of 1"
    assert (await ask(app, "GET", "/sub/7/people/a%2Fb")).status == 400
    assert (await ask(app, "GET", "/sub/7/people/")).status == 404


@pytest.mark.parametrize(
    ("root_path", "target"),
    [
        ("/api", "/api/people/all"),
        ("/a b", "/a%20b/people/all"),
        ("/a b", "/%61%20b/people/all"),
        ("/café", "/caf%C3%A9/people/all"),
        ("/elsewhere", "/people/all"),
    ],
)
async def test_the_place_that_a_server_names_is_taken_off_the_path(root_path: str, target: str):
    reply = await ask(people().app, "GET", target, root_path=root_path)
    assert (reply.status, reply.json) == (200, "everyone")


async def test_a_root_path_is_only_taken_off_at_a_segment():
    reply = await ask(people().app, "GET", "/peoplepeople/all", root_path="/people")
    assert reply.status == 404


async def test_a_further_route_of_the_caller_comes_before_the_surface():
    async def mine(_: Request) -> Any:
        return PlainTextResponse("mine")

    app = http_app(people().surface, routes=[Route("/people/all", mine)])
    assert (await ask(app, "GET", "/people/all")).body == b"mine"


async def test_the_document_is_reached_although_a_capture_would_take_its_path():
    class Everything(pf.Contract, prefix=""):
        fetch = pf.get("/{id}", desc="One.", params=Id, output=str)

    app = record(Everything, answers={"fetch": "one"}).app
    reply: Reply = await ask(app, "GET", "/openapi.json")
    assert reply.json["openapi"] == "3.1.0"
    assert (await ask(app, "GET", "/other")).json == "one"


# --- what can't be told apart ----------------------------------------------------------------


def test_two_services_with_one_path_under_two_names_are_refused():
    class Named(BaseModel):
        name: str

    class First(pf.Contract, prefix="things"):
        one = pf.get("/{id}", desc="One.", params=Id, output=str)

    class Second(pf.Contract, prefix="things"):
        two = pf.get("/{name}", desc="Two.", params=Named, output=str)

    with pytest.raises(
        pf.DeclarationError, match=r"First\.one.*Second\.two|Second\.two.*First\.one"
    ):
        record(First, Second)


def test_two_operations_that_one_document_path_would_hold_are_refused():
    class Text(BaseModel):
        n: str

    class Both(pf.Contract, prefix="things"):
        number = pf.get("/{n:int}", desc="By number.", params=Number, output=str)
        text = pf.get("/{n}", desc="By text.", params=Text, output=str)

    with pytest.raises(pf.DeclarationError, match=r"Both\.number"):
        record(Both)


async def test_a_convertor_with_another_name_is_tried_before_text():
    class Both(pf.Contract, prefix="things"):
        text = pf.get("/{id}", desc="By text.", params=Id, output=str)
        number = pf.get("/{n:int}", desc="By number.", params=Number, output=str)

    app = record(Both, answers={"number": "number", "text": "text"}).app
    assert (await ask(app, "GET", "/things/12")).json == "number"
    assert (await ask(app, "GET", "/things/x12")).json == "text"
