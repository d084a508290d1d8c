"""A surface held by a committed snapshot: how drift is told, and when the file is written."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

import polyface as pf
from atlas.database import Database
from atlas.surface import build_surface
from polyface.testing import assert_surface_snapshot
from polyface.testing.drift import BROKEN_BY, describe_drift
from tests.contract.people import Person, PersonCard
from tests.execution.calls import surface_of_all
from tests.surface.showcase import mixed_surface

ATLAS = Path(__file__).parents[1] / "examples" / "atlas.snapshot.json"


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
    row = rows_of(small())["search"]
    one, two = row | {"errors": {"A": "1"}}, row | {"errors": {"A": "2"}}
    more = row | {"errors": {"A": "1", "B": "1"}}
    assert "errors: breaking for HTTP clients and models" in describe_drift([one], [two])
    assert "errors: breaking for neither" in describe_drift([one], [more])
    assert "errors: breaking for neither" in describe_drift([more], [one])


def test_what_models_are_answered_with_the_full_schema_breaks_both():
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
