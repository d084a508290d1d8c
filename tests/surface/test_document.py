"""What a tool surface says of an operation beside its schemas."""

from typing import Any

import pytest

import polyface as pf
from polyface.surface.collect import collect_documents
from polyface.surface.document import annotations_document
from tests.execution.calls import surface_of


def operation_of(method: str = "POST", **options: Any) -> Any:
    declare: Any = getattr(pf, method.lower())
    endpoint = declare("", **{"desc": "Do it."} | options)
    return surface_of(endpoint, lambda call: None).operations[0]


@pytest.mark.parametrize(
    ("annotations", "shown"),
    [
        ({"title": "Find"}, {"title": "Find"}),
        ({"read_only": True}, {"readOnlyHint": True}),
        ({"read_only": False}, {"readOnlyHint": False}),
        ({"destructive": False}, {"destructiveHint": False}),
        ({"idempotent": True}, {"idempotentHint": True}),
        ({"open_world": False}, {"openWorldHint": False}),
        ({}, {}),
    ],
    ids=str,
)
def test_annotations_are_told_under_the_names_of_the_protocol(annotations, shown):
    options = pf.ToolOptions(annotations=pf.ToolAnnotations(**annotations))
    assert annotations_document(operation_of(tool=options)) == shown


def test_what_follows_from_the_endpoint_is_told_unless_it_says_otherwise():
    assert annotations_document(operation_of("GET")) == {"readOnlyHint": True}
    assert annotations_document(operation_of("PUT", idempotent=True)) == {"idempotentHint": True}
    denying = pf.ToolOptions(annotations=pf.ToolAnnotations(read_only=False, idempotent=False))
    assert annotations_document(operation_of("GET", idempotent=True, tool=denying)) == {
        "readOnlyHint": False,
        "idempotentHint": False,
    }


def test_a_tool_is_described_by_its_endpoints_one_description():
    surface = surface_of(pf.get("", desc="Find people."), lambda call: None)
    [document] = collect_documents(surface, "MCP")
    assert document.description == "Find people."


def test_a_document_is_made_once_and_cant_be_changed():
    surface = surface_of(pf.get("", desc="Find people.", output=int), lambda call: 1)
    [one], [other] = collect_documents(surface, "MCP"), collect_documents(surface, "AGENT")
    assert one is other
    with pytest.raises(TypeError):
        one.input_schema["type"] = "array"
    assert one.input_schema["type"] == "object"
