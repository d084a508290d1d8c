import functools

import pytest

import polyface as pf
from polyface.operations.implement import service_operations
from tests.contract.faults import faults_of
from tests.contract.people import Person, PersonId


class People(pf.Contract, prefix="people"):
    fetch = pf.get("/{person_id}", desc="One person.", params=PersonId, output=Person)
    list_ = pf.get("", key="list", desc="Everyone.", output=list[Person])


class Others(pf.Contract, prefix="others"):
    fetch = pf.get("/{person_id}", desc="One person.", params=PersonId, output=Person)


def answer(call):
    return None


def test_a_handler_is_returned_unchanged_so_that_it_can_be_called_in_tests():
    service = pf.implement(People)
    assert service.handler(People.fetch)(answer) is answer


def test_operations_come_in_the_order_of_declaration():
    service = pf.implement(People)
    service.handler(People.list_)(answer)
    service.handler(People.fetch)(answer)
    assert [operation.label for operation in service_operations(service)] == [
        "People.fetch",
        "People.list",
    ]


def test_all_missing_handlers_are_named_with_the_line_to_write():
    assert faults_of(lambda: pf.Surface([pf.implement(People)])) == [
        "`People.fetch` has no handler; register one with `@service.handler(People.fetch)`.",
        "`People.list` has no handler; register one with `@service.handler(People.list_)`.",
    ]


@pytest.mark.parametrize(
    ("register", "fault"),
    [
        (
            lambda service: service.handler(pf.get("/x", desc="Unbound.")),
            "`GET /x` isn't an endpoint of `People`; pass it as `People.<name>`.",
        ),
        (
            lambda service: service.handler(Others.fetch),
            "`Others.fetch` isn't an endpoint of `People`; pass it as `People.<name>`.",
        ),
        (
            lambda service: service.handler(answer),
            "`handler` takes an endpoint: write `@service.handler(People.<name>)`.",
        ),
        (
            lambda service: service.handler(People.fetch)(3),
            "`People.fetch`: a handler is a function of one argument, the call.",
        ),
        (
            lambda service: service.handler(People.fetch)(lambda: None),
            (
                "`People.fetch`: a handler takes one argument, the call; `<lambda>` can't be called so "
                "(too many positional arguments)."
            ),
        ),
        (
            lambda service: service.handler(People.fetch)(lambda call, session: None),
            (
                "`People.fetch`: a handler takes one argument, the call; `<lambda>` can't be called so "
                "(missing a required argument: 'session')."
            ),
        ),
    ],
    ids=["unbound", "of another contract", "no endpoint", "no function", "too few", "too many"],
)
def test_a_registration_that_cant_work_is_refused_on_its_line(register, fault):
    assert faults_of(lambda: register(pf.implement(People))) == [fault]


def test_a_second_handler_is_refused():
    service = pf.implement(People)
    service.handler(People.fetch)(answer)
    assert faults_of(lambda: service.handler(People.fetch)) == [
        "`People.fetch` has a handler already."
    ]


def test_two_services_of_one_contract_dont_share_handlers():
    one, other = pf.implement(People), pf.implement(People)
    one.handler(People.fetch)(answer)
    other.handler(People.fetch)(answer)
    assert [repr(one), repr(other)] == ["Service(People)", "Service(People)"]


@pytest.mark.parametrize(
    "function",
    [answer, lambda call, more=1: None, lambda *calls: None, functools.partial(max, 1)],
    ids=["plain", "with a default", "with any number", "a builtin"],
)
def test_whatever_can_be_called_with_the_call_is_a_handler(function):
    assert pf.implement(People).handler(People.fetch)(function) is function


@pytest.mark.parametrize("thing", [int, object(), pf.Contract], ids=["class", "object", "base"])
def test_only_a_contract_is_implemented(thing):
    assert faults_of(lambda: pf.implement(thing)) == [
        f"`{thing!r}` isn't a contract; subclass `polyface.Contract`."
    ]
