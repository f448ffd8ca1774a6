# SPDX-License-Identifier: BSD-3-Clause
"""How long calls run: with how many threads and how much memory, who hears how far they are, how Ctrl-C ends them.

A long call made by the main thread is worked on by a thread of its own, so that Ctrl-C raises KeyboardInterrupt at once:
the main thread tells the library to stop, waits a moment for it, and goes on. Short calls run where they are called.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

LONG = 2e8  # multiplications, roughly: what takes less is over before Ctrl-C would be missed
LIMITS = {"threads": 2**31 - 1, "memory": 2**63 - 1}
PATIENCE = 0.3  # seconds that the library gets to stop by itself
GLANCE = 0.1  # seconds after which a signal is noticed that another thread has caught: it wakes nobody who waits

PIECE = 1 << 30  # bytes of a message, at most

_config: dict[str, Any] = {"threads": 0, "memory": 0, "progress": None, "comm": None}


def get_config() -> dict[str, Any]:
    """The settings of all calls: threads (0: all), memory in bytes (0: most of what is free), progress, comm.

    >>> import scree
    >>> scree.get_config()
    {'threads': 0, 'memory': 0, 'progress': None, 'comm': None}
    """
    return dict(_config)


def set_config(**settings: Any) -> None:
    """Changes settings of all calls that follow.

    threads: so many at most; 0: all. memory: bytes that a call may use; 0: most of what is free. progress: True draws a
    bar by tqdm; a function is called with a Progress some ten times a second; None: nothing.
    comm: a communicator of mpi4py, whose processes share the rows of each fit and of select: all of them make the same
    call with the same rows, and have the same model. They share what `State.add` reads of files and `State.load` of
    several, too.
    """
    unknown = [name for name in settings if name not in _config]
    if unknown:
        raise TypeError(f"there is no setting '{unknown[0]}'; there are {', '.join(_config)}")
    for name in settings.keys() & {"threads", "memory"}:
        value = settings[name]
        if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) <= LIMITS[name]:
            raise ValueError(f"{name} is a whole number from 0 on (0: automatic), not {value!r}")
    progress = settings.get("progress")
    if progress not in (None, True, False) and not callable(progress):
        raise ValueError(f"progress is True, a function or None, not {progress!r}")
    comm = settings.get("comm")
    if comm is not None and not hasattr(comm, "Split_type"):
        raise ValueError(f"comm is a communicator of mpi4py or None, not {comm!r}")
    _config.update(settings)


@contextlib.contextmanager
def config_context(**settings: Any) -> Iterator[None]:
    """Settings for the calls within a `with` block.

    >>> import scree
    >>> with scree.config_context(threads=1):
    ...     scree.get_config()["threads"]
    1
    """
    before = get_config()
    set_config(**settings)
    try:
        yield
    finally:
        set_config(**before)


def _messages(comm: Any) -> tuple[Any, ...] | None:
    """What the library needs of a communicator of mpi4py: who this is, and three ways of passing bytes."""
    if comm is None:
        return None
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED)

    def pieces(view: memoryview) -> Iterator[memoryview]:
        for at in range(0, len(view), PIECE):
            yield view[at : at + PIECE]

    def send(other: int, view: memoryview) -> None:
        for piece in pieces(view):
            comm.Send([piece, MPI.BYTE], dest=other)

    def receive(other: int, view: memoryview) -> None:
        for piece in pieces(view):
            comm.Recv([piece, MPI.BYTE], source=other)

    def broadcast(other: int, view: memoryview) -> None:
        for piece in pieces(view):
            comm.Bcast([piece, MPI.BYTE], root=other)

    ranks_here = here.Get_size()
    here.Free()
    return (comm.Get_rank(), comm.Get_size(), ranks_here, send, receive, broadcast)


def together() -> contextlib.AbstractContextManager[None]:
    """What every process does by itself before a call that they share, such as opening a file: where one of them fails, all
    raise its sentence, and nobody waits for it in the call."""
    return _ALONE if _config["comm"] is None else _together(_config["comm"])


_ALONE: contextlib.AbstractContextManager[None] = contextlib.nullcontext()


@contextlib.contextmanager
def _together(comm: Any) -> Iterator[None]:
    failure: Exception | None = None
    try:
        yield
    except Exception as error:
        failure = error
    told = comm.allgather(None if failure is None else (isinstance(failure, OSError), str(failure)))
    if failure is not None:
        raise failure
    for rank, what in enumerate(told):
        if what is not None:
            raise (OSError if what[0] else ValueError)(f"rank {rank}: {what[1]}")


class Progress(NamedTuple):
    """How far a long call is.

    pass_ counts from 1, and passes is 0 where nobody knows how many there will be. part is None, or the name of work that
    is no pass over rows, such as "eigenvectors". done, of the pass or the part, is from 0 to 1; seconds_left, of the call,
    is an estimate; they and rows_total are None where they are not known.
    """

    stage: str
    pass_: int
    passes: int
    rows: int
    rows_total: int | None
    part: str | None
    done: float | None
    seconds_left: float | None


def _told(tell: Callable[[Progress], Any]) -> Callable[..., Any]:
    """What the library calls: negative numbers are those that it does not know."""

    def call(stage: str, number: int, passes: int, rows: int, total: int, part: str | None, done: float, left: float) -> Any:
        known = [value if value >= 0 else None for value in (total, done, left)]
        return tell(Progress(stage, number, passes, rows, known[0], part, *known[1:]))  # type: ignore[arg-type]

    return call


class _Bar:
    """A bar of tqdm, one a pass or a part; all passes have one where nobody knows how many there will be."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.which: tuple[str, int, str | None] | None = None

    def __call__(self, p: Progress) -> None:
        from tqdm.auto import tqdm

        number = f"{p.pass_}/{p.passes}" if p.passes > 0 else f"{p.pass_}"
        which = (p.stage, p.pass_ if p.passes > 0 else 0, p.part)
        if self.which != which:
            self.finish()
            if p.part:
                self.bar = tqdm(total=100, desc=f"{p.stage}: {p.part}", unit="%")
            else:
                self.bar = tqdm(total=p.rows_total, desc=f"{p.stage} {number}", unit="row", unit_scale=True)
            self.which = which
        if not p.part:
            self.bar.set_description(f"{p.stage} {number}", refresh=False)
        self.bar.n = round(100 * (p.done or 0)) if p.part else p.rows
        self.bar.refresh()

    def finish(self) -> None:
        """What the bar is of has been done; the last that was told of a part is some time before its end."""
        if self.bar is not None and self.which is not None and self.which[2]:
            self.bar.n = self.bar.total
            self.bar.refresh()
        self.close()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


