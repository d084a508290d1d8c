"""Property tests of the core find the same inputs on every run, unless a profile is named on the command line."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "core",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
if settings.get_current_profile_name() in {"default", "ci"}:
    settings.load_profile("core")
