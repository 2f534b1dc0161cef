#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdio>

/// What programs pass to FFTW-MPI and get from it, as its manual describes it. Arrays of either
/// precision are void* here: all pointers are passed alike.
namespace weft::fftw_mpi {

/// fftw_plan: of FFTW, or the address of a slot of LivePlans.
using ClientPlan = struct OpaquePlan*;
using Size = std::ptrdiff_t;

inline constexpr unsigned destroy_input = 1U << 0;
inline constexpr unsigned exhaustive = 1U << 3;
inline constexpr unsigned preserve_input = 1U << 4;
inline constexpr unsigned patient = 1U << 5;
inline constexpr unsigned estimate = 1U << 6;
inline constexpr unsigned wisdom_only = 1U << 21;
inline constexpr unsigned scrambled_in = 1U << 27;
inline constexpr unsigned scrambled_out = 1U << 28;
inline constexpr unsigned transposed_in = 1U << 29;
inline constexpr unsigned transposed_out = 1U << 30;

/// fftw_r2r_kind
enum R2rKind : int {
  r2hc = 0,
  hc2r = 1,
  dht = 2,
  redft00 = 3,
  redft01 = 4,
  redft10 = 5,
  redft11 = 6,
  rodft00 = 7,
  rodft01 = 8,
  rodft10 = 9,
  rodft11 = 10,
};

}  // namespace weft::fftw_mpi
