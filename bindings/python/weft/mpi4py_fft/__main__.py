"""Runs a program for mpi4py-fft on weft: ``python -m weft.mpi4py_fft program.py [arguments]``, or
``-m module`` in the place of the program."""

import os
import runpy
import sys

from weft.mpi4py_fft import install


def main() -> None:
    """Runs what the command line tells."""
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    if len(arguments) < 1 + is_module:
        sys.exit("usage: python -m weft.mpi4py_fft program.py | -m module [arguments]")
    install()
    sys.argv = arguments[is_module:]
    if is_module:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")


main()
