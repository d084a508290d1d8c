"""Applications that answer GET: a list of people, and one small model."""

from typing import Any

import orjson
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import polyface as pf
from polyface.http import http_app

from ..opponents import by_hand, by_pydantic
from ..workload import rows
from ..workload.people import Person
from .bare import bare
from .pool import Pool

LIST = "/people"
SMALL = "/items/7"


class ItemId(BaseModel):
    item_id: int


class Item(BaseModel):
    id: int
    name: str
    in_stock: bool


def polyface_list(pool: Pool) -> Any:
    class People(pf.Contract, prefix="people"):
        all_ = pf.get("", key="all", desc="Everyone.", output=list[Person])

    service = pf.implement(People)

    @service.handler(People.all_)
    async def everyone(_: object) -> Any:
        return pool.take()

    return http_app(pf.Surface(services=[service]))


def fastapi_list(pool: Pool) -> Any:
    from fastapi import FastAPI  # noqa: PLC0415  # no other server pays for it

    app = FastAPI()

    @app.get(LIST, response_model=list[Person])
    async def everyone() -> Any:
        return pool.take()

    return app


def starlette_list(pool: Pool) -> Any:
    """Check nothing; the Decimals are texts already."""

    async def everyone(_: Request) -> Response:
        return Response(by_hand.whole(pool.take()), media_type="application/json")

    return Starlette(routes=[Route(LIST, everyone)])


def bare_list(_: Pool) -> Any:
    return bare(by_pydantic.whole(rows.rows(0)))


def polyface_small(_: Pool) -> Any:
    class Items(pf.Contract, prefix="items"):
        fetch = pf.get("/{item_id}", desc="One item.", params=ItemId, output=Item)

    service = pf.implement(Items)

    @service.handler(Items.fetch)
    async def fetch(call: pf.Call[ItemId, None]) -> Item:
        return Item(id=call.params.item_id, name="lamp", in_stock=True)

    return http_app(pf.Surface(services=[service]))


def fastapi_small(_: Pool) -> Any:
    from fastapi import FastAPI  # noqa: PLC0415  # no other server pays for it

    app = FastAPI()

    @app.get("/items/{item_id}")
    async def fetch(item_id: int) -> Item:
        return Item(id=item_id, name="lamp", in_stock=True)

    return app


def starlette_small(_: Pool) -> Any:
    async def fetch(request: Request) -> Response:
        item_id = request.path_params["item_id"]
        return JSONResponse({"id": item_id, "name": "lamp", "in_stock": True})

    return Starlette(routes=[Route("/items/{item_id:int}", fetch)])


def bare_small(_: Pool) -> Any:
    return bare(orjson.dumps({"id": 7, "name": "lamp", "in_stock": True}))
