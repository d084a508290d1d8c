import ast
import copy
import pickle
from collections.abc import Iterator

import pytest

import polyface as pf
from polyface.errors import UNKNOWN_CODE, CodeRow, server_fault
from tests.architecture.tree import walk_modules

ROWS = {
    "BAD_REQUEST": (400, 1, False),
    "VALIDATION_ERROR": (400, 1, False),
    "UNAUTHORIZED": (401, 2, False),
    "FORBIDDEN": (403, 3, False),
    "NOT_FOUND": (404, 4, False),
    "METHOD_NOT_ALLOWED": (405, 1, False),
    "REQUEST_TIMEOUT": (408, 7, True),
    "CONFLICT": (409, 5, False),
    "BODY_TOO_LARGE": (413, 1, False),
    "UNSUPPORTED_MEDIA_TYPE": (415, 1, False),
    "RATE_LIMITED": (429, 6, True),
    "INTERNAL_SERVER_ERROR": (500, 1, False),
    "NOT_IMPLEMENTED": (501, 1, False),
}


def codes_raised() -> Iterator[tuple[str, str]]:
    """Yield `(module, code)` for each code that the library builds an error of."""
    for module, tree in walk_modules():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            function, first = node.func, node.args[0]
            name = getattr(function, "id", getattr(function, "attr", ""))
            if name == "OperationError" and isinstance(first, ast.Constant):
                yield module, str(first.value)


@pytest.mark.parametrize(("code", "row"), ROWS.items())
def test_a_code_is_told_by_its_row(code, row):
    assert pf.ERROR_CODES[code] == CodeRow(*row)
    error = pf.OperationError(code)
    assert (error.status, error.exit_status, error.retryable) == row


def test_every_code_that_the_library_raises_has_a_row():
    raised = set(codes_raised())
    assert len(raised) >= 10
    assert (
        sorted(f"{module}: {code}" for module, code in raised if code not in pf.ERROR_CODES) == []
    )


def test_every_row_has_every_column():
    assert {*ROWS} <= {*pf.ERROR_CODES}
    for code, row in pf.ERROR_CODES.items():
        assert 400 <= row.status <= 599, code
        assert 1 <= row.exit_status <= 125, code
        assert isinstance(row.retryable, bool), code


def test_a_code_of_the_applications_own_is_a_server_error_unless_it_says_otherwise():
    assert CodeRow(500, 1, False) == UNKNOWN_CODE
    error = pf.OperationError("LOCKED_OUT", status=423, retryable=True)
    assert (error.code, error.message, error.status, error.retryable) == (
        "LOCKED_OUT",
        "LOCKED_OUT",
        423,
        True,
    )


@pytest.mark.parametrize("status", [200, 302, 399, 600, 0, -1])
def test_an_error_isnt_told_as_a_success(status):
    with pytest.raises(pf.DeclarationError) as refused:
        pf.OperationError("ODD", status=status)
    assert str(refused.value) == f"`ODD`: an error's status is 400 to 599, not {status}."


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (pf.not_found, "NOT_FOUND"),
        (pf.conflict, "CONFLICT"),
        (pf.forbidden, "FORBIDDEN"),
        (pf.unauthorized, "UNAUTHORIZED"),
    ],
)
def test_the_short_forms_build_and_raise_nothing(build, code):
    error = build("No.", id=3)
    assert (error.code, error.message, error.details) == (code, "No.", {"id": 3})
    assert str(error) == f"{code}: No."


def test_an_envelope_has_details_only_where_there_are_some():
    assert pf.not_found("Nobody.").envelope() == {
        "error": {"code": "NOT_FOUND", "message": "Nobody.", "retryable": False}
    }
    assert pf.not_found("Nobody.", id=3).envelope()["error"]["details"] == {"id": 3}


def test_details_are_copied():
    own = {"id": 3}
    error = pf.OperationError("CONFLICT", details=own)
    error.details["id"] = 4
    assert own == {"id": 3}


@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))],
)
def test_a_copy_says_the_same_and_has_no_cause(again):
    class Own(pf.OperationError): ...

    globals()["Own"] = Own
    Own.__qualname__ = "Own"
    error = Own("LOCKED_OUT", "Wait.", details={"by": "ada"}, status=423, retryable=True)
    error.add_note("a note")
    error.__cause__ = KeyError("x")
    other = again(error)
    assert type(other) is Own
    assert other.envelope() == error.envelope()
    assert (other.status, str(other), other.__notes__) == (423, "LOCKED_OUT: Wait.", ["a note"])
    assert other.__cause__ is None
    other.details["by"] = "bob"
    assert error.details == {"by": "ada"}


def test_the_tree_has_one_root():
    for kind in (pf.DeclarationError, pf.MissingExtraError, pf.OperationError):
        assert issubclass(kind, pf.PolyfaceError)
    assert issubclass(pf.MissingExtraError, ImportError)


def test_a_declaration_error_lists_its_faults():
    assert pf.DeclarationError("one").faults == ("one",)
    error = pf.DeclarationError(["one", "two"])
    assert (error.faults, str(error)) == (("one", "two"), "one\ntwo")


def test_a_missing_extra_says_how_to_install_it():
    assert str(pf.MissingExtraError("mcp", "mcp")) == (
        "`polyface.mcp` needs the package `mcp`; install it with `pip install 'polyface[mcp]'`."
    )


def test_a_server_fault_keeps_its_reason_from_the_caller():
    error = server_fault("the projection raised")
    assert error.envelope() == {
        "error": {
            "code": "INTERNAL_SERVER_ERROR",
            "message": "The operation failed on the server.",
            "retryable": False,
        }
    }
    assert error.__notes__ == ["the projection raised"]
