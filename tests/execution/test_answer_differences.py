"""The closed table of answers that differ on purpose from what bare pydantic would write.

Each row: a type, a value, what pydantic writes (it warns at most), and why the engine refuses it.
"""

import dataclasses
import math
import warnings
from decimal import Decimal
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    PlainSerializer,
    SecretStr,
    SerializeAsAny,
    TypeAdapter,
    computed_field,
)

from polyface.execution.answer import AnswerError, AnswerPlan


class Point(BaseModel):
    x: int
    y: float = 0.0


class Narrower(Point):
    x: str  # type: ignore[assignment]  # what is tested


class Outer(BaseModel):
    model_config = ConfigDict(revalidate_instances="always")
    point: Point


class Bounded(BaseModel):
    size: Annotated[int, Field(ge=0)]
    kind: Literal["a", "b"] = "a"


class WrongDefault(BaseModel):
    a: int = None  # type: ignore[assignment]  # what is tested


class WrongFactory(BaseModel):
    a: list[int] = Field(default_factory=lambda: ["x"])  # type: ignore[arg-type]  # what is tested


class WrongJson(BaseModel):
    a: Json[list[int]] = None  # type: ignore[assignment]  # what is tested


class WrongSecret(BaseModel):
    a: SecretStr = None  # type: ignore[assignment]  # what is tested


class WrongAddress(BaseModel):
    a: Point | HttpUrl = None  # type: ignore[assignment]  # what is tested


class WrongEnumValue(BaseModel):
    model_config = ConfigDict(use_enum_values=True)
    a: Annotated[int, AfterValidator(lambda value: value)] = None  # type: ignore[assignment]  # what is tested


class WronglyComputed(BaseModel):
    @computed_field
    def a(self) -> int:
        return "text"  # type: ignore[return-value]  # what is tested


class Computed(BaseModel):
    n: int

    @computed_field(alias="atLeast")
    def at_least(self) -> Annotated[int, Field(ge=0)]:
        return self.n

    @computed_field
    def ratio(self) -> float:
        return math.nan if self.n == 7 else 0.5

    @computed_field
    def word(self) -> Literal["a", "b"]:
        return "a" if self.n < 9 else cast("Any", "z")

    @computed_field
    def parts(self) -> list[Bounded]:
        return [changed(Bounded(size=1), size=3 - self.n)] if self.n < 7 else []


Doubled = Annotated[
    int, PlainSerializer(lambda value: value * 2, return_type=Annotated[int, Field(le=10)])
]


