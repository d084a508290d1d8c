"""What `Keep.prune` does, on the text, with the standard library's scanner for what is copied."""

import json
import re
from collections.abc import Sequence

SPACE = re.compile(r"[ \t\n\r]*")
TOKEN = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null'
)


class Pruner:
    def __init__(self, nodes: Sequence[tuple], text: str) -> None:
        self.nodes, self.text, self.at, self.has_dropped = nodes, text, 0, False

    def run(self, root: int) -> str:
        pruned = self.value(root, 0)
        self.space()
        if self.at != len(self.text):
            raise ValueError
        return pruned if self.has_dropped else self.text

    def space(self) -> str:
        space = SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def take(self, character: str) -> bool:
        found = self.space() == character
        self.at += found
        return found

    def need(self, character: str) -> None:
        if not self.take(character):
            raise ValueError

    def key(self) -> tuple[str, str]:
        if self.space() != '"':
            raise ValueError
        raw = self.token()
        self.need(":")
        return raw, json.loads(raw)

    def token(self) -> str:
        match = TOKEN.match(self.text, self.at)
        if match is None:
            raise ValueError
        self.at = match.end()
        return match.group()

    def copy(self, depth: int) -> str:
        self.space()
        start = self.at
        self.skip(depth)
        return self.text[start : self.at]

    def skip(self, depth: int) -> None:
        opening = self.space()
        if opening not in ("{", "["):
            self.token()
            return
        if depth == 256:
            raise ValueError
        self.at += 1
        closing = {"{": "}", "[": "]"}[opening]
        if self.take(closing):
            return
        while True:
            if opening == "{":
                self.key()
            self.skip(depth + 1)
            if not self.take(","):
                self.need(closing)
                return

    def value(self, index: int, depth: int) -> str:
        opening = self.space()
        kind, *rest = self.nodes[index]
        if kind == "tagged" and opening == "{":
            start = self.at
            self.skip(depth)
            tag = json.loads(self.text[start : self.at]).get(rest[0])
            self.at = start
            child = rest[1].get(tag) if isinstance(tag, str) else None
            return self.copy(depth) if child is None else self.value(child, depth)
        if kind == "object" and opening == "{":
            return self.members("{", "}", rest[0], rest[1], depth)
        if kind == "array" and opening == "[":
            return self.members("[", "]", [], rest[0], depth)
        if kind == "tuple" and opening == "[":
            return self.members("[", "]", rest[0], rest[1], depth)
        return self.copy(depth)

    def members(
        self, opening: str, closing: str, known: dict | list, other: int | None, depth: int
    ) -> str:
        if depth == 256:
            raise ValueError
        self.need(opening)
        written: list[str] = []
        if self.take(closing):
            return opening + closing
        number = 0
        while True:
            prefix = ""
            if isinstance(known, dict):
                raw, key = self.key()
                prefix, child = raw + ":", known.get(key, other)
            else:
                child = known[number] if number < len(known) else other
            number += 1
            if child is None:
                self.has_dropped = True
                self.skip(depth + 1)
            else:
                written.append(prefix + self.value(child, depth + 1))
            if not self.take(","):
                self.need(closing)
                return opening + ",".join(written) + closing


def prune(nodes: Sequence[tuple], root: int, text: bytes) -> bytes:
    return Pruner(nodes, text.decode()).run(root).encode()
