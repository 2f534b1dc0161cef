// heFFTe with cuFFT: one GPU per rank, arrays in its memory. Whether MPI gets pointers to that
// memory is a setting; by default it does, unless the library was built without ("gpu_aware").
#include "adapters/device_array.hpp"
#include "adapters/heffte.hpp"

namespace weft::bench {

namespace {

/// Cosine and sine transforms, the same along all axes.
std::unique_ptr<Transform> make_real(const Case& problem) {
  using namespace heffte::backend;
  if (all_axes(problem, Kind::dct1)) return make_real_heffte<cufft_cos1, DeviceArray>(problem);
  if (all_axes(problem, Kind::dct2)) return make_real_heffte<cufft_cos, DeviceArray>(problem);
  if (all_axes(problem, Kind::dst2)) return make_real_heffte<cufft_sin, DeviceArray>(problem);
  throw Unsupported("not offered: kinds " + to_string(problem.kinds));
}

}  // namespace

Library describe() {
  std::vector<Setting> settings = heffte_settings();
  settings.push_back({"gpu_aware", {"default", "yes", "no"}});
  return {"heffte-cuda", heffte_version(), settings, false, "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_heffte(problem);
  choose_device(problem.comm);
  return is_real_to_real(problem) ? make_real(problem)
                                  : make_heffte<heffte::backend::cufft, DeviceArray>(problem);
}

}  // namespace weft::bench
