import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.faults import faults_of


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
    assert faults_of(
        lambda: pf.define_errors(
            personLocked=pf.ErrorDefinition(status=409, message="Locked."),
            FINE=pf.ErrorDefinition(status=200, message="Fine."),
            BLANK=pf.ErrorDefinition(status=400, message=" "),
            NOT_FOUND=pf.ErrorDefinition(status=410, message="Gone."),
            LISTED=pf.ErrorDefinition(status=400, message="Listed.", details=list[int]),
        )
    ) == [
        "`personLocked` isn't an error code; write it as `PERSON_LOCKED`.",
        "`FINE`: the status `200` isn't one of an error, 400 to 599.",
        "`BLANK`: the message is empty; say what went wrong in one sentence.",
        "`NOT_FOUND` is polyface's own code with the status 404; choose another code.",
        "`LISTED`: details are a JSON object, not `list[int]`; use a model.",
    ]
