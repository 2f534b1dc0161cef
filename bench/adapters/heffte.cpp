// heFFTe on the host. It plans FFTW with FFTW_ESTIMATE only.
#include "adapters/heffte.hpp"

namespace weft::bench {

namespace {

#ifdef Heffte_ENABLE_FFTW
/// Cosine and sine transforms, the same along all axes.
std::unique_ptr<Transform> make_real(const Case& problem) {
  using namespace heffte::backend;
  if (all_axes(problem, Kind::dct1)) return make_real_heffte<fftw_cos1, HostArray>(problem);
  if (all_axes(problem, Kind::dct2)) return make_real_heffte<fftw_cos, HostArray>(problem);
  if (all_axes(problem, Kind::dst1)) return make_real_heffte<fftw_sin1, HostArray>(problem);
  if (all_axes(problem, Kind::dst2)) return make_real_heffte<fftw_sin, HostArray>(problem);
  throw Unsupported("not offered: kinds " + to_string(problem.kinds));
}
#endif

std::vector<std::string> local_libraries() {
  std::vector<std::string> names;
#ifdef Heffte_ENABLE_FFTW
  names.push_back("fftw");
#endif
#ifdef Heffte_ENABLE_MKL
  names.push_back("mkl");
#endif
  return names;
}

}  // namespace

Library describe() {
  std::vector<Setting> settings = {{"local", local_libraries()}};
  for (Setting& one : heffte_settings()) settings.push_back(std::move(one));
  return {"heffte", heffte_version(), settings};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_heffte(problem);
  const std::string local = setting(problem, "local", local_libraries().front());
#ifdef Heffte_ENABLE_MKL
  require(local != "mkl" || !is_real_to_real(problem), "kinds " + to_string(problem.kinds));
  if (local == "mkl") return make_heffte<heffte::backend::mkl, HostArray>(problem);
#endif
#ifdef Heffte_ENABLE_FFTW
  if (local == "fftw") {
    return is_real_to_real(problem) ? make_real(problem)
                                    : make_heffte<heffte::backend::fftw, HostArray>(problem);
  }
#endif
  throw Unsupported("this heFFTe was built without " + local);
}

}  // namespace weft::bench
