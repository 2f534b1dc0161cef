"""What `weft bench` refuses, and what its messages propose."""

import pytest

from conftest import check_failure

BAD_CASES = [
    ([], ["N is required"]),
    ([8, "eight"], ["eight"]),
    ([8, "010"], ["'010'"]),
    (["8x"], ["'8x'", "64x64x64"]),
    (["8,,8"], ["'8,,8'", "64x64x64"]),
    (["8x010"], ["'8x010'"]),
    (["2x2x2x2", 2, 2, 2], ["7 axes", "1 to 6"]),
    ([8, "8.0"], ["'8.0'"]),
    ([8, 2**64], [f"'{2**64}'"]),
    ([8, 0], ["8x0", "positive"]),
    ([8, "-4"], ["-4"]),
    ([2] * 7, ["7 axes", "1 to 6"]),
    ([2] * 9, ["6 axes"]),
    ([8, 8, "--kinds", "dct2,c2c", "--numbers", "real"], ["c2c needs complex numbers"]),
    ([8, 8, "--numbers", "imaginary"], ["numbers 'imaginary'", "automatic, real, complex"]),
    ([1, 8, "--kinds", "dct1,c2c"], ["dct1", "at least 2 points"]),
    ([8, 8, "--kinds", "c2c,c2c,c2c"], ["3", "2 axes"]),
    ([8, 8, "--precision", "f16"], ["f16", "f64"]),
    ([8, 8, "--input", "slab:2"], ["axis 2", "input layout"]),
    ([8, 8, "--output", "slap:0"], ["slap:0", "pencil"]),
    ([8, 8, "--output", "grid:2x2"], ["2x2", "3"]),
    ([8, 8, "--input", "slab:0,order=00"], ["(0,0)"]),
    ([8, 8, "--grid", "2xa"], ["grid '2xa'"]),
    ([8, 8, "--grid", "2x2x2"], ["2x2x2"]),
    ([8, 8, "--grid", "2x2"],
     ["process grid 2x2: give two numbers whose product is 3 (the number of ranks), such as 1x3"]),
    ([8, 8, "--grid", "3"], ["process grid 3: give two numbers", "such as 1x3"]),
    ([8, 8, "--batch", 0], ["batch 0"]),
    ([8, 8, "--norm", "l2"], ["l2"]),
    ([8, 8, "--algorithm", "best"], ["best"]),
    ([8, 8, "--exchange", "pigeon"], ["pigeon", "alltoallw"]),
    ([8, 8, "--codec", "jpeg:3"], ["codec 'jpeg:3'", "auto, none, lossless, bfp"]),
    ([8, 8, "--codec", "bfp"], ["codec 'bfp'", "bits"]),
    ([8, 8, "--codec", "bfp:99"], ["codec 'bfp:99'", "62"]),
    ([8, 8, "--codec", "bfp:16", "--exchange", "alltoallw"], ["bfp:16", "alltoallw"]),
    ([8, 8, "--fields", 0], ["fields 0"]),
    ([8, 8, "--fields-in-flight", 0], ["fields_in_flight 0"]),
    ([8, 8, "--progress", "magic"], ["progress 'magic'", "polling"]),
    ([8, 8, "--device", "emulated", "--exchange", "one_sided"],
     ["'one_sided' moves memory of the host", "use 'auto' or 'staged'"]),
    ([8, 8, "--device", "abacus"], ["device 'abacus'", "known: host"]),
    ([8, 8, "--chunks", 2000], ["chunks 2000"]),
    ([8, 8, "--receive-chunks", 2000], ["receive_chunks 2000"]),
    ([8, 8, "--grid", "2by2"], ["grid '2by2'", "numbers such as 2x4"]),
    ([8, 8, "--exchange", "p2q"], ["exchange 'p2q' is unknown (did you mean 'p2p'?)"]),
    ([8, 8, "--chunks", "few"], ["chunks 'few'", "a whole number"]),
    ([8, 8, "--exchange", "node_shared:alltoallw"], ["node_shared:alltoallw", "packed"]),
    ([8, 8, "--local", "pocket"], ["pocket", "reference"]),
    ([8, 8, "--tolerance", "0"], ["tolerance 0"]),
    ([8, 8, "--tolerance", "nan"], ["tolerance nan"]),
    ([8, 8, "--tolerance", "inf"], ["tolerance inf"]),
    ([8, 8, "--tolerance", "1"], ["tolerance 1: ", "less than 1"]),
    ([8, 8, "--tolerance", "2"], ["tolerance 2: ", "less than 1"]),
    ([8, 8, "--rigor", "none"], ["'none'", "measure"]),
    ([8, 8, "--threads", "-1"], ["threads -1"]),
    ([8, 8, "--threads", 1000000], ["threads 1000000", "between 0 and 4096"]),
    ([8, 8, "--timeline", "/dev/full"], ["cannot write '/dev/full'", "No space left on device"]),
    ([8, 8, "--json", "/dev/full"], ["cannot write '/dev/full'", "No space left on device"]),
    ([8, 8, "--repeat", 0], ["repeat 0"]),
    ([8, 8, "--json", "none/x.json"], ["none/x.json", "No such file"]),
    ([8, 8, "--wisdom", "/dev/null"], ["wisdom", "/dev/null"]),
    ([8, 8, "--wisdom", "\x1b[31m/w"], ["FFTW wisdom", "\\x1b[31m/w"]),
    ([8, 8, "--input", "slab:1", "--kinds", "r2c", "--in-place"], ["axis 1 whole"]),
    ([8, 8, "--bogus", 3], ["option '--bogus' is unknown (try: weft bench --help)"]),
    ([8, 8, "--tile-byte=5"],
     ["option '--tile-byte' is unknown (did you mean '--tile-bytes'?)"]),
    ([2**40, 2**40], ["1099511627776"]),
]


