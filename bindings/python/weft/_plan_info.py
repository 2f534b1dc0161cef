"""Information about plans."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weft._local_array import LocalArray


class PlanChoice(NamedTuple):
    """The value of an option of a plan, and the reason for it.

    Attributes
    ----------
    option : str
        Its name, such as ``"exchange"``.
    value : str
        What the plan uses, such as ``"node_shared:alltoallv"``.
    why : str
        ``"given"``, ``"WEFT_EXCHANGE"`` where the environment said so, ``"default"``, or weft's
        reason.
    """

    option: str
    value: str
    why: str


class PlanTrial(NamedTuple):
    """Settings that were tried while a plan was created (option `tune`).

    Attributes
    ----------
    settings : str
        Options as text; empty: the defaults.
    predicted_seconds : float
        Of forward and backward together, by the cost model.
    seconds : float
        Of both, measured: a median, of the slowest rank; 0 if it could not be tried.
    share : float
        Time as a share of that of the defaults. It says more than `seconds`, as it comes from runs
        in turn.
    remark : str
        Empty, ``"gave up"``, or why it could not be tried.
    chosen : bool
        Whether the plan uses them.
    """

    settings: str
    predicted_seconds: float
    seconds: float
    share: float
    remark: str
    chosen: bool


@dataclass(frozen=True)
class PlanInfo:
    """The properties and the cost of a plan, on this rank.

    They do not change while the plan exists; `Plan.report` and `Plan.timings` are about the last
    transform.

    Attributes
    ----------
    shape : tuple of int
        Lengths of the transforms.
    kinds : tuple of str
        What is done along each axis.
    input_points : tuple of int
        Shape of the global array in physical space.
    modes : tuple of int
        Modes along each axis of the array in spectral space.
    norm : str
        Scaling: ``"backward"``, ``"ortho"``, ``"forward"`` or ``"none"``.
    orthogonal : bool
        Whether cosine and sine transforms have orthogonal matrices, up to a factor.
    batch : int
        Number of fields transformed together.
    input, output : LocalArray
        This rank's arrays in physical and in spectral space.
    exchange : str
        How messages travel.
    local : str
        The library of local transforms.
    device : str
        What the plan works on.
    device_number : int
        Among the devices of this process; -1 on the host.
    threads : int
        Threads of this rank.
    chunks, receive_chunks : int
        Parts in which what a rank sends leaves, and what it receives arrives, in `Plan.forward`,
        at most.
    choices : tuple of PlanChoice
        All options, what was chosen for them, and why.
    trials : tuple of PlanTrial
        What was tried while the plan was created, the defaults first; empty unless it was tuned.
    workspace_bytes : int
        Workspace of this rank.
    shared_bytes : int
        Beside it, memory that other ranks write to.
    bytes_sent : int
        What this rank sends to others in one `Plan.forward`.
    predicted_seconds : float
        Of one `Plan.forward`, by the cost model.
    """

    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    input_points: tuple[int, ...]
    modes: tuple[int, ...]
    norm: str
    orthogonal: bool
    batch: int
    input: LocalArray
    output: LocalArray
    exchange: str
    local: str
    device: str
    device_number: int
    threads: int
    chunks: int
    receive_chunks: int
    choices: tuple[PlanChoice, ...]
    trials: tuple[PlanTrial, ...]
    workspace_bytes: int
    shared_bytes: int
    bytes_sent: int
    predicted_seconds: float
    _text: str = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        first, costs, *_ = map(html.escape, self._text.splitlines())
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in choice)}</tr>"
                       for choice in self.choices)
        return (f"<p>{first}<br>{costs}</p>"
                f"<table><tr><th>option</th><th>value</th><th>why</th></tr>{rows}</table>")


def plan_info(members: dict[str, Any], input: LocalArray, output: LocalArray) -> PlanInfo:
    """From what the extension module tells of a plan."""
    choices = tuple(PlanChoice(*choice) for choice in members.pop("choices"))
    trials = tuple(PlanTrial(*trial) for trial in members.pop("trials"))
    text = members.pop("text")
    return PlanInfo(**members, input=input, output=output, choices=choices, trials=trials,
                    _text=text)
