#pragma once

#include <memory>

#include "codec/instruction_set.hpp"
#include "local/local_transform.hpp"

namespace weft::stockham {

bool supports(const LocalProblem& problem);
/// Results of a line do not depend on the other lines of a batch, nor on how lines lie in memory;
/// between instruction sets they differ by rounding.
std::unique_ptr<LocalTransform> make(const LocalProblem& problem, InstructionSet set);

}  // namespace weft::stockham
