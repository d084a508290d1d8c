"""What measures over HTTP: a real server in its own process, and a client that reads answers."""

import pytest

pytest.importorskip("orjson", reason="the opponents are the group `benches`")
pytest.importorskip("msgspec", reason="the opponents are the group `benches`")
pytest.importorskip("fastapi", reason="the opponents are the group `benches`")
pytest.importorskip("uvloop", reason="the opponents are the group `benches`")

from benches.wire.client import drive
from benches.wire.exchange import get
from benches.wire.pool import Pool
from benches.wire.server import Served


def test_a_server_answers_fresh_rows_and_tells_its_processor_time():
    bodies: list[bytes] = []
    request = get("/people")
    with Served("list polyface") as server:
        server.fill(6)
        before = server.cpu_microseconds()
        load = drive(
            server.port, request.sent_to(server.port), bodies.append, count=6, connections=3
        )
        assert server.cpu_microseconds() > before
        assert len(load.latencies) == 6
        assert bodies[0].startswith(b'[{"id":')
        # The pool is empty now: no answer is given out twice.
        with pytest.raises(AssertionError, match="500"):
            drive(server.port, request.sent_to(server.port), bodies.append, count=1, connections=1)


def test_a_wrong_answer_ends_the_measurement():
    def refuse(body: bytes) -> None:
        raise AssertionError(f"not what was asked for: {body!r}")

    with (
        Served("small bare ASGI") as server,
        pytest.raises(AssertionError, match="not what was asked for"),
    ):
        drive(server.port, get("/items/7").sent_to(server.port), refuse, count=4, connections=2)


def test_a_pool_makes_every_answer_anew():
    pool = Pool(lambda seed: [seed])
    pool.fill(2)
    one, other = pool.take(), pool.take()
    assert one == other
    assert one is not other
    with pytest.raises(IndexError):
        pool.take()
