"""What every test of the tree runs with."""

from tests.fuzz import register_profiles

register_profiles()
