"""Servers take turns, and the processor time of each is what is judged: it is steadier than time.

Wall time, on one connection and on many, stands beside it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from ..row import Aim, Effort, Outcome, Sample, judged
from .client import drive
from .exchange import Exchange
from .server import Served
from .sites import build_site

Check = Callable[[bytes], None]
WARM_UP = 20
FRESH = ("list", "card", "full")  # these take fresh answers from a pool


@dataclass(frozen=True, slots=True)
class Contest:
    """Sites that answer one request.

    Args:
        kind: the first word of the sites' names.
        names: the rest of them.
        exchange: the request.
        check: raises `AssertionError` for an answer that isn't the right one.
        many: how many connections are judged, beside one.
        count: how many requests a round has.
        rounds: how many rounds each site has.
    """

    kind: str
    names: Sequence[str]
    exchange: Exchange
    check: Check
    many: int
    count: int
    rounds: int

    def measure(self, effort: Effort, aims: Sequence[Aim]) -> Outcome:
        """Measure all sites, or let each answer once in this process."""
        if effort.smoke:
            return Outcome({name: self._once(name) for name in self.names})
        with ExitStack() as stack:
            started = {name: Served(f"{self.kind} {name}") for name in self.names}
            servers = {name: stack.enter_context(each) for name, each in started.items()}
            return self._judged(servers, aims)

    def _once(self, name: str) -> Sample:
        app, pool = build_site(f"{self.kind} {name}")
        pool.fill(1)
        self.check(asyncio.run(self.exchange.answered_by(app)))
        return Sample((0.0,), unit="µs CPU")

    def _judged(self, servers: Mapping[str, Served], aims: Sequence[Aim]) -> Outcome:
        for server in servers.values():
            self._round(server, WARM_UP, connections=2)
        taken: dict[str, list[float]] = {}
        for _ in range(self.rounds):
            for name, server in servers.items():
                for connections in (self.many, 1):
                    cpu, latencies = self._round(server, self.count, connections)
                    told = name if connections > 1 else f"{name} (CPU, 1 connection)"
                    taken.setdefault(told, []).append(cpu)
                    taken.setdefault(f"{name} (wall, {connections})", []).extend(latencies)
        samples = {
            name: Sample(tuple(taken[name]), "µs wall" if "(wall" in name else "µs CPU")
            for name in sorted(taken, key=_order)
        }
        note = f"server CPU at {self.many} connections is judged, {self.count} requests a round"
        return judged(samples, aims, [note])

    def _round(
        self, server: Served, count: int, connections: int
    ) -> tuple[float, tuple[float, ...]]:
        """Processor time of one request, and the times to the answers, all in microseconds."""
        if self.kind in FRESH and "bare" not in server.site:
            server.fill(count)
        before = server.cpu_microseconds()
        request = self.exchange.sent_to(server.port)
        load = drive(server.port, request, self.check, count=count, connections=connections)
        return (server.cpu_microseconds() - before) / count, load.latencies


def _order(name: str) -> int:
    return 0 if "(" not in name else 1 + ("wall" in name) * (1 + ("wall, 1)" not in name))
