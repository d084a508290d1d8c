"""Every option of the public configuration has a test that shows what it does.

An option that is accepted and does nothing is the commonest defect of a library like this one. Who
adds an option adds its row; a row names the test that fails when the option isn't honoured.
"""

import inspect
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import polyface as pf
from polyface.contract.verb import OPTIONS
from tests.test_seeds import FOLDER, functions_of

CALL_ORDER = "execution/test_order.py::test_a_tool_call_runs_its_stages_in_the_documented_order"
OPENAPI = "http/test_openapi.py::test_an_operation_says_what_it_is"
ANNOTATIONS = "surface/test_document.py::test_annotations_are_told_under_the_names_of_the_protocol"

EFFECTS: dict[str, dict[str, str]] = {
    "get, post, put, patch, delete, head": {
        "desc": "surface/test_document.py::"
        "test_a_tool_is_described_by_its_endpoints_one_description",
        "params": "execution/test_arguments.py::"
        "test_params_and_input_are_cut_apart_so_that_each_schema_sees_its_own_keys",
        "input": "execution/test_runner.py::test_every_form_of_a_handler_answers_alike",
        "output": "execution/test_runner.py::test_undeclared_keys_are_removed_everywhere",
        "expose": "surface/test_surface.py::test_only_what_a_transport_exposes_is_collected",
        "scope": "operations/test_operation.py::"
        "test_a_scope_is_the_endpoints_else_the_contracts_else_public",
        "meta": "operations/test_operation.py::"
        "test_meta_is_the_endpoints_over_the_contracts_key_by_key",
        "tool": "operations/test_operation.py::"
        "test_an_operation_carries_every_field_of_its_endpoint",
        "timeout_seconds": "execution/test_deadline.py::"
        "test_a_handler_is_cut_off_at_the_deadline_on_every_mount",
        "idempotent": "surface/test_document.py::"
        "test_what_follows_from_the_endpoint_is_told_unless_it_says_otherwise",
        "summary": OPENAPI,
        "tags": OPENAPI,
        "deprecated": OPENAPI,
        "operation_id": OPENAPI,
        "errors": "contract/test_error_set.py::"
        "test_the_errors_that_an_endpoint_declares_are_documented",
        "status": "http/test_kinds.py::test_a_declared_status_is_the_answers",
        "response": "http/test_kinds.py::test_raw_text_is_sent_as_it_stands",
        "body": "http/test_kinds.py::test_a_raw_body_stands_beside_the_parsed_one",
        "key": "contract/test_contract.py::test_a_contract_binds_its_endpoints_to_owner_and_key",
    },
    "with_tool_view": {
        "endpoint": "contract/test_view.py::test_each_form_of_a_view_is_kept_in_the_tool_group",
        "output": "execution/test_projection.py::"
        "test_a_slice_keeps_the_declared_keys_and_the_interface_gets_everything",
        "project": "execution/test_projection.py::"
        "test_a_reshape_within_the_full_schema_needs_no_schema_of_its_own",
        "defaults": "execution/test_defaults.py::test_a_default_joins_only_where_the_key_is_absent",
    },
    "ToolAnnotations": dict.fromkeys(
        ("title", "read_only", "destructive", "idempotent", "open_world"), ANNOTATIONS
    ),
    "Contract": {
        "prefix": "contract/test_contract.py::test_a_prefix_is_path_segments",
        "scope": "surface/test_surface.py::"
        "test_all_unguarded_operations_are_named_and_a_contracts_scope_counts",
        "meta": "operations/test_operation.py::"
        "test_meta_is_the_endpoints_over_the_contracts_key_by_key",
        "policy": "contract/test_policy.py::"
        "test_explicit_exposure_serves_a_silent_endpoint_over_http_only",
    },
    "ContractPolicy": {
        "exposure": "contract/test_policy.py::"
        "test_explicit_exposure_serves_a_silent_endpoint_over_http_only",
        "scopes": "contract/test_policy.py::"
        "test_a_policy_with_scopes_wants_one_of_them_for_each_endpoint",
    },
    "ErrorDefinition": {
        "status": "contract/test_error_set.py::test_a_declared_error_is_told_alike_on_every_mount",
        "message": "contract/test_error_set.py::test_a_declared_error_is_told_alike_on_every_mount",
        "details": "contract/test_error_set.py::test_details_are_written_by_their_type",
        "retryable": "contract/test_error_set.py::"
        "test_a_definition_builds_an_error_and_raises_nothing",
        "code": "contract/test_error_set.py::test_a_set_knows_its_own_errors",
    },
    "Hooks": {
        "identify": CALL_ORDER,
        "authorize": CALL_ORDER,
        "before": CALL_ORDER,
        "after": "execution/test_hooks.py::"
        "test_what_after_returns_takes_the_answers_place_unless_it_is_none",
        "before_tool_call": "execution/test_hooks.py::"
        "test_only_a_mapping_takes_the_place_of_the_arguments",
        "after_tool_call": "execution/test_hooks.py::"
        "test_after_tool_call_sees_every_exit_with_the_callers_own_arguments",
        "on_error": "execution/test_hooks.py::"
        "test_on_error_sees_the_error_with_its_cause_on_every_mount",
        "on_output_strip": "execution/test_strip_reports.py::"
        "test_a_handlers_undeclared_keys_are_reported_alike_on_every_mount",
    },
    "Limits": {
        "max_body_bytes": "http/test_body.py::"
        "test_a_body_that_grows_too_large_is_not_read_to_its_end",
        "max_depth": "execution/test_arguments.py::"
        "test_arguments_may_be_nested_as_deeply_as_the_limit_says",
        "max_threads": "execution/test_isolation.py::test_sync_handlers_run_in_a_bounded_pool",
    },
    "Extension": {
        "arguments": "execution/test_extension.py::"
        "test_an_extension_is_advertised_beside_the_operations_own_arguments",
        "resolve": "execution/test_extension.py::"
        "test_an_extensions_keys_are_taken_out_before_a_strict_input_sees_the_rest",
        "applies": "execution/test_extension.py::"
        "test_an_extension_leaves_http_and_other_operations_alone",
    },
    "tool_invoker": {
        "surface": "test_invoker.py::test_an_answer_is_a_result_or_raised_as_it_is",
        "transport": "test_invoker.py::"
        "test_the_names_of_a_transport_are_sorted_and_nothing_else_is_exposed",
        "answer": "test_invoker.py::test_code_gets_the_full_answer_and_a_models_one_on_request",
        "source": "test_invoker.py::test_the_source_is_internal_unless_the_caller_says_more",
        "identity": "test_invoker.py::"
        "test_an_identity_is_the_invokers_and_may_be_another_for_one_call",
    },
    "Surface.overridden": {
        "context": "execution/test_context.py::"
        "test_a_copy_of_the_surface_has_another_context_and_identity",
        "identity": "execution/test_context.py::"
        "test_a_copy_of_the_surface_has_another_context_and_identity",
        "hooks": "execution/test_context.py::test_a_copy_of_the_surface_may_have_other_hooks",
    },
}


