"""From a handler's value to the bytes of an answer.

The Rust core checks, keeps and writes in one pass; what it isn't certain of, it leaves to the law
in `schema.law`. Which of the two wrote an answer can't be told from its bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, Literal, overload

from typing_extensions import TypeForm, TypeVar

from .._core import Keep, Plan, mcp_result
from ..errors import DeclarationError
from ..operations.implement import Rows
from ..schema.adapter import Schema
from ..schema.arguments import is_object
from ..schema.fit import fit
from ..schema.json_schema import allows_null, output_document
from ..schema.law import AnswerError
from ..schema.plan import KeepTable, Pruner, keep_table, plan_table
from ..schema.slice_check import SliceCheck
from ..schema.strip import StripEntry, reports_in_core, undeclared_keys

__all__ = ["AnswerPlan", "StripListener"]

O = TypeVar("O")  # noqa: E741  # the letter of Endpoint[P, I, O, K]
V = TypeVar("V", default=Any)
Full = TypeVar("Full")
StripListener = Callable[[tuple[StripEntry, ...]], object]

# The first protocol version whose results may be any JSON value and say that they are complete.
MODERN_VERSION = "2026-07-28"
STRUCTURED_SINCE = "2025-06-18"
VERSIONS = ("2024-11-05", "2025-03-26", STRUCTURED_SINCE, "2025-11-25", MODERN_VERSION)
CONTENTS = ("both", "structured", "text")


class AnswerPlan(Generic[O, V]):
    """A compiled answer: value in, checked JSON bytes out, cut to a slice where one is given.

    Immutable and safe to share between threads. Compiling costs milliseconds: keep the plan.

    Args:
        output: the schema of the full answer, anything that `pydantic.TypeAdapter` takes.
        view: the schema of a slice; left out, the full answer is written.

    Raises:
        DeclarationError: some full answer doesn't fit the slice.

    Example:
        plan = pf.AnswerPlan(list[Person], view=list[PersonCard])
        plan.to_json([{"id": 1, "name": "Ada", "email": "ada@example.org"}])
    """

    @overload
    def __init__(self: AnswerPlan[Full, Full], output: TypeForm[Full], /) -> None: ...
    @overload
    def __init__(self, output: TypeForm[O], /, *, view: TypeForm[V]) -> None: ...
    @overload  # what polyface has read already
    def __init__(self, output: Schema[O], /, *, view: Schema[V] | None = None) -> None: ...
    def __init__(self, output: Any, /, *, view: Any = None) -> None:
        self._full: Schema[O] = output if isinstance(output, Schema) else Schema(output)
        self._view: Schema[V] | None = (
            view if view is None or isinstance(view, Schema) else Schema(view)
        )
        self._proved = self._view is None or self._prove(self._view)
        shape = None if self._view is None else self._view.shape
        table = plan_table(self._full.core, self._full.shape, shape, _pruner, self._full.law)
        self._plan = Plan(*table)
        self._prune = _pruner(keep_table(self._full.shape, shape)) if shape is not None else None
        self._reports_in_core = reports_in_core(self._full.shape)

    def __repr__(self) -> str:
        view = f", view={self._view.name}" if self._view is not None else ""
        return f"AnswerPlan({self._full.name}{view})"

    def __reduce__(self) -> Any:
        """Refuse pickling: a plan holds compiled code of this process."""
        raise TypeError("an AnswerPlan can't be pickled; make it again where it is needed")

    def to_json(self, value: O | Rows, *, on_strip: StripListener | None = None) -> bytes:
        """Check a value against the full schema and write the kept part as JSON.

        Args:
            value: what a handler returned: models, dataclasses, mappings, lists of them, objects
                with attributes.
            on_strip: called once with the undeclared keys that the full schema removed, if any;
                never with what the slice cuts. Without it nothing is looked for.

        Returns:
            Compact JSON in UTF-8, the bytes that pydantic would write.

        Raises:
            AnswerError: the value isn't an answer of the schema; its cause is pydantic's own error.
                Then nothing is reported.
        """
        told: tuple[bytes, Iterable[tuple[str, int, int | None]]] | None = None
        if on_strip is not None and self._reports_in_core:
            told = self._plan.write_reporting(value)
            written = told[0] if told is not None else self._by_law(value)
        else:
            written = self._plan.write(value) or self._by_law(value)
        if not self._proved and (fault := self._slice_check.fault(written)) is not None:
            raise fault
        if on_strip is not None:
            entries = (
                tuple(StripEntry(*entry) for entry in told[1])
                if told is not None
                else undeclared_keys(self._full.shape, value)
            )
            if entries:
                on_strip(entries)
        return written

    def mcp_result(
        self,
        value: O | Rows,
        *,
        protocol_version: str = MODERN_VERSION,
        meta: Mapping[str, Any] | None = None,
        content: Literal["both", "structured", "text"] = "both",
    ) -> bytes:
        """Write the `CallToolResult` of a value as JSON.

        Args:
            value: as for `to_json`.
            protocol_version: before 2026-07-28 an answer that isn't an object is told as
                `{"result": ...}`; from then on only one that may be `null`.
            meta: the result's `_meta`.
            content: whether the answer goes out as text, as `structuredContent`, or as both. Before
                2025-06-18 there is only text.

        Raises:
            AnswerError: as for `to_json`.
            ValueError: a version or a choice of content that there isn't; a number in `meta` that
                JSON has no form for.
            TypeError: a value in `meta` that JSON has no form for.
        """
        _refuse_unknown("protocol_version", protocol_version, VERSIONS)
        _refuse_unknown("content", content, CONTENTS)
        if protocol_version < STRUCTURED_SINCE:
            content = "text"
        answer = self.to_json(value)
        modern = protocol_version >= MODERN_VERSION
        bare = not self._may_be_null if modern else is_object((self._view or self._full).shape)
        members = ['"resultType":"complete"'] if modern else []
        if meta is not None:
            members.append(f'"_meta":{json.dumps(meta, separators=(",", ":"), allow_nan=False)}')
        return mcp_result(
            answer,
            structured=None if content == "text" else ("bare" if bare else "wrapped"),
            text=content != "structured",
            members=",".join(members).encode(),
        )

    @cached_property
    def _may_be_null(self) -> bool:
        return allows_null(output_document(self._view or self._full))

    def _prove(self, view: Schema[Any]) -> bool:
        findings = fit(self._full.shape, view.shape)
        refused = [str(finding) for finding in findings if finding.verdict == "refused"]
        if refused:
            raise DeclarationError(
                f"`{self._full.name}` can't be sliced to `{view.name}`: {'; '.join(refused)}."
            )
        return not findings

    @cached_property
    def _slice_check(self) -> SliceCheck:
        assert self._view is not None
        return SliceCheck(self._view, self._full)

    def _by_law(self, value: object) -> bytes:
        answer = self._full.law(value)
        return answer if self._prune is None else self._prune(answer)


def _refuse_unknown(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"`{name}` is one of {', '.join(known)}, not `{value}`.")


def _pruner(table: KeepTable) -> Pruner:
    return Keep(*table).prune


def check_full(schema: Schema[O], value: object) -> O:
    """Return the validated full answer as an object, for a projection. Raises `AnswerError`."""
    validated: O = schema.law.validate(value)
    schema.law.dump(validated)
    return validated


__all__ += ["AnswerError", "check_full"]
