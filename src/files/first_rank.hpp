#pragma once

#include <functional>
#include <string>

#include "exchange/communicator.hpp"

namespace weft {

/// Collective. Runs `work` on rank 0 only and gives every rank its result; where it throws, every
/// rank throws an Error with its text.
std::string on_first_rank(const Communicator& comm, const std::function<std::string()>& work);

}  // namespace weft