def parameters_of(function: Any) -> set[str]:
    """Name the parameters of a function."""
    return {*inspect.signature(function).parameters} - {"self"}


OPTIONS_OF: dict[str, set[str]] = {
    "get, post, put, patch, delete, head": {*OPTIONS},
    "with_tool_view": parameters_of(pf.with_tool_view),
    "Contract": parameters_of(pf.Contract.__init_subclass__),
    "Extension": parameters_of(pf.Extension),
    "tool_invoker": parameters_of(pf.tool_invoker),
    "Surface.overridden": parameters_of(pf.Surface.overridden),
    **{
        kind.__name__: {item.name for item in fields(kind)}
        for kind in (pf.ToolAnnotations, pf.ContractPolicy, pf.ErrorDefinition, pf.Hooks, pf.Limits)
        if is_dataclass(kind)
    },
}


@pytest.mark.parametrize("owner", OPTIONS_OF)
def test_every_option_has_a_test_that_shows_its_effect(owner):
    assert {*EFFECTS[owner]} == OPTIONS_OF[owner]


def test_every_test_that_the_table_names_exists():
    named = [test for options in EFFECTS.values() for test in options.values()]
    assert len(named) >= 60
    missing = []
    for test in named:
        path, _, name = test.partition("::")
        file: Path = FOLDER / path
        if not file.exists() or name not in functions_of(file):
            missing.append(test)
    assert missing == []


def test_no_table_is_of_something_that_isnt_looked_at():
    assert {*EFFECTS} == {*OPTIONS_OF}
