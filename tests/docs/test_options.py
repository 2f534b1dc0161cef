"""Options of CMake, as the page on installing and the recipe for Spack know them."""

import re

OPTION = re.compile(r"^(?:cmake_dependent_)?option\((\w+)|^set\((WEFT_WITH_\w+) ", re.MULTILINE)
#: The recipe leaves them at their defaults, which are right for every package. (That for Python is
#: a package of its own, made by pip.)
LEFT_ALONE = {"WEFT_INSTALL", "WEFT_X86_KERNELS", "WEFT_BUILD_PYTHON", "WEFT_SANITIZE",
              "WEFT_BUILD_FFTW_MPI", "WEFT_WITH_VENDOR_FFT"}


def options(root) -> set[str]:
    files = [root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake")]
    return {a or b for file in files for a, b in OPTION.findall(file.read_text("utf-8"))}


def test_the_page_has_all_options(root):
    page = (root / "docs/install.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `(?:ON|OFF|AUTO)` \|", page, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == options(root)


DEFAULT = re.compile(
    r'^(?:cmake_dependent_)?option\((\w+) "[^"]*" (ON|OFF|\$\{PROJECT_IS_TOP_LEVEL\})(?:\)|$)'
    r"|^set\((WEFT_WITH_\w+) (\w+) CACHE",
    re.MULTILINE,
)


def defaults(root) -> dict[str, str]:
    """Of weft on its own."""
    files = [root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake")]
    rows = [row for file in files for row in DEFAULT.findall(file.read_text("utf-8"))]
    return {a or b: (x or y).replace("${PROJECT_IS_TOP_LEVEL}", "ON") for a, x, b, y in rows}


def test_the_page_has_the_defaults(root):
    page = (root / "docs/install.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| `(ON|OFF|AUTO)` \|", page, re.MULTILINE))
    assert set(defaults(root)) == options(root)
    assert told == defaults(root)


def recipe(root) -> str:
    return (root / "packaging/spack/spack_repo/weft/packages/weft/package.py").read_text("utf-8")


def test_the_recipe_sets_all_options(root):
    compile(recipe(root), "package.py", "exec")
    defined = set(re.findall(r'self\.define(?:_from_variant)?\("(\w+)"', recipe(root)))
    of_weft = {name for name in defined if name.startswith(("WEFT_", "BUILD_"))}
    assert of_weft == options(root) - LEFT_ALONE


def test_the_page_has_all_variants(root):
    variants = dict(re.findall(r'self\.define_from_variant\("(\w+)", "(\w+)"\)', recipe(root)))
    declared = set(re.findall(r'^    variant\("(\w+)"', recipe(root), re.MULTILINE))
    assert declared <= {*variants.values(), "nccl"}, "a variant that changes nothing"
    page = (root / "docs/install.md").read_text("utf-8")
    for option, variant in variants.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{variant}`"))
        assert f"`{option}`" in row
