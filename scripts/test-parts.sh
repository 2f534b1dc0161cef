# shellcheck shell=bash disable=SC2154,SC2317 # what scripts/common.sh and scripts/test set; run by part
# What scripts/test runs: the default tier, and the parts of the full one.

# In CI one of them runs with each commit: keep them at eight, of a few minutes each.
parts=(units random languages python harness mpich mpich-languages sanitizers)
declare -A about=(
  [units]="Open MPI: the longest random tests whole; unit tests on 4 to 7 ranks; for AMD's GPUs; installation; a simulated network"
  [random]="Open MPI: 150 random problems on each of 1 to 7 ranks; clang-tidy; two planted faults"
  [languages]="Open MPI: as many through C and Fortran; leaks of programs in both, by valgrind"
  [python]="the package as pip installs it, on 1 to 7 ranks; examples of all pages; SciPy's own tests"
  [harness]="the comparison of libraries, its reports in a browser; the site of documents"
  [mpich]="MPICH: unit tests, 150 random problems, the command"
  [mpich-languages]="MPICH: random problems through C and Fortran, Python, the harness"
  [sanitizers]="addresses and undefined behavior: unit tests and random problems on 1 to 4 ranks"
)

list_parts() {
  local name
  echo "default tier: scripts/test"
  echo "  style; Open MPI: unit tests on 1 to 3 ranks, 25 random problems on 1 to 7 in C++, on 2 and 3 in C"
  echo "  and Fortran, Python on 1 and 2, the command and the solvers, canaries of the harness; MPICH:"
  echo "  exchanges, 25 random problems; what parses files and options, with the address sanitizer"
  echo "parts of the full tier: scripts/test --part NAME; all: scripts/test --full"
  for name in "${parts[@]}"; do
    printf '  %-16s %s\n' "$name" "${about[$name]}"
  done
}

is_part() {
  [[ -n $1 && -n ${about[$1]-} ]]
}

fixed_seed=20261121
default_problems=25
problems=150 # for each number of ranks, with each MPI and each language
# Through C and Fortran they are others: so far are their seeds from those in C++.
c_seeds=1000 fortran_seeds=2000 mpich_seeds=3000 sanitizer_seeds=4000
openmpi_flags=(--oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
openmpi="mpirun.openmpi ${openmpi_flags[*]}"
few_ranks=(--label-exclude 'ranks=[4-9]')
others='^test_(random|command)' # run by functions of their own
# Of the harness in the default tier; those that are not here are in a part of the full one.
harness_files=(tests/bench/test_canaries.py
  tests/bench/test_{analysis,statistics,study,compare,compact,pages,results,quoting,jobs}.py
  tests/bench/test_{weft_settings,builds,runner,report,energy_report,gpu_scaling}.py
  tests/bench/test_{picture,timeline,navier_stokes_times}.py)

prepare_environment() {
  # Outside of the tree, so that a new clone finds what another one has compiled. Paths within the
  # tree are told relative to it.
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CMAKE_CUDA_COMPILER_LAUNCHER=ccache CMAKE_GENERATOR=Ninja
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G}
  export CCACHE_SLOPPINESS=pch_defines,time_macros # as precompiled headers need it
  export WEFT_WISDOM= # what is known of this machine must not change results
  export OMP_WAIT_POLICY=passive              # there are more threads than cores
  export OMPI_MCA_odls_base_sigkill_timeout=0 # else every job that has to fail takes a second more
  # Ranks of one host need no network: looking for some is half of what a start takes.
  export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader
  python=$venv/bin/python
  logs=$build/log
  stop_ctest=() stop_pytest=()
  if $fail_fast; then
    stop_ctest=(--stop-on-failure) stop_pytest=(--exitfirst)
  fi
  rm -rf "$logs"
  mkdir -p "$logs"
  export WEFT_TEST_TRIALS=${WEFT_TEST_TRIALS:-10} # per cent of the longest random tests
  turn_seed=${seed:-$(date +%Y%m%d)}
  default_seed=${seed:-$fixed_seed}
}

# --- what has to be built

# uses_mpi PROGRAM openmpi|mpich: fails where it was linked with the other one, or both.
uses_mpi() {
  local linked
  linked=$(ldd "$1" | grep -oE 'libmpi(ch)?\.so' | sort -u)
  echo "$1: $linked"
  case $2 in
    openmpi) [[ $linked == libmpi.so ]] ;;
    mpich) [[ $linked == libmpich.so ]] ;;
  esac
}

