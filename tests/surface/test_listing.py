"""Every tool name there is, broken ones included."""

import polyface as pf
from polyface.surface.collect import collect_tools
from tests.contract.faults import faults_of
from tests.surface.showcase import mixed_surface, people_service, wait_tool


def test_rows_say_where_a_name_comes_from_and_where_it_goes():
    assert pf.list_tool_names(mixed_surface()) == (
        pf.ToolName("contract", "get_people", "people", "get", ("AGENT", "CLI")),
        pf.ToolName("contract", "search_people", "people", "search", ("MCP", "AGENT")),
        pf.ToolName("runtime", "wait", "jobs", "wait", ("MCP", "AGENT")),
    )


def test_transports_stand_in_their_fixed_order():
    surface = mixed_surface(runtime_tools=[wait_tool(expose=["AGENT", "MCP"])])
    assert pf.list_tool_names(surface)[-1].transports == ("MCP", "AGENT")


def test_what_no_tool_transport_reaches_has_no_row():
    assert len(mixed_surface().operations) == 4
    assert "raw" not in {row.method for row in pf.list_tool_names(mixed_surface())}


def test_rows_are_sorted_by_name_then_service_by_code_point():
    tools = [
        wait_tool(name=name, identity=pf.Identity(service=service, operation=name))
        for name, service in [("b", "z"), ("B", "a"), ("b", "a"), ("_", "a"), ("a", "a")]
    ]
    rows = pf.list_tool_names(pf.Surface(runtime_tools=tools))
    found = [(row.name, row.service) for row in rows]
    assert found == [("B", "a"), ("_", "a"), ("a", "a"), ("b", "a"), ("b", "z")]


def test_duplicates_and_illegal_names_are_shown_where_a_mount_refuses_them():
    surface = mixed_surface(
        services=[people_service("--"), people_service("a" * 60)],
        runtime_tools=[wait_tool(name=f"get_{'a' * 60}"), wait_again()],
    )
    names = [row.name for row in pf.list_tool_names(surface)]
    assert names == [
        "get___",
        f"get_{'a' * 60}",
        f"get_{'a' * 60}",
        "search___",
        f"search_{'a' * 60}",
        "wait",
    ]
    assert len(faults_of(lambda: collect_tools(surface, "AGENT"))) >= 3


def wait_again() -> object:
    return wait_tool(identity=pf.Identity(service="jobs", operation="again"))


def test_two_rows_of_one_name_say_which_is_which():
    surface = mixed_surface(runtime_tools=[wait_tool(name="search_people")])
    rows = [row for row in pf.list_tool_names(surface) if row.name == "search_people"]
    assert [(row.kind, row.service) for row in rows] == [
        ("runtime", "jobs"),
        ("contract", "people"),
    ]


def test_a_surface_of_nothing_has_no_rows():
    assert pf.list_tool_names(pf.Surface()) == ()
