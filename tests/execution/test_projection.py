"""What a projection is given, and whose fault every way in which it can fail is."""

import asyncio
import gc
import logging
import warnings
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.faults import rows
from tests.contract.people import ADA, Person, PersonCard, Search, listing
from tests.execution.calls import (
    ask_http,
    call_tool,
    notes_of,
    noting,
    refused_tool,
    surface_of,
)

pytestmark = pytest.mark.anyio

INTERNAL = "The operation failed on the server."
CARDS = [{"id": 1, "name": "Ada"}]


def people(view: dict[str, Any], *, handler: Any = None, endpoint: Any = None, **hooks: Any):
    """A surface of one list of people, with a view."""
    declared = pf.with_tool_view(listing() if endpoint is None else endpoint, **view)
    return surface_of(declared, handler or (lambda call: [ADA]), hooks=pf.Hooks(**hooks))


def cards(full: list[Person], call: Any) -> list[dict[str, Any]]:
    return [{"id": person.id, "name": person.name} for person in full]


async def test_a_slice_keeps_the_declared_keys_and_the_interface_gets_everything():
    surface = people({"output": list[PersonCard]})
    assert await call_tool(surface) == CARDS
    assert (await ask_http(surface, "GET", "/things")).json == [ADA]
    assert await call_tool(surface, answer="full") == [ADA]


async def test_a_projection_is_given_the_validated_full_answer_and_nothing_of_the_context():
    seen: list[Any] = []

    def project(full, call):
        seen.append((full, call))
        return cards(full, call)

    surface = people({"output": list[PersonCard], "project": project, "defaults": {"limit": 3}})
    answer = await call_tool(surface, {"q": "a"}, source="test")
    assert answer == CARDS
    [(full, call)] = seen
    assert full == [Person.model_validate(ADA)]
    assert isinstance(full[0], Person)
    assert call == pf.ProjectionCall(input=Search(q="a", limit=3), source="test")
    assert [*type(call).__dataclass_fields__] == ["input", "source"]


async def test_a_projection_of_an_endpoint_without_input_is_given_none():
    seen: list[Any] = []
    view = {"project": lambda full, call: noting(seen, call.input) or full}
    await call_tool(people(view, endpoint=listing(input=None)))
    assert seen == [None]


async def test_a_reshape_within_the_full_schema_needs_no_schema_of_its_own():
    def project(full, call):
        return [person.model_copy(update={"email": None}) for person in full]

    surface = people({"project": project})
    assert await call_tool(surface) == [ADA | {"email": None}]
    assert (await ask_http(surface, "GET", "/things")).json == [ADA]


async def test_a_projection_may_return_whatever_its_schema_reads_from_python():
    surface = people({"output": list[PersonCard], "project": lambda full, call: tuple(full)})
    assert await call_tool(surface) == CARDS


async def test_only_a_tool_surface_projects():
    ran: list[str] = []
    surface = people({"project": lambda full, call: noting(ran, "project") and full})
    await ask_http(surface, "GET", "/things")
    await call_tool(surface, answer="full")
    assert ran == []
    await call_tool(surface, answer="tool")
    assert ran == ["project"]


async def test_the_flag_and_not_the_source_decides():
    surface = people({"output": list[PersonCard]})
    for source in ("HTTP", "MCP", "AGENT", "anything"):
        assert await call_tool(surface, answer="tool", source=source) == CARDS
        assert await call_tool(surface, answer="full", source=source) == [ADA]


async def test_the_source_reaches_the_projection_as_it_was_told():
    surface = people(
        {"output": str, "project": lambda full, call: call.source},
    )
    assert await call_tool(surface, source="nightly job") == "nightly job"


# --- faults -----------------------------------------------------------------------------------


class Rude:
    """Not a coroutine, but awaitable; it must never be waited for."""

    def __await__(self):
        raise AssertionError("it was awaited")
        yield


def raising(error: BaseException) -> Any:
    def project(full, call):
        raise error

    return project


async def coroutine(full, call):
    raise AssertionError("it ran")


async def generator(full, call):
    yield 1


def hidden(project: Any) -> Any:
    """A projection that can't be seen to be asynchronous before it is called."""
    return lambda full, call: project(full, call)  # noqa: PLW0108  # on purpose


FAILING: dict[str, tuple[Any, str]] = {
    "an error of the application's": (raising(KeyError("secret")), "the projection raised"),
    "a domain error": (raising(pf.not_found("secret")), "the projection raised"),
    "a validation error": (
        lambda full, call: PersonCard.model_validate({"secret": 1}),
        "the projection raised",
    ),
    "an answer error": (raising(pf.AnswerError("secret", "x")), "the projection raised"),
    "endless recursion": (raising(RecursionError("secret")), "the projection raised"),
    "no memory": (raising(MemoryError("secret")), "the projection raised"),
    "a cancellation": (raising(asyncio.CancelledError()), "the projection raised"),
    "an exit": (raising(SystemExit(1)), "the projection raised"),
    "the end of an iteration": (raising(StopIteration("secret")), "the projection raised"),
    "a coroutine": (hidden(coroutine), "the projection must be synchronous"),
    "an async generator": (
        hidden(generator),
        "the projection must be synchronous",
    ),
    "an awaitable": (lambda full, call: Rude(), "the projection must be synchronous"),
    "none": (lambda full, call: None, "the projection's answer breaks its schema: "),
    "another type": (lambda full, call: "secret", "the projection's answer breaks its schema: "),
    "a broken field": (
        lambda full, call: [{"id": "secret", "name": "x"}],
        "the projection's answer breaks its schema: `[0].id`: ",
    ),
    "a missing field": (
        lambda full, call: [{"id": 1}],
        "the projection's answer breaks its schema: `[0].name`: ",
    ),
}


