#include "codec/instruction_set.hpp"

namespace weft {

std::string to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    default:
      return "avx512";
  }
}

const std::vector<InstructionSet>& usable_instruction_sets() {
  static const std::vector<InstructionSet> usable = [] {
    std::vector<InstructionSet> sets{InstructionSet::portable};
#ifdef WEFT_X86_KERNELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      sets.push_back(InstructionSet::avx2);
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        sets.push_back(InstructionSet::avx512);
      }
    }
#endif
    return sets;
  }();
  return usable;
}

}  // namespace weft
