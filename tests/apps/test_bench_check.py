"""The check of `weft bench`, on the host and on devices: right results pass, wrong ones do not."""

import os
import shutil
import subprocess

import pytest

from conftest import bench, check_failure

# A real device takes the place of the emulated one: WEFT_TEST_DEVICE=cuda.
DEVICE = os.environ.get("WEFT_TEST_DEVICE", "emulated")

CASES = [
    [15, 7, 9],
    [64, 5, "--precision", "f32"],
    [15, 13, 8, "--kinds", "r2c"],
    [11, 12, 9, "--kinds", "r2c", "--precision", "f32", "--batch", 3, "--interleaved"],
    [9, 10, 11, "--kinds", "dct2,dst1,dct3"],
    [9, 10, 11, "--kinds", "dct1,none,dct4", "--numbers", "complex", "--precision", "f32"],
    [12, 10, 9, "--in-place"],
    [12, 10, 9, "--in-place", "--kinds", "r2c", "--precision", "f32", "--fields", 2],
    [12, 10, 9, "--modes", "7x6x5", "--in-place"],
    [12, 10, 9, "--modes", "7x6x5", "--kinds", "r2c"],
    [12, 10, 9, "--kinds", "none,c2c,r2c", "--batch", 3, "--norm", "none"],
    [1009],
    [16, 12, 20, "--input", "brick", "--output", "pencil:0,order=120", "--norm", "ortho"],
]


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case)))
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_right_results_on_devices(weft, case, ranks):
    on_device = bench(weft, *case, "--device", DEVICE, ranks=ranks)
    assert on_device["device"] == DEVICE
    assert on_device["forward_error"] > 0 and on_device["roundtrip_error"] > 0


def test_compressed_results_on_devices(weft):
    case = bench(weft, 16, 12, 20, "--tolerance", "1e-5", "--device", DEVICE, ranks=2)
    assert 1e-8 < case["forward_error"] < 1e-5 and 1e-8 < case["roundtrip_error"] < 2e-5


# Stands before Plan::run, runs it, and spoils what it has written; memory of the emulated device is
# the host's.
FAULTS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct array { char* data; size_t elements; int precision; _Bool complex; };
typedef void (*run)(void*, int, const struct array*, const struct array*, const void*);

void SYMBOL(void* plan, int direction, const struct array* in, const struct array* out,
            const void* functions) {
  ((run)dlsym(RTLD_NEXT, NAME))(plan, direction, in, out, functions);
  if (direction != (strcmp(getenv("FAULT_IN"), "backward") == 0)) return;
  const char* fault = getenv("FAULT");
  size_t real = out->precision == 0 ? 4 : 8, element = real * (out->complex ? 2 : 1);
  size_t half = out->elements / 2 * element;
  if (half == 0) return;
  if (strcmp(fault, "unwritten") == 0) memset(out->data + half, 0xff, half);
  if (strcmp(fault, "zero") == 0) memset(out->data, 0, half);
  if (strcmp(fault, "permuted") == 0) {
    char* copy = malloc(half);
    memcpy(copy, out->data, half);
    memcpy(out->data, out->data + half, half);
    memcpy(out->data + half, copy, half);
    free(copy);
  }
  if (strcmp(fault, "element") == 0) memset(out->data, 0xff, element);
  if (strcmp(fault, "scaled") == 0) {
    for (size_t i = 0; i < out->elements * element / real; ++i) {
      if (real == 4) ((float*)out->data)[i] *= 1.001f; else ((double*)out->data)[i] *= 1.001;
    }
  }
}
"""


@pytest.fixture(scope="session")
def faults(tmp_path_factory):
    """A library that, loaded before weft, spoils results."""
    folder = tmp_path_factory.mktemp("faults")
    source, library = folder / "faults.c", folder / "faults.so"
    symbol = "_ZN4weft4Plan3runENS_9DirectionERKNS_6detail8AnyArrayES5_RKNS2_14PointFunctionsE"
    source.write_text(FAULTS.replace("SYMBOL", symbol).replace("NAME", f'"{symbol}"'))
    compiler = shutil.which("cc")
    linked = subprocess.run(["ldd", os.environ["WEFT_COMMAND"]], capture_output=True, text=True)
    if compiler is None or "libweft" not in linked.stdout:
        pytest.skip("needs a C compiler and weft as a shared library")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return str(library)


def spoiled(weft, faults, fault, direction, arguments, ranks):
    """What bench says of a result with this fault; without one it must be right."""
    environment = {**os.environ, "LD_PRELOAD": faults, "FAULT": fault, "FAULT_IN": direction}
    return weft.run("bench", *arguments, "--repeat", 1, ranks=ranks, env=environment)


@pytest.mark.parametrize("arguments", [
    [15, 7, 9],
    [15, 7, 9, "--device", "emulated"],
    [15, 14, 9, "--in-place", "--precision", "f32", "--device", "emulated"],
    [15, 13, 8, "--kinds", "r2c", "--precision", "f32", "--device", "emulated"],
    [9, 10, 11, "--kinds", "dct2,dst1,dct3", "--device", "emulated"],
], ids=lambda case: " ".join(map(str, case)))
def test_wrong_results_are_seen(weft, faults, arguments):
    for ranks in (1, 3):
        right = spoiled(weft, faults, "none", "forward", arguments, ranks)
        assert right.returncode == 0, right.stderr
    for fault in ("unwritten", "zero", "permuted", "scaled"):
        result = spoiled(weft, faults, fault, "forward", arguments, 2)
        check_failure(result, ["forward error", "is above the bound"])
        result = spoiled(weft, faults, fault, "backward", arguments, 2)
        check_failure(result, ["roundtrip error", "is above the bound"])
    # Samples may miss a single element, the round trip does not.
    for direction in ("forward", "backward"):
        result = spoiled(weft, faults, "element", direction, arguments, 2)
        check_failure(result, ["error nan is above the bound"])


@pytest.mark.parametrize("device", ["host", "emulated"])
@pytest.mark.parametrize("case", [[12, 10, 9, "--modes", "7x6x5"], [12, 10, 9, "--norm", "none"]],
                         ids=["modes", "norm"])
def test_wrong_results_without_a_round_trip_are_seen(weft, faults, case, device):
    for fault in ("unwritten", "zero", "permuted", "scaled"):
        result = spoiled(weft, faults, fault, "backward", [*case, "--device", device], 2)
        check_failure(result, ["error", "is above the bound"])