_PLACES = re.compile(r"\b(row|column) (\d+)\b")
_HERE = ("memory: ", "batches: ", "the rows: ", "the state: ")


def rephrase(text: str) -> str:
    """A sentence of the library on rows in memory as Python has them: counted from 0, without the name of a file."""
    here = next((name for name in _HERE if text.startswith(name)), None)
    if here is None:
        advice = "; portable wheels leave out hdf5 and matio: 'pip install .' in scree's sources builds those whose library is installed"
        return text.removesuffix("; install it") + advice if "needs the module scree-" in text else text
    words, found = _PLACES.subn(lambda match: f"{match[1]} {int(match[2]) - 1}", text.removeprefix(here))
    words = words.replace(" by choosing the other columns with --columns", "")
    head, stop, rest = words.partition(";")
    return f"{head} (counted from 0){stop}{rest}" if found else words


@contextlib.contextmanager
def python_words() -> Iterator[None]:
    """What the library says of rows in memory, as Python counts them."""
    try:
        yield
    except (ValueError, ArithmeticError, MemoryError) as error:
        text = str(error)
        words = rephrase(text)
        if words == text:
            raise
        raise type(error)(words) from None


def _in_thread(call: Callable[..., T], args: tuple[Any, ...], flag: bytearray) -> T:
    result: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            result.append(call(*args))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="scree", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(GLANCE)
    except BaseException:
        flag[0] = 1
        thread.join(PATIENCE)
        raise
    if failure:
        raise failure[0]
    return result[0]


def call(function: Callable[..., T], *args: Any, work: float = 0.0, shares: bool = True) -> T:
    """function(*args, run) with the settings of now. work: multiplications that it takes, as far as anybody knows. shares:
    whether it is for the processes of comm together."""
    progress: Any = _config["progress"]
    bar = _Bar() if progress is True else None
    flag = bytearray(1)
    tell = bar if bar is not None else progress or None
    run = (_config["threads"], _config["memory"], _told(tell) if tell else None, flag, _messages(_config["comm"] if shares else None))
    try:
        with python_words():
            if work >= LONG and threading.current_thread() is threading.main_thread():
                result = _in_thread(function, (*args, run), flag)
            else:
                result = function(*args, run)
        if bar is not None:
            bar.finish()
        return result
    finally:
        if bar is not None:
            bar.close()
