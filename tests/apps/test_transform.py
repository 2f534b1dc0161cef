"""`weft transform` against scipy.fft in extended precision."""

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack

from conftest import offered


def exact(array, kinds, inverse=False, norm="backward", length=None):
    """The transform in extended precision. `kinds`: one for each axis."""
    halved = kinds.index("r2c") if "r2c" in kinds else None
    others = [axis for axis, kind in enumerate(kinds) if kind == "c2c"]
    complex_ = array.dtype.kind == "c" or others or (inverse and halved is not None)
    x = array.astype(np.clongdouble if complex_ and (halved is None or inverse) else np.longdouble)
    if inverse:
        x = scipy.fft.ifftn(x, axes=others, norm=norm) if others else x
        x = x if halved is None else scipy.fft.irfft(x, n=length, axis=halved, norm=norm)
    for axis, kind in enumerate(kinds):
        if kind[:3] in ("dct", "dst"):
            transform = getattr(scipy.fft, "i" * inverse + kind[:3])
            x = transform(x, type=int(kind[3]), axis=axis, norm=norm)
    if not inverse:
        x = x if halved is None else scipy.fft.rfft(x, axis=halved, norm=norm)
        x = scipy.fft.fftn(x, axes=others, norm=norm) if others else x
    return x


def random_array(shape, dtype, order="C", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return np.asarray(x.astype(dtype), order=order)


def save(path, array, version=(1, 0)):
    with open(path, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def fortran_order(path):
    with open(path, "rb") as file:
        assert np.lib.format.read_magic(file) == (1, 0)
        return np.lib.format.read_array_header_1_0(file)[1]


def resolved(kind, dtype, axes, inverse):
    if kind is None:
        kind = "c2c" if np.dtype(dtype).kind == "c" else "r2c"
    if "," in kind:
        return kind.split(",")
    return ["c2c" if kind == "r2c" else kind] * (axes - 1) + [kind]


def check_transform(weft, shape, dtype="f8", order="C", kind=None, inverse=False, norm=None,
                    length=None, ranks=2, version=(1, 0), extra=()):
    """`shape` is that of the file."""
    array = random_array(shape, dtype, order)
    save(weft.folder / "in.npy", array, version)
    arguments = ["transform", "in.npy", "out.npy", *extra]
    arguments += ["--kinds", kind] if kind else []
    arguments += ["--inverse"] if inverse else []
    arguments += ["--norm", norm] if norm else []
    arguments += ["--length", length] if length else []
    weft.succeed(*arguments, ranks=ranks)
    result = np.load(weft.folder / "out.npy")

    kinds = resolved(kind, dtype, len(shape), inverse)
    if inverse and "r2c" in kinds and length is None:
        length = 2 * (shape[kinds.index("r2c")] - 1)
    expected = exact(array, kinds, inverse, norm or "backward", length)
    single = array.real.dtype == np.float32
    assert result.shape == expected.shape
    assert result.dtype == np.dtype(("f" if expected.dtype.kind == "f" else "c") +
                                    str((4 if single else 8) * (1 + (expected.dtype.kind == "c"))))
    if order == "F" and len(shape) > 1:
        assert fortran_order(weft.folder / "out.npy")
    points = np.prod([n for n, kind in zip(expected.shape if inverse else shape, kinds)
                      if kind != "none"])
    bound = 5 * np.finfo(result.real.dtype).eps * np.log2(max(points, 2))
    assert np.linalg.norm((result - expected).ravel()) <= bound * np.linalg.norm(expected.ravel())
    assert sorted(os.listdir(weft.folder)) == ["in.npy", "out.npy"]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_and_orders(weft, dtype, order):
    check_transform(weft, (6, 10, 9), dtype, order, ranks=3, extra=["--check"])


@pytest.mark.parametrize("ranks", [None, 1, 2, 3, 4, 5])
def test_numbers_of_ranks(weft, ranks):
    check_transform(weft, (7, 5, 12), ranks=ranks)
    check_transform(weft, (7, 5, 12), "c16", "F", ranks=ranks)


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [(1,), (2,), (97,), (64,), (2, 3), (1, 1, 5), (5, 1, 1),
                                   (3, 4, 5, 6), (2, 3, 2, 3, 4), (2, 3, 2, 1, 3, 4), (30, 2),
                                   (2, 30)])
@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_shapes_with_ranks_that_own_nothing(weft, shape, dtype):
    check_transform(weft, shape, dtype, ranks=5)


@pytest.mark.parametrize("kind", ["c2c", "r2c", "none", "none,c2c,r2c", "r2c,none,c2c",
                                  "c2c,r2c,none", "none,none,c2c"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_kinds_of_real_data(weft, kind, order):
    check_transform(weft, (5, 8, 6), "f8", order, kind, ranks=2)


@pytest.mark.parametrize("kind", ["c2c", "none", "none,c2c,c2c", "c2c,none,none", "dct2,none,dst4"])
def test_kinds_of_complex_data(weft, kind):
    check_transform(weft, (5, 8, 6), "c8", "C", kind, ranks=3)


@pytest.mark.sampled
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("kind", [f"{name}{number}" for name in ("dct", "dst")
                                  for number in range(1, 5)])
def test_cosine_and_sine_transforms(weft, kind, inverse, norm):
    check_transform(weft, (5, 8, 6), "f8", "C", kind, inverse, norm, ranks=3, extra=["--check"])


@pytest.mark.sampled
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("kind", ["dct2,r2c,none", "dst1,dct3,r2c", "r2c,dct1,dst2",
                                  "dst3,c2c,dct4", "dct1,r2c,c2c", "c2c,none,dst4"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_mixed_kinds(weft, kind, inverse, dtype):
    if inverse or "r2c" not in kind:
        needs_complex = "c2c" in kind or "r2c" in kind
        dtype = {"f4": "c8", "f8": "c16"}[dtype] if needs_complex else dtype
    check_transform(weft, (6, 7, 9), dtype, "C", kind, inverse, ranks=3, extra=["--check"])


def reference_vectors():
    """FFTW's results, shipped with SciPy for its own tests: (kind, name of the vectors)."""
    path = Path(scipy.fftpack.__file__).parent / "tests" / "fftw_double_ref.npz"
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize("device", ["host", "emulated", "cuda", "hip"])
def test_reference_vectors_of_fftw(weft, device):
    if not offered(weft, "devices")[device]["usable_here"]:
        pytest.skip(f"device {device} is not here")
    vectors = reference_vectors()
    names = [name for name in vectors if name.startswith(("dct", "dst"))]
    assert len(names) == 112
    for name in names:
        kind, number, length = name.split("_")
        expected = vectors[name]
        save(weft.folder / "in.npy", np.arange(int(length), dtype=float))
        weft.succeed("transform", "in.npy", "out.npy", "--kinds", kind + number, "--device", device)
        result = np.load(weft.folder / "out.npy")
        error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
        assert error <= 5e-15, name


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_norms(weft, norm, inverse, kind):
    dtype = "c16" if inverse or kind == "c2c" else "f8"
    check_transform(weft, (6, 4, 5), dtype, "C", kind, inverse, norm, ranks=2, extra=["--check"])


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["f4", "c8", "c16"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("length", [None, 8, 9])
def test_inverse_of_half_spectrum(weft, dtype, order, length):
    check_transform(weft, (6, 7, 5), dtype, order, "r2c", True, None, length, ranks=3)


def test_inverse_of_half_spectrum_along_other_axes(weft):
    check_transform(weft, (5, 6, 7), "c16", "C", "r2c,c2c,none", True, None, 9, ranks=3)
    check_transform(weft, (6, 5, 7), "c16", "F", "none,r2c,c2c", True, ranks=2)
    check_transform(weft, (6, 1), "c16", "C", "r2c", True, None, 1, ranks=2)


def test_inverse_of_real_data_is_complex(weft):
    check_transform(weft, (6, 7), "f4", kind="c2c", inverse=True)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_the_format(weft, version):
    check_transform(weft, (6, 7), version=version)


@pytest.mark.parametrize("exchange", ["alltoall", "alltoallv", "alltoallw", "p2p",
                                      "p2p_pipelined"])
def test_exchanges(weft, exchange):
    check_transform(weft, (6, 7, 8), ranks=3, extra=["--exchange", exchange, "--threads", "2"])


def test_local_backends(weft):
    for local in ["reference", "fftw"]:
        check_transform(weft, (6, 7, 8), "c8", ranks=2, extra=["--local", local])


def test_arrays_of_the_host_on_a_device(weft):
    for kind in ("c2c", "dct2,dst3,c2c"):
        check_transform(weft, (6, 7, 8), "c8", kind=kind, ranks=2, extra=["--device", "emulated"])


@pytest.mark.parametrize("how", [["--tolerance", "1e-4"], ["--codec", "bfp:12"],
                                 ["--tolerance", "1e-6", "--inverse", "--kinds", "c2c"]])
def test_compressed_messages_are_checked_against_their_bound(weft, how):
    array = random_array((24, 20, 22), "c16", "C")
    save(weft.folder / "in.npy", array)
    told = weft.succeed("transform", "in.npy", "out.npy", "--exchange", "p2p", "--check", *how,
                        ranks=3)
    error, bound = map(float, re.search(r"error (\S+), bound (\S+)", told).groups())
    assert 1e-9 < error <= bound < 2e-3
    result = np.load(weft.folder / "out.npy")
    expected = (np.fft.ifftn if "--inverse" in how else np.fft.fftn)(array)
    assert 1e-9 < np.linalg.norm(result - expected) / np.linalg.norm(expected) <= bound


def test_random_cases(weft):
    choose = random.Random(2024)
    for _ in range(20):
        inverse = choose.random() < 0.5
        axes = choose.randint(1, 4)
        shape = tuple(choose.randint(2, 9) for _ in range(axes))
        kinds = [choose.choice(["c2c", "none"]) for _ in range(axes)]
        if choose.random() < 0.5:
            kinds[choose.randrange(axes)] = "r2c"
        real = choose.random() < 0.5 or ("r2c" in kinds and not inverse)
        check_transform(weft, shape, choose.choice(["f4", "f8"] if real else ["c8", "c16"]),
                        choose.choice("CF"), ",".join(kinds) if axes > 1 else kinds[0], inverse,
                        choose.choice(["backward", "ortho", "forward"]),
                        ranks=choose.randint(1, 5))


@pytest.mark.parametrize("length", [10, 11])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_what_errors_propose_leads_back(weft, dtype, length):
    array = random_array((6, length), dtype)
    np.save(weft.folder / "a.npy", array)
    weft.succeed("transform", "a.npy", "b.npy", ranks=2)
    weft.fail("transform", "b.npy", "c.npy", "--inverse", ranks=2,
              says=["--inverse needs --kinds", "'b.npy'"])
    named = ["--kinds", "c2c"]
    if array.dtype.kind == "f":
        named = ["--kinds", "r2c"] + (["--length", length] if length % 2 == 1 else [])
    told = weft.succeed("transform", "b.npy", "c.npy", "--inverse", *named, ranks=2)
    assert ("of even length 10 (odd: --length 11)" in told) == (named == ["--kinds", "r2c"])
    again = np.load(weft.folder / "c.npy")
    assert again.dtype == array.dtype
    np.testing.assert_allclose(again, array, atol=30 * np.finfo(dtype).eps)


def test_there_and_back(weft):
    array = random_array((9, 10, 11), "f8")
    np.save(weft.folder / "a.npy", array)
    weft.succeed("transform", "a.npy", "b.npy", ranks=3)
    weft.succeed("transform", "b.npy", "c.npy", "--inverse", "--kinds", "r2c", "--length", 11,
                 ranks=2)
    np.testing.assert_allclose(np.load(weft.folder / "c.npy"), array, atol=1e-14)


def test_output_may_be_the_input(weft):
    array = random_array((9, 10), "c16")
    np.save(weft.folder / "a.npy", array)
    weft.succeed("transform", "a.npy", "a.npy", ranks=3)
    np.testing.assert_allclose(np.load(weft.folder / "a.npy"), scipy.fft.fftn(array), atol=1e-12)
    assert os.listdir(weft.folder) == ["a.npy"]


def test_link_and_permissions_of_output_stay(weft):
    np.save(weft.folder / "in.npy", random_array((4, 5), "f8"))
    target = weft.folder / "target.npy"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (weft.folder / "link.npy").symlink_to("target.npy")
    weft.succeed("transform", "in.npy", "link.npy", ranks=2)
    assert (weft.folder / "link.npy").is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert np.load(target).shape == (4, 3)


def test_new_output_has_usual_permissions(weft):
    np.save(weft.folder / "in.npy", random_array((4, 5), "f8"))
    old = os.umask(0o027)
    try:
        weft.succeed("transform", "in.npy", "out.npy")
    finally:
        os.umask(old)
    assert (weft.folder / "out.npy").stat().st_mode & 0o777 == 0o640


def test_names_that_confuse_file_systems(weft):
    for name in ["ufs:a.npy", "a:b.npy", "with space.npy", "-x.npy", "é.npy"]:
        np.save(weft.folder / name, random_array((4, 6), "c16"))
        weft.succeed("transform", "--", name, name, ranks=2)


def test_check_passes_for_fields_with_an_empty_spectrum_nearly_everywhere(weft):
    x = np.arange(32) * 2 * np.pi / 32
    smooth = np.exp(np.cos(x)[:, None, None] + np.sin(x)[None, :, None] + np.cos(x))
    single_mode = np.broadcast_to(np.cos(3 * x), smooth.shape)
    for field in [smooth, single_mode, np.ones_like(smooth), np.zeros_like(smooth)]:
        np.save(weft.folder / "in.npy", field)
        assert "bound" in weft.succeed("transform", "in.npy", "out.npy", "--check", ranks=2)
