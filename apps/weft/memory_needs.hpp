#pragma once

#include <functional>
#include <string>

#include "exchange/communicator.hpp"
#include "weft/problem.hpp"

namespace weft {

/// What the ranks of a program are about to allocate.
struct MemoryNeeds {
  std::string what;  ///< "the input and the output"
  double bytes = 0;  ///< of all ranks together
};

/// Bytes of the arrays of all ranks; 0 for problems that make no sense, which plans refuse.
struct ArrayBytes {
  ArrayBytes(const Problem& problem, const Communicator& comm);
  double input = 0;
  double output = 0;
};

/// Collective. Runs work that allocates. Where a machine has less memory than its share of the
/// needs, or an allocation fails, throws an Error that tells how much is needed, how much there is,
/// and how many ranks would be enough. Without needs the error of the allocation says all.
void with_memory(const Communicator& comm, const MemoryNeeds& needs,
                 const std::function<void()>& work);

}  // namespace weft
