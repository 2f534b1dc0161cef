"""Names that pages use: of exchanges, options of programs, functions of C and Fortran, files."""

import re
from pathlib import Path

#: Words in backticks that look like names of ours, but are others': packages, and the harness.
OTHERS = {"weft_fortran", "weft_bench", "weft_pure"}
#: Of programs that are not weft's; and those that the harness makes of names of batch systems.
OPTIONS_OF_OTHERS = {
    "--bind-to", "--build", "--cflags", "--channel", "--config-settings", "--cpu-bind",
    "--cpus-per-task", "--exclusive", "--gpus-per-node", "--gpus-per-task", "--install", "--libs",
    "--lsf", "--map-by", "--modversion", "--mpi", "--no-binary", "--nodes", "--ntasks-per-node",
    "--output-on-failure", "--oversubscribe", "--parallel", "--pbs", "--pyargs", "--recipe",
    "--report-bindings", "--shm-size", "--slurm", "--test-dir", "--variable", "--variant-config",
}
#: Files that pages name but that their readers, other libraries or studies make.
FILES_OF_OTHERS = {"first.cpp", "dtfft.hpp", "swfft.hpp", "STUDY.jsonl"}


def pages(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def text_of(root: Path, *patterns: str) -> str:
    files = [file for pattern in patterns for file in root.glob(pattern) if file.is_file()]
    assert files
    return "\n".join(file.read_text("utf-8") for file in files)


def name_in(row: str) -> str:
    return re.search(r'return \{\s*(?:\.name = )?"(\w+)"', row)[1]


def exchanges(root: Path) -> dict[str, bool]:
    """Names in the registry, and whether they are for devices."""
    source = text_of(root, "src/exchange/*.cpp")
    rows = re.findall(r'^ExchangeMethod \w+\(\) \{(.*?)^\}', source, re.MULTILINE | re.DOTALL)
    found = {name_in(row): "ExchangeTraits::device" in row for row in rows}
    assert len(found) == 16
    return found


def test_the_readme_and_the_guide_have_all_exchanges(root):
    readme = (root / "README.md").read_text("utf-8")
    listed = re.search(r"^\| exchanges \|(.*)\|$", readme, re.MULTILINE)[1]
    on_hosts = {name for name, device in exchanges(root).items() if not device}
    assert set(re.findall(r"`(\w+)`", listed)) == on_hosts
    guide = (root / "docs/guide/choices.md").read_text("utf-8")
    named = {name for row in re.findall(r"^\|[^|]*\|([^|]*)\|", guide, re.MULTILINE)
             for name in re.findall(r"`(\w+)", row)}
    assert named | {"peer_packed"} == set(exchanges(root))  # auto takes that one by itself
    assert "peer_packed" in guide


def test_wires_of_devices_in_the_guide(root):
    """What `staged` and `mpi` refuse: see src/exchange/decorator.hpp."""
    guide = (root / "docs/guide/choices.md").read_text("utf-8")
    source = text_of(root, "src/exchange/*.cpp")
    rows = re.findall(r'^ExchangeMethod \w+\(\) \{(.*?)^\}', source, re.MULTILINE | re.DOTALL)
    refused = {name_in(row) for row in rows
               if re.search(r"ExchangeTraits::(arrays|node|own)\b", row)
               and "ExchangeTraits::device" not in row}
    staged = re.search(r"^\|.*`staged:X` \|(.*)\|$", guide, re.MULTILINE)[1]
    assert set(re.findall(r"`(\w+)`", staged.split(" but ")[1])) == refused


def test_programs_have_the_options_that_pages_name(root):
    programs = text_of(root, "apps/**/*.cpp", "apps/**/*.py", "bench/weft_bench/*.py", "bench/*.py",
                       "bench/driver/*.cpp", "bench/network-cluster", "scripts/test",
                       "scripts/build")
    table = text_of(root, "src/schedule/options.cpp")
    for name in re.findall(r"&O::(\w+)", table):
        programs += f' --{name.replace("_", "-")}'
    unknown = []
    for page in pages(root):
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text("utf-8")):
            if option not in OPTIONS_OF_OTHERS and not re.search(rf"{option}(?![\w-])", programs):
                unknown.append(f"{page.relative_to(root)}: {option}")
    assert unknown == []


def test_c_and_fortran_have_the_names_that_pages_use(root):
    offered = text_of(root, "include/weft/**/*.h*", "bindings/fortran/*.[fF]90",
                      "bindings/fortran/*.py")
    unknown = [
        f"{page.relative_to(root)}: {name}"
        for page in pages(root)
        for name in set(re.findall(r"`(weft_\w+)", page.read_text("utf-8"))) - OTHERS
        if not re.search(rf"\b{name}\b", offered, re.IGNORECASE)
    ]
    assert unknown == []


def test_options_have_the_members_that_pages_use(root):
    offered = text_of(root, "include/weft/*.hpp")
    unknown = [
        f"{page.relative_to(root)}: {scope}::{name}"
        for page in pages(root)
        for scope, name in set(re.findall(r"`(Options|Plan|Problem|Trace)::(\w+)",
                                          page.read_text("utf-8")))
        if not re.search(rf"\b{name}\b", offered, re.IGNORECASE)
    ]
    assert unknown == []


def test_files_that_pages_name_are_there(root):
    tracked = {file.name for folder in ("apps", "bench", "bindings", "docs", "include", "packaging",
                                        "scripts", "src", "tests")
               for file in (root / folder).rglob("*")}
    missing = [
        f"{page.relative_to(root)}: {name}"
        for page in pages(root)
        for text in [page.read_text("utf-8")]
        for name in set(re.findall(
            r"`(?:[\w.-]+/)*([\w-]+\.(?:cpp|cu|hpp|py|toml|f90|F90|jsonl|txt))`", text))
        # A tutorial has its readers make files.
        if name not in tracked | FILES_OF_OTHERS | set(re.findall(r"<!-- file: (\S+) -->", text))
        and not (name.startswith("-") and any(file.endswith(name) for file in tracked))
    ]
    assert missing == []
