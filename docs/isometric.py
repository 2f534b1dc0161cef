"""Boxes of a three-dimensional array as SVG, in a parallel projection."""

from dataclasses import dataclass

Box = tuple[tuple[int, int], ...]
Point = tuple[float, float]

#: Where axes go on the page, in edges of the array: 0 to the back, 1 down, 2 to the right.
DIRECTIONS = ((0.46, -0.32), (0.0, 1.0), (1.0, 0.0))
#: Between neighboring boxes, as a part of an edge.
GAP = 0.05
INK, QUIET, DONE = "#1b1f24", "#67707a", "#0a58a8"


@dataclass(frozen=True)
class Piece:
    """A box in a color, with a label on its front."""

    box: Box
    color: str
    label: str


def shade(color: str, light: float) -> str:
    """The color mixed with white (light > 0) or with black."""
    mixed = (int(color[i:i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(
        f"{round(c + (255 - c) * light if light > 0 else c * (1 + light)):02x}" for c in mixed)


def hides(one: Box, other: Box) -> bool:
    """Whether a box lies before another one of the same front."""
    return one[0][0] < other[0][0] and one[1:] == other[1:]


def polygon(points: list[Point], style: str) -> str:
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" {style}/>'


class Cube:
    """Draws an array of equal edges on the page, its upper left front corner at (x, y)."""

    def __init__(self, x: float, y: float, edge: float, points: int) -> None:
        self.origin, self.edge, self.points = (x, y), edge, points

    def place(self, *position: float) -> Point:
        """Where a point of the array is on the page."""
        return tuple(
            start + self.edge * sum(a / self.points * direction[i]
                                    for a, direction in zip(position, DIRECTIONS, strict=True))
            for i, start in enumerate(self.origin))

    def faces(self, box: Box) -> list[list[Point]]:
        """Front, top and right side."""
        gap = GAP * self.points / 2
        (a, b), (c, d), (e, f) = ((low + (gap if low else 0),
                                   high - (gap if high < self.points else 0)) for low, high in box)
        return [
            [self.place(a, c, e), self.place(a, c, f), self.place(a, d, f), self.place(a, d, e)],
            [self.place(a, c, e), self.place(a, c, f), self.place(b, c, f), self.place(b, c, e)],
            [self.place(a, c, f), self.place(b, c, f), self.place(b, d, f), self.place(a, d, f)],
        ]

    def outline(self) -> list[str]:
        """The edges of the array that are seen."""
        whole = ((0, self.points),) * 3
        style = f'fill="none" stroke="{QUIET}" stroke-width="0.7" stroke-dasharray="2 2"'
        return [polygon(face, style) for face in self.faces(whole)]

    def pieces(self, pieces: list[Piece]) -> list[str]:
        """From back to front, from below, from the left, so that later ones hide earlier ones."""
        drawn = []
        for piece in sorted(pieces, key=lambda p: (-p.box[0][0], -p.box[1][0], p.box[2][0])):
            for face, light in zip(self.faces(piece.box), (0.25, 0.5, -0.1), strict=True):
                style = f'fill="{shade(piece.color, light)}" stroke="{INK}" stroke-width="0.6"'
                drawn.append(polygon(face, style))
            front, _, side = self.faces(piece.box)
            face = side if any(hides(other.box, piece.box) for other in pieces) else front
            x, y = (sum(corner[i] for corner in face) / 4 for i in (0, 1))
            drawn.append(
                f'<text x="{x:.1f}" y="{y + 3.4:.1f}" text-anchor="middle" font-size="9.5" '
                f'font-weight="bold" fill="{INK}">{piece.label}</text>')
        return drawn

    def axes(self, transformed: set[int]) -> list[str]:
        """An arrow along each axis, in another color if the array has been transformed along it."""
        n, far = self.points, 0.07 * self.points
        ends = {0: ((0, n + far, n + far), (n, n + far, n + far)),
                1: ((0, 0, -far), (0, n, -far)), 2: ((0, n + far, 0), (0, n + far, n))}
        labels = {0: (5, 9), 1: (-9, 0), 2: (0, 11)}
        drawn = []
        for axis, (start, end) in ends.items():
            (x0, y0), (x1, y1) = self.place(*start), self.place(*end)
            done = axis in transformed
            color = DONE if done else QUIET
            drawn.append(
                f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}" '
                f'stroke-width="{2.2 if done else 1}" '
                f'marker-end="url(#{"done" if done else "open"})"/>')
            dx, dy = labels[axis]
            drawn.append(
                f'<text x="{(x0 + x1) / 2 + dx:.1f}" y="{(y0 + y1) / 2 + dy:.1f}" font-size="9.5" '
                f'text-anchor="middle" font-weight="{"bold" if done else "normal"}" '
                f'fill="{color}">{axis}</text>')
        return drawn
