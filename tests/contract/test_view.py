import copy
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, ForwardRef, NotRequired

import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, Field, TypeAdapter, model_validator
from typing_extensions import TypedDict

import polyface as pf
from polyface.contract.expose import TOOL_TRANSPORTS
from polyface.contract.view import is_declared_view
from tests.contract.faults import faults_of, rows
from tests.contract.people import Person, PersonCard, PersonId, Search, listing

PLACE = "`GET /`"


class Paged(BaseModel):
    lo: int = 0
    hi: int = 100
    deep: int = Field(default=1, validation_alias=AliasChoices("deep", AliasPath("opt", "deep")))

    @model_validator(mode="after")
    def is_in_order(self) -> "Paged":
        if self.lo > self.hi:
            raise ValueError("lo is above hi")
        return self


class Filter(BaseModel):
    city: str


class Filtered(BaseModel):
    where: Filter
    day: date = date(2020, 1, 1)


class Renamed(BaseModel):
    page_size: int = Field(default=10, alias="pageSize")


class Listed(TypedDict):
    limit: NotRequired[int]


@dataclass
class Counted:
    limit: int = 5


def view_of(endpoint: Any = None, **view: Any) -> Any:
    return pf.with_tool_view(listing() if endpoint is None else endpoint, **view)


def cards(full: list[Person], call: Any) -> list[dict[str, Any]]:
    return [{"id": person.id, "name": person.name} for person in full]


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        ({"output": list[PersonCard]}, "slice"),
        ({"output": list[PersonCard], "project": cards}, "reshape"),
        ({"project": lambda full, call: full}, "reshape within the full schema"),
        ({"output": list[Person], "defaults": {"include": []}}, "the full answer, lighter call"),
    ],
)
def test_each_form_of_a_view_is_kept_in_the_tool_group(view, kind):
    plain = listing()
    endpoint = view_of(plain, **view)
    made = endpoint.tool.view
    assert is_declared_view(made), kind
    assert (made.output is None) == ("output" not in view)
    assert made.project is view.get("project")
    assert made.defaults == view.get("defaults", {})
    assert plain.tool.view is None
    assert endpoint.output is plain.output


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "neither output nor project": (
        view_of,
        (
            f"{PLACE}: a view declares `output=` or `project=`; to keep the full answer, write "
            "`output=list[Person]`."
        ),
    ),
    "defaults alone": (
        lambda: view_of(defaults={"include": []}),
        (
            f"{PLACE}: a view declares `output=` or `project=`; to keep the full answer, write "
            "`output=list[Person]`."
        ),
    ),
    "no endpoint": (
        lambda: view_of("people", output=list[PersonCard]),
        "`with_tool_view` takes an endpoint, such as `get(...)` returns, not `'people'`.",
    ),
    "a second view": (
        lambda: view_of(view_of(output=list[PersonCard]), output=list[PersonCard]),
        f"{PLACE}: it already has a tool view; declare one view.",
    ),
    "no tool transport": (
        lambda: view_of(listing(expose=["HTTP"]), output=list[PersonCard]),
        f"{PLACE}: a tool view needs a tool transport; add one of MCP, AGENT, CLI to `expose=`.",
    ),
    "no full output": (
        lambda: view_of(listing(output=None), output=list[PersonCard]),
        f"{PLACE}: a tool view needs a full answer; declare `output=`.",
    ),
    "HEAD": (
        lambda: view_of(pf.head("", desc="There?"), output=PersonCard),
        "`HEAD /`: it is served over HTTP only and can't have a tool view.",
    ),
    "a raw response": (
        lambda: view_of(pf.get("", desc="Raw.", response=pf.RawResponse()), output=PersonCard),
        f"{PLACE}: it is served over HTTP only and can't have a tool view.",
    ),
    "a stream": (
        lambda: view_of(
            pf.get("", desc="Streamed.", response=pf.Stream(item=Person)), output=PersonCard
        ),
        f"{PLACE}: it is served over HTTP only and can't have a tool view.",
    ),
    "response metadata": (
        lambda: view_of(
            pf.get("", desc="Headers.", output=Person, response=pf.ResponseMetadata()),
            output=PersonCard,
        ),
        f"{PLACE}: it is served over HTTP only and can't have a tool view.",
    ),
    "a raw body": (
        lambda: view_of(
            pf.post("", desc="Signed.", input=Search, output=Person, body=pf.RawBody()),
            output=PersonCard,
        ),
        "`POST /`: it is served over HTTP only and can't have a tool view.",
    ),
    "multipart": (
        lambda: view_of(
            pf.post(
                "",
                desc="Files.",
                output=Person,
                body=pf.Multipart(files={"photo": pf.FilePart()}),
            ),
            output=PersonCard,
        ),
        "`POST /`: it is served over HTTP only and can't have a tool view.",
    ),
    "a projection that cant be called": (
        lambda: view_of(project="cards"),
        f"{PLACE}: `project=` must be a function `(full, call) -> view`.",
    ),
    "defaults that are no mapping": (
        lambda: view_of(output=list[Person], defaults=["include"]),
        f"{PLACE}: `defaults=` maps argument names to JSON values.",
    ),
    "defaults without an input": (
        lambda: view_of(listing(input=None), output=list[Person], defaults={"include": []}),
        f"{PLACE}: `defaults=` needs an `input=` with declared keys to give defaults to.",
    ),
    "defaults for an input without keys": (
        lambda: view_of(
            listing(input=dict[str, int]), output=list[Person], defaults={"include": 1}
        ),
        f"{PLACE}: `defaults=` needs an `input=` with declared keys to give defaults to.",
    ),
    "a default for an unknown key": (
        lambda: view_of(output=list[Person], defaults={"include": [], "inclde": []}),
        (
            f"{PLACE}: the default `inclde` isn't an argument of `Search`; "
            "its arguments are include, limit, q."
        ),
    ),
    "a default for a key that isnt text": (
        lambda: view_of(output=list[Person], defaults={3: []}),
        (
            f"{PLACE}: the default `3` isn't an argument of `Search`; "
            "its arguments are include, limit, q."
        ),
    ),
    "a default for a path param": (
        lambda: view_of(
            pf.get("/{person_id}", desc="One.", params=PersonId, input=Search, output=Person),
            output=PersonCard,
            defaults={"person_id": "1"},
        ),
        (
            "`GET /{person_id}`: the default `person_id` is a path parameter, "
            "which every caller gives."
        ),
    ),
    "a default that its field rejects": (
        lambda: view_of(output=list[Person], defaults={"limit": "many"}),
        (
            f"{PLACE}: the default of `limit` is refused by the input: Input should be a valid "
            "integer, unable to parse string as an integer."
        ),
    ),
    "defaults that contradict each other": (
        lambda: view_of(listing(input=Paged), output=list[Person], defaults={"lo": 50, "hi": 10}),
        f"{PLACE}: the default of `Paged` is refused by the input: Value error, lo is above hi.",
    ),
    "a default for an alias path": (
        lambda: view_of(listing(input=Paged), output=list[Person], defaults={"deep": 2}),
        f"{PLACE}: `deep` is read by an alias path; it can't have a default.",
    ),
    "a default with a part missing": (
        lambda: view_of(
            listing(input=Filtered), output=list[Person], defaults={"where": {"town": "x"}}
        ),
        f"{PLACE}: the default of `where.city` is refused by the input: Field required.",
    ),
    "a default that isnt JSON": (
        lambda: view_of(
            listing(input=Filtered), output=list[Person], defaults={"day": date(2020, 1, 1)}
        ),
        f"{PLACE}: the default of `day`: A value of type `date` isn't a JSON value.",
    ),
    "a default that isnt finite": (
        lambda: view_of(output=list[Person], defaults={"limit": float("nan")}),
        f"{PLACE}: the default of `limit`: A number must be finite.",
    ),
    "a default under the Python name": (
        lambda: view_of(listing(input=Renamed), output=list[Person], defaults={"page_size": 1}),
        (
            f"{PLACE}: the default `page_size` isn't an argument of `Renamed`; "
            "its arguments are pageSize."
        ),
    ),
    "a slice named in text": (
        lambda: view_of(output=list[ForwardRef("Nobody")]),  # type: ignore[misc]
        (
            f"{PLACE}: the view's `output=`: `list['Nobody']` names a type in text, which can't be "
            "looked up from here; write `Nobody` without quotes."
        ),
    ),
}


