"""What plans tell of their last transform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class StageTiming(NamedTuple):
    """Time and traffic of one step of a plan, on this rank.

    Attributes
    ----------
    name : str
    seconds : float
        In the last run.
    bytes : int
        Of a pass over memory: read and written; of an exchange: sent to others.
    moves_data : bool
        Whether the step moves data between ranks: an exchange. With ``node_shared`` the pass
        before it stores straight into the memory of ranks of the same node; of those the wait is
        all that is left.
    parts : dict of str to float
        Seconds of what the step does, in this order; all zero without the option ``breakdown``.
        ``"unpack"``, ``"decode"``: copies from messages or the input into tiles, and from
        compressed messages. ``"transform"`` may read the input and write the result itself.
        ``"callback"``: functions of the caller. ``"encode"``, ``"pack"``: copies of tiles into
        compressed messages, and into messages or the result; copies also scale and transpose.
        ``"exchange"``: calls that start messages, or keep them moving between tiles. ``"wait"``:
        for messages. Of a pass with several threads the mean of these.
    """

    name: str
    seconds: float
    bytes: int
    moves_data: bool
    parts: dict[str, float]


class SampledError(NamedTuple):
    """Error of a transform against the exact one, at a few points of its result.

    Attributes
    ----------
    relative_l2 : float
        Norm of the difference from the exact values over their norm, at these points.
    largest : float
        The largest difference from an exact value; infinity where it is NaN.
    samples : int
        Points that were looked at.
    """

    relative_l2: float
    largest: float
    samples: int


@dataclass(frozen=True)
class RedistributionReport:
    """The effect of compression on one redistribution of the last transform.

    Errors are relative L2 errors over all ranks, bytes those that this rank sent to others.

    Attributes
    ----------
    codec : str
        ``"none"`` if the data was sent uncompressed.
    predicted_error : float
        By the model, for white data.
    error : float
        Measured while encoding.
    bytes : int
        Sent, all attempts together.
    plain_bytes : int
        What they would have been uncompressed.
    repeated : int
        Attempts whose error was more than this stage's share.
    broken : bool
        Data had Inf or NaN, or more range than the codec.
    """

    codec: str
    predicted_error: float
    error: float
    bytes: int
    plain_bytes: int
    repeated: int
    broken: bool


@dataclass(frozen=True)
class Report:
    """The effect of compression in the last transform; ``str(report)`` is readable text.

    Attributes
    ----------
    tolerance : float
        As given; 0 if there was none.
    predicted_error, error : float
        Of all redistributions together; rounding of the transforms is not included.
    bytes, plain_bytes : int
        Sent by this rank, and what they would have been uncompressed.
    redistributions : tuple of RedistributionReport
    """

    tolerance: float
    predicted_error: float
    error: float
    bytes: int
    plain_bytes: int
    redistributions: tuple[RedistributionReport, ...]
    text: str

    def __str__(self) -> str:
        return self.text