@pytest.mark.parametrize(("project", "note"), rows(FAILING))
async def test_every_way_to_fail_is_a_server_fault_that_blames_the_projection(project, note):
    seen: list[tuple[Any, ...]] = []
    surface = people(
        {"output": list[PersonCard], "project": project},
        on_error=lambda call, error: seen.append(("error", error)),
        after_tool_call=lambda outcome: seen.append(("outcome", outcome.error, outcome.answer)),
    )
    error = await refused_tool(surface)
    assert (error.code, error.message, error.status) == ("INTERNAL_SERVER_ERROR", INTERNAL, 500)
    assert error.details == {}
    assert not error.retryable
    assert "secret" not in str(error.envelope())
    assert len(notes_of(error)) == 1
    assert notes_of(error)[0].startswith(f"Things.do: {note}")
    assert seen == [("error", error), ("outcome", error, None)]
    assert (await ask_http(surface, "GET", "/things")).json == [ADA]


async def test_the_cause_is_kept_for_hooks_and_logs(caplog):
    cause = pf.not_found("secret")
    with caplog.at_level(logging.ERROR, "polyface"):
        error = await refused_tool(people({"project": raising(cause)}))
    assert error.__cause__ is cause
    [record] = caplog.records
    assert record.getMessage() == (
        "Things.do failed: the projection raised: OperationError: NOT_FOUND: secret"
    )
    assert "secret" in caplog.text


async def test_a_coroutine_is_closed_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        await refused_tool(people({"project": hidden(coroutine)}))
        await refused_tool(people({"project": hidden(generator)}))
        gc.collect()


async def test_a_task_is_cancelled_and_no_exception_is_left_unheard():
    unheard: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: unheard.append(context))
    tasks: list[asyncio.Task[Any]] = []
    futures: list[asyncio.Future[Any]] = []

    def abandon_task(full, call):
        tasks.append(loop.create_task(coroutine(full, call)))
        return tasks[-1]

    def abandon_failure(full, call):
        futures.append(loop.create_future())
        futures[-1].set_exception(KeyError("secret"))
        return futures[-1]

    try:
        for project in (abandon_task, abandon_failure):
            error = await refused_tool(people({"project": project}))
            assert notes_of(error) == ["Things.do: the projection must be synchronous"]
        [task] = tasks
        await asyncio.wait([task])
        assert task.cancelled()
        futures.clear()
        gc.collect()
    finally:
        loop.set_exception_handler(None)
    assert unheard == []


async def test_what_stops_the_program_isnt_a_fault_of_the_projection():
    with pytest.raises(KeyboardInterrupt):
        await call_tool(people({"project": raising(KeyboardInterrupt())}))


async def test_a_full_answer_that_breaks_its_schema_is_the_handlers_fault_and_isnt_projected():
    ran: list[str] = []
    surface = people(
        {"output": list[PersonCard], "project": lambda full, call: ran.append("project")},
        handler=lambda call: [ADA | {"address": None}],
    )
    error = await refused_tool(surface)
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error)[0].startswith(
        "Things.do: the handler's answer breaks its schema: `[0].address`: "
    )
    assert ran == []


async def test_a_slice_of_a_broken_full_answer_is_a_fault_even_where_the_card_would_hold():
    surface = people({"output": list[PersonCard]}, handler=lambda call: [{"id": 1, "name": "Ada"}])
    error = await refused_tool(surface)
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error)[0].startswith(
        "Things.do: the handler's answer breaks its schema: `[0].address`: "
    )


async def test_a_projection_may_return_none_where_its_schema_takes_it():
    surface = people({"output": PersonCard | None, "project": lambda full, call: None})
    assert await call_tool(surface) is None


async def test_an_undecided_slice_is_checked_on_each_call_and_the_handler_isnt_blamed():
    class Tight(BaseModel):
        n: int

    class Open(BaseModel, extra="allow"):
        a: int

    endpoint = pf.with_tool_view(pf.get("", desc="Open.", output=Open), output=Tight)
    assert endpoint.tool.view is not None
    assert not endpoint.tool.view.proved
    answers = [{"a": 1, "n": 2}, {"a": 1}, {"a": 1, "n": "2"}]
    surface = surface_of(endpoint, lambda call: answers.pop(0))
    assert await call_tool(surface) == {"n": 2}
    for said in ("Field required", "Input should be a valid integer"):
        error = await refused_tool(surface)
        assert error.code == "INTERNAL_SERVER_ERROR"
        assert notes_of(error) == [
            f"Things.do: the view's slice doesn't take the full answer: `n`: {said}"
        ]
