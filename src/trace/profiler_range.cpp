#include "trace/profiler_range.hpp"

#ifdef WEFT_WITH_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace weft {

ProfilerRange::ProfilerRange([[maybe_unused]] const char* name) {
#ifdef WEFT_WITH_NVTX
  nvtxRangePushA(name);
#endif
}

ProfilerRange::~ProfilerRange() {
#ifdef WEFT_WITH_NVTX
  nvtxRangePop();
#endif
}

}  // namespace weft
