#pragma once

#include <string>
#include <vector>

namespace weft {

/// Instructions that kernels are compiled for: of any processor; AVX2 with FMA; AVX-512 with F, DQ,
/// VL and BW.
enum class InstructionSet { portable, avx2, avx512 };

std::string to_string(InstructionSet set);
/// Those that were built in and that this processor has, the best last.
const std::vector<InstructionSet>& usable_instruction_sets();

}  // namespace weft
