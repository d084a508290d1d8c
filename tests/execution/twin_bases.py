"""What a random model is built on: base classes with code of their own, and configurations."""

from collections.abc import Sequence
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    computed_field,
    model_serializer,
    model_validator,
)


class Computed(BaseModel):
    @computed_field
    def size(self) -> int:
        return len(self.model_fields_set)


class WronglyComputed(BaseModel):
    @computed_field
    def size(self) -> int:
        return "many"  # type: ignore[return-value]  # what is tested


class PostInit(BaseModel):
    def model_post_init(self, context: Any) -> None:
        for name, item in vars(self).items():
            if type(item) is int and abs(item) < 5:
                self.__dict__[name] = item + 1


class Private(BaseModel):
    _made: int = PrivateAttr(default_factory=lambda: 1)


class Before(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def rename(cls, value: Any) -> Any:
        return {"id": 1} | value if isinstance(value, dict) else value


class After(BaseModel):
    @model_validator(mode="after")
    def see(self) -> "After":
        return self


class Wrapped(BaseModel):
    @model_serializer(mode="wrap")
    def write(self, handler: Any) -> dict[str, Any]:
        return {"wrapped": handler(self)}


class OwnInit(BaseModel):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)


# Each with whether the Rust core reads such a model by itself.
BASES: Sequence[tuple[type[BaseModel], bool]] = (
    *[(BaseModel, True)] * 12,
    (Computed, False),
    (WronglyComputed, False),
    (PostInit, False),
    (Private, False),
    (Before, False),
    (After, False),
    (Wrapped, False),
    (OwnInit, False),
)

CONFIGS: Sequence[tuple[ConfigDict, bool]] = (
    *[(ConfigDict(), True)] * 10,
    (ConfigDict(extra="forbid"), True),
    (ConfigDict(extra="ignore", frozen=True), True),
    (ConfigDict(validate_by_name=True), True),
    (ConfigDict(validate_by_name=True, validate_by_alias=False), True),
    (ConfigDict(from_attributes=True), True),
    (ConfigDict(title="Renamed"), True),
    (ConfigDict(validate_assignment=True), True),
    (ConfigDict(serialize_by_alias=True), True),
    (ConfigDict(extra="allow"), False),
    (ConfigDict(strict=True), False),
    (ConfigDict(str_strip_whitespace=True, str_max_length=20), False),
    (ConfigDict(use_enum_values=True), False),
    (ConfigDict(validate_default=True), False),
    (ConfigDict(revalidate_instances="always"), False),
    (ConfigDict(revalidate_instances="subclass-instances"), False),
    (ConfigDict(ser_json_bytes="base64"), False),
    (ConfigDict(ser_json_timedelta="float"), False),
    (ConfigDict(coerce_numbers_to_str=True), False),
    (ConfigDict(alias_generator=str.upper), False),
    (ConfigDict(allow_inf_nan=False), False),
)