# Kernels for GPUs cannot run where there is none: one architecture tells whether they compile.
configure_openmpi() {
  scripts/build --configure-only "-DWEFT_MPIEXEC_FLAGS=$(IFS=';' && echo "${openmpi_flags[*]}")" \
    -DWEFT_BUILD_PYTHON=ON -DPython_EXECUTABLE="$python" -DCMAKE_CUDA_ARCHITECTURES=90
}

build_openmpi() {
  configure_openmpi
  build_in "$build"
  uses_mpi "$build/bin/weft" openmpi
}

# Without what knows no MPI and takes long to compile.
configure_mpich() {
  configure "$build/mpich" mpich -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DWEFT_BUILD_BENCH=ON -DWEFT_BUILD_PYTHON=ON -DPython_EXECUTABLE="$python" \
    -DWEFT_WITH_CUDA=OFF -DWEFT_WITH_MKL=OFF -DWEFT_X86_KERNELS=OFF
}

build_mpich_exchanges() {
  configure_mpich
  build_in "$build/mpich" test_exchange test_random
  uses_mpi "$build/mpich/bin/test_random" mpich
  cc -O2 -Wall -shared -fPIC -o "$build/mpich/yield_when_idle.so" scripts/yield_when_idle.c -ldl
}

build_mpich() {
  configure_mpich
  build_in "$build/mpich" weft_mpi_tests weft_command poisson navier_stokes weft_python \
    bench_weft bench_fftw-threads bench_canary
  uses_mpi "$build/mpich/bin/weft" mpich
}

configure_sanitized() {
  configure "$build/sanitize" openmpi -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DWEFT_SANITIZE=ON \
    -DWEFT_WITH_MKL=OFF -DWEFT_WITH_CUDA=OFF -DWEFT_X86_KERNELS=OFF \
    -DWEFT_MPIEXEC_FLAGS="$(IFS=';' && echo "${openmpi_flags[*]}")"
}

build_sanitized_parsers() {
  configure_sanitized
  build_in "$build/sanitize" test_npy test_machine_file test_geometry test_kind test_schedule
}

build_sanitized() {
  configure_sanitized
  build_in "$build/sanitize" weft_tests weft_command navier_stokes
}

# --- how tests are run

# tests NAME FOLDER CTEST-OPTIONS...
tests() {
  local name=$1 folder=$2
  shift 2
  # Starting and ending ranks is waiting for the most part.
  ctest --test-dir "$folder" --parallel $((2 * jobs)) --output-on-failure --no-tests=error \
    --timeout "${WEFT_TEST_TIMEOUT:-600}" "${stop_ctest[@]}" --output-junit "$logs/$name.xml" "$@"
}

# random_problems NAME FOLDER TEST PROBLEMS SEED CTEST-OPTIONS...: that many at each number of ranks
random_problems() {
  local name=$1 folder=$2 test=$3
  export WEFT_TEST_PROBLEMS=$4 WEFT_TEST_SEED=$5 WEFT_TEST_TIMEOUT=${WEFT_TEST_TIMEOUT:-3600}
  shift 5
  echo "WEFT_TEST_PROBLEMS=$WEFT_TEST_PROBLEMS WEFT_TEST_SEED=$WEFT_TEST_SEED"
  tests "$name" "$folder" --tests-regex "^$test\\." "$@"
}

# pytest_of NAME PYTEST-OPTIONS...: in build/venv
pytest_of() {
  local name=$1
  shift
  "$python" -m pytest -p no:cacheprovider -q -rs "${stop_pytest[@]}" --junitxml "$logs/$name.xml" \
    "$@"
}

# command_tests NAME FOLDER LAUNCHER PYTEST-OPTIONS...
command_tests() {
  local name=$1 folder=$2 launcher=$3
  shift 3
  # Starting ranks is waiting for the most part.
  WEFT_COMMAND=$folder/bin/weft WEFT_MPIRUN=$launcher pytest_of "$name" -n $((2 * jobs)) "$@"
}

# harness_tests NAME FOLDER TESTS...: of bench/
harness_tests() {
  local name=$1 folder=$2
  shift 2
  WEFT_BENCH_BUILD=$folder pytest_of "$name" -n "$jobs" --dist loadfile "$@"
}

