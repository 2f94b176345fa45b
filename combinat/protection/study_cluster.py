"""Workers of a study: a cluster of dask.distributed, on this machine or anywhere."""

import asyncio
import concurrent.futures
import logging
import os
import re
import socket
import warnings
from collections.abc import Generator, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from combinat.base.errors import InputError, MissingLibraryError, shortened
from combinat.base.processes import deaf, safe_path
from combinat.protection.study_run import LOOK_UP, Made, Task, made, next_few

LOCAL = "local"
_ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}", re.ASCII)
_TO_CONNECT = 10
"""Seconds within which a scheduler must answer."""


@dataclass(frozen=True)
class Cluster:
    """A cluster: ``local`` for one of this machine's own, else the address of a scheduler.

    A worker that dies loses its block, which another one deals.
    """

    address: str

    def __post_init__(self) -> None:
        if self.address != LOCAL and not _ADDRESS.fullmatch(self.address):
            raise InputError(
                f'found "{shortened(self.address)}"; write {LOCAL} or the address of a scheduler, such as '
                "tcp://10.0.0.5:8786"
            )
        if find_spec("distributed") is None:
            raise MissingLibraryError("a cluster needs dask.distributed: pip install '.[cluster]'")

    def made(self, task: Task, numbers: Iterable[int]) -> Generator[list[Made], None, None]:
        """These blocks, in the order in which they are done."""
        left = iter(numbers)
        with ExitStack() as open_until_the_end:
            open_until_the_end.enter_context(safe_path())
            client = self._client(open_until_the_end)
            # The task is sent once; a block then costs its number.
            known = client.scatter(task, broadcast=True)
            under_way: list[Any] = []
            while True:
                few = 2 * max(1, len(client.nthreads())) - len(under_way)
                under_way += [
                    client.submit(made, known, block, key=f"block-{block}-{os.urandom(8).hex()}", pure=False)
                    for block in next_few(left, few)
                ]
                if not under_way:
                    return
                finished, under_way = self._finished(under_way)
                yield finished

    def _client(self, stack: ExitStack) -> Any:
        from distributed import Client, LocalCluster

        _silence()
        try:
            if self.address != LOCAL:
                self._knock()
                return stack.enter_context(Client(self.address, timeout=_TO_CONNECT))
            cores = os.cpu_count() or 1
            with deaf():
                cluster = LocalCluster(
                    n_workers=cores,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",  # any port: the usual one may be taken
                    silence_logs=logging.CRITICAL,
                )
            return stack.enter_context(Client(stack.enter_context(cluster)))
        except (OSError, OverflowError) as error:
            raise InputError(
                f"{self.address}: no scheduler answers ({error}); start one with dask scheduler"
            ) from None

    def _knock(self) -> None:
        """Fail at once if nothing listens; the library would try until its time-out."""
        host, _, port = self.address.partition("://")[2].rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), _TO_CONNECT).close()

    def _finished(self, under_way: list[Any]) -> tuple[list[Made], list[Any]]:
        """The finished blocks, and those still being dealt."""
        from distributed import wait

        try:
            wait(under_way, timeout=LOOK_UP, return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        except _GONE:
            raise self._gone() from None
        done = [future for future in under_way if future.done()]
        return [self._result(future) for future in done], [one for one in under_way if one not in done]

    def _gone(self) -> InputError:
        return InputError(f"{self.address}: the cluster is gone; what was dealt is kept")

    def _result(self, future: Any) -> Made:
        from distributed import KilledWorker

        if future.status not in ("finished", "error"):
            raise self._gone()
        try:
            result: Made = future.result()
        except _GONE:
            raise self._gone() from None
        except KilledWorker:
            raise InputError(
                f"{self.address}: a block was lost by several workers in turn; is there enough memory?"
            ) from None
        except ImportError as error:
            raise InputError(
                f"{self.address}: a worker cannot load combinat ({error}); install it there"
            ) from None
        return result


_GONE = (OSError, asyncio.CancelledError, concurrent.futures.CancelledError)
"""The errors of the library when the scheduler or the workers cannot be reached."""


def _silence() -> None:
    """Silence the libraries: the program reports errors itself, in one line."""
    loud = ("distributed", "tornado", "asyncio", "bokeh")
    for name in [*loud, *logging.root.manager.loggerDict]:  # many set a level of their own
        if name.partition(".")[0] in loud:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")
