#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "exchange/communicator.hpp"
#include "files/npy.hpp"

namespace weft {

/// Collective. Which elements of an array with that header are not finite: "1 NaN and 0 infinite,
/// the first at [3, 4]", in the order of the file; empty where all are finite. `part` is what this
/// rank has of it, from element `begin` of the file on.
std::string not_finite(const Communicator& comm, const NpyHeader& header, Index begin,
                       std::span<const std::byte> part);

}  // namespace weft
