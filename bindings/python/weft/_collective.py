"""Objects whose making, use and destruction are collective."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from mpi4py import MPI

from weft import _core
from weft._errors import Error

if TYPE_CHECKING:
    from typing_extensions import Self


class _Destroyable(Protocol):
    def destroy(self) -> None: ...


Core = TypeVar("Core", bound=_Destroyable)


class Collective(Generic[Core]):
    """The life of an object of the extension module: it ends with its block, or by `destroy`."""

    _core: Core

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.destroy()

    def destroy(self) -> None:
        """Frees it. Collective; an operation under way is ended first. Twice is harmless."""
        self._core.destroy()


def make_collectively(core: Callable[[int, dict[str, Any], str], Core], comm: MPI.Comm,
                      read: Callable[[], dict[str, Any]]) -> Core:
    """Makes an object of the extension module. Collective; an exception of `read` on any rank is an
    error on all of them."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm must be a communicator of mpi4py, not {comm!r}")
    if MPI.Is_finalized():
        raise Error("MPI is finalized: no plan can be made")
    request: dict[str, Any] = {}
    refusal = ""
    try:
        request = read()
    except Exception as error:  # noqa: BLE001 - it is raised on all ranks
        refusal = str(error) or type(error).__name__
    return core(comm.py2f(), request, refusal)


def check_names(made: type, given: Mapping[str, Any], options: Collection[str]) -> None:
    """Raises weft.Error for keyword arguments that neither the constructor nor the options know."""
    own = [name for name, parameter in inspect.signature(made).parameters.items()
           if parameter.kind is not parameter.VAR_KEYWORD]
    for name in given:
        if name not in options:
            raise Error(_core.unknown_name(f"{made.__name__}: argument", name, [*own, *options]))
