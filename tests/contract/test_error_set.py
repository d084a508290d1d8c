from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http.openapi import openapi_document
from tests.contract.faults import faults_of
from tests.execution.calls import ask_http, post, refused_tool, surface_of


class Locked(BaseModel):
    by: str
    seconds: int = 60


ERRORS = pf.define_errors(
    PERSON_LOCKED=pf.ErrorDefinition(status=409, message="The person is locked.", details=Locked),
    BUSY=pf.ErrorDefinition(status=503, message="Try again later.", retryable=True),
)


def test_a_definition_builds_an_error_and_raises_nothing():
    error = ERRORS.BUSY()
    assert isinstance(error, pf.OperationError)
    assert (error.code, error.message, error.status) == ("BUSY", "Try again later.", 503)
    assert (error.retryable, error.details) == (True, {})


def test_details_are_written_by_their_type():
    error = ERRORS.PERSON_LOCKED(Locked(by="ada"), message="Ada has it.")
    assert error.details == {"by": "ada", "seconds": 60}
    assert error.message == "Ada has it."
    assert not error.retryable


def test_details_that_break_their_type_are_refused():
    with pytest.raises(pf.AnswerError):
        ERRORS.PERSON_LOCKED({"by": 3})


@pytest.mark.parametrize(
    ("code", "details", "said"),
    [
        ("BUSY", {"x": 1}, "`BUSY` is raised with no details"),
        ("PERSON_LOCKED", None, "`PERSON_LOCKED` is raised with details of"),
    ],
)
def test_details_are_given_exactly_where_they_are_declared(code, details, said):
    with pytest.raises(TypeError, match=said):
        getattr(ERRORS, code)(details)


def test_a_set_knows_its_own_errors():
    assert ERRORS.BUSY() in ERRORS
    assert pf.not_found("x") not in ERRORS
    assert ValueError("BUSY") not in ERRORS
    assert [definition.code for definition in ERRORS] == ["PERSON_LOCKED", "BUSY"]
    with pytest.raises(AttributeError, match="there is no error `BUSYY` in this set"):
        assert ERRORS.BUSYY is not None


def test_every_fault_of_a_set_is_told_at_once():
    odd: Any = 404
    assert faults_of(
        lambda: pf.define_errors(
            personLocked=pf.ErrorDefinition(status=409, message="Locked."),
            FINE=pf.ErrorDefinition(status=200, message="Fine."),
            BLANK=pf.ErrorDefinition(status=400, message=" "),
            NOT_FOUND=pf.ErrorDefinition(status=410, message="Gone."),
            LISTED=pf.ErrorDefinition(status=400, message="Listed.", details=list[int]),
            BARE=odd,
        )
    ) == [
        "`personLocked` isn't an error code; write it as `PERSON_LOCKED`.",
        "`FINE`: the status `200` isn't one of an error, 400 to 599.",
        "`BLANK`: the message is empty; say what went wrong in one sentence.",
        "`NOT_FOUND` is polyface's own code with the status 404; choose another code.",
        "`LISTED`: details are a JSON object, not `list[int]`; use a model.",
        "`BARE` is declared by `ErrorDefinition(status=..., message=...)`, not `404`.",
    ]


async def answer_of(surface: pf.Surface[Any]) -> list[Any]:
    tool = (await refused_tool(surface)).envelope()
    reply = await ask_http(surface, "POST", "/things")
    return [tool, reply.json, reply.status]


@pytest.mark.anyio
async def test_a_declared_error_is_told_alike_on_every_mount():
    def handler(call):
        raise ERRORS.PERSON_LOCKED(Locked(by="ada"))

    told = {
        "error": {
            "code": "PERSON_LOCKED",
            "message": "The person is locked.",
            "details": {"by": "ada", "seconds": 60},
            "retryable": False,
        }
    }
    endpoint = post(output=int, errors=[ERRORS.PERSON_LOCKED])
    assert await answer_of(surface_of(endpoint, handler)) == [told, told, 409]


def test_the_errors_that_an_endpoint_declares_are_documented():
    surface = surface_of(post(output=int, errors=[*ERRORS]), lambda call: 1)
    document = openapi_document(surface, prefix="", title="Things", version="1")
    answers = document["paths"]["/things"]["post"]["responses"]
    assert answers["409"]["description"] == "`PERSON_LOCKED`: The person is locked."
    assert answers["503"]["description"] == "`BUSY`: Try again later."
