"""Every config of a model, over every scalar and every value near it: what random cases seldom bring together."""

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ConfigDict, create_model

from polyface.execution.answer import AnswerPlan
from tests.execution.test_answer_law import answer_of, twin_of
from tests.execution.twin_bases import CONFIGS
from tests.execution.twin_leaves import SCALARS

# Configs that say how a value is read or written; the others are drawn at random elsewhere.
TELLING: Sequence[ConfigDict] = [
    ConfigDict(),
    *[config for config, in_core in CONFIGS if not in_core],
    ConfigDict(str_to_upper=True),
    ConfigDict(str_min_length=1),
    ConfigDict(ser_json_bytes="hex"),
    ConfigDict(ser_json_temporal="milliseconds"),
    ConfigDict(val_temporal_unit="milliseconds"),
    ConfigDict(val_json_bytes="base64"),
    ConfigDict(regex_engine="python-re"),
]


@pytest.mark.parametrize("config", TELLING, ids=[str(dict(one)) for one in TELLING])
def test_a_config_changes_what_it_changes_in_pydantic(config):
    for one in SCALARS:
        made: Any = create_model("Row", __config__=config, x=(one.annotation, ...), y=(int, 1))
        key = "X" if "alias_generator" in config else "x"
        plan: Any = AnswerPlan(made)
        for value in [*one.exact, *one.near]:
            given = {key: value}
            wanted, got = twin_of(made, given), answer_of(plan, given)
            same = got == wanted or isinstance(got, str) is isinstance(wanted, str) is True
            assert same, f"{one.annotation} given {value!r}: {wanted!r}, not {got!r}"
