"""Parts of the documentation that functions share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_PARAMETERS = {
    "x": """x : array_like
    The input. Integers and booleans count as double precision, half precision as single.""",
    "type": """type : {1, 2, 3, 4}, optional
    Of the transform.""",
    "n": """n : int, optional
    Points of the result along the axis: the input is cut, or continued with zeros. Of functions
    that end with real numbers, the length of the result.""",
    "s": """s : int or sequence of int, optional
    Points along each axis of `axes`: the input is cut, or continued with zeros. Of functions that
    end with real numbers, the shape of the result. -1 stands for the length of the input.""",
    "axis": """axis : int, optional
    Axis to be transformed.""",
    "axes": """axes : int or sequence of int, optional
    Axes to be transformed; by default all, or with `s` the last ``len(s)``. Half spectra are along
    the last of them.""",
    "norm": """norm : {'backward', 'ortho', 'forward', 'none'}, optional
    Which direction is scaled: the inverse one, by 1/N (``"backward"``, the default), both by
    1/sqrt(N), the other one by 1/N, or neither.""",
    "overwrite_x": """overwrite_x : bool, optional
    Whether the memory of `x` may be used for the result.""",
    "workers": """workers : int, optional
    Threads, at most; negative numbers count back from ``os.cpu_count()``. `set_workers` sets the
    default, which is 1. Small arrays are transformed by one thread.""",
    "orthogonalize": """orthogonalize : bool, optional
    Whether elements at the ends have weights that make the matrix orthogonal, up to a factor. By
    default with ``norm="ortho"`` only.""",
    "plan": """plan : None
    For SciPy's sake; plans are kept by weft itself.""",
}

_RESULT = """
Returns
-------
{result}

Notes
-----
Long doubles, and calls in forked processes, are left to SciPy. A `weft.DistArray` is transformed
where it lies, spread over its ranks.
"""


def documented(function: Function, module: str, name: str, result: str,
               summary: str) -> Function:
    """Names a function, and documents it by a line, its parameters and its result."""
    parameters = [_PARAMETERS[name] for name in inspect.signature(function).parameters]
    function.__module__, function.__name__, function.__qualname__ = module, name, name
    function.__doc__ = "\n".join([summary, "", "Parameters", "----------", *parameters,
                                  _RESULT.format(result=result)])
    return function
