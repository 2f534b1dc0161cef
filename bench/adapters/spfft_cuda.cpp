// SpFFT with cuFFT: one GPU per rank, arrays in its memory. Whether MPI gets pointers to that
// memory is a matter of its build (SPFFT_GPU_DIRECT).
#include "adapters/device_array.hpp"
#include "adapters/spfft.hpp"

namespace weft::bench {

Library describe() {
  return {"spfft-cuda", SPFFT_VERSION, spfft_settings(), false, "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_spfft(problem);
  choose_device(problem.comm);
  return make_spfft<DeviceArray>(problem, SPFFT_PU_GPU);
}

}  // namespace weft::bench
