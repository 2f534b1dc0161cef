"""A plugin of pytest: SciPy's tests of its fft run with weft in the place of SciPy's own.

Usage: python -m pytest -p scipy_plugin --pyargs scipy.fft.tests.test_basic
"""

import pytest
import scipy.fft

import weft
from weft.fft._pool import pool


def pytest_configure(config: pytest.Config) -> None:
    scipy.fft.set_global_backend(weft.scipy_backend, only=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(
        f"{weft.scipy_backend.calls} calls of weft.fft, {pool.runs} transforms by plans of weft")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Tests that passed without weft would tell nothing of it."""
    if exitstatus == 0 and not session.config.option.collectonly and pool.runs == 0:
        session.exitstatus = 1
