"""RFC 8785 in plain Python: slow, and short enough to be read against the specification."""

import hashlib
import math


def write_number(value: float) -> str:
    """ECMAScript's `Number::toString` for a finite number (ECMA-262, section 6.1.6.1.20)."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = "." + digits[1:] if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def write_string(text: str) -> str:
    short = {
        '"': '\\"',
        "\\": "\\\\",
        "\b": "\\b",
        "\t": "\\t",
        "\n": "\\n",
        "\f": "\\f",
        "\r": "\\r",
    }
    text.encode()
    return '"' + "".join(short.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def write_integer(value: int) -> str:
    sign, value = ("-", -value) if value < 0 else ("", value)
    parts: list[str] = []
    while value >= 10**4000:
        value, part = divmod(value, 10**4000)
        parts.append(f"{part:04000d}")
    return sign + "".join([str(value), *reversed(parts)])


def write(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return write_string(str.__str__(value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return write_integer(int.__int__(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError
        return write_number(float.__float__(value))
    if depth == 256 or not isinstance(value, dict | list | tuple):
        raise ValueError
    if not isinstance(value, dict):
        return "[" + ",".join(write(item, depth + 1) for item in value) + "]"
    if not all(isinstance(key, str) for key in value):
        raise ValueError
    keys = sorted(value, key=lambda key: str.__str__(key).encode("utf-16-be"))
    members = (f"{write_string(str.__str__(key))}:{write(value[key], depth + 1)}" for key in keys)
    return "{" + ",".join(members) + "}"


def canonical_json(value: object) -> bytes:
    return write(value).encode()


def digest(value: object) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()[:16]
