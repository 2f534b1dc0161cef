#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/global_array.hpp"

namespace weft::test {

inline constexpr Direction both[] = {Direction::forward, Direction::backward};

/// Memory of one rank's array.
using Bytes = std::vector<std::byte>;

/// The array that a run of this direction reads, and the one it writes.
const LocalArray& source_of(const Plan& plan, Direction direction);
const LocalArray& sink_of(const Plan& plan, Direction direction);

/// Runs a plan on untyped memory.
void execute(Plan& plan, Direction direction, const std::byte* in, std::byte* out);

/// The whole random input of a run, and what it should give.
GlobalArray given_array(const Plan& plan, Direction direction, std::uint64_t seed);
GlobalArray exact_array(const Plan& plan, Direction direction, std::uint64_t seed);
/// This rank's part of the random input; all else is poison.
Bytes given_bytes(const Plan& plan, Direction direction, std::uint64_t seed);

/// Collective. Relative L2 error of a run's output against the exact transform; NaN where an
/// element was not written.
double error_of(const Plan& plan, Direction direction, const std::byte* out, std::uint64_t seed);
/// Collective. The same for a run made here.
double run_error(Plan& plan, Direction direction, std::uint64_t seed = 1);
/// Largest error that rounding explains.
double error_bound(const Plan& plan);

/// Collective. Whether two arrays are equal on every rank.
bool equal_everywhere(const Bytes& a, const Bytes& b, MPI_Comm comm);

/// Kinds of which there is a device; ranks may have to share it.
std::vector<std::string> usable_devices();
/// These and the host, or the one that the environment says (WEFT_TEST_DEVICE).
std::vector<std::string> tested_devices();

int world_rank();
int world_size();

}  // namespace weft::test
