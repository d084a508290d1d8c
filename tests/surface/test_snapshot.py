"""A surface as digests: what moves them, and how drift is told."""

import copy
import json
import os
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

import polyface as pf
from atlas.database import Database
from atlas.surface import build_surface
from polyface.testing import assert_surface_snapshot
from polyface.testing.drift import BROKEN_BY
from tests.contract.people import Person, PersonCard
from tests.execution.calls import post, surface_of, surface_of_all
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
        {"body": pf.RawBody(), "input": Ask},
        {"body": pf.Multipart(files={"a": pf.FilePart()}), "input": Ask},
        {"body": pf.Multipart(files={"a": pf.FilePart(required=False)}), "input": Ask},
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


# --- drift -----------------------------------------------------------------------------------


class Ask(BaseModel):
    q: str = Field("", description="Words.")
    limit: int = 10


class AskMore(Ask):
    page: int = 0


AskMore.__name__ = "Ask"


class AskBetter(BaseModel):
    q: str = Field("", description="Words that must all occur.")
    limit: int = 10


AskBetter.__name__ = "Ask"


class NewCard(PersonCard):
    email: str | None


NewCard.__name__ = "PersonCard"


def small(
    *, input_: Any = Ask, card: Any = PersonCard, path: str = "", **options: Any
) -> pf.Surface[Any]:
    endpoint = pf.with_tool_view(
        pf.get(path, desc="Search.", input=input_, output=list[Person], **options),
        output=list[card],
    )
    others = {"remove": (pf.delete("/all", desc="Remove all.", input=Ask), lambda call: None)}
    return surface_of_all({"search": (endpoint, lambda call: [])} | others)


def report_of(tmp_path: Path, changed: pf.Surface[Any]) -> str:
    path = tmp_path / "small.snapshot.json"
    assert_surface_snapshot(small(), path, update=True)
    with pytest.raises(AssertionError) as drift:
        assert_surface_snapshot(changed, path)
    head, body = str(drift.value).split("\n\n", 1)
    body, remedy = body.rsplit("\n\n", 1)
    assert head == "The surface isn't the one in `small.snapshot.json`."
    assert remedy == (
        "If that is meant, write it anew: run the test with `POLYFACE_SNAPSHOT=update`, "
        "or pass `update=True` once."
    )
    return body


def rows_of(surface: pf.Surface[Any]) -> dict[str, dict[str, Any]]:
    return {row["operation"]: row for row in pf.surface_snapshot(surface)["operations"]}


def moved(field: str, changed: pf.Surface[Any], *, words: bool = False) -> list[str]:
    """The two lines of a schema's digests."""
    before, after = rows_of(small())["search"][field], rows_of(changed)["search"][field]
    contract = (
        f"{before['contract']} (unchanged)"
        if words
        else f"{before['contract']} → {after['contract']}"
    )
    return [f"    wire     {before['wire']} → {after['wire']}", f"    contract {contract}"]


def test_a_new_argument_is_breaking_for_both(tmp_path):
    changed = small(input_=AskMore)
    assert report_of(tmp_path, changed).splitlines() == [
        "things.search (contract)",
        "  input: breaking for HTTP clients",
        *moved("input", changed),
        "  tool_input: breaking for models",
        *moved("tool_input", changed),
    ]


def test_a_better_wording_is_breaking_for_neither(tmp_path):
    changed = small(input_=AskBetter)
    assert report_of(tmp_path, changed).splitlines() == [
        "things.search (contract)",
        "  input: breaking for neither models nor HTTP clients",
        *moved("input", changed, words=True),
        "  tool_input: breaking for neither models nor HTTP clients",
        *moved("tool_input", changed, words=True),
    ]


def test_another_slice_is_breaking_for_models_alone(tmp_path):
    changed = small(card=NewCard)
    before, after = (rows_of(item)["search"]["tool_view"] for item in (small(), changed))
    assert report_of(tmp_path, changed).splitlines() == [
        "things.search (contract)",
        "  tool_view: breaking for models",
        (
            f"    defaults none, output wire {before['output']['wire']}, "
            f"contract {before['output']['contract']}, project False → "
            f"defaults none, output wire {after['output']['wire']}, "
            f"contract {after['output']['contract']}, project False"
        ),
    ]


def test_another_path_is_breaking_for_http_clients_alone(tmp_path):
    assert report_of(tmp_path, small(path="/found")).splitlines() == [
        "things.search (contract)",
        "  http: breaking for HTTP clients",
        "    method GET, path /things, status 200 → method GET, path /things/found, status 200",
    ]


def test_an_operation_that_goes_is_breaking_for_both_and_one_that_comes_for_neither(tmp_path):
    endpoint = pf.post("/new", desc="Add.", input=Ask)
    service = surface_of_all(
        {
            "add": (endpoint, lambda call: None),
            "remove": (pf.delete("/all", desc="Remove all.", input=Ask), lambda call: None),
        }
    )
    assert report_of(tmp_path, service).splitlines() == [
        "things.add (contract)",
        "  operation: breaking for neither models nor HTTP clients",
        "    absent → added",
        "",
        "things.search (contract)",
        "  operation: breaking for HTTP clients and models",
        "    present → removed",
    ]


