"""The answer engine, in Rust. Private: each name has one importer in the package.

What the core does is defined elsewhere: pydantic 2.14 defines the bytes of answers, RFC 8785 canonical JSON.
It never imports the Python package, and raises `CanonicalError`, `ValueError` and `TypeError`.
"""

from typing import Any, Final, Literal, final

__all__: Final = ["CanonicalError", "Keep", "Plan", "canonical_json", "digest", "mcp_result"]

class CanonicalError(ValueError):
    """A value that has no canonical JSON; the message starts with its JSON path."""

def canonical_json(value: object, /) -> bytes:
    """Write a value as canonical JSON, RFC 8785.

    `dict`, `list`, `tuple`, `str`, `int`, `float`, `bool` and None go in, subclasses by their stored value;
    UTF-8 without spaces comes out, keys ordered by UTF-16 code units, numbers as ECMAScript writes them. The one
    deviation from the RFC: an `int` keeps all its digits. Linear in the size of the value, but for the sorting of keys
    and for integers of thousands of digits.

    Args:
        value: What to write.

    Returns:
        The one text of this value.

    Raises:
        CanonicalError: A float isn't finite, a string or key has a lone surrogate, a key isn't a string, more than 256
            containers are nested (a cycle therefore, too), or a class has no JSON form.

    Example:
        >>> canonical_json({"b": 1.0, "a": [True, None]})
        b'{"a":[true,null],"b":1}'
    """

def digest(value: object, /) -> str:
    """Hash a value: the first 16 hexadecimal digits of SHA-256 over its canonical JSON.

    Args:
        value: What `canonical_json` accepts.

    Returns:
        16 lower-case hexadecimal digits, equal for equal canonical JSON.

    Raises:
        CanonicalError: As `canonical_json` does.

    Example:
        >>> digest({})
        '44136fa355b3678a'
    """

def mcp_result(
    answer: bytes,
    *,
    structured: Literal["bare", "wrapped"] | None,
    text: bool,
    members: bytes,
) -> bytes:
    """Write the JSON of an MCP CallToolResult around an answer that is JSON already.

    Nothing is parsed: `answer` must be one JSON value in UTF-8 and `members` members of an object, and are copied as
    they are. Linear in the size of the answer.

    Args:
        answer: The answer, as JSON.
        structured: Whether the answer is `structuredContent` itself ("bare"), its member `result` ("wrapped"), or
            isn't there (None).
        text: Whether `content` carries the answer as one text block; it is empty otherwise.
        members: Further members of the result, such as `"isError":false`; may be empty.

    Returns:
        One JSON object.

    Raises:
        ValueError: `structured` is another string.

    Example:
        >>> mcp_result(b"[1]", structured="wrapped", text=True, members=b"")
        b'{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}'
    """

@final
class Plan:
    """What an answer looks like, compiled once and run many times; immutable.

    A plan writes the bytes of `T.dump_json(T.validate_python(value, from_attributes=True), by_alias=True)`, restricted
    to the keys that are kept, where it is certain of them, and says None where it isn't. A node is a tuple that starts
    with its kind; children are indexes into `nodes`, so that recursion is an index that points back.

    Example:
        >>> row = (
        ...     "record",
        ...     "typed_dict",
        ...     None,
        ...     [("n", ("n",), "n", 2, "required", True)],
        ...     "ignore",
        ... )
        >>> plan = Plan([("list", 1, None, None), row, ("int", None, None, None, None, None)], 0)
        >>> plan.write([{"n": 1, "unknown": 2}])
        b'[{"n":1}]'
        >>> plan.write([{"n": "1"}]) is None
        True
    """

    def __new__(cls, nodes: list[tuple[Any, ...]], root: int) -> Plan:
        """Compile a table of nodes.

        Args:
            nodes: The table.
            root: The index of the node of the whole answer.

        Raises:
            ValueError: A node isn't what its kind asks for; the message has its index.
        """

    def write(self, value: object, /) -> bytes | None:
        """Write an answer, or say that pydantic has to be asked.

        Callables of the plan may run; an exception of theirs means None, unless it isn't an `Exception` (such as
        KeyboardInterrupt), which is raised. The value itself is never changed. Linear in its size; no object is made
        for each row, and at most 128 containers may be nested.

        Args:
            value: What the handler returned.

        Returns:
            JSON in UTF-8, or None.

        Example:
            >>> Plan([("uuid", None)], 0).write("not a UUID") is None
            True
        """

    def write_reporting(
        self, value: object, /
    ) -> tuple[bytes, list[tuple[str, int, int | None]]] | None:
        """Write an answer, and report the keys of its dicts that no field reads.

        Args:
            value: What the handler returned.

        Returns:
            None as `write` does; or the JSON, and for each distinct path of an undeclared key (indexes folded, as in
            `rows[].address.note`; `*` stands for the keys of a dict) how often it was met and the first index in the
            outermost array, None outside of any. The paths are in order of first appearance: a record's own before
            those of its fields.

        Example:
            >>> plan = Plan(
            ...     [("list", 1, None, None), ("record", "typed_dict", None, [], "ignore")], 0
            ... )
            >>> plan.write_reporting([{}, {"note": 1}])
            (b'[{},{}]', [('[].note', 1, 1)])
        """

@final
class Keep:
    """Which members of JSON text are kept; immutable.

    Nodes are `("all",)`, `("object", {key: index}, rest)`, `("array", index)`, `("tuple", [index, ...], rest)` and
    `("tagged", key, {tag: index})`; `rest` is the index for what isn't listed, or None to leave it out. A value of
    another kind than its node says, and an object with an unknown tag, is kept whole.

    Example:
        >>> keep = Keep([("object", {"a": 1}, None), ("all",)], 0)
        >>> keep.prune(b'{"a": 1.50, "b": 2}')
        b'{"a":1.50}'
    """

    def __new__(cls, nodes: list[tuple[Any, ...]], root: int) -> Keep:
        """Compile a table of nodes.

        Args:
            nodes: The table.
            root: The index of the node of the whole text.

        Raises:
            ValueError: A node isn't what its kind asks for; the message has its index.
        """

    def prune(self, json: bytes, /) -> bytes:
        r"""Leave out what isn't kept.

        What is kept stays byte for byte: numbers, escapes and the order of keys. Keys are compared by their text, so
        `"\u0061"` is `"a"`. Linear in the size of the text.

        Args:
            json: One JSON value in UTF-8.

        Returns:
            The pruned text, without spaces around what was decided on; or `json` itself if all of it is kept.

        Raises:
            ValueError: The text isn't JSON, or more than 256 containers are nested.

        Example:
            >>> Keep([("all",)], 0).prune(b" [1, 2] ")
            b' [1, 2] '
        """