# package_of FOLDER: makes a package of what was built there, without installing it. The last link is
# for mpi4py: docs/python.md tells why.
package_of() {
  local package=$1/package library
  mkdir -p "$package/weft"
  ln -sf "$root"/bindings/python/weft/* "$1"/bindings/python/{_core*.so,_build.py} "$package/weft"
  library=$(ldd "$1/bin/weft" | awk '$1 ~ /^libmpich/ { print $3 }')
  [[ -z $library ]] || ln -sf "$library" "$package/libmpi.so.12"
  export PYTHONPATH=$package LD_LIBRARY_PATH=$package
}

# python_on_ranks NAME SEED openmpi|mpich PYTHON LAUNCHER...
python_on_ranks() {
  local name=$1 interpreter=$4
  export WEFT_TEST_SEED=$2 MPI4PY_MPIABI=$3 OMP_NUM_THREADS=1
  shift 4
  timeout 300 "$@" "$interpreter" -m pytest -p no:cacheprovider -q -rs \
    "${stop_pytest[@]}" --junitxml "$logs/$name.xml" tests/bindings/python/mpi
}

# python_of_build NAME: what needs no MPI launcher, with checks of Python's memory
python_of_build() {
  package_of "$build"
  MPI4PY_MPIABI=openmpi PYTHONMALLOC=debug pytest_of "$1" -n "$jobs" \
    tests/bindings/python/test_fft.py tests/bindings/python/test_memory.py
}

# python_of_build_on_ranks NAME RANKS SEED
python_of_build_on_ranks() {
  package_of "$build"
  python_on_ranks "$1" "$3" openmpi "$python" mpirun.openmpi "${openmpi_flags[@]}" -n "$2"
}

check_style() {
  "$venv/bin/pre-commit" run --all-files
}

# distarray_of_build NAME RANKS: they start the jobs themselves
distarray_of_build() {
  package_of "$build"
  MPI4PY_MPIABI=openmpi WEFT_MPIRUN=$openmpi OMP_NUM_THREADS=1 pytest_of "$1" -k "${2}_ranks" \
    tests/bindings/python/distarray/test_distarray.py
}

# with_mpich COMMAND...: MPICH has no setting for ranks that wait.
with_mpich() {
  LD_PRELOAD=$build/mpich/yield_when_idle.so "$@"
}

# with_sanitizers LEAKS COMMAND...: the tests ask for more memory than there is, which must come back
# as an error. At the end of MPI its plugins are unloaded, and what they have not freed has no name any
# more that could be suppressed: on several ranks MPI objects are counted by test_plan_resources instead.
with_sanitizers() {
  local leaks=$1
  shift
  LSAN_OPTIONS=suppressions=$root/scripts/lsan.supp:print_suppressions=0 \
    ASAN_OPTIONS=strict_string_checks=1:allocator_may_return_null=1:detect_leaks=$leaks \
    UBSAN_OPTIONS=print_stacktrace=1 "$@"
}

# --- tiers

python_parts() {
  local ranks
  part python python_of_build python
  for ranks in 1 2; do
    part "python-$ranks" python_of_build_on_ranks "python-$ranks" "$ranks" "$default_seed"
  done
  part distarray-2 distarray_of_build distarray-2 2
}

tell_of_gpus() {
  if ! grep -q '^WEFT_GPU_BUILT:INTERNAL=CUDA' "$build/CMakeCache.txt"; then
    skip cuda "no nvcc, or no cuFFT: nothing was compiled for GPUs of NVIDIA"
  elif ! nvidia-smi -L >/dev/null 2>&1; then
    skip cuda "no GPU here: what was compiled for it did not run; its place took an emulated one"
  fi
  [[ -x $build/bin/test_line_code_for_amd ]] ||
    skip amd "no hipRTC, or no CUDA beside it: kernels were not compiled for GPUs of AMD"
}

# default_tier [BUILDS...]: those that the parts after it need
default_tier() {
  say "Default tier, random problems from seed $default_seed"
  if [[ $(git rev-parse --show-toplevel 2>/dev/null) -ef $root ]]; then
    part style check_style
  else
    skip style "pre-commit needs git, for which this tree is no checkout"
  fi
  need openmpi
  build_ahead mpich_exchanges sanitized_parsers "$@"
  tell_of_gpus
  part unit tests unit "$build" --exclude-regex "$others" "${few_ranks[@]}"
  part random random_problems random "$build" test_random $default_problems "$default_seed"
  part random-in-c random_problems random-in-c "$build" test_random_in_c $default_problems \
    $((default_seed + c_seeds)) --label-regex 'ranks=[23]'
  part random-in-fortran random_problems random-in-fortran "$build" test_random_in_fortran \
    $default_problems $((default_seed + fortran_seeds)) --label-regex 'ranks=[23]'
  # FFTW's vectors take long, and Python's tests have them too.
  part command command_tests command "$build" "$openmpi" tests/apps -k 'not reference_vectors'
  part mutations pytest_of mutations -n "$jobs" tests/mutations
  part canaries harness_tests canaries "$build" "${harness_files[@]}"
  python_parts
  need mpich_exchanges
  part mpich-exchanges with_mpich tests mpich-exchanges "$build/mpich" \
    --tests-regex '^test_exchange\.' "${few_ranks[@]}"
  part mpich-random with_mpich random_problems mpich-random "$build/mpich" test_random \
    $default_problems $((default_seed + mpich_seeds)) "${few_ranks[@]}"
  need sanitized_parsers
  part parsers with_sanitizers 1 tests parsers "$build/sanitize" \
    --tests-regex '^test_(npy|machine_file|geometry|kind|schedule)$'
}

# Builds that a part needs and the default tier does not.
builds_of() {
  case $1 in
    mpich | mpich-languages) echo mpich ;;
    sanitizers) echo sanitized ;;
  esac
}

run_part() {
  say "Part $1 of the full tier, random problems from seed $turn_seed"
  export WEFT_TEST_TRIALS=100
  "part_${1//-/_}"
}

part_units() {
  need openmpi
  part all-trials tests all-trials "$build" --tests-regex '^test_local\.'
  part units-more-ranks tests units-more-ranks "$build" --exclude-regex "$others" \
    --label-regex 'ranks=[4-9]'
  part all-cases command_tests all-cases "$build" "$openmpi" tests/apps -m sampled
  part reference-vectors command_tests reference-vectors "$build" "$openmpi" tests/apps \
    -k reference_vectors
  part hip scripts/check-hip
  # The program itself, on two of the faults that take least to build.
  part install tests/install/run
  WEFT_BUILD_DIR=$build part simulated-network pytest_of simulated-network -n "$jobs" tests/simulated
}

part_random() {
  need openmpi
  part random-150 random_problems random-150 "$build" test_random $problems "$turn_seed"
  part tidy scripts/tidy
  part planted-faults scripts/mutate --skip-baseline --folder-only --only partition.cpp definition.cpp
}

part_languages() {
  need openmpi
  part random-150-in-c random_problems random-150-in-c "$build" test_random_in_c $problems \
    $((turn_seed + c_seeds))
  part random-150-in-fortran random_problems random-150-in-fortran "$build" \
    test_random_in_fortran $problems $((turn_seed + fortran_seeds))
  part leaks-in-c tests/bindings/leaks test_c_plan test_c_spectral test_c_calculus test_c_trace
  part leaks-in-fortran tests/bindings/leaks test_fortran_plan test_fortran_spectral \
    test_fortran_halo test_fortran_trace
}

# installed_python NAME PYTEST-OPTIONS...: in the environment into which weft was installed, not where
# the sources of the package are; with checks of Python's memory
installed_python() {
  local name=$1
  shift
  export MPI4PY_MPIABI=openmpi PYTHONMALLOC=debug
  "$build/python/bin/python" -X dev -m pytest -p no:cacheprovider -q -rs \
    --junitxml "$logs/$name.xml" "$@"
}

# distarray_tests NAME: they start jobs of 1, 2, 3 and 5 ranks themselves
distarray_tests() {
  MPI4PY_MPIABI=openmpi WEFT_MPIRUN=$openmpi OMP_NUM_THREADS=1 "$build/python/bin/python" -m pytest \
    -p no:cacheprovider -q -rs --junitxml "$logs/$1.xml" tests/bindings/python/distarray
}

# scipy_tests NAME: those of SciPy itself, with weft in the place of its own transforms
scipy_tests() {
  local modules=(test_basic test_real_transforms test_multithreading test_backend)
  PYTHONPATH=$root/tests/bindings/python installed_python "$1" -p scipy_plugin -n 0 \
    --pyargs "${modules[@]/#/scipy.fft.tests.}"
}

part_python() {
  need openmpi
  part python-install tests/install/python
  $part_ok || return 0
  # Programs in pages, those in Python with the package as it was installed.
  part examples tests/install/readme_examples
  part python-installed installed_python python-installed -n "$jobs" tests/bindings/python \
    --ignore tests/bindings/python/mpi --ignore tests/bindings/python/distarray
  part distarray distarray_tests distarray
  part scipy scipy_tests scipy
  for ranks in 1 2 3 5 7; do
    part "python-on-$ranks" python_on_ranks "python-on-$ranks" "$turn_seed" openmpi \
      "$build/python/bin/python" mpirun.openmpi "${openmpi_flags[@]}" -n "$ranks"
  done
}

# of what scripts/build-docs has built
docs_tests() {
  WEFT_BUILD_DIR=$build pytest_of docs -n "$jobs" --dist loadfile tests/docs
}

part_harness() {
  need openmpi
  part harness harness_tests harness "$build" tests/bench "${harness_files[@]/#/--ignore=}"
  # The reference of Python is read from the package as it is installed.
  [[ -x $build/python/bin/python ]] || part python-install tests/install/python
  part docs-build scripts/build-docs
  if $part_ok; then
    part docs docs_tests
  fi
}

part_mpich() {
  need mpich_exchanges mpich
  # Serial tests know no MPI, and what differs between MPI libraries shows with few ranks.
  part mpich-unit with_mpich tests mpich-unit "$build/mpich" \
    --exclude-regex "$others|^test_exchange\\." --label-regex mpi "${few_ranks[@]}"
  part mpich-random-150 with_mpich random_problems mpich-random-150 "$build/mpich" test_random \
    $problems $((turn_seed + mpich_seeds))
  # The MPI library makes no difference to what the sampled tests have many cases of.
  WEFT_TEST_TRIALS=10 part mpich-command with_mpich command_tests mpich-command "$build/mpich" \
    mpiexec.mpich tests/apps
}

mpich_python() {
  package_of "$build/mpich"
  python_on_ranks mpich-python $((turn_seed + mpich_seeds)) mpich "$python" mpiexec.mpich -n 3
}

part_mpich_languages() {
  need mpich_exchanges mpich
  part mpich-random-in-c with_mpich random_problems mpich-random-in-c "$build/mpich" \
    test_random_in_c $problems $((turn_seed + mpich_seeds + c_seeds))
  part mpich-random-in-fortran with_mpich random_problems mpich-random-in-fortran \
    "$build/mpich" test_random_in_fortran $problems $((turn_seed + mpich_seeds + fortran_seeds))
  part mpich-harness with_mpich harness_tests mpich-harness "$build/mpich" \
    tests/bench/test_canaries.py tests/bench/test_runner.py
  part mpich-python with_mpich mpich_python
}

part_sanitizers() {
  need sanitized
  local seed_here=$((turn_seed + sanitizer_seeds)) language
  part sanitize-unit with_sanitizers 1 tests sanitize-unit "$build/sanitize" \
    --exclude-regex "$others" --label-regex serial
  part sanitize-mpi with_sanitizers 0 tests sanitize-mpi "$build/sanitize" \
    --exclude-regex "$others" --label-regex mpi "${few_ranks[@]}"
  # What is preloaded for that one test would come before the sanitizer.
  part sanitize-files with_sanitizers 0 command_tests sanitize-files "$build/sanitize" "$openmpi" \
    tests/apps/test_bad_files.py -k 'not above_the_bound'
  part sanitize-random with_sanitizers 0 random_problems sanitize-random "$build/sanitize" \
    test_random 75 $seed_here --label-exclude 'ranks=[5-9]'
  for language in c fortran; do
    part "sanitize-random-in-$language" with_sanitizers 0 random_problems \
      "sanitize-random-in-$language" "$build/sanitize" "test_random_in_$language" 25 \
      $((seed_here + ${language}_seeds)) --label-exclude 'ranks=[5-9]'
  done
}

# --- tests by name

# programs_of REGEX: of the tests that match, as ctest knows them
programs_of() {
  ctest --test-dir "$build" --show-only=json-v1 --tests-regex "$1" --exclude-regex '^test_command$' |
    "$python" -c '
import json, sys
print(*sorted({test["name"].split(".")[0] for test in json.load(sys.stdin)["tests"]}))'
}

test_names() {
  local name files programs=()
  part configure configure_openmpi
  $part_ok || finish
  for name in "$@"; do
    if [[ $name == python ]]; then
      need openmpi
      python_parts
      continue
    fi
    read -ra programs <<<"$(programs_of "$name")"
    mapfile -t files < <(find tests/apps tests/bench tests/docs -name "test_*$name*.py" -o \
      -path "tests/*/$name/test_*.py")
    if ((${#programs[@]})); then
      part "build $name" build_in "$build" "${programs[@]}"
      ! $part_ok || part "$name" tests "$name" "$build" --tests-regex "$name" \
        --exclude-regex '^test_command$'
    fi
    if ((${#files[@]})); then
      # Tests of a file of the harness share what they have measured.
      [[ ${files[0]} != tests/bench/* ]] || files+=(--dist loadfile)
      part "build for $name.py" build_in "$build"
      ! $part_ok || WEFT_BENCH_BUILD=$build WEFT_BUILD_DIR=$build part "$name.py" command_tests \
        "$name.py" "$build" "$openmpi" "${files[@]}"
    fi
    ((${#programs[@]} + ${#files[@]})) || part "$name" fail "no test matches '$name'"
  done
}
