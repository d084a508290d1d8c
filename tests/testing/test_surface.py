"""A surface of tests has another context, caller or hooks; the original stays as it is."""

import pytest
from starlette.testclient import TestClient

import polyface as pf
from polyface.http import http_app
from polyface.testing import overridden


class Told(pf.Contract, prefix="told"):
    who = pf.get("/who", desc="Who calls, with what.", output=list[str | None], scope="user")


told = pf.implement(Told)


@told.handler(Told.who)
async def tell(call: pf.Call):
    return [call.context, call.identity]


def refuse_nobody(call):
    if call.identity is None:
        raise pf.unauthorized("Say who you are.")


@pytest.fixture
def surface():
    return pf.Surface(
        services=[told],
        hooks=pf.Hooks(authorize=refuse_nobody, identify=lambda call: "asked"),
        context=lambda call: "real",
    )


async def ask(surface, **options):
    invoker = pf.tool_invoker(surface, transport="MCP")
    result = await invoker.invoke(invoker.names[0], **options)
    return result.answer if result.error is None else result.error.code


@pytest.mark.anyio
async def test_nothing_named_changes_nothing(surface):
    assert await ask(overridden(surface)) == await ask(surface) == ["real", "asked"]


@pytest.mark.anyio
async def test_a_context_takes_the_place_of_the_surfaces(surface):
    assert await ask(overridden(surface, context=lambda call: "fake")) == ["fake", "asked"]
    assert await ask(overridden(surface, context=None)) == [None, "asked"]
    assert await ask(surface) == ["real", "asked"]


@pytest.mark.anyio
async def test_a_context_that_yields_is_opened_and_closed(surface):
    log = []

    async def factory(call):
        log.append("opened")
        yield "session"
        log.append("closed")

    assert await ask(overridden(surface, context=factory)) == ["session", "asked"]
    assert log == ["opened", "closed"]


@pytest.mark.anyio
async def test_every_call_has_the_identity_whatever_its_transport_brings(surface):
    copy = overridden(surface, identity="ada")
    assert await ask(copy) == ["real", "ada"]
    assert await ask(copy, identity="eve") == ["real", "ada"]
    assert await ask(surface, identity="eve") == ["real", "eve"]


@pytest.mark.anyio
async def test_nobody_is_an_identity_too(surface):
    assert await ask(overridden(surface, identity=None), identity="eve") == "UNAUTHORIZED"


def test_the_identity_counts_over_http(surface):
    with TestClient(http_app(overridden(surface, identity="ada"))) as client:
        assert client.get("/told/who").json() == ["real", "ada"]


@pytest.mark.anyio
async def test_hooks_take_the_place_of_the_surfaces(surface):
    seen: list[pf.Call] = []
    copy = overridden(surface, hooks=pf.Hooks(authorize=seen.append))
    assert await ask(copy) == ["real", None]
    assert [call.operation.key for call in seen] == ["who"]
    assert await ask(surface) == ["real", "asked"]


def test_hooks_without_a_guard_are_refused_as_a_surface_refuses_them(surface):
    with pytest.raises(pf.DeclarationError, match=r"`Told.who` has the scope `user`"):
        overridden(surface, hooks=pf.Hooks())


@pytest.mark.anyio
async def test_a_copy_of_a_copy_keeps_both(surface):
    copy = overridden(overridden(surface, identity="ada"), context=lambda call: "fake")
    assert await ask(copy) == ["fake", "ada"]
    assert copy.operations == surface.operations
