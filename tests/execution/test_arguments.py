"""How a tool call's one object becomes params and input, and what is said of one that can't."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Json

import polyface as pf
from tests.contract.faults import rows
from tests.execution.calls import ask_http, call_tool, post, refused_tool, surface_of

pytestmark = pytest.mark.anyio


class Key(BaseModel):
    model_config = ConfigDict(extra="forbid")
    key: str


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    n: int = 0
    when: date | None = None
    pair: tuple[int, int] = (0, 0)
    ids: set[int] = set()
    one: UUID | None = None


class Part(BaseModel):
    name: str
    n: int = 0


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Given(BaseModel):
    numbers: list[int] = []
    part: Part | None = None
    text: str = ""
    id: str | int = 0
    names: str | list[str] = ""
    anything: Any = None
    raw: Json[Any] = None
    data: dict[str, int] = {}
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    either: Cat | Dog | None = None
    count: int = 0
    flag: bool = False
    blob: bytes = b""
    pair: tuple[int, Part] | None = None


def echoing(input_: Any = Given) -> pf.Surface[Any]:
    """A surface that answers with the input that its handler got."""
    return surface_of(post(input=input_, output=Any), lambda call: call.input)


# --- slicing ----------------------------------------------------------------------------------


async def test_params_and_input_are_cut_apart_so_that_each_schema_sees_its_own_keys():
    surface = surface_of(
        pf.put("/{key}", desc="Put.", params=Key, input=Strict, output=Any),
        lambda call: [call.params.key, call.input.n],
    )
    assert await call_tool(surface, {"key": "k", "n": 3}) == ["k", 3]
    error = await refused_tool(surface, {"key": "k", "m": 3})
    assert [issue["path"] for issue in error.details["issues"]] == ["m"]
    error = await refused_tool(surface, {"n": 3})
    assert error.details["issues"] == [
        {"path": "key", "code": "missing", "message": "Field required"}
    ]


async def test_params_are_refused_before_the_input_is_looked_at():
    parsed: list[str] = []

    class Noted(BaseModel):
        n: Annotated[int, BeforeValidator(lambda value: parsed.append("input") or value)] = 0

    class Numbered(BaseModel):
        key: int

    surface = surface_of(
        pf.put("/{key}", desc="Put.", params=Numbered, input=Noted, output=Any), lambda call: 1
    )
    error = await refused_tool(surface, {"key": "x", "n": 1})
    assert [issue["path"] for issue in error.details["issues"]] == ["key"]
    assert parsed == []


async def test_no_argument_shadows_what_a_call_is():
    class Shadows(BaseModel):
        params: str
        input: str
        source: str
        context: str
        identity: str
        call: str

    given = dict.fromkeys(Shadows.model_fields, "mine")
    surface = surface_of(
        post(input=Shadows, output=Any),
        lambda call: [call.params, call.input.source, call.source, call.context, call.identity],
    )
    assert await call_tool(surface, given) == [None, "mine", "internal", None, None]


async def test_arguments_of_a_tool_without_any_are_refused():
    surface = surface_of(post(output=int), lambda call: 1)
    assert await call_tool(surface, {}) == 1
    assert await call_tool(surface, None) == 1
    error = await refused_tool(surface, {"n": 1, "m": 2})
    assert error.details["issues"] == [
        {"path": name, "code": "extra_forbidden", "message": "Extra inputs are not permitted"}
        for name in ("n", "m")
    ]


async def test_an_unknown_argument_is_told_alike_with_and_without_an_input():
    class Strict(BaseModel):
        model_config = ConfigDict(extra="forbid")

    ran: list[Any] = []
    told = []
    for input_ in (None, Strict):
        surface = surface_of(post(input=input_, output=int), ran.append)
        told.append((await refused_tool(surface, {"n": 1})).envelope())
        told.append((await ask_http(surface, "POST", "/things", b'{"n":1}')).json)
    assert told == [told[0]] * 4
    assert told[0]["error"]["message"] == "n: Extra inputs are not permitted"
    assert ran == []


# --- one parse --------------------------------------------------------------------------------


async def test_a_validator_runs_once_for_each_call_on_every_mount():
    runs: list[str] = []

    def note(value):
        runs.append(value)
        return value + "!"

    class Noted(BaseModel):
        text: Annotated[str, AfterValidator(note)]

    endpoint = pf.with_tool_view(post(input=Noted, output=str), output=str)
    surface = surface_of(endpoint, lambda call: call.input.text)
    assert runs == []
    assert await call_tool(surface, {"text": "a"}) == "a!"
    assert await call_tool(surface, {"text": "b"}, answer="full") == "b!"
    assert (await ask_http(surface, "POST", "/things", b'{"text":"c"}')).json == "c!"
    assert runs == ["a", "b", "c"]


@pytest.mark.parametrize(
    "given",
    [
        {"when": "2020-02-03"},
        {"pair": [1, 2]},
        {"ids": [1, 2]},
        {"one": "12345678-1234-5678-1234-567812345678"},
    ],
    ids=lambda given: next(iter(given)),
)
async def test_a_strict_model_reads_arguments_as_json(given):
    assert (await call_tool(echoing(Strict), given)).items() >= given.items()


@pytest.mark.parametrize("given", [{"n": "1"}, {"n": 1.0}, {"n": True}, {"when": 5}], ids=str)
async def test_a_strict_model_refuses_what_json_would_have_to_convert(given):
    error = await refused_tool(echoing(Strict), given)
    assert [issue["path"] for issue in error.details["issues"]] == [*given]


# --- JSON in text -----------------------------------------------------------------------------


READ: dict[str, tuple[dict[str, Any], Any]] = {
    "a list": ({"numbers": "[1, 2]"}, [1, 2]),
    "an object": ({"part": '{"name": "a"}'}, {"name": "a", "n": 0}),
    "an object with data keys": ({"data": '{"a": 1}'}, {"a": 1}),
    "a tagged union": ({"pet": '{"kind": "cat", "lives": 9}'}, {"kind": "cat", "lives": 9}),
    "a union of objects": ({"either": '{"kind": "cat", "lives": 9}'}, {"kind": "cat", "lives": 9}),
    "inside a tuple": ({"pair": [1, '{"name": "a"}']}, [1, {"name": "a", "n": 0}]),
}
KEPT: dict[str, tuple[dict[str, Any], Any]] = {
    "text": ({"text": "[1]"}, "[1]"),
    "quoted text": ({"text": '"x"'}, '"x"'),
    "an id that may be text": ({"id": "123"}, "123"),
    "a name or a list of names": ({"names": '["a"]'}, '["a"]'),
    "anything": ({"anything": "[1]"}, "[1]"),
    "bytes": ({"blob": "[1]"}, "[1]"),
    "text inside an object": ({"part": {"name": '["a"]'}}, {"name": '["a"]', "n": 0}),
}


@pytest.mark.parametrize(("given", "value"), rows(READ))
async def test_text_that_holds_json_is_read_where_a_structure_is_wanted(given, value):
    [key] = given
    assert (await call_tool(echoing(), given))[key] == value


@pytest.mark.parametrize(("given", "value"), rows(KEPT))
async def test_text_stays_text_where_text_is_taken(given, value):
    [key] = given
    assert (await call_tool(echoing(), given))[key] == value


async def test_a_json_field_reads_its_own_text_once():
    assert (await call_tool(echoing(), {"raw": '"[1]"'}))["raw"] == "[1]"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"numbers": "nonsense"}, "list_type"),
        ({"numbers": '"[1]"'}, "list_type"),  # text within the text isn't searched
        ({"numbers": "1"}, "list_type"),
        ({"part": "[1]"}, "model_type"),
    ],
    ids=str,
)
async def test_text_that_holds_no_such_structure_is_refused(given, code):
    error = await refused_tool(echoing(), given)
    [key] = given
    assert [(issue["path"], issue["code"]) for issue in error.details["issues"]] == [(key, code)]


@pytest.mark.parametrize("given", [{"count": "[1]"}, {"flag": "{}"}], ids=str)
async def test_a_scalar_is_never_read_from_json_text(given):
    assert (await refused_tool(echoing(), given)).code == "VALIDATION_ERROR"


async def test_an_http_body_is_read_as_it_is():
    reply = await ask_http(echoing(), "POST", "/things", b'{"numbers": "[1]"}')
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")


# --- what isn't JSON --------------------------------------------------------------------------


class Opaque: ...


NOT_JSON: dict[str, tuple[Any, str, str]] = {
    "a list": ([1], "", "Arguments are a JSON object, not `list`."),
    "text": ("n=1", "", "Arguments are a JSON object, not `str`."),
    "a numeric key": ({1: 2}, "", "The key 1 isn't text that JSON can hold."),
    "a date": ({"text": date(2020, 1, 1)}, "text", "A value of type `date` isn't a JSON value."),
    "a decimal": (
        {"data": {"a": Decimal(1)}},
        "data.a",
        "A value of type `Decimal` isn't a JSON value.",
    ),
    "a set": ({"numbers": {1}}, "numbers", "A value of type `set` isn't a JSON value."),
    "a model": ({"part": Part(name="x")}, "part", "A value of type `Part` isn't a JSON value."),
    "an object": (
        {"numbers": [1, Opaque()]},
        "numbers[1]",
        "A value of type `Opaque` isn't a JSON value.",
    ),
    "infinity": ({"data": {"a": float("inf")}}, "data.a", "A number must be finite."),
    "no number": ({"count": float("nan")}, "count", "A number must be finite."),
    "too many digits": ({"count": 10**4300}, "count", "A number has at most 4300 digits."),
    "a lone surrogate": (
        {"text": "a\ud800"},
        "text",
        "Text with a lone surrogate can't be sent as JSON.",
    ),
}


@pytest.mark.parametrize(("given", "path", "message"), rows(NOT_JSON))
async def test_arguments_that_json_cant_hold_are_refused_at_their_place(given, path, message):
    ran: list[str] = []
    surface = surface_of(
        post(input=Given, output=Any),
        lambda call: ran.append("handler"),
        hooks=pf.Hooks(authorize=lambda call: ran.append("authorize")),
    )
    error = await refused_tool(surface, given)
    assert (error.code, error.status) == ("VALIDATION_ERROR", 400)
    [issue] = error.details["issues"]
    assert (issue["path"], issue["message"]) == (path, message)
    assert error.message == (f"{path}: {message}" if path else message)
    assert ran == []


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


async def test_arguments_may_be_nested_as_deeply_as_the_limit_says():
    surface = surface_of(
        post(input=Given, output=Any),
        lambda call: 1,
        limits=pf.Limits(max_depth=5),
    )
    assert await call_tool(surface, {"anything": nested(4)}) == 1
    error = await refused_tool(surface, {"anything": nested(5)})
    assert error.message == "anything.a.a.a.a: The arguments are nested too deeply."


@pytest.mark.parametrize("text", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e400"])
async def test_a_number_that_isnt_finite_is_refused_in_a_body_too(text):
    reply = await ask_http(echoing(), "POST", "/things", b'{"anything": ' + text + b"}")
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["details"]["issues"][0]["code"] == "finite_number"


async def test_the_last_of_two_equal_keys_wins_in_a_body():
    reply = await ask_http(echoing(), "POST", "/things", b'{"count": 1, "count": 2}')
    assert reply.json["count"] == 2


# --- issues -----------------------------------------------------------------------------------


async def test_a_refusal_names_path_code_and_message_and_shows_no_value():
    error = await refused_tool(
        echoing(), {"part": {"n": "secret"}, "numbers": [1, "secret"], "count": "secret"}
    )
    assert error.details["issues"] == [
        {
            "path": "numbers[1]",
            "code": "int_parsing",
            "message": "Input should be a valid integer, unable to parse string as an integer",
        },
        {"path": "part.name", "code": "missing", "message": "Field required"},
        {
            "path": "part.n",
            "code": "int_parsing",
            "message": "Input should be a valid integer, unable to parse string as an integer",
        },
        {
            "path": "count",
            "code": "int_parsing",
            "message": "Input should be a valid integer, unable to parse string as an integer",
        },
    ]
    assert "secret" not in str(error.envelope())


async def test_at_most_twenty_issues_and_five_lines_are_told():
    error = await refused_tool(echoing(), {"numbers": ["x"] * 30})
    assert len(error.details["issues"]) == 20
    lines = error.message.splitlines()
    assert [line.split(":")[0] for line in lines[:5]] == [f"numbers[{n}]" for n in range(5)]
    assert lines[5:] == ["... and 25 more."]


async def test_a_unions_issues_start_with_the_member_that_was_meant():
    error = await refused_tool(echoing(), {"either": {"kind": "dog", "barks": "x"}})
    assert error.message.splitlines()[0] == (
        "either.barks: Input should be a valid boolean, unable to interpret input"
    )


async def test_the_useful_path_of_a_wide_union_isnt_hidden_by_the_caps():
    members = [
        type(f"M{index}", (BaseModel,), {"__annotations__": {"tag": Literal[index], "x": int}})
        for index in range(12)
    ]

    class Deep(BaseModel):
        tag: Literal["deep"]
        inner: Part

    union: Any = Deep
    for member in members:
        union = member | union

    class Wide(BaseModel):
        choice: union

    error = await refused_tool(
        echoing(Wide), {"choice": {"tag": "deep", "inner": {"name": "a", "n": "x"}}}
    )
    assert error.message.splitlines()[0].startswith("choice.inner.n: ")
    assert error.details["issues"][0]["path"] == "choice.inner.n"
    assert len(error.details["issues"]) == 20


@pytest.mark.parametrize("mount", ["http", "tool"])
async def test_the_same_refusal_is_told_on_every_mount(mount):
    surface = echoing()
    if mount == "http":
        body = (await ask_http(surface, "POST", "/things", b'{"count": "x"}')).json
    else:
        body = (await refused_tool(surface, {"count": "x"})).envelope()
    message = "Input should be a valid integer, unable to parse string as an integer"
    assert body == {
        "error": {
            "code": "VALIDATION_ERROR",
            "message": f"count: {message}",
            "details": {"issues": [{"path": "count", "code": "int_parsing", "message": message}]},
            "retryable": False,
        }
    }