class Aliased(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = Field(serialization_alias="b")


class Unlike(BaseModel):
    password: str = "secret"


class Falling(BaseModel):
    point: Annotated[Point | int, AfterValidator(lambda value: Unlike())]


@dataclasses.dataclass
class Data:
    a: int


def changed(instance: Any, **fields: Any) -> Any:
    instance.__dict__.update(fields)
    return instance


def without(instance: Any, name: str) -> Any:
    del instance.__dict__[name]
    return instance


DIFFERENCES = [
    ("a NaN would be null", float, math.nan, b"null", ""),
    ("an infinity would be null", list[float], [1.0, -math.inf], b"[1.0,null]", "[1]"),
    ("a NaN would be null though null is allowed", float | None, math.nan, b"null", ""),
    ("a NaN in a field", Point, {"x": 1, "y": math.nan}, b'{"x":1,"y":null}', "y"),
    ("a surrogate in a key", dict[str, int], {"\ud800": 1}, b'{"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd":1}', "'\\ud800'"),
    ("an instance changed to another type", Point, changed(Point(x=1), x="one"), b'{"x":"one","y":0.0}', "x"),
    ("an instance changed to a boolean", Point, changed(Point(x=1), x=True), b'{"x":1,"y":0.0}', "x"),
    ("an instance changed beyond a bound", Bounded, changed(Bounded(size=1), size=-1), b'{"size":-1,"kind":"a"}', "size"),
    ("an instance changed to another literal", Bounded, changed(Bounded(size=1), kind="c"), b'{"size":1,"kind":"c"}', "kind"),
    ("an instance that lost a field", Point, without(Point(x=1), "y"), b'{"x":1}', "y"),
    ("an instance made without validation", list[Point], [Point.model_construct(x="one")], b'[{"x":"one","y":0.0}]', "[0].x"),
    ("a bad instance inside one that is validated again", Outer, {"point": changed(Point(x=1), x="one")}, b'{"point":{"x":"one","y":0.0}}', "point.x"),
    ("a dataclass that holds another type", Data, Data(cast("Any", "one")), b'{"a":"one"}', "a"),
    ("a subclass whose field has another type", list[Point], [Narrower(x="one")], b'[{"x":"one","y":0.0}]', "[0].x"),
    ("a default of another type", WrongDefault, {}, b'{"a":null}', "a"),
    ("a factory of another type", WrongFactory, {}, b'{"a":["x"]}', "a[0]"),
    ("a default that no JSON text gave", WrongJson, {}, b'{"a":null}', "a"),
    ("a default where a secret is", WrongSecret, {}, b'{"a":null}', "a.is-instance[SecretStr]"),
    ("a default beside an address", WrongAddress, {}, b'{"a":null}', "a"),
    ("a default behind a validator", WrongEnumValue, {}, b'{"a":null}', "a"),
    ("a computed value of another type", WronglyComputed, {}, b'{"a":"text"}', ""),
    ("a computed value below its bound", list[Computed], [{"n": -1}], b'[{"n":-1,"atLeast":-1,"ratio":0.5,"word":"a","parts":[{"size":4,"kind":"a"}]}]', "[0].atLeast"),
    ("a computed NaN", Computed, {"n": 7}, b'{"n":7,"atLeast":7,"ratio":null,"word":"a","parts":[]}', "ratio"),
    ("a computed word that isn't declared", Computed, {"n": 9}, b'{"n":9,"atLeast":9,"ratio":0.5,"word":"z","parts":[]}', "word"),
    ("a computed record beyond a bound", Computed, {"n": 4}, b'{"n":4,"atLeast":4,"ratio":0.5,"word":"a","parts":[{"size":-1,"kind":"a"}]}', "parts[0].size"),
    ("what a serializer writes beyond its bound", dict[str, Doubled], {"k": 6}, b'{"k":12}', "k"),
    ("a key written twice by an extra", Aliased, {"a": 1, "b": "x"}, b'{"b":1,"b":"x"}', "b"),
    ("a key written twice by unlike keys", dict[int | str, int], {1: 1, "1": 2}, b'{"1":1,"1":2}', "1"),
    ("a key written twice below anything", Any, {1: 1, "1": 2}, b'{"1":1,"1":2}', "1"),
    ("a serializer that falls back", Falling, {"point": {"x": 1}}, b'{"point":{"password":"secret"}}', "point"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("type_", "value", "bare", "path"),
    [row[1:] for row in DIFFERENCES],
    ids=[row[0] for row in DIFFERENCES],
)
def test_what_pydantic_would_let_out_is_the_handlers_fault(type_, value, bare, path):
    adapter: TypeAdapter[Any] = TypeAdapter(type_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        validated = adapter.validate_python(value, from_attributes=True)
        assert adapter.dump_json(validated, by_alias=True) == bare
    with pytest.raises(AnswerError) as caught:
        AnswerPlan(type_).to_json(value)
    assert caught.value.path == path
    assert caught.value.reason


class Strings(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="strings")
    a: float


class Constants(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="constants")
    a: list[float] = []
    b: float | None = None


class More(Point):
    z: int = 3


class Open(BaseModel):
    point: SerializeAsAny[Point]


class Excluding(BaseModel):
    a: int = Field(default=None, exclude=True)  # type: ignore[assignment]  # what is tested
    b: int = 1


# What looks like the table above and isn't: the model says so, or nothing wrong leaves.
@pytest.mark.parametrize(
    ("type_", "value", "answer"),
    [
        (
            Computed,
            {"n": 3},
            b'{"n":3,"atLeast":3,"ratio":0.5,"word":"a","parts":[{"size":0,"kind":"a"}]}',
        ),
        (list[Doubled], [5], b"[10]"),
        (Strings, {"a": math.inf}, b'{"a":"Infinity"}'),
        (Constants, {"a": [math.nan], "b": math.inf}, b'{"a":[NaN],"b":Infinity}'),
        (Any, math.nan, b"null"),
        (Open, {"point": More(x=1)}, b'{"point":{"x":1,"y":0.0,"z":3}}'),
        (list[Point], [More(x=1)], b'[{"x":1,"y":0.0}]'),
        (Excluding, {}, b'{"b":1}'),
        (Point, changed(Point(x=1), y=3), b'{"x":1,"y":3.0}'),
        (Point, changed(without(Point(x=1, y=2.0), "x"), x=7), b'{"y":2.0,"x":7}'),
        (dict[str, Decimal], {"\ufffd": Decimal("1.10")}, b'{"\xef\xbf\xbd":"1.10"}'),
    ],
)
def test_what_the_model_asks_for_is_written(type_, value, answer):
    assert AnswerPlan(type_).to_json(value) == answer
