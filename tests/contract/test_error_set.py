from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
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
        ("PERSON_LOCKED", None, "`PERSON_LOCKED` is raised with details of `Locked`"),
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
            NAMED=pf.ErrorDefinition(status=400, message="Named.", details="Locked"),
            BARE=odd,
        )
    ) == [
        "`personLocked` isn't an error code; write it as `PERSON_LOCKED`.",
        "`FINE`: the status `200` isn't one of an error, 400 to 599.",
        "`BLANK`: the message is empty; say what went wrong in one sentence.",
        "`NOT_FOUND` is polyface's own code with the status 404; choose another code.",
        "`LISTED`: details are a JSON object, not `list[int]`; use a model.",
        (
            "`NAMED`: `details=`: `'Locked'` names a type in text, which can't be looked up from "
            "here; write `Locked` without quotes."
        ),
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


MORE = pf.define_errors(
    PERSON_GONE=pf.ErrorDefinition(status=409, message="The person has left."),
    BAD_NAME=pf.ErrorDefinition(status=400, message="No name.", details=Locked),
)


def document_of(*declared: pf.ErrorDefinition) -> Any:
    surface = surface_of(post(output=int, errors=[*declared]), lambda call: 1)
    document = openapi_document(surface, prefix="", title="Things", version="1")
    assert [*OpenAPIV31SpecValidator(document).iter_errors()] == []
    return document


def schema_at(document: Any, status: str) -> Any:
    answer = document["paths"]["/things"]["post"]["responses"][status]
    return answer["content"]["application/json"]["schema"]


def takes(document: Any, status: str, error: pf.OperationError) -> bool:
    schema = {**schema_at(document, status), "components": document["components"]}
    return Draft202012Validator(schema).is_valid(error.envelope())


def test_a_declared_errors_details_are_a_component_and_its_status_says_so():
    document = document_of(ERRORS.PERSON_LOCKED, ERRORS.BUSY)
    assert document["components"]["schemas"]["Locked"]["required"] == ["by"]
    reference = {"$ref": "#/components/schemas/PolyfaceError"}
    said = {
        "properties": {
            "code": {"const": "PERSON_LOCKED"},
            "details": {"$ref": "#/components/schemas/Locked"},
        },
        "required": ["details"],
    }
    assert schema_at(document, "409") == {"allOf": [reference, {"properties": {"error": said}}]}
    assert schema_at(document, "503") == reference
    assert takes(document, "409", ERRORS.PERSON_LOCKED(Locked(by="ada")))
    assert not takes(document, "409", pf.OperationError("PERSON_LOCKED", details={"by": 3}))


def test_errors_that_share_a_status_are_told_apart():
    document = document_of(ERRORS.PERSON_LOCKED, MORE.PERSON_GONE, MORE.BAD_NAME)
    assert len(schema_at(document, "409")["anyOf"]) == 2
    assert takes(document, "409", ERRORS.PERSON_LOCKED(Locked(by="ada")))
    assert takes(document, "409", MORE.PERSON_GONE())
    assert not takes(document, "409", pf.OperationError("PERSON_LOCKED"))
    assert takes(document, "400", pf.OperationError("VALIDATION_ERROR"))
    assert takes(document, "400", MORE.BAD_NAME(Locked(by="ada")))