@pytest.mark.parametrize("arguments, says", BAD_CASES)
def test_bench_bad_arguments(weft, arguments, says):
    weft.fail("bench", *arguments, ranks=3, says=says)


# What users of other libraries write, and what the message must propose.
FOREIGN = [
    ("--kinds", "c2r", "it is the backward transform of 'r2c'"),
    ("--kinds", "none,irfft", "it is the backward transform of 'r2c'"),
    ("--kinds", "R2C", "names are lower case: 'r2c'"),
    ("--kinds", "dct", "did you mean 'dct2'?"),
    ("--kinds", "DST", "did you mean 'dst2'?"),
    ("--kinds", "REDFT00", "did you mean 'dct1'?"),
    ("--kinds", "fft", "did you mean 'c2c'?"),
    ("--precision", "double", "did you mean 'f64'?"),
    ("--precision", "Float64", "did you mean 'f64'?"),
    ("--precision", "single", "did you mean 'f32'?"),
    ("--precision", "float", "did you mean 'f32'?"),
    ("--precision", "F32", "names are lower case: 'f32'"),
    ("--input", "x-pencil", "did you mean 'pencil:0'?"),
    ("--output", "Z-pencil", "did you mean 'pencil:2'?"),
    ("--output", "y-slab", "did you mean 'slab:1', which is split along axis 1?"),
    ("--norm", "symmetric", "did you mean 'ortho'?"),
    ("--local", "builtin", "weft's own is 'stockham'"),
    ("--local", "FFTW", "names are lower case: 'fftw'"),
    ("--exchange", "a2a", "did you mean 'alltoallv'?"),
    ("--exchange", "a2av", "did you mean 'alltoallv'?"),
    ("--exchange", "p2p_pl", "did you mean 'p2p_pipelined'?"),
    ("--exchange", "p2p_plined", "did you mean 'p2p_pipelined'?"),
    ("--rigor", "FFTW_MEASURE", "did you mean 'measure'?"),
    ("--device", "gpu", "'cuda' for GPUs of NVIDIA"),
]


@pytest.mark.parametrize("option, value, hint", FOREIGN)
def test_names_of_other_libraries(weft, option, value, hint):
    name = value.split(",")[-1]
    weft.fail("bench", 8, 8, option, value, says=[f"'{name}' is unknown ({hint}", "; known: "])


@pytest.mark.parametrize("option, meant", [
    ("--kind", "--kinds"), ("--in", "--input"), ("--out", "--output"),
    ("--points", "--input-points"), ("--keep", "--modes"), ("--backend", "--local"),
    ("--thread=2", "--threads")])
def test_options_of_other_names(weft, option, meant):
    name = option.split("=")[0]
    for arguments in ([8, 8, option, "x"], [option, "x", 8]):
        weft.fail("bench", *arguments,
                  says=[f"option '{name}' is unknown (did you mean '{meant}'?) (try: weft bench"])


def test_arrays_that_do_not_fit_in_memory(weft):
    for ranks in (None, 3):
        weft.fail("bench", "131072x131072x131072", ranks=ranks,
                  says=["not enough memory: input and output need 64 PiB",
                        f"this machine, with {ranks or 1} rank", " has ", " available); about ",
                        " such machines would be enough"])
    weft.fail("bench", "131072x131072x131072", "--precision", "f32", "--in-place", ranks=2,
              says=["need 16 PiB, 8 PiB on each rank"])


def test_allocation_that_fails(weft):
    limit = "ulimit -v 2500000; exec "
    result = weft.start(["bash", "-c", limit + f"{weft.command} bench 512x512x384"])
    if "weft: error" not in result.stderr:
        pytest.skip("MPI itself needs more than the limit")
    check_failure(result, ["not enough memory: input and output need 3 GiB; ",
                           "this machine, with 1 rank, has ", "(cannot allocate "])
