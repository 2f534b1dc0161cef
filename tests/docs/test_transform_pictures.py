"""The pictures of transforms (docs/draw_transform.py) are those of the schedules of today."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEDULE = """forward 8x8x8 c2c,c2c,c2c f64, rank 0 of 2, predicted 1 us
  1. local       axis 2 c2c n=8, axis 1 c2c n=8, in grid 2x1x1, box [0,4)x[0,8)x[0,8), 4 KiB, ...
  2. redistribute grid 2x1x1 -> grid 1x2x1, 1 peers, sends 2 KiB, largest message 2 KiB, ...
backward 8x8x8 c2c,c2c,c2c f64, rank 0 of 2, predicted 1 us
  1. redistribute grid 1x2x1 -> grid 2x1x1, 1 peers, sends 2 KiB, largest message 2 KiB, ...
"""


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    """docs/draw_transform.py"""
    spec = importlib.util.spec_from_file_location("draw_transform", ROOT / "docs/draw_transform.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def weft() -> str:
    return str(Path(os.environ.get("WEFT_BUILD_DIR", ROOT / "build")).resolve() / "bin/weft")


@pytest.mark.parametrize("name", ["slabs", "pencils"])
def test_pictures_show_the_schedules(drawing, weft, name):
    known = (drawing.FIGURES / f"transform-{name}.svg").read_text("utf-8")
    assert drawing.picture(weft, name) == known, "run docs/draw_transform.py"


def test_all_pictures_are_there(drawing):
    assert {f"transform-{name}.svg" for name in drawing.PICTURES} == {
        file.name for file in drawing.FIGURES.glob("transform-*.svg")}


def test_schedules_are_read(drawing):
    local, redistribution = drawing.forward_stages(SCHEDULE)
    assert local.axes == (2, 1)
    assert local.box == ((0, 4), (0, 8), (0, 8))
    assert redistribution.axes == ()
    assert redistribution.sent == 2048


def test_messages_are_what_boxes_have_in_common(drawing):
    before = ((0, 4), (0, 8), (0, 8))
    first, second = ((0, 8), (0, 4), (0, 8)), ((0, 8), (4, 8), (0, 8))
    assert drawing.parts(before, [first, second], 2048) == {
        0: ((0, 4), (0, 4), (0, 8)), 1: ((0, 4), (4, 8), (0, 8))}
    with pytest.raises(ValueError, match="the boxes give 2048 bytes"):
        drawing.parts(before, [first, second], 4096)
    assert drawing.common(first, second) is None
