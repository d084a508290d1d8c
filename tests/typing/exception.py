"""Where a checker says something else than a case, and why. A row that no longer holds fails."""

from __future__ import annotations

__all__ = ["EXCEPTIONS"]

EVERY_MYPY = ("mypy", "mypy-pydantic")

WIDENS = "solves the view's type to a union of the declared and the returned one; a call refuses it"
LAX = "knows pydantic's lax mode, in which the value is taken"
KEYWORDS = "compares the keywords, too, which `Endpoint[P, I, O]` leaves open"

# case → checkers that differ, and the reason
_DIFFERENCES: dict[str, tuple[tuple[str, ...], str]] = {
    "endpoint: assert_type of three": (("pyright", *EVERY_MYPY), KEYWORDS),
    "endpoint: output as text": (
        ("pyright", *EVERY_MYPY),
        "reads text as a forward reference; the declaration refuses a name that isn't defined",
    ),
    "endpoint: a list of a variable": (("pyrefly",), "takes `list[item]` for a type expression"),
    "handler: no annotations": (("pyrefly",), "doesn't ask for annotations"),
    "keyword: alias that is a keyword of Python": (
        ("pyright", *EVERY_MYPY),
        "holds `**{...}` against every keyword, and another one isn't text; a model always works",
    ),
    "keyword: alias": (
        ("mypy-pydantic",),
        "its plugin has the field's name where `populate_by_name` is set",
    ),
    "keyword: field name of an alias": (
        ("mypy-pydantic", "pyrefly"),
        "has the field's name where `populate_by_name` is set",
    ),
    "keyword: mapping for a nested model": (("pyrefly",), LAX),
    "keyword: text for a datetime": (("pyrefly",), LAX),
    "keyword: unknown keyword, ignored by the model": (("pyrefly",), LAX),
    "keyword: wrong keywords of params": (("pyrefly",), LAX),
    "surface: services of two contexts": (
        ("pyrefly",),
        "solves the context to a union, which neither service takes",
    ),
    "view: lambda returns a list of another model": (("pyright", "pyrefly"), WIDENS),
    "view: lambda returns full": (("pyright", "pyrefly"), WIDENS),
    "view: lambda returns text": (("pyright", "pyrefly"), WIDENS),
    "view: lambda returns a mapping": (("pyright", "pyrefly"), WIDENS),
    "view: function returns others": (("pyright", "pyrefly"), WIDENS),
    "view: async function": (("pyright", "pyrefly"), WIDENS),
}

EXCEPTIONS = {
    (checker, case): reason
    for case, (checkers, reason) in _DIFFERENCES.items()
    for checker in checkers
}
