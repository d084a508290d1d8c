import inspect
from typing import Any

import pytest
from pydantic import BaseModel, Field, create_model

import polyface as pf
from polyface.contract.verb import OPTIONS
from tests.contract.faults import faults_of
from tests.contract.people import Person, PersonId, Search

VERBS = {"GET": pf.get, "POST": pf.post, "PUT": pf.put, "PATCH": pf.patch, "DELETE": pf.delete}


class Flagged(BaseModel):
    person_id: str
    verbose: bool = False


class Shadow(BaseModel):
    person_id: int


class Aliased(BaseModel):
    key: str = Field(validation_alias="person_id")


def declare(path: str = "/", **options: Any) -> Any:
    verb: Any = pf.get
    return verb(path, **{"desc": "Do it."} | options)


@pytest.mark.parametrize(("method", "verb"), VERBS.items())
def test_a_verb_declares_its_method_and_the_documented_defaults(method, verb):
    endpoint = verb("/x", desc="Do it.")
    assert endpoint.method == method
    assert endpoint.path.text == "/x"
    assert endpoint.expose == ("HTTP", "MCP", "AGENT")
    assert endpoint.tool == pf.ToolOptions()
    assert [endpoint.params, endpoint.input, endpoint.output] == [None, None, None]
    assert [endpoint.scope, endpoint.meta, endpoint.timeout_seconds] == [None, None, None]
    assert [endpoint.idempotent, endpoint.deprecated] == [False, False]
    assert [endpoint.owner, endpoint.key] == [None, None]


def test_head_is_served_over_http_alone():
    assert pf.head("/x", desc="Is it there?").expose == ("HTTP",)


def test_every_option_is_kept_as_it_was_given():
    meta = {"gate": "admin"}
    endpoint = declare(
        scope="user",
        meta=meta,
        timeout_seconds=2.5,
        idempotent=True,
        summary="A title",
        tags=["one", "two"],
        deprecated=True,
        operation_id="do_it",
        key="do",
        tool=pf.ToolOptions(name="doer"),
        expose=["CLI", "HTTP"],
    )
    assert endpoint.scope == "user"
    assert endpoint.meta == meta
    assert endpoint.timeout_seconds == 2.5
    assert endpoint.idempotent
    assert endpoint.summary == "A title"
    assert endpoint.tags == ("one", "two")
    assert endpoint.deprecated
    assert endpoint.operation_id == "do_it"
    assert endpoint.key == "do"
    assert endpoint.tool.name == "doer"
    assert endpoint.expose == ("HTTP", "CLI")


def test_an_endpoint_is_frozen_and_shows_everything_in_its_repr():
    endpoint = declare(scope="user", output=list[Person])
    with pytest.raises(AttributeError):
        endpoint.scope = "public"
    shown = repr(endpoint)
    assert "scope='user'" in shown
    assert "Schema(list[" in shown
    assert all(f"{name}=" in shown for name in type(endpoint).__dataclass_fields__)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            {"desc": " \n"},
            "`GET /`: `desc` is empty; say what it does, because a model chooses tools by it.",
        ),
        (
            {"name": "x"},
            (
                "`GET /`: `name=` isn't an option of an endpoint; it belongs into the tool group: "
                "`tool=ToolOptions(name=...)`."
            ),
        ),
        (
            {"annotations": None},
            (
                "`GET /`: `annotations=` isn't an option of an endpoint; it belongs into the tool "
                "group: `tool=ToolOptions(annotations=...)`."
            ),
        ),
        (
            {"view": None},
            "`GET /`: `view=` isn't an option of an endpoint; declare it with `with_tool_view(...)`.",
        ),
        (
            {"inptu": Search},
            (
                "`GET /`: `inptu=` isn't an option of an endpoint; the options are "
                f"{', '.join(sorted(OPTIONS))}."
            ),
        ),
        ({"timeout_seconds": 0}, "`GET /`: `timeout_seconds` is a positive number of seconds."),
        ({"timeout_seconds": True}, "`GET /`: `timeout_seconds` is a positive number of seconds."),
        ({"timeout_seconds": "3"}, "`GET /`: `timeout_seconds` is a positive number of seconds."),
        (
            {"timeout_seconds": float("nan")},
            "`GET /`: `timeout_seconds` is a positive number of seconds.",
        ),
        (
            {"scope": ""},
            "`GET /`: the scope `''` isn't a word; leave it out for the contract's.",
        ),
        ({"meta": ["gate"]}, "`GET /`: `meta=` maps names to values."),
        *(
            (
                {"key": key},
                f"`GET /`: the key `{key!r}` isn't a word; write letters, digits, `_` and `-`.",
            )
            for key in ("", "my key", "a/b", 3)
        ),
        ({"desc": 3}, "`GET /`: `desc` is text, not `3`."),
        ({"tags": 1}, "`GET /`: `tags` is a list; write `tags=[1]`."),
        ({"tags": [1]}, "`GET /`: `tags[0]` is text, not `1`."),
        ({"tags": ["a", ""]}, "`GET /`: `tags[1]` is text, not `''`."),
        ({"errors": 1}, "`GET /`: `errors` is a list; write `errors=[1]`."),
        ({"operation_id": ""}, "`GET /`: `operation_id` is text, not `''`."),
        ({"summary": 1}, "`GET /`: `summary` is text, not `1`."),
        (
            {"desc": "a \ud800"},
            "`GET /`: `desc` holds a lone surrogate, which UTF-8 has no form for.",
        ),
        ({"tags": "people"}, "`GET /`: `tags` is a list; write `tags=['people']`."),
        ({"idempotent": "yes"}, "`GET /`: `idempotent=` is True or False."),
        ({"deprecated": 1}, "`GET /`: `deprecated=` is True or False."),
        (
            {"errors": ["NOT_FOUND"]},
            "`GET /`: `errors=` lists definitions from `define_errors(...)`, not `'NOT_FOUND'`.",
        ),
        ({"tool": "search"}, "`GET /`: `tool=` takes `ToolOptions(...)`."),
        (
            {"tool": pf.ToolOptions(), "expose": ["HTTP"]},
            (
                "`GET /`: `tool=` is given, but it is exposed on no tool transport; "
                "add one of MCP, AGENT, CLI to `expose=`, or drop `tool=`."
            ),
        ),
        (
            {"tool": pf.ToolOptions(name="admin/search")},
            (
                "`GET /`: the name `admin/search` doesn't match `[A-Za-z0-9_-]{1,64}`; "
                "change it in `tool=ToolOptions(name=...)`."
            ),
        ),
        (
            {"expose": "HTTP"},
            "`GET /`: `expose` is a list; write `expose=['HTTP']`.",
        ),
        (
            {"expose": ["HTTP", "http"]},
            "`GET /`: `expose` names `http`; it takes HTTP, MCP, AGENT, CLI.",
        ),
        ({"expose": []}, "`GET /`: `expose` names each transport once, and at least one."),
        (
            {"expose": ["MCP", "MCP"]},
            "`GET /`: `expose` names each transport once, and at least one.",
        ),
        (
            {"input": list[Search]},
            (
                "`GET /`: a tool's arguments are a JSON object, but `input=` is "
                "`list[Search]`; wrap it in a model, or write "
                '`expose=["HTTP"]`.'
            ),
        ),
        (
            {"input": int, "expose": ["HTTP"]},
            "`GET /`: a query has keys, but `input=` is `int`; wrap it in a model, or use `post`.",
        ),
    ],
)
def test_what_one_line_can_know_is_refused_on_that_line(options, fault):
    assert faults_of(lambda: declare(**options)) == [fault]


