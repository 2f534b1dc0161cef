#pragma once

#include <string>

#include "bench_arrays.hpp"
#include "weft/trace.hpp"

namespace weft {

/// Collective: throws Error unless the file can be written, and changes nothing.
void check_timeline(const Communicator& comm, const std::string& path);

/// Collective: traces a forward and a backward of all fields, after one of each, and writes the
/// timeline. Returns the same on all ranks.
HiddenExchange record_timeline(const Communicator& comm, Plan& plan, const BenchArrays& arrays,
                               const std::string& path);

}  // namespace weft
