"""Services that need a context, and surfaces that have none."""

from typing import Any

import pytest

import polyface as pf
from tests.contract.faults import faults_of


class Store: ...


class Things(pf.Contract, prefix="things"):
    count = pf.get("", desc="How many.", output=int)


def service(context: Any) -> Any:
    made = pf.implement(Things, context=context)
    made.handler(Things.count)(lambda call: 1)
    return made


def test_a_service_that_names_a_context_is_refused_where_there_is_none():
    assert faults_of(lambda: pf.Surface([service(Store)])) == [
        (
            "`Service(Things)` names the context `Store`, but the surface has no `context=`; "
            "give the function that makes one for each call."
        )
    ]


@pytest.mark.parametrize("context", [None, object, Any, Store | None], ids=str)
def test_a_service_that_can_do_without_a_context_needs_none(context):
    assert len(pf.Surface([service(context)]).operations) == 1


def test_a_surface_with_a_context_serves_them_all():
    services = (service(context) for context in (Store,))
    assert len(pf.Surface(services, context=lambda call: Store()).operations) == 1
