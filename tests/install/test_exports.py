"""The shared library exports what the public headers declare, and nothing else."""

import os
import pathlib
import re
import subprocess

root = pathlib.Path(__file__).parents[2]
build = pathlib.Path(os.environ.get("WEFT_BUILD_DIR", root / "build"))
library = build / "src" / "libweft.so"
with_internals = build / "src" / "libweft_internal.so"

# Classes of templates that are compiled into the library for all their numbers.
compiled_templates = {"Convolution"}


def symbols(path):
    """Demangled names that a shared library defines for others, each with its type."""
    listed = subprocess.run(
        ["nm", "-DC", "--defined-only", path], check=True, capture_output=True, text=True
    ).stdout
    found = {}
    for line in listed.splitlines():
        kind, name = re.fullmatch(r"[0-9a-f]+ (\w) (.+)", line).groups()
        found[name] = kind
    return found


def text_of(pattern):
    """All headers of the pattern, without comments."""
    text = "\n".join(path.read_text() for path in sorted((root / "include/weft").glob(pattern)))
    return re.sub(r"//.*|/\*.*?\*/", "", text)


def declared_names():
    """Functions and types that headers of C++ declare in namespaces, which begin their lines."""
    text = text_of("**/*.hpp")
    types = re.findall(r"^(?:struct|class|enum class)\s+(?:alignas\S+ )?(\w+)", text, re.M)
    types += re.findall(r"^using (\w+) =", text, re.M)
    functions = re.findall(r"^(?:[\w:]+(?:<[^>]*>)?[&*]? )+[&*]?(\w+)\(", text, re.M)
    return set(types) | {"Implementation", "detail", "functions"}, set(functions)


types, functions = declared_names()
assert len(types) > 60 and len(functions) > 40, "headers are written in another way now"


def is_public(name):
    """Whether the headers declare what has this demangled name."""
    if re.fullmatch(r"weft_\w+", name):
        return True
    match = re.match(r"(?:[\w:]+ const\* )?weft::(?:detail::)?(?:functions::)?(\w+)", name)
    if not match or re.search(r"::Implementation(::|\b.*::)", name.split("(")[0]):
        return False
    owner = match.group(1)
    used = set(re.findall(r"weft::(?:detail::)?(?:functions::)?(\w+)", name)) - {owner}
    return owner in types | functions and used <= types | {"Axes"}


def test_nothing_but_public_names_is_exported():
    exported = symbols(library)
    print(f"{len(exported)} names are exported")
    of_error = re.compile(r"(vtable|typeinfo|typeinfo name) for weft::Error")
    private = [name for name in exported if not is_public(name) and not of_error.fullmatch(name)]
    assert not private


def test_all_public_names_are_exported():
    exported = symbols(library)
    missing = []
    for name, kind in symbols(with_internals).items():
        strong = kind in "TDRB" or any(f"weft::{each}<" in name for each in compiled_templates)
        if strong and is_public(name) and name not in exported:
            missing.append(name)
    assert not missing


def test_every_function_of_c_is_exported():
    text = text_of("c/*.h")
    declared = re.findall(r"^(?!static)\w[\w* ]*?\b(weft_\w+)\(", text, re.M)
    assert len(declared) > 80
    exported = symbols(library)
    assert [name for name in declared if name not in exported] == []


def dynamic_section():
    return subprocess.run(
        ["readelf", "-d", library], check=True, capture_output=True, text=True
    ).stdout


def test_the_name_of_the_library_tells_which_versions_are_compatible():
    version = re.search(r"project\(weft VERSION (\d+\.\d+)", (root / "CMakeLists.txt").read_text())
    assert f"[libweft.so.{version.group(1)}]" in dynamic_section()


def test_programs_without_gpus_do_not_load_cufft():
    """It has a quarter of a GiB that can be written, which garbage collectors search again and
    again: programs in Guile took twice as long."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic_section())
    assert any(name.startswith("libmpi") for name in needed)
    assert not [name for name in needed if name.startswith("libcufft")]
