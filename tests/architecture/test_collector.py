"""One collector serves the mounts and all of introspection, and nothing else walks services."""

import ast
import inspect
import typing

import pytest

import polyface as pf
from polyface import http, mcp, testing
from tests.architecture.tree import find_imports, walk_modules

# Read-only rows and digests never refuse, so they read the inventory and not what was checked.
ROWS = {"polyface.surface.listing", "polyface.surface.snapshot"}
READERS = (
    pf.build_tool_manifest,
    pf.describe_tool_catalog,
    pf.list_tool_names,
    pf.summarize_transports,
    pf.surface_snapshot,
    testing.assert_surface_snapshot,
)


def modules_that_use(*names: str) -> set[str]:
    """Name the modules in which one of the names is read, called or imported."""
    found: set[str] = set()
    for module, tree in walk_modules():
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        used |= {name.rpartition(".")[2] for name in find_imports(module, tree)}
        if used & set(names):
            found.add(module)
    return found


def test_only_the_collector_and_the_inventory_walk_services():
    assert modules_that_use("service_operations") == {"polyface.surface.inventory"}
    assert modules_that_use("read_operations") == {"polyface.surface.surface"}
    assert modules_that_use("operation_of") == {"polyface.operations.implement"}
    walkers = {module for module in modules_that_use("operations") if ".surface." in module}
    assert walkers == {"polyface.surface.collect", "polyface.surface.inventory"} | ROWS


def test_every_mount_asks_the_collector():
    mounts = {
        "polyface.http.app": "collect_http",
        "polyface.mcp.server": "collect_tools",
        "polyface.invoker": "collect_tools",
        "polyface.surface.manifest": "collect_documents",
    }
    for module, function in mounts.items():
        assert module in modules_that_use(function), module
    callers = modules_that_use("collect_http", "collect_tools", "collect_documents")
    assert callers - {"polyface.surface.collect"} >= set(mounts)


def test_only_the_collector_makes_documents_and_tools():
    assert modules_that_use("tool_document") == {"polyface.surface.collect"}
    assert modules_that_use("arguments_document") == {"polyface.surface.document"}


def test_the_mountable_isnt_exported():
    internal = {
        "Tool", "ToolDocument", "Runner", "Operation", "Answer", "ToolArrival",
        "collect_documents", "collect_http", "collect_tools", "tool_document", "service_operations",
    }  # fmt: skip
    for package in (pf, http, mcp, testing):
        assert len(package.__all__) >= 1
        assert internal.isdisjoint(package.__all__), package
        assert internal.isdisjoint(vars(package)), package


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_no_reader_has_an_overload_or_takes_anything_but_a_surface(reader):
    assert typing.get_overloads(reader) == []
    first, *others = inspect.signature(reader).parameters.values()
    assert first.name == "surface"
    assert first.annotation == "Surface[Any]"
    assert {item.name for item in others}.isdisjoint({"services", "runtime_tools", "contracts"})
    assert all(item.kind is item.KEYWORD_ONLY or item.name == "path" for item in others), (
        "a reader's choices are keywords"
    )
