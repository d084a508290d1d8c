"""`check_tool_view`: holding a tool view to its promises over generated full answers."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from ..contract.endpoint import Endpoint
from ..contract.tool import ToolView
from ..errors import DeclarationError, OperationError
from ..execution.answer import AnswerError, check_full
from ..execution.arguments import parse, with_defaults
from ..schema.adapter import Schema
from .builder import Builder
from .override import Overrides
from .place import Form, Place
from .promise import BrokenPromise, Trial, ViewUnderTest
from .secret import declared_names, written_names
from .sieve import Values

__all__ = ["check_tool_view"]


def check_tool_view(
    endpoint: Endpoint[Any, Any, Any, ...],
    /,
    *,
    full: Values | None = None,
    input: Values | None = None,
    forbidden_fields: Collection[str] = (),
    max_examples: int = 100,
) -> None:
    """Hold a tool view to its promises over generated full answers.

    The view must be *total* (it never raises), *synchronous*, *pure* (neither the full answer nor
    the input is changed), *deterministic* (the same answer twice, byte for byte), *accepted* by its
    schema, a *slice* if it declares no projection (the full answer's JSON pruned, and nothing
    else), and *private*: none of the forbidden fields is left at any depth, and none of their
    values is told under another name. Forbidden fields get values that are recognised wherever they
    turn up, in any case; values shorter than eight characters aren't looked for.

    Args:
        endpoint: an endpoint with a tool view, bound to a contract or not.
        full: what the handler might return; by default, anything that `output` takes.
        input: arguments as JSON objects, or parsed inputs; by default, anything that `input`
            takes. Arguments get the view's defaults and the one parse, as in a call.
        forbidden_fields: names of fields, Python's or the wire's, that a tool may not tell.
        max_examples: how many full answers to try.

    Raises:
        AssertionError: a promise is broken; the message names it and shows the smallest full answer
            that was found to break it.
        DeclarationError: the endpoint has no tool view; a forbidden name is no field of the full
            answer; no values can be generated.

    Example:
        import polyface as pf
        from typing_extensions import TypedDict
        from polyface.testing import check_tool_view

        class Card(TypedDict):
            name: str

        class Person(Card):
            email: str

        fetch = pf.with_tool_view(
            pf.get("/me", desc="Who calls.", output=Person), output=Card
        )

        def test_a_model_is_never_told_how_to_reach_a_person():
            check_tool_view(fetch, forbidden_fields=["email"])
    """
    view, output = endpoint.tool.view, endpoint.output
    if view is None or output is None:
        raise DeclarationError(
            f"{endpoint.place} has no tool view to check; declare one with `with_tool_view`."
        )
    names = frozenset(forbidden_fields)
    if full is None:
        _refuse_unknown(names, output, endpoint.place)
    tested = ViewUnderTest(endpoint.place, output, view, written_names(output.core, names))
    values = _values(output, "python", names) if full is None else full
    trials = st.tuples(
        values,
        _inputs(endpoint, view, input),
        st.sampled_from(endpoint.tool_transports),
    )
    _run(tested, trials, max_examples, own_values=full is not None)


def _run(tested: ViewUnderTest, trials: Values, max_examples: int, *, own_values: bool) -> None:
    @settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )
    @given(trials)
    def hold(drawn: tuple[Any, Any, str]) -> None:
        value, argument, source = drawn
        try:
            checked = check_full(tested.output, value)
        except AnswerError as error:
            assume(own_values)  # the schema takes it, but no answer can be written of it
            raise BrokenPromise(
                f"{tested.place}: the full answer given breaks its own schema: {error}\n"
                f"  full answer: {value!r}"
            ) from None
        tested.hold(Trial(value, checked, argument, source))

    try:
        hold()
    except BrokenPromise as broken:
        # Without the notes about Hypothesis's own function; the message has the values.
        raise AssertionError(str(broken)) from broken.__cause__


def _inputs(
    endpoint: Endpoint[Any, Any, Any, ...], view: ToolView, given_: Values | None
) -> Values:
    """What a projection sees as `call.input`."""
    schema = endpoint.input
    if schema is None:
        return st.none()
    values = _values(schema, "json", frozenset()) if given_ is None else given_

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        try:
            return parse(schema, with_defaults(view, value, schema), what="input")
        except OperationError as error:
            if given_ is None:
                assume(False)  # the view's defaults don't go with it
            raise DeclarationError(
                f"{endpoint.place}: the input {dict(value)!r} is refused: {error.message}"
            ) from error

    return values.map(read)


def _values(schema: Schema[Any], form: Form, private: frozenset[str]) -> Values:
    builder = Builder(schema.core, schema.name, Overrides({}), private)
    return builder.root(Place(form=form, finite=True, reserved=written_names(schema.core, private)))


def _refuse_unknown(names: Collection[str], output: Schema[Any], place: str) -> None:
    """A misspelt name would be looked for in vain and never be found."""
    known = {name for name, _ in declared_names(output.core)}
    unknown = sorted(set(names) - known)
    if unknown:
        listed = ", ".join(f"`{name}`" for name in unknown)
        raise DeclarationError(
            f"{place}: no field of `{output.name}` is called {listed}; its fields are "
            f"{', '.join(sorted(known))}. For keys that aren't declared, give `full=`."
        )