@pytest.mark.parametrize(
    ("path", "options", "fault"),
    [
        (
            "/{person_id}/{part}",
            {},
            (
                "`GET /{person_id}/{part}`: the path captures `person_id`, `part`, but no `params=` is "
                "given; declare a model with `person_id: str; part: str` and pass it as `params=`."
            ),
        ),
        (
            "/{id}",
            {"params": PersonId},
            (
                "`GET /{id}`: the path captures `id`, which `PersonId` doesn't declare; "
                "add the field or rename the capture."
            ),
        ),
        (
            "/all",
            {"params": PersonId},
            (
                "`GET /all`: `PersonId.person_id` isn't captured by the path; "
                "capture `{person_id}` or move it to `input=`."
            ),
        ),
        (
            "/{person_id}",
            {"params": Flagged},
            (
                "`GET /{person_id}`: `Flagged.verbose` isn't captured by the path; "
                "capture `{verbose}` or move it to `input=`."
            ),
        ),
        (
            "/{person_id}",
            {"params": dict[str, str]},
            "`GET /{person_id}`: `params=` must be a model, not `dict[str, str]`.",
        ),
        (
            "/{person_id}",
            {"params": PersonId, "input": Shadow},
            (
                "`GET /{person_id}`: `params=` and `input=` both read `person_id`; "
                "a tool's caller gives both in one object, so rename one."
            ),
        ),
    ],
)
def test_params_that_dont_match_the_path_are_refused(path, options, fault):
    assert faults_of(lambda: declare(path, **options)) == [fault]


def test_a_capture_may_be_read_by_an_alias():
    endpoint = declare("/{person_id}", params=Aliased)
    assert endpoint.params.type is Aliased


def test_a_list_may_be_the_body_of_an_endpoint_that_is_no_tool():
    endpoint = pf.post("", desc="Add people.", input=list[Person], expose=["HTTP"])
    assert endpoint.input is not None
    assert endpoint.input.type == list[Person]


def test_a_type_that_pydantic_cant_check_is_refused_with_the_options_name():
    class Opaque: ...

    [fault] = faults_of(lambda: declare(output=Opaque))
    assert fault.startswith("`GET /`: `output=`: ")
    assert "Opaque" in fault


def test_a_name_that_isnt_defined_yet_is_refused_with_the_name():
    fields: dict[str, Any] = {"friend": ("Unwritten", ...)}
    Later = create_model("Later", **fields)
    [fault] = faults_of(lambda: declare(input=Later))
    assert fault == (
        "`GET /`: `input=`: `Later` refers to `Unwritten`, which isn't defined yet; "
        "define it above this line, or call `model_rebuild()` first."
    )


def test_an_endpoint_has_no_description_for_tools_alone():
    assert "desc" not in inspect.signature(pf.ToolOptions).parameters
    assert set(inspect.signature(pf.ToolOptions).parameters) >= {"name", "view", "annotations"}


@pytest.mark.parametrize("name", ["desc", "toolName", "present", "readOnlyHint"])
def test_an_unknown_tool_option_is_refused(name):
    given: dict[str, Any] = {name: "x"}
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        pf.ToolOptions(**given)
