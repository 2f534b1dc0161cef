#pragma once

#include <memory>
#include <string>
#include <vector>

#include "local/local_transform.hpp"

namespace weft::stockham {

enum class InstructionSet { baseline, avx2, avx512 };

std::string to_string(InstructionSet set);
/// Those that this processor has, the best last.
std::vector<InstructionSet> usable_instruction_sets();

bool supports(const LocalProblem& problem);
/// Results of a line do not depend on the other lines of a batch, nor on how lines lie in memory;
/// between instruction sets they differ by rounding.
std::unique_ptr<LocalTransform> make(const LocalProblem& problem, InstructionSet set);

}  // namespace weft::stockham
