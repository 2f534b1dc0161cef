#!/usr/bin/env python3
"""Draws docs/figures/transform-*.svg: how a transform moves through ranks and memory.

    docs/draw_transform.py [WEFT]

Boxes, passes and bytes are those that `weft plan` prints for four ranks. What the messages hold
follows from the boxes, and must have the bytes that the schedule says.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))
from isometric import DONE, INK, QUIET, Box, Cube, Piece, shade  # noqa: E402

FIGURES = ROOT / "docs/figures"
RANKS, POINTS, ELEMENT = 4, 128, 16  # 16 bytes: complex numbers of double precision
#: Input and output of each picture, and what they are called.
PICTURES = {
    "slabs": ("slab:0", "slab:1", "Slabs"),
    "pencils": ("pencil:2", "pencil:0", "Pencils"),
}
#: Of ranks, and of arrays. Text is dark on each.
COLORS = ("#56b4e9", "#e69f00", "#33b58a", "#d58ab4")
ARRAY = "#b9c2cc"
STAGE = re.compile(r"^ +\d+\. (local|redistribute) +(.*)$", re.MULTILINE)
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20}
WIDTH, ROW, EDGE, BAR = 760, 152, 84, 230  # of the picture, a state, a cube, an array in memory
TEXT = 206  # where the text of a state begins
BOLD = f'font-weight="bold" font-size="12.5" fill="{INK}"'
#: Memory of one kind: its name, and parts as bytes, color and label.
Line = tuple[str, list[tuple[int, str, str]]]


@dataclass(frozen=True)
class Stage:
    """Of a schedule: axes that are transformed in a box, or bytes that are sent to others."""

    axes: tuple[int, ...]
    box: Box
    sent: int


@dataclass
class State:
    """What is drawn in a row: boxes in the array, and what one rank has in memory."""

    title: str
    details: list[str]
    pieces: list[Piece]
    transformed: set[int]
    memory: list[Line]
    #: The step that comes next.
    step: list[str] = field(default_factory=list)


def forward_stages(text: str) -> list[Stage]:
    """The stages of the forward transform that `weft plan` has printed."""
    found = []
    for kind, what in STAGE.findall(text.split("backward ")[0]):
        axes = tuple(map(int, re.findall(r"axis (\d+) ", what)))
        box = tuple((int(a), int(b)) for a, b in re.findall(r"\[(\d+),(\d+)\)", what))
        sent = re.search(r"sends ([\d.]+) (\w+)", what)
        found.append(Stage(axes if kind == "local" else (), box,
                           int(float(sent[1]) * UNITS[sent[2]]) if sent else 0))
    return found


def schedules(weft: str, source: str, target: str) -> list[list[Stage]]:
    """Of all ranks, each on a node of its own."""
    return [
        forward_stages(subprocess.run(
            [weft, "plan", *[str(POINTS)] * 3, "--input", source, "--output", target, "--ranks",
             str(RANKS), "--ranks-per-node", "1", "--rank", str(rank)],
            check=True, capture_output=True, text=True).stdout)
        for rank in range(RANKS)]


def common(one: Box, other: Box) -> Box | None:
    """The points of both boxes."""
    box = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))
    return box if all(low < high for low, high in box) else None


def size(box: Box) -> int:
    """In bytes."""
    return ELEMENT * (box[0][1] - box[0][0]) * (box[1][1] - box[1][0]) * (box[2][1] - box[2][0])


def parts(mine: Box, of_others: list[Box], sent: int) -> dict[int, Box]:
    """Of the box of rank 0 what it exchanges with each rank, as the schedule says."""
    found = {rank: box for rank, other in enumerate(of_others) if (box := common(mine, other))}
    total = sum(size(box) for rank, box in found.items() if rank)
    if total != sent:
        raise ValueError(f"the boxes give {total} bytes to send, the schedule {sent}")
    return found


def mib(count: int) -> str:
    return f"{count / 2**20:g} MiB"


def names(numbers: list[int]) -> str:
    """Such as 1, 2 and 3."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def axes_text(axes: list[int]) -> str:
    return f"{'axes' if len(axes) > 1 else 'axis'} {names(axes)}"


def ranks_text(ranks: list[int]) -> str:
    return f"{'ranks' if len(ranks) > 1 else 'rank'} {names(ranks)}"


def split_text(boxes: list[Box]) -> str:
    split = [axis for axis in range(3) if any(box[axis] != (0, POINTS) for box in boxes)]
    return f"{axes_text(split)} {'are' if len(split) > 1 else 'is'} split"


def colored(boxes: dict[int, Box]) -> list[Piece]:
    return [Piece(box, COLORS[rank], str(rank)) for rank, box in boxes.items()]


def whole(boxes: list[Box], title: str, called: str, done: set[int], arrays: list[str]) -> State:
    """A distribution, and the arrays of rank 0."""
    return State(title, [f"{called}: {split_text(boxes)}", "Colors: the rank that has them"],
                 colored(dict(enumerate(boxes))), set(done),
                 [(name, [(size(boxes[0]), ARRAY, "")]) for name in arrays])


