"""What a verb makes of the schemas that it is given."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import ParamSpec, TypeForm, TypeVar, assert_type

import polyface as pf
from tests.typing.cases.people import (
    Cat,
    DataInput,
    DataOutput,
    DictInput,
    DictOutput,
    Dog,
    NewPerson,
    People,
    Person,
    PersonId,
    SearchPeople,
)

# Endpoint is invariant in P, I and O, so that an assignment is as exact as `assert_type`.
input_output: pf.Endpoint[None, SearchPeople, list[Person]] = People.search  # ok:input and output
params_output: pf.Endpoint[PersonId, None, Person] = People.fetch  # ok:params and output
all_three: pf.Endpoint[PersonId, NewPerson, Person] = People.update  # ok:params, input and output
neither: pf.Endpoint[None, None, None] = People.ping  # ok:nothing declared is None
no_output = pf.delete("/{person_id}", desc="Remove one.", params=PersonId)
gone: pf.Endpoint[PersonId, None, None] = no_output  # ok:an omitted output is None
optional: pf.Endpoint[PersonId, None, Person | None] = People.maybe  # ok:output or None
union: pf.Endpoint[None, None, list[Cat | Dog]] = People.union  # ok:union in a list
annotated: pf.Endpoint[None, None, Cat | Dog] = People.annotated  # ok:annotated union
inside: pf.Endpoint[None, None, list[Cat | Dog]] = People.nested_annotated  # ok:annotated in a list
dicts: pf.Endpoint[None, DictInput, DictOutput] = People.typed_dict  # ok:TypedDicts
data: pf.Endpoint[None, DataInput, DataOutput] = People.dataclass  # ok:dataclasses
scalars: pf.Endpoint[None, int, str] = People.scalar  # ok:scalars
pet: pf.Endpoint[None, Cat | Dog, dict[str, list[int]]] = People.pet  # ok:annotated union as input
plain_pet: pf.Endpoint[None, Cat | Dog, str] = People.plain_pet  # ok:bare union as input
many: pf.Endpoint[None, list[NewPerson], Literal["a", "b"]] = People.many  # ok:list and literals
many_of: pf.Endpoint[PersonId, list[NewPerson], Any] = People.many_of  # ok:params, list and Any
card: pf.Endpoint[None, SearchPeople, list[Person]] = People.card  # ok:a view keeps the full types
wrong_output: pf.Endpoint[None, SearchPeople, list[Cat]] = People.search  # err:another output
wrong_input: pf.Endpoint[None, NewPerson, list[Person]] = People.search  # err:another input
wrong_params: pf.Endpoint[None, None, Person] = People.fetch  # err:another params
wider_input: pf.Endpoint[None, object, list[Person]] = People.search  # err:a wider input
wider_output: pf.Endpoint[PersonId, None, Person | None] = People.fetch  # err:a wider output
assert_type(People.search, pf.Endpoint[None, SearchPeople, list[Person]])  # ok:assert_type of three
assert_type(People.search.desc, str)  # ok:a field of an endpoint
assert_type(People.search.expose, tuple[pf.Transport, ...])  # ok:expose of an endpoint


def take_any(endpoint: pf.Endpoint[Any, Any, Any]) -> None: ...


take_any(People.search)  # ok:every endpoint is Endpoint[Any, Any, Any], input
take_any(People.ping)  # ok:every endpoint is Endpoint[Any, Any, Any], nothing
take_any(People.update)  # ok:every endpoint is Endpoint[Any, Any, Any], params and input
take_any(People.typed_dict)  # ok:every endpoint is Endpoint[Any, Any, Any], TypedDict
listed: list[pf.Endpoint[Any, Any, Any]] = [People.search, People.ping]  # ok:a list of endpoints

for verb in (pf.get, pf.post, pf.put, pf.patch, pf.delete, pf.head):
    verb("/ping", desc="Any verb.")  # ok:every verb has the same signature

number = pf.get("/", desc="x", output=3)  # err:output=3 is no type
text = pf.get("/", desc="x", output="Person")  # err:output as text
instance = pf.get("/", desc="x", input=SearchPeople(q="x"), output=Person)  # err:an instance
misspelt = pf.get("/", descr="x", output=Person)  # err:unknown keyword
silent = pf.get("/", output=Person)  # err:missing desc
nowhere = pf.get(desc="x", output=Person)  # err:missing path
bare = pf.get("/", desc="x", expose="HTTP")  # err:expose as a bare string
unknown = pf.get("/", desc="x", expose=["SMTP"])  # err:unknown transport in expose
soon = pf.get("/", desc="x", timeout_seconds="5")  # err:timeout_seconds as text
grouped = pf.get("/", desc="x", tool={"name": "x"})  # err:tool as a mapping
listed_out = pf.get("/", desc="x", expose=("HTTP", "CLI"), tags=("a",))  # ok:sequences as tuples
annotation = pf.ToolAnnotations(read_onyl=True)  # err:unknown annotation
positional = pf.ToolOptions("name")  # err:tool options by position


def make_endpoint(form: TypeForm[object]) -> None:
    pf.get("/", desc="x", output=form)  # ok:a form held in a variable


T = TypeVar("T")
P = TypeVar("P")
I = TypeVar("I")
O = TypeVar("O")
K = ParamSpec("K")


def make_page(item: type[T]) -> pf.Endpoint[None, None, list[T]]:
    return pf.get("/", desc="x", output=list[item])  # err:a list of a variable


def logged(endpoint: pf.Endpoint[P, I, O, K]) -> pf.Endpoint[P, I, O, K]:
    return endpoint


def answer(endpoint: pf.Endpoint[P, I, O]) -> O:
    raise NotImplementedError


assert_type(answer(People.fetch), Person)  # ok:a helper without K, params
assert_type(answer(People.search), list[Person])  # ok:a helper without K, input
assert_type(answer(logged(People.update)), Person)  # ok:a helper with K keeps the types
