#include "codec/instruction_set.hpp"

namespace weft {

bool has_instruction_set(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::portable:
      return true;
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2");
    case InstructionSet::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
  return false;
#else
  return set == InstructionSet::portable;
#endif
}

InstructionSet best_instruction_set() {
  if (has_instruction_set(InstructionSet::avx512)) return InstructionSet::avx512;
  if (has_instruction_set(InstructionSet::avx2)) return InstructionSet::avx2;
  return InstructionSet::portable;
}

}  // namespace weft
