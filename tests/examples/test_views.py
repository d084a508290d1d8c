"""The views of the atlas keep their promises, whatever the countries are."""

from collections.abc import Collection
from typing import Any

import pytest

import polyface as pf
from atlas.contract import Countries
from polyface.testing import check_tool_view

# endpoint → fields of a full country that a model is never told
VIEWS: dict[pf.Endpoint[Any, Any, Any, ...], Collection[str]] = {
    Countries.list_: ["borders", "currencies", "idd", "latlng", "note"],
    Countries.get: [],
    Countries.neighbours: ["currencies", "idd", "latlng", "note", "native"],
}


@pytest.mark.parametrize("endpoint", VIEWS, ids=lambda endpoint: endpoint.key)
def test_a_view_keeps_its_promises(endpoint: pf.Endpoint[Any, Any, Any, ...]):
    check_tool_view(endpoint, forbidden_fields=VIEWS[endpoint], max_examples=15)


def test_every_view_of_the_atlas_is_held():
    declared = [item for item in vars(Countries).values() if isinstance(item, pf.Endpoint)]
    assert len(declared) == 4
    assert {item for item in declared if item.tool.view is not None} == set(VIEWS)


def test_a_note_that_was_forbidden_would_be_found():
    with pytest.raises(AssertionError, match=r"isn't private: `note` is left"):
        check_tool_view(Countries.get, forbidden_fields=["note"], max_examples=10)
