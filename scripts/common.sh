# shellcheck shell=bash disable=SC2034
# What the scripts share: where things are, and how MPI programs are started.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${WEFT_BUILD_DIR:-$root/build} # of Open MPI; the other builds are below it
venv=$build/venv
jobs=$(nproc)
export CMAKE_GENERATOR=Ninja # knows at once what has to be built again

# Physical cores that this process may use: one rank for each.
physical=$(lscpu --parse=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l || true)
cores=$((physical > 0 && physical < jobs ? physical : jobs))

# In containers one is root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Seconds since the given moment of $SECONDS, for people: "4 s", "3 min 12 s".
took() {
  local seconds=$((SECONDS - $1))
  if ((seconds < 60)); then
    printf '%d s' "$seconds"
  else
    printf '%d min %d s' $((seconds / 60)) $((seconds % 60))
  fi
}

# configure FOLDER MPI(openmpi|mpich) CMAKE-OPTIONS...
configure() {
  local folder=$1 mpi=$2
  shift 2
  cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release \
    -DMPI_CXX_COMPILER="/usr/bin/mpicxx.$mpi" -DMPIEXEC_EXECUTABLE="/usr/bin/mpiexec.$mpi" "$@"
}

# build_in FOLDER [TARGETS...]: by default all
build_in() {
  local folder=$1
  shift
  cmake --build "$folder" --parallel "$jobs" --target "${@:-all}"
}

# Intel MKL is used where it exists.
mkl_options() {
  if [[ $(uname -m) == x86_64 ]]; then
    printf '%s\n' -DWEFT_WITH_MKL=ON "-DMKL_ROOT=$venv"
  else
    printf '%s\n' -DWEFT_WITH_MKL=OFF
  fi
}
