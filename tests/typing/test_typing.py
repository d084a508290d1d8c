"""Each checker sees in each case what the case says, but for the listed exceptions."""

import importlib

import pytest

from polyface.contract.verb import OPTIONS, SCHEMAS, EndpointOptions
from tests.typing.case import CASES, Case
from tests.typing.checker import CHECKERS, Diagnostic, check_all
from tests.typing.exception import EXCEPTIONS


@pytest.fixture(scope="session")
def found() -> dict[str, list[Diagnostic]]:
    return check_all()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("checker", CHECKERS)
def test_checker_agrees_with_the_case(checker: str, case: Case, found: dict[str, list[Diagnostic]]):
    errors = [error.text for error in found[checker] if case.covers(error.file, error.line)]
    agrees = bool(errors) == (case.expected == "err")
    reason = EXCEPTIONS.get((checker, case.name))
    if reason is None:
        assert agrees, f"{case.file}.py:{case.first_line}: {errors or 'no error'}"
    else:
        assert not agrees, f"{checker} agrees by now; remove the exception: {reason}"


@pytest.mark.parametrize("checker", CHECKERS)
def test_no_error_sits_outside_the_cases(checker: str, found: dict[str, list[Diagnostic]]):
    assert [
        error
        for error in found[checker]
        if not any(case.covers(error.file, error.line) for case in CASES)
    ] == []


def test_cases_are_told_apart():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert sum(case.expected == "ok" for case in CASES) >= 150
    assert sum(case.expected == "err" for case in CASES) >= 130


def test_exceptions_name_checkers_and_cases():
    assert len(EXCEPTIONS) >= 20
    assert {checker for checker, _ in EXCEPTIONS} <= set(CHECKERS)
    assert {case for _, case in EXCEPTIONS} <= {case.name for case in CASES}


def test_the_declarations_of_the_cases_run():
    people = importlib.import_module("tests.typing.cases.people")
    assert {people.People.__name__, people.Feed.__name__} == {"People", "Feed"}


def test_typed_options_are_the_options_that_a_verb_takes():
    spelled_out = {"desc", "response", *SCHEMAS}
    assert set(EndpointOptions.__annotations__) | spelled_out == OPTIONS
