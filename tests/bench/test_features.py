"""The features of libraries: as adapters have them, as far as these are built."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from harness_build import real_build
from weft_bench import builds, features, jobs, machine, run, study

ROOT = Path(__file__).resolve().parents[2]
ALL = {one.name: one for one in features.load(ROOT)}
#: What to ask of a program, and whether its features say that it does this.
PROBES: list[tuple[dict[str, Any], Any]] = [
    ({"kind": "c2c"}, lambda f: "c2c" in f.kinds),
    ({"kind": "r2c"}, lambda f: "r2c" in f.kinds),
    ({"kind": "dct2"}, lambda f: "r2r" in f.kinds),
    ({"kind": "none,c2c,c2c"}, lambda f: "mixed" in f.kinds),
    ({"precision": "f32"}, lambda f: "f32" in f.precisions),
    ({"shape": [16, 12]}, lambda f: f.axes != "3"),
    ({"batch": 2}, lambda f: f.batches),
    ({"in_place": True, "kind": "c2c"}, lambda f: "c2c" in f.in_place),
    ({"in_place": True, "kind": "r2c"}, lambda f: "r2c" in f.in_place),
    *(({"in": name, "out": name}, lambda f, name=name: f.shared_memory or name in f.layouts)
      for name in features.DECOMPOSITIONS),
]


def test_every_adapter_has_features() -> None:
    text = "".join(path.read_text() for path in (ROOT / "bench/adapters").glob("*.cmake"))
    assert set(ALL) == set(re.findall(r"^weft_bench_program\((\S+)", text, re.M))


@pytest.mark.parametrize("name", [name for name, one in ALL.items() if one.device == "host"])
def test_a_program_does_what_its_features_say(name: str) -> None:
    folder = real_build()
    listing = json.loads((folder / "bin/bench/libraries.json").read_text())
    missing = {one["name"]: one["missing"] for one in listing["libraries"]}
    if missing[name]:
        pytest.skip(missing[name])
    build = builds.load(folder)
    library, told = build.libraries[name], ALL[name]
    assert library.shared_memory == told.shared_memory
    values = {value for one in library.settings.values() for value in one}
    assert set(told.exchanges) <= values
    assert set(told.overlap) <= set(library.settings)
    [settings] = run.settings_of(study.Choice(name), library)
    wrong = []
    usual = {"shape": [16, 12, 8], "ranks": 4, "kind": told.kinds[0]}
    for changes, offered in PROBES:
        [case] = study.parse({"cases": [usual | changes]}, "s").cases
        measure = study.MEASURE_DEFAULTS | {"seconds": 0.0, "energy": False}
        command = [*build.command(case, machine.usable_cores(), library.shared_memory),
                   str(library.program),
                   *run.arguments_of(case, settings, library.shared_memory, measure, 0)]
        outcome = jobs.run(command, builds.environment(1), 60)
        if outcome.status != ("ok" if offered(told) else "unsupported"):
            wrong.append((changes, offered(told), outcome.status, outcome.reason))
    assert wrong == []


@pytest.mark.parametrize(("text", "words"), [
    ('[a]\nkinds = ["c3c"]\nprecisions = []\naxes = "3"', r"\[a\]: kinds \['c3c'\]; known"),
    ('[a]\nkinds = []\nprecisions = []\naxes = "3"\ncolor = 1', "unexpected keyword .*color"),
])
def test_mistakes_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bench/adapters").mkdir(parents=True)
    (tmp_path / features.FILE).write_text(text)
    with pytest.raises(features.FeatureError, match=words):
        features.load(tmp_path)