def exchanged(pieces: dict[int, Box], title: str, way: str, done: set[int], array: int) -> State:
    """The messages of rank 0, before or after they have travelled."""
    others = [rank for rank in pieces if rank]
    sent = sum(size(pieces[rank]) for rank in others)
    return State(title,
                 [f"{mib(sent)} {way} {ranks_text(others)},", f"{mib(size(pieces[0]))} stay here",
                  f"Colors: the rank that they are {way}"],
                 colored(pieces), set(done),
                 [("input", [(array, ARRAY, "")]),
                  ("messages", [(size(box), COLORS[rank], str(rank))
                                for rank, box in pieces.items()])])


def pass_text(number: int, axes: tuple[int, ...], last: bool) -> list[str]:
    reads = "gathers messages" if number else "reads the input"
    return [f"Pass {number}", f"{reads}, transforms {axes_text(list(axes))},",
            f"writes {'the output' if last else 'messages'}"]


def redistribution_text(leaving: dict[int, Box]) -> list[str]:
    others = [rank for rank in leaving if rank]
    each = " each" if len(others) > 1 else ""
    return ["Redistribution",
            f"sends {mib(size(leaving[others[0]]))}{each} to {ranks_text(others)},",
            "and receives as much"]


def states(plans: list[list[Stage]], called: str) -> list[State]:
    """The rows of a picture: of schedules that begin and end with a pass."""
    boxes = [[plan[number].box for plan in plans] for number in range(len(plans[0]))]
    array, done, passes = size(boxes[0][0]), set(), 0
    found = [whole(boxes[0], "The input", called, done, ["input"])]
    for number, stage in enumerate(plans[0]):
        if stage.axes:
            found[-1].step = pass_text(passes, stage.axes, number + 1 == len(boxes))
            done |= set(stage.axes)
            passes += 1
            continue
        leaving = parts(boxes[number - 1][0], boxes[number + 1], stage.sent)
        coming = parts(boxes[number + 1][0], boxes[number - 1], stage.sent)
        found.append(exchanged(leaving, "Rank 0 has written", "for", done, array))
        found[-1].step = redistribution_text(leaving)
        found.append(exchanged(coming, "Rank 0 has received", "from", done, array))
    return [*found, whole(boxes[-1], "The output", called, done, ["input", "output"])]


def text(x: float, y: float, words: str, style: str = f'fill="{INK}"') -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{words}</text>'


def draw_memory(lines: list[Line], x: float, y: float, array: int) -> list[str]:
    drawn = []
    for label, row in lines:
        drawn.append(text(x, y, f"{label}, {mib(sum(count for count, _, _ in row))}"))
        left = x
        for count, color, name in row:
            wide = BAR * count / array
            drawn += [f'<rect x="{left:g}" y="{y + 4:g}" width="{wide:g}" height="14" '
                      f'fill="{shade(color, 0.25)}" stroke="{INK}" stroke-width="0.6"/>',
                      text(left + wide / 2, y + 14.5, name, 'text-anchor="middle" '
                           f'font-weight="bold" font-size="9.5" fill="{INK}"')]
            left += wide
        y += 38
    return drawn


def head(height: int, title: str) -> list[str]:
    markers = [
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{color}"/>'
        "</marker>" for name, color in (("open", QUIET), ("done", DONE), ("step", INK))]
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="Helvetica,Arial,sans-serif" font-size="11">',
        f"<title>{title}</title>", "<defs>", *markers, "</defs>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#ffffff"/>',
        text(28, 22, "The array", BOLD),
        text(TEXT, 22, "Arrows: axes, blue once transformed", f'fill="{QUIET}"'),
        text(WIDTH - BAR - 14, 22, "In memory of rank 0", BOLD)]


def svg(rows: list[State], array: int, title: str) -> str:
    out = head(ROW * len(rows) + 34, title)
    for number, state in enumerate(rows):
        y = 34 + ROW * number
        cube = Cube(34, y + 38, EDGE, POINTS)
        out += [*cube.outline(), *cube.pieces(state.pieces), *cube.axes(state.transformed),
                text(TEXT, y + 30, state.title, BOLD),
                *(text(TEXT, y + 47 + 15 * i, line) for i, line in enumerate(state.details)),
                *draw_memory(state.memory, WIDTH - BAR - 14, y + 30, array)]
        if state.step:
            out += [f'<path d="M{TEXT + 10} {y + 97} v38" stroke="{INK}" stroke-width="1.6" '
                    'marker-end="url(#step)"/>',
                    text(TEXT + 24, y + 106, state.step[0], f'font-weight="bold" fill="{INK}"'),
                    *(text(TEXT + 24, y + 121 + 15 * i, line)
                      for i, line in enumerate(state.step[1:]))]
    return "\n".join([*out, "</svg>", ""])


def picture(weft: str, name: str) -> str:
    source, target, called = PICTURES[name]
    plans = schedules(weft, source, target)
    return svg(states(plans, called), size(plans[0][0].box),
               f"A transform of {POINTS}^3 points on {RANKS} ranks, {source} to {target}")


def main() -> None:
    weft = sys.argv[1] if len(sys.argv) > 1 else "weft"
    for name in PICTURES:
        (FIGURES / f"transform-{name}.svg").write_text(picture(weft, name), "utf-8")


if __name__ == "__main__":
    main()
