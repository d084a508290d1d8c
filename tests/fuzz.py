"""How many examples a property test runs: the one place that reads `POLYFACE_FUZZ_EXAMPLES`.

In the gate each property runs the same examples every time, as many as it names. With the profile
`fuzz`, which `make fuzz` chooses and the variable implies, each runs that many new ones.
"""

import os

from hypothesis import HealthCheck, settings

VARIABLE = "POLYFACE_FUZZ_EXAMPLES"
_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def register_profiles() -> None:
    """Make the profiles `gate` and `fuzz`, and load the one that is asked for."""
    settings.register_profile(
        "gate", derandomize=True, database=None, deadline=None, suppress_health_check=_SLOW_IS_FINE
    )
    settings.register_profile(
        "fuzz",
        max_examples=int(os.environ.get(VARIABLE, "5000")),
        deadline=None,
        suppress_health_check=_SLOW_IS_FINE,
        print_blob=True,
    )
    settings.load_profile("fuzz" if VARIABLE in os.environ else "gate")


def examples(count: int) -> settings:
    """The settings of a property that runs `count` examples in the gate."""
    if settings.get_current_profile_name() == "fuzz":
        return settings()
    return settings(max_examples=count)
