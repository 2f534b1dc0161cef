"""Files that take the place of others only when they are complete."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from weft.distarray.collective import Context


@contextmanager
def replacement_file(context: Context, path: str) -> Iterator[str]:
    """Collective. The name of a new, empty file beside `path`, to be written by any rank.

    At the end of the block, which all ranks have to leave in the same way, it takes the name
    `path`; after an exception it is removed, and what was at `path` stays. A link stays one, and
    permissions are kept.

    Raises
    ------
    OSError
        On every rank, where there cannot be such a file.
    """
    temporary, target = context.on_root(f"writing '{path}'", 0, lambda: _create(path))
    try:
        yield temporary
        context.on_root(f"replacing '{path}'", 0, lambda: _replace(temporary, target))
    except BaseException:
        if context.rank == 0:
            with suppress(OSError):
                os.unlink(temporary)
        raise


def _create(path: str) -> tuple[str, str]:
    """A new file, and the one that it is to replace."""
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"cannot write '{path}': it is not a regular file")
        with open(target, "r+b"):
            pass  # raises where it must not be written
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    try:
        file, temporary = tempfile.mkstemp(prefix=".weft-", dir=os.path.dirname(target))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    os.fchmod(file, stat.S_IMODE(mode))
    os.close(file)
    return temporary, target


def _replace(temporary: str, target: str) -> None:
    with open(temporary, "rb") as file:
        os.fsync(file.fileno())
    os.replace(temporary, target)
