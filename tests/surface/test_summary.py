"""How many operations a surface holds, by transport and by where they come from."""

import polyface as pf
from tests.surface.showcase import mixed_surface, people_service, wait_tool


def test_totals_and_sources_count_each_transport():
    summary = pf.summarize_transports(mixed_surface())
    assert summary.contract_services == 1
    assert summary.runtime_tools == 1
    assert summary.totals == {"HTTP": 3, "MCP": 2, "AGENT": 3, "CLI": 1}
    assert summary.sources == (
        pf.SourceSummary("contract", "people", 3, {"HTTP": 3, "MCP": 1, "AGENT": 2, "CLI": 1}),
        pf.SourceSummary("runtime", "jobs", 1, {"HTTP": 0, "MCP": 1, "AGENT": 1, "CLI": 0}),
    )


def test_runtime_tools_never_count_as_http():
    summary = pf.summarize_transports(pf.Surface(runtime_tools=[wait_tool()]))
    assert summary.totals == {"HTTP": 0, "MCP": 1, "AGENT": 1, "CLI": 0}
    assert summary.contract_services == 0


def test_contracts_stand_first_then_runtime_services_as_they_are_met():
    tools = [
        wait_tool(name=f"t{index}", identity=pf.Identity(service=service, operation=f"t{index}"))
        for index, service in enumerate(["zoo", "people", "zoo", "apes"])
    ]
    surface = pf.Surface([people_service("things"), people_service()], runtime_tools=tools)
    summary = pf.summarize_transports(surface)
    assert [(source.kind, source.service, source.operations) for source in summary.sources] == [
        ("contract", "things", 3),
        ("contract", "people", 3),
        ("runtime", "zoo", 2),
        ("runtime", "people", 1),
        ("runtime", "apes", 1),
    ]
    assert (summary.contract_services, summary.runtime_tools) == (2, 4)


def test_a_summary_of_a_surface_that_no_mount_takes_is_shown():
    surface = mixed_surface(runtime_tools=[wait_tool(name="search_people")])
    assert pf.summarize_transports(surface).totals["MCP"] == 2


def test_a_surface_of_nothing_is_counted():
    nothing: dict[pf.Transport, int] = {"HTTP": 0, "MCP": 0, "AGENT": 0, "CLI": 0}
    assert pf.summarize_transports(pf.Surface()) == pf.TransportSummary(0, 0, nothing, ())
