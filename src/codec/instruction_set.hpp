#pragma once

namespace weft {

/// Instructions that kernels are compiled for. All give the same bits.
enum class InstructionSet { portable, avx2, avx512 };

/// The largest one that the processor has.
InstructionSet best_instruction_set();
bool has_instruction_set(InstructionSet set);

}  // namespace weft
