"""A surface as digests: what moves them, and how drift is told."""

import json
from pathlib import Path
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

import polyface as pf
from tests.contract.people import Person
from tests.execution.calls import post, surface_of
from tests.surface.showcase import Waited, mixed_surface, wait_tool

ATLAS = Path(__file__).parents[1] / "examples" / "atlas.snapshot.json"


def row_of(surface: pf.Surface[Any]) -> dict[str, Any]:
    [row] = pf.surface_snapshot(surface)["operations"]
    made: dict[str, Any] = row
    return made


def taking(type_: Any, **options: Any) -> dict[str, Any]:
    return row_of(surface_of(post(input=type_, output=type_), lambda call: None, **options))


# --- what a row says -------------------------------------------------------------------------


def test_a_snapshot_has_versions_and_a_sorted_row_for_each_operation():
    snapshot = pf.surface_snapshot(mixed_surface())
    assert {key: value for key, value in snapshot.items() if key != "operations"} == {
        "snapshot_version": 1,
        "digest_version": 1,
    }
    rows = snapshot["operations"]
    assert [(row["service"], row["operation"], row["kind"]) for row in rows] == [
        ("jobs", "wait", "runtime"),
        ("people", "get", "contract"),
        ("people", "raw", "contract"),
        ("people", "search", "contract"),
    ]


def test_a_snapshot_is_json_and_the_same_each_time():
    one, two = (json.dumps(pf.surface_snapshot(mixed_surface())) for _ in range(2))
    assert one == two


def test_a_view_has_its_members_only_where_it_is_declared():
    rows = {row["operation"]: row for row in pf.surface_snapshot(mixed_surface())["operations"]}
    assert [name for name, row in rows.items() if "tool_view" in row] == ["search"]
    view = rows["search"]["tool_view"]
    assert set(view) == {"defaults", "output", "project"}
    assert view["defaults"] == pf.digest({"include": []})
    assert view["project"] is False
    assert view["output"] != rows["search"]["output"]


def test_empty_defaults_and_an_answer_that_stays_are_null():
    endpoint = pf.with_tool_view(post(output=Person), project=lambda full, call: full)
    assert row_of(surface_of(endpoint, lambda call: None))["tool_view"] == {
        "defaults": None,
        "output": None,
        "project": True,
    }


def test_a_row_says_where_an_operation_is_reached():
    rows = {row["operation"]: row for row in pf.surface_snapshot(mixed_surface())["operations"]}
    assert rows["wait"]["http"] is None
    assert rows["wait"]["transports"] == ["MCP", "AGENT"]
    assert rows["raw"]["tool_name"] is rows["raw"]["annotations"] is None
    assert "tool_input" not in rows["raw"]
    assert rows["get"]["http"] == {"method": "GET", "path": "/people/{person_id}", "status": 200}


def test_what_a_model_is_shown_includes_extension_and_presentation():
    class Tenancy(BaseModel):
        tenant: str

    class Cat(BaseModel):
        kind: Literal["cat"]

    class Dog(BaseModel):
        kind: Literal["dog"]

    class Owner(BaseModel):
        pet: Cat | Dog = Field(discriminator="kind")

    extension = pf.Extension(arguments=Tenancy, resolve=lambda *_: None)
    flat = pf.PresentationOptions(flatten_unions=True)
    rows = [taking(Owner), taking(Owner, extension=extension), taking(Owner, presentation=flat)]
    assert len({row["tool_input"]["contract"] for row in rows}) == 3
    assert len({row["input"]["contract"] for row in rows}) == 1


def test_a_surface_that_no_mount_takes_has_a_snapshot():
    surface = mixed_surface(runtime_tools=[wait_tool(name="search_people")])
    assert len(pf.surface_snapshot(surface)["operations"]) == 4


def test_what_only_http_serves_is_in_its_row():
    class Other(BaseModel):
        b: int

    kinds: list[dict[str, Any]] = [
        {"response": pf.Stream(item=Person)},
        {"response": pf.Stream(item=Other)},
        {"response": pf.Stream(item=Person, framing="sse")},
        {"response": pf.RawResponse()},
        {"response": pf.RawResponse(content_type="text/csv")},
        {"body": pf.RawBody(), "input": Other},
        {"body": pf.Multipart(files={"a": pf.FilePart()}), "input": Other},
        {"body": pf.Multipart(files={"a": pf.FilePart(required=False)}), "input": Other},
        {},
    ]
    rows = [
        row_of(surface_of(post(expose=["HTTP"], **kind), lambda call: None))["http"]
        for kind in kinds
    ]
    assert len({json.dumps(row) for row in rows}) == len(kinds)
    assert set(rows[-1]) == {"method", "path", "status"}


# --- what moves a digest ---------------------------------------------------------------------

TYPES: dict[str, Any] = {
    "int": int,
    "str": str,
    "list": list[int],
    "nullable": str | None,
    "record": Waited,
    "choice": Literal["a", "b"],
}
FIELDS = st.dictionaries(
    st.from_regex(r"[a-z]{1,6}_x", fullmatch=True),
    st.tuples(st.sampled_from([*TYPES]), st.booleans()),
    min_size=1,
    max_size=4,
)


def model(fields: dict[str, tuple[str, bool]], *, name: str = "Made", words: str = "") -> Any:
    given: dict[str, Any] = {
        key: (TYPES[kind], Field(... if required else None, description=words or None))
        for key, (kind, required) in fields.items()
    }
    return create_model(name, **given)


@settings(max_examples=25)
@given(FIELDS, st.randoms(use_true_random=False))
def test_the_order_of_properties_changes_nothing(fields, random):
    shuffled = [*fields.items()]
    random.shuffle(shuffled)
    assert taking(model(fields)) == taking(model(dict(shuffled)))


@settings(max_examples=25)
@given(FIELDS, st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_wording_changes_the_wire_digest_only(fields, words):
    before, after = taking(model(fields)), taking(model(fields, name="Renamed", words=words))
    for name in ("input", "output", "tool_input"):
        assert before[name]["contract"] == after[name]["contract"]
        assert before[name]["wire"] != after[name]["wire"]


@settings(max_examples=25)
@given(FIELDS, st.data())
def test_meaning_changes_the_contract_digest(fields, data):
    name = data.draw(st.sampled_from([*fields]))
    kind, required = fields[name]
    others = [other for other in TYPES if other != kind]
    changed = data.draw(
        st.sampled_from(
            [
                {**fields, name: (kind, not required)},
                {**fields, name: (data.draw(st.sampled_from(others)), required)},
                {**fields, "another_y": ("int", required)},
                {key: value for key, value in fields.items() if key != name},
            ]
        )
    )
    before, after = taking(model(fields)), taking(model(changed))
    for digests in ("input", "tool_input"):
        assert before[digests]["contract"] != after[digests]["contract"]
        assert before[digests]["wire"] != after[digests]["wire"]
