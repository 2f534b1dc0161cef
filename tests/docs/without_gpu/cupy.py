"""What tutorials use of CuPy, by NumPy: for the device `emulated`, whose memory is the host's."""

import contextlib
from types import SimpleNamespace

from numpy import *  # noqa: F403
from numpy import fft  # noqa: F401


class Stream(contextlib.nullcontext):
    ptr = 0


class Event:
    def record(self) -> None:
        pass

    def synchronize(self) -> None:
        pass


cuda = SimpleNamespace(
    Device=lambda number: SimpleNamespace(use=lambda: None),
    Event=Event,
    Stream=Stream,
    get_elapsed_time=lambda begin, end: 0.0,
    runtime=SimpleNamespace(getDeviceCount=lambda: 1),
)