def test_a_transport_that_goes_is_told_once(tmp_path):
    assert report_of(tmp_path, small(expose=["HTTP", "AGENT"])).splitlines() == [
        "things.search (contract)",
        "  transports: breaking for models",
        "    HTTP, MCP, AGENT → HTTP, AGENT",
    ]
    assert report_of(tmp_path, small(expose=["MCP", "AGENT"])).splitlines() == [
        "things.search (contract)",
        "  transports: breaking for HTTP clients",
        "    HTTP, MCP, AGENT → MCP, AGENT",
    ]


def test_every_field_of_a_row_has_a_rule():
    named = {"kind", "service", "operation", "transports"}
    rows = pf.surface_snapshot(mixed_surface())["operations"]
    assert {key for row in rows for key in row} == named | set(BROKEN_BY)


@pytest.mark.parametrize("field", BROKEN_BY)
def test_no_change_of_a_row_goes_untold(field, tmp_path):
    path = tmp_path / "small.json"
    snapshot = pf.surface_snapshot(small())
    row = next(row for row in snapshot["operations"] if row["operation"] == "search")
    digests = {"wire": "0" * 16, "contract": "1" * 16}
    row[field] = {
        "http": {"method": "PUT"},
        "errors": {"GONE": "0" * 16},
        "tool_view": {"defaults": "0" * 16, "output": None, "project": True},
    }.get(field, digests if isinstance(row[field], dict) else "other")
    path.write_text(json.dumps(snapshot))
    with pytest.raises(AssertionError, match=f"  {field}: breaking for"):
        assert_surface_snapshot(small(), path)


def test_an_error_that_callers_know_is_breaking_and_one_more_is_not():
    from polyface.testing.drift import describe_drift

    row = rows_of(small())["search"]
    one, two = row | {"errors": {"A": "1"}}, row | {"errors": {"A": "2"}}
    more = row | {"errors": {"A": "1", "B": "1"}}
    assert "errors: breaking for HTTP clients and models" in describe_drift([one], [two])
    assert "errors: breaking for neither" in describe_drift([one], [more])
    assert "errors: breaking for neither" in describe_drift([more], [one])


def test_what_models_are_answered_with_the_full_schema_breaks_both():
    from polyface.testing.drift import describe_drift

    row = rows_of(small())["remove"] | {"output": {"wire": "1", "contract": "1"}}
    told = describe_drift([row], [row | {"output": {"wire": "2", "contract": "2"}}])
    assert "output: breaking for HTTP clients and models" in told


# --- the file --------------------------------------------------------------------------------


def test_a_missing_file_is_written_only_when_that_is_asked_for(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    monkeypatch.delenv("POLYFACE_SNAPSHOT", raising=False)
    with pytest.raises(AssertionError, match=r"There is no snapshot at .*POLYFACE_SNAPSHOT=update"):
        assert_surface_snapshot(small(), path)
    assert not path.exists()
    monkeypatch.setenv("POLYFACE_SNAPSHOT", "update")
    assert_surface_snapshot(small(), path)
    written = path.read_bytes()
    with pytest.raises(AssertionError):
        assert_surface_snapshot(small(path="/x"), path, update=False)
    assert path.read_bytes() == written
    monkeypatch.setenv("POLYFACE_SNAPSHOT", "1")
    assert_surface_snapshot(small(), path)
    with pytest.raises(AssertionError):
        assert_surface_snapshot(small(path="/x"), path)
    assert path.read_bytes() == written


@pytest.mark.parametrize("name", ["snapshot_version", "digest_version"])
@pytest.mark.parametrize("version", [0, 2, None, "1"])
def test_another_version_is_refused_first_with_both_and_the_remedy(name, version, tmp_path):
    path = tmp_path / "a.json"
    snapshot = copy.deepcopy(pf.surface_snapshot(small()))
    snapshot[name] = version
    snapshot["operations"] = []
    path.write_text(json.dumps(snapshot))
    with pytest.raises(AssertionError) as refused:
        assert_surface_snapshot(small(), path)
    assert str(refused.value).startswith(
        f"`a.json` has the {name.replace('_', ' ')} {version}, and this polyface writes 1: "
        f"the two can't be compared. Check out the commit"
    )
    assert "POLYFACE_SNAPSHOT=update" in str(refused.value)
    assert "things.search" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"operations": 3}', "null", "\x00"])
def test_a_file_that_is_no_snapshot_is_refused(text, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AssertionError, match="isn't a surface snapshot"):
        assert_surface_snapshot(small(), path)
    assert path.read_text() == text


class Closed(Database):
    """A database that nothing asks."""

    def __init__(self) -> None:
        pass


def test_the_atlas_is_the_committed_one_byte_for_byte(tmp_path):
    surface = build_surface(Closed())
    assert_surface_snapshot(surface, ATLAS)
    written = tmp_path / ATLAS.name
    assert_surface_snapshot(surface, written, update=True)
    assert written.read_bytes() == ATLAS.read_bytes()
    assert os.environ.get("POLYFACE_SNAPSHOT") != "update"
