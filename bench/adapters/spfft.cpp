// SpFFT on the host.
#include "adapters/spfft.hpp"

namespace weft::bench {

Library describe() {
  return {"spfft", SPFFT_VERSION, spfft_settings()};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_spfft(problem);
  return make_spfft<HostArray>(problem, SPFFT_PU_HOST);
}

}  // namespace weft::bench
