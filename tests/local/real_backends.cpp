#include "local/real_backends.hpp"

#include <algorithm>

#include "kind/definition.hpp"
#include "support/local_run.hpp"

namespace weft::test {

namespace {

bool is_fourier(const LocalProblem& problem) {
  return std::none_of(problem.kinds.begin(), problem.kinds.end(), is_real_kind);
}

}  // namespace

const std::vector<LocalBackend>& real_backends() {
  static const std::vector<LocalBackend> backends = [] {
    std::vector<LocalBackend> result;
    for (const LocalBackend& backend : local_backends()) {
      const bool oracle = std::string(backend.name) == "reference";
      if (on_host(backend) && backend.usable() && !oracle) result.push_back(backend);
    }
    LocalBackend fftw = find_local_backend("fftw");
    fftw.name = "lowered_fftw";
    fftw.supports = [](const LocalProblem& problem) {
      return is_fourier(problem) && find_local_backend("fftw").supports(problem);
    };
    result.push_back(fftw);
    LocalBackend reference = find_local_backend("reference");
    reference.name = "lowered_reference";
    reference.supports = is_fourier;
    result.push_back(reference);
    for (const LocalBackend& backend : local_backends()) {
      if (!on_host(backend) && backend.usable()) result.push_back(backend);
    }
    return result;
  }();
  return backends;
}

std::vector<std::string> own_device_backends() {
  std::vector<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    if (backend.any_layout && backend.usable()) names.push_back(label_of(backend));
  }
  return names;
}

}  // namespace weft::test
