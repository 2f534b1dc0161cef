"""Tests that every rank of an MPI job runs, in the same order: a failure is one of all ranks."""

from collections.abc import Iterator

import pytest
from mpi4py import MPI


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if MPI.COMM_WORLD.rank != 0:
        config.option.xmlpath = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    failure: BaseException | None = None
    try:
        yield
    except pytest.skip.Exception:
        raise
    except Exception as error:  # noqa: BLE001 - to be raised again
        failure = error
    failed = MPI.COMM_WORLD.allgather(failure is not None)
    if failure is not None:
        raise failure
    if any(failed):
        pytest.fail(f"failed on ranks {[rank for rank, bad in enumerate(failed) if bad]}")


@pytest.fixture
def comm() -> MPI.Intracomm:
    return MPI.COMM_WORLD
