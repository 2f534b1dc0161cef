#pragma once

namespace weft {

/// A named range in the timelines of NVIDIA's profilers (NVTX): what the calling thread does, and
/// submits to streams, between its making and its end. Costs a comparison where no profiler looks
/// on; builds without CUDA have none.
class ProfilerRange {
 public:
  explicit ProfilerRange(const char* name);
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace weft