@pytest.mark.parametrize(("declare", "fault"), rows(REFUSALS))
def test_a_view_that_cant_mean_anything_is_refused_where_it_is_written(declare, fault):
    assert faults_of(declare) == [fault]


@pytest.mark.parametrize(
    ("input_", "defaults"),
    [
        (Renamed, {"pageSize": 3}),
        (Filtered, {"where": {"city": "London"}}),
        (Filtered, {"day": "2020-02-02"}),  # the other field is for the caller to give
        (Listed, {"limit": 1}),
        (Counted, {"limit": 1}),
        (Paged, {"lo": 1, "hi": 2}),
        (Search, {}),
    ],
)
def test_a_default_is_a_json_value_under_the_fields_wire_name(input_, defaults):
    endpoint = view_of(listing(input=input_), output=list[Person], defaults=defaults)
    assert endpoint.tool.view.defaults == defaults


def test_the_applications_own_defaults_are_neither_kept_nor_frozen_nor_changed():
    own = {"include": ["tags"]}
    before = copy.deepcopy(own)
    endpoint = view_of(output=list[Person], defaults=own)
    own["include"].append("address")
    assert endpoint.tool.view.defaults == before
    assert type(own) is dict
    assert own == {"include": ["tags", "address"]}


def test_a_tool_has_no_input_schema_of_its_own():
    with pytest.raises(TypeError, match="unexpected keyword argument 'input'"):
        view_of(output=list[PersonCard], input=Search)


def test_a_view_is_no_option_of_the_tool_group():
    forged = pf.with_tool_view(listing(), output=list[PersonCard]).tool.view
    assert faults_of(lambda: listing(tool=pf.ToolOptions(view=forged))) == [
        f"{PLACE}: a view is declared with `with_tool_view(...)` only."
    ]


def test_declaring_a_view_calls_no_projection():
    seen: list[Any] = []
    view_of(project=lambda full, call: seen.append(full))
    assert seen == []


def test_every_tool_transport_alone_admits_a_view():
    for transport in TOOL_TRANSPORTS:
        endpoint = view_of(listing(expose=[transport]), output=list[PersonCard])
        assert is_declared_view(endpoint.tool.view)
    assert len(TOOL_TRANSPORTS) == 3


def test_only_a_slice_is_proved():
    proved = view_of(output=list[PersonCard]).tool.view
    reshaped = view_of(output=list[PersonCard], project=cards).tool.view
    assert proved.proved
    assert proved.findings == ()
    assert not reshaped.proved
    assert TypeAdapter(list[PersonCard]).validate_python([{"id": 1, "name": "x"}])
