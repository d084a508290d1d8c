"""Canonical JSON (RFC 8785) and the digest over it.

One deviation from RFC 8785: integers beyond 2^53 keep all their digits, because the bounds of a
64-bit integer in two schemas must not have one digest.
"""

from .._core import canonical_json, digest

__all__ = ["canonical_json", "digest"]
